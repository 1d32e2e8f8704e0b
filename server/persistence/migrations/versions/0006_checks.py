"""Checks of settled games, and which nights they were made."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Notes on each settled game when its record was checked and what was wrong."""
    op.add_column("settled_games", sa.Column("checked_at", TIME, nullable=True))
    op.add_column("settled_games", sa.Column("fault", sa.Text(), nullable=True))
    op.create_index(
        "ix_settled_games_unchecked", "settled_games", ["settled_at"], postgresql_where=sa.text("checked_at IS NULL")
    )
    op.create_index("ix_daily_tries_date", "daily_tries", ["date"])
    op.create_table(
        "nights",
        sa.Column("date", sa.Date(), nullable=False),
        sa.Column("begun_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.PrimaryKeyConstraint("date", name=op.f("pk_nights")),
    )


def downgrade() -> None:
    """Takes it back."""
    op.drop_table("nights")
    op.drop_index("ix_daily_tries_date", "daily_tries")
    op.drop_index("ix_settled_games_unchecked", "settled_games")
    op.drop_column("settled_games", "fault")
    op.drop_column("settled_games", "checked_at")
