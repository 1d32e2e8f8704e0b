"""What holds in every game: random legal games over the presets and over random rulesets, two to eight seats."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import (
    IllegalMove,
    Ruleset,
    State,
    apply,
    clock_move,
    event_json,
    legal_moves,
    move_json,
    parse_card,
    parse_move,
    pile_facts,
    private_to,
    refusal,
    start,
    view_json,
)
from server.game.cards import mask_of, pack_of
from server.game.events import Answered, Drew, RoundEnded
from server.game.moves import CallRummy, LayOff, Pass, PlayMeld
from server.game.state import evolve
from tests.game.conversion import everything, reference_round
from tests.game.reference import Round
from tests.game.reference_melds import every_meld
from tests.game.scorer import Scorer
from tests.game.tables import play, tables

Json = dict[str, Any]
Table = tuple[Ruleset, int]
NUMBERS = st.integers(0, 2**32)


@given(tables(), NUMBERS)
def test_stage2_games_end_with_every_card_in_its_place(table: Table, number: int) -> None:
    """Cards are conserved, nobody is ever stuck, rounds end, and no game goes on for ever."""

    def look(state: State, _chance: random.Random) -> None:
        ruleset = state.ruleset
        hands = [card for hand in state.hands for card in hand]
        melded = [card for meld in state.melds for card in meld.cards]
        cards = [*state.stock, *state.pile, *hands, *melded]
        assert sorted(cards) == pack_of(ruleset.packs_in_play, ruleset.jokers_in_play)
        assert state.held == tuple(mask_of(hand) for hand in state.hands)
        for seat in range(state.seats):
            assert bool(legal_moves(state, seat)) == (seat in state.waiting)
            assert set(state.known[seat]) <= set(state.hands[seat])

    game = play(table, number, look)
    assert game.state.finished
    assert game.state.waiting == ()


@given(tables(), NUMBERS)
def test_stage2_the_second_scorer_agrees(table: Table, number: int) -> None:
    """A scorer written apart, fed with the events, comes to the same points, totals and winners."""
    ruleset, seats = table
    scorer = Scorer(ruleset.options(), seats)
    game = play(table, number)
    for event in game.events:
        scorer.hear(event_json(event, (1 << seats) - 1))
    assert scorer.ended
    assert scorer.totals == list(game.state.totals)


@given(tables(), NUMBERS)
def test_stage2_a_record_replays(table: Table, number: int) -> None:
    """The moves in their JSON form, applied from the seed, give the same events and the same end."""
    ruleset, seats = table
    game = play(table, number)
    state, events = start(ruleset, seats, game.first.seed, game.first.nonce)
    told = list(events)
    for seat, move in game.moves:
        state, events = apply(state, seat, parse_move(move_json(move)))
        told += events
    assert told == game.events
    assert state == game.state


# --- generator and refusal -----------------------------------------------------------------------------------------


@given(tables(), NUMBERS)
def test_stage2_generator_and_refusal_agree(table: Table, number: int) -> None:
    """What is listed is accepted; of draws, discards, lay-offs, calls and small hands' melds nothing else is."""

    def look(state: State, chance: random.Random) -> None:
        if chance.random() < 0.04:
            agree(state, chance.choice(state.waiting), chance)

    play(table, number, look, at_most=400)


def agree(state: State, seat: int, chance: random.Random) -> None:
    """Compares the engine with the reference engine in one position."""
    slow = reference_round(state)
    listed = [move_json(move) for move in legal_moves(state, seat)]
    assert sorted(map(plain, listed)) == sorted(map(plain, slow.listed(seat)))
    for move in listed:
        assert refusal(state, seat, parse_move(move)) is None, move
    for move in [*near_misses(state, seat), *some_melds(state, seat, chance)]:
        refused = refusal(state, seat, parse_move(move))
        assert (refused is None) == slow.allows(seat, move), (move, refused)
        if refused is not None:
            with pytest.raises(IllegalMove, match=refused.code):
                apply(state, seat, parse_move(move))
    other = (seat + 1) % state.seats
    if other not in state.waiting:
        assert all(refusal(state, other, parse_move(move)) is not None for move in listed)


def plain(move: Json) -> str:
    """A move as text, the cards of a meld in any order."""
    return str(sorted((key, sorted(value) if isinstance(value, list) else value) for key, value in move.items()))


