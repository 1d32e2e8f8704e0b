"""The cards of one or two packs as small integers, and how they are written (R2.1, R2.2).

A card is `suit * 13 + rank` (suits C D H S, ranks A 2 … K) in the first pack, 52 more in the second, and 104…107 for
the jokers X1…X4. A set of cards is a bit mask with bit `card` set. A *face* is a card of the first pack, whichever copy
is meant. What a joker stands for is a *name*: a face (in a run) or `52 + rank` (in a set).
"""

from typing import Final

Card = int
Mask = int
Name = int

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SECOND: Final = 52
FIRST_JOKER: Final = 104
FACES: Final[Mask] = (1 << 52) - 1
JOKERS: Final[Mask] = 0b1111 << FIRST_JOKER
ACE: Final = 0
KING: Final = 12

_PACK: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
CARD_NAMES: Final[tuple[str, ...]] = (*_PACK, *(face + "2" for face in _PACK), "X1", "X2", "X3", "X4")
NAMES: Final[tuple[str, ...]] = (*_PACK, *RANKS)
BITS: Final[tuple[Mask, ...]] = tuple(1 << card for card in range(len(CARD_NAMES)))
RANK_FACES: Final[tuple[Mask, ...]] = tuple(sum(1 << suit * 13 + rank for suit in range(4)) for rank in range(13))

_CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_NAMES: Final = {name: number for number, name in enumerate(NAMES)}


def card_name(card: Card) -> str:
    """The card as it is written.

    >>> card_name(0), card_name(52), card_name(104)
    ('AC', 'AC2', 'X1')
    """
    return CARD_NAMES[card]


def parse_card(text: object) -> Card:
    """The card that `text` names; ValueError where it names none.

    >>> parse_card("TH"), parse_card("TH2")
    (35, 87)
    """
    found = _CARDS.get(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError(
            "a card is a rank A 2 … 9 T J Q K and a suit C D H S, with a 2 behind for the second copy, or X1 … X4"
        )
    return found


def parse_name(text: object) -> Name:
    """What `text` says a joker stands for: `9H` in a run, `9` in a set; ValueError where it says nothing."""
    found = _NAMES.get(text) if isinstance(text, str) else None
    if found is None:
        raise ValueError("a joker stands for a rank and a suit in a run (9H), for a rank alone in a set (9)")
    return found


def face_of(card: Card) -> int:
    """The face of a natural card, whichever copy it is."""
    return card if card < SECOND else card - SECOND


def mask_of(cards: "tuple[Card, ...] | list[Card]") -> Mask:
    """The mask of these cards."""
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask


def cards_of(mask: Mask) -> list[Card]:
    """The cards of a mask, lowest number first."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return found


def faces_of(hand: Mask) -> Mask:
    """The faces that the natural cards of a hand show, the copies taken together."""
    return (hand | hand >> SECOND) & FACES


def pack_of(packs: int, jokers: int) -> list[Card]:
    """All cards of `packs` packs with `jokers` jokers in all, in the order of a new pack."""
    return [*range(52 * packs), *range(FIRST_JOKER, FIRST_JOKER + jokers)]
