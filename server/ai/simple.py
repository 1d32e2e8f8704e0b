"""How the easy and the normal player judge draws and discards: simple rules, no look beyond their own next turn.

Plain functions of ints and flat lists, as in `server.ai.masks`.
"""

from collections.abc import Sequence

from server.ai.masks import KIND_BIT, KIND_MASK, cover, worth
from server.ai.plan import everything
from server.ai.sight import Sight

EASY = (5.0, 7.0, 1.0)
"""An easy player's: the points it wants to put down at once from the pile, how many cards of it it looks at (one fewer
but for two seats where the top must be melded), and the points it wants where the top card is free."""


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
    fewer = 0.0 if s.must_meld and s.seats == 2 else 1.0
    if depth > w[1] - fewer:
        return -1.0
    before, _ = points_after(s, 0)
    after, _ = points_after(s, depth)
    return after - before - (w[0] if s.must_meld else w[2]) + 0.5


def easy_discard(hand: int, forbid: int, s: Sight) -> int:
    """The kind an easy player discards: its highest loose card, else its highest."""
    for choices in (hand & ~cover(hand, 0, s.pts), hand):
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
