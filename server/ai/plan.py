"""The expert's plans: what to draw, what to put down or keep, what to discard, each judged by `server.ai.evaluate`."""

from collections.abc import Sequence

from server.ai.evaluate import (
    BAIT,
    COMBO,
    DRAW_GAIN,
    END,
    HOLDS,
    LOOKS,
    PLAN_MEMO,
    REACH,
    SPOT,
    STOCK,
    STOCK_OUT,
    TAKE,
    THREAT,
    UNKNOWN,
    combo_value,
    danger,
    end_value,
    feed_value,
    hidden_chance,
    hold_value,
    reach_value,
    threat_value,
)
from server.ai.masks import (
    EVERY,
    KIND_BIT,
    KIND_MASK,
    LOW,
    completing,
    cover,
    lay_off_cards,
    low_aces,
    of_ranks,
    partners,
    rank_bit,
    run_cards,
    set_cards,
    set_spots,
    size,
    spots_down,
    spots_up,
    whole,
    worth,
)
from server.ai.sight import Sight

IMPOSSIBLE = -1e9
BIG = 18
"""A hand with more cards is thought about less, to keep to the time a move may take."""
SOME, FEW = 10, 4
"""How many discards are thought about."""
POINTS_DOWN = (15, 10, 9, 8, 7, 6, 5, 4, 3, 2)


def everything(hand: int, spare: int, s: Sight) -> int:
    """All of `hand` that can be put down now, melds before lay-offs or lay-offs before melds, whichever scores more."""
    melds = cover(hand, spare, s.pts)
    first = melds | lay_off_cards(hand & ~melds, s.up, s.down, s.fours)
    lays = lay_off_cards(hand, s.up, s.down, s.fours)
    if lays & melds == 0:
        return first
    second = lays | cover(hand & ~lays, spare, s.pts)
    return second if worth(second, s.pts) > worth(first, s.pts) else first


def payment(hand: int, spare: int, must: int, s: Sight) -> int:
    """The cards that pay the obligation `must` (a low place) and leave the best rest; 0 where natural cards can't."""
    if must & (s.up | s.down | s.fours):
        return whole(must)
    if whole(must) & (s.up | s.down | s.fours):
        return whole(must)
    lays = lay_off_cards(hand, s.up, s.down, s.fours)
    if must & lays:
        return lays
    best, most = paying_set(hand, spare, must, s)
    places = 2 if whole(must) != must else 1
    for place in range(places):
        at = must << 13 if place else must
        for low in range(3):
            window = (at << 2 | at << 1 | at) >> low
            if window & hand & EVERY == window:
                score = score_with(hand, spare, whole(window), s)
                if score > most:
                    most = score
                    best = whole(window)
    return best


def score_with(hand: int, spare: int, meld: int, s: Sight) -> int:
    """The points that `hand` can meld when it melds `meld` first."""
    return worth(meld | cover(hand & ~(meld & ~spare), spare, s.pts), s.pts)


def paying_set(hand: int, spare: int, must: int, s: Sight) -> tuple[int, int]:
    """The set with the card `must` that leaves the best rest, and the points of it all; (0, -1) for none."""
    here = of_ranks(rank_bit(must)) & hand
    if size(here) < 3:
        return 0, -1
    best = here
    most = score_with(hand, spare, here, s)
    others = here & LOW & ~must if size(here) == 4 else 0
    while others:
        bit = others & -others
        others ^= bit
        score = score_with(hand, spare, here & ~whole(bit), s)
        if score > most:
            most = score
            best = here & ~whole(bit)
    return best, most


def gain_of(put: int, spare: int, s: Sight) -> float:
    """The points that putting `put` down brings."""
    return gain_with(put, set_cards(put, spare, s.pts), s)


def gain_with(put: int, sets: int, s: Sight) -> float:
    """The points that putting `put` down brings, when `sets` of it are melded as sets."""
    runs = run_cards(put & ~sets)
    low = low_aces(sets, runs) & ~s.fours & ~(s.up >> 13)
    return worth(put, s.pts) - (15 - s.low_ace) * size(low)


