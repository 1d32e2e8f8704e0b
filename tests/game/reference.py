"""A second engine for one round, slow and plain, written from the rules' text and sharing nothing with `server.game`.

Cards are their names, hands are lists, moves are JSON, and everything is tried out: whether an obligation can be paid,
by laying off whatever there is in every order; whether cards make a meld, by giving each joker every name. It is there
to confirm what the engine finds with masks.
"""

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

Json = dict[str, Any]
RANKS, SUITS = "A23456789TJQK", "CDHS"
PLACES = "A23456789TJQKA"  # of a run: the ace below the 2 and above the K


def is_joker(card: str) -> bool:
    return card[0] == "X"


def face(card: str) -> str:
    return card[:2]


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
        return any(_reaches(meld, card, tuple(others), len(hand) - keep) for meld in melds)

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
        self.callable = []
        for step in range(1, self.seats):
            caller = (self.turn + step) % self.seats
            called = self.answers.get(caller)
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


def _reaches(meld: Json, card: str, hand: tuple[str, ...], at_most: int) -> bool:
    """Whether the card can be laid off on this meld after others of the hand, with so many cards in all at most."""
    if at_most < 1:
        return False
    if extensions(meld, card, None, None):
        return True
    for other in hand:
        rest = tuple(left for left in hand if left != other)
        if any(_reaches(grown, card, rest, at_most - 1) for grown in extensions(meld, other, None, None)):
            return True
    return False


# --- melds ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=200_000)
def readings(texts: tuple[str, ...], ace: str | None) -> list[Json]:
    """Every reading of the cards as a meld, each joker given every name it may have."""
    cards = [text.split("=")[0] for text in texts]
    naturals = [card for card in cards if not is_joker(card)]
    if len(cards) < 3 or not naturals:
        return []
    suit, rank = naturals[0][1], naturals[0][0]
    found: list[Json] = []
    names = [_names(text, rank + suit) for text in texts]
    if ace is None and len(cards) <= 4 and all(rank in choice for choice in names):
        suits = [card[1] for card in naturals]
        if len(set(suits)) == len(suits) and all(card[0] == rank for card in naturals):
            found.append({"kind": "set", "cards": list(zip(cards, [rank] * len(cards), strict=True))})
    for low in range(14):
        for high in range(low + 2, min(low + 12, 13) + 1):
            if high - low + 1 != len(cards) or (ace == "low" and low != 0) or (ace == "high" and high != 13):
                continue
            wanted = [PLACES[place] + suit for place in range(low, high + 1)]
            found += [
                {"kind": "run", "low": low, "cards": list(zip(filled, wanted, strict=True))}
                for filled in _fillings(cards, names, wanted)
            ]
    return found


def _names(text: str, like: str) -> list[str]:
    card, _, name = text.partition("=")
    if name:
        return [name]
    if not is_joker(card):
        return [face(card), card[0]]
    return [like[0], *(rank + like[1] for rank in RANKS)]


def _fillings(cards: list[str], names: list[list[str]], wanted: list[str]) -> Iterator[tuple[str, ...]]:
    """The ways to put the cards in the wanted places, one each."""
    if not wanted:
        yield ()
        return
    for i, card in enumerate(cards):
        if wanted[0] in names[i]:
            for rest in _fillings(cards[:i] + cards[i + 1 :], names[:i] + names[i + 1 :], wanted[1:]):
                yield (card, *rest)


@lru_cache(maxsize=200_000)
def could_meld(cards: tuple[str, ...]) -> bool:
    return bool(readings(cards, None))


