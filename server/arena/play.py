"""One whole game between players, in this process."""

import hashlib
import importlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from server.ai.choice import PLAYERS, pick
from server.arena.fast import Watcher, options_of, sight_of, turn_in
from server.game import (
    Event,
    Move,
    Ruleset,
    State,
    apply,
    cpu_seed,
    event_json,
    legal_moves,
    move_json,
    parse_move,
    refusal,
    start,
    view_json,
)

Json: TypeAlias = dict[str, Any]
Player: TypeAlias = Callable[[Json, Sequence[Json], Sequence[Json], bytes], Mapping[str, Any]]
"""(view, events, legal, seed) -> move."""


class PlayerFault(ValueError):
    """A player from outside can't be loaded, or made a move that is not legal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: totals and winners by seat, rounds, the seconds each move took by seat."""

    totals: tuple[int, ...]
    winners: tuple[int, ...]
    rounds: int
    seconds: tuple[tuple[float, ...], ...]


def load_player(name: str) -> Player | None:
    """The function that `module:function` names; None for one of our own players."""
    if name in PLAYERS:
        return None
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        known = ", ".join(PLAYERS)
        raise PlayerFault(
            f"There is no player {name!r}: it is one of {known}, or module:function. ({error})"
        ) from error
    if not callable(found):
        raise PlayerFault(f"{name} is not a function.")
    player: Player = found
    return player


def deal_seed(seed: int, deal: int) -> bytes:
    """The server seed of one deal of a match."""
    return hashlib.sha256(f"arena:{seed}:{deal}".encode()).digest()


def play_game(ruleset: Ruleset, names: Sequence[str], seed: bytes) -> Outcome:
    """Plays one game to its end; `names` are the players by seat."""
    seats = len(names)
    players = [load_player(name) for name in names]
    options = ruleset.options()
    state, events = start(ruleset, seats, seed, "|" * (seats - 1))
    watcher = Watcher(seats)
    logs: list[list[Json]] = [[] for _ in names]
    seconds: list[list[float]] = [[] for _ in names]
    _tell(events, watcher, logs, players)
    index = 0
    while not state.finished:
        seat = state.waiting[0]
        moves = legal_moves(state, seat)
        chance = cpu_seed(seed, seat, index)
        player = players[seat]
        began = time.perf_counter()
        if player is not None:
            move = _outside(player, names[seat], state, seat, options, logs[seat], moves, chance)
        elif len(moves) == 1:
            move = moves[0]
        else:
            sight = sight_of(state, seat, watcher, options)
            move = moves[pick(names[seat], sight, turn_in(state, seat), options_of(state, moves), chance)]
        seconds[seat].append(time.perf_counter() - began)
        state, events = apply(state, seat, move)
        _tell(events, watcher, logs, players)
        index += 1
    result: Any = state.result
    return Outcome(state.totals, tuple(result["winners"]), state.round, tuple(map(tuple, seconds)))


def seat_view(state: State, seat: int, options: Mapping[str, Any]) -> Json:
    """The part of a VIEW that players go by, as `seat` is shown it."""
    view: Json = dict(view_json(state, 1 << seat))
    view["your_seats"] = [seat]
    view["ruleset"] = {"preset": state.ruleset.preset, "options": dict(options)}
    view["status"] = "playing"
    return view


def _tell(
    events: Sequence[Event], watcher: Watcher, logs: Sequence[list[Json]], players: Sequence[Player | None]
) -> None:
    watcher.see(events)
    for seat, log in enumerate(logs):
        if players[seat] is not None:
            for event in events:
                told = event_json(event, 1 << seat)
                if told["type"] == "round_started":
                    log.clear()
                log.append(told)


def _outside(
    player: Player,
    name: str,
    state: State,
    seat: int,
    options: Mapping[str, Any],
    log: Sequence[Json],
    moves: Sequence[Move],
    chance: bytes,
) -> Move:
    legal = [move_json(move) for move in moves]
    made = player(seat_view(state, seat, options), list(log), legal, chance)
    try:
        move = parse_move(made)
    except ValueError as error:
        raise PlayerFault(f"{name} made {made!r}, which is no move: {error}") from error
    refused = refusal(state, seat, move)
    if refused is not None:
        raise PlayerFault(f"{name} made an illegal move, {made!r}: {refused.detail}")
    return move
