"""What happens in a game, as facts; and each fact as the seats that may know it are told (redaction).

An event holds everything. `event_json` builds what a viewer is told up from the public fields, and adds the cards of
the viewer's own seats.
"""

from dataclasses import dataclass
from typing import TypeAlias

from server.game.cards import CARD_NAMES, NAMES, Card, Name
from server.game.melds import Meld

Json: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round was dealt, or set up from a position (then with melds and totals)."""

    round: int
    dealer: int
    pile: tuple[Card, ...]
    stock_count: int
    hands: tuple[tuple[Card, ...], ...]
    melds: tuple[Meld, ...] | None = None
    totals: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """It is this seat's turn."""

    seat: int
    phase: str


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat drew from the stock or the pile."""

    seat: int
    from_pile: bool
    cards: tuple[Card, ...]
    obligation: Card | None
    no_discard: Card | None


@dataclass(frozen=True, slots=True)
class TookBack:
    """A seat put the cards it took back on the pile."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Melded:
    """A seat laid a new meld."""

    seat: int
    meld: Meld
    points: int
    table_points: int


@dataclass(frozen=True, slots=True)
class LaidOff:
    """A seat laid a card off; `end` is None for a set, `name` what a joker stands for."""

    seat: int
    card: Card
    name: Name | None
    meld: int
    end: str | None
    points: int
    table_points: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """A seat discarded."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Floated:
    """A seat emptied its hand by melding and floats."""

    seat: int


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat passed on an empty stock."""

    seat: int


@dataclass(frozen=True, slots=True)
class CallOpened:
    """Seats are asked whether they call a card of the pile."""

    callable: tuple[Card, ...]
    waiting: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A seat answered a call; what, stays secret."""

    seat: int


@dataclass(frozen=True, slots=True)
class CallClosed:
    """A call is over: who won which card, and all the cards taken with it; None where nobody called."""

    seat: int | None
    card: Card | None
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over; scores are (table, deadwood, total) by seat."""

    round: int
    reason: str
    seat: int | None
    scores: tuple[tuple[int, int, int], ...]
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over."""

    reason: str
    winners: tuple[int, ...]
    totals: tuple[int, ...]


Event: TypeAlias = (
    RoundStarted
    | TurnStarted
    | Drew
    | TookBack
    | Melded
    | LaidOff
    | Discarded
    | Floated
    | Passed
    | CallOpened
    | Answered
    | CallClosed
    | RoundEnded
    | GameEnded
)


def private_to(event: Event) -> int:
    """The mask of the seats that are told more than the public."""
    if isinstance(event, RoundStarted):
        return (1 << len(event.hands)) - 1
    if isinstance(event, Drew) and not event.from_pile:
        return 1 << event.seat
    return 0


def names_of(cards: tuple[Card, ...]) -> list[str]:
    """The cards as they are written."""
    return [CARD_NAMES[card] for card in cards]


def name_or_none(card: Card | None) -> str | None:
    """The card as it is written, or None."""
    return None if card is None else CARD_NAMES[card]


def meld_json(meld: Meld) -> Json:
    """A meld on the table, as everyone sees it."""
    return {"id": f"m{meld.number}", "kind": meld.kind, "cards": [_meld_card(meld, i) for i in range(len(meld.cards))]}


def _meld_card(meld: Meld, index: int) -> Json:
    name = meld.name_at(index)
    return {
        "card": CARD_NAMES[meld.cards[index]],
        "seat": meld.owners[index],
        "as": None if name is None else NAMES[name],
    }


def round_json(event: RoundEnded) -> Json:
    """The data of the end of a round, all of it public."""
    scores = [
        {"seat": seat, "table": table, "deadwood": deadwood, "score": table - deadwood, "total": total}
        for seat, (table, deadwood, total) in enumerate(event.scores)
    ]
    hands = [names_of(hand) for hand in event.hands]
    return {"round": event.round, "reason": event.reason, "seat": event.seat, "scores": scores, "hands": hands}


def result_json(event: GameEnded) -> Json:
    """The data of the end of a game."""
    return {"reason": event.reason, "winners": list(event.winners), "totals": list(event.totals)}


def event_json(event: Event, seats: int) -> Json:
    """The event as the seats of this mask are told it, without `seq` and `at`; deadlines are None."""
    match event:
        case RoundStarted():
            return _round_started(event, seats)
        case Drew():
            return _drew(event, seats)
        case TurnStarted(seat, phase):
            return {"type": "turn_started", "seat": seat, "phase": phase, "deadline": None}
        case RoundEnded():
            return {"type": "round_ended"} | round_json(event)
        case GameEnded():
            return {"type": "game_ended"} | result_json(event)
        case CallOpened() | Answered() | CallClosed():
            return _call_json(event)
        case _:
            return _act_json(event)


def _act_json(event: TookBack | Melded | LaidOff | Discarded | Floated | Passed) -> Json:
    match event:
        case TookBack(seat, cards):
            return {"type": "took_back", "seat": seat, "cards": names_of(cards)}
        case Melded(seat, meld, points, table):
            return {"type": "melded", "seat": seat, "meld": meld_json(meld), "points": points, "table_points": table}
        case LaidOff():
            return _laid_off(event)
        case Discarded(seat, card):
            return {"type": "discarded", "seat": seat, "card": CARD_NAMES[card]}
        case Floated(seat):
            return {"type": "floated", "seat": seat}
        case Passed(seat):
            return {"type": "passed", "seat": seat}


def _call_json(event: CallOpened | Answered | CallClosed) -> Json:
    match event:
        case CallOpened(cards, waiting):
            return {"type": "call_opened", "callable": names_of(cards), "waiting": list(waiting), "deadline": None}
        case Answered(seat):
            return {"type": "answered", "seat": seat}
        case CallClosed(winner, called, cards):
            taken = None if winner is None else names_of(cards)
            return {"type": "call_closed", "seat": winner, "card": name_or_none(called), "cards": taken}


def _round_started(event: RoundStarted, seats: int) -> Json:
    told: Json = {
        "type": "round_started",
        "round": event.round,
        "dealer": event.dealer,
        "pile": names_of(event.pile),
        "stock_count": event.stock_count,
        "hand_counts": [len(hand) for hand in event.hands],
        "hands": [names_of(hand) if seats >> seat & 1 else None for seat, hand in enumerate(event.hands)],
    }
    if event.melds is not None and event.totals is not None:
        told["melds"] = [meld_json(meld) for meld in event.melds]
        told["totals"] = list(event.totals)
    return told


def _drew(event: Drew, seats: int) -> Json:
    seen = event.from_pile or seats >> event.seat & 1
    return {
        "type": "drew",
        "seat": event.seat,
        "from": "pile" if event.from_pile else "stock",
        "count": len(event.cards),
        "cards": names_of(event.cards) if seen else None,
        "obligation": name_or_none(event.obligation),
        "no_discard": name_or_none(event.no_discard),
    }


def _laid_off(event: LaidOff) -> Json:
    return {
        "type": "laid_off",
        "seat": event.seat,
        "card": CARD_NAMES[event.card],
        "as": None if event.name is None else NAMES[event.name],
        "meld_id": f"m{event.meld}",
        "end": event.end,
        "points": event.points,
        "table_points": event.table_points,
    }
