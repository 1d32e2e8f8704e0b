"""A second engine for one round, slow and plain, written from the rules' text and sharing nothing with `server.game`.

Cards are their names, hands are lists, moves are JSON, and everything is tried out: whether an obligation can be paid,
by laying off whatever there is in every order; whether cards make a meld, by giving each joker every name. It is there
to confirm what the engine finds with masks.
"""

import copy
from dataclasses import dataclass, field
from itertools import combinations

from tests.game.reference_melds import Json, could_meld, extensions, listed_lay_offs, listed_melds, reaches, readings


@dataclass
class Round:
    """One round in progress, as far as its moves go."""

    options: Json
    seats: int
    hands: list[list[str]]
    stock: list[str]
    pile: list[str]
    melds: list[Json]
    turn: int
    phase: str = "draw"
    obligation: str | None = None
    no_discard: str | None = None
    taken: list[str] = field(default_factory=list)
    took_back: bool = False
    called: list[str] | None = None
    began_empty: bool = False
    drew_stock: bool = False
    played: bool = False
    idle_empty: int = 0
    idle: int = 0
    passed: list[set[str]] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)
    callable: list[str] = field(default_factory=list)
    answers: dict[int, str | None] = field(default_factory=dict)
    over: str | None = None

    def hand(self) -> list[str]:
        return self.hands[self.turn]

    def after(self, seat: int, move: Json) -> "Round":
        """The round after a legal move."""
        new = copy.deepcopy(self)
        new._make(seat, move)
        return new

    # --- what is legal ---------------------------------------------------------------------------------------------

    def allows(self, seat: int, move: Json) -> bool:
        """Whether the seat may make this well-formed move."""
        if self.over or seat not in (self.waiting if self.phase == "call" else [self.turn]):
            return False
        kind = move["type"]
        if self.phase == "draw":
            return self._allows_draw(move) if kind == "draw" else kind == "pass" and not self.stock
        if self.phase == "call":
            return kind == "pass" or (
                kind == "call_rummy" and move["card"] in self.callable and self._can_call(seat, move["card"])
            )
        if kind == "take_back":
            return bool(self.taken) and not self.took_back
        if kind == "discard":
            return self._allows_discard(move["card"])
        return kind in ("meld", "lay_off") and self._allows_play(move)

    def _allows_draw(self, move: Json) -> bool:
        if move["from"] == "stock":
            return bool(self.stock)
        if move["card"] not in self.pile:
            return False
        taken = self.pile[self.pile.index(move["card"]) :]
        top = len(taken) == 1
        if not top and self.options["pile_depth"] == "top":
            return False
        return (top and not self._owes_top()) or self._payable(move["card"], [*self.hand(), *taken], self.melds)

    def _owes_top(self) -> bool:
        floats = self.options["going_out"] == "float" and not self.hand()
        return self.options["top_discard"] == "must_meld" or floats

    def _allows_discard(self, card: str) -> bool:
        hand = self.hand()
        if card not in hand or self.obligation:
            return False
        if len(hand) > 1:
            return card != self.no_discard
        return self.options["final_discard"] == "any" or not any(
            extensions(meld, card, None, None) for meld in self.melds
        )

    def _allows_play(self, move: Json) -> bool:
        result = self._played_cards(move)
        if result is None:
            return False
        used, melds = result
        hand = [card for card in self.hand() if card not in used]
        if self.options["going_out"] == "discard" and not hand:
            return False
        if not self.obligation:
            return True
        if self.called is not None:
            return self.obligation in used and all(card in self.called for card in used)
        return self.obligation in used or self._payable(self.obligation, hand, melds)

    def _played_cards(self, move: Json) -> tuple[list[str], list[Json]] | None:
        """The cards a meld or lay-off uses and the melds after it; None where it is no such thing."""
        if move["type"] == "meld":
            used = [text.split("=")[0] for text in move["cards"]]
            found = readings(tuple(move["cards"]), move.get("ace"))
            if not set(used) <= set(self.hand()) or len(found) != 1:
                return None
            return used, [*self.melds, found[0]]
        card, _, name = move["card"].partition("=")
        index = int(move["meld"][1:]) - 1
        if card not in self.hand() or not 0 <= index < len(self.melds):
            return None
        grown = extensions(self.melds[index], card, name or None, move.get("end"))
        return ([card], [*self.melds[:index], grown[0], *self.melds[index + 1 :]]) if len(grown) == 1 else None

    def _payable(self, card: str, hand: list[str], melds: list[Json]) -> bool:
        """R5.2 by trying: three cards that meld, or lay-offs on one meld in any order that end with the card."""
        keep = 1 if self.options["going_out"] == "discard" else 0
        others = [other for other in hand if other != card]
        if len(hand) >= 3 + keep and any(could_meld((card, *pair)) for pair in combinations(others, 2)):
            return True
        return any(reaches(meld, card, tuple(others), len(hand) - keep) for meld in melds)

    def _can_call(self, seat: int, card: str) -> bool:
        """Whether the call could be paid; only an empty hand that must keep a card makes that a question."""
        if self.options["going_out"] != "discard" or self.hands[seat]:
            return True
        taken = self.pile[self.pile.index(card) :]
        if len(taken) > 1 and any(extensions(meld, card, None, None) for meld in self.melds):
            return True
        return len(taken) > 3 and any(could_meld((card, *pair)) for pair in combinations(taken[1:], 2))

    # --- what is listed --------------------------------------------------------------------------------------------

    def listed(self, seat: int) -> list[Json]:
        """The listed moves of a seat, in no particular order."""
        tries: list[Json] = [{"type": "pass"}, {"type": "take_back"}, {"type": "draw", "from": "stock"}]
        tries += [{"type": "draw", "from": "pile", "card": card} for card in self.pile]
        tries += [{"type": "call_rummy", "card": card} for card in self.callable]
        tries += [{"type": "discard", "card": card} for card in self.hands[seat]]
        for number, meld in enumerate(self.melds, 1):
            for card in self.hands[seat]:
                tries += listed_lay_offs(meld, f"m{number}", card)
        if self.phase == "play":
            tries += listed_melds(self.called if self.called is not None else self.hands[seat], self.obligation)
        return [move for move in tries if self.allows(seat, move)]

    # --- what happens ----------------------------------------------------------------------------------------------

    def _make(self, seat: int, move: Json) -> None:
        kind = move["type"]
        if self.phase == "call":
            self._answer(seat, move.get("card"))
        elif kind == "pass":
            self.over = "pass"
        elif kind == "draw":
            self._draw(move)
        elif kind == "take_back":
            count = len(self.taken)
            self.pile += self.taken
            del self.hand()[-count:]
            self.phase, self.took_back, self.obligation, self.no_discard, self.taken = "draw", True, None, None, []
        elif kind == "discard":
            self.hand().remove(move["card"])
            self.pile.append(move["card"])
            self._end_turn(floats=False)
        else:
            played = self._played_cards(move)
            assert played is not None
            used, self.melds = played
            for card in used:
                self.hand().remove(card)
            self.played, self.taken = True, []
            if self.obligation in used:
                self.obligation, self.called = None, None
            if self.no_discard in used:
                self.no_discard = None
            if not self.hand():
                if self.options["going_out"] == "float":
                    self._end_turn(floats=True)
                else:
                    self.over = "out"

    def _draw(self, move: Json) -> None:
        self.phase = "play"
        if move["from"] == "stock":
            self.hand().append(self.stock.pop(0))
            self.drew_stock = True
            return
        owes = self._owes_top()
        at = self.pile.index(move["card"])
        self.taken = self.pile[at:]
        del self.pile[at:]
        if len(self.taken) > 1 or owes:
            self.obligation = move["card"]
        else:
            self.no_discard = move["card"]
        self.hand().extend(self.taken)

    def _end_turn(self, *, floats: bool) -> None:
        self.idle_empty = self.idle_empty + 1 if self.began_empty and not self.played else 0
        self.idle = self.idle + 1 if not self.played and not self.drew_stock else 0
        if not floats and not self.hand():
            self.over = "out"
        elif self.idle_empty == self.seats or self.idle == 4 * self.seats:
            self.over = "stalemate"
        elif floats or not self._ask():
            self._next(self.turn + 1)

    def _ask(self) -> bool:
        if not self.options["call_rummy"] or self.seats < 3:
            return False
        self.callable = [card for at, card in enumerate(self.pile) if self._plays_alone(card, self.pile[at + 1 :])]
        asked = [seat for seat in range(self.seats) if seat != self.turn and set(self.callable) - self.passed[seat]]
        self.waiting, self.answers = asked, {}
        if asked:
            self.phase, self.taken, self.no_discard = "call", [], None
        else:
            self.callable = []
        return bool(asked)

    def _plays_alone(self, card: str, above: list[str]) -> bool:
        goes_on = any(extensions(meld, card, None, None) for meld in self.melds)
        return goes_on or any(could_meld((card, *pair)) for pair in combinations(above, 2))

    def _answer(self, seat: int, card: str | None) -> None:
        self.answers[seat] = card
        self.waiting.remove(seat)
        if card is None:
            self.passed[seat] |= set(self.callable)
        if self.waiting:
            return
        answers, self.answers, self.callable = self.answers, {}, []
        for step in range(1, self.seats):
            caller = (self.turn + step) % self.seats
            called = answers.get(caller)
            if called is not None:
                self._next(caller)
                at = self.pile.index(called)
                self.called = self.pile[at:]
                del self.pile[at:]
                self.hand().extend(self.called)
                self.phase, self.obligation, self.over = "play", called, None
                self.began_empty = False
                return
        self._next(self.turn + 1)

    def _next(self, seat: int) -> None:
        self.turn = seat % self.seats
        self.phase, self.obligation, self.no_discard, self.taken, self.took_back = "draw", None, None, [], False
        self.called, self.drew_stock, self.played = None, False, False
        self.began_empty = not self.stock
        if not self.stock and (self.options["stock_exhausted"] == "end" or not self.pile):
            self.over = "stock"
