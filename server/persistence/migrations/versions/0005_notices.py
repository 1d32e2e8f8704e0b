"""Notices to players."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0005"
down_revision = "0004"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables of notices."""
    op.create_table(
        "notice_heads",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notice_heads_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_notice_heads")),
    )
    op.create_table(
        "notices",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("once", sa.Text(), nullable=False),
        sa.Column("data", JSONB(), nullable=False),
        sa.Column("at", TIME, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_notices_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "seq", name=op.f("pk_notices")),
    )
    op.create_index("uq_notices_once", "notices", ["player_id", "once"], unique=True)
    op.create_index("ix_notices_at", "notices", ["at"])


def downgrade() -> None:
    """Drops them."""
    op.drop_table("notices")
    op.drop_table("notice_heads")
