"""The mask machinery against slow and plain ways to reckon the same."""

import itertools
import random

import pytest

from server.ai.evaluate import use_chance
from server.ai.look import table_spots
from server.ai.masks import (
    KIND_BIT,
    KIND_MASK,
    KIND_OF,
    LOW,
    completing,
    cover,
    lay_off_cards,
    near_in_melds,
    point_table,
    size,
    whole,
    worth,
)
from tests.ai.tables import mask

FACE = point_table(1)


def kinds(cards: int) -> list[int]:
    """The kinds in a mask."""
    return [kind for kind in range(52) if KIND_BIT[kind] & cards]


def is_meld(group: tuple[int, ...]) -> bool:
    """Whether these kinds are a set or a run."""
    if len({kind % 13 for kind in group}) == 1:
        return 3 <= len(group) <= 4
    if len(group) < 3 or len({kind // 13 for kind in group}) != 1:
        return False
    ranks = sorted(kind % 13 for kind in group)
    high = sorted(13 if rank == 0 else rank for rank in ranks)
    return any(places[-1] - places[0] == len(places) - 1 for places in (ranks, high))


def best_points(hand: tuple[int, ...]) -> int:
    """The most points of disjoint melds, by trying all."""
    melds = [group for length in (3, 4, 5) for group in itertools.combinations(hand, length) if is_meld(group)]

    def best(left: frozenset[int], start: int) -> int:
        most = 0
        for index in range(start, len(melds)):
            if left.issuperset(melds[index]):
                points = sum(worth(KIND_BIT[kind], FACE) for kind in melds[index])
                most = max(most, points + best(left.difference(melds[index]), index + 1))
        return most

    return best(frozenset(hand), 0)


def test_cover_finds_the_most_points() -> None:
    """For random hands crowded into few ranks and suits the best melds are those of a search through all."""
    rng = random.Random(2)
    short = 0
    for _ in range(300):
        pool = [kind for kind in range(52) if kind % 13 in range(rng.randint(3, 9)) and kind // 13 < rng.randint(2, 4)]
        hand = tuple(rng.sample(pool, min(len(pool), rng.randint(5, 10))))
        cards = sum(KIND_MASK[kind] for kind in hand)
        found = worth(cover(cards, 0, FACE), FACE)
        most = best_points(hand)
        assert found <= most
        short += found < most
    assert short <= 6  # hands in which several ranks are torn between sets and runs are settled one rank at a time


@pytest.mark.parametrize(
    ("hand", "melded"),
    [
        ("7H 8H 9H 2C", "7H 8H 9H"),
        ("AH 2H 3H", "AH 2H 3H"),
        ("QH KH AH", "QH KH AH"),
        ("KH AH 2H", ""),
        ("7H 7C 7D 8H 9H", "7H 8H 9H"),
        ("KH KC KD QH JH TH", "KH KC KD QH JH TH"),
        ("5H 5C 5D 5S 6H 7H", "5H 5C 5D 5S 6H 7H"),
    ],
)
def test_cover_of_known_hands(hand: str, melded: str) -> None:
    """Aces at both ends but not round the corner; torn cards go where they score most."""
    assert cover(mask(hand), 0, FACE) == mask(melded)


def test_lay_offs_go_on_at_both_ends() -> None:
    """Cards that follow one another can all be laid off, a fourth of a set too, and the ace at either end."""
    up, down, fours = table_spots([(True, [KIND_OF[name] for name in ("5H", "6H", "7H")]), (False, [0, 13, 26])])
    hand = mask("8H 9H JH 4H 3H AS 2C")
    assert lay_off_cards(hand, up, down, fours) == mask("8H 9H 4H 3H AS")
    up, down, fours = table_spots([(True, [KIND_OF[name] for name in ("TH", "JH", "QH", "KH")])])
    assert lay_off_cards(mask("AH 2H 9H"), up, down, fours) == mask("AH 9H")
    assert table_spots([(True, list(range(13)))]) == (0, 0, 0)


def test_completing_cards_make_melds() -> None:
    """A card completes a hand exactly if it is in a meld of three with two of its cards."""
    rng = random.Random(3)
    for _ in range(300):
        hand = rng.sample(range(52), 6)
        cards = sum(KIND_MASK[kind] for kind in hand)
        expected = {
            kind
            for kind in range(52)
            if kind not in hand and any(is_meld((kind, *pair)) for pair in itertools.combinations(hand, 2))
        }
        assert set(kinds(completing(cards))) == expected


def test_near_in_melds() -> None:
    """The cards near another are those that can share a meld of three with it."""
    for kind in range(52):
        expected = {
            other
            for other in range(52)
            if other != kind
            and any(len({kind, other, third}) == 3 and is_meld((kind, other, third)) for third in range(52))
        }
        assert set(kinds(near_in_melds(kind))) == expected


def test_use_chance_is_near_the_truth() -> None:
    """Where each of some cards is held with a chance, the chance to meld a card is that of trying all cases."""
    rng = random.Random(5)
    for _ in range(120):
        kind = rng.randrange(52)
        near = kinds(near_in_melds(kind))
        known = {other for other in near if rng.random() < 0.15}
        live = {other for other in near if other not in known and rng.random() < 0.7}
        p = rng.choice((0.1, 0.25, 0.5))
        expected = 0.0
        for choice in itertools.product((False, True), repeat=len(live)):
            held = known | {other for other, has in zip(sorted(live), choice, strict=True) if has}
            chance = 1.0
            for has in choice:
                chance *= p if has else 1 - p
            if any(is_meld((kind, *pair)) for pair in itertools.combinations(sorted(held), 2)):
                expected += chance
        reckoned = use_chance(
            kind,
            sum(KIND_MASK[other] for other in known),
            sum(KIND_MASK[other] for other in live),
            p,
        )
        assert reckoned == pytest.approx(expected, abs=0.03 if kind % 13 == 0 else 1e-9)


def test_worth_and_size() -> None:
    """Aces count once, at 15."""
    assert worth(mask("AH 2C TD KS"), FACE) == 15 + 2 + 10 + 10
    assert worth(mask("2C 9D"), point_table(0)) == 10
    assert size(mask("AH AS 2C")) == 3
    assert whole(mask("AH") & LOW) == mask("AH")
