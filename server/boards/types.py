"""A finished game as the boards see it, and a row of a board. Plain values, passed between the layers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

POINTS: Final = {"easy": 10, "normal": 30, "expert": 100}
LEVELS: Final = tuple(POINTS)  # from low to high
BOARDS: Final = ("ranking", "rating", "daily")
PERIODS: Final = ("all", "month", "week")
DAY: Final = "day"  # the board of one daily deal; its period is the date


@dataclass(frozen=True, slots=True)
class FinishedSeat:
    """One seat at the end of a game.

    `player_id` is the person whose seat it is or was (None: always a CPU player's), `level` the CPU player's who held
    it from the start. `stood_in`: a CPU player made at least one move for the person. `left`: the person left (R7.4).
    """

    seat: int
    player_id: str | None
    level: str | None = None
    stood_in: bool = False
    left: bool = False


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that has ended, with all that its effects depend on.

    `daily`: the date whose deal it is. `study`: table mode or from a position. `finished_at` is by the database's
    clock, in the transaction that ends the game.
    """

    id: str
    preset: str
    ranked: bool
    seats: tuple[FinishedSeat, ...]
    partners: bool
    reason: str
    winners: tuple[int, ...]
    totals: tuple[int, ...]
    rounds: int
    created_at: datetime
    started_at: datetime
    finished_at: datetime
    daily: date | None = None
    study: bool = False

    @property
    def people(self) -> tuple[FinishedSeat, ...]:
        """The seats that are or were a person's."""
        return tuple(seat for seat in self.seats if seat.player_id is not None)

    def side(self, seat: int) -> tuple[int, ...]:
        """The seats that win and lose together with this one, itself included."""
        return tuple(other.seat for other in self.seats if other.seat == seat or self._partners(other.seat, seat))

    def total_of(self, seat: int) -> int:
        """The total of a seat's side (R7.3)."""
        return sum(self.totals[each] for each in self.side(seat))

    def margin(self, seat: int) -> int:
        """By how much a seat's side is ahead of the best other one; negative when it is behind."""
        own = self.side(seat)
        return self.total_of(seat) - max(self.total_of(other.seat) for other in self.seats if other.seat not in own)

    def lowest_opponent(self, seat: int) -> str | None:
        """The lowest level among the CPU players who play against a seat; None when there is none."""
        own = self.side(seat)
        levels = [other.level for other in self.seats if other.seat not in own and other.level is not None]
        return min(levels, key=LEVELS.index) if levels else None

    def _partners(self, one: int, other: int) -> bool:
        return self.partners and (one - other) % 2 == 0


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a board. `games` are the newest games behind it."""

    rank: int
    player_id: str
    score: int
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """Lines of a board that follow one another, with the way to the next and the previous ones."""

    rows: tuple[Row, ...]
    next_cursor: str | None = None
    previous_cursor: str | None = None
