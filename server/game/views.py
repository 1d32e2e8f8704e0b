"""What a viewer is shown of a game: built up from public facts and the hands of the viewer's own seats."""

from server.game.events import meld_json, name_or_none, names_of, result_json, round_json
from server.game.state import State


def view_json(state: State, seats: int) -> dict[str, object]:
    """The game as a viewer that holds the seats of this mask sees it; deadlines are None (0: a spectator)."""
    return {
        "round": state.round,
        "dealer": state.dealer,
        "turn": _turn(state),
        "stock_count": len(state.stock),
        "pile": names_of(state.pile),
        "melds": [meld_json(meld) for meld in state.melds],
        "seats": [_seat(state, seat, own=bool(seats >> seat & 1)) for seat in range(state.seats)],
        "call": _call(state),
        "last_round": None if state.last_round is None else round_json(state.last_round),
        "result": None if state.ended is None else result_json(state.ended),
    }


def _turn(state: State) -> dict[str, object] | None:
    if state.phase == "over":
        return None
    seat = state.turn_seat
    only = seat is not None and len(state.hands[seat]) <= 1
    return {
        "seat": seat,
        "phase": state.phase,
        "obligation": name_or_none(state.obligation),
        "no_discard": None if only else name_or_none(state.no_discard),
        "deadline": None,
    }


def _seat(state: State, seat: int, *, own: bool) -> dict[str, object]:
    hand = state.hands[seat]
    return {
        "seat": seat,
        "hand_count": len(hand),
        "hand": names_of(hand) if own else None,
        "known": names_of(state.known[seat]),
        "total": state.totals[seat],
        "table_points": state.table[seat],
    }


def _call(state: State) -> dict[str, object] | None:
    if state.call is None:
        return None
    return {"callable": names_of(state.call.callable), "waiting": list(state.waiting), "deadline": None}
