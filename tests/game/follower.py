"""A client that knows the events alone, and keeps the view that they lead to."""

from typing import Any

Json = dict[str, Any]


def set_order(entry: Json) -> tuple[bool, int]:
    """Set melds list cards by suit, then jokers by number."""
    card = entry["card"]
    return (True, int(card[1])) if card[0] == "X" else (False, "CDHS".index(card[1]))


class Follower:
    """Holds these seats, hears their events in order, and shows the view as it must be now."""

    def __init__(self, seats: int, own: int) -> None:
        self.own = own
        self.view: Json = {"last_round": None, "result": None}
        self.seats: list[Json] = [{"seat": seat, "total": 0} for seat in range(seats)]
        self.drawn: list[str] = []

    def shown(self) -> Json:
        """The view."""
        turn = self.view["turn"]
        if turn is not None and turn["seat"] is not None and self.seats[turn["seat"]]["hand_count"] <= 1:
            turn = turn | {"no_discard": None}
        return self.view | {"turn": turn, "seats": self.seats}

    def hear(self, event: Json) -> None:
        """Takes in one event."""
        getattr(self, f"on_{event['type']}")(event)

    def on_round_started(self, event: Json) -> None:
        self.view |= {key: event[key] for key in ("round", "dealer", "stock_count")}
        self.view |= {"pile": list(event["pile"]), "melds": [], "call": None, "turn": None}
        for seat, count, hand in zip(self.seats, event["hand_counts"], event["hands"], strict=True):
            seat |= {"hand_count": count, "hand": hand and list(hand), "known": [], "table_points": 0}
            assert (hand is not None) == bool(self.own >> seat["seat"] & 1)

    def on_turn_started(self, event: Json) -> None:
        owed = self.view["call"] and self.view["call"]["won"]
        self.view["call"] = None
        self.turn(event["seat"], event["phase"], owed)

    def turn(self, seat: int | None, phase: str, owed: str | None = None, forbidden: str | None = None) -> None:
        """Sets the turn."""
        keys = ("seat", "phase", "obligation", "no_discard", "deadline")
        self.view["turn"] = dict(zip(keys, (seat, phase, owed, forbidden, None), strict=True))

    def on_drew(self, event: Json) -> None:
        seat = self.seats[event["seat"]]
        if event["from"] == "stock":
            self.view["stock_count"] -= 1
        else:
            self.take(seat, event["cards"])
        seat["hand_count"] += event["count"]
        if seat["hand"] is not None:
            seat["hand"] += event["cards"]
        self.turn(event["seat"], "play", event["obligation"], event["no_discard"])

    def take(self, seat: Json, cards: list[str]) -> None:
        """Cards of the pile that everyone sees the seat take."""
        assert self.view["pile"][-len(cards) :] == cards
        del self.view["pile"][-len(cards) :]
        seat["known"] += cards

    def lose(self, seat: Json, cards: list[str]) -> None:
        """Cards that leave a hand before everyone's eyes."""
        seat["hand_count"] -= len(cards)
        seat["known"] = [card for card in seat["known"] if card not in cards]
        if seat["hand"] is not None:
            assert set(cards) <= set(seat["hand"])
            seat["hand"] = [card for card in seat["hand"] if card not in cards]
        turn = self.view["turn"]
        for key in ("obligation", "no_discard"):
            if turn[key] in cards:
                turn[key] = None

    def on_took_back(self, event: Json) -> None:
        self.lose(self.seats[event["seat"]], event["cards"])
        self.view["pile"] += event["cards"]
        self.turn(event["seat"], "draw")

    def on_melded(self, event: Json) -> None:
        seat = self.seats[event["seat"]]
        self.lose(seat, [entry["card"] for entry in event["meld"]["cards"]])
        self.view["melds"].append({**event["meld"], "cards": list(event["meld"]["cards"])})
        seat["table_points"] = event["table_points"]

    def on_laid_off(self, event: Json) -> None:
        seat = self.seats[event["seat"]]
        self.lose(seat, [event["card"]])
        meld = next(meld for meld in self.view["melds"] if meld["id"] == event["meld_id"])
        entry = {"card": event["card"], "seat": event["seat"], "as": event["as"]}
        meld["cards"].insert(0 if event["end"] == "low" else len(meld["cards"]), entry)
        if event["end"] is None:
            meld["cards"].sort(key=set_order)
        seat["table_points"] = event["table_points"]

    def on_discarded(self, event: Json) -> None:
        self.lose(self.seats[event["seat"]], [event["card"]])
        self.view["pile"].append(event["card"])

    def on_floated(self, event: Json) -> None:
        assert self.seats[event["seat"]]["hand_count"] == 0

    def on_passed(self, _event: Json) -> None:
        assert self.view["stock_count"] == 0

    def on_call_opened(self, event: Json) -> None:
        self.turn(None, "call")
        self.view["call"] = {"callable": event["callable"], "waiting": list(event["waiting"]), "deadline": None}

    def on_answered(self, event: Json) -> None:
        self.view["call"]["waiting"].remove(event["seat"])

    def on_call_closed(self, event: Json) -> None:
        self.view["call"]["won"] = event["card"]
        if event["seat"] is None:
            return
        seat = self.seats[event["seat"]]
        self.take(seat, event["cards"])
        seat["hand_count"] += len(event["cards"])
        if seat["hand"] is not None:
            seat["hand"] += event["cards"]

    def on_round_ended(self, event: Json) -> None:
        self.view["last_round"] = {key: value for key, value in event.items() if key != "type"}
        for seat, score in zip(self.seats, event["scores"], strict=True):
            seat["total"] = score["total"]

    def on_game_ended(self, event: Json) -> None:
        self.view |= {
            "result": {key: value for key, value in event.items() if key != "type"},
            "turn": None,
            "call": None,
        }
