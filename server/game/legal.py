"""The legal moves of a seat, in the contract's order, and the facts about the pile."""

from itertools import combinations
from operator import itemgetter

from server.game.cards import BITS, CARD_NAMES, FIRST_JOKER, JOKERS, Card, Mask, cards_of, mask_of
from server.game.listing import Listed, listed_melds
from server.game.melds import HIGH_ACE, RANK_ALONE, Meld, Reading, face_at, meld_of
from server.game.moves import (
    CALLS,
    DISCARDS,
    DRAW_STOCK,
    DRAWS,
    PASS,
    TAKE_BACK,
    LayOff,
    Move,
    PlayMeld,
    lay_off,
    move_json,
)
from server.game.payment import payable, takes_any
from server.game.play import draw_pile
from server.game.refusals import can_pay_call, grown, keeps_one, owes_top, refusal
from server.game.state import State

MOST_PAYS = 20


def legal_moves(state: State, seat: int) -> list[Move]:
    """The moves of the seat that the contract lists, in its order; none for a seat that is not to move."""
    if seat not in state.waiting:
        return []
    if state.phase == "play":
        return _play(state, seat) or [*unlisted_payment(state, seat)]
    if state.phase == "draw":
        return _draws(state, seat)
    return _answers(state, seat)


def _answers(state: State, seat: int) -> list[Move]:
    assert state.call is not None
    return [PASS, *(CALLS[card] for card in state.call.callable if can_pay_call(state, seat, card))]


# --- draw ----------------------------------------------------------------------------------------------------------


def _draws(state: State, seat: int) -> list[Move]:
    moves: list[Move] = [DRAW_STOCK] if state.stock else []
    moves += [DRAWS[card] for card in _reachable(state, seat)]
    if not state.stock:
        moves.append(PASS)
    return moves


def _reachable(state: State, seat: int) -> list[Card]:
    """The pile cards that may be drawn, top first (R5.1, R5.2)."""
    pile = state.pile
    if not pile:
        return []
    found = []
    hand = state.held[seat]
    melds = state.melds
    keep_one = keeps_one(state)
    owed = owes_top(state, seat)
    for card in reversed(pile) if state.ruleset.pile_depth == "any" else pile[-1:]:
        hand |= BITS[card]
        if not owed or payable(card, hand, melds, keep_one=keep_one):
            found.append(card)
        owed = True
    return found


