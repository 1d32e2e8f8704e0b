"""What cards make a meld, by trying: the reference engine's part about melds and lay-offs (R3), and what is listed."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

Json = dict[str, Any]
RANKS, SUITS = "A23456789TJQK", "CDHS"
PLACES = "A23456789TJQKA"  # of a run: the ace below the 2 and above the K


def is_joker(card: str) -> bool:
    return card[0] == "X"


def face(card: str) -> str:
    return card[:2]


@lru_cache(maxsize=200_000)
def readings(texts: tuple[str, ...], ace: str | None) -> list[Json]:
    """Every reading of the cards as a meld, each joker given every name it may have."""
    cards = [text.split("=")[0] for text in texts]
    naturals = [card for card in cards if not is_joker(card)]
    if len(cards) < 3 or not naturals:
        return []
    suit, rank = naturals[0][1], naturals[0][0]
    found: list[Json] = []
    names = [_names(text, rank + suit) for text in texts]
    if ace is None and len(cards) <= 4 and all(rank in choice for choice in names):
        suits = [card[1] for card in naturals]
        if len(set(suits)) == len(suits) and all(card[0] == rank for card in naturals):
            found.append({"kind": "set", "cards": list(zip(cards, [rank] * len(cards), strict=True))})
    for low in range(14):
        for high in range(low + 2, min(low + 12, 13) + 1):
            if high - low + 1 != len(cards) or (ace == "low" and low != 0) or (ace == "high" and high != 13):
                continue
            wanted = [PLACES[place] + suit for place in range(low, high + 1)]
            found += [
                {"kind": "run", "low": low, "cards": list(zip(filled, wanted, strict=True))}
                for filled in _fillings(cards, names, wanted)
            ]
    return found


def _names(text: str, like: str) -> list[str]:
    card, _, name = text.partition("=")
    if name:
        return [name]
    if not is_joker(card):
        return [face(card), card[0]]
    return [like[0], *(rank + like[1] for rank in RANKS)]


def _fillings(cards: list[str], names: list[list[str]], wanted: list[str]) -> Iterator[tuple[str, ...]]:
    """The ways to put the cards in the wanted places, one each."""
    if not wanted:
        yield ()
        return
    for i, card in enumerate(cards):
        if wanted[0] in names[i]:
            for rest in _fillings(cards[:i] + cards[i + 1 :], names[:i] + names[i + 1 :], wanted[1:]):
                yield (card, *rest)


@lru_cache(maxsize=200_000)
def could_meld(cards: tuple[str, ...]) -> bool:
    return bool(readings(cards, None))


def extensions(meld: Json, card: str, name: str | None, end: str | None) -> list[Json]:
    """The melds that laying the card off here can give."""
    cards = meld["cards"]
    if meld["kind"] == "set":
        rank = cards[0][1]
        suits = {held[1] for held, _ in cards if not is_joker(held)}
        fits = is_joker(card) or (card[0] == rank and card[1] not in suits)
        fits = fits and name in (None, rank) and end is None and len(cards) < 4
        return [{"kind": "set", "cards": [*cards, (card, rank)]}] if fits else []
    low, high = meld["low"], meld["low"] + len(cards) - 1
    suit = cards[0][1][1]
    found = []
    for place, where in ((low - 1, "low"), (high + 1, "high")):
        if not 0 <= place <= 13 or len(cards) == 13 or end not in (None, where):
            continue
        wanted = PLACES[place] + suit
        if (is_joker(card) and name in (None, wanted)) or (not name and face(card) == wanted):
            more = [(card, wanted)]
            found.append(
                {"kind": "run", "low": min(low, place), "cards": more + cards if where == "low" else cards + more}
            )
    return found


def listed_lay_offs(meld: Json, number: str, card: str) -> list[Json]:
    """The lay-offs of a card on a meld: jokers named, `end` only where the name leaves both ends."""
    names: list[str | None] = [*RANKS, *(rank + suit for rank in RANKS for suit in SUITS)] if is_joker(card) else [None]
    found = []
    for name in names:
        text = card if name is None else f"{card}={name}"
        grown = len(extensions(meld, card, name, None))
        if grown == 1:
            found.append({"type": "lay_off", "card": text, "meld": number})
        elif grown == 2:
            found += [{"type": "lay_off", "card": text, "meld": number, "end": end} for end in ("low", "high")]
    return found


def listed_melds(hand: list[str], obligation: str | None) -> list[Json]:
    """The melds of a hand that the contract lists."""
    chosen: dict[str, str] = {}
    for card in sorted(hand):
        if not is_joker(card) and (face(card) not in chosen or card == obligation):
            chosen[face(card)] = card
    jokers = sorted((card for card in hand if is_joker(card)), key=lambda card: (card != obligation, card))
    found: list[Json] = []
    for rank in RANKS:
        naturals = [card for name, card in chosen.items() if name[0] == rank]
        for count, wild in product(range(1, 5), range(len(jokers) + 1)):
            if 3 <= count + wild <= 4:
                names = [f"{joker}={rank}" for joker in jokers[:wild]]
                found += [{"type": "meld", "cards": [*some, *names]} for some in combinations(naturals, count)]
    for suit in SUITS:
        for low, high in product(range(14), repeat=2):
            if 3 <= high - low + 1 <= 13:
                found += _stretch([PLACES[place] + suit for place in range(low, high + 1)], low, chosen, jokers)
    return found


def _stretch(wanted: list[str], low: int, chosen: dict[str, str], jokers: list[str]) -> list[Json]:
    lacking = [name for name in wanted if name not in chosen]
    if len(lacking) > len(jokers) or len(lacking) == len(wanted):
        return []
    wild = dict(zip(lacking, jokers, strict=False))
    move: Json = {"type": "meld", "cards": [chosen.get(name) or f"{wild[name]}={name}" for name in wanted]}
    return [move | {"ace": "low" if low == 0 else "high"} if len(wanted) == 13 else move]


def every_meld(hand: list[str]) -> Iterator[Json]:
    """Every meld of a small hand, listed or not, by trying all choices and all names of its jokers."""
    for count in range(3, len(hand) + 1):
        for some in combinations(hand, count):
            naturals = [card for card in some if not is_joker(card)]
            jokers = [card for card in some if is_joker(card)]
            if not naturals:
                continue
            suit, rank = naturals[0][1], naturals[0][0]
            names = [rank * len(jokers)] if jokers else [""]
            choices: list[tuple[str, ...]] = [tuple(names[0])]
            choices += (
                [tuple(name + suit for name in order) for order in permutations(RANKS, len(jokers))] if jokers else []
            )
            for choice in choices:
                texts = [*naturals, *(f"{joker}={name}" for joker, name in zip(jokers, choice, strict=True))]
                for ace in (None, "low", "high"):
                    if len(readings(tuple(texts), ace)) == 1:
                        yield {"type": "meld", "cards": texts} | ({} if ace is None else {"ace": ace})


def reaches(meld: Json, card: str, hand: tuple[str, ...], at_most: int) -> bool:
    """Whether the card can be laid off on this meld after others of the hand, with so many cards in all at most."""
    if at_most < 1:
        return False
    if extensions(meld, card, None, None):
        return True
    for other in hand:
        rest = tuple(left for left in hand if left != other)
        if any(reaches(grown, card, rest, at_most - 1) for grown in extensions(meld, other, None, None)):
            return True
    return False
