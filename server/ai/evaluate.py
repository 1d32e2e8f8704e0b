"""The expert's judgement: what a hand, a discard and a pile are worth, in points to come, by a list of weights.

Only + - * / and comparisons of floats are used, so that every machine reckons the same. Plain functions of ints,
floats and flat lists, as in `server.ai.masks`, so that the training tool can compile them.
"""

from collections.abc import Sequence

from server.ai.masks import (
    ACES_LOW,
    KIND_BIT,
    KIND_MASK,
    MELD_NEAR,
    SAME_RANK,
    completing,
    lay_off_cards,
    partners,
    size,
    whole,
    worth,
)
from server.ai.sight import Sight

# Indices of the weights; `q` is the danger that the round ends before the seat's next turn.
HELD, HELD_Q = 0, 1  # a point of a meld kept in the hand
LAY, LAY_Q = 2, 3  # a point that could be laid off, kept in the hand
LOOSE, LOOSE_Q = 4, 5  # a point of a card without a partner
PAIRED, PAIRED_Q = 6, 7  # a point of a loose card with a partner
OUT, OUT_Q = 8, 9  # an unseen card that would complete a meld
SIZE, SIZE_Q = 10, 11  # a card in the hand
REACH = 12  # a point of pile cards the seat could take next time
FEED, FEED_CARD = 13, 14  # a discard's chance of being used: by point, by itself
FEED_FAR = 15  # the share of a seat beyond the next
THREAT = 16  # a point of pile cards within the next seats' reach
SPOT = 17  # a live card that new melds let others lay off
END_HANDS, END = 18, 19  # going out: by an opponent's expected deadwood, by itself
Q_HAND, Q_STOCK = 20, 21  # how soon few cards in a hand, or in the stock, become dangerous
REFUSED = 22  # what is left of a chance where a seat has shown no interest
STOCK, STOCK_OUT = 23, 24  # drawing from the stock: by itself, by chance of an out
TAKE = 25  # a card taken from the pile
JOKER_HELD, JOKER_HELD_Q = 26, 27
BAIT = 28  # a discard that the hand could take back with a meld
LOW_STOCK_HELD = 29  # a held point, by nearness of the stock's end
MANY = 30  # added to HELD with more than two seats
OUT_MORE = 31  # an unseen card that would lengthen a held meld
HOLDS = 32  # 1 where melds may be kept back, 0 where all that can be put down is
COMBO = 33  # a point of pile cards that a discard helps the next seats to reach
AHEAD = 34  # a held point, by this seat's lead over the best opponent in targets
LOOKS = 35  # how many cards of the pile are looked at; 0: all
OPEN = 36  # how far cards a seat is known to be able to put down make its hand a smaller one
END_KNOWN = 37  # going out: by a point the opponents are known to hold
OUT_POINTS, OUT_POINTS_Q = 38, 39  # a point of the unseen cards that would complete a meld
MORE_POINTS = 40  # a point of the unseen cards that would lengthen a held meld
DRAW_GAIN = 41  # drawing from the stock: by the points it is expected to add to what can be put down
FEED_NEAR = 42  # a point of a discard that goes with cards the next seats are known to hold
Q_PILE = 43  # how soon a hand becomes dangerous, more, by each card of the pile
READY = 44  # a hand of no loose card, by the opponents' cards; less with each loose card
Q_RIPE = 45  # how soon an opponent that keeps its melds back may go out at once, by its turns
COUNT = 46

UNKNOWN = 1e9
"""In a memo: not reckoned yet."""
MEMO = 52
"""The length of a choice's memo: for each kind what discarding it gives away, where nobody can lay it off."""

HAND_POINTS = 6.5
"""What an unknown card in another's hand is taken to cost it at the end of the round."""
NEAREST = 4
"""The seats thought about as takers of a discard: those at fewer places than this after the seat."""
DEEPEST = 24
"""How deep a pile is looked into for what might be taken from it."""
PLAN_MEMO = 52 + (NEAREST - 1) * DEEPEST
"""The length of a plan's memo: for each seat and depth of the pile the chance of use, then the combos by kind."""


def danger(w: Sequence[float], s: Sight, stock: int, piled: int) -> float:
    """How likely the round ends before this seat plays again, when its turn leaves so many cards in stock and pile."""
    near = w[Q_HAND] * w[Q_HAND] + w[Q_PILE] * w[Q_PILE] * piled
    safe = 1.0
    for seat in range(1, s.seats):
        count = s.counts[seat] - w[OPEN] * s.open[seat]
        if count < 1.0:
            count = 1.0
        safe *= 1.0 - near / (near + count * count)
    if s.hoards > 0.0:
        ripe = w[Q_RIPE] * s.hoards * s.turned
        safe /= 1.0 + ripe * ripe
    if stock < s.seats:
        return 1.0 - 0.1 * safe
    turns = stock // s.seats
    last = w[Q_STOCK] * w[Q_STOCK]
    return 1.0 - safe * (1.0 - last / (last + turns * turns))


