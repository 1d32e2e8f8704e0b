"""Games between CPU players, seen through the JSON that a server shows a seat."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from server.ai import choose
from server.ai.masks import KIND_MASK, KIND_OF
from server.arena.fast import Watcher
from server.arena.play import seat_view
from server.game import (
    Event,
    Move,
    Ruleset,
    State,
    apply,
    cpu_seed,
    event_json,
    legal_moves,
    make_ruleset,
    move_json,
    start,
)

Json = dict[str, Any]


def mask(names: str) -> int:
    """The whole mask of cards written as `7H 8H`."""
    found = 0
    for name in names.split():
        found |= KIND_MASK[KIND_OF[name]]
    return found


@dataclass
class Asked:
    """One choice: what the seat to move was shown, and what it may do."""

    state: State
    seat: int
    view: Json
    events: list[Json]
    moves: list[Move]
    legal: list[Json]
    seed: bytes
    watcher: Watcher


def ruleset(preset: str, seats: int, options: Mapping[str, object] | None = None) -> Ruleset:
    """A ruleset for so many seats."""
    return make_ruleset(preset, options or {}, seats)


def choices(rules: Ruleset, levels: Sequence[str], number: int, most: int = 30_000) -> Iterator[Asked]:
    """Plays a game between players of these levels, and yields each choice before it is made, and the last state."""
    seats = len(levels)
    seed = hashlib.sha256(str(number).encode()).digest()
    state, events = start(rules, seats, seed, "|" * (seats - 1))
    watcher = Watcher(seats)
    logs: list[list[Json]] = [[] for _ in levels]
    tell(events, watcher, logs)
    index = 0
    while not state.finished:
        assert index < most, f"{rules.preset}, {levels}, game {number}: no end in sight in round {state.round}"
        seat = state.waiting[0]
        moves = legal_moves(state, seat)
        legal: list[Json] = [move_json(move) for move in moves]
        asked = Asked(
            state,
            seat,
            seat_view(state, seat, rules.options()),
            logs[seat],
            moves,
            legal,
            cpu_seed(seed, seat, index),
            watcher,
        )
        yield asked
        made = choose(levels[seat], asked.view, asked.events, legal, asked.seed)
        state, events = apply(state, seat, moves[legal.index(dict(made))])
        tell(events, watcher, logs)
        index += 1
    yield Asked(state, -1, {}, [], [], [], b"", watcher)


def tell(events: Sequence[Event], watcher: Watcher, logs: list[list[Json]]) -> None:
    """Gives each seat the events as it is told them, since the round's start."""
    watcher.see(events)
    for seat, log in enumerate(logs):
        for event in events:
            told = event_json(event, 1 << seat)
            if told["type"] == "round_started":
                log.clear()
            log.append(told)


def play(rules: Ruleset, levels: Sequence[str], number: int, look: Callable[[Asked], None] | None = None) -> State:
    """Plays a game to its end and returns the last state; `look` is called at each choice."""
    last: Asked | None = None
    for asked in choices(rules, levels, number):
        last = asked
        if look is not None and asked.seat >= 0:
            look(asked)
    assert last is not None
    return last.state