def near_misses(state: State, seat: int) -> list[Json]:
    """Every draw, discard, call and lay-off that could be thought of here, legal or not."""
    view = everything(state)
    hand: list[str] = view["seats"][seat]["hand"]
    pile: list[str] = view["pile"]
    tries: list[Json] = [{"type": "pass"}, {"type": "take_back"}, {"type": "draw", "from": "stock"}]
    tries += [{"type": "draw", "from": "pile", "card": card} for card in [*pile, *hand[:2], "AS"]]
    tries += [{"type": "discard", "card": card} for card in [*hand, *pile[:2], "7H2"]]
    tries += [{"type": "call_rummy", "card": card} for card in [*pile, *hand[:2]]]
    for meld in [*view["melds"], {"id": "m99", "cards": []}]:
        ends = [entry["as"] or entry["card"][:2] for entry in meld["cards"]]
        for card in hand:
            names = [card, *(f"{card}={name}" for name in [*around(ends), "9"] if card[0] == "X")]
            for name in names:
                tries += [{"type": "lay_off", "card": name, "meld": meld["id"]} | end for end in ({}, LOW, HIGH)]
    return tries


LOW, HIGH = {"end": "low"}, {"end": "high"}


def around(names: list[str]) -> list[str]:
    """Names that a joker at either end of a run might have, and a wrong one."""
    order = "A23456789TJQKA"
    suited = [name for name in names if len(name) == 2]
    if not suited:
        return []
    low, high = order.index(suited[0][0]), order.rindex(suited[-1][0])
    places = {place for place in (low - 1, high + 1, 6) if 0 <= place < len(order)}
    return [order[place] + suited[0][1] for place in sorted(places)]


def some_melds(state: State, seat: int, chance: random.Random) -> list[Json]:
    """All melds of a part of the hand, found by trying, and some cards that are none."""
    hand: list[str] = everything(state)["seats"][seat]["hand"]
    part = chance.sample(hand, min(len(hand), 6))
    melds = list(every_meld(part))
    chance.shuffle(melds)
    junk = (
        [{"type": "meld", "cards": chance.sample(hand, chance.randint(2, min(5, len(hand))))}] if len(hand) > 1 else []
    )
    return [*melds[:40], *junk]


@given(tables(), NUMBERS)
def test_stage2_the_reference_engine_goes_the_same_way(table: Table, number: int) -> None:
    """After a move both engines are in the same position, or see the round end for the same reason."""
    chance = random.Random(number)
    game = play(table, number, at_most=400)
    state = game.first
    for seat, move in game.moves:
        slow = None
        if chance.random() < (0.05 if state.phase == "play" else 0.3):
            slow = reference_round(state).after(seat, move_json(move))
        state, events = apply(state, seat, move)
        if slow is None:
            continue
        ended = next((event.reason for event in events if isinstance(event, RoundEnded)), None)
        assert slow.over == ended
        if ended is None:
            assert outline(slow) == outline(reference_round(state))


def outline(table: Round) -> Json:
    """A position of the reference engine, its melds in any order of cards."""
    shown = dict(vars(table))
    shown["melds"] = [(meld["kind"], meld.get("low"), sorted(meld["cards"])) for meld in table.melds]
    if len(table.hand()) <= 1:
        shown["no_discard"] = None
    return shown


@given(tables(), NUMBERS)
def test_stage1_facts_about_the_pile_hold_after_the_draw(table: Table, number: int) -> None:
    """A fact is legal where the draw is, its `pays` are the listed moves that use the card then, most points first."""

    def look(state: State, chance: random.Random) -> None:
        if state.phase == "draw" and chance.random() < 0.1:
            check_facts(state)
        elif state.phase != "draw":
            assert pile_facts(state, state.waiting[0]) == []

    play(table, number, look, at_most=600)


def check_facts(state: State) -> None:
    """Compares each fact with what comes of the draw."""
    seat = state.waiting[0]
    pile = everything(state)["pile"]
    facts = pile_facts(state, seat)
    assert [fact["card"] for fact in facts] == pile
    assert [fact["takes"] for fact in facts] == list(range(len(pile), 0, -1))
    for fact in facts:
        draw = parse_move({"type": "draw", "from": "pile", "card": fact["card"]})
        assert fact["legal"] == (refusal(state, seat, draw) is None)
        paying: list[tuple[int, Json]] = []
        if fact["legal"]:
            after, _ = apply(state, seat, draw)
            if after.obligation is not None:
                paying = [
                    (worth(after, seat, move), move_json(move))
                    for move in legal_moves(after, seat)
                    if uses(move, after.obligation)
                ]
        paying.sort(key=lambda pair: -pair[0])
        assert [pair[0] for pair in paying[:20]] == [worth(after, seat, parse_move(move)) for move in listed_in(fact)]
        assert all(move in [pair[1] for pair in paying] for move in listed_in(fact))
        assert fact["points"] == (paying[0][0] if paying else 0)


