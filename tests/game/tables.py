"""Random tables for the property tests: rulesets, and games played with listed moves."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from server.game import (
    PRESETS,
    BadRuleset,
    Event,
    Move,
    Ruleset,
    State,
    apply,
    clock_move,
    legal_moves,
    make_ruleset,
    start,
)

CHOICES: dict[str, list[Any]] = {
    "packs": ["auto", 1, 2],
    "jokers": [0, 1, 2],
    "deal": [[13, 7], [10, 7], [5, 4], [2, 2], [1, 1], [20, 10]],
    "pile_depth": ["any", "any", "top"],
    "top_discard": ["free", "must_meld"],
    "stock_exhausted": ["end", "play_on"],
    "card_points": ["face", "five_ten_fifteen"],
    "low_ace_points": [1, 5, 11, 15],
    "joker_points": ["fifteen", "represented"],
    "going_out": ["any", "float", "discard"],
    "final_discard": ["any", "unplayable"],
    "call_rummy": [True, False],
    "partners": [True, False],
    "on_leave": ["auto", "cpu", "forfeit"],
    "target": [1, 40, 150],
}


@st.composite
def random_rulesets(draw: st.DrawFn) -> tuple[Ruleset, int]:
    """A ruleset of any options that go together, for two to eight seats, with few rounds."""
    seats = draw(st.integers(2, 8))
    options: dict[str, Any] = {"seats": [2, 8], "max_rounds": draw(st.integers(1, 3))}
    for name, values in CHOICES.items():
        options[name] = draw(st.sampled_from(values))
    while True:
        try:
            return make_ruleset("pagat", options, seats), seats
        except BadRuleset as bad:
            options.pop(bad.option if bad.option in options else "packs")


@st.composite
def preset_rulesets(draw: st.DrawFn) -> tuple[Ruleset, int]:
    """A preset as it is, at a table that it allows, but with few rounds."""
    preset = draw(st.sampled_from(list(PRESETS)))
    seats = draw(
        st.sampled_from([4, 6, 8] if preset == "partnership" else [2, 3, 4] if preset == "classic" else range(2, 9))
    )
    return make_ruleset(preset, {"max_rounds": 2}, seats), seats


def tables() -> st.SearchStrategy[tuple[Ruleset, int]]:
    """Random rulesets, and presets."""
    return random_rulesets() | preset_rulesets()


Look = Callable[[State, random.Random], None]


@dataclass
class Played:
    """A game that was played: its first state, its moves, all events, and the last state."""

    first: State
    state: State
    moves: list[tuple[int, Move]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)


def play(table: tuple[Ruleset, int], number: int, look: Look | None = None, at_most: int = 20_000) -> Played:
    """Plays listed moves at random, now and then the clock's; `look` sees the state before each move."""
    ruleset, seats = table
    chance = random.Random(number)
    state, events = start(ruleset, seats, chance.randbytes(32), "|" * (seats - 1))
    game = Played(state, state, events=list(events))
    thrifty = chance.random() < 0.3  # some tables hardly meld, so that stocks run out
    while not game.state.finished and len(game.moves) < at_most:
        if look is not None:
            look(game.state, chance)
        seat = chance.choice(game.state.waiting)
        move = choose(game.state, seat, chance, thrifty=thrifty)
        game.state, events = apply(game.state, seat, move)
        game.moves.append((seat, move))
        game.events += events
    return game


def choose(state: State, seat: int, chance: random.Random, *, thrifty: bool) -> Move:
    """A listed move, or the clock's."""
    if chance.random() < 0.05:
        return clock_move(state, seat)
    moves = legal_moves(state, seat)
    assert moves, "a seat that is to move has a legal move (R5.9)"
    return chance.choice(moves[-5:] if thrifty else moves)
