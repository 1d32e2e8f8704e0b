"""What a seat knows, in the flat form the players reckon with; built from nothing but its view and its events."""

from collections.abc import Sequence
from typing import NamedTuple


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
    refused: Sequence[int]
    """Whole masks of the kinds near which a seat has shown no interest: it discarded or passed over them."""
    totals: Sequence[int]
    tabled: Sequence[int]
    """Points each seat has on the table this round."""
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
