"""Why a move is refused: the one authority on what is legal, with its code, its rule, and a sentence for the table.

Where two codes would fit, the earlier of the contract's list is given, so the checks below stand in that order.
"""

from dataclasses import dataclass

from server.game.cards import BITS, CARD_NAMES, FIRST_JOKER, JOKERS, Card, Mask, mask_of
from server.game.melds import End, Meld, Reading, ends_taking, meld_of, readings
from server.game.moves import CallRummy, Discard, Draw, LayOff, Move, Pass, PlayMeld, TakeBack
from server.game.payment import can_meld, payable, takes_any
from server.game.state import State


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused move: the contract's code, the rule it breaks, and what would be right, in words for people."""

    code: str
    rule: str
    detail: str


class IllegalMove(ValueError):
    """A move was applied that the rules refuse."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule}): {refusal.detail}")
        self.refusal = refusal


@dataclass(frozen=True, slots=True)
class Placed:
    """A lay-off that goes: the meld it extends, and the end (None: of a set)."""

    meld: Meld
    end: End | None


Verdict = Refusal | Reading | Placed | None


def refusal(state: State, seat: int, move: Move) -> Refusal | None:
    """Why the seat may not make this move now; None where it may."""
    verdict = judge(state, seat, move)
    return verdict if isinstance(verdict, Refusal) else None


def judge(state: State, seat: int, move: Move) -> Verdict:
    """The refusal, or what was found out on the way: the reading of a new meld, the place of a lay-off."""
    if state.phase == "over":
        return Refusal("game_not_running", "R7.2", "The game is over.")
    if seat not in state.waiting:
        return Refusal("not_your_turn", "R6.5" if state.phase == "call" else "R5.6", _whose_turn(state))
    if type(move) not in _PHASES[state.phase]:
        return Refusal("wrong_phase", *_WRONG_PHASE[state.phase])
    match move:
        case Discard(card):
            return _discard(state, seat, card)
        case Draw(card):
            return _draw(state, seat, card)
        case PlayMeld():
            return _meld(state, seat, move)
        case LayOff():
            return _lay_off(state, seat, move)
        case TakeBack():
            return None if state.taken and not state.took_back else _NO_TAKE_BACK
        case Pass():
            return _STOCK_LEFT if state.phase == "draw" and state.stock else None
        case CallRummy(card):
            return _call(state, seat, card)


_PHASES: dict[str, tuple[type, ...]] = {
    "draw": (Draw, Pass),
    "play": (PlayMeld, LayOff, Discard, TakeBack),
    "call": (Pass, CallRummy),
}
_WRONG_PHASE = {
    "draw": ("R5.1", "The turn begins with a draw: from the stock, or a card of the pile."),
    "play": ("R5.5", "The card is drawn: now meld, lay off, or end the turn with a discard."),
    "call": ("R6.5", "Rummy may be called now: call a card of the pile, or pass."),
}
_NO_TAKE_BACK = Refusal(
    "wrong_phase",
    "R5.4",
    "Cards go back only right after a draw from the pile, before any other move, and once a turn.",
)
_STOCK_LEFT = Refusal("wrong_phase", "R6.3", "The stock still has cards, so draw; passing is for an empty stock.")


def _whose_turn(state: State) -> str:
    if state.phase == "call":
        return "A call is open, and this seat is not asked, or has answered."
    return f"It is the turn of seat {state.turn_seat}."


def keeps_one(state: State) -> bool:
    """Whether a card must be kept for the discard (R5.7)."""
    return state.ruleset.going_out == "discard"


def owes_top(state: State, seat: int) -> bool:
    """Whether the top card of the pile, if this seat takes it, is an obligation (R5.2, R6.4)."""
    rules = state.ruleset
    return rules.top_discard == "must_meld" or (rules.going_out == "float" and not state.hands[seat])


# --- draw ----------------------------------------------------------------------------------------------------------


def _draw(state: State, seat: int, card: Card | None) -> Refusal | None:
    if card is None:
        return (
            None if state.stock else Refusal("stock_empty", "R6.3", "The stock is empty: draw from the pile, or pass.")
        )
    if card not in state.pile:
        return Refusal("card_not_in_pile", "R5.1", f"{CARD_NAMES[card]} is not in the pile.")
    top = state.pile[-1] == card
    if top and not owes_top(state, seat):
        return None
    if not top and state.ruleset.pile_depth == "top":
        return Refusal("cannot_use_card", "R5.1", "At this table only the top card of the pile may be taken.")
    taken = mask_of(state.pile[state.pile.index(card) :])
    if payable(card, state.held[seat] | taken, state.melds, keep_one=keeps_one(state)):
        return None
    wrong = f"{CARD_NAMES[card]} must be melded or laid off in this turn, and with these cards it can't be."
    return Refusal("cannot_use_card", "R5.2", wrong)


# --- play ----------------------------------------------------------------------------------------------------------


def _not_held(card: Card) -> Refusal:
    return Refusal("card_not_in_hand", "R5.5", f"{CARD_NAMES[card]} is not in this hand.")


def _meld(state: State, seat: int, move: PlayMeld) -> Refusal | Reading:
    hand = state.held[seat]
    mask = mask_of(move.cards)
    if mask & ~hand:
        return _not_held(next(card for card in move.cards if not hand & BITS[card]))
    found = readings(move.cards, move.named, move.ace)
    if not found:
        return Refusal("not_a_meld", "R3.4" if mask & JOKERS or move.ace else "R3.1", _NO_MELD)
    if len(found) > 1:
        return Refusal("ambiguous", "R3.4", _more_readings(found))
    if state.obligation is not None:
        wrong = _still_owed(state, mask, hand, found[0])
        if wrong is not None:
            return wrong
    if hand == mask and keeps_one(state):
        return _KEEP_ONE
    return found[0]


_NO_MELD = (
    "These cards are no meld: a set is three or four of one rank in different suits, "
    "a run is three or more in sequence in one suit."
)
_KEEP_ONE = Refusal("must_keep_a_card", "R5.7", "At this table the last card must be discarded: keep one.")


def _more_readings(found: tuple[Reading, ...]) -> str:
    if any(card >= FIRST_JOKER for card in found[0].cards):
        return "These cards make more than one meld: say what each joker stands for (X1=9H, X1=9), or where the ace is."
    return "The ace could stand at either end: say ace low or high."


def _still_owed(state: State, mask: Mask, hand: Mask, reading: Reading) -> Refusal | None:
    """Why a new meld would break the obligation, if it does (R5.2, R6.6)."""
    owed = state.obligation
    assert owed is not None
    if state.owed_from:
        return None if mask & BITS[owed] and not mask & ~state.owed_from else _first(owed)
    if mask & BITS[owed]:
        return None
    # the number and the owners do not matter here
    melds = (*state.melds, meld_of(0, reading, ()))
    return None if payable(owed, hand & ~mask, melds, keep_one=keeps_one(state)) else _unusable(owed)


def _first(owed: Card) -> Refusal:
    wrong = f"{CARD_NAMES[owed]} was called: first lay it off, or meld it with cards taken with it."
    return Refusal("must_use_card", "R6.6", wrong)


def _unusable(owed: Card) -> Refusal:
    return Refusal(
        "must_use_card", "R5.2", f"{CARD_NAMES[owed]} must be on the table this turn, and then could not be."
    )


def _lay_off(state: State, seat: int, move: LayOff) -> Refusal | Placed:
    hand = state.held[seat]
    if not hand & BITS[move.card]:
        return _not_held(move.card)
    if not 1 <= move.meld <= len(state.melds):
        return Refusal("no_such_meld", "R3.5", "There is no meld with this id on the table.")
    meld = state.melds[move.meld - 1]
    ends = ends_taking(meld, move.card, move.name, move.end)
    if not ends:
        return Refusal("does_not_extend", "R3.5", f"{CARD_NAMES[move.card]} does not go on meld m{move.meld} there.")
    if len(ends) > 1:
        wrong = f"{CARD_NAMES[move.card]} goes on both ends of m{move.meld}: say end low or high."
        return Refusal("ambiguous", "R3.5", wrong)
    if state.obligation is not None and state.obligation != move.card:
        if state.owed_from:
            return _first(state.obligation)
        melds = (*state.melds[: move.meld - 1], grown(meld, move.card, ends[0]), *state.melds[move.meld :])
        if not payable(state.obligation, hand & ~BITS[move.card], melds, keep_one=keeps_one(state)):
            return _unusable(state.obligation)
    if hand == BITS[move.card] and keeps_one(state):
        return _KEEP_ONE
    return Placed(meld, ends[0])


def grown(meld: Meld, card: Card, end: End | None) -> Meld:
    """The meld with this card added, for looking ahead only: without owners, a set's cards in any order."""
    if end == "low":
        reading = Reading(meld.kind, meld.which, meld.low - 1, (card, *meld.cards))
    else:
        reading = Reading(meld.kind, meld.which, meld.low, (*meld.cards, card))
    return meld_of(meld.number, reading, ())


