"""Results of finished games, boards computed from them, and daily deals."""

import datetime as dt

from sqlalchemy import BigInteger, Identity, Index, LargeBinary, Text, text
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import UserDefinedType
from sqlmodel import Field

from server.persistence.schema.base import NOW, TIME, Table


class Xid8(UserDefinedType[str]):
    """A transaction's number, by which a page can tell what its first page saw."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        """The type's name in Postgres."""
        return "xid8"


ischema_names["xid8"] = Xid8  # so that a comparison with the database recognises it


class SettledGameRow(Table, table=True):
    """A game whose effects were given, so that they are never given twice.

    `checked_at`: when its record was played again by the nightly check, `fault` what that found wrong.
    """

    __tablename__ = "settled_games"
    __table_args__ = (Index("ix_settled_games_unchecked", "settled_at", postgresql_where=text("checked_at IS NULL")),)

    game_id: str = Field(primary_key=True, sa_type=Text)
    settled_at: dt.datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    checked_at: dt.datetime | None = Field(default=None, sa_type=TIME)
    fault: str | None = Field(default=None, sa_type=Text)


class ResultRow(Table, table=True):
    """What a finished game was for one of its people. Everything on a board can be computed from these rows."""

    __tablename__ = "results"
    __table_args__ = (
        Index("uq_results_game_id_player_id", "game_id", "player_id", unique=True),
        Index("ix_results_player_id", "player_id", text("number DESC")),
        Index("ix_results_points", "player_id", text("number DESC"), postgresql_where=text("points > 0")),
        Index("ix_results_rated", "player_id", text("number DESC"), postgresql_where=text("mu IS NOT NULL")),
        Index("ix_results_daily", "player_id", "daily", postgresql_where=text("daily IS NOT NULL")),
    )

    number: int = Field(primary_key=True, sa_type=BigInteger, sa_column_args=[Identity(always=True)])
    game_id: str = Field(sa_type=Text)
    player_id: str = Field(sa_type=Text, foreign_key="players.id")
    seat: int
    preset: str = Field(sa_type=Text)
    ranked: bool
    level: str | None = Field(default=None, sa_type=Text)
    won: bool
    points: int
    margin: int
    rounds: int
    has_left: bool
    stood_in: bool
    mu: float | None = None
    sigma: float | None = None
    daily: dt.date | None = None
    finished_at: dt.datetime = Field(sa_type=TIME)


class BoardRow(Table, table=True):
    """A score on a board, from the transaction that made it to the one that replaced it (null: the present one).

    Scores replaced are kept for a day, so that someone who turns pages sees the board as it was on the first one.
    """

    __tablename__ = "board_rows"
    __table_args__ = (
        Index(
            "uq_board_rows_present",
            "player_id",
            "board",
            "period",
            unique=True,
            postgresql_where=text("to_xid IS NULL"),
        ),
        Index(
            "ix_board_rows_present",
            "board",
            "period",
            text("(- score)"),
            "player_id",
            postgresql_where=text("to_xid IS NULL"),
        ),
        Index(
            "ix_board_rows_registered",
            "board",
            "period",
            text("(- score)"),
            "player_id",
            postgresql_where=text("to_xid IS NULL AND registered"),
        ),
        Index(
            "ix_board_rows_replaced",
            "board",
            "period",
            text("(- score)"),
            "player_id",
            postgresql_where=text("to_xid IS NOT NULL"),
        ),
    )

    id: int = Field(primary_key=True, sa_type=BigInteger, sa_column_args=[Identity(always=True)])
    board: str = Field(sa_type=Text)
    period: str = Field(sa_type=Text)
    player_id: str = Field(sa_type=Text, foreign_key="players.id")
    score: int = Field(sa_type=BigInteger)
    registered: bool
    from_xid: str = Field(sa_type=Xid8, sa_column_kwargs={"server_default": text("pg_current_xact_id()")})
    since: dt.datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
    to_xid: str | None = Field(default=None, sa_type=Xid8)
    until: dt.datetime | None = Field(default=None, sa_type=TIME)


class BoardChangeRow(Table, table=True):
    """A row of a board that the cache has not been told of yet."""

    __tablename__ = "board_changes"

    id: int = Field(primary_key=True, sa_type=BigInteger, sa_column_args=[Identity(always=True)])
    board: str = Field(sa_type=Text)
    period: str = Field(sa_type=Text)
    player_id: str = Field(sa_type=Text)


class BoardCacheRow(Table, table=True):
    """One row: how many times the cache was written. A cache that counts fewer has forgotten something."""

    __tablename__ = "board_cache"

    id: int = Field(primary_key=True)
    writes: int = Field(sa_type=BigInteger)


class DailyDealRow(Table, table=True):
    """The secret seed of a UTC date, made a week ahead. Once `closed`, its results stand and the seed is told."""

    __tablename__ = "daily_deals"

    date: dt.date = Field(primary_key=True)
    server_seed: bytes = Field(sa_type=LargeBinary)
    closed: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    created_at: dt.datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)


class DailyTryRow(Table, table=True):
    """A player's one game of a date; the id is settled before the game is made."""

    __tablename__ = "daily_tries"
    __table_args__ = (Index("ix_daily_tries_date", "date"),)

    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    date: dt.date = Field(primary_key=True, foreign_key="daily_deals.date")
    game_id: str = Field(unique=True, sa_type=Text)
    created_at: dt.datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)


class NightRow(Table, table=True):
    """A UTC date whose nightly work some process has taken on."""

    __tablename__ = "nights"

    date: dt.date = Field(primary_key=True)
    begun_at: dt.datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
