"""A game played entry by entry by `advance` alone, for the tests: no store, no clock, no tasks."""

import hashlib
import random
from dataclasses import dataclass, field, replace
from typing import Any

from server import game as rules
from server.tables import SeatSetup, Setup, TurnClock
from server.tables.live import Entry, Live, Logged, advance, blank
from server.tables.ports import Row

START = 1_800_000_000_000
SEED = bytes(range(32))

ME, CPU, OPEN = SeatSetup("me"), SeatSetup("cpu", "normal"), SeatSetup("open")


def a_setup(*seats: SeatSetup, preset: str = "classic", options: dict[str, Any] | None = None, **changes: Any) -> Setup:
    """What is settled when a game is made; everything not said is as plain as can be."""
    ruleset = rules.make_ruleset(preset, options or {}, len(seats))
    plain = Setup(
        game_id="g", maker="ann", preset=preset, options=ruleset.options(), seats=seats, visibility="public",
        spectators=True, clock=None, call_seconds=5, client_seed="salt", position=None, invite=None, watch=None,
        server_seed=SEED, commitment=hashlib.sha256(SEED).hexdigest(), nonce=None, daily=None, closes_at=None,
        rematch_of=None, fill_at=None, rules_version="1", ai_version="1", created_at=START,
    )  # fmt: skip
    return replace(plain, **changes)


def clocked(turn: int, bank: int = 0) -> TurnClock:
    """A clock."""
    return TurnClock(turn, bank)


@dataclass
class Played:
    """A game so far: where it stands, its log, and every event it told."""

    setup: Setup
    live: Live = field(init=False)
    rows: list[Row] = field(default_factory=list)
    events: list[Logged] = field(default_factory=list)
    lives: list[Live] = field(default_factory=list)
    at: int = START

    def __post_init__(self) -> None:
        self.live = blank(self.setup)
        self.do({"k": "make"})

    def do(self, entry: Entry, after: int = 1000) -> list[Logged]:
        """One entry, so many milliseconds after the last; what it told."""
        self.at += after
        before = self.live.version
        self.live, told = advance(self.setup, self.live, entry, self.at)
        self.rows.append(Row(before, self.live.version, entry, self.at))
        self.events += told
        self.lives.append(self.live)
        return list(told)

    def sit(self, seat: int, player: str, client_seed: str = "") -> list[Logged]:
        """A person takes a seat."""
        return self.do({"k": "seat", "seat": seat, "player": player, "client_seed": client_seed})

    def move(self, move: dict[str, Any], by: str = "player", after: int = 1000) -> list[Logged]:
        """A move of the seat to move."""
        return self.do({"k": "move", "seat": self.live.waiting[0], "move": move, "by": by}, after)

    def clock(self, after: int = 1000) -> list[Logged]:
        """The clock's next move for the seat to move."""
        assert self.live.state is not None
        move = rules.clock_move(self.live.state, self.live.waiting[0])
        return self.move(rules.move_json(move), by="clock", after=after)

    def turn_by_clock(self, after: int = 1000) -> None:
        """The clock plays a whole turn."""
        seat = self.live.waiting[0]
        self.clock(after)
        while self.live.waiting == (seat,):
            self.clock(1)

    def any_move(self, chance: random.Random, by: str = "player", after: int = 1000) -> list[Logged]:
        """Some legal move of some seat to move."""
        assert self.live.state is not None
        seat = chance.choice(self.live.waiting)
        move = chance.choice(rules.legal_moves(self.live.state, seat))
        return self.do({"k": "move", "seat": seat, "move": rules.move_json(move), "by": by}, after)

    def types(self) -> list[str]:
        """The types of all events so far."""
        return [type_of(logged) for logged in self.events]


def type_of(logged: Logged) -> str:
    """The event's type on the wire."""
    found = getattr(logged.event, "type", None)
    return found if isinstance(found, str) else str(rules.event_json(logged.event, 0)["type"])
