"""How rounds begin and end, and how the game does (R4, R6.1 to R6.3, R7)."""

from server.game.cards import mask_of
from server.game.events import Event, GameEnded, RoundEnded, RoundStarted, TurnStarted
from server.game.ruleset import Ruleset
from server.game.shuffle import first_dealer, shuffled
from server.game.state import State, evolve

Told = tuple[Event, ...]


def start(ruleset: Ruleset, seats: int, seed: bytes, nonce: str) -> tuple[State, Told]:
    """A new game with its first round dealt."""
    return _deal(ruleset, seats, seed, nonce, (0,) * seats, 1, first_dealer(seed, nonce, seats))


def _deal(
    ruleset: Ruleset, seats: int, seed: bytes, nonce: str, totals: tuple[int, ...], number: int, dealer: int
) -> tuple[State, Told]:
    cards = shuffled(seed, nonce, number, ruleset.packs_in_play, ruleset.jokers_in_play)
    dealt = seats * ruleset.cards_each
    first = (dealer + 1) % seats
    hands = tuple(cards[(seat - first) % seats : dealt : seats] for seat in range(seats))
    state = State(
        ruleset=ruleset,
        seats=seats,
        seed=seed,
        nonce=nonce,
        totals=totals,
        round=number,
        dealer=dealer,
        phase="draw",
        turn_seat=first,
        waiting=(first,),
        stock=cards[dealt + 1 :],
        pile=cards[dealt : dealt + 1],
        hands=hands,
        held=tuple(mask_of(hand) for hand in hands),
        melds=(),
        table=(0,) * seats,
        known=((),) * seats,
        passed=(0,) * seats,
    )
    return state, (RoundStarted(number, dealer, state.pile, len(state.stock), hands), TurnStarted(first, "draw"))


def begin_turn(state: State, seat: int, **changes: object) -> tuple[State, Told]:
    """The next turn, which begins with a draw, or the end of the round where the stock is out (R6.2, R6.3)."""
    empty = not state.stock
    state = evolve(
        state,
        phase="draw",
        turn_seat=seat,
        waiting=(seat,),
        call=None,
        obligation=None,
        no_discard=None,
        taken=(),
        took_back=False,
        owed_from=0,
        began_empty=empty,
        drew_stock=False,
        played=False,
        **changes,
    )
    if empty and (state.ruleset.stock_exhausted == "end" or not state.pile):
        return end_round(state, "stock", None)
    return state, (TurnStarted(seat, "draw"),)


def is_stuck(state: State) -> bool:
    """Whether the turn that just ended, counted already, makes a stalemate (R6.3)."""
    return state.idle_empty >= state.seats or state.idle >= 4 * state.seats


def end_round(state: State, reason: str, seat: int | None) -> tuple[State, Told]:
    """Scores the round, then ends the game or deals the next round (R7.1, R7.2)."""
    deadwood = tuple(state.ruleset.points.of_hand(hand) for hand in state.hands)
    totals = tuple(total + table - dead for total, table, dead in zip(state.totals, state.table, deadwood, strict=True))
    scores = tuple(zip(state.table, deadwood, totals, strict=True))
    ended = RoundEnded(state.round, reason, seat, scores, state.hands)
    over = _verdict(state.ruleset, state.round, totals)
    if over is not None:
        return _over(evolve(state, totals=totals, last_round=ended), over, (ended,))
    dealer = (state.dealer + 1) % state.seats
    fresh, told = _deal(state.ruleset, state.seats, state.seed, state.nonce, totals, state.round + 1, dealer)
    return evolve(fresh, last_round=ended), (ended, *told)


def _verdict(ruleset: Ruleset, number: int, totals: tuple[int, ...]) -> GameEnded | None:
    """How the game ends after a round with these totals; None where it goes on (R7.2, R7.3)."""
    sides = 2 if ruleset.partners else len(totals)
    by_side = [sum(totals[side::sides]) for side in range(sides)]
    highest = max(by_side)
    winners = tuple(seat for seat in range(len(totals)) if by_side[seat % sides] == highest)
    if highest >= ruleset.target and by_side.count(highest) == 1:
        return GameEnded("target", winners, totals)
    if number >= ruleset.max_rounds:
        return GameEnded("max_rounds", winners, totals)
    return None


def _over(state: State, ended: GameEnded, told: Told) -> tuple[State, Told]:
    over = evolve(
        state,
        phase="over",
        turn_seat=None,
        waiting=(),
        call=None,
        obligation=None,
        no_discard=None,
        taken=(),
        owed_from=0,
        ended=ended,
    )
    return over, (*told, ended)


def leave_forfeit(state: State, *seats: int) -> tuple[State, Told]:
    """Whoever held these seats left, so the others win (with partners the other side); this round is not scored (R7.4).

    Where nobody is left to win, as when seats of both sides were held by one, the game ends without winners.
    """
    assert not state.finished, "the game is over"
    sides = 2 if state.ruleset.partners else state.seats
    lost = {seat % sides for seat in seats}
    winners = tuple(other for other in range(state.seats) if other % sides not in lost)
    return _over(state, GameEnded("left", winners, state.totals), ()) if winners else abandon(state)


def abandon(state: State) -> tuple[State, Told]:
    """The last person left: the game ends without winners (R7.4)."""
    assert not state.finished, "the game is over"
    return _over(state, GameEnded("abandoned", (), state.totals), ())
