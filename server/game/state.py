"""The state of a game between two moves: immutable, and all that the rules need to go on."""

from dataclasses import dataclass
from typing import TypeVar

from server.game.cards import Card, Mask
from server.game.events import GameEnded, RoundEnded, result_json
from server.game.evolving import evolver
from server.game.melds import Meld
from server.game.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Call:
    """An open call (R6.5): who discarded, what may be called, and the secret answers so far (None: a pass)."""

    discarder: int
    callable: tuple[Card, ...]
    answers: tuple[tuple[int, Card | None], ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A game between two moves; tuples with one item a seat, the stock top first and the pile bottom first."""

    ruleset: Ruleset
    seats: int
    seed: bytes
    nonce: str
    totals: tuple[int, ...]
    round: int
    dealer: int
    phase: str  # draw, play, call, over
    turn_seat: int | None
    waiting: tuple[int, ...]
    stock: tuple[Card, ...]
    pile: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]  # in the order the cards came
    held: tuple[Mask, ...]  # the same hands as masks
    melds: tuple[Meld, ...]
    table: tuple[int, ...]  # points each seat put on the table this round
    known: tuple[tuple[Card, ...], ...]
    passed: tuple[Mask, ...]  # the cards each seat has passed on in this round's calls
    # this turn
    obligation: Card | None = None
    no_discard: Card | None = None
    taken: tuple[Card, ...] = ()  # what may still be taken back (R5.4)
    took_back: bool = False
    owed_from: Mask = 0  # the cards taken by a call, while the called one is owed (R6.6)
    began_empty: bool = False  # the turn began with the stock empty
    drew_stock: bool = False
    played: bool = False  # the turn brought a card to the table
    # turns in a row without progress (R6.3)
    idle_empty: int = 0
    idle: int = 0
    call: Call | None = None
    last_round: RoundEnded | None = None
    ended: GameEnded | None = None

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return self.phase == "over"

    @property
    def result(self) -> dict[str, object] | None:
        """The data of the end of the game, once it is over."""
        return None if self.ended is None else result_json(self.ended)


T = TypeVar("T")

evolve = evolver(State)
"""The state with these fields changed."""


def put(items: tuple[T, ...], seat: int, item: T) -> tuple[T, ...]:
    """The tuple with the item of one seat changed."""
    return (*items[:seat], item, *items[seat + 1 :])
