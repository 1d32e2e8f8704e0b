"""A second scorer, written from the rules' text and from the events alone (R2.3, R7.1, R7.2): for comparing."""

from typing import Any

Json = dict[str, Any]
ORDER = "A23456789TJQK"


def face_value(options: Json, rank: str) -> int:
    """Points of a natural card that is no low ace."""
    if rank == "A":
        return 15
    if rank in "TJQK":
        return 10
    return int(rank) if options["card_points"] == "face" else 5


def in_hand(options: Json, card: str) -> int:
    """Points of a card against its holder."""
    return 15 if card.startswith("X") else face_value(options, card[0])


def on_table(options: Json, meld: Json) -> list[tuple[int, int]]:
    """The seat and the points of each card of a meld."""
    found = []
    for place, entry in enumerate(meld["cards"]):
        stands_for = entry["as"] or entry["card"]
        points = face_value(options, stands_for[0])
        if meld["kind"] == "run" and stands_for[0] == "A" and place == 0:
            points = options["low_ace_points"]
        if entry["card"].startswith("X") and options["joker_points"] == "fifteen":
            points = 15
        found.append((entry["seat"], points))
    return found


class Scorer:
    """Follows the events of a game, as somebody who sees everything is told them, and keeps the score."""

    def __init__(self, options: Json, seats: int) -> None:
        self.options, self.seats = options, seats
        self.totals = [0] * seats
        self.rounds = 0
        self.melds: dict[str, Json] = {}
        self.ended = False

    def hear(self, event: Json) -> None:
        """Takes in one event; an AssertionError where its figures are not ours."""
        kind = event["type"]
        if kind == "round_started":
            assert not self.ended
            self.melds = {}
        elif kind == "melded":
            self.melds[event["meld"]["id"]] = event["meld"]
            assert event["points"] == sum(points for _, points in on_table(self.options, event["meld"]))
            assert event["table_points"] == self.table(event["seat"])
        elif kind == "laid_off":
            before = self.table(event["seat"])
            self.lay_off(event)
            assert event["table_points"] == self.table(event["seat"]) == before + event["points"]
        elif kind == "round_ended":
            self.end_round(event)
        elif kind == "game_ended":
            self.end_game(event)

    def lay_off(self, event: Json) -> None:
        """Adds the card to its meld, at the end that the event says."""
        cards = self.melds[event["meld_id"]]["cards"]
        entry = {"card": event["card"], "seat": event["seat"], "as": event["as"]}
        cards.insert(0 if event["end"] == "low" else len(cards), entry)

    def table(self, seat: int) -> int:
        """What the seat's cards on the table are worth."""
        pairs = [pair for meld in self.melds.values() for pair in on_table(self.options, meld)]
        return sum(points for owner, points in pairs if owner == seat)

    def end_round(self, event: Json) -> None:
        """Compares the scores of a round."""
        self.rounds += 1
        assert event["round"] == self.rounds
        for seat, score in enumerate(event["scores"]):
            dead = sum(in_hand(self.options, card) for card in event["hands"][seat])
            self.totals[seat] += self.table(seat) - dead
            wanted = {"seat": seat, "table": self.table(seat), "deadwood": dead, "score": self.table(seat) - dead}
            assert score == wanted | {"total": self.totals[seat]}
        self.ended = self.verdict() is not None

    def verdict(self) -> tuple[str, list[int]] | None:
        """How the game ends now, if it does."""
        sides = [[seat] for seat in range(self.seats)]
        if self.options["partners"]:
            sides = [list(range(0, self.seats, 2)), list(range(1, self.seats, 2))]
        ranked = sorted(((sum(self.totals[seat] for seat in side), side) for side in sides), reverse=True)
        best = [side for total, side in ranked if total == ranked[0][0]]
        winners = sorted(seat for side in best for seat in side)
        if ranked[0][0] >= self.options["target"] and len(best) == 1:
            return "target", winners
        return ("max_rounds", winners) if self.rounds >= self.options["max_rounds"] else None

    def end_game(self, event: Json) -> None:
        """Compares the result."""
        assert self.verdict() == (event["reason"], event["winners"])
        assert event["totals"] == self.totals