def hold_value(
    w: Sequence[float], s: Sight, hand: int, melds: int, held: int, up: int, down: int, fours: int, q: float
) -> float:
    """What `hand` is worth when kept to the next turn, jokers aside; `melds` is its `cover`."""
    lays = lay_off_cards(hand & ~melds, up, down, fours)
    loose = hand & ~melds & ~lays
    paired = partners(loose)
    outs = completing(loose)
    more = completing(hand) & ~outs
    keep = worth(melds, s.pts)
    few = 1.0 if s.seats == 2 else 0.0
    return (
        keep * (w[HELD] + w[HELD_Q] * q + w[MANY] * (1.0 - few) + w[AHEAD] * s.lead)
        + worth(lays, s.pts) * (w[LAY] + w[LAY_Q] * q)
        + worth(loose & ~paired, s.pts) * (w[LOOSE] + w[LOOSE_Q] * q)
        + worth(paired, s.pts) * (w[PAIRED] + w[PAIRED_Q] * q)
        + size(outs & s.unseen) * (w[OUT] + w[OUT_Q] * q)
        + worth(outs & s.unseen, s.pts) * (w[OUT_POINTS] + w[OUT_POINTS_Q] * q)
        + size(more & s.unseen) * w[OUT_MORE]
        + worth(more & s.unseen, s.pts) * w[MORE_POINTS]
        + held * (w[SIZE] + w[SIZE_Q] * q)
        + w[READY] * s.theirs / (1 + size(loose))
    )


def use_chance(kind: int, held: int, maybe: int, p: float) -> float:
    """How likely a seat can meld a card of this kind.

    It holds the cards `held`, and each of the cards `maybe` with chance `p`; both are whole masks.
    """
    known = held & MELD_NEAR[kind]
    live = maybe & MELD_NEAR[kind] & ~known
    if known == 0 and (live == 0 or p <= 0.0):
        return 0.0
    miss = 1.0 - set_chance(SAME_RANK[kind], known, live, p)
    if miss <= 0.0:
        return 1.0
    either = known | live
    bit = KIND_BIT[kind]
    places = 2 if bit & ACES_LOW else 1
    for place in range(places):
        at = bit << 13 if place else bit
        if (at >> 1 | at << 1) & either == 0:
            continue
        b2 = holds(at >> 2, known, live, p)
        b1 = holds(at >> 1, known, live, p)
        a1 = holds(at << 1, known, live, p)
        a2 = holds(at << 2, known, live, p)
        miss *= 1.0 - b1 * (b2 + a1 - b2 * a1) - (1.0 - b1) * a1 * a2
    return 1.0 - miss


def set_chance(rank: int, known: int, live: int, p: float) -> float:
    """How likely two of the other three cards of a rank (`rank`, low places) are held."""
    certain = size(rank & known)
    if certain >= 2:
        return 1.0
    unsure = size(rank & live)
    if certain == 1:
        if unsure == 2:
            return 1.0 - (1.0 - p) * (1.0 - p)
        return p if unsure == 1 else 0.0
    if unsure == 3:
        return p * p * (3.0 - 2.0 * p)
    return p * p if unsure == 2 else 0.0


def holds(place: int, known: int, live: int, p: float) -> float:
    """The chance that the card at `place` is there: known, maybe, or not."""
    if place & known:
        return 1.0
    return p if place & live else 0.0


def hidden_chance(s: Sight, seat: int) -> float:
    """The chance that one given unseen card is in the hand of `seat`."""
    if s.hidden <= 0:
        return 0.0
    return (s.counts[seat] - s.known_size[seat]) / s.hidden


def feed_value(w: Sequence[float], s: Sight, kind: int, spots: int) -> float:
    """What discarding a card of this kind gives away (below 0), or gives to a partner; `spots` take lay-offs."""
    bit = KIND_BIT[kind]
    points = worth(bit, s.pts)
    live = whole(s.unseen)
    total = 0.0
    left = 1.0
    for seat in range(1, min(s.seats, NEAREST)):
        if seat > 1 and w[FEED_FAR] == 0.0:
            break
        if bit & spots:
            use = 1.0
            gain = w[FEED] * points + w[FEED_CARD]
        else:
            p = hidden_chance(s, seat)
            if bit & s.refused[seat]:
                p *= w[REFUSED]
            use = use_chance(kind, s.known[seat], live, p)
            gain = w[FEED] * 2.5 * points + w[FEED_CARD]
        share = 1.0 if seat == 1 else w[FEED_FAR]
        if s.friends[seat]:
            share = -0.7 * share
        total += left * use * gain * share
        if MELD_NEAR[kind] & s.known[seat]:
            total += w[FEED_NEAR] * points * share
        left *= 1.0 - use
    return total


