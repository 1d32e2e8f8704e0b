"""Sets and runs: how cards read as a meld, and what a meld on the table takes (R3).

Places in a run are numbered 0 (the ace below the 2), 1 (the 2) … 12 (the K), 13 (the ace above the K).
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from server.game.cards import ACE, BITS, FIRST_JOKER, JOKERS, SECOND, Card, Mask, Name

HIGH_ACE: Final = 13
LONGEST_RUN: Final = 13
FULL_SET: Final = 4
RANK_ALONE: Final = 52  # names from here on are ranks, in sets

Kind: TypeAlias = Literal["set", "run"]
End: TypeAlias = Literal["low", "high"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read cards as a meld; `which` is a set's rank or a run's suit, `low` the place a run begins at."""

    kind: Kind
    which: int
    low: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Meld:
    """A meld on the table: its cards in order, the seats that put them there, and the cards that it takes."""

    number: int
    kind: Kind
    which: int
    low: int
    cards: tuple[Card, ...]
    owners: tuple[int, ...]
    takes: Mask

    def name_at(self, index: int) -> Name | None:
        """What the joker at this index stands for; None for a natural card."""
        if self.cards[index] < FIRST_JOKER:
            return None
        return RANK_ALONE + self.which if self.kind == "set" else face_at(self.which, self.low + index)


def face_at(suit: int, place: int) -> int:
    """The face of a suit at a place of a run."""
    return suit * 13 + place % 13


def meld_of(number: int, reading: Reading, owners: tuple[int, ...]) -> Meld:
    """The meld on the table that a reading makes."""
    if reading.kind == "run":
        takes = _run_takes(reading.which, reading.low, len(reading.cards))
    else:
        takes = _set_takes(reading.which, reading.cards)
    return Meld(number, reading.kind, reading.which, reading.low, reading.cards, owners, takes)


def _copies(face: int) -> Mask:
    return BITS[face] | BITS[face + SECOND]


@cache
def _run_takes(suit: int, low: int, length: int) -> Mask:
    if length == LONGEST_RUN:
        return 0
    takes = JOKERS
    if low > 0:
        takes |= _copies(face_at(suit, low - 1))
    if low + length - 1 < HIGH_ACE:
        takes |= _copies(face_at(suit, low + length))
    return takes


def _set_takes(rank: int, cards: tuple[Card, ...]) -> Mask:
    if len(cards) == FULL_SET:
        return 0
    suits = {card % 52 // 13 for card in cards if card < FIRST_JOKER}
    return sum((_copies(suit * 13 + rank) for suit in range(4) if suit not in suits), start=JOKERS)


# --- new melds -----------------------------------------------------------------------------------------------------


def readings(cards: tuple[Card, ...], named: tuple[tuple[Card, Name], ...], ace: str | None) -> tuple[Reading, ...]:
    """The readings of these cards as a meld: none, the only one, or two or more of them (R3.1 to R3.4)."""
    naturals = [card for card in cards if card < FIRST_JOKER]
    if len(cards) < 3 or not naturals:
        return ()
    names = dict(named)
    found = _set_readings(cards, naturals, names) if ace is None else []
    found += _run_readings(cards, naturals, names, ace)
    return tuple(found)


def _set_readings(cards: tuple[Card, ...], naturals: list[Card], names: dict[Card, Name]) -> list[Reading]:
    if len(cards) > FULL_SET:
        return []
    rank = naturals[0] % 13
    suits = 0
    for card in naturals:
        suit = 1 << card % 52 // 13
        if card % 13 != rank or suits & suit:
            return []
        suits |= suit
    if any(name != RANK_ALONE + rank for name in names.values()):
        return []
    return [Reading("set", rank, 0, tuple(sorted(cards, key=_set_order)))]


def _set_order(card: Card) -> int:
    return card if card >= FIRST_JOKER else card % 52


def _run_readings(
    cards: tuple[Card, ...], naturals: list[Card], names: dict[Card, Name], ace: str | None
) -> list[Reading]:
    length = len(cards)
    suit = naturals[0] % 52 // 13
    if length > LONGEST_RUN:
        return []
    fixed: dict[int, Card] = {}  # rank -> card
    free: list[Card] = []
    for card in cards:
        face = card % 52 if card < FIRST_JOKER else names.get(card)
        if face is None:
            free.append(card)
            continue
        if face // 13 != suit or face % 13 in fixed:
            return []
        fixed[face % 13] = card
    found: list[Reading] = []
    for low in _lows(fixed, length):
        if (ace == "low" and low != 0) or (ace == "high" and low + length - 1 != HIGH_ACE):
            continue
        rest = iter(free)
        placed = tuple([fixed[place % 13] if place % 13 in fixed else next(rest) for place in range(low, low + length)])
        found.append(Reading("run", suit, low, placed))
        if len(free) > 1:  # the jokers could change places
            found.append(found[-1])
    return found


def _lows(fixed: dict[int, Card], length: int) -> list[int]:
    """The places at which a run of this length that holds these ranks can begin."""
    lows: list[int] = []
    for ace_place in (ACE, HIGH_ACE) if ACE in fixed else (ACE,):
        places = [ace_place if rank == ACE else rank for rank in fixed]
        lowest, highest = min(places), max(places)
        lows += range(max(0, highest - length + 1), min(lowest, HIGH_ACE + 1 - length) + 1)
    return lows


# --- lay-offs ------------------------------------------------------------------------------------------------------


def ends_taking(meld: Meld, card: Card, name: Name | None, end: str | None) -> tuple[End | None, ...]:
    """Where this card goes on the meld: ends of a run, None for a set; empty where it does not extend (R3.5)."""
    if not meld.takes & BITS[card]:
        return ()
    joker = card >= FIRST_JOKER
    if meld.kind == "set":
        fits = end is None and (name is None or name == RANK_ALONE + meld.which)
        return (None,) if fits else ()
    wanted = name if joker else card % 52
    found: list[End] = []
    if end != "high" and meld.low > 0 and wanted in (None, face_at(meld.which, meld.low - 1)):
        found.append("low")
    above = meld.low + len(meld.cards)
    if end != "low" and above <= HIGH_ACE and wanted in (None, face_at(meld.which, above)):
        found.append("high")
    return tuple(found)


def extended(meld: Meld, card: Card, seat: int, end: End | None) -> Meld:
    """The meld with this card added by this seat at this end (None: to a set)."""
    if end == "high":
        cards, owners, low = (*meld.cards, card), (*meld.owners, seat), meld.low
    elif end == "low":
        cards, owners, low = (card, *meld.cards), (seat, *meld.owners), meld.low - 1
    else:
        order = sorted(range(len(meld.cards) + 1), key=lambda i: _set_order((*meld.cards, card)[i]))
        cards = tuple((*meld.cards, card)[i] for i in order)
        owners = tuple((*meld.owners, seat)[i] for i in order)
        low = meld.low
    return meld_of(meld.number, Reading(meld.kind, meld.which, low, cards), owners)
