"""CPU players play whole games, by every preset, and only ever make listed moves."""

import random
from typing import Any

import pytest

from server.ai.choice import PLAYERS, pick
from server.ai.look import listed, look, turn_of
from server.arena.fast import options_of, sight_of, turn_in
from server.game import OPTIONS_SCHEMA, PRESETS, BadRuleset, Ruleset, make_ruleset
from tests.ai.tables import Asked, play, ruleset

LINEUPS = (["easy"], ["normal"], ["expert"], ["reference"], ["easy", "normal", "expert", "random", "reference"])


def seats_of(preset: str) -> list[int]:
    """The numbers of seats that a preset can be played with."""
    found = []
    for seats in range(2, 9):
        try:
            make_ruleset(preset, {}, seats)
        except BadRuleset:
            continue
        found.append(seats)
    return found


@pytest.mark.parametrize("preset", PRESETS)
def test_stage4_levels_finish_games_by_every_preset(preset: str) -> None:
    """Tables of one level and mixed tables reach the end of a game, with few seats and with many."""
    for seats in {*seats_of(preset)[:2], seats_of(preset)[-1]}:
        for lineup in LINEUPS:
            levels = [lineup[seat % len(lineup)] for seat in range(seats)]
            assert play(ruleset(preset, seats), levels, seats).finished


@pytest.mark.parametrize("preset", PRESETS)
def test_stage4_easy_players_alone_reach_the_target(preset: str) -> None:
    """A table of easy players ends by the target, well before the last round allowed."""
    for seats in seats_of(preset):
        state = play(ruleset(preset, seats), ["easy"] * seats, 7)
        assert state.result is not None
        assert state.result["reason"] == "target"
        assert state.round <= 50


def random_ruleset(rng: random.Random) -> tuple[Ruleset, int]:
    """A ruleset with random options, and a number of seats for it."""
    while True:
        seats = rng.randint(2, 8)
        preset = rng.choice(list(PRESETS))
        options: dict[str, Any] = {"target": rng.choice((1, 150, 300)), "seats": [2, 8], "max_rounds": 60}
        properties: Any = OPTIONS_SCHEMA["properties"]
        for name, schema in properties.items():
            if "enum" in schema and rng.random() < 0.5:
                options[name] = rng.choice(schema["enum"])
        for name in ("call_rummy", "partners"):
            if rng.random() < 0.5:
                options[name] = rng.random() < 0.5
        if rng.random() < 0.3:
            options["deal"] = [rng.randint(1, 13), rng.randint(1, 7)]
        try:
            return make_ruleset(preset, options, seats), seats
        except BadRuleset:
            continue


def test_stage4_no_mixture_of_levels_fails_to_end_under_random_rulesets() -> None:
    """Whatever the options and the mixture, a game ends and no move is refused."""
    rng = random.Random(4)
    for number in range(40):
        rules, seats = random_ruleset(rng)
        levels = [rng.choice(PLAYERS) for _ in range(seats)]
        assert play(rules, levels, number).finished


def test_fast_path_is_the_json_path() -> None:
    """What the arena takes from a state is what `choose` takes from the view and events, and so is the move."""

    def compare(asked: Asked) -> None:
        sight = sight_of(asked.state, asked.seat, asked.watcher, asked.state.ruleset.options())
        turn = turn_in(asked.state, asked.seat)
        options = options_of(asked.state, asked.moves)
        assert sight == look(asked.view, asked.events)
        assert turn == turn_of(asked.view)
        assert options == listed(asked.view, asked.legal)
        if len(options) > 1:
            assert 0 <= pick("expert", sight, turn, options, asked.seed) < len(options)

    rng = random.Random(9)
    for number in range(12):
        rules, seats = random_ruleset(rng)
        play(rules, [rng.choice(PLAYERS) for _ in range(seats)], number, compare)
