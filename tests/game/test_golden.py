"""Golden counts and golden games; `python -m tests.golden.bless` writes them anew."""

import pytest

from server.game import PRESETS, RULES_VERSION
from tests.golden import perft, replays
from tests.golden.perft import Seeded

COUNTS = [
    (Seeded(preset, entry["seats"], entry["played"]), entry) for preset in PRESETS for entry in perft.read(preset)
]
NAMES = [f"{seeded.preset}, {seeded.seats} seats, after {seeded.played} moves" for seeded, _ in COUNTS]


@pytest.mark.parametrize(("seeded", "entry"), COUNTS, ids=NAMES)
def test_stage2_golden_counts_of_move_sequences(seeded: Seeded, entry: perft.Json) -> None:
    """From seeded deals the engine still counts as many sequences of listed moves, branch by branch."""
    found = perft.branches(seeded.state(), len(entry["counts"]))
    wrong = [(text, found.get(text), entry["branches"].get(text)) for text in {**entry["branches"], **found}]
    first = next((branch for branch in wrong if branch[1] != branch[2]), None)
    assert first is None, f"first wrong branch {first[0]}: {first[1]} sequences, golden {first[2]}"
    assert sum(found.values()) == entry["counts"][-1]


@pytest.mark.parametrize(("seeded", "entry"), COUNTS, ids=NAMES)
def test_stage2_the_reference_engine_confirms_small_counts(seeded: Seeded, entry: perft.Json) -> None:
    """A slow generator written apart counts the same; on a mismatch it names the first wrong branch."""
    perft.confirm(seeded, entry, perft.FEW)


def test_counts_span_seats_and_the_course_of_a_round() -> None:
    """Every preset has counts at several tables, from the deal and from later on."""
    for preset in PRESETS:
        entries = perft.read(preset)
        assert len({entry["seats"] for entry in entries}) >= 3
        assert {entry["played"] for entry in entries} == set(perft.PLAYED)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_stage2_golden_game_replays(preset: str) -> None:
    """A whole recorded game of each preset is played to the same scores and result."""
    lines = replays.path_of(preset).read_text(encoding="utf-8").splitlines()
    assert len(lines) < 300
    assert lines[0] == f"rules {RULES_VERSION}"
    assert lines[-1].startswith("result ")
    assert replays.replayed(lines) == lines