def threat_value(w: Sequence[float], s: Sight, pile: Sequence[int], piled: int, spots: int, uses: list[float]) -> float:
    """What the pile as it stands offers to the seats that come next (below 0); `uses` is the pile's memo."""
    total = 0.0
    last = min(s.seats, NEAREST)
    deep = min(piled, DEEPEST if s.any_depth else 1)
    for seat in range(1, last):
        at = (seat - 1) * DEEPEST
        if deep and uses[at] == UNKNOWN:
            fill_uses(s, pile, piled, seat, deep, uses)
        points = 0
        most = 0.0
        for depth in range(deep):
            kind = pile[piled - 1 - depth]
            if kind == 52:
                points += 15
                continue
            bit = KIND_BIT[kind]
            points += worth(bit, s.pts)
            use = 1.0 if bit & spots else uses[at + depth]
            if use * points > most:
                most = use * points
        share = 1.0 if seat == 1 else w[FEED_FAR]
        if s.friends[seat]:
            share = -0.7 * share
        total += most * share
    return total * w[THREAT]


def fill_uses(s: Sight, pile: Sequence[int], piled: int, seat: int, deep: int, uses: list[float]) -> None:
    """Reckons how likely a seat can meld each card of the pile with those above it."""
    p = hidden_chance(s, seat)
    live = whole(s.unseen)
    above = s.known[seat]
    for depth in range(deep):
        kind = pile[piled - 1 - depth]
        if kind == 52:
            uses[(seat - 1) * DEEPEST + depth] = 0.0
            continue
        uses[(seat - 1) * DEEPEST + depth] = use_chance(kind, above, live, p)
        above |= KIND_MASK[kind]


def combo_value(w: Sequence[float], s: Sight, kind: int, pile: Sequence[int], piled: int) -> float:
    """What a discard adds to the others' reach into the pile below it (below 0)."""
    top = KIND_MASK[kind]
    close = MELD_NEAR[kind]
    live = whole(s.unseen)
    total = 0.0
    last = min(s.seats, NEAREST)
    for seat in range(1, last):
        p = hidden_chance(s, seat)
        above = s.known[seat]
        points = worth(top, s.pts)
        most = 0.0
        for depth in range(piled):
            if depth >= DEEPEST or not s.any_depth:
                break
            other = pile[piled - 1 - depth]
            if other == 52:
                points += 15
                continue
            bit = KIND_BIT[other]
            points += worth(bit, s.pts)
            if bit & close:
                more = use_chance(other, above | top, live, p) - use_chance(other, above, live, p)
                if more * points > most:
                    most = more * points
            above |= KIND_MASK[other]
        share = 1.0 if seat == 1 else w[FEED_FAR]
        if s.friends[seat]:
            share = -0.7 * share
        total += most * share
    return total * w[COMBO]


def reach_value(w: Sequence[float], s: Sight, hand: int, pile: Sequence[int], piled: int, spots: int) -> float:
    """What the pile as it stands offers to this seat at its next turn, if nobody takes it before."""
    above = hand
    points = 0
    most = 0
    for depth in range(piled):
        if depth >= DEEPEST or (depth and not s.any_depth):
            break
        kind = pile[piled - 1 - depth]
        if kind == 52:
            points += 15
            continue
        bit = KIND_BIT[kind]
        points += worth(bit, s.pts)
        if bit & (spots | completing(above)):
            most = points
        above |= KIND_MASK[kind]
    return most * w[REACH]


def end_value(w: Sequence[float], s: Sight, gained: float) -> float:
    """What going out now with `gained` more points on the table is worth."""
    theirs = 0.0
    sure = 0
    best = 0.0
    mine = s.totals[0] + s.tabled[0] + gained
    for seat in range(1, s.seats):
        if s.friends[seat]:
            theirs -= s.counts[seat] * HAND_POINTS
            mine += s.totals[seat] + s.tabled[seat] - s.counts[seat] * HAND_POINTS
        else:
            theirs += s.counts[seat] * HAND_POINTS
            sure += worth(s.known[seat], s.pts)
            have = s.totals[seat] + s.tabled[seat] - s.counts[seat] * HAND_POINTS
            if have > best:
                best = have
    value = gained + w[END_HANDS] * theirs / (s.seats - 1) * (1.0 + (s.seats - 2) * 0.3) + w[END]
    value += w[END_KNOWN] * sure
    if mine >= s.target and mine > best:
        value += 100.0
    elif best >= s.target and best > mine:
        value -= 100.0
    return value
