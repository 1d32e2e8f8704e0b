"""The move that the server makes for a seat whose time is up (R5.10)."""

from server.game.cards import BITS, Card
from server.game.legal import legal_moves, unlisted_payment
from server.game.listing import listed_melds
from server.game.moves import DISCARDS, DRAW_STOCK, PASS, TAKE_BACK, LayOff, Move, PlayMeld
from server.game.payment import lay_off_cost
from server.game.play import apply
from server.game.refusals import refusal
from server.game.state import State


def clock_move(state: State, seat: int) -> Move:
    """The clock's next move for a seat that is to move or is asked in a call; asked again until the turn is over."""
    assert seat in state.waiting, "the clock plays for a seat that is to move"
    if state.phase == "call":
        return PASS
    if state.phase == "draw":
        return DRAW_STOCK if state.stock else PASS
    if state.obligation is not None:
        return TAKE_BACK if state.taken and not state.took_back else _payment(state, seat, state.obligation)
    for card in reversed(state.hands[seat]):
        if refusal(state, seat, DISCARDS[card]) is None:
            return DISCARDS[card]
    return next(move for move in legal_moves(state, seat) if isinstance(move, LayOff))


def _payment(state: State, seat: int, owed: Card) -> Move:
    """The first way to pay: new meld before lay-off, fewest cards, lowest meld id, then card order."""
    melds = _new_melds(state, seat, owed)
    if melds:
        return min(melds, key=lambda move: (len(move.cards), sorted(move.cards)))
    hand = state.held[seat]
    costs = [(lay_off_cost(owed, hand, meld), meld.number) for meld in state.melds]
    _, number = min(cost for cost in costs if cost[0])
    return _step_towards(state, seat, owed, number)


def _new_melds(state: State, seat: int, owed: Card) -> list[PlayMeld]:
    """The listed melds that pay, or, where only others do, the three cards that do."""
    hand = state.owed_from or state.held[seat]
    listed = [move for _, move in listed_melds(state.ruleset.points, hand, owed) if owed in move.cards]
    found = [move for move in listed if refusal(state, seat, move) is None]
    return found or unlisted_payment(state, seat)


def _step_towards(state: State, seat: int, owed: Card, number: int) -> Move:
    """The lay-off on this meld that pays, or the first of those that lead to it."""
    meld = state.melds[number - 1]
    if meld.takes & BITS[owed]:
        moves = [
            move
            for move in legal_moves(state, seat)
            if isinstance(move, LayOff) and move.card == owed and move.meld == number
        ]
        return moves[0]
    hand = state.held[seat]
    before = lay_off_cost(owed, hand, meld)
    steps = [move for move in legal_moves(state, seat) if isinstance(move, LayOff) and move.meld == number]
    for move in sorted(steps, key=lambda move: move.card):
        after, _ = apply(state, seat, move)
        if lay_off_cost(owed, hand & ~BITS[move.card], after.melds[number - 1]) == before - 1:
            return move
    raise AssertionError("an obligation that is open can be paid")
