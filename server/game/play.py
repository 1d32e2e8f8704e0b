"""Making a move: the next state and what happened (R5, R6)."""

from typing import cast

from server.game.cards import BITS, Card, mask_of
from server.game.events import (
    Answered,
    CallClosed,
    CallOpened,
    Discarded,
    Drew,
    Event,
    Floated,
    LaidOff,
    Melded,
    Passed,
    TookBack,
    TurnStarted,
)
from server.game.melds import Reading, extended, meld_of
from server.game.moves import CallRummy, Discard, Draw, LayOff, Move, Pass, PlayMeld, TakeBack
from server.game.payment import callable_cards
from server.game.refusals import IllegalMove, Placed, Refusal, judge, owes_top
from server.game.rounds import begin_turn, end_round, is_stuck
from server.game.state import Call, State, evolve, put

Step = tuple[State, tuple[Event, ...]]


def apply(state: State, seat: int, move: Move) -> Step:
    """The state after the move, and its events in order; IllegalMove where the rules refuse it."""
    verdict = judge(state, seat, move)
    if isinstance(verdict, Refusal):
        raise IllegalMove(verdict)
    match move:
        case Discard(card):
            return _discard(state, seat, card)
        case Draw(None):
            return _draw_stock(state, seat)
        case Draw(card):
            return draw_pile(state, seat, cast("Card", card))
        case PlayMeld():
            return _meld(state, seat, cast("Reading", verdict))
        case LayOff(card):
            return _lay_off(state, seat, card, cast("Placed", verdict))
        case TakeBack():
            return _take_back(state, seat)
        case Pass() if state.phase == "draw":
            after, told = end_round(state, "pass", seat)
            return after, (Passed(seat), *told)
        case Pass():
            return _answer(state, seat, None)
        case CallRummy(card):
            return _answer(state, seat, card)


# --- draw ----------------------------------------------------------------------------------------------------------


def _draw_stock(state: State, seat: int) -> Step:
    card = state.stock[0]
    after = evolve(
        state,
        phase="play",
        stock=state.stock[1:],
        hands=put(state.hands, seat, (*state.hands[seat], card)),
        held=put(state.held, seat, state.held[seat] | BITS[card]),
        drew_stock=True,
    )
    return after, (Drew(seat, False, (card,), None, None),)


def draw_pile(state: State, seat: int, card: Card) -> Step:
    """The draw of a pile card with all above it, which the caller knows to be allowed or wants to look at."""
    at = state.pile.index(card)
    taken = state.pile[at:]
    owed = len(taken) > 1 or owes_top(state, seat)
    after = evolve(
        state,
        **_took(state, seat, at),
        phase="play",
        obligation=card if owed else None,
        no_discard=None if owed or not state.hands[seat] else card,
        taken=taken,
    )
    return after, (Drew(seat, True, taken, after.obligation, after.no_discard),)


def _took(state: State, seat: int, at: int) -> dict[str, object]:
    """What changes when the pile from this index on goes to the hand, seen by everyone."""
    taken = state.pile[at:]
    return {
        "pile": state.pile[:at],
        "hands": put(state.hands, seat, (*state.hands[seat], *taken)),
        "held": put(state.held, seat, state.held[seat] | mask_of(taken)),
        "known": put(state.known, seat, (*state.known[seat], *taken)),
    }


def _take_back(state: State, seat: int) -> Step:
    taken = state.taken
    count = len(taken)
    after = evolve(
        state,
        phase="draw",
        pile=(*state.pile, *taken),
        hands=put(state.hands, seat, state.hands[seat][:-count]),
        held=put(state.held, seat, state.held[seat] & ~mask_of(taken)),
        known=put(state.known, seat, state.known[seat][:-count]),
        obligation=None,
        no_discard=None,
        taken=(),
        took_back=True,
    )
    return after, (TookBack(seat, taken),)


# --- play ----------------------------------------------------------------------------------------------------------


def _meld(state: State, seat: int, reading: Reading) -> Step:
    points = state.ruleset.points
    if reading.kind == "run":
        worth = points.of_run(reading.low, reading.cards)
    else:
        worth = points.of_set(reading.which, reading.cards)
    meld = meld_of(len(state.melds) + 1, reading, (seat,) * len(reading.cards))
    table = state.table[seat] + worth
    after = _put_down(state, seat, mask_of(reading.cards), table, (*state.melds, meld))
    return _played(after, seat, Melded(seat, meld, worth, table))


def _lay_off(state: State, seat: int, card: Card, placed: Placed) -> Step:
    old = placed.meld
    meld = extended(old, card, seat, placed.end)
    points = state.ruleset.points
    if placed.end is None:
        index = meld.cards.index(card)
        worth = points.put_in_set(card, meld.which)
    else:
        index = 0 if placed.end == "low" else len(meld.cards) - 1
        worth = points.put_in_run(card, meld.low + index)
    table = state.table[seat] + worth
    melds = (*state.melds[: meld.number - 1], meld, *state.melds[meld.number :])
    after = _put_down(state, seat, BITS[card], table, melds)
    return _played(after, seat, LaidOff(seat, card, meld.name_at(index), meld.number, placed.end, worth, table))


