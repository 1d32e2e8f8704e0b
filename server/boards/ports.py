"""What boards and dailies need from outside: storage, ranks, and tables that make a day's games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from server.boards.cursor import Cursor
from server.boards.types import Page, Row


@dataclass(frozen=True, slots=True)
class Deal:
    """One date's deal. `server_seed` is secret until the day is `closed`."""

    date: date
    server_seed: bytes
    closed: bool


@dataclass(frozen=True, slots=True)
class Best:
    """A player's best game of a preset: by how much it was won."""

    preset: str
    margin: int
    game_id: str


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What a player's rating was after a game, in hundredths."""

    at: datetime
    score: int
    game_id: str


@dataclass(frozen=True, slots=True)
class Career:
    """What a player has done: wins are (preset, level or None for people, how many)."""

    games: int
    wins: tuple[tuple[str, str | None, int], ...]
    best: tuple[Best, ...]
    dailies: tuple[date, ...]
    ratings: tuple[RatedGame, ...]


class Pages(Protocol):
    """Boards in the order of their scores. `board` is ranking, rating, daily or day; `period` the key of a period."""

    async def page(self, board: str, period: str, *, limit: int, registered: bool, cursor: Cursor | None) -> Page:
        """A page of a board; one cursor gives the same rows however often, and whatever happens in between."""

    async def score_of(self, board: str, period: str, player_id: str, *, registered: bool) -> Row | None:
        """A player's row without its rank (0); None where there is none."""

    async def around(self, board: str, period: str, row: Row, *, limit: int, registered: bool) -> list[Row]:
        """The rows about a row, itself included, without ranks (0)."""


class Ranks(Protocol):
    """Ranks of scores, at once."""

    async def ranks(self, board: str, period: str, scores: Iterable[int], *, registered: bool) -> dict[int, int]:
        """The rank of each score on a board, among all that was committed before."""


class Careers(Protocol):
    """What was kept of finished games."""

    async def career(self, player_id: str) -> Career:
        """All of one player's."""

    async def record_is_public(self, game_id: str) -> bool:
        """Whether a board's row rests on this game, and its day, if it is a daily, has closed."""


class Deals(Protocol):
    """Daily deals and who has played them."""

    async def make(self, days: Iterable[date]) -> None:
        """Makes the deals that are missing, each with a seed of its own from the operating system; one for a date."""

    async def deal(self, day: date) -> Deal | None:
        """One date's deal."""

    async def close(self, day: date) -> None:
        """Closes a day: waits for results under way, and lets no further one count."""

    async def try_of(self, player_id: str, day: date) -> str | None:
        """The id of a player's game of a date."""

    async def reserve(self, player_id: str, day: date, game_id: str) -> str:
        """Settles which game is a player's of a date: this id, or the one that was settled before."""


class DailyTables(Protocol):
    """Makes the games of a day: `pagat`, one person against one `normal`, the date as nonce."""

    async def make_daily(self, game_id: str, player_id: str, deal: Deal, closes_at: datetime) -> None:
        """Makes the ranked game with this id, unless it is there already."""

    async def make_practice(self, player_id: str, deal: Deal) -> str:
        """Makes an unranked game of a day that has closed; its id."""
