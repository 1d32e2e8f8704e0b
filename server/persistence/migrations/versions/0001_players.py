"""Players and tokens."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables `players` and `tokens`."""
    op.create_table(
        "players",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("ranking_points", sa.Integer(), server_default="0", nullable=False),
        sa.Column("rating_mu", sa.Float(), nullable=True),
        sa.Column("rating_sigma", sa.Float(), nullable=True),
        sa.Column("rated_games", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("deleted_at", TIME, nullable=True),
        sa.CheckConstraint("kind IN ('guest', 'registered', 'bot')", name=op.f("ck_players_kind")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("scopes", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("created_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("expires_at", TIME, nullable=True),
        sa.Column("last_used_at", TIME, nullable=True),
        sa.Column("revoked_at", TIME, nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tokens_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_tokens_hash")),
    )
    op.create_index("ix_tokens_player_id", "tokens", ["player_id"])
    op.create_index(
        "ix_tokens_revoked_at", "tokens", ["revoked_at"], postgresql_where=sa.text("revoked_at IS NOT NULL")
    )


def downgrade() -> None:
    """Drops both tables."""
    op.drop_table("tokens")
    op.drop_table("players")
