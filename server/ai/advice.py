"""Advice to people: the expert's move with its reason, and what another move costs by what the seat knew."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.ai.choice import choose
from server.ai.evaluate import MEMO, PLAN_MEMO, UNKNOWN, danger
from server.ai.look import CALL, DISCARD, LAY, MELD, PASS, PILE, STOCK, Option, Turn, listed, look, turn_of
from server.ai.masks import JOKER, KIND_BIT, KIND_MASK, cover, lay_off_cards, size, whole, worth
from server.ai.plan import IMPOSSIBLE, everything, plan_value
from server.ai.players import Weights, draw_worth
from server.ai.sight import Sight
from server.ai.weights import weights_for

Json = dict[str, Any]


def hint(view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], legal: Sequence[Json], seed: bytes) -> Json:
    """The expert's move and why: `{"move", "reason": {"code", "params"}}`; the arguments are those of `choose`."""
    move = choose("expert", view, events, legal, seed)
    return {"move": move, "reason": reason_for(view, events, legal, move)}


def review_turn(
    view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], legal: Sequence[Json], made_move: Json, seed: bytes
) -> Json:
    """What the expert would have done instead of `made_move`: `{"best", "loss", "reason"}`.

    `loss` is in points, 0 or more, by what the seat knew then. A move that was legal but not listed is judged as the
    listed move it comes nearest to.
    """
    best = choose("expert", view, events, legal, seed)
    reason = reason_for(view, events, legal, best)
    made = nearest(legal, made_move)
    if made is None or legal[made] == best:
        return {"best": best, "loss": 0.0, "reason": reason}
    sight = look(view, events)
    turn = turn_of(view)
    options = listed(view, legal)
    w = weights_for(sight)
    better, worse = options[legal.index(best)], options[made]
    loss = move_value(w, sight, turn, better) - move_value(w, sight, turn, worse)
    loss = max(loss, (broken_points(sight, worse) - broken_points(sight, better)) / 2)
    return {"best": best, "loss": round(max(0.0, min(loss, 500.0)), 1), "reason": reason}


def memos() -> tuple[list[float], list[float]]:
    """A choice's memo and a plan's, with nothing in them."""
    return [UNKNOWN] * MEMO, [UNKNOWN] * PLAN_MEMO


def nearest(legal: Sequence[Json], move: Json) -> int | None:
    """The index of the listed move that is `move`, or comes nearest to it; None where none is of its type."""
    for index, candidate in enumerate(legal):
        if candidate == move:
            return index
    best = None
    most = -1
    cards = set(_cards(move))
    for index, candidate in enumerate(legal):
        if candidate["type"] == move["type"]:
            common = len(cards & set(_cards(candidate))) * 2 - len(set(_cards(candidate)))
            if common > most:
                most = common
                best = index
    return best


def _cards(move: Json) -> list[str]:
    """The cards a move names, copies and what jokers stand for left out."""
    names: list[str] = move.get("cards") or ([move["card"]] if "card" in move else [])
    return [name.partition("=")[0][:2] for name in names]


def move_value(w: Weights, s: Sight, turn: Turn, option: Option) -> float:
    """What a listed move is worth by the expert's judgement, when the rest of the turn is played best."""
    if turn.phase in ("draw", "call"):
        return draw_worth(w, s, turn, option, [UNKNOWN] * MEMO)
    q = danger(w, s, s.stock, s.piled)
    if option.act == DISCARD:
        return discard_value(w, s, option.kind, q)
    if option.act not in (MELD, LAY):
        return IMPOSSIBLE
    forced = option.cards
    bonus = 15.0 * option.jokers
    rest = s.hand & ~(forced & ~s.spare)
    held = s.held - option.jokers
    best = IMPOSSIBLE
    full = everything(rest, s.spare & ~forced, s)
    lays = lay_off_cards(rest, s.up, s.down, s.fours)
    for put in (forced, forced | full, forced | lays):
        value, _ = plan_value(w, s, s.hand, s.spare, held, s.pile, s.piled, put, turn.forbid, 0, q, 0, *memos())
        best = max(best, value)
    return best + bonus


