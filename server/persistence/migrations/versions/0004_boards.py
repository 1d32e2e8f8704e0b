"""Results, boards and daily deals."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = """
CREATE TABLE settled_games (
    game_id text CONSTRAINT pk_settled_games PRIMARY KEY,
    settled_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE results (
    number bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_results PRIMARY KEY,
    game_id text NOT NULL,
    player_id text NOT NULL CONSTRAINT fk_results_player_id_players REFERENCES players (id),
    seat integer NOT NULL,
    preset text NOT NULL,
    ranked boolean NOT NULL,
    level text,
    won boolean NOT NULL,
    points integer NOT NULL,
    margin integer NOT NULL,
    rounds integer NOT NULL,
    has_left boolean NOT NULL,
    stood_in boolean NOT NULL,
    mu double precision,
    sigma double precision,
    daily date,
    finished_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX uq_results_game_id_player_id ON results (game_id, player_id);
CREATE INDEX ix_results_player_id ON results (player_id, number DESC);
CREATE INDEX ix_results_points ON results (player_id, number DESC) WHERE points > 0;
CREATE INDEX ix_results_rated ON results (player_id, number DESC) WHERE mu IS NOT NULL;
CREATE INDEX ix_results_daily ON results (player_id, daily) WHERE daily IS NOT NULL;
CREATE TABLE board_rows (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_board_rows PRIMARY KEY,
    board text NOT NULL,
    period text NOT NULL,
    player_id text NOT NULL CONSTRAINT fk_board_rows_player_id_players REFERENCES players (id),
    score bigint NOT NULL,
    registered boolean NOT NULL,
    from_xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    since timestamptz NOT NULL DEFAULT now(),
    to_xid xid8,
    until timestamptz
);
CREATE UNIQUE INDEX uq_board_rows_present ON board_rows (player_id, board, period) WHERE to_xid IS NULL;
CREATE INDEX ix_board_rows_present ON board_rows (board, period, (- score), player_id) WHERE to_xid IS NULL;
CREATE INDEX ix_board_rows_registered ON board_rows (board, period, (- score), player_id)
    WHERE to_xid IS NULL AND registered;
CREATE INDEX ix_board_rows_replaced ON board_rows (board, period, (- score), player_id) WHERE to_xid IS NOT NULL;
CREATE TABLE board_changes (
    id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_board_changes PRIMARY KEY,
    board text NOT NULL,
    period text NOT NULL,
    player_id text NOT NULL
);
CREATE TABLE board_cache (
    id integer CONSTRAINT pk_board_cache PRIMARY KEY,
    writes bigint NOT NULL
);
INSERT INTO board_cache VALUES (1, 0);
CREATE TABLE daily_deals (
    date date CONSTRAINT pk_daily_deals PRIMARY KEY,
    server_seed bytea NOT NULL,
    closed boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE daily_tries (
    player_id text NOT NULL CONSTRAINT fk_daily_tries_player_id_players REFERENCES players (id),
    date date NOT NULL CONSTRAINT fk_daily_tries_date_daily_deals REFERENCES daily_deals (date),
    game_id text NOT NULL CONSTRAINT uq_daily_tries_game_id UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pk_daily_tries PRIMARY KEY (player_id, date)
);
"""


def upgrade() -> None:
    """Makes the tables of boards and dailies."""
    for statement in STATEMENTS.split(";"):
        if statement.strip():
            op.execute(sa.text(statement))


def downgrade() -> None:
    """Drops them."""
    for table in (
        "daily_tries", "daily_deals", "board_cache", "board_changes", "board_rows", "results", "settled_games",
    ):  # fmt: skip
        op.drop_table(table)