def extensions(meld: Json, card: str, name: str | None, end: str | None) -> list[Json]:
    """The melds that laying the card off here can give."""
    cards = meld["cards"]
    if meld["kind"] == "set":
        rank = cards[0][1]
        suits = {held[1] for held, _ in cards if not is_joker(held)}
        fits = is_joker(card) or (card[0] == rank and card[1] not in suits)
        fits = fits and name in (None, rank) and end is None and len(cards) < 4
        return [{"kind": "set", "cards": [*cards, (card, rank)]}] if fits else []
    low, high = meld["low"], meld["low"] + len(cards) - 1
    suit = cards[0][1][1]
    found = []
    for place, where in ((low - 1, "low"), (high + 1, "high")):
        if not 0 <= place <= 13 or len(cards) == 13 or end not in (None, where):
            continue
        wanted = PLACES[place] + suit
        if (is_joker(card) and name in (None, wanted)) or (not name and face(card) == wanted):
            more = [(card, wanted)]
            found.append(
                {"kind": "run", "low": min(low, place), "cards": more + cards if where == "low" else cards + more}
            )
    return found


def listed_lay_offs(meld: Json, number: str, card: str) -> list[Json]:
    """The lay-offs of a card on a meld: jokers named, `end` only where the name leaves both ends."""
    names: list[str | None] = [*RANKS, *(rank + suit for rank in RANKS for suit in SUITS)] if is_joker(card) else [None]
    found = []
    for name in names:
        text = card if name is None else f"{card}={name}"
        grown = len(extensions(meld, card, name, None))
        if grown == 1:
            found.append({"type": "lay_off", "card": text, "meld": number})
        elif grown == 2:
            found += [{"type": "lay_off", "card": text, "meld": number, "end": end} for end in ("low", "high")]
    return found


def listed_melds(hand: list[str], obligation: str | None) -> list[Json]:
    """The melds of a hand that the contract lists."""
    chosen: dict[str, str] = {}
    for card in sorted(hand):
        if not is_joker(card) and (face(card) not in chosen or card == obligation):
            chosen[face(card)] = card
    jokers = sorted((card for card in hand if is_joker(card)), key=lambda card: (card != obligation, card))
    found: list[Json] = []
    for rank in RANKS:
        naturals = [card for name, card in chosen.items() if name[0] == rank]
        for count, wild in product(range(1, 5), range(len(jokers) + 1)):
            if 3 <= count + wild <= 4:
                names = [f"{joker}={rank}" for joker in jokers[:wild]]
                found += [{"type": "meld", "cards": [*some, *names]} for some in combinations(naturals, count)]
    for suit in SUITS:
        for low, high in product(range(14), repeat=2):
            if 3 <= high - low + 1 <= 13:
                found += _stretch([PLACES[place] + suit for place in range(low, high + 1)], low, chosen, jokers)
    return found


def _stretch(wanted: list[str], low: int, chosen: dict[str, str], jokers: list[str]) -> list[Json]:
    lacking = [name for name in wanted if name not in chosen]
    if len(lacking) > len(jokers) or len(lacking) == len(wanted):
        return []
    wild = dict(zip(lacking, jokers, strict=False))
    move: Json = {"type": "meld", "cards": [chosen.get(name) or f"{wild[name]}={name}" for name in wanted]}
    return [move | {"ace": "low" if low == 0 else "high"} if len(wanted) == 13 else move]


def every_meld(hand: list[str]) -> Iterator[Json]:
    """Every meld of a small hand, listed or not, by trying all choices and all names of its jokers."""
    for count in range(3, len(hand) + 1):
        for some in combinations(hand, count):
            naturals = [card for card in some if not is_joker(card)]
            jokers = [card for card in some if is_joker(card)]
            if not naturals:
                continue
            suit, rank = naturals[0][1], naturals[0][0]
            names = [rank * len(jokers)] if jokers else [""]
            choices: list[tuple[str, ...]] = [tuple(names[0])]
            choices += (
                [tuple(name + suit for name in order) for order in permutations(RANKS, len(jokers))] if jokers else []
            )
            for choice in choices:
                texts = [*naturals, *(f"{joker}={name}" for joker, name in zip(jokers, choice, strict=True))]
                for ace in (None, "low", "high"):
                    if len(readings(tuple(texts), ace)) == 1:
                        yield {"type": "meld", "cards": texts} | ({} if ace is None else {"ace": ace})
