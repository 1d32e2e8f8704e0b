"""Positions: what they set up, and whatever is none refused with its field named."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import BadPosition, Ruleset, State, event_json, from_position, legal_moves, make_ruleset
from tests.game.conversion import everything

Json = dict[str, Any]
SEED = bytes(32)


def card(name: str, seat: int, stands_for: str | None = None) -> Json:
    return {"card": name, "seat": seat} | ({} if stands_for is None else {"as": stands_for})


GOOD: Json = {
    "hands": [["9D", "TC", "X2"], ["JD"], []],
    "stock": ["JS", "AS"],
    "pile": ["QD", "KH"],
    "melds": [
        {"cards": [card("4H", 0), card("X1", 2, "6H"), card("5H", 1)]},
        {"cards": [card("8S", 0), card("8C", 0), card("8D", 1)]},
    ],
    "totals": [10, -20, 0],
    "dealer": 1,
    "turn": 0,
    "phase": "draw",
}


def rules() -> Ruleset:
    return make_ruleset("house_float", {}, 3)


def setup(position: object) -> State:
    return from_position(rules(), 3, position, SEED, "||")[0]


def test_a_position_is_set_up_as_it_says() -> None:
    """Hands, stock, pile, melds with their seats and names, totals, dealer, turn."""
    view = everything(setup(GOOD))
    assert [seat["hand"] for seat in view["seats"]] == GOOD["hands"]
    assert [seat["total"] for seat in view["seats"]] == GOOD["totals"]
    assert [seat["table_points"] for seat in view["seats"]] == [4 + 16, 5 + 8, 15]
    assert (view["stock_count"], view["pile"], view["dealer"], view["round"]) == (2, ["QD", "KH"], 1, 1)
    assert view["melds"][0]["cards"] == [
        card("4H", 0, None) | {"as": None},
        card("5H", 1) | {"as": None},
        card("X1", 2, "6H"),
    ]
    assert [entry["card"] for entry in view["melds"][1]["cards"]] == ["8C", "8D", "8S"]


def test_the_events_of_a_position_say_what_a_follower_needs() -> None:
    """Its `round_started` also has the melds and totals, so that whoever follows the events has the whole view."""
    _, events = from_position(rules(), 3, GOOD, SEED, "||")
    told = [event_json(event, 0b001) for event in events]
    assert [event["type"] for event in told] == ["round_started", "turn_started"]
    assert told[0]["hands"] == [["9D", "TC", "X2"], None, None]
    assert told[0]["melds"] == everything(setup(GOOD))["melds"]
    assert told[0]["totals"] == GOOD["totals"]


def test_a_position_in_the_play_phase_has_drawn_from_the_stock() -> None:
    """There is nothing to take back, and the discard completes no row of idle turns."""
    state = setup(GOOD | {"phase": "play"})
    assert state.drew_stock
    assert not any(type(move).__name__ == "TakeBack" for move in legal_moves(state, 0))


WHOLE = ["2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS"]


@pytest.mark.parametrize(("cards", "first"), [(["AS", *WHOLE], "AS"), ([*WHOLE, "AS"], "2S")])
def test_a_run_of_thirteen_is_read_in_the_order_listed(cards: list[str], first: str) -> None:
    """The ace stands where it is listed; another order is no run."""
    change = {"stock": ["2C"], "melds": [{"cards": [card(name, 0) for name in cards]}]}
    assert everything(setup(GOOD | change))["melds"][0]["cards"][0]["card"] == first
    wrong = {"stock": ["2C"], "melds": [{"cards": [card(name, 0) for name in reversed(cards)]}]}
    with pytest.raises(BadPosition):
        setup(GOOD | wrong)


BAD: list[tuple[object, str]] = [
    (None, "position"),
    ([], "position"),
    ({}, "hands"),
    (GOOD | {"colour": 1}, "position"),
    ({key: value for key, value in GOOD.items() if key != "stock"}, "stock"),
    (GOOD | {"hands": [["9D"], ["JD"]]}, "hands"),
    (GOOD | {"hands": [["9D"], ["JD"], [["TC"]]]}, "hands.2.0"),
    (GOOD | {"hands": [["9D"], ["9D"], []]}, "hands.1.0"),
    (GOOD | {"hands": [["X3"], ["JD"], []]}, "hands.0.0"),
    (GOOD | {"hands": [["9D2"], ["JD"], []]}, "hands.0.0"),
    (GOOD | {"hands": [["X1=6H"], ["JD"], []]}, "hands.0.0"),
    (GOOD | {"hands": "9D"}, "hands"),
    (GOOD | {"stock": ["4H"]}, "melds.0.cards.0.card"),
    (GOOD | {"stock": None}, "stock"),
    (GOOD | {"pile": [7]}, "pile.0"),
    (GOOD | {"totals": [0, 0]}, "totals"),
    (GOOD | {"totals": [0, 0, 1.5]}, "totals.2"),
    (GOOD | {"totals": [0, 0, True]}, "totals.2"),
    (GOOD | {"totals": [0, 0, 10**400]}, "totals.2"),
    (GOOD | {"dealer": 3}, "dealer"),
    (GOOD | {"dealer": False}, "dealer"),
    (GOOD | {"turn": -1}, "turn"),
    (GOOD | {"turn": None}, "turn"),
    (GOOD | {"phase": "call"}, "phase"),
    (GOOD | {"phase": ["draw"]}, "phase"),
    (GOOD | {"turn": 2, "phase": "play"}, "hands"),
    (GOOD | {"stock": [], "pile": []}, "stock"),
    (GOOD | {"melds": {}}, "melds"),
    (GOOD | {"melds": [[]]}, "melds.0"),
    (GOOD | {"melds": [{"cards": []}]}, "melds.0"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0)]}]}, "melds.0"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0), card("X1", 0)]}]}, "melds.0"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0), card("6H", 3)]}]}, "melds.0.cards.2.seat"),
    (GOOD | {"melds": [{"cards": [card("4H", 0, "4H"), card("5H", 0), card("6H", 0)]}]}, "melds.0.cards.0.as"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0), card("X1", 0, "9Z")]}]}, "melds.0.cards.2.as"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0), {"card": "6H"}]}]}, "melds.0.cards.2"),
    (GOOD | {"melds": [{"cards": [card("4H", 0), card("5H", 0), card("6H", 0)], "id": "m1"}]}, "melds.0"),
]


@pytest.mark.parametrize(("position", "field"), BAD, ids=[field + str(place) for place, (_, field) in enumerate(BAD)])
def test_stage1_a_bad_position_is_refused_and_named(position: object, field: str) -> None:
    """The refusal names the field."""
    with pytest.raises(BadPosition) as refused:
        setup(position)
    assert refused.value.field == field


ODD = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=3)
    | st.sampled_from(["9D", "X2", "play"])
    | st.lists(st.sampled_from(["9D", "AS", "4H", 3]), max_size=3)
)


@given(st.data())
def test_any_json_is_a_position_or_refused(data: st.DataObject) -> None:
    """Parts of a good position put out of order make no other failure, and what is set up can be played."""
    position = copy.deepcopy(GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        holder: Any = position
        while True:
            key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
            inner = holder[key]
            if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
                holder = inner
                continue
            holder[key] = data.draw(ODD)
            break
    try:
        state = setup(position)
    except BadPosition:
        pass
    else:
        assert legal_moves(state, state.waiting[0])
