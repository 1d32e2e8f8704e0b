"""What live games need from outside: a store that keeps their logs, a bus between processes, players, CPU players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from server.tables.live import Entry
from server.tables.notices import Notice
from server.tables.setup import Setup

Question = tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]], dict[str, Any], bytes]


class Row(NamedTuple):
    """One row of a game's log: `seq` is the version before the entry, `version` the one after it, `at` in ms."""

    seq: int
    version: int
    entry: Entry
    at: int
    player: str | None = None
    key: str | None = None
    print: bytes | None = None


@dataclass(frozen=True, slots=True)
class SeatResult:
    """A seat of a finished game. `stood_in`: a CPU player made moves for this person."""

    seat: int
    player: str | None
    level: str | None
    stood_in: bool
    left: bool


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that has just ended, for points, ratings and boards. Times in ms."""

    game_id: str
    preset: str
    ranked: bool
    public: bool
    daily: str | None
    partners: bool
    seats: tuple[SeatResult, ...]
    result: dict[str, Any]
    rounds: int
    created_at: int
    started_at: int | None
    finished_at: int


class Append(NamedTuple):
    """A row to be appended, and what changes beside the log in the same transaction."""

    game_id: str
    row: Row
    status: str
    summary: dict[str, Any]
    due_at: int | None
    sits: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    finished: Finished | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as it is stored."""

    setup: Setup
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in a list."""

    setup: Setup
    status: str
    version: int
    summary: dict[str, Any]
    updated_at: str


@dataclass(frozen=True, slots=True)
class KeyFound:
    """What a key was used for: an accepted move (from, to), or a refusal's problem document."""

    print: bytes
    accepted: tuple[int, int] | None
    problem: tuple[int, bytes] | None


class GameStore(Protocol):
    """The truth about games. Every method may raise an outage error (see `is_outage`)."""

    async def create(self, setup: Setup, append: Append, commitment: str | None) -> bool:
        """Makes a game with its first row; False where a game of this id (or this rematch) is there already."""

    async def load(self, game_id: str) -> Stored | None:
        """A game and its whole log."""

    async def rows_after(self, game_id: str, seq: int) -> list[Row]:
        """Rows whose `seq` is `seq` or more, in order."""

    async def append(self, append: Append) -> bool:
        """Commits; False where another row has this place, or the key is used."""

    async def find_key(self, game_id: str, player: str, key: str) -> KeyFound | None:
        """What a move's key was used for."""

    async def keep_refusal(
        self, game_id: str, player: str, key: str, fingerprint: bytes, status: int, body: bytes
    ) -> None:
        """Keeps the refusal of a keyed move."""

    async def due(self, limit: int) -> list[str]:
        """Games in which the server has to act by now."""

    async def clocked(self) -> list[str]:
        """Games in play in which somebody's time runs."""

    async def versions(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Their versions now."""

    async def listing(
        self,
        *,
        mine: str | None,
        status: str | None,
        cursor: str | None,
        limit: int,
        preset: str | None = None,
        seats: int | None = None,
    ) -> tuple[list[Listed], str | None]:
        """A page of public games, or of a player's, newest change first; ValueError for a bad cursor."""

    async def lobby(self, since: int) -> list[str]:
        """Public games whose row has changed since then (ms), at most 500."""

    async def quick(self, player: str, preset: str, options: dict[str, Any], seats: int) -> list[str]:
        """Quick games that wait for players with just this ruleset, the oldest first; at most 5."""

    async def rematch_of(self, game_id: str) -> str | None:
        """The next game of the same people."""

    async def by_invite(self, code: str) -> str | None:
        """The game that an invite opens."""

    async def nearly_due(self, within_ms: int) -> list[str]:
        """Games whose time is up within so many ms."""

    async def listed(self, game_id: str) -> Listed | None:
        """One game as in a list."""

    async def new_commitment(self, player: str, commitment_id: str, seed: bytes) -> tuple[str, bytes, int] | None:
        """A seed kept for a player: (id, seed, number), the same again for the same id; None for too many."""

    async def commitment(self, player: str, commitment_id: str, game_id: str) -> bytes | None:
        """The seed of a commitment of this player, unused or used for this very game (made by an earlier try)."""

    async def beat(self) -> int:
        """Says that the service lives; gives the milliseconds since it last said so."""

    async def now(self) -> int:
        """The database's clock, ms."""


class Bus(Protocol):
    """Carries rows between processes; whatever it loses is found in the store."""

    async def publish(self, game_id: str, row: Row) -> None:
        """Tells the other processes; never fails."""

    def note(self, **data: Any) -> None:
        """Tells every other process something small; never waits."""

    def subscribe(self, game_id: str) -> None:
        """Wants to be told of a game's rows."""

    def unsubscribe(self, game_id: str) -> None:
        """Wants no more."""


class NoticeStore(Protocol):
    """What players must know anywhere."""

    async def add(self, notices: Sequence[Notice]) -> None:
        """Adds those that are new."""

    async def after(self, player_id: str, seq: int, limit: int) -> list[dict[str, Any]]:
        """A player's notices after a number, in order, as they are sent."""

    async def last(self, player_id: str) -> int:
        """The number of a player's last notice, 0 for none."""


class VoteStore(Protocol):
    """Votes about someone who is away; a move makes them void."""

    async def vote(self, game_id: str, version: int, about: int, voter: int, choice: str) -> dict[int, str]:
        """Counts a vote; all votes now, by seat. Raises an outage error where votes cannot be kept."""


class PlayersPort(Protocol):
    """Who players are."""

    async def wire(self, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Their PLAYER objects by id."""


class CpuPlayers(Protocol):
    """Makes CPU players' choices, off the event loop."""

    async def choose(
        self, level: str, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The MOVE of a CPU player, from what its seat may know alone."""

    async def hint(
        self, view: dict[str, Any], events: list[dict[str, Any]], legal: list[dict[str, Any]], seed: bytes
    ) -> dict[str, Any]:
        """The expert's `move` and its `reason`."""

    async def review(self, questions: Sequence[Question]) -> list[dict[str, Any]]:
        """For each (view, events, legal moves, the move made, seed): `best`, `loss` and `reason`."""
