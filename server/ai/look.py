"""From what a seat is shown (view, events of the round, listed moves) to what the players reckon with."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from server.ai.masks import JOKER, KIND_BIT, KIND_MASK, KIND_OF, LOW, near, point_table
from server.ai.sight import Sight, foes_cards, hoarding, lead_of, open_cards

Json = Mapping[str, Any]

STOCK, PILE, TAKE_BACK, LAY, MELD, DISCARD, PASS, CALL = range(8)
MOST_MELDS = 80
"""How many listed melds (the first, so those of most points) are thought about."""

POINTS = {"face": tuple(point_table(1)), "five_ten_fifteen": tuple(point_table(0))}
GOING_OUT = {"any": 0, "float": 1, "discard": 2}


class Turn(NamedTuple):
    """What the seat is asked for: the phase, and what binds it."""

    phase: str
    must: int
    """Low place of the obligation's kind; 0 for none, -1 for a joker."""
    forbid: int
    """The kind that may not be discarded, or -1."""


class Option(NamedTuple):
    """One listed move. `kind` is the card's kind; a pile draw has its depth there, counted from 1 at the top."""

    act: int
    kind: int = -1
    cards: int = 0
    """Whole mask of the natural cards put down."""
    places: int = 0
    """The places a meld as a run fills, jokers' too; 0 for a set."""
    jokers: int = 0


