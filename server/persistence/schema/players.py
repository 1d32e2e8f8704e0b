"""Players and their tokens. A token's text is nowhere: only its SHA-256."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlmodel import Field

from server.persistence.schema.base import NOW, TIME, Table


class PlayerRow(Table, table=True):
    """Someone who plays. A deleted player's row stays, without the name, so that results keep their owner."""

    __tablename__ = "players"
    __table_args__ = (CheckConstraint("kind IN ('guest', 'registered', 'bot')", name="kind"),)

    id: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    ranking_points: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    rating_mu: float | None = None
    rating_sigma: float | None = None
    rated_games: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    deleted_at: datetime | None = Field(default=None, sa_type=TIME)


class TokenRow(Table, table=True):
    """A key to a player: a session's (`name` null) or a named one for a bot or an app."""

    __tablename__ = "tokens"
    __table_args__ = (
        Index("ix_tokens_player_id", "player_id"),
        Index("ix_tokens_revoked_at", "revoked_at", postgresql_where=text("revoked_at IS NOT NULL")),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    player_id: str = Field(foreign_key="players.id", sa_type=Text)
    hash: bytes = Field(unique=True, sa_type=LargeBinary)
    name: str | None = Field(default=None, sa_type=Text)
    scopes: list[str] = Field(sa_type=ARRAY(Text))
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    expires_at: datetime | None = Field(default=None, sa_type=TIME)
    last_used_at: datetime | None = Field(default=None, sa_type=TIME)
    revoked_at: datetime | None = Field(default=None, sa_type=TIME)


class CredentialsRow(Table, table=True):
    """What a registered player signs in with. The password is hashed by argon2id, the recovery code by SHA-256."""

    __tablename__ = "credentials"

    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    username: str = Field(unique=True, sa_type=Text)
    password: str = Field(sa_type=Text)
    recovery: bytes = Field(sa_type=LargeBinary)
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    changed_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)


class TransferRow(Table, table=True):
    """A code that carries a player to another device, once; only its SHA-256 is here."""

    __tablename__ = "transfers"
    __table_args__ = (Index("ix_transfers_player_id", "player_id"),)

    hash: bytes = Field(primary_key=True, sa_type=LargeBinary)
    player_id: str = Field(foreign_key="players.id", sa_type=Text)
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    expires_at: datetime = Field(sa_type=TIME)
