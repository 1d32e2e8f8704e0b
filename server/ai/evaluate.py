"""The expert's judgement: what a hand, a discard and a pile are worth, in points to come, by a list of weights.

Only + - * / and comparisons of floats are used, so that every machine reckons the same. Plain functions of ints,
floats and flat lists, as in `server.ai.masks`, so that the training tool can compile them.
"""

from collections.abc import Sequence

from server.ai.masks import (
    ACES_LOW,
    KIND_BIT,
    KIND_MASK,
    LOW,
    completing,
    cover,
    lay_off_cards,
    near_in_melds,
    of_ranks,
    partners,
    rank_bit,
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
COUNT = 36

HAND_POINTS = 6.5
"""What an unknown card in another's hand is taken to cost it at the end of the round."""
NEAREST = 4
"""The seats thought about as takers of a discard: those at fewer places than this after the seat."""
DEEPEST = 24
"""How deep a pile is looked into for what might be taken from it."""


def danger(w: Sequence[float], s: Sight, stock: int) -> float:
    """How likely the round ends before this seat plays again, when its turn leaves `stock` cards."""
    near = w[Q_HAND] * w[Q_HAND]
    safe = 1.0
    for seat in range(1, s.seats):
        count = s.counts[seat]
        safe *= 1.0 - near / (near + count * count)
    if stock < s.seats:
        return 1.0 - 0.1 * safe
    turns = stock // s.seats
    last = w[Q_STOCK] * w[Q_STOCK]
    return 1.0 - safe * (1.0 - last / (last + turns * turns))


def hold_value(
    w: Sequence[float], s: Sight, hand: int, spare: int, held: int, up: int, down: int, fours: int, q: float
) -> float:
    """What `hand` is worth when kept to the next turn, jokers aside."""
    melds = cover(hand, spare, s.pts)
    lays = lay_off_cards(hand & ~melds, up, down, fours)
    loose = hand & ~melds & ~lays
    paired = partners(loose)
    outs = completing(loose)
    more = completing(hand) & ~outs
    keep = worth(melds, s.pts)
    lead = s.totals[0] + s.tabled[0]
    most = 0
    for seat in range(1, s.seats):
        if s.totals[seat] + s.tabled[seat] > most:
            most = s.totals[seat] + s.tabled[seat]
    ahead = (lead - most) / s.target if s.target else 0.0
    if ahead > 1.0:
        ahead = 1.0
    if ahead < -1.0:
        ahead = -1.0
    few = 1.0 if s.seats == 2 else 0.0
    return (
        keep * (w[HELD] + w[HELD_Q] * q + w[MANY] * (1.0 - few) + w[AHEAD] * ahead)
        + worth(lays, s.pts) * (w[LAY] + w[LAY_Q] * q)
        + worth(loose & ~paired, s.pts) * (w[LOOSE] + w[LOOSE_Q] * q)
        + worth(paired, s.pts) * (w[PAIRED] + w[PAIRED_Q] * q)
        + size(outs & s.unseen) * (w[OUT] + w[OUT_Q] * q)
        + size(more & s.unseen) * w[OUT_MORE]
        + held * (w[SIZE] + w[SIZE_Q] * q)
    )


def use_chance(bit: int, known: int, live: int, p: float) -> float:
    """How likely a seat can meld the card at low place `bit`.

    It holds the cards `known`, and each of the cards `live` (low places) with chance `p`.
    """
    held = whole(known)
    maybe = whole(live)
    miss = 1.0 - set_chance(bit, held, maybe, p)
    if miss <= 0.0:
        return 1.0
    places = 2 if bit & ACES_LOW else 1
    for place in range(places):
        at = bit << 13 if place else bit
        b2 = holds(at >> 2, held, maybe, p)
        b1 = holds(at >> 1, held, maybe, p)
        a1 = holds(at << 1, held, maybe, p)
        a2 = holds(at << 2, held, maybe, p)
        miss *= 1.0 - b1 * (b2 + a1 - b2 * a1) - (1.0 - b1) * a1 * a2
    return 1.0 - miss


def set_chance(bit: int, held: int, maybe: int, p: float) -> float:
    """How likely two of the other three cards of the rank of `bit` are held."""
    rank = of_ranks(rank_bit(bit)) & LOW & ~bit
    certain = size(rank & held)
    if certain >= 2:
        return 1.0
    unsure = size(rank & maybe & ~held)
    if certain == 1:
        if unsure == 2:
            return 1.0 - (1.0 - p) * (1.0 - p)
        return p if unsure == 1 else 0.0
    if unsure == 3:
        return p * p * (3.0 - 2.0 * p)
    return p * p if unsure == 2 else 0.0


def holds(place: int, held: int, maybe: int, p: float) -> float:
    """The chance that the card at `place` is there: known, maybe, or not."""
    if place & held:
        return 1.0
    return p if place & maybe else 0.0


def hidden_chance(s: Sight, seat: int) -> float:
    """The chance that one given unseen card is in the hand of `seat`."""
    if s.hidden <= 0:
        return 0.0
    return (s.counts[seat] - s.known_size[seat]) / s.hidden


def feed_value(w: Sequence[float], s: Sight, kind: int, spots: int) -> float:
    """What discarding a card of this kind gives away (below 0), or gives to a partner; `spots` take lay-offs."""
    bit = KIND_BIT[kind]
    points = worth(bit, s.pts)
    total = 0.0
    left = 1.0
    for seat in range(1, min(s.seats, NEAREST)):
        if bit & spots:
            use = 1.0
            gain = w[FEED] * points + w[FEED_CARD]
        else:
            p = hidden_chance(s, seat)
            if bit & s.refused[seat]:
                p *= w[REFUSED]
            use = use_chance(bit, s.known[seat], s.unseen & ~bit, p)
            gain = w[FEED] * 2.5 * points + w[FEED_CARD]
        share = 1.0 if seat == 1 else w[FEED_FAR]
        if s.friends[seat]:
            share = -0.7 * share
        total += left * use * gain * share
        left *= 1.0 - use
    return total


def threat_value(w: Sequence[float], s: Sight, pile: Sequence[int], piled: int, spots: int) -> float:
    """What the pile as it stands offers to the seats that come next (below 0)."""
    total = 0.0
    last = min(s.seats, NEAREST)
    for seat in range(1, last):
        p = hidden_chance(s, seat)
        above = 0
        points = 0
        most = 0.0
        for depth in range(piled):
            if depth >= DEEPEST or (depth and not s.any_depth):
                break
            kind = pile[piled - 1 - depth]
            if kind == 52:
                points += 15
                continue
            bit = KIND_BIT[kind]
            points += worth(bit, s.pts)
            use = 1.0 if bit & spots else use_chance(bit, s.known[seat] | above, s.unseen, p)
            if use * points > most:
                most = use * points
            above |= bit
        share = 1.0 if seat == 1 else w[FEED_FAR]
        if s.friends[seat]:
            share = -0.7 * share
        total += most * share
    return total * w[THREAT]


def combo_value(w: Sequence[float], s: Sight, kind: int, pile: Sequence[int], piled: int) -> float:
    """What a discard adds to the others' reach into the pile below it (below 0)."""
    top = KIND_BIT[kind]
    close = near_in_melds(kind)
    total = 0.0
    last = min(s.seats, NEAREST)
    for seat in range(1, last):
        p = hidden_chance(s, seat)
        above = top
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
                more = use_chance(bit, s.known[seat] | above, s.unseen, p) - use_chance(
                    bit, s.known[seat] | above & ~top, s.unseen, p
                )
                if more * points > most:
                    most = more * points
            above |= bit
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
    best = 0.0
    mine = s.totals[0] + s.tabled[0] + gained
    for seat in range(1, s.seats):
        if s.friends[seat]:
            theirs -= s.counts[seat] * HAND_POINTS
            mine += s.totals[seat] + s.tabled[seat] - s.counts[seat] * HAND_POINTS
        else:
            theirs += s.counts[seat] * HAND_POINTS
            have = s.totals[seat] + s.tabled[seat] - s.counts[seat] * HAND_POINTS
            if have > best:
                best = have
    value = gained + w[END_HANDS] * theirs / (s.seats - 1) * (1.0 + (s.seats - 2) * 0.3) + w[END]
    if mine >= s.target and mine > best:
        value += 100.0
    elif best >= s.target and best > mine:
        value -= 100.0
    return value
