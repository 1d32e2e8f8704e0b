"""A game's state as a player's `Sight` and options, without the JSON between; by test the same as by the JSON."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.ai.look import (
    CALL,
    DISCARD,
    LAY,
    MELD,
    MOST_MELDS,
    PASS,
    PILE,
    STOCK,
    TAKE_BACK,
    Manner,
    Option,
    Turn,
    as_run,
    gather,
)
from server.ai.masks import JOKER, KIND_BIT, KIND_MASK, near
from server.ai.sight import Sight
from server.game import Event, Move, State
from server.game.events import CallClosed, Discarded, Drew, LaidOff, Melded, RoundStarted, TookBack
from server.game.moves import CallRummy, Discard, Draw, LayOff, Pass, PlayMeld

FIRST_JOKER = 104


def kind_of(card: int) -> int:
    """The kind of an engine's card."""
    return card % 52 if card < FIRST_JOKER else JOKER


KINDS = tuple(kind_of(card) for card in range(108))


class Watcher:
    """What all seats have seen of the round: the cards each seat has shown no interest in, and how it plays."""

    def __init__(self, seats: int) -> None:
        self.refused = [0] * seats
        self.manners = [Manner() for _ in range(seats)]
        self._pile: list[int] = []
        self._stock = 0

    def see(self, events: Sequence[Event]) -> None:
        """Takes note of what happened; the same as `server.ai.look` of the events' JSON."""
        for event in events:
            match event:
                case Discarded(seat, card):
                    self._pile.append(card)
                    self.refused[seat] |= near(KINDS[card])
                    self.manners[seat].discards()
                case Melded() | LaidOff():
                    self.manners[event.seat].puts()
                case Drew():
                    self._stock -= not event.from_pile
                    self.manners[event.seat].draws(event.from_pile, self._stock)
                    if event.from_pile:
                        del self._pile[-len(event.cards) :]
                    if self._pile and not (event.from_pile and len(event.cards) == 1):
                        self.refused[event.seat] |= near(KINDS[self._pile[-1]])
                case TookBack():
                    self._pile.extend(event.cards)
                case CallClosed():
                    if event.cards:
                        del self._pile[-len(event.cards) :]
                case RoundStarted():
                    self._pile = list(event.pile)
                    self._stock = event.stock_count
                    self.refused = [0] * len(self.refused)
                    self.manners = [Manner() for _ in self.refused]
                case _:
                    pass


def sight_of(state: State, seat: int, watcher: Watcher, options: Mapping[str, Any]) -> Sight:
    """What `seat` knows of the game."""
    n = state.seats
    order = [(seat + i) % n for i in range(n)]
    melds = []
    gone = []
    for meld in state.melds:
        kinds = []
        for index, card in enumerate(meld.cards):
            kind = KINDS[card]
            if kind != JOKER:
                gone.append(kind)
            elif meld.kind == "run":
                kind = meld.name_at(index) or 0
            kinds.append(kind)
        melds.append((meld.kind == "run", kinds))
    return gather(
        n,
        state.ruleset.packs_in_play,
        [KINDS[card] for card in state.hands[seat]],
        melds,
        gone,
        [KINDS[card] for card in state.pile],
        len(state.stock),
        [len(state.hands[i]) for i in order],
        [[KINDS[card] for card in state.known[i]] for i in order],
        [watcher.refused[i] for i in order],
        [state.totals[i] for i in order],
        [state.table[i] for i in order],
        options,
        watcher.manners[order[1]] if n == 2 else None,
    )


def turn_in(state: State, seat: int) -> Turn:
    """What `seat` is asked for."""
    must = forbid = -1
    if state.obligation is None:
        must = 0
    elif state.obligation < FIRST_JOKER:
        must = KIND_BIT[KINDS[state.obligation]]
    if state.no_discard is not None and len(state.hands[seat]) > 1:
        forbid = KINDS[state.no_discard]
    return Turn(state.phase, must, forbid)


def options_of(state: State, moves: Sequence[Move]) -> list[Option]:
    """The listed moves as options, in the same order."""
    found = []
    left = MOST_MELDS
    for move in moves:
        match move:
            case Discard(card):
                found.append(Option(DISCARD, KINDS[card]))
            case PlayMeld():
                left -= 1
                found.append(_meld(move) if left >= 0 else Option(TAKE_BACK))
            case LayOff():
                kind = KINDS[move.card]
                natural = kind != JOKER
                found.append(Option(LAY, kind, KIND_MASK[kind] if natural else 0, 0, 0 if natural else 1))
            case Draw(card):
                found.append(Option(STOCK) if card is None else Option(PILE, _depth(state, card)))
            case Pass():
                found.append(Option(PASS))
            case CallRummy(card):
                found.append(Option(CALL, _depth(state, card)))
            case _:
                found.append(Option(TAKE_BACK))
    return found


def _depth(state: State, card: int) -> int:
    return len(state.pile) - state.pile.index(card)


def _meld(move: PlayMeld) -> Option:
    cards = places = jokers = 0
    ranks = set()
    for card in move.cards:
        kind = KINDS[card]
        if kind == JOKER:
            jokers += 1
        else:
            cards |= KIND_MASK[kind]
            places |= KIND_BIT[kind]
            ranks.add(kind % 13)
    for _, name in move.named:
        if name < 52:
            places |= KIND_BIT[name]
            ranks.add(name % 13)
    return Option(MELD, -1, cards, as_run(places, ranks, move.ace), jokers)
