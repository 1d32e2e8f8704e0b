"""Credentials and transfers."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables `credentials` and `transfers`."""
    op.create_table(
        "credentials",
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("password", sa.Text(), nullable=False),
        sa.Column("recovery", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("changed_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_credentials_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_credentials")),
        sa.UniqueConstraint("username", name=op.f("uq_credentials_username")),
    )
    op.create_table(
        "transfers",
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("player_id", sa.Text(), nullable=False),
        sa.Column("created_at", TIME, server_default=sa.func.now(), nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_transfers_player_id_players")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_transfers")),
    )
    op.create_index("ix_transfers_player_id", "transfers", ["player_id"])


def downgrade() -> None:
    """Drops both tables."""
    op.drop_table("transfers")
    op.drop_table("credentials")