def discard_value(w: Weights, s: Sight, kind: int, q: float) -> float:
    """What ending the turn by discarding a card of this kind is worth."""
    if kind == JOKER:
        return -100.0
    value, _ = plan_value(w, s, s.hand, s.spare, s.held, s.pile, s.piled, 0, -1, 0, q, KIND_BIT[kind], *memos())
    return value


def broken_points(s: Sight, option: Option) -> int:
    """The points of held melds that a discard breaks; half of them is the least that breaking them costs."""
    if option.act != DISCARD or option.kind == JOKER or KIND_BIT[option.kind] & s.spare:
        return 0
    rest = s.hand & ~KIND_MASK[option.kind]
    return worth(cover(s.hand, s.spare, s.pts), s.pts) - worth(cover(rest, s.spare, s.pts), s.pts)


def reason_for(view: Mapping[str, Any], events: Sequence[Mapping[str, Any]], legal: Sequence[Json], move: Json) -> Json:
    """Why the expert makes `move`, as `{"code", "params"}`; the codes are listed in docs/cpu-players.md."""
    sight = look(view, events)
    option = listed(view, legal)[legal.index(move)]
    if len(legal) == 1:
        return _reason("only_move")
    if option.act == STOCK:
        return _reason("draw_unseen", hidden=sight.hidden)
    if option.act in (PILE, CALL):
        return pile_reason(sight, move, option)
    if option.act == PASS:
        return _reason("end_round" if view["turn"]["phase"] == "draw" else "not_worth_calling")
    if option.act in (MELD, LAY):
        return put_reason(view, sight, move, option)
    return discard_reason(sight, option, move)


def pile_reason(s: Sight, move: Json, option: Option) -> Json:
    """Why to take from the pile, or to call a card of it."""
    hand, spare = s.hand, s.spare
    for kind in s.pile[s.piled - option.kind :]:
        if kind != JOKER:
            spare |= hand & KIND_MASK[kind]
            hand |= KIND_MASK[kind]
    gain = worth(everything(hand, spare, s), s.pts) - worth(everything(s.hand, s.spare, s), s.pts)
    code = "call_gains" if option.act == CALL else "pile_gains" if gain > 0 else "pile_builds"
    return _reason(code, card=move["card"], takes=option.kind, points=gain)


def put_reason(view: Mapping[str, Any], s: Sight, move: Json, option: Option) -> Json:
    """Why to put cards down."""
    points = worth(option.cards, s.pts) + 15 * option.jokers
    owed = view["turn"]["obligation"]
    if owed is not None and owed in _names(move):
        return _reason("pay_obligation", card=owed)
    if s.held - size(everything(s.hand, s.spare, s)) - s.jokers <= 1:
        return _reason("go_out", points=points)
    if danger(weights_for(s), s, s.stock, s.piled) > 0.5:
        return _reason("round_may_end", points=points, stock=s.stock, fewest=min(s.counts[1:]))
    return _reason("score_now", points=points)


def _names(move: Json) -> list[str]:
    names = move.get("cards") or [move["card"]]
    return [name.partition("=")[0] for name in names]


def discard_reason(s: Sight, option: Option, move: Json) -> Json:
    """Why to discard this card."""
    kept = cover(s.hand, s.spare, s.pts)
    if s.held == 1:
        return _reason("go_out", points=0)
    if option.kind != JOKER and KIND_BIT[option.kind] & whole(s.up | s.down | s.fours):
        return _reason("lesser_evil", card=move["card"])
    if kept:
        return _reason("keep_melds_back", card=move["card"], points=worth(kept, s.pts))
    return _reason("least_needed", card=move["card"])


def _reason(code: str, **params: Any) -> Json:
    return {"code": code, "params": params}
