"""Whether an obligation can be paid, and whether pile cards can be called, without trying subsets (R5.2, R6.5).

A new meld that holds a given card exists exactly where one of three cards does, and three cards are found from the
card's neighbours: the other suits of its rank, the two places on either side of it, and the number of jokers.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from server.game.cards import BITS, FACES, FIRST_JOKER, JOKERS, RANK_FACES, SECOND, Card, Mask
from server.game.melds import HIGH_ACE, LONGEST_RUN, Meld

SUIT: Final = 0x1FFF  # the thirteen faces of one suit, shifted down


def _around(place: int, *steps: int) -> int:
    return sum(1 << place + step for step in steps if 0 <= place + step <= HIGH_ACE)


# for each place: the pairs that make three in a row with it, and the places that do with it and a joker
_TWO: Final = tuple(
    tuple(
        _around(place, *pair)
        for pair in ((-2, -1), (-1, 1), (1, 2))
        if all(0 <= place + step <= HIGH_ACE for step in pair)
    )
    for place in range(HIGH_ACE + 1)
)
_NEAR: Final = tuple(_around(place, -2, -1, 1, 2) for place in range(HIGH_ACE + 1))
_PLACES: Final = tuple((0, HIGH_ACE) if rank == 0 else (rank,) for rank in range(13))


def places_in(faces: Mask, suit: int) -> int:
    """The places of a run in this suit that the faces fill, the ace at both ends, as a mask."""
    ranks = faces >> 13 * suit & SUIT
    return ranks | (ranks & 1) << HIGH_ACE


def can_meld(card: Card, hand: Mask) -> bool:
    """Whether the hand, which holds the card, has a new meld with it."""
    faces = (hand | hand >> SECOND) & FACES
    jokers = (hand & JOKERS).bit_count()
    if card >= FIRST_JOKER:
        return _joker_can_meld(faces, jokers)
    if jokers >= 2:
        return True
    face = card % SECOND
    rank = face % 13
    if (faces & RANK_FACES[rank]).bit_count() + jokers >= 3:
        return True
    filled = places_in(faces, face // 13)
    for place in _PLACES[rank]:
        if jokers:
            if filled & _NEAR[place]:
                return True
        else:
            for pair in _TWO[place]:
                if filled & pair == pair:
                    return True
    return False


def _joker_can_meld(faces: Mask, jokers: int) -> bool:
    if jokers >= 2:
        return faces != 0
    # two natural cards of one rank, or within two places of one another
    for suit in range(4):
        filled = places_in(faces, suit)
        if filled & filled >> 1 or filled & filled >> 2:
            return True
        below = faces >> 13 * (suit + 1)
        if any(below >> 13 * more & faces >> 13 * suit & SUIT for more in range(3 - suit)):
            return True
    return False


def lay_off_cost(card: Card, hand: Mask, meld: Meld) -> int:
    """How many cards of the hand it takes to lay this one off on the meld, itself included; 0 where it can't be."""
    if meld.takes & BITS[card]:
        return 1
    if meld.kind == "set" or card >= FIRST_JOKER or card % SECOND // 13 != meld.which:
        return 0
    faces = (hand | hand >> SECOND) & FACES
    jokers = (hand & JOKERS).bit_count()
    filled = places_in(faces, meld.which)
    room = LONGEST_RUN - len(meld.cards)
    above = meld.low + len(meld.cards)
    best = 0
    for place in _PLACES[card % 13]:
        if place >= above:
            cost, gap = place - above + 1, _stretch(above, place)
        elif place < meld.low:
            cost, gap = meld.low - place, _stretch(place + 1, meld.low)
        else:
            continue
        if cost <= room and (gap & ~filled).bit_count() <= jokers and (not best or cost < best):
            best = cost
    return best


def _stretch(first: int, after: int) -> int:
    return (1 << after) - (1 << first)


def cheapest_payment(card: Card, hand: Mask, melds: Sequence[Meld]) -> int:
    """The fewest cards of the hand that put this one on the table, itself included; 0 where none do."""
    bit = BITS[card]
    for meld in melds:
        if meld.takes & bit:
            return 1
    best = 0
    for meld in melds:
        cost = lay_off_cost(card, hand, meld)
        if cost and (not best or cost < best):
            best = cost
    if best != 2 and can_meld(card, hand):
        return 3
    return best


def payable(card: Card, hand: Mask, melds: Sequence[Meld], *, keep_one: bool) -> bool:
    """Whether the obligation can be paid from the hand; `keep_one` where a card must be kept for the discard (R5.7)."""
    cost = cheapest_payment(card, hand, melds)
    return cost > 0 and (not keep_one or hand.bit_count() > cost)


def takes_any(melds: Iterable[Meld]) -> Mask:
    """The cards that can be laid off somewhere on the table as it lies."""
    takes = 0
    for meld in melds:
        takes |= meld.takes
    return takes


def callable_cards(pile: tuple[Card, ...], melds: Iterable[Meld]) -> tuple[Card, ...]:
    """The pile cards that can be played without any card of a hand, in pile order (R6.5)."""
    takes = takes_any(melds)
    above = 0
    found = []
    for card in reversed(pile):
        above |= BITS[card]
        if takes & BITS[card] or can_meld(card, above):
            found.append(card)
    return tuple(reversed(found))