def best_plan(
    w: Sequence[float],
    s: Sight,
    hand: int,
    spare: int,
    held: int,
    pile: Sequence[int],
    piled: int,
    stock: int,
    must: int,
    forbid: int,
    blind: int,
    memo: list[float],
) -> tuple[float, int, int]:
    """The best way to end the turn with `hand`: its value, the cards to put down, the kind to discard (-1 for none).

    `must` is the obligation's low place (0 for none), `forbid` a kind that may not be discarded. `blind` judges a
    hand to which an unknown card comes that is then discarded. `memo` is the choice's (`MEMO`).
    """
    local = [UNKNOWN] * PLAN_MEMO
    q = danger(w, s, stock, piled)
    forced = 0
    if must:
        forced = payment(hand, spare, must, s)
    rest = hand & ~(forced & ~spare)
    full = everything(rest, spare & ~forced, s)
    lays = lay_off_cards(rest, s.up, s.down, s.fours)
    best = IMPOSSIBLE
    best_put = forced
    best_kind = -1
    seen_put = -1
    all_down = w[HOLDS] == 0.0
    for option in range(4):
        if (all_down and option != 1) or (option > 1 and held > BIG):
            continue
        if option == 0:
            put = forced
        elif option == 1:
            put = forced | full
        elif option == 2:
            put = forced | lays
        else:
            put = forced | cover(rest, spare & ~forced, s.pts)
        if not all_down and option and put in (forced, seen_put):
            continue
        if option == 1:
            seen_put = put
        value, kind = plan_value(w, s, hand, spare, held, pile, piled, put, forbid, blind, q, 0, memo, local)
        if value > best:
            best = value
            best_put = put
            best_kind = kind
    return best, best_put, best_kind


def plan_value(
    w: Sequence[float],
    s: Sight,
    hand: int,
    spare: int,
    held: int,
    pile: Sequence[int],
    piled: int,
    put: int,
    forbid: int,
    blind: int,
    q: float,
    only: int,
    memo: list[float],
    local: list[float],
) -> tuple[float, int]:
    """The value of putting `put` down, and the kind best discarded then (-1 for none); `only` as in `best_discard`.

    `local` is the memo of this hand and pile (`PLAN_MEMO`).
    """
    sets = set_cards(put, spare, s.pts) if put else 0
    gained = gain_with(put, sets, s)
    rest = hand & ~put | spare & put
    left = held - size(put)
    if left <= 0 and s.out_by == 0:
        return end_value(w, s, gained), -1
    if left <= 0 and s.out_by == 2:
        return IMPOSSIBLE, -1
    up, down, fours = spots_after(s, put, sets)
    spots = whole(up | down | fours)
    base = gained
    if w[REACH] != 0.0:
        base += reach_value(w, s, rest, pile, piled, spots)
    if w[THREAT] != 0.0:
        base += threat_value(w, s, pile, piled, spots, local)
    if put:
        new = spots & ~whole(s.up | s.down | s.fours)
        base += w[SPOT] * size(new & s.unseen) * foes_chance(s)
    if left <= 0:
        return base + hold_value(w, s, 0, 0, 0, up, down, fours, q), -1
    if blind:
        return base + hold_value(w, s, rest, cover(rest, spare & ~put, s.pts), left, up, down, fours, q), -1
    if left == 1:
        last = first_kind(rest)
        if last != forbid or held == size(put) + 1:
            return end_value(w, s, gained), last
    value, kind = best_discard(
        w, s, rest, spare & ~put, left, up, down, fours, pile, piled, forbid, q, only, memo, local
    )
    return (base + value if kind >= 0 else IMPOSSIBLE), kind


def spots_after(s: Sight, put: int, sets: int) -> tuple[int, int, int]:
    """Where the table takes lay-offs once `put`, with `sets` as sets, is down: `up`, `down`, `fours`."""
    if put == 0:
        return s.up, s.down, s.fours
    runs = run_cards(put & ~sets)
    laid = put & ~sets & ~whole(runs)
    up = s.up | spots_up(runs) | (laid & s.up) << 1 & EVERY
    down = s.down | spots_down(runs) | (laid & s.down) >> 1 & EVERY
    return up, down, s.fours | set_spots(sets)


def foes_chance(s: Sight) -> float:
    """The chance that one given unseen card is in an opponent's hand."""
    foes = 0.0
    for seat in range(1, s.seats):
        if not s.friends[seat]:
            foes += hidden_chance(s, seat)
    return foes


