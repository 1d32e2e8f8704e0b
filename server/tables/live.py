"""Where a game stands, and how one entry of its log moves it on: a pure function, the same live and in a replay.

A game is its setup and its log. `advance` takes one entry (a seat taken, a move, someone leaving …) and gives the
next `Live` with the events that tell of it. It reads no clock: the entry's time comes with it, in milliseconds since
1970 by the database's clock, so deadlines and banks come out the same wherever it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from server import game as rules
from server.game import events as told
from server.game.evolving import evolver
from server.tables.setup import Setup

Entry = dict[str, Any]
Applied = tuple[rules.State, tuple[rules.Event, ...]]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where. `gone`: left for good. `stood_in`: a CPU player moved for this person at some time."""

    kind: str
    player: str | None = None
    level: str | None = None
    status: str = "open"
    client_seed: str = ""
    missed: int = 0
    bank: int | None = None
    gone: bool = False
    stood_in: bool = False

    @property
    def is_cpu(self) -> bool:
        """Whether a CPU player moves for this seat now."""
        return self.kind == "cpu" or self.status == "cpu_standing_in"

    @property
    def cpu_level(self) -> str:
        """The level of whoever moves for it."""
        return self.level or "normal"


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event that is not of the rules. A `player` in it is an id, shown as a PLAYER when it is rendered."""

    type: str
    data: dict[str, Any]


class Logged(NamedTuple):
    """An event in its place: `seq`, the time as text, and the deadline it tells of."""

    seq: int
    at: str
    event: Any
    deadline: str | None = None


@dataclass(frozen=True, slots=True)
class Live:
    """A game at one version. `turn_at` is when the turn began, `deadline` when it (or the call) is over, in ms."""

    status: str
    version: int
    seats: tuple[Seat, ...]
    state: rules.State | None = None
    nonce: str | None = None
    moves: int = 0
    turn_at: int = 0
    deadline: int | None = None
    last_at: int = 0
    result: dict[str, Any] | None = None
    round_seq: int = 0
    started_at: int | None = None

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats that must act now."""
        return self.state.waiting if self.status == "playing" and self.state is not None else ()

    def seats_of(self, player: str) -> int:
        """The mask of the seats that a player holds."""
        mask = 0
        for number, seat in enumerate(self.seats):
            if seat.player == player and not seat.gone:
                mask |= 1 << number
        return mask

    def people(self) -> list[int]:
        """Seats of people who have not left."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "person" and not seat.gone]


evolve = evolver(Live)
"""The game with these fields changed."""


@lru_cache(maxsize=64)
def _minute(at: int) -> str:
    return datetime.fromtimestamp(at * 60, UTC).strftime("%Y-%m-%dT%H:%M:")


@lru_cache(maxsize=64)
def stamp(at: int) -> str:
    """Milliseconds since 1970 as RFC 3339 in UTC."""
    minute, milliseconds = divmod(at, 60_000)
    return f"{_minute(minute)}{milliseconds // 1000:02d}.{milliseconds % 1000:03d}Z"


@dataclass(slots=True)
class _Draft:
    """The next version while it is being made."""

    setup: Setup
    live: Live
    at: int
    text: str
    events: list[Logged] = field(default_factory=list)
    deadline: int | None = None
    turn_at: int = 0

    def tell(self, kind: str, **data: Any) -> None:
        self.log(TableEvent(kind, data))

    def log(self, event: Any, deadline: int | None = None) -> None:
        seq = self.live.version + len(self.events) + 1
        self.events.append(Logged(seq, self.text, event, None if deadline is None else stamp(deadline)))

    def seat(self, number: int, **changes: Any) -> None:
        seats = list(self.live.seats)
        seats[number] = replace(seats[number], **changes)
        self.live = evolve(self.live, seats=tuple(seats))


def blank(setup: Setup) -> Live:
    """Before the first entry."""
    return Live("waiting", 0, tuple(Seat("open") for _ in setup.seats))


def advance(
    setup: Setup, live: Live, entry: Entry, at: int, applied: Applied | None = None
) -> tuple[Live, tuple[Logged, ...]]:
    """The next version and its events. `applied` is what the rules made of the entry's move, where that is known.

    The entry must be possible: what is not is refused before it is logged.
    """
    at = max(at, live.last_at)
    draft = _Draft(setup, live, at, stamp(at), deadline=live.deadline, turn_at=live.turn_at)
    if entry["k"] == "move":
        _move(draft, entry, applied)
    else:
        _KINDS[entry["k"]](draft, entry)
    done = draft.live
    version = live.version + len(draft.events)
    return (
        evolve(done, version=version, last_at=at, deadline=draft.deadline, turn_at=draft.turn_at),
        tuple(draft.events),
    )


def _make(draft: _Draft, _entry: Entry) -> None:
    setup, bank = draft.setup, _bank(draft.setup)
    seats: list[Seat] = []
    for number, seat in enumerate(setup.seats):
        if seat.kind == "me":
            seats.append(Seat("person", setup.maker, status="active", client_seed=setup.client_seed, bank=bank))
            draft.tell("seat_taken", seat=number, player=setup.maker)
        elif seat.kind == "cpu":
            level = seat.level or "normal"
            seats.append(Seat("cpu", level=level, status="active", bank=bank))
            draft.tell("seat_taken", seat=number, player=f"cpu:{level}")
        else:
            seats.append(Seat("open", bank=bank))
    draft.live = evolve(draft.live, seats=tuple(seats))
    _start_if_full(draft)


def _bank(setup: Setup) -> int | None:
    return setup.clock.bank_seconds * 1000 if setup.clock is not None else None


def _sit(draft: _Draft, number: int, player: str, client_seed: str) -> None:
    draft.seat(number, kind="person", player=player, status="active", client_seed=client_seed, bank=_bank(draft.setup))
    draft.tell("seat_taken", seat=number, player=player)


def _sit_cpu(draft: _Draft, number: int, level: str) -> None:
    draft.seat(number, kind="cpu", level=level, status="active", bank=_bank(draft.setup))
    draft.tell("seat_taken", seat=number, player=f"cpu:{level}")


def _take_seat(draft: _Draft, entry: Entry) -> None:
    _sit(draft, entry["seat"], entry["player"], entry["client_seed"])
    _start_if_full(draft)


def _fill(draft: _Draft, entry: Entry) -> None:
    for number, seat in enumerate(draft.live.seats):
        if seat.kind == "open":
            _sit_cpu(draft, number, entry["level"])
    _start_if_full(draft)


def _free_seat(draft: _Draft, entry: Entry) -> None:
    for number in entry["seats"]:
        draft.seat(number, kind="open", player=None, status="open", client_seed="")
        draft.tell("seat_left", seat=number, status="open")


def _start_if_full(draft: _Draft) -> None:
    seats = draft.live.seats
    if any(seat.kind == "open" for seat in seats):
        return
    setup = draft.setup
    nonce = setup.nonce if setup.nonce is not None else "|".join(seat.client_seed for seat in seats)
    players = [{"seat": number, "player": seat.player or f"cpu:{seat.level}"} for number, seat in enumerate(seats)]
    draft.tell("game_started", seats=players, nonce=nonce)
    if setup.position is not None:
        state, events = rules.from_position(setup.ruleset(), len(seats), setup.position, setup.server_seed, nonce)
    else:
        state, events = rules.start(setup.ruleset(), len(seats), setup.server_seed, nonce)
    _engine(draft, state, events, status="playing", nonce=nonce, started_at=draft.at)


def _move(draft: _Draft, entry: Entry, applied: Applied | None) -> None:
    live = draft.live
    assert live.state is not None
    number, by = entry["seat"], entry["by"]
    seat = live.seats[number]
    if by == "player" and seat.status == "cpu_standing_in":
        draft.seat(number, status="active")
        draft.tell("seat_resumed", seat=number)
    if applied is None:
        applied = rules.apply(live.state, number, rules.parse_move(entry["move"]))
    state, events = applied
    before = live.turn_at
    _engine(draft, state, events, moves=live.moves + 1)
    if by == "player" and seat.missed:
        draft.seat(number, missed=0)
    elif by == "clock" and live.state.phase != "call" and (draft.turn_at != before or draft.live.status == "finished"):
        draft.seat(number, missed=seat.missed + 1)
    elif by == "cpu" and seat.kind == "person" and not seat.stood_in:
        draft.seat(number, stood_in=True)


def _engine(draft: _Draft, state: rules.State, events: tuple[Any, ...], **changes: Any) -> None:
    """Logs the events of the rules, with banks, deadlines and the end of the game; `changes` are to `Live`."""
    was = draft.live.state
    seat = was.turn_seat if was is not None and draft.setup.clock is not None else None
    if seat is not None and (state.phase == "call" or _turn_over(events)):
        _charge(draft, seat)
    draft.live = evolve(draft.live, state=state, **changes)
    for event in events:
        deadline: int | None = None
        if isinstance(event, told.TurnStarted):
            draft.turn_at = draft.at
            deadline = draft.deadline = _turn_deadline(draft, event.seat)
        elif isinstance(event, told.CallOpened):
            limit = None if draft.setup.table_mode else draft.setup.call_seconds * 1000
            draft.turn_at = draft.at
            deadline = draft.deadline = None if limit is None else draft.at + limit
        elif isinstance(event, told.RoundStarted):
            draft.live = evolve(draft.live, round_seq=draft.live.version + len(draft.events) + 1)
        elif isinstance(event, told.GameEnded):
            draft.deadline = None
            draft.live = evolve(draft.live, status="finished", result=state.result)
        draft.log(event, deadline)


def _turn_over(events: tuple[Any, ...]) -> bool:
    return any(isinstance(event, told.TurnStarted | told.RoundEnded | told.GameEnded) for event in events)


def _charge(draft: _Draft, number: int) -> None:
    """Takes what a turn used beyond `turn_seconds` from the seat's bank."""
    clock, bank = draft.setup.clock, draft.live.seats[number].bank
    if clock is None or not bank:
        return
    over = draft.at - draft.turn_at - clock.turn_seconds * 1000
    if over > 0:
        draft.seat(number, bank=max(0, bank - over))