def listed_in(fact: Json) -> list[Json]:
    pays: list[Json] = fact["pays"]
    return pays


def uses(move: object, card: int) -> bool:
    return (isinstance(move, LayOff) and move.card == card) or (isinstance(move, PlayMeld) and card in move.cards)


def worth(state: State, seat: int, move: Any) -> int:
    event = apply(state, seat, move)[1][0]
    points: int = event.points  # type: ignore[union-attr]
    return points


# --- what a viewer may know ----------------------------------------------------------------------------------------


@given(tables(), NUMBERS)
def test_stage1_a_resampled_hidden_world_looks_the_same(table: Table, number: int) -> None:
    """With all cards hidden from a viewer dealt again, the viewer is shown, told and listed the very same."""

    def look(state: State, chance: random.Random) -> None:
        if chance.random() < 0.2:
            viewer = chance.choice([0, *(1 << seat for seat in range(state.seats))])
            same_for(state, resampled(state, viewer, chance), viewer)

    play(table, number, look, at_most=400)


def resampled(state: State, viewer: int, chance: random.Random) -> State:
    """A world that the viewer cannot tell from this one: other cards where they are hidden, other secret answers."""
    hidden = [seat for seat in range(state.seats) if not viewer >> seat & 1]
    unknown = {seat: [card for card in state.hands[seat] if card not in state.known[seat]] for seat in hidden}
    pool = [*state.stock, *(card for cards in unknown.values() for card in cards)]
    chance.shuffle(pool)
    fresh = iter(pool)
    hands = list(state.hands)
    for seat in hidden:
        hands[seat] = tuple(next(fresh) if card in unknown[seat] else card for card in state.hands[seat])
    stock = tuple(fresh)
    call = state.call
    if call is not None:
        others = [(seat, call.callable[0] if chance.random() < 0.5 else None) for seat, _ in call.answers]
        answers = [old if viewer >> old[0] & 1 else new for old, new in zip(call.answers, others, strict=True)]
        call = replace(call, answers=tuple(answers))
    held = tuple(mask_of(hand) for hand in hands)
    return evolve(state, hands=tuple(hands), held=held, stock=stock, call=call, seed=chance.randbytes(32))


def same_for(state: State, other: State, viewer: int) -> None:
    """The viewer cannot tell the two worlds apart, now or by a move that shows nothing."""
    assert view_json(state, viewer) == view_json(other, viewer)
    for seat in range(state.seats):
        if viewer >> seat & 1:
            assert legal_moves(state, seat) == legal_moves(other, seat)
            assert pile_facts(state, seat) == pile_facts(other, seat)
            for card in ("AS", "7H", "X1", "KD2"):
                move = parse_move({"type": "discard", "card": card})
                assert refusal(state, seat, move) == refusal(other, seat, move)
            if state.call is None and seat in state.waiting:
                assert clock_move(state, seat) == clock_move(other, seat)
    for seat in state.waiting:
        if not viewer >> seat & 1:
            secret_move(state, other, seat, viewer)


def secret_move(state: State, other: State, seat: int, viewer: int) -> None:
    """A draw from the stock, or an answer to a call that stays open, by a seat that is not the viewer's."""
    if state.phase == "draw" and state.stock:
        move = parse_move({"type": "draw", "from": "stock"})
        first, second = apply(state, seat, move)[1], apply(other, seat, move)[1]
    elif state.call is not None and len(state.waiting) > 1:
        calls = [listed for listed in legal_moves(other, seat) if isinstance(listed, CallRummy)]
        first, second = apply(state, seat, Pass())[1], apply(other, seat, calls[0] if calls else Pass())[1]
        assert first == (Answered(seat),)
    else:
        return
    assert [event_json(event, viewer) for event in first] == [event_json(event, viewer) for event in second]


@given(tables(), NUMBERS)
def test_stage1_events_name_no_card_that_a_viewer_cannot_know(table: Table, number: int) -> None:
    """The cards of a stock draw and of hands are told to their seats alone; `private_to` says who is told more."""
    _, seats = table
    game = play(table, number, at_most=300)
    everyone = (1 << seats) - 1
    for event in game.events:
        public = event_json(event, 0)
        for seat in range(seats):
            assert (event_json(event, 1 << seat) != public) == bool(private_to(event) >> seat & 1)
        assert event_json(event, everyone).keys() == public.keys()
        if isinstance(event, Drew) and not event.from_pile:
            assert public["cards"] is None


def test_a_card_by_its_name_and_back() -> None:
    """Names and numbers of cards go both ways."""
    assert [parse_card(name) for name in ("AC", "KS", "AC2", "X4")] == [0, 51, 52, 107]