def best_discard(
    w: Sequence[float],
    s: Sight,
    hand: int,
    spare: int,
    held: int,
    up: int,
    down: int,
    fours: int,
    pile: Sequence[int],
    piled: int,
    forbid: int,
    q: float,
    only: int,
    memo: list[float],
    local: list[float],
) -> tuple[float, int]:
    """The value of `hand` after its best discard, and the kind discarded (-1 where none may be).

    `only` names the one card (a low place) to think of; 0 leaves the choice.
    """
    best = IMPOSSIBLE
    best_kind = -1
    spots = whole(up | down | fours)
    melds = cover(hand, spare, s.pts)
    choices = only or discard_choices(hand, melds, FEW if held > BIG or w[HOLDS] == 0.0 else SOME, s)
    for kind in range(52):
        bit = KIND_BIT[kind]
        if not bit & choices or kind == forbid:
            continue
        after = hand & ~(KIND_MASK[kind] & ~spare)
        kept = cover(after, spare & ~KIND_MASK[kind], s.pts) if bit & melds else melds
        value = hold_value(w, s, after, kept, held - 1, up, down, fours, q)
        if bit & spots:
            value += feed_value(w, s, kind, spots)
        else:
            if memo[kind] == UNKNOWN:
                memo[kind] = feed_value(w, s, kind, 0)
            value += memo[kind]
        if w[COMBO] != 0.0:
            at = PLAN_MEMO - 52 + kind
            if local[at] == UNKNOWN:
                local[at] = combo_value(w, s, kind, pile, piled)
            value += local[at]
        if bit & completing(after):
            value += w[BAIT]
        if value > best:
            best = value
            best_kind = kind
    return best, best_kind


def first_kind(cards: int) -> int:
    """The lowest kind in `cards`, which may not be empty."""
    for kind in range(52):
        if KIND_BIT[kind] & cards:
            return kind
    return -1


def discard_choices(hand: int, melds: int, most: int, s: Sight) -> int:
    """The cards (low places) worth a thought as discards, at most `most`: those without a partner first, high first."""
    loose = hand & ~melds & LOW
    if size(loose) < 2:
        loose = hand & LOW
    if size(loose) <= most:
        return loose
    paired = partners(loose) & LOW
    chosen = 0
    left = most
    for cards in (loose & ~paired, paired):
        for points in POINTS_DOWN:
            rest = cards
            while rest and left:
                bit = rest & -rest
                rest ^= bit
                if worth(bit, s.pts) == points:
                    chosen |= bit
                    left -= 1
    return chosen


def draw_values(w: Sequence[float], s: Sight, depth: int, memo: list[float]) -> float:
    """The value of drawing the top `depth` cards of the pile (0: from the stock)."""
    if depth == 0:
        value, _, _ = best_plan(w, s, s.hand, s.spare, s.held, s.pile, s.piled, s.stock - 1, 0, -1, 1, memo)
        loose = s.hand & ~everything(s.hand, s.spare, s)
        outs = size(completing(loose) & s.unseen)
        hidden = s.hidden if s.hidden > 0 else 1
        if w[DRAW_GAIN] != 0.0 and s.held <= BIG:
            value += w[DRAW_GAIN] * hoped_points(s) / hidden
        return value + w[STOCK] + w[STOCK_OUT] * outs / hidden
    if w[LOOKS] and depth > w[LOOKS]:
        return IMPOSSIBLE
    hand = s.hand
    spare = s.spare
    held = s.held
    for place in range(s.piled - depth, s.piled):
        kind = s.pile[place]
        held += 1
        if kind < 52:
            spare |= hand & KIND_MASK[kind]
            hand |= KIND_MASK[kind]
    reached = s.pile[s.piled - depth]
    free = depth == 1 and not s.must_meld
    must = 0 if free or reached == 52 else KIND_BIT[reached]
    forbid = reached if free else -1
    value, _, _ = best_plan(w, s, hand, spare, held, s.pile, s.piled - depth, s.stock, must, forbid, 0, memo)
    return value + w[TAKE] * depth


def hoped_points(s: Sight) -> int:
    """The points that each unseen card would add to what the hand can put down, summed."""
    before = worth(everything(s.hand, s.spare, s), s.pts)
    total = 0
    cards = (completing(s.hand) | whole(s.up | s.down | s.fours)) & s.unseen & ~s.hand
    while cards:
        bit = cards & -cards
        cards ^= bit
        total += worth(everything(s.hand | whole(bit), s.spare, s), s.pts) - before
    return total


def pass_value(w: Sequence[float], s: Sight) -> float:
    """The value of passing on an empty stock, which ends the round."""
    return end_value(w, s, 0.0) - worth(s.hand, s.pts) - w[END]


def can_pay(s: Sight, depth: int) -> bool:
    """Whether the card `depth` cards down the pile could be put down at once with natural cards."""
    hand = s.hand
    for place in range(s.piled - depth, s.piled):
        kind = s.pile[place]
        if kind < 52:
            hand |= KIND_MASK[kind]
    reached = s.pile[s.piled - depth]
    if reached == 52:
        return False
    forced = payment(hand, s.spare, KIND_BIT[reached], s)
    return forced != 0 and (s.out_by != 2 or size(forced) < s.held + depth)
