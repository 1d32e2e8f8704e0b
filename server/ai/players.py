"""The players: each picks one of the listed moves by what its seat knows (the expert by `server.ai.plan`)."""

from collections.abc import Callable, Sequence

from server.ai.evaluate import HOLDS, MEMO, UNKNOWN, danger
from server.ai.look import CALL, PASS, PILE, STOCK, TAKE_BACK, Option, Turn
from server.ai.masks import JOKER, KIND_MASK, worth
from server.ai.plan import BIG, IMPOSSIBLE, best_plan, draw_values, everything, pass_value, payment
from server.ai.putting import any_put, discard_of, highest, joker_put, next_put, simple_put
from server.ai.sight import Sight
from server.ai.simple import EASY, easy_discard, easy_draw

Weights = Sequence[float]
PILE_LOOKS = ((3, 1), (6, 3))
"""How many pile draws the normal player and the expert judge with care: with a hand as usual, and with a big one."""


def random_pick(options: Sequence[Option], seed: bytes) -> int:
    """Any of the listed moves but a take-back, each as likely."""
    choices = [index for index, option in enumerate(options) if option.act != TAKE_BACK]
    return choices[int.from_bytes(seed, "big") % len(choices)]


# --- easy -------------------------------------------------------------------------------------------------


def easy_pick(s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The easy player's move: the stock unless the pile's top pays well, down with everything, the highest away."""
    if turn.phase == "draw":
        return highest(options, lambda option: simple_draw(option, lambda depth: easy_draw(EASY, s, depth), 0.0))
    if turn.phase == "call":
        return highest(options, lambda option: simple_draw(option, lambda depth: easy_draw(EASY, s, depth), 0.0))
    put = simple_put(s, turn, options)
    if put >= 0:
        return put
    return discard_of(s, options, easy_discard(s.hand, turn.forbid, s))


def simple_draw(option: Option, judge: Callable[[int], float], passing: float) -> float:
    """What a draw, a call or a pass is worth to a player that judges pile draws by `judge(depth)`."""
    if option.act == STOCK:
        return judge(0)
    if option.act in (PILE, CALL):
        return judge(option.kind)
    return passing if option.act == PASS else IMPOSSIBLE


# --- normal and expert ------------------------------------------------------------------------------------------------


def planned_pick(w: Weights, s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The move of a player that plans by `server.ai.plan` with these weights: the normal one and the expert."""
    if len(options) == 1:
        return 0
    memo = [UNKNOWN] * MEMO
    if turn.phase != "play":
        chosen = worth_a_look(w, s, options)
        return highest(
            options, lambda option: draw_worth(w, s, turn, option, memo) if option in chosen else IMPOSSIBLE * 3
        )
    must = max(0, turn.must)
    forced = payment(s.hand, s.spare, must, s) if must else 0
    if turn.must < 0 or (must and not forced):
        index = joker_put(s, options)
        return index if index >= 0 else simple_put(s, turn, options)
    _, put, kind = best_plan(w, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, must, turn.forbid, 0, memo)
    index = next_put(s, forced, put, options)
    if index < 0 and must:
        index = any_put(options)
    if index < 0 and s.jokers and joker_time(w, s):
        index = joker_put(s, options)
    if index >= 0:
        return index
    return discard_of(s, options, kind)


def worth_a_look(w: Weights, s: Sight, options: Sequence[Option]) -> list[Option]:
    """The draws to judge with care: all but pile cards, and of these the few that bring most points at once."""
    others = [option for option in options if option.act not in (PILE, CALL)]
    pile = [option for option in options if option.act in (PILE, CALL)]
    most = PILE_LOOKS[w[HOLDS] != 0.0][s.held > BIG]
    if len(pile) <= most:
        return others + pile
    spread = 2 * most + 2
    if len(pile) > spread:
        pile = pile[:most] + [pile[-1 - (len(pile) - most) * i // (spread - most)] for i in range(spread - most)]
    ranked = sorted(pile, key=lambda option: -quick_gain(s, option.kind))
    return others + ranked[:most]


def quick_gain(s: Sight, depth: int) -> int:
    """The points that could be put down after taking `depth` cards of the pile, less some of what is left over."""
    hand, spare = s.hand, s.spare
    for kind in s.pile[s.piled - depth :]:
        if kind < JOKER:
            spare |= hand & KIND_MASK[kind]
            hand |= KIND_MASK[kind]
    put = everything(hand, spare, s)
    return 4 * worth(put, s.pts) - worth(hand & ~put, s.pts)


def draw_worth(w: Weights, s: Sight, turn: Turn, option: Option, memo: list[float]) -> float:
    """What a listed draw or call, or a pass on either, is worth."""
    if option.act == STOCK:
        return draw_values(w, s, 0, memo)
    if option.act == PILE:
        return draw_values(w, s, option.kind, memo)
    if option.act == CALL:
        return draw_values(w, s, option.kind, memo) - 3.0
    if option.act != PASS:
        return IMPOSSIBLE
    if turn.phase == "draw":
        return pass_value(w, s)
    return best_plan(w, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock, 0, -1, 1, memo)[0]


def joker_time(w: Weights, s: Sight) -> bool:
    """Whether jokers had better be put down than kept for another turn."""
    return danger(w, s, s.stock, s.piled) > 0.3 or s.held <= s.jokers + 3
