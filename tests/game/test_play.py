"""The order of legal moves and events, cards that are known, and the clock playing alone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import (
    IllegalMove,
    Ruleset,
    State,
    apply,
    clock_move,
    event_json,
    from_position,
    legal_moves,
    make_ruleset,
    move_json,
    parse_move,
    refusal,
    start,
)
from server.game.moves import Discard, PlayMeld
from tests.game.conversion import everything
from tests.game.tables import play, tables

Json = dict[str, Any]
Table = tuple[Ruleset, int]
KINDS = ("stock", "pile", "lay_off", "meld", "discard", "take_back", "pass", "call_rummy")


def kind_of(move: Json) -> str:
    return str(move["from"] if move["type"] == "draw" else move["type"])


@given(tables(), st.integers(0, 2**32))
def test_stage1_legal_moves_come_in_the_contract_s_order(table: Table, number: int) -> None:
    """Draws, lay-offs, melds with most points first, discards, the rest; each once, and the same every time."""

    def look(state: State, chance: Any) -> None:
        if chance.random() > 0.05:
            return
        seat = state.waiting[0]
        moves = legal_moves(state, seat)
        texts = [move_json(move) for move in moves]
        kinds = [KINDS.index(kind_of(move)) for move in texts]
        assert kinds == sorted(kinds)
        assert len({str(text) for text in texts}) == len(texts)
        assert legal_moves(state, seat) == moves
        points = [apply(state, seat, move)[1][0].points for move in moves if isinstance(move, PlayMeld)]  # type: ignore[union-attr]
        assert points == sorted(points, reverse=True)
        drawn = [move["card"] for move in texts if kind_of(move) == "pile"]
        assert drawn == [card for card in reversed(everything(state)["pile"]) if card in drawn]

    play(table, number, look, at_most=500)


ORDER = ("act", "floated", "call", "turn_started", "round_ended", "round_started", "game_ended")


@given(tables(), st.integers(0, 2**32))
def test_stage1_events_of_a_move_come_in_the_contract_s_order(table: Table, number: int) -> None:
    """The act; floated; a call opened or closed; then a turn, or the end of a round and what follows it."""
    state, _ = start(table[0], table[1], number.to_bytes(32, "big"), "")
    for _ in range(400):
        if state.finished:
            break
        seat = state.waiting[number % len(state.waiting)]
        moves = legal_moves(state, seat)
        was_call, waiting = state.phase == "call", len(state.waiting)
        state, events = apply(state, seat, moves[number * 31 % len(moves)])
        number = number * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        kinds = [str(event_json(event, 0)["type"]) for event in events]
        after = kinds[1:] if not was_call else kinds
        if was_call:
            assert (kinds == ["answered"]) == (waiting > 1)
        assert after in ACCEPTED or after == ["answered"], kinds


ACCEPTED = [
    tail
    for first in ([], ["floated"], ["call_closed"])
    for tail in (
        [*first, "turn_started"],
        [*first, "round_ended", "round_started", "turn_started"],
        [*first, "round_ended", "game_ended"],
    )
] + [[], ["call_opened"]]


@given(tables(), st.integers(0, 2**20))
def test_stage2_the_clock_alone_plays_any_game_to_its_end(table: Table, number: int) -> None:
    """A table where nobody comes back is played out, each move of the clock being legal."""
    state, _ = start(table[0], table[1], number.to_bytes(32, "big"), "")
    moves = 0
    while not state.finished:
        seat = state.waiting[-1]
        move = clock_move(state, seat)
        assert refusal(state, seat, move) is None
        state, _ = apply(state, seat, move)
        moves += 1
        assert moves < 5000


@given(tables(), st.integers(0, 2**32))
def test_stage2_the_clock_pays_whatever_is_owed(table: Table, number: int) -> None:
    """From any position of play the clock ends the turn by itself in few moves."""

    def look(state: State, chance: Any) -> None:
        if state.phase != "play" or (state.obligation is None and chance.random() > 0.05):
            return
        seat, turn, moves = state.waiting[0], state.round, 0
        while not state.finished and state.round == turn and state.phase != "call" and state.waiting == (seat,):
            state, _ = apply(state, seat, clock_move(state, seat))
            moves += 1
            assert moves < 40

    play(table, number, look, at_most=500)


def test_apply_is_checked() -> None:
    """A refused move is not applied, and the error says the code, the rule and the reason."""
    state, _ = start(make_ruleset("pagat", {}, 2), 2, b"p" * 32, "|")
    seat = state.waiting[0]
    with pytest.raises(IllegalMove, match=r"wrong_phase \(R5.1\)"):
        apply(state, seat, Discard(state.hands[seat][0]))
    with pytest.raises(IllegalMove, match="not_your_turn"):
        apply(state, 1 - seat, parse_move({"type": "draw", "from": "stock"}))


def test_a_finished_game_takes_no_move() -> None:
    """After the end every move is `game_not_running`, and nothing is listed."""
    game = play((make_ruleset("pagat", {"max_rounds": 1}, 2), 2), 5)
    assert game.state.finished
    for seat in (0, 1):
        refused = refusal(game.state, seat, parse_move({"type": "draw", "from": "stock"}))
        assert refused is not None
        assert refused.code == "game_not_running"
        assert legal_moves(game.state, seat) == []


BASE: Json = {
    "hands": [["7H", "8H", "9H", "2C"], ["9C", "TC"]],
    "stock": ["3C"],
    "pile": ["4H", "JD"],
    "melds": [],
    "totals": [0, 0],
    "dealer": 1,
    "turn": 0,
    "phase": "play",
}


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ({"type": "discard", "card": "AS"}, "card_not_in_hand"),
        ({"type": "discard", "card": "9C"}, "card_not_in_hand"),
        ({"type": "discard", "card": "3C"}, "card_not_in_hand"),
        ({"type": "discard", "card": "JD"}, "card_not_in_hand"),
        ({"type": "discard", "card": "X1"}, "card_not_in_hand"),
        ({"type": "discard", "card": "7H2"}, "card_not_in_hand"),
    ],
)
def test_a_card_elsewhere_is_refused_like_one_that_does_not_exist(move: Json, code: str) -> None:
    """The answer tells nothing but the card that was named."""
    state, _ = from_position(make_ruleset("pagat", {}, 2), 2, BASE, b"p" * 32, "|")
    refused = refusal(state, 0, parse_move(move))
    assert refused is not None
    assert refused.code == code
    assert refused.detail.replace(move["card"], "a card") == "a card is not in this hand."


def test_b2_a_meld_that_grew_takes_the_next_card() -> None:
    """One turn lays off 4, 3 and 8 on somebody's 5 6 7; before the 4 the 3 does not go."""
    melds = [{"cards": [{"card": card, "seat": 1} for card in ("5S", "6S", "7S")]}]
    place = BASE | {"hands": [["3S", "4S", "8S", "2C"], ["9C"]], "melds": melds}
    state, _ = from_position(make_ruleset("pagat", {}, 2), 2, place, b"p" * 32, "|")
    early = refusal(state, 0, parse_move({"type": "lay_off", "card": "3S", "meld": "m1"}))
    assert early is not None
    assert early.code == "does_not_extend"
    for card in ("4S", "3S", "8S"):
        state, _ = apply(state, 0, parse_move({"type": "lay_off", "card": card, "meld": "m1"}))
    assert state.table == (15, 18)
