"""Hands as bit masks: which melds and lay-offs are in a hand, and what they are worth (R3.1, R3.2, R3.5).

A card is thought of here by its *kind*, 0..51 (suit * 13 + rank, suits C D H S, ranks A..K); the copies of two packs
are one kind. Each suit has a lane of 16 bits in which the ranks A..K stand at places 0..12 and the ace once more at
place 13, above the king, so that runs are neighbouring bits. A mask is *whole* when both places of each of its aces
are there.

Every function is a plain one of ints and flat lists of ints, so that the training tool can compile this very source.
"""

from collections.abc import Sequence

LANE = 0x1FFF
LOW = LANE | LANE << 16 | LANE << 32 | LANE << 48
ACES_LOW = 1 | 1 << 16 | 1 << 32 | 1 << 48
ACES_HIGH = ACES_LOW << 13
EVERY = LOW | ACES_HIGH
JOKER = 52
"""The kind of all jokers."""

KIND_BIT = tuple(1 << (kind // 13 * 16 + kind % 13) for kind in range(52))
"""The low place of each kind."""
KIND_MASK = tuple(bit | (bit & ACES_LOW) << 13 for bit in KIND_BIT)
"""All places of each kind: two for an ace."""


def point_table(face: int) -> list[int]:
    """The points of every set of ranks in one lane (R2.3): index 0..16383, aces 15, place 13 not counted.

    `face` is 1 where 2-9 score their number and 0 where they score 5 each.
    """
    of_rank = [15] + [rank + 1 if face else 5 for rank in range(1, 9)] + [10] * 4 + [0]
    table = [0] * 16384
    for lane in range(1, 16384):
        lowest = lane & -lane
        table[lane] = table[lane ^ lowest] + of_rank[lowest.bit_length() - 1]
    return table


def whole(cards: int) -> int:
    """`cards` with both places of every ace that has one of them."""
    return cards | (cards & ACES_LOW) << 13 | (cards & ACES_HIGH) >> 13


def worth(cards: int, pts: Sequence[int]) -> int:
    """The points of `cards`, aces at 15; `pts` is a `point_table`."""
    return pts[cards & 16383] + pts[cards >> 16 & 16383] + pts[cards >> 32 & 16383] + pts[cards >> 48 & 16383]


def size(cards: int) -> int:
    """How many kinds `cards` holds."""
    return (cards & LOW).bit_count()


def run_cards(cards: int) -> int:
    """The places of `cards` that are part of three or more neighbours."""
    tops = cards & cards << 1 & cards << 2
    return tops | tops >> 1 | tops >> 2


def trip_ranks(cards: int) -> int:
    """The ranks (13 bits) of which `cards` holds three or four suits."""
    c = cards & LANE
    d = cards >> 16 & LANE
    h = cards >> 32 & LANE
    s = cards >> 48 & LANE
    return c & d & (h | s) | h & s & (c | d)


def pair_ranks(cards: int) -> int:
    """The ranks (13 bits) of which `cards` holds two suits or more."""
    c = cards & LANE
    d = cards >> 16 & LANE
    h = cards >> 32 & LANE
    s = cards >> 48 & LANE
    return c & d | h & s | (c | d) & (h | s)


def of_ranks(ranks: int) -> int:
    """All cards of the given ranks (13 bits)."""
    return whole(ranks | ranks << 16 | ranks << 32 | ranks << 48)


def set_cards(cards: int, spare: int, pts: Sequence[int]) -> int:
    """The part of `cards` to be melded as sets so that sets and runs together score most; the rest makes the runs.

    `spare` are kinds of which the hand has a second copy, so that a set does not take them from a run.
    """
    trips = trip_ranks(cards)
    if trips == 0:
        return 0
    runs = whole(run_cards(cards))
    sets = 0
    contested = 0
    while trips:
        rank = trips & -trips
        trips ^= rank
        here = of_ranks(rank) & cards
        if here & runs & ~spare:
            contested |= rank
        else:
            sets |= here
    rounds = 2 if contested & (contested - 1) else 1
    while rounds and contested:
        rounds -= 1
        ranks = contested
        while ranks:
            rank = ranks & -ranks
            ranks ^= rank
            here = of_ranks(rank) & cards
            sets = _best_set(cards, sets & ~here, here, spare, pts)
    return sets


def _best_set(cards: int, others: int, here: int, spare: int, pts: Sequence[int]) -> int:
    """`others` with the cards of one rank (`here`) that are best made a set: none, all, or all but one of four."""
    best = others
    most = _with_runs(cards, others, spare, pts)
    chosen = others | here
    score = _with_runs(cards, chosen, spare, pts)
    if score > most:
        most = score
        best = chosen
    if size(here) == 4:
        left = here & LOW
        while left:
            bit = left & -left
            left ^= bit
            chosen = others | here & ~(bit | bit << 13 if bit & ACES_LOW else bit)
            score = _with_runs(cards, chosen, spare, pts)
            if score > most:
                most = score
                best = chosen
    return best


def _with_runs(cards: int, sets: int, spare: int, pts: Sequence[int]) -> int:
    """The points of `sets` and of the runs in the rest of `cards`."""
    rest = cards & ~(sets & ~spare)
    tops = rest & rest << 1 & rest << 2
    if tops:
        runs = tops | tops >> 1 | tops >> 2
        sets |= runs | (runs & ACES_HIGH) >> 13
    return pts[sets & 16383] + pts[sets >> 16 & 16383] + pts[sets >> 32 & 16383] + pts[sets >> 48 & 16383]


def cover(cards: int, spare: int, pts: Sequence[int]) -> int:
    """All of `cards` that can be melded at once, chosen for the most points."""
    sets = set_cards(cards, spare, pts)
    return whole(sets | run_cards(cards & ~(sets & ~spare)))


def lay_off_cards(cards: int, up: int, down: int, fours: int) -> int:
    """The part of `cards` that can be laid off one after the other.

    `up` and `down` are the places that would lengthen a run on the table at its high and low end, `fours` the cards
    that would be the fourth of a set.
    """
    high = cards & up
    low = cards & down
    if high:
        more = high | high << 1 & cards
        while more != high:
            high = more
            more = high | high << 1 & cards
    if low:
        more = low | low >> 1 & cards
        while more != low:
            low = more
            more = low | low >> 1 & cards
    return whole(high | low | cards & fours)


def rank_bit(bit: int) -> int:
    """The rank (13 bits) of the card at low place `bit`."""
    if bit >= 1 << 32:
        bit >>= 32
    return bit >> 16 if bit >= 1 << 16 else bit


def completing(cards: int) -> int:
    """The cards that would make a new or longer meld with two or more of `cards` (those held already left out)."""
    ranks = pair_ranks(cards)
    two = cards & cards >> 1
    gap = cards & cards >> 2
    return whole((of_ranks(ranks) | two >> 1 | two << 2 | gap << 1) & EVERY) & ~cards


def partners(cards: int) -> int:
    """The part of `cards` that has a neighbour, a card two places off, or one of its rank beside it."""
    two = cards & cards >> 1
    gap = cards & cards >> 2
    return whole((of_ranks(pair_ranks(cards)) | two | two << 1 | gap | gap << 2) & cards)


def spots_up(runs: int) -> int:
    """The places that would lengthen the runs of `runs` at their high ends."""
    return runs << 1 & ~runs & EVERY


def spots_down(runs: int) -> int:
    """The places that would lengthen the runs of `runs` at their low ends."""
    return runs >> 1 & ~runs & EVERY


def low_aces(sets: int, runs: int) -> int:
    """The aces (low places) that are only the low end of one of `runs` (places as melded), and not in `sets`."""
    return runs & ~(runs >> 13) & ~sets & ACES_LOW


def set_spots(ranks_of: int) -> int:
    """The cards that would be the fourth of the sets that `ranks_of` holds three of."""
    ranks = trip_ranks(ranks_of)
    return of_ranks(ranks) & ~ranks_of


PACK = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
KIND_OF = {name + copy: kind for copy in ("", "2") for kind, name in enumerate(PACK)} | dict.fromkeys(
    ("X1", "X2", "X3", "X4"), JOKER
)
"""The kind of each card name."""


def near(kind: int) -> int:
    """The cards of the same rank as `kind` and its two neighbours: what one who wanted it would hold."""
    if kind == JOKER:
        return 0
    cards = KIND_MASK[kind]
    return of_ranks(1 << kind % 13) | (cards << 1 | cards >> 1) & EVERY


def near_in_melds(kind: int) -> int:
    """The cards that may be in one meld of three with `kind`."""
    at = KIND_MASK[kind]
    close = (at << 1 | at >> 1 | at << 2 | at >> 2) & EVERY
    return whole(close | of_ranks(1 << kind % 13)) & ~at


MELD_NEAR = tuple(near_in_melds(kind) for kind in range(52))
"""`near_in_melds` of each kind."""
SAME_RANK = tuple(of_ranks(1 << kind % 13) & LOW & ~KIND_BIT[kind] for kind in range(52))
"""The low places of the other three of each kind's rank."""
