"""Games, their append-only log, answers that are kept for repeats, and seeds committed to beforehand."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, LargeBinary, Text, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from server.persistence.schema.base import NOW, TIME, Table


class GameRow(Table, table=True):
    """One game: what was settled when it was made, and a summary of where it stands.

    The log is the truth; `version`, `status`, `summary` and `due_at` follow it in the same transaction. `due_at` is
    when the server itself has to act if nobody did before (a clock, a CPU player's turn, an empty seat to fill).
    """

    __tablename__ = "games"
    __table_args__ = (
        CheckConstraint("status IN ('waiting', 'playing', 'finished')", name="status"),
        CheckConstraint("visibility IN ('public', 'private')", name="visibility"),
        Index(
            "ix_games_public", text("status, updated_at DESC, id DESC"), postgresql_where=text("visibility = 'public'")
        ),
        Index("ix_games_due_at", "due_at", postgresql_where=text("due_at IS NOT NULL")),
        UniqueConstraint("rematch_of"),
        UniqueConstraint("invite"),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    maker_id: str = Field(foreign_key="players.id", sa_type=Text)
    setup: dict[str, Any] = Field(sa_type=JSONB)
    server_seed: bytes = Field(sa_type=LargeBinary)
    visibility: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    version: int
    summary: dict[str, Any] = Field(sa_type=JSONB)
    due_at: datetime | None = Field(default=None, sa_type=TIME)
    daily: date | None = None
    invite: str | None = Field(default=None, sa_type=Text)
    rematch_of: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    updated_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    finished_at: datetime | None = Field(default=None, sa_type=TIME)


class GameLogRow(Table, table=True):
    """One accepted command of a game. `seq` is the version before it; with a `key` it is the answer to a repeat."""

    __tablename__ = "game_log"
    __table_args__ = (
        ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        Index("uq_game_log_key", "game_id", "player_id", "key", unique=True, postgresql_where=text("key IS NOT NULL")),
    )

    game_id: str = Field(primary_key=True, sa_type=Text)
    seq: int = Field(primary_key=True)
    version: int
    entry: dict[str, Any] = Field(sa_type=JSONB)
    at: datetime = Field(sa_type=TIME)
    player_id: str | None = Field(default=None, sa_type=Text)
    key: str | None = Field(default=None, sa_type=Text)
    print: bytes | None = Field(default=None, sa_type=LargeBinary)


class GamePlayerRow(Table, table=True):
    """Who has, or had, a seat of their own in a game."""

    __tablename__ = "game_players"
    __table_args__ = (
        ForeignKeyConstraint(["game_id"], ["games.id"], ondelete="CASCADE"),
        Index("ix_game_players_player_id", "player_id", "game_id"),
    )

    game_id: str = Field(primary_key=True, sa_type=Text)
    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    has_left: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})


class KeptAnswerRow(Table, table=True):
    """The first answer to a request with an Idempotency-Key; `status` is null while it is being made."""

    __tablename__ = "kept_answers"
    __table_args__ = (Index("ix_kept_answers_created_at", "created_at"),)

    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    path: str = Field(primary_key=True, sa_type=Text)
    key: str = Field(primary_key=True, sa_type=Text)
    print: bytes = Field(sa_type=LargeBinary)
    effect: str = Field(sa_type=Text)
    status: int | None = None
    headers: dict[str, Any] | None = Field(default=None, sa_type=JSONB)
    body: bytes | None = Field(default=None, sa_type=LargeBinary)
    claimed_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)


class CommitmentRow(Table, table=True):
    """A seed fixed before its player said a word about the game; `game_id` once it is used."""

    __tablename__ = "commitments"
    __table_args__ = (UniqueConstraint("player_id", "number"),)

    id: str = Field(primary_key=True, sa_type=Text)
    player_id: str = Field(foreign_key="players.id", sa_type=Text)
    number: int
    server_seed: bytes = Field(sa_type=LargeBinary)
    game_id: str | None = Field(default=None, sa_type=Text)
    created_at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)


class HeartbeatRow(Table, table=True):
    """One row: when any process of the service was last alive, so that a stop of it all can be credited."""

    __tablename__ = "heartbeat"

    id: int = Field(primary_key=True)
    alive_at: datetime = Field(sa_type=TIME)
