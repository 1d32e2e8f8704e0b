"""Setting a game up from a position, for study and for tests."""

from typing import Any, Final

from server.game.cards import ACE, FIRST_JOKER, Card, Name, mask_of, pack_of, parse_card, parse_name
from server.game.events import RoundStarted, TurnStarted
from server.game.melds import LONGEST_RUN, Meld, Reading, face_at, meld_of, readings
from server.game.rounds import Told
from server.game.ruleset import Ruleset
from server.game.state import State

LARGEST_TOTAL: Final = 1_000_000
_FIELDS: Final = ("hands", "stock", "pile", "melds", "totals", "dealer", "turn", "phase")
_CARD_FIELDS: Final = ("card", "seat", "as")


class BadPosition(ValueError):
    """A position that no game can be in: the field, and what is wrong with it."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail


def unknown_fields(position: object) -> list[str]:
    """The paths of the fields that a position (or a meld or a card of it) does not have."""
    found = _others(position, _FIELDS, "")
    if isinstance(position, dict) and isinstance(melds := position.get("melds"), list):
        for number, meld in enumerate(melds):
            found += _others(meld, ("cards",), f"melds.{number}.")
            if isinstance(meld, dict) and isinstance(cards := meld.get("cards"), list):
                for place, card in enumerate(cards):
                    found += _others(card, _CARD_FIELDS, f"melds.{number}.cards.{place}.")
    return found


def _others(value: object, fields: tuple[str, ...], where: str) -> list[str]:
    return [f"{where}{name}"[:200] for name in value if name not in fields] if isinstance(value, dict) else []


def from_position(ruleset: Ruleset, seats: int, position: object, seed: bytes, nonce: str) -> tuple[State, Told]:
    """A game in round 1 that stands as the position says; BadPosition for any value that is none."""
    if not isinstance(position, dict):
        raise BadPosition("position", "a position is an object")
    for field in position:
        if field not in _FIELDS:
            raise BadPosition("position", f"a position has the fields {', '.join(_FIELDS)}, and no other")
    for field in _FIELDS:
        if field not in position and field != "melds":
            raise BadPosition(field, "this field is missing")
    reader = _Reader(ruleset)
    hands = tuple(
        reader.cards(hand, f"hands.{seat}") for seat, hand in enumerate(_listed(position["hands"], "hands", seats))
    )
    stock = reader.cards(position["stock"], "stock")
    pile = reader.cards(position["pile"], "pile")
    melds = _melds(reader, position.get("melds", []), seats)
    totals = tuple(
        _whole(total, f"totals.{seat}", -LARGEST_TOTAL, LARGEST_TOTAL)
        for seat, total in enumerate(_listed(position["totals"], "totals", seats))
    )
    dealer = _whole(position["dealer"], "dealer", 0, seats - 1)
    turn = _whole(position["turn"], "turn", 0, seats - 1)
    phase = position["phase"]
    if not isinstance(phase, str) or phase not in ("draw", "play"):
        raise BadPosition("phase", "the phase is draw or play")
    if phase == "play" and not hands[turn]:
        raise BadPosition("hands", "the seat to move has drawn, so its hand is not empty")
    if phase == "draw" and not stock and (ruleset.stock_exhausted == "end" or not pile):
        raise BadPosition("stock", "with this stock the round is already over")
    state = State(
        ruleset=ruleset,
        seats=seats,
        seed=seed,
        nonce=nonce,
        totals=totals,
        round=1,
        dealer=dealer,
        phase=phase,
        turn_seat=turn,
        waiting=(turn,),
        stock=stock,
        pile=pile,
        hands=hands,
        held=tuple(mask_of(hand) for hand in hands),
        melds=melds,
        table=tuple(_table_points(ruleset, melds, seat) for seat in range(seats)),
        known=((),) * seats,
        passed=(0,) * seats,
        began_empty=phase == "draw" and not stock,
        drew_stock=phase == "play",
    )
    started = RoundStarted(1, dealer, pile, len(stock), hands, melds, totals)
    return state, (started, TurnStarted(turn, phase))


def _table_points(ruleset: Ruleset, melds: tuple[Meld, ...], seat: int) -> int:
    points = ruleset.points
    total = 0
    for meld in melds:
        for index, (card, owner) in enumerate(zip(meld.cards, meld.owners, strict=True)):
            if owner == seat:
                total += (
                    points.put_in_set(card, meld.which)
                    if meld.kind == "set"
                    else points.put_in_run(card, meld.low + index)
                )
    return total


def _listed(value: object, field: str, count: int | None = None) -> list[Any]:
    if not isinstance(value, list):
        raise BadPosition(field, "this is a list")
    if count is not None and len(value) != count:
        raise BadPosition(field, f"there is one for each of the {count} seats")
    return value


def _whole(value: object, field: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise BadPosition(field, f"this is a whole number from {low} to {high}")
    return value


class _Reader:
    """Reads cards and sees to it that each is one of the packs, and named once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.left = set(pack_of(ruleset.packs_in_play, ruleset.jokers_in_play))

    def cards(self, value: object, field: str) -> tuple[Card, ...]:
        """The cards of a list."""
        return tuple(self.card(text, f"{field}.{place}") for place, text in enumerate(_listed(value, field)))

    def card(self, value: object, field: str) -> Card:
        """One card, used up by being read."""
        try:
            card = parse_card(value)
        except ValueError as error:
            raise BadPosition(field, str(error)) from None
        if card not in self.left:
            raise BadPosition(field, f"{value} is named twice, or the packs of this ruleset have no such card")
        self.left.remove(card)
        return card