def unlisted_payment(state: State, seat: int) -> list[PlayMeld]:
    """Three cards that pay with an owed joker between cards the hand holds all of: the lists have no place for it."""
    owed = state.obligation
    if owed is None or owed < FIRST_JOKER:
        return []
    naturals = [card for card in cards_of(state.owed_from or state.held[seat]) if card < FIRST_JOKER]
    tries = (
        PlayMeld((*pair, owed), ((owed, face),))
        for pair in combinations(naturals, 2)
        for face in range(pair[0] % 52 // 13 * 13, pair[0] % 52 // 13 * 13 + 13)
    )
    return [move for move in tries if refusal(state, seat, move) is None][:1]


# --- play ----------------------------------------------------------------------------------------------------------


def _play(state: State, seat: int) -> list[Move]:
    hand = state.held[seat]
    points = state.ruleset.points
    moves: list[Move] = [] if state.owed_from else [*_lay_offs(state, hand)]
    melds = listed_melds(points, state.owed_from or hand, state.obligation)
    owed = state.obligation
    if owed is not None:
        if state.owed_from:
            moves += _lay_offs(state, BITS[owed])
        ways = [] if state.owed_from else _ways_to_meld(melds, owed)
        moves = [move for move in moves if _leaves_payable(state, hand, move, ways)]
        melds = [listed for listed in melds if _leaves_payable(state, hand, listed[1], ways)]
    if keeps_one(state):
        count = hand.bit_count()
        melds = [listed for listed in melds if len(listed[1].cards) < count]
        if count == 1:
            moves = []
    melds.sort(key=_points, reverse=True)
    moves += [move for _, move in melds]
    if state.obligation is None:
        moves += _discards(state, seat, hand)
    if state.taken and not state.took_back:
        moves.append(TAKE_BACK)
    return moves


_points = itemgetter(0)


def _lay_offs(state: State, hand: Mask) -> list[LayOff]:
    found: list[LayOff] = []
    for meld in state.melds:
        fits = meld.takes & hand
        while fits:
            lowest = fits & -fits
            fits ^= lowest
            found += _placings(meld, lowest.bit_length() - 1)
    return found


def _placings(meld: Meld, card: Card) -> list[LayOff]:
    """The lay-offs of a card that the meld takes."""
    number = meld.number
    low, after = meld.low, meld.low + len(meld.cards)
    two_to_king = low == 1 and after == HIGH_ACE
    if card < FIRST_JOKER:
        if not two_to_king or meld.kind == "set":
            return [lay_off(card, number)]
        return [lay_off(card, number, None, "low"), lay_off(card, number, None, "high")]
    if meld.kind == "set":
        return [lay_off(card, number, RANK_ALONE + meld.which)]
    found = []
    if low > 0:
        found.append(lay_off(card, number, face_at(meld.which, low - 1), "low" if two_to_king else None))
    if after <= HIGH_ACE:
        found.append(lay_off(card, number, face_at(meld.which, after), "high" if two_to_king else None))
    return found


def _ways_to_meld(melds: list[Listed], owed: Card) -> list[tuple[Mask, int]]:
    """For each listed meld of three with this card: its other natural cards, and how many jokers it holds."""
    cards = [mask_of(move.cards) for _, move in melds if len(move.cards) == 3 and owed in move.cards]
    return [(mask & ~JOKERS & ~BITS[owed], (mask & JOKERS).bit_count()) for mask in cards]


def _leaves_payable(state: State, hand: Mask, move: Move, ways: list[tuple[Mask, int]]) -> bool:
    """Whether the obligation is paid by this move or can be paid after it (R5.2, R6.6).

    Most moves leave one of the ways to meld it untouched, which is quickly seen; the others are looked into.
    """
    owed = state.obligation
    assert owed is not None
    if isinstance(move, LayOff):
        if move.card == owed:
            return True
        used = BITS[move.card]
    else:
        assert isinstance(move, PlayMeld)
        if owed in move.cards:
            return True
        if state.owed_from:
            return False
        used = mask_of(move.cards)
    left = hand & ~used
    keep_one = keeps_one(state)
    if not keep_one or left.bit_count() > 3:
        jokers = (left & JOKERS).bit_count()
        for naturals, wild in ways:
            if not naturals & used and jokers >= wild:
                return True
    if isinstance(move, PlayMeld) and payable(owed, left, state.melds, keep_one=keep_one):
        return True
    return payable(owed, left, _melds_after(state, move), keep_one=keep_one)


def _melds_after(state: State, move: LayOff | PlayMeld) -> tuple[Meld, ...]:
    """The melds on the table after a listed move, for looking ahead only."""
    if isinstance(move, PlayMeld):
        return (*state.melds, meld_of(0, _reading(move), ()))
    meld = state.melds[move.meld - 1]
    low = move.end == "low" or (meld.kind == "run" and _goes_low(meld, move))
    return (*state.melds[: move.meld - 1], grown(meld, move.card, "low" if low else None), *state.melds[move.meld :])


def _goes_low(meld: Meld, move: LayOff) -> bool:
    face = move.name if move.name is not None else move.card % 52
    return move.end is None and meld.low > 0 and face == face_at(meld.which, meld.low - 1)


def _reading(move: PlayMeld) -> Reading:
    """The reading of a listed meld, whose cards stand in order."""
    names = dict(move.named)
    faces = [names.get(card, card % 52) for card in move.cards]
    natural = next(i for i, card in enumerate(move.cards) if card < FIRST_JOKER)
    other = 1 if natural == 0 else 0
    rank = faces[natural] % 13
    if faces[other] >= RANK_ALONE or faces[other] % 13 == rank:
        return Reading("set", rank, 0, move.cards)
    return Reading("run", faces[natural] // 13, faces[0] % 13, move.cards)


def _discards(state: State, seat: int, hand: Mask) -> list[Move]:
    cards = state.hands[seat]
    if len(cards) == 1:
        blocked = state.ruleset.final_discard == "unplayable" and takes_any(state.melds) & hand
        return [] if blocked else [DISCARDS[cards[0]]]
    if state.no_discard is None:
        return [DISCARDS[card] for card in cards]
    return [DISCARDS[card] for card in cards if card != state.no_discard]


# --- facts ---------------------------------------------------------------------------------------------------------


def pile_facts(state: State, seat: int) -> list[dict[str, object]]:
    """In the draw phase, for each card of the pile in order: may it be drawn, and what would pay it at once."""
    if seat not in state.waiting or state.phase != "draw":
        return []
    legal = set(_reachable(state, seat))
    count = len(state.pile)
    facts: list[dict[str, object]] = []
    for index, card in enumerate(state.pile):
        pays = _pays(state, seat, card) if card in legal else []
        facts.append(
            {
                "card": CARD_NAMES[card],
                "legal": card in legal,
                "takes": count - index,
                "pays": [move_json(move) for _, move in pays],
                "points": pays[0][0] if pays else 0,
            }
        )
    return facts


def _pays(state: State, seat: int, card: Card) -> list[tuple[int, Move]]:
    """The listed moves that would put the card on the table right after its draw, most points first."""
    after, _ = draw_pile(state, seat, card)
    if after.obligation is None:
        return []
    hand = after.held[seat]
    keep_one = keeps_one(after)
    count = hand.bit_count()
    found: list[tuple[int, Move]] = []
    if not keep_one or count > 1:
        found += [(_worth(after, move), move) for move in _lay_offs(after, BITS[card])]
    melds = listed_melds(after.ruleset.points, hand, card)
    found += [listed for listed in melds if card in listed[1].cards and (not keep_one or len(listed[1].cards) < count)]
    found.sort(key=_points, reverse=True)
    return found[:MOST_PAYS]


def _worth(state: State, move: LayOff) -> int:
    meld = state.melds[move.meld - 1]
    points = state.ruleset.points
    if meld.kind == "set":
        return points.put_in_set(move.card, meld.which)
    low = move.end == "low" or _goes_low(meld, move)
    return points.put_in_run(move.card, meld.low - 1 if low else meld.low + len(meld.cards))
