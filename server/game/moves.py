"""The moves a seat can make, and their JSON form."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias

from server.game.cards import CARD_NAMES, FIRST_JOKER, NAMES, Card, Name, parse_card, parse_name

ENDS: Final = ("low", "high")


class MalformedMove(ValueError):
    """What was sent is no move: for each wrong field its path and what it should be."""

    def __init__(self, errors: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{path}: {wanted}" for path, wanted in errors))
        self.errors = errors


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock (`card` None), or the pile card reached for with all above it (R5.1)."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Put the cards drawn from the pile back as they were (R5.4)."""


@dataclass(frozen=True, slots=True)
class PlayMeld:
    """Lay a new meld; `named` are pairs of a joker and what it stands for, by joker (R3.4)."""

    cards: tuple[Card, ...]
    named: tuple[tuple[Card, Name], ...] = ()
    ace: str | None = None


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add a card to the meld with this number (0: an id that no meld can have) (R3.5)."""

    card: Card
    meld: int
    name: Name | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """End the turn with a discard (R5.6)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass on an empty stock (R6.3) or on a call (R6.5)."""


@dataclass(frozen=True, slots=True)
class CallRummy:
    """Call a card of the pile (R6.5)."""

    card: Card


Move: TypeAlias = Draw | TakeBack | PlayMeld | LayOff | Discard | Pass | CallRummy

# Moves are immutable, so one of each kind will do.
DRAW_STOCK: Final = Draw()
DRAWS: Final = tuple(Draw(card) for card in range(len(CARD_NAMES)))
DISCARDS: Final = tuple(Discard(card) for card in range(len(CARD_NAMES)))
CALLS: Final = tuple(CallRummy(card) for card in range(len(CARD_NAMES)))
TAKE_BACK: Final = TakeBack()
PASS: Final = Pass()


@cache
def lay_off(card: Card, meld: int, name: Name | None = None, end: str | None = None) -> LayOff:
    """The lay-off with these parts."""
    return LayOff(card, meld, name, end)


def move_json(move: Move) -> dict[str, object]:
    """The move as it goes over the wire."""
    match move:
        case Draw(card):
            return (
                {"type": "draw", "from": "stock"}
                if card is None
                else {"type": "draw", "from": "pile", "card": CARD_NAMES[card]}
            )
        case TakeBack():
            return {"type": "take_back"}
        case PlayMeld(cards, named, ace):
            names = dict(named)
            shown: dict[str, object] = {"type": "meld", "cards": [_named(card, names.get(card)) for card in cards]}
            return shown if ace is None else shown | {"ace": ace}
        case LayOff(card, meld, name, end):
            shown = {"type": "lay_off", "card": _named(card, name), "meld": f"m{meld}"}
            return shown if end is None else shown | {"end": end}
        case Discard(card):
            return {"type": "discard", "card": CARD_NAMES[card]}
        case Pass():
            return {"type": "pass"}
        case CallRummy(card):
            return {"type": "call_rummy", "card": CARD_NAMES[card]}


def _named(card: Card, name: Name | None) -> str:
    return CARD_NAMES[card] if name is None else f"{CARD_NAMES[card]}={NAMES[name]}"


# --- reading moves -------------------------------------------------------------------------------------------------

_CARD: Final = "a card such as 7H, AS2 or X1"
_NAMED_CARD: Final = "a card such as 7H, AS2 or X1, a joker also with what it stands for, X1=9H or X1=9"
_Errors: TypeAlias = list[tuple[str, str]]


def parse_move(value: object) -> Move:
    """The move that a JSON value says; MalformedMove where it says none."""
    if not isinstance(value, dict):
        raise MalformedMove((("", "a move is an object with a type"),))
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in _READERS:
        raise MalformedMove((("type", f"one of {', '.join(_READERS)}"),))
    reader, allowed = _READERS[kind]
    errors: _Errors = [(_path(field), f"{kind} has no such field") for field in value if field not in allowed]
    move = reader(value, errors)
    if errors or move is None:
        raise MalformedMove(tuple(errors))
    return move


def _path(field: object) -> str:
    text = str(field)
    return text if text.isascii() and text.isprintable() and 0 < len(text) <= 40 else "?"


def _card(value: object, path: str, errors: _Errors) -> Card:
    try:
        return parse_card(value)
    except ValueError:
        errors.append((path, _CARD))
        return -1


def _named_card(value: object, path: str, errors: _Errors) -> tuple[Card, Name | None]:
    try:
        if not isinstance(value, str):
            raise ValueError
        text, equals, name = value.partition("=")
        card = parse_card(text)
        if not equals:
            return card, None
        if card < FIRST_JOKER:
            raise ValueError
        return card, parse_name(name)
    except ValueError:
        errors.append((path, _NAMED_CARD))
        return -1, None


def _end(value: Mapping[str, Any], field: str, errors: _Errors) -> str | None:
    if field not in value:
        return None
    end = value[field]
    if not isinstance(end, str) or end not in ENDS:
        errors.append((field, "low or high, or left out"))
        return None
    return end


def _read_draw(value: Mapping[str, Any], errors: _Errors) -> Move | None:
    match value.get("from"):
        case "stock":
            if "card" in value:
                errors.append(("card", "left out for a draw from the stock"))
            return DRAW_STOCK
        case "pile":
            card = _card(value.get("card"), "card", errors)
            return DRAWS[card] if card >= 0 else None
        case _:
            errors.append(("from", "stock or pile"))
            return None


def _read_meld(value: Mapping[str, Any], errors: _Errors) -> Move | None:
    ace = _end(value, "ace", errors)
    texts = value.get("cards")
    if not isinstance(texts, list):
        errors.append(("cards", f"a list, each {_NAMED_CARD}"))
        return None
    if len(texts) > len(CARD_NAMES):
        errors.append(("cards", "each card once"))
        return None
    read = [_named_card(text, f"cards.{place}", errors) for place, text in enumerate(texts)]
    seen: set[Card] = set()
    for place, (card, _) in enumerate(read):
        if card >= 0 and card in seen:
            errors.append((f"cards.{place}", "each card once"))
        seen.add(card)
    named = tuple((card, name) for card, name in read if name is not None)
    return PlayMeld(tuple(card for card, _ in read), named, ace)


def _read_lay_off(value: Mapping[str, Any], errors: _Errors) -> Move | None:
    card, name = _named_card(value.get("card"), "card", errors)
    end = _end(value, "end", errors)
    meld = value.get("meld")
    if not isinstance(meld, str):
        errors.append(("meld", "the id of a meld, such as m1"))
        return None
    return LayOff(card, _meld_number(meld), name, end)


def _meld_number(text: str) -> int:
    digits = text[1:]
    good = text[:1] == "m" and digits.isascii() and digits.isdigit() and digits[0] != "0" and len(digits) <= 4
    return int(digits) if good else 0


def _read_take_back(_value: Mapping[str, Any], _errors: _Errors) -> Move | None:
    return TAKE_BACK


def _read_pass(_value: Mapping[str, Any], _errors: _Errors) -> Move | None:
    return PASS


def _read_discard(value: Mapping[str, Any], errors: _Errors) -> Move | None:
    card = _card(value.get("card"), "card", errors)
    return DISCARDS[card] if card >= 0 else None


def _read_call(value: Mapping[str, Any], errors: _Errors) -> Move | None:
    card = _card(value.get("card"), "card", errors)
    return CALLS[card] if card >= 0 else None


_READERS: Final[dict[str, tuple[Callable[[Mapping[str, Any], _Errors], Move | None], tuple[str, ...]]]] = {
    "draw": (_read_draw, ("type", "from", "card")),
    "take_back": (_read_take_back, ("type",)),
    "meld": (_read_meld, ("type", "cards", "ace")),
    "lay_off": (_read_lay_off, ("type", "card", "meld", "end")),
    "discard": (_read_discard, ("type", "card")),
    "pass": (_read_pass, ("type",)),
    "call_rummy": (_read_call, ("type", "card")),
}
