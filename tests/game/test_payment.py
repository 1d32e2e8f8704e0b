"""What is decided with masks is what trying everything decides: melds of a card, lay-offs, callable cards, lists."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import (
    apply,
    card_name,
    clock_move,
    from_position,
    legal_moves,
    make_ruleset,
    move_json,
    parse_card,
    refusal,
)
from server.game.cards import mask_of
from server.game.listing import listed_melds
from server.game.melds import meld_of, readings
from server.game.moves import CallRummy, Discard, Pass
from server.game.payment import callable_cards, can_meld, lay_off_cost, payable
from tests.game import reference_melds as reference
from tests.game.conversion import reference_meld

Cards = list[int]
# cards close to one another, copies and jokers among them, so that melds are common
NEAR = st.sampled_from([*range(13), *range(13, 18), *range(26, 31), *range(52, 65), 65, 67, 104, 105, 106, 107])
HANDS = st.lists(NEAR | st.integers(0, 107), unique=True, min_size=1, max_size=12)


def brute_can_meld(card: int, hand: Cards) -> bool:
    """Three cards of the hand with this one that have a reading."""
    others = [other for other in hand if other != card]
    return any(readings((card, *pair), (), None) for pair in combinations(others, 2))


@given(HANDS)
def test_stage2_a_new_meld_of_a_card_is_found_from_its_neighbours(hand: Cards) -> None:
    """The quick answer is what trying all threes gives."""
    assert can_meld(hand[0], mask_of(hand)) == brute_can_meld(hand[0], hand)


@given(HANDS, st.sampled_from([(0, 3), (1, 12), (4, 5), (10, 4), (0, 12), (11, 3)]), st.booleans())
def test_stage2_the_way_to_a_lay_off_is_measured(hand: Cards, run: tuple[int, int], as_set: bool) -> None:
    """The fewest lay-offs that put a card on a meld are what trying every order gives."""
    low, length = run
    cards = (3, 16, 29) if as_set else tuple((low + step) % 13 for step in range(length))
    reading = next(read for read in readings(cards, (), None) if as_set or read.low == low)
    meld = meld_of(1, reading, (0,) * len(cards))
    hand = [card for card in hand if card not in cards]
    if not hand:
        return
    shown = reference_meld({"kind": meld.kind, "cards": [{"card": card_name(card), "as": None} for card in meld.cards]})
    shown |= {} if as_set else {"low": low}
    others = tuple(card_name(card) for card in hand[1:6])
    mask = mask_of(hand[:6])
    cost = lay_off_cost(hand[0], mask, meld)
    for at_most in range(1, 7):
        assert reference.reaches(shown, card_name(hand[0]), others, at_most) == (0 < cost <= at_most)


def test_r3_2_a_run_is_never_led_round_to_a_second_ace() -> None:
    """On ace to jack the second ace is out of reach, queen and king or not: fourteen cards are no run."""
    meld = meld_of(1, readings(tuple(range(11)), (), None)[0], (0,) * 11)
    assert lay_off_cost(52, mask_of([52, 11, 12]), meld) == 0
    assert lay_off_cost(12, mask_of([52, 11, 12]), meld) == 2


@given(st.lists(NEAR, unique=True, min_size=1, max_size=14))
def test_stage2_callable_cards_of_a_pile(pile: Cards) -> None:
    """Callable is what goes on the table as it lies, or melds with cards above it."""
    meld = meld_of(1, readings((39, 40, 41), (), None)[0], (0, 0, 0))
    found = callable_cards(tuple(pile), (meld,))
    for place, card in enumerate(pile):
        alone = bool(meld.takes >> card & 1) or brute_can_meld(card, pile[place:])
        assert (card in found) == alone


def test_r5_7_what_needs_the_whole_hand_is_not_payable() -> None:
    """With a card to keep, three of three do not pay; a lay-off of one of two does."""
    hand = mask_of([6, 19, 32])
    assert payable(6, hand, (), keep_one=False)
    assert not payable(6, hand, (), keep_one=True)
    assert payable(6, hand | 1 << 50, (), keep_one=True)


@given(st.lists(NEAR, unique=True, min_size=3, max_size=6))
def test_stage2_listed_melds_are_those_of_the_contract(hand: Cards) -> None:
    """The list is what the reference engine lists, and each of it is a meld among all that there are."""
    texts = [card_name(card) for card in hand]
    for owed in (None, hand[0]):
        listed: Any = [
            move_json(move) for _, move in listed_melds(make_ruleset("party", {}, 6).points, mask_of(hand), owed)
        ]
        wanted = reference.listed_melds(texts, None if owed is None else card_name(owed))
        assert sorted(map(str, map(tidy, listed))) == sorted(map(str, map(tidy, wanted)))
    every = [str(tidy(move)) for move in reference.every_meld(texts)]
    assert all(str(tidy(move)) in every for move in listed)


def tidy(move: Any) -> tuple[Any, ...]:
    return (sorted(move["cards"]), move.get("ace"))


def test_stage2_copies_and_jokers_as_the_contract_lists_them() -> None:
    """The second copy only where it is owed; jokers by number, one that is owed first, in the order of their places."""
    names = {card_name(card): card for card in range(108)}
    points = make_ruleset("party", {}, 6).points
    hand = mask_of([names[name] for name in ("7H", "7H2", "8H", "X3", "X1")])

    def runs(owed: str | None) -> list[str]:
        found = listed_melds(points, hand, None if owed is None else names[owed])
        texts: Any = [move_json(move)["cards"] for _, move in found]
        return sorted(" ".join(cards) for cards in texts if len(cards) == 4 and "8H" in cards)

    assert runs(None) == ["7H 8H X1=9H X3=TH", "X1=5H X3=6H 7H 8H", "X1=6H 7H 8H X3=9H"]
    assert runs("7H2") == ["7H2 8H X1=9H X3=TH", "X1=5H X3=6H 7H2 8H", "X1=6H 7H2 8H X3=9H"]
    assert runs("X3") == ["7H 8H X3=9H X1=TH", "X3=5H X1=6H 7H 8H", "X3=6H 7H 8H X1=9H"]


@pytest.mark.parametrize(("packs", "top"), [(1, "2C"), (2, "2H2")])
def test_a_called_joker_below_a_whole_suit_can_be_paid_by_what_is_listed(packs: int, top: str) -> None:
    """The list has no place for a joker where no card lacks; then it names a legal way all the same, never none."""
    suit = [f"{rank}H" for rank in "A23456789TJQK"]
    rules = make_ruleset("pagat", {"packs": packs, "jokers": 2, "call_rummy": True, "deal": [3, 3]}, 3)
    position = {
        "hands": [[top, "9D"], ["4C", "8S"], ["5D", "TS"]], "stock": ["3C"], "pile": ["X1", *suit], "melds": [],
        "totals": [0, 0, 0], "dealer": 2, "turn": 0, "phase": "play",
    }  # fmt: skip
    state, _ = from_position(rules, 3, position, b"x" * 32, "||")
    for seat, move in ((0, Discard(parse_card(top))), (1, CallRummy(parse_card("X1"))), (2, Pass())):
        state, _ = apply(state, seat, move)
    assert state.obligation == parse_card("X1")
    assert all(refusal(state, 1, move) is None for move in legal_moves(state, 1))
    assert clock_move(state, 1) in legal_moves(state, 1)
