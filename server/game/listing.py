"""The melds of a hand that are listed: each choice of cards once, jokers only where a card lacks.

Of two copies of a card only the obligation, else the first one, is used; jokers come lowest-numbered first (one that is
the obligation before the others), in the order of the places they fill. Melds are found from masks of suits and ranks.
"""

from functools import cache, lru_cache
from typing import Final, TypeAlias

from server.game.cards import BITS, FIRST_JOKER, JOKERS, SECOND, Card, Mask, cards_of, faces_of
from server.game.melds import HIGH_ACE, LONGEST_RUN, RANK_ALONE, face_at
from server.game.moves import PlayMeld
from server.game.payment import SUIT
from server.game.points import Points

Listed: TypeAlias = tuple[int, PlayMeld]  # points, move

_ROWS: Final = tuple(tuple(face_at(suit, place) for place in range(HIGH_ACE + 1)) for suit in range(4))
_EVERY_SECOND: Final = ((1 << 52) - 1) << SECOND


def listed_melds(points: Points, hand: Mask, obligation: Card | None = None) -> list[Listed]:
    """The melds of this hand with their points: sets by rank, then runs by suit."""
    if not hand & (JOKERS | _EVERY_SECOND):
        return _plain_melds(points, hand)
    faces = faces_of(hand)
    copies = _chosen_copies(hand, obligation)
    jokers = cards_of(hand & JOKERS)
    if obligation in jokers:
        jokers.remove(obligation)
        jokers.insert(0, obligation)
    found: list[Listed] = []
    for rank in range(13):
        naturals = [copies.get(face, face) for face in range(rank, 52, 13) if faces & BITS[face]]
        if naturals:
            found += _sets(points, rank, naturals, jokers)
    for suit in range(4):
        ranks = faces >> 13 * suit & SUIT
        if ranks:
            found += _runs(points, suit, ranks, copies, jokers)
    return found


def _chosen_copies(hand: Mask, obligation: Card | None) -> dict[int, Card]:
    """The faces for which the second copy is used."""
    first = hand & ((1 << SECOND) - 1)
    seconds = hand >> SECOND & ((1 << SECOND) - 1)
    chosen = {face: face + SECOND for face in cards_of(seconds & ~first)}
    if obligation is not None and SECOND <= obligation < FIRST_JOKER:
        chosen[obligation - SECOND] = obligation
    return chosen


# --- one pack without jokers: tables that fill as hands come by ----------------------------------------------------


def _plain_melds(points: Points, hand: Mask) -> list[Listed]:
    clubs, diamonds, hearts, spades = hand & SUIT, hand >> 13 & SUIT, hand >> 26 & SUIT, hand >> 39
    found: list[Listed] = []
    low_pair, high_pair = clubs & diamonds, hearts & spades
    ranks = low_pair & (hearts | spades) | high_pair & (clubs | diamonds)
    while ranks:
        lowest = ranks & -ranks
        ranks ^= lowest
        rank = lowest.bit_length() - 1
        found += _plain_sets(points, rank, hand >> rank & _COLUMN)
    if clubs & clubs << 1:
        found += _plain_runs(points, 0, clubs)
    if diamonds & diamonds << 1:
        found += _plain_runs(points, 1, diamonds)
    if hearts & hearts << 1:
        found += _plain_runs(points, 2, hearts)
    if spades & spades << 1:
        found += _plain_runs(points, 3, spades)
    return found


_COLUMN: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39


@cache
def _plain_sets(points: Points, rank: int, column: Mask) -> tuple[Listed, ...]:
    naturals = [face for face in range(rank, 52, 13) if column & BITS[face - rank]]
    return tuple(_sets(points, rank, naturals, []))


@cache
def _plain_runs(points: Points, suit: int, ranks: Mask) -> tuple[Listed, ...]:
    return tuple(_runs(points, suit, ranks, {}, []))


# --- the general case ----------------------------------------------------------------------------------------------


def _sets(points: Points, rank: int, naturals: list[Card], jokers: list[Card]) -> list[Listed]:
    found: list[Listed] = []
    worth = points.in_set[rank]
    wild = worth if points.joker is None else points.joker
    name = RANK_ALONE + rank
    for chosen in _CHOICES[len(naturals)]:
        cards = tuple([naturals[i] for i in chosen])
        for wilds in range(max(0, 3 - len(cards)), min(len(jokers), 4 - len(cards)) + 1):
            used = jokers[:wilds]
            move = PlayMeld((*cards, *used), tuple([(joker, name) for joker in used]))
            found.append((worth * len(cards) + wild * wilds, move))
    return found


_CHOICES: Final = tuple(
    tuple(tuple(i for i in range(count) if choice >> i & 1) for choice in range(1, 1 << count)) for count in range(5)
)


def _runs(points: Points, suit: int, ranks: Mask, copies: dict[int, Card], jokers: list[Card]) -> list[Listed]:
    found: list[Listed] = []
    row = [copies.get(face, face) for face in _ROWS[suit]]
    worths = points.in_run
    wild = points.joker
    for low, after, lacking in _stretches(ranks, len(jokers)):
        cards = row[low:after]
        worth = sum(worths[low:after])
        named = []
        for joker, place in zip(jokers, lacking, strict=False):
            cards[place - low] = joker
            named.append((joker, _ROWS[suit][place]))
            if wild is not None:
                worth += wild - worths[place]
        ace = None if after - low < LONGEST_RUN else "high" if low else "low"
        found.append((worth, PlayMeld(tuple(cards), tuple(named), ace)))
    return found


@lru_cache(maxsize=16384)
def _stretches(ranks: Mask, jokers: int) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """The stretches with a natural card and few enough places to fill, as (first place, place after, lacking)."""
    filled = ranks | (ranks & 1) << HIGH_ACE
    found = []
    for low in range(HIGH_ACE - 1):
        for after in range(low + 3, min(low + LONGEST_RUN, HIGH_ACE + 1) + 1):
            missing = (1 << after) - (1 << low) & ~filled
            lacking = missing.bit_count()
            if lacking > jokers:
                break
            if lacking < after - low:
                found.append((low, after, tuple(cards_of(missing))))
    return tuple(found)
