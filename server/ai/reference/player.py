"""The frozen expert's choice among the listed moves."""

from collections.abc import Sequence

from server.ai.look import CALL, PASS, PILE, STOCK, Option, Turn
from server.ai.reference.evaluate import danger
from server.ai.reference.plan import IMPOSSIBLE, best_plan, draw_values, pass_value, payment
from server.ai.reference.putting import any_put, discard_of, highest, joker_put, next_put, simple_put
from server.ai.sight import Sight

WEIGHTS = (
    1.0,
    -1.6,
    0.9,
    -1.6,
    -0.3,
    -1.0,
    -0.05,
    -1.0,
    0.6,
    -0.6,
    0.0,
    0.0,
    0.12,
    -0.5,
    -4.0,
    0.5,
    -0.15,
    -2.0,
    0.6,
    5.0,
    1.5,
    1.0,
    0.5,
    4.0,
    15.0,
    0.0,
    15.0,
    -30.0,
    2.0,
    0.0,
    0.0,
    0.3,
)
"""Written by hand; the indices are those of `server.ai.reference.evaluate`."""


def reference_pick(s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The frozen expert's move."""
    if len(options) == 1:
        return 0
    if turn.phase == "draw":
        return highest(options, lambda option: reference_draw(s, option))
    if turn.phase == "call":
        return highest(options, lambda option: reference_call(s, option))
    must = max(0, turn.must)
    forced = payment(s.hand, s.spare, must, s) if must else 0
    if turn.must < 0 or (must and not forced):
        index = joker_put(s, options)
        return index if index >= 0 else simple_put(s, turn, options)
    _, put, kind = best_plan(WEIGHTS, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, must, turn.forbid, 0)
    index = next_put(s, forced, put, options)
    if index < 0 and must:
        index = any_put(options)
    if index < 0 and s.jokers and joker_time(s):
        index = joker_put(s, options)
    if index >= 0:
        return index
    return discard_of(s, options, kind)


def reference_draw(s: Sight, option: Option) -> float:
    """What a listed draw, or a pass on an empty stock, is worth."""
    if option.act == STOCK:
        return draw_values(WEIGHTS, s, 0)
    if option.act == PILE:
        return draw_values(WEIGHTS, s, option.kind)
    return pass_value(WEIGHTS, s) if option.act == PASS else IMPOSSIBLE


def reference_call(s: Sight, option: Option) -> float:
    """What calling a card of the pile, or passing, is worth."""
    if option.act == CALL:
        return draw_values(WEIGHTS, s, option.kind) - 3.0
    value, _, _ = best_plan(WEIGHTS, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, 0, -1, 1)
    return value


def joker_time(s: Sight) -> bool:
    """Whether jokers had better be put down than kept for another turn."""
    return danger(WEIGHTS, s, s.stock) > 0.3 or s.held <= s.jokers + 3