def _turn_deadline(draft: _Draft, number: int) -> int | None:
    clock = draft.setup.clock
    if clock is None:
        return None
    return draft.at + clock.turn_seconds * 1000 + (draft.live.seats[number].bank or 0)


def _leave(draft: _Draft, entry: Entry) -> None:
    """R7.4."""
    state, setup = draft.live.state, draft.setup
    assert state is not None
    numbers = entry["seats"]
    for number in numbers:
        draft.seat(number, gone=True, status="cpu_standing_in", stood_in=True, missed=0)
    forfeits = setup.ruleset().leaving_forfeits
    ends = forfeits or not draft.live.people()
    for number in numbers:
        draft.seat(number, status="left" if ends else "cpu_standing_in")
        draft.tell("seat_left", seat=number, status="left" if ends else "cpu_standing_in")
    if forfeits:
        _engine(draft, *rules.leave_forfeit(state, *numbers))
    elif ends:
        _engine(draft, *rules.abandon(state))


def _stand_in(draft: _Draft, entry: Entry) -> None:
    draft.seat(entry["seat"], status="cpu_standing_in", stood_in=True)
    draft.tell("seat_left", seat=entry["seat"], status="cpu_standing_in")


def _resume(draft: _Draft, entry: Entry) -> None:
    for number in entry["seats"]:
        draft.seat(number, status="active", missed=0)
        draft.tell("seat_resumed", seat=number)


def _close(draft: _Draft, _entry: Entry) -> None:
    """Ends a game without a result: one that never began, or one that those present gave up."""
    state = draft.live.state
    if state is not None:
        _engine(draft, *rules.abandon(state))
        return
    totals = [0] * len(draft.live.seats)
    result = {"reason": "abandoned", "winners": [], "totals": totals}
    draft.live = evolve(draft.live, status="finished", result=result)
    draft.tell("game_ended", **result)


def _credit(draft: _Draft, entry: Entry) -> None:
    """A stop of the whole service does not run down anybody's time."""
    if draft.deadline is None or draft.live.state is None:
        draft.tell("deadline_moved", seat=None, deadline=None)
        return
    draft.turn_at += entry["ms"]
    draft.deadline += entry["ms"]
    draft.tell("deadline_moved", seat=draft.live.state.turn_seat, deadline=stamp(draft.deadline))


_KINDS: dict[str, Callable[[_Draft, Entry], None]] = {
    "make": _make,
    "seat": _take_seat,
    "fill": _fill,
    "free": _free_seat,
    "left": _leave,
    "stand_in": _stand_in,
    "resume": _resume,
    "close": _close,
    "credit": _credit,
}