def _put_down(state: State, seat: int, mask: int, table: int, melds: tuple[object, ...]) -> State:
    """The state with these cards moved from the hand to the table."""
    held = state.held[seat] & ~mask
    known = state.known[seat]
    owed, forbidden = state.obligation, state.no_discard
    paid = owed is not None and not held & BITS[owed]
    return evolve(
        state,
        melds=melds,
        hands=put(state.hands, seat, tuple([card for card in state.hands[seat] if held & BITS[card]])),
        held=put(state.held, seat, held),
        table=put(state.table, seat, table),
        known=put(state.known, seat, tuple([card for card in known if held & BITS[card]])) if known else state.known,
        obligation=None if paid else owed,
        owed_from=0 if paid else state.owed_from,
        no_discard=None if forbidden is None or not held & BITS[forbidden] else forbidden,
        taken=(),
        played=True,
    )


def _played(state: State, seat: int, event: Event) -> Step:
    """Goes out or floats where the hand is empty (R5.7, R6.4)."""
    if state.hands[seat]:
        return state, (event,)
    if state.ruleset.going_out != "float":
        after, told = end_round(state, "out", seat)
        return after, (event, *told)
    after, told = begin_turn(state, (seat + 1) % state.seats, **_idleness(state))
    return after, (event, Floated(seat), *told)


def _idleness(state: State) -> dict[str, int]:
    """The two counts of turns in a row without progress, with the turn that ends now (R6.3)."""
    return {
        "idle_empty": state.idle_empty + 1 if state.began_empty and not state.played else 0,
        "idle": state.idle + 1 if not state.drew_stock and not state.played else 0,
    }


# --- discard -------------------------------------------------------------------------------------------------------


def _discard(state: State, seat: int, card: Card) -> Step:
    hand = list(state.hands[seat])
    hand.remove(card)
    known = state.known[seat]
    counts = _idleness(state)
    changes = {
        "pile": (*state.pile, card),
        "hands": put(state.hands, seat, tuple(hand)),
        "held": put(state.held, seat, state.held[seat] & ~BITS[card]),
        "known": put(state.known, seat, tuple([old for old in known if old != card])) if known else state.known,
    }
    event = Discarded(seat, card)
    next_seat = (seat + 1) % state.seats
    stuck = counts["idle_empty"] >= state.seats or counts["idle"] >= 4 * state.seats
    if hand and not stuck and not state.ruleset.calls:
        after, told = begin_turn(state, next_seat, **changes, **counts)
        return after, (event, *told)
    state = evolve(state, **changes, **counts)
    if not hand:
        after, told = end_round(state, "out", seat)
    elif is_stuck(state):
        after, told = end_round(state, "stalemate", None)
    else:
        after, told = _open_call(state, seat)
    return after, (event, *told)


# --- calling rummy -------------------------------------------------------------------------------------------------


def _open_call(state: State, discarder: int) -> Step:
    """Asks the seats that have not passed on every card now callable; with none to ask, the next turn begins (R6.5)."""
    cards = callable_cards(state.pile, state.melds)
    mask = mask_of(cards)
    waiting = tuple(seat for seat in range(state.seats) if seat != discarder and mask & ~state.passed[seat])
    if not waiting:
        return begin_turn(state, (discarder + 1) % state.seats)
    after = evolve(
        state,
        phase="call",
        turn_seat=None,
        waiting=waiting,
        call=Call(discarder, cards),
        no_discard=None,
        taken=(),
    )
    return after, (CallOpened(cards, waiting),)


def _answer(state: State, seat: int, card: Card | None) -> Step:
    call = state.call
    assert call is not None
    waiting = tuple(other for other in state.waiting if other != seat)
    passed = state.passed
    if card is None:
        passed = put(passed, seat, passed[seat] | mask_of(call.callable))
    call = Call(call.discarder, call.callable, (*call.answers, (seat, card)))
    state = evolve(state, waiting=waiting, passed=passed, call=call)
    return (state, (Answered(seat),)) if waiting else _close_call(state, call)


def _close_call(state: State, call: Call) -> Step:
    callers = {seat: card for seat, card in call.answers if card is not None}
    if not callers:
        after, told = begin_turn(state, (call.discarder + 1) % state.seats)
        return after, (CallClosed(None, None, ()), *told)
    winner = min(callers, key=lambda seat: (seat - call.discarder - 1) % state.seats)
    card = callers[winner]
    at = state.pile.index(card)
    taken = state.pile[at:]
    after = evolve(
        state,
        **_took(state, winner, at),
        phase="play",
        turn_seat=winner,
        waiting=(winner,),
        call=None,
        obligation=card,
        no_discard=None,
        taken=(),
        took_back=False,
        owed_from=mask_of(taken),
        began_empty=False,
        drew_stock=False,
        played=False,
    )
    return after, (CallClosed(winner, card, taken), TurnStarted(winner, "play"))
