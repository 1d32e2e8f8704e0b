"""The players: each picks one of the listed moves by what its seat knows (the expert by `server.ai.plan`)."""

from collections.abc import Callable, Sequence

from server.ai.evaluate import danger
from server.ai.look import CALL, PASS, PILE, STOCK, TAKE_BACK, Option, Turn
from server.ai.plan import IMPOSSIBLE, best_plan, draw_values, pass_value, payment
from server.ai.putting import any_put, discard_of, highest, joker_put, next_put, simple_put
from server.ai.sight import Sight
from server.ai.simple import EASY, NORMAL, easy_discard, easy_draw, normal_discard, normal_draw

Weights = Sequence[float]


def random_pick(options: Sequence[Option], seed: bytes) -> int:
    """Any of the listed moves but a take-back, each as likely."""
    choices = [index for index, option in enumerate(options) if option.act != TAKE_BACK]
    return choices[int.from_bytes(seed, "big") % len(choices)]


# --- easy and normal -------------------------------------------------------------------------------------------------


def easy_pick(s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The easy player's move: the stock unless the pile's top pays well, down with everything, the highest away."""
    if turn.phase == "draw":
        return highest(options, lambda option: simple_draw(option, lambda depth: easy_draw(EASY, s, depth), 0.0))
    if turn.phase == "call":
        return highest(options, lambda option: simple_draw(option, lambda depth: easy_draw(EASY, s, depth), 0.0))
    put = simple_put(s, turn, options)
    if put >= 0:
        return put
    return discard_of(s, options, easy_discard(s.hand, s.spare, turn.forbid, s))


def normal_pick(s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The normal player's move: the pile where it pays, down with everything, nothing away that others can use."""
    if turn.phase in ("draw", "call"):
        return highest(options, lambda option: simple_draw(option, lambda depth: normal_draw(NORMAL, s, depth), 1.0))
    put = simple_put(s, turn, options)
    if put >= 0:
        return put
    return discard_of(s, options, normal_discard(NORMAL, s.hand, s.spare, turn.forbid, s))


def simple_draw(option: Option, judge: Callable[[int], float], passing: float) -> float:
    """What a draw, a call or a pass is worth to a player that judges pile draws by `judge(depth)`."""
    if option.act == STOCK:
        return judge(0)
    if option.act in (PILE, CALL):
        return judge(option.kind)
    return passing if option.act == PASS else IMPOSSIBLE


# --- the expert ------------------------------------------------------------------------------------------------------


def expert_pick(w: Weights, s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The expert's move by these weights."""
    if len(options) == 1:
        return 0
    if turn.phase == "draw":
        return highest(options, lambda option: expert_draw(w, s, option))
    if turn.phase == "call":
        return highest(options, lambda option: expert_call(w, s, option))
    must = max(0, turn.must)
    forced = payment(s.hand, s.spare, must, s) if must else 0
    if turn.must < 0 or (must and not forced):
        index = joker_put(s, options)
        return index if index >= 0 else simple_put(s, turn, options)
    _, put, kind = best_plan(w, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, must, turn.forbid, 0)
    index = next_put(s, forced, put, options)
    if index < 0 and must:
        index = any_put(options)
    if index < 0 and s.jokers and joker_time(w, s):
        index = joker_put(s, options)
    if index >= 0:
        return index
    return discard_of(s, options, kind)


def expert_draw(w: Weights, s: Sight, option: Option) -> float:
    """What a listed draw, or a pass on an empty stock, is worth."""
    if option.act == STOCK:
        return draw_values(w, s, 0)
    if option.act == PILE:
        return draw_values(w, s, option.kind)
    return pass_value(w, s) if option.act == PASS else IMPOSSIBLE


def expert_call(w: Weights, s: Sight, option: Option) -> float:
    """What calling a card of the pile, or passing, is worth."""
    if option.act == CALL:
        return draw_values(w, s, option.kind) - 3.0
    value, _, _ = best_plan(w, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, 0, -1, 1)
    return value


def joker_time(w: Weights, s: Sight) -> bool:
    """Whether jokers had better be put down than kept for another turn."""
    return danger(w, s, s.stock) > 0.3 or s.held <= s.jokers + 3