def table_spots(melds: Iterable[tuple[bool, Sequence[int]]]) -> tuple[int, int, int]:
    """Where the table takes lay-offs (`up`, `down`, `fours`), from its melds as (is a run, kinds).

    The kinds are those the cards stand for. In a set a joker is `JOKER`; runs go from low to high.
    """
    up = down = fours = 0
    for is_run, kinds in melds:
        if is_run:
            first = kinds[0]
            lane = first // 13 * 16
            low = first % 13
            high = low + len(kinds) - 1
            if high < 13 and len(kinds) < 13:
                up |= 1 << lane + high + 1
            if low > 0 and len(kinds) < 13:
                down |= 1 << lane + low - 1
        elif len(kinds) < 4:
            natural = [kind for kind in kinds if kind != JOKER]
            rank = natural[0] % 13
            taken = {kind // 13 for kind in natural}
            for suit in range(4):
                if suit not in taken:
                    fours |= KIND_MASK[suit * 13 + rank]
    return up, down, fours


def refusals(seats: int, events: Sequence[Json]) -> list[int]:
    """For each seat, the cards it has shown no interest in this round: near what it discarded or passed over."""
    refused = [0] * seats
    pile: list[int] = []
    for event in events:
        what = event["type"]
        if what == "discarded":
            kind = KIND_OF[event["card"]]
            pile.append(kind)
            refused[event["seat"]] |= near(kind)
        elif what == "drew":
            if event["from"] == "pile":
                del pile[-event["count"] :]
                if event["count"] == 1:
                    continue
            if pile:
                refused[event["seat"]] |= near(pile[-1])
        elif what == "took_back":
            pile.extend(KIND_OF[card] for card in event["cards"])
        elif what == "call_closed":
            if event["cards"]:
                del pile[-len(event["cards"]) :]
        elif what == "round_started":
            pile = [KIND_OF[card] for card in event["pile"]]
            refused = [0] * seats
    return refused


class Manner:
    """How one seat has played this round, by which `hoarding` goes."""

    def __init__(self) -> None:
        self.turns = self.waited = self.kept = 0
        self._put = self._took = False

    def draws(self, from_pile: bool, stock: int) -> None:
        """It draws, and the stock has so many cards then."""
        self._put = False
        self._took = from_pile and stock > 0

    def puts(self) -> None:
        """It puts cards down."""
        self._put = True

    def discards(self) -> None:
        """It ends its turn."""
        if not self._put:
            self.waited += self.waited == self.turns
            self.kept += self._took
        self.turns += 1

    def hoards(self, held: int) -> float:
        """How much it plays like one that keeps its melds back, now that it holds so many cards."""
        return hoarding(self.turns, self.waited, self.kept, held)


def manner_of(seat: int, events: Sequence[Json]) -> Manner:
    """How a seat has played this round."""
    manner = Manner()
    stock = 0
    for event in events:
        what = event["type"]
        if what == "round_started":
            manner = Manner()
            stock = event["stock_count"]
        elif what == "drew":
            stock -= event["from"] == "stock"
            if event["seat"] == seat:
                manner.draws(event["from"] == "pile", stock)
        elif event.get("seat") != seat:
            continue
        elif what in ("melded", "laid_off"):
            manner.puts()
        elif what == "discarded":
            manner.discards()
    return manner


def look(view: Json, events: Sequence[Json]) -> Sight:
    """What the one seat of `view["your_seats"]` knows."""
    me: int = view["your_seats"][0]
    options = view["ruleset"]["options"]
    seats: list[Json] = view["seats"]
    n = len(seats)
    packs = options["packs"]
    if packs == "auto":
        packs = 1 if n <= 4 else 2
    melds = []
    gone: list[int] = []
    for meld in view["melds"]:
        is_run = meld["kind"] == "run"
        kinds = []
        for card in meld["cards"]:
            kind = KIND_OF[card["card"]]
            if kind != JOKER:
                gone.append(kind)
            elif is_run:
                kind = KIND_OF[card["as"]]
            kinds.append(kind)
        melds.append((is_run, kinds))
    refused = refusals(n, events)
    by_seat = [seats[(me + i) % n] for i in range(n)]
    return gather(
        n,
        packs,
        [KIND_OF[card] for card in by_seat[0]["hand"]],
        melds,
        gone,
        [KIND_OF[card] for card in view["pile"]],
        view["stock_count"],
        [seat["hand_count"] for seat in by_seat],
        [[KIND_OF[card] for card in seat["known"]] for seat in by_seat],
        refused[me:] + refused[:me],
        [seat["total"] for seat in by_seat],
        [seat["table_points"] for seat in by_seat],
        options,
        manner_of(1 - me, events) if n == 2 else None,
    )


def gather(
    n: int,
    packs: int,
    hand: Sequence[int],
    melds: Iterable[tuple[bool, Sequence[int]]],
    gone: Iterable[int],
    pile: Sequence[int],
    stock: int,
    counts: Sequence[int],
    known: Sequence[Sequence[int]],
    refused: Sequence[int],
    totals: Sequence[int],
    tabled: Sequence[int],
    options: Json,
    manner: Manner | None,
) -> Sight:
    """A `Sight` from kinds; lists by seat begin with the seat that looks, `gone` are the natural cards on the table.

    `manner` is how the opponent has played, with two seats.
    """
    mine = spare = jokers = 0
    once = twice = 0
    for kind in hand:
        if kind == JOKER:
            jokers += 1
            continue
        spare |= mine & KIND_MASK[kind]
        mine |= KIND_MASK[kind]
        twice |= once & KIND_BIT[kind]
        once |= KIND_BIT[kind]
    knows = [0] * n
    known_size = [0] * n
    hidden = stock
    for seat in range(1, n):
        for kind in known[seat]:
            if kind != JOKER:
                knows[seat] |= KIND_MASK[kind]
                twice |= once & KIND_BIT[kind]
                once |= KIND_BIT[kind]
        known_size[seat] = len(known[seat])
        hidden += counts[seat] - known_size[seat]
    for kinds in (gone, pile):
        for kind in kinds:
            if kind != JOKER:
                twice |= once & KIND_BIT[kind]
                once |= KIND_BIT[kind]
    up, down, fours = table_spots(melds)
    partners = options["partners"]
    pts = POINTS[options["card_points"]]
    friends = [1 if i == 0 or (partners and i % 2 == 0) else 0 for i in range(n)]
    return Sight(
        n,
        mine,
        spare,
        jokers,
        len(hand),
        up,
        down,
        fours,
        LOW & ~(once if packs == 1 else twice),
        hidden,
        stock,
        counts,
        knows,
        known_size,
        [open_cards(cards, up, down, fours, pts) for cards in knows],
        refused,
        totals,
        tabled,
        lead_of(totals, tabled, options["target"]),
        foes_cards(counts, friends),
        friends,
        pile,
        len(pile),
        pts,
        options["low_ace_points"],
        1 if options["top_discard"] == "must_meld" else 0,
        1 if options["stock_exhausted"] == "play_on" else 0,
        1 if options["pile_depth"] == "any" else 0,
        GOING_OUT[options["going_out"]],
        options["target"],
        manner.hoards(counts[1]) if manner else 0.0,
        manner.turns if manner else 0,
    )


def turn_of(view: Json) -> Turn:
    """What the seat of the view is asked for."""
    turn = view["turn"]
    must = forbid = -1
    if turn["obligation"] is None:
        must = 0
    elif turn["obligation"][0] != "X":
        must = KIND_BIT[KIND_OF[turn["obligation"]]]
    if turn["no_discard"] is not None:
        forbid = KIND_OF[turn["no_discard"]]
    return Turn(turn["phase"], must, forbid)


def listed(view: Json, legal: Sequence[Json]) -> list[Option]:
    """The listed moves as options, in the same order; melds beyond `MOST_MELDS` are left unread as passes."""
    found = []
    pile: list[str] = view["pile"]
    left = MOST_MELDS
    for move in legal:
        what = move["type"]
        if what == "discard":
            found.append(Option(DISCARD, KIND_OF[move["card"]]))
        elif what == "meld":
            left -= 1
            found.append(read_meld(move) if left >= 0 else Option(TAKE_BACK))
        elif what == "lay_off":
            kind = KIND_OF[move["card"].partition("=")[0]]
            found.append(Option(LAY, kind, 0 if kind == JOKER else KIND_MASK[kind], 0, 1 if kind == JOKER else 0))
        elif what == "draw":
            if move["from"] == "stock":
                found.append(Option(STOCK))
            else:
                found.append(Option(PILE, len(pile) - pile.index(move["card"])))
        elif what == "pass":
            found.append(Option(PASS))
        elif what == "call_rummy":
            found.append(Option(CALL, len(pile) - pile.index(move["card"])))
        else:
            found.append(Option(TAKE_BACK))
    return found


def read_meld(move: Json) -> Option:
    """A listed meld as an option."""
    cards = places = jokers = 0
    ranks = set()
    for text in move["cards"]:
        name, _, stands = text.partition("=")
        kind = KIND_OF[name]
        if kind == JOKER:
            jokers += 1
            if len(stands) == 2:
                kind = KIND_OF[stands]
                places |= KIND_BIT[kind]
                ranks.add(kind % 13)
            continue
        cards |= KIND_MASK[kind]
        places |= KIND_BIT[kind]
        ranks.add(kind % 13)
    return Option(MELD, -1, cards, as_run(places, ranks, move.get("ace")), jokers)


def as_run(places: int, ranks: Iterable[int], ace: object) -> int:
    """The places a run fills, its ace where it belongs, from the low places of its cards; 0 where they are a set."""
    of = sorted(ranks)
    if len(of) < 2:
        return 0
    if of[0] == 0 and (of[1] != 1 or ace == "high"):
        lowest = places & -places
        return places ^ lowest | lowest << 13
    return places
