"""What a seat knows, in the flat form the players reckon with; built from nothing but its view and its events."""

from collections.abc import Sequence
from typing import NamedTuple

from server.ai.masks import cover, lay_off_cards, size


class Sight(NamedTuple):
    """One seat's knowledge at one moment; masks and kinds as in `server.ai.masks`, seats counted from this one.

    Index 0 of the lists by seat is this seat, 1 the next one, and so on.
    """

    seats: int
    hand: int
    """Whole mask of the kinds in the hand."""
    spare: int
    """Whole mask of the kinds of which the hand has two copies."""
    jokers: int
    held: int
    """How many cards the hand has."""
    up: int
    down: int
    fours: int
    """Places where the table takes lay-offs, as in `lay_off_cards`."""
    unseen: int
    """Low places of the kinds of which a copy has not been seen."""
    hidden: int
    """How many cards have not been seen: the stock, and what others hold unknown."""
    stock: int
    counts: Sequence[int]
    known: Sequence[int]
    """Whole masks of the kinds each seat is known to hold."""
    known_size: Sequence[int]
    open: Sequence[int]
    """How many of the kinds each seat is known to hold it can put down."""
    refused: Sequence[int]
    """Whole masks of the kinds near which a seat has shown no interest: it discarded or passed over them."""
    totals: Sequence[int]
    tabled: Sequence[int]
    """Points each seat has on the table this round."""
    lead: float
    """How far this seat is ahead of the best other one, this round's table counted, in targets from -1 to 1."""
    theirs: float
    """How many cards an opponent holds, on average."""
    friends: Sequence[int]
    """1 for each seat on this seat's side, itself too."""
    pile: Sequence[int]
    """Kinds from bottom to top."""
    piled: int
    pts: Sequence[int]
    """A `point_table`."""
    low_ace: int
    must_meld: int
    """1 where the top of the pile, too, has to be melded."""
    play_on: int
    any_depth: int
    out_by: int
    """How a hand may be emptied by melding: 0 at will, 1 to float, 2 not."""
    target: int
    hoards: float
    """How much the opponent plays like one that keeps its melds back, 0 to 1; 0 with more than two seats."""
    turned: int
    """How many turns the opponent has had this round; 0 with more than two seats."""


def lead_of(totals: Sequence[int], tabled: Sequence[int], target: int) -> float:
    """How far the first seat is ahead of the best other one, in targets from -1 to 1."""
    most = 0
    for seat in range(1, len(totals)):
        if totals[seat] + tabled[seat] > most:
            most = totals[seat] + tabled[seat]
    ahead = (totals[0] + tabled[0] - most) / target if target else 0.0
    if ahead > 1.0:
        return 1.0
    return max(-1.0, ahead)


def hoarding(turns: int, waited: int, kept: int, held: int) -> float:
    """How much a seat plays like one that keeps its melds back, 0 to 1.

    After so many turns of the round, in the first `waited` of which it put nothing down, and `kept` of which it took
    from the pile and put nothing down though the stock had cards; it holds `held` cards.
    """
    if turns < 2:
        return 0.0
    sign = 1.4 * min(waited, 3) + 2.2 * min(kept, 2) + 0.235 * held - 3.06
    return min(1.0, max(0.0, 0.5 + 0.25 * sign))


def foes_cards(counts: Sequence[int], friends: Sequence[int]) -> float:
    """How many cards an opponent holds, on average."""
    cards = 0
    foes = 0
    for seat in range(1, len(counts)):
        if not friends[seat]:
            cards += counts[seat]
            foes += 1
    return cards / foes if foes else 0.0


def open_cards(known: int, up: int, down: int, fours: int, pts: Sequence[int]) -> int:
    """How many of the kinds `known` can be put down on a table with these places."""
    if known == 0:
        return 0
    melds = cover(known, 0, pts)
    return size(melds | lay_off_cards(known & ~melds, up, down, fours))
