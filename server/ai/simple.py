"""How the easy and the normal player judge draws and discards: simple rules, no look beyond their own next turn.

Plain functions of ints and flat lists, as in `server.ai.masks`.
"""

from collections.abc import Sequence

from server.ai.evaluate import hidden_chance, use_chance
from server.ai.masks import KIND_BIT, KIND_MASK, LOW, cover, partners, whole, worth
from server.ai.plan import everything
from server.ai.sight import Sight

NORMAL = (8.0, 0.35, 0.8, 4.0, 20.0, 8.0, 20.0)
"""A normal player's: the stock; a point left over, early, late; a partner; a feed to the next, to others; a lay-off."""
EASY = (10.0, 2.0)
"""An easy player's: the points it wants to put down at once from the pile, and how many cards of it it looks at."""


def points_after(s: Sight, depth: int) -> tuple[int, int]:
    """The points that could be put down after taking `depth` cards, and the points of the hand then left over."""
    hand = s.hand
    spare = s.spare
    for place in range(s.piled - depth, s.piled):
        kind = s.pile[place]
        if kind < 52:
            spare |= hand & KIND_MASK[kind]
            hand |= KIND_MASK[kind]
    down = everything(hand, spare, s)
    return worth(down, s.pts), worth(hand & ~down, s.pts)


def easy_draw(w: Sequence[float], s: Sight, depth: int) -> float:
    """What taking `depth` cards of the pile is worth to an easy player; the stock (0) is worth 0."""
    if depth == 0:
        return 0.0
    if depth > w[1]:
        return -1.0
    before, _ = points_after(s, 0)
    after, _ = points_after(s, depth)
    return after - before - w[0] + 0.5


def normal_draw(w: Sequence[float], s: Sight, depth: int) -> float:
    """What taking `depth` cards is worth to a normal player: points at once, less a burden for what is left over."""
    before, left_before = points_after(s, 0)
    if depth == 0:
        return w[0]
    after, left = points_after(s, depth)
    burden = w[1]
    least = 99
    for seat in range(1, s.seats):
        if s.counts[seat] < least:
            least = s.counts[seat]
    if least <= 3 or s.stock < 2 * s.seats:
        burden = w[2]
    return after - before - burden * (left - left_before)


def easy_discard(hand: int, spare: int, forbid: int, s: Sight) -> int:
    """The kind an easy player discards: the highest card without a partner, else the highest loose one, else any."""
    loose = hand & ~cover(hand, spare, s.pts)
    alone = loose & ~partners(loose)
    for choices in (alone, loose, hand):
        best = -1
        most = -1
        for kind in range(52):
            points = worth(KIND_BIT[kind], s.pts)
            if KIND_BIT[kind] & choices and kind != forbid and points >= most:
                most = points
                best = kind
        if best >= 0:
            return best
    return -1


def normal_discard(w: Sequence[float], hand: int, spare: int, forbid: int, s: Sight) -> int:
    """The kind a normal player discards: high loose cards, but not what others can use."""
    melds = cover(hand, spare, s.pts)
    loose = hand & ~melds
    alone = loose & ~partners(loose)
    spots = whole(s.up | s.down | s.fours)
    best = -1
    most = -1e9
    for kind in range(52):
        bit = KIND_BIT[kind]
        if not bit & hand or kind == forbid:
            continue
        points = worth(bit, s.pts)
        value = 1.0 * points
        if not bit & alone:
            value -= w[3]
        if bit & melds and not bit & spare:
            value -= 30.0
        if bit & spots:
            value -= w[6]
        else:
            for seat in range(1, s.seats):
                if not s.friends[seat]:
                    p = hidden_chance(s, seat)
                    value -= (w[4] if seat == 1 else w[5]) * use_chance(bit, s.known[seat], s.unseen & ~bit & LOW, p)
        if value > most:
            most = value
            best = kind
    return best
