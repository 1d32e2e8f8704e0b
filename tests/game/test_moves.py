"""Moves on the wire: every form there and back, and whatever is none refused with its fields named."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import MalformedMove, move_json, parse_card, parse_move
from server.game.cards import parse_name

GOOD = [
    {"type": "draw", "from": "stock"},
    {"type": "draw", "from": "pile", "card": "7H"},
    {"type": "draw", "from": "pile", "card": "7H2"},
    {"type": "take_back"},
    {"type": "meld", "cards": ["7H", "8H", "X1=9H"]},
    {"type": "meld", "cards": ["7H", "X3=7", "X1"]},
    {"type": "meld", "cards": ["AS", "2S", "3S"], "ace": "low"},
    {"type": "lay_off", "card": "TH", "meld": "m1"},
    {"type": "lay_off", "card": "X4=TH", "meld": "m12", "end": "high"},
    {"type": "discard", "card": "X2"},
    {"type": "pass"},
    {"type": "call_rummy", "card": "9C"},
]


@pytest.mark.parametrize("move", GOOD, ids=str)
def test_a_move_there_and_back(move: dict[str, Any]) -> None:
    """Each form of a move is read and written as it was."""
    assert move_json(parse_move(move)) == move


BAD: list[tuple[object, str]] = [
    (None, ""),
    (7, ""),
    ("draw", ""),
    ([], ""),
    ({}, "type"),
    ({"type": None}, "type"),
    ({"type": ["draw"]}, "type"),
    ({"type": "fly"}, "type"),
    ({"type": "draw"}, "from"),
    ({"type": "draw", "from": "hand"}, "from"),
    ({"type": "draw", "from": {}}, "from"),
    ({"type": "draw", "from": "stock", "card": "7H"}, "card"),
    ({"type": "draw", "from": "pile"}, "card"),
    ({"type": "draw", "from": "pile", "card": 7}, "card"),
    ({"type": "draw", "from": "pile", "card": "X1=9H"}, "card"),
    ({"type": "take_back", "card": "7H"}, "card"),
    ({"type": "meld"}, "cards"),
    ({"type": "meld", "cards": "7H"}, "cards"),
    ({"type": "meld", "cards": [7, 8, 9]}, "cards.0"),
    ({"type": "meld", "cards": ["7H", ["8H"], "9H"]}, "cards.1"),
    ({"type": "meld", "cards": ["7H", "8H", "7H"]}, "cards.2"),
    ({"type": "meld", "cards": ["X1=8H", "7H", "X1=9H"]}, "cards.2"),
    ({"type": "meld", "cards": ["7H=8H", "9H", "TH"]}, "cards.0"),
    ({"type": "meld", "cards": ["X1=", "9H", "TH"]}, "cards.0"),
    ({"type": "meld", "cards": ["X1=9H2", "8H", "7H"]}, "cards.0"),
    ({"type": "meld", "cards": ["X1=X2", "8H", "7H"]}, "cards.0"),
    ({"type": "meld", "cards": ["7H"] * 200}, "cards"),
    ({"type": "meld", "cards": ["7H", "8H", "9H"], "ace": "middle"}, "ace"),
    ({"type": "meld", "cards": ["7H", "8H", "9H"], "ace": None}, "ace"),
    ({"type": "meld", "cards": ["7H", "8H", "9H"], "end": "low"}, "end"),
    ({"type": "lay_off", "card": "KD"}, "meld"),
    ({"type": "lay_off", "meld": "m1"}, "card"),
    ({"type": "lay_off", "card": "KD", "meld": 1}, "meld"),
    ({"type": "lay_off", "card": "KD", "meld": "m1", "end": "left"}, "end"),
    ({"type": "discard"}, "card"),
    ({"type": "discard", "card": {"card": "2C"}}, "card"),
    ({"type": "discard", "card": "2C", "colour": "red"}, "colour"),
    ({"type": "discard", "card": "2C", "seat": 0}, "seat"),
    ({"type": "pass", "\ud800": 1}, "?"),
    ({"type": "call_rummy"}, "card"),
]


@pytest.mark.parametrize(("value", "path"), BAD, ids=str)
def test_stage1_what_is_no_move_is_malformed(value: object, path: str) -> None:
    """The error names the field, whatever is sent."""
    with pytest.raises(MalformedMove) as refused:
        parse_move(value)
    assert path in [where for where, _ in refused.value.errors]
    json.dumps(refused.value.errors).encode()


@pytest.mark.parametrize(
    "text", ["", "ZZ", "7h", "10H", "7H ", "H7", "7H3", "X0", "X5", "X", "AC1", "\ud800", None, 7, [], {}]
)
def test_what_is_no_card(text: object) -> None:
    """Only the names of cards are cards."""
    with pytest.raises(ValueError, match="a card is"):
        parse_card(text)
    with pytest.raises(ValueError, match="a joker stands for"):
        parse_name(text)


FIELDS = ["type", "from", "card", "cards", "meld", "end", "ace", "x"]
TEXTS = ["7H", "X1=9H", "m1", "low", "stock", "pile"]
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(TEXTS)
)
JSON = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
    max_leaves=12,
)


@given(JSON, st.sampled_from(["draw", "meld", "lay_off", "discard", "pass", "take_back", "call_rummy", "fly"]))
def test_any_json_is_a_move_or_malformed(value: object, kind: str) -> None:
    """No value makes the reader fail in another way, and what it reads it writes again."""
    for tried in (value, value | {"type": kind} if isinstance(value, dict) else value):
        try:
            move = parse_move(tried)
        except MalformedMove:
            pass
        else:
            assert parse_move(move_json(move)) == move or move_json(move).get("meld") == "m0"
