"""How a choice of cards is put down: the listed move that is the next step of it; and the same for a discard."""

from collections.abc import Callable, Sequence

from server.ai.look import DISCARD, LAY, MELD, PASS, TAKE_BACK, Option, Turn
from server.ai.masks import EVERY, JOKER, KIND_BIT, cover, of_ranks, run_cards, set_cards, size, whole, worth
from server.ai.reference.plan import IMPOSSIBLE, everything, payment
from server.ai.sight import Sight


def highest(options: Sequence[Option], value: Callable[[Option], float]) -> int:
    """The index of the option of most value, the first of equals."""
    best = 0
    most = IMPOSSIBLE * 2
    for index, option in enumerate(options):
        worth_of = value(option)
        if worth_of > most:
            most = worth_of
            best = index
    return best


def simple_put(s: Sight, turn: Turn, options: Sequence[Option]) -> int:
    """The next thing to put down for a player that puts down all it can, -1 for nothing."""
    forced = payment(s.hand, s.spare, turn.must, s) if turn.must > 0 else 0
    rest = s.hand & ~(forced & ~s.spare)
    index = next_put(s, forced, everything(rest, s.spare & ~forced, s), options)
    if index < 0:
        index = joker_put(s, options)
    if index < 0 and turn.must:
        index = any_put(options)
    return index


def next_put(s: Sight, forced: int, planned: int, options: Sequence[Option]) -> int:
    """The listed move that puts down a part of the plan as a whole: the forced part first; -1 where none is left."""
    for put in (forced, planned):
        if put:
            index = part_of(s, put, options)
            if index >= 0:
                return index
    return -1


def part_of(s: Sight, put: int, options: Sequence[Option]) -> int:
    """The listed move, without jokers, that puts down a whole part of `put`: melds first, then lay-offs."""
    sets = set_cards(put, s.spare, s.pts)
    runs = run_cards(put & ~(sets & ~s.spare))
    fallback = -1
    for index, option in enumerate(options):
        if option.act != MELD or option.jokers or option.cards & ~put:
            continue
        if option.places:
            places = option.places
            if places & ~runs == 0 and not (places << 1 | places >> 1) & runs & ~places & EVERY:
                return index
        elif option.cards & sets == option.cards and size(of_ranks(rank_of(option.cards)) & sets) == size(option.cards):
            return index
        if fallback < 0:
            fallback = index
    melded = sets | whole(runs)
    other = -1
    for index, option in enumerate(options):
        if option.act == LAY and not option.jokers and option.cards & put:
            if not option.cards & melded:
                return index
            if other < 0:
                other = index
    return fallback if fallback >= 0 else other


def rank_of(cards: int) -> int:
    """The rank (13 bits) of the cards of a set."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & 0x1FFF


def joker_put(s: Sight, options: Sequence[Option]) -> int:
    """The listed move that puts a joker down with the most loose points, but breaks no meld; -1 for none."""
    if not s.jokers:
        return -1
    melds = cover(s.hand, s.spare, s.pts)
    best = -1
    most = 0.0
    for index, option in enumerate(options):
        if option.act in (MELD, LAY) and option.jokers:
            loose = option.cards & ~melds
            value = worth(loose, s.pts) - worth(option.cards & melds, s.pts) + 15.0 - 8.0 * (option.jokers - 1)
            if option.act == LAY:
                value -= 6.0
            if value > most:
                most = value
                best = index
    return best


def any_put(options: Sequence[Option]) -> int:
    """The first listed meld, else the first lay-off, else -1."""
    for act in (MELD, LAY):
        for index, option in enumerate(options):
            if option.act == act:
                return index
    return -1


def discard_of(s: Sight, options: Sequence[Option], kind: int) -> int:
    """The listed discard of this kind; where it isn't listed, the best other discard, else anything listed."""
    for index, option in enumerate(options):
        if option.act == DISCARD and option.kind == kind:
            return index
    loose = s.hand & ~cover(s.hand, s.spare, s.pts)

    def value(option: Option) -> float:
        if option.act == DISCARD:
            if option.kind == JOKER:
                return -20.0
            bit = KIND_BIT[option.kind]
            return worth(bit, s.pts) - (0.0 if bit & loose else 40.0)
        return IMPOSSIBLE if option.act in (TAKE_BACK, PASS) else -100.0

    return highest(options, value)