def _melds(reader: _Reader, value: object, seats: int) -> tuple[Meld, ...]:
    return tuple(_meld(reader, meld, number, seats) for number, meld in enumerate(_listed(value, "melds"), 1))


def _meld(reader: _Reader, value: object, number: int, seats: int) -> Meld:
    field = f"melds.{number - 1}"
    if not isinstance(value, dict) or set(value) != {"cards"}:
        raise BadPosition(field, "a meld is an object with cards")
    cards: list[Card] = []
    named: list[tuple[Card, Name]] = []
    owners: dict[Card, int] = {}
    for place, entry in enumerate(_listed(value["cards"], f"{field}.cards")):
        at = f"{field}.cards.{place}"
        if not isinstance(entry, dict) or not {"card", "seat"} <= set(entry) <= set(_CARD_FIELDS):
            raise BadPosition(at, "a card of a meld is an object with card, seat and, for a joker, as")
        card = reader.card(entry["card"], f"{at}.card")
        owners[card] = _whole(entry["seat"], f"{at}.seat", 0, seats - 1)
        cards.append(card)
        if entry.get("as") is not None:
            named.append((card, _name(card, entry["as"], f"{at}.as")))
    reading = _reading(tuple(cards), tuple(named), field)
    return meld_of(number, reading, tuple(owners[card] for card in reading.cards))


def _name(card: Card, value: object, field: str) -> Name:
    try:
        if card < FIRST_JOKER:
            raise ValueError("a natural card stands for itself, so `as` is left out")
        return parse_name(value)
    except ValueError as error:
        raise BadPosition(field, str(error)) from None


def _reading(cards: tuple[Card, ...], named: tuple[tuple[Card, Name], ...], field: str) -> Reading:
    found = readings(cards, named, None)
    if len(cards) == LONGEST_RUN and found:
        return _in_order(cards, named, field)
    if not found:
        raise BadPosition(field, "these cards are no meld (R3)")
    if len(found) > 1:
        raise BadPosition(field, "these cards make more than one meld: say with `as` what each joker stands for (R3.4)")
    return found[0]


def _in_order(cards: tuple[Card, ...], named: tuple[tuple[Card, Name], ...], field: str) -> Reading:
    """A run of thirteen, read in the order listed: the ace stands first or last."""
    suit = next(card for card in cards if card < FIRST_JOKER) % 52 // 13
    names = dict(named)
    for low in (ACE, 1):
        faces = [face_at(suit, place) for place in range(low, low + LONGEST_RUN)]
        if all(
            card % 52 == face if card < FIRST_JOKER else names.get(card, face) == face
            for card, face in zip(cards, faces, strict=True)
        ):
            return Reading("run", suit, low, cards)
    raise BadPosition(field, "a run of thirteen is listed from its lowest card to its highest (R3.2)")
