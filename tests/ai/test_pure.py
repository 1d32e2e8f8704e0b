"""A CPU player's move depends on what its seat was shown, and on nothing else."""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.ai import choose
from server.ai.choice import AI_VERSION, PLAYERS, pick
from server.arena.fast import options_of, sight_of, turn_in
from server.arena.play import seat_view
from server.game import State
from server.game.cards import mask_of
from server.game.state import evolve
from tests.ai.same_moves import digest
from tests.ai.tables import Asked, choices, ruleset

MOVES_OF = {"4": "ff9c5ab56fb93b13e5f374001fa919e96f36c3b227cc7ad39c2aca8628ca6642"}
"""The digest of `tests.ai.same_moves` for this version of the players."""
TABLES = (("classic", 2), ("pagat", 4), ("party", 5), ("house_float", 3), ("partnership", 4))


def other_world(state: State, seat: int, rng: random.Random) -> State:
    """The same game with all that `seat` can't know dealt anew: the others' unknown cards and the stock."""
    hidden = list(state.stock)
    for other in range(state.seats):
        if other != seat:
            hidden += [card for card in state.hands[other] if card not in state.known[other]]
    rng.shuffle(hidden)
    hands = list(state.hands)
    for other in range(state.seats):
        if other != seat:
            hands[other] = tuple(card if card in state.known[other] else hidden.pop() for card in state.hands[other])
    held = tuple(mask_of(hand) for hand in hands)
    return evolve(state, hands=tuple(hands), held=held, stock=tuple(hidden))


@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_stage4_no_player_looks_at_hidden_cards(preset: str, seats: int) -> None:
    """With the hidden cards dealt anew and all public facts as they are, every player moves as before."""
    rng = random.Random(seats)
    rules = ruleset(preset, seats, {"target": 40})
    compared = 0
    for asked in choices(rules, ["expert"] * seats, seats):
        if asked.seat < 0 or len(asked.legal) < 2 or rng.random() < 0.6:
            continue
        other = other_world(asked.state, asked.seat, rng)
        view = seat_view(other, asked.seat, rules.options())
        assert view == asked.view
        for level in PLAYERS:
            made = choose(level, asked.view, asked.events, asked.legal, asked.seed)
            assert choose(level, view, asked.events, asked.legal, asked.seed) == made
            assert asked.legal[fast(asked, other, level)] == made
        compared += other.hands != asked.state.hands
    assert compared > 5


def fast(asked: Asked, state: State, level: str) -> int:
    """The index of the move made by the arena's way to see a game."""
    sight = sight_of(state, asked.seat, asked.watcher, state.ruleset.options())
    return pick(level, sight, turn_in(state, asked.seat), options_of(state, asked.moves), asked.seed)


def test_stage4_a_change_of_play_needs_a_new_ai_version() -> None:
    """The moves of a few games are those written down for this `AI_VERSION`: who changes a player counts it up."""
    assert digest() == MOVES_OF[AI_VERSION]


def test_stage4_what_is_shown_is_not_changed_by_a_choice() -> None:
    """A player leaves view, events and legal moves as it got them."""
    for asked in choices(ruleset("party", 4, {"target": 60}), ["expert"] * 4, 3):
        if asked.seat >= 0:
            before = repr((asked.view, asked.events, asked.legal))
            for level in PLAYERS:
                choose(level, asked.view, asked.events, asked.legal, asked.seed)
            assert repr((asked.view, asked.events, asked.legal)) == before


def pythons() -> list[str]:
    """This Python, and the later ones that this machine has."""
    found = [sys.executable]
    for version in ("3.12", "3.13"):
        places = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        path = shutil.which(f"python{version}") or (str(places[-1]) if places else None)
        if path and subprocess.run([path, "-c", ""], check=False, capture_output=True).returncode == 0:
            found.append(path)
    return found


@pytest.mark.timeout(300)
def test_stage4_the_same_games_give_the_same_moves_in_other_processes_and_pythons() -> None:
    """The moves of a few games are the same here, in a fresh process with another hash seed, and by other Pythons."""
    here = digest()
    script = Path(__file__).with_name("same_moves.py")
    for number, python in enumerate(pythons()):
        environment = {**os.environ, "PYTHONHASHSEED": str(number + 1), "LC_ALL": "C", "TZ": "Asia/Tokyo"}
        there = subprocess.run(
            [python, "-I", str(script)], env=environment, capture_output=True, text=True, check=True, timeout=200
        )
        assert there.stdout == here, python
