"""What cards are worth in a hand and on the table (R2.3)."""

from dataclasses import dataclass
from functools import cache

from server.game.cards import ACE, FIRST_JOKER, Card

ACE_POINTS = 15
JOKER_POINTS = 15


@dataclass(frozen=True, slots=True, eq=False)  # one of each kind: told apart by identity, so quick to hash
class Points:
    """Tables of points: by card in a hand, by place in a run (0 the low ace … 13 the high one), by rank in a set."""

    in_hand: tuple[int, ...]
    in_run: tuple[int, ...]
    in_set: tuple[int, ...]
    joker: int | None  # None: what the card it stands for would score

    def put_in_run(self, card: Card, place: int) -> int:
        """Points of a card put at this place of a run."""
        if card >= FIRST_JOKER and self.joker is not None:
            return self.joker
        return self.in_run[place]

    def put_in_set(self, card: Card, rank: int) -> int:
        """Points of a card put in a set of this rank."""
        if card >= FIRST_JOKER and self.joker is not None:
            return self.joker
        return self.in_set[rank]

    def of_run(self, low: int, cards: tuple[Card, ...]) -> int:
        """Points of a whole run that begins at place `low`."""
        total = sum(self.in_run[low : low + len(cards)])
        if self.joker is not None:
            for place, card in enumerate(cards, low):
                if card >= FIRST_JOKER:
                    total += self.joker - self.in_run[place]
        return total

    def of_set(self, rank: int, cards: tuple[Card, ...]) -> int:
        """Points of a whole set."""
        return sum(self.put_in_set(card, rank) for card in cards)

    def of_hand(self, hand: tuple[Card, ...]) -> int:
        """The deadwood of a hand."""
        in_hand = self.in_hand
        return sum([in_hand[card] for card in hand])


@cache
def points_for(card_points: str, low_ace_points: int, joker_points: str) -> Points:
    """The tables of a ruleset, from its three options."""
    if card_points == "face":
        ranks = (ACE_POINTS, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
    else:
        ranks = (ACE_POINTS, *(5,) * 8, 10, 10, 10, 10)
    faces = ranks * 4
    return Points(
        in_hand=(*faces, *faces, *(JOKER_POINTS,) * 4),
        in_run=(low_ace_points, *ranks[ACE + 1 :], ACE_POINTS),
        in_set=ranks,
        joker=JOKER_POINTS if joker_points == "fifteen" else None,
    )
