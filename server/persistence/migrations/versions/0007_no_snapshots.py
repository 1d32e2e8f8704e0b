"""No snapshots of games: nothing ever wrote or read the column; a game is played again from its log."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Drops the column, which releases before this one do not name either."""
    op.drop_column("games", "snapshot")


def downgrade() -> None:
    """Takes it back, empty as it always was."""
    op.add_column("games", sa.Column("snapshot", JSONB(), nullable=True))
