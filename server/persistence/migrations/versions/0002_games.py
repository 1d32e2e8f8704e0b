"""Games, their log, kept answers and commitments."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0002"
down_revision = "0001"

TIME = sa.DateTime(timezone=True)
NOW = sa.func.now()


def upgrade() -> None:
    """Makes the tables of games."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("maker_id", sa.Text(), nullable=False),
        sa.Column("setup", JSONB(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("summary", JSONB(), nullable=False),
        sa.Column("snapshot", JSONB(), nullable=True),
        sa.Column("due_at", TIME, nullable=True),
        sa.Column("daily", sa.Date(), nullable=True),
        sa.Column("invite", sa.Text(), nullable=True),
        sa.Column("rematch_of", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.Column("updated_at", TIME, server_default=NOW, nullable=False),
        sa.Column("finished_at", TIME, nullable=True),
        sa.CheckConstraint("status IN ('waiting', 'playing', 'finished')", name=op.f("ck_games_status")),
        sa.CheckConstraint("visibility IN ('public', 'private')", name=op.f("ck_games_visibility")),
        sa.ForeignKeyConstraint(["maker_id"], ["players.id"], name=op.f("fk_games_maker_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("rematch_of", name=op.f("uq_games_rematch_of")),
        sa.UniqueConstraint("invite", name=op.f("uq_games_invite")),
    )
    op.create_index(
        "ix_games_public",
        "games",
        [sa.text("status, updated_at DESC, id DESC")],
        postgresql_where=sa.text("visibility = 'public'"),
    )
    op.create_index("ix_games_due_at", "games", ["due_at"], postgresql_where=sa.text("due_at IS NOT NULL"))
    op.create_table(
        "game_log",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("entry", JSONB(), nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("player_id", sa.Text(), nullable=True),
        sa.Column("key", sa.Text(), nullable=True),
        sa.Column("print", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_game_log_game_id_games"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_game_log")),
    )
    op.create_index(
        "uq_game_log_key",
        "game_log",
        ["game_id", "player_id", "key"],
        unique=True,
        postgresql_where=sa.text("key IS NOT NULL"),
    )
    op.create_table(
        "game_players",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("has_left", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.ForeignKeyConstraint(
            ["game_id"], ["games.id"], name=op.f("fk_game_players_game_id_games"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_game_players_player_id_players")),
        sa.PrimaryKeyConstraint("game_id", "player_id", name=op.f("pk_game_players")),
    )
    op.create_index("ix_game_players_player_id", "game_players", ["player_id", "game_id"])
    op.create_table(
        "kept_answers",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("print", sa.LargeBinary(), nullable=False),
        sa.Column("effect", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("headers", JSONB(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.Column("claimed_at", TIME, server_default=NOW, nullable=False),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_kept_answers_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "path", "key", name=op.f("pk_kept_answers")),
    )
    op.create_index("ix_kept_answers_created_at", "kept_answers", ["created_at"])
    op.create_table(
        "commitments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("server_seed", sa.LargeBinary(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=True),
        sa.Column("created_at", TIME, server_default=NOW, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_commitments_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_commitments")),
        sa.UniqueConstraint("player_id", "number", name=op.f("uq_commitments_player_id_number")),
    )
    op.create_table(
        "heartbeat",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("alive_at", TIME, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_heartbeat")),
    )


def downgrade() -> None:
    """Drops them."""
    for table in ("heartbeat", "commitments", "kept_answers", "game_players", "game_log", "games"):
        op.drop_table(table)