def _discard(state: State, seat: int, card: Card) -> Refusal | None:
    hand = state.held[seat]
    if not hand & BITS[card]:
        return _not_held(card)
    if state.obligation is not None:
        wrong = f"{CARD_NAMES[state.obligation]} must be melded or laid off before the turn ends."
        return Refusal("must_use_card", "R6.6" if state.owed_from else "R5.2", wrong)
    last = hand == BITS[card]
    if state.no_discard == card and not last:
        wrong = f"{CARD_NAMES[card]} was taken from the top of the pile this turn, so discard another card."
        return Refusal("discard_forbidden", "R5.3", wrong)
    if last and state.ruleset.final_discard == "unplayable" and takes_any(state.melds) & BITS[card]:
        wrong = f"{CARD_NAMES[card]} can be laid off, so it may not be the last discard: lay it off."
        return Refusal("final_discard_playable", "R5.8", wrong)
    return None


# --- call ----------------------------------------------------------------------------------------------------------


def _call(state: State, seat: int, card: Card) -> Refusal | None:
    assert state.call is not None
    if card not in state.pile:
        return Refusal("card_not_in_pile", "R6.5", f"{CARD_NAMES[card]} is not in the pile.")
    if card not in state.call.callable:
        wrong = f"{CARD_NAMES[card]} neither goes on a meld as it lies nor makes one with the cards above it."
        return Refusal("not_callable", "R6.5", wrong)
    if not can_pay_call(state, seat, card):
        wrong = f"{CARD_NAMES[card]} could only be played by emptying the hand, and the last card must be discarded."
        return Refusal("not_callable", "R5.7", wrong)
    return None


def can_pay_call(state: State, seat: int, card: Card) -> bool:
    """Whether the seat, having called the card, could pay it and keep the card it must keep (R5.7, R6.6)."""
    if not keeps_one(state) or state.hands[seat]:
        return True
    taken = mask_of(state.pile[state.pile.index(card) :])
    cards = taken.bit_count()
    at_once = cards > 1 and takes_any(state.melds) & BITS[card] > 0
    return at_once or (cards > 3 and can_meld(card, taken))
