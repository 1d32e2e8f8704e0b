"""From the engine's states to what the reference engine and the tests work on."""

from typing import Any

from server.game import State, card_name, view_json
from tests.game.reference import Round
from tests.game.reference_melds import PLACES

Json = dict[str, Any]


def everything(state: State) -> Json:
    """The view of somebody who holds every seat."""
    view: Json = view_json(state, (1 << state.seats) - 1)
    return view


def names(cards: tuple[int, ...]) -> list[str]:
    """The cards as they are written."""
    return [card_name(card) for card in cards]


def reference_meld(meld: Json) -> Json:
    """A meld of a view as the reference engine holds it."""
    cards = [(entry["card"], entry["as"] or entry["card"][:2]) for entry in meld["cards"]]
    if meld["kind"] == "set":
        rank = next(name for _, name in cards)[0]
        return {"kind": "set", "cards": [(card, rank) for card, _ in cards]}
    first = cards[0][1][0]
    low = 0 if first == "A" else PLACES.index(first)
    return {"kind": "run", "low": low, "cards": cards}


def reference_round(state: State) -> Round:
    """The round in progress for the reference engine."""
    view = everything(state)
    call = state.call
    return Round(
        options=state.ruleset.options(),
        seats=state.seats,
        hands=[seat["hand"] for seat in view["seats"]],
        stock=names(state.stock),
        pile=view["pile"],
        melds=[reference_meld(meld) for meld in view["melds"]],
        turn=call.discarder if call else state.waiting[0],
        phase=state.phase,
        obligation=view["turn"]["obligation"],
        no_discard=view["turn"]["no_discard"],
        taken=names(state.taken),
        took_back=state.took_back,
        called=_of(state.owed_from, state.hands[state.waiting[0]]) if state.owed_from else None,
        began_empty=state.began_empty,
        drew_stock=state.drew_stock,
        played=state.played,
        idle_empty=state.idle_empty,
        idle=state.idle,
        passed=[set(_of(mask, tuple(range(108)))) for mask in state.passed],
        waiting=list(state.waiting) if call else [],
        callable=names(call.callable) if call else [],
        answers={seat: None if card is None else card_name(card) for seat, card in call.answers} if call else {},
    )


def _of(mask: int, cards: tuple[int, ...]) -> list[str]:
    """The names of those cards that are in the mask."""
    return [card_name(card) for card in cards if mask >> card & 1]
