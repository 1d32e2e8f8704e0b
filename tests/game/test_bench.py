"""The benchmark of the engine runs, and a whole game takes well under a second."""

import json

import pytest

from bench import engine
from server.game import legal_moves


def test_stage1_bench_prints_moves_and_games_a_second(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`bench.engine --json` prints one object with every figure."""
    monkeypatch.setattr("sys.argv", ["engine", "--json", "--seconds", "0.05"])
    engine.main()
    found = json.loads(capsys.readouterr().out)
    assert found["two_seat_pagat"]["decisions_per_second"] > 0
    assert found["two_seat_pagat"]["games_per_second"] > 1
    assert found["apply_alone"]["applies_per_second"] > 0
    assert found["melds_of_13_cards"]["hands_per_second"] > 0
    assert found["legal_moves_typical"]["p99_us"] > 0


def test_stage2_bench_s_worst_hands_are_as_large_as_said() -> None:
    """Forty cards of two packs, four jokers among them, with and without an obligation."""
    for owed in (False, True):
        state, seat = engine.worst(owed=owed)[0]
        assert len(state.hands[seat]) == 40
        assert sum(card >= 104 for card in state.hands[seat]) == 4
        assert (state.obligation is not None) == owed
        assert len(legal_moves(state, seat)) > 200
