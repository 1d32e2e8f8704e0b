"""What each viewer is told: built up from what it may know, whatever the game (WIRE.md's first promise)."""

import random
import re
from dataclasses import replace
from typing import Any

import orjson
import pytest

from server import game as rules
from server.tables import render
from server.tables.live import Live, Logged
from server.tables.setup import Setup
from tests.tables.log_of_a_game import Played, type_of
from tests.tables.test_advance import MIXES, at_random

CARD = re.compile(r'"((?:[A2-9TJQK][CDHS]2?)|(?:X[1-4](?:=[^"]*)?))"')


def cards_in(text: str) -> set[str]:
    """Every card named in a text; what a joker stands for is a name, and no card."""
    return {found.split("=")[0] for found in CARD.findall(re.sub(r'"as":"[^"]*"', "", text))}


def zones(live: Live) -> dict[str, set[str]]:
    """Where every card is."""
    state = live.state
    assert state is not None
    named: dict[str, set[str]] = {
        f"hand{number}": {rules.card_name(card) for card in hand} for number, hand in enumerate(state.hands)
    }
    named["stock"] = {rules.card_name(card) for card in state.stock}
    named["known"] = {rules.card_name(card) for known in state.known for card in known}
    return named


def hidden_from(live: Live, mask: int) -> set[str]:
    """The cards that these seats may not see now: the stock, and other hands but for what was seen taken."""
    where = zones(live)
    found = set(where["stock"])
    for number in range(len(live.seats)):
        if not mask >> number & 1:
            found |= where[f"hand{number}"] - where["known"]
    return found


ROLES = ("own", "rival", "spectator", "all")


def masks(setup: Setup, role: str) -> list[int]:
    """The masks of a role."""
    seats = len(setup.seats)
    if role in ("own", "rival"):
        return [1 << number for number in range(seats)]
    return [0] if role == "spectator" else [(1 << seats) - 1]


@pytest.mark.parametrize("number", range(len(MIXES)))
@pytest.mark.parametrize("role", ROLES)
def test_a_view_names_no_hidden_card_in_any_zone_for_any_role(number: int, role: str) -> None:
    """Zone by role by phase: at every version of random games, no card of the stock or of another's hand."""
    game = at_random(MIXES[number], 100 + number, moves=150)
    phases = set()
    for live in game.lives:
        if live.state is None or live.status == "finished":
            continue
        phases.add(live.state.phase)
        for mask in masks(game.setup, role):
            shown = render.view(game.setup, live, mask, {}, frozenset(), game.at)
            shown["last_round"] = None  # a round that is over is open to all; its cards are dealt again
            leaked = cards_in(orjson.dumps(shown).decode()) & hidden_from(live, mask)
            assert not leaked, (role, live.version, live.state.phase)
            for seat in shown["seats"]:
                assert (seat["hand"] is not None) == bool(mask >> seat["seat"] & 1)
    assert {"draw", "play"} <= phases


@pytest.mark.parametrize("number", range(len(MIXES)))
def test_an_event_names_no_hidden_card_for_any_viewer(number: int) -> None:
    """Every kind of event, for every seat and for spectators: what was hidden before and after it stays unnamed."""
    game = at_random(MIXES[number], 200 + number, moves=250)
    for row, live in zip(game.rows, game.lives, strict=True):
        told = game.events[row.seq : row.version]
        if live.state is None or any(type_of(logged) == "round_ended" for logged in told):
            continue
        for mask in [0, *(1 << seat for seat in range(len(live.seats)))]:
            text = orjson.dumps([render.event_dict(logged, mask, {}) for logged in told]).decode()
            assert not cards_in(text) & hidden_from(live, mask)


PUBLIC_FIELDS = {
    "seat_taken": {"seat", "player"},
    "seat_left": {"seat", "status"},
    "seat_resumed": {"seat"},
    "game_started": {"seats", "nonce"},
    "round_started": {"round", "dealer", "pile", "stock_count", "hand_counts", "hands"},
    "drew": {"seat", "from", "count", "cards", "obligation", "no_discard"},
    "took_back": {"seat", "cards"},
    "melded": {"seat", "meld", "points", "table_points"},
    "laid_off": {"seat", "card", "as", "meld_id", "end", "points", "table_points"},
    "discarded": {"seat", "card"},
    "floated": {"seat"},
    "passed": {"seat"},
    "call_opened": {"callable", "waiting", "deadline"},
    "answered": {"seat"},
    "call_closed": {"seat", "card", "cards"},
    "turn_started": {"seat", "phase", "deadline"},
    "deadline_moved": {"seat", "deadline"},
    "round_ended": {"round", "reason", "seat", "scores", "hands"},
    "game_ended": {"reason", "winners", "totals"},
}


def test_events_have_the_fields_of_the_contract_and_no_others() -> None:
    """An allow-list of every kind of event: a new field must be thought about here first."""
    seen = set()
    for number, setup in enumerate(MIXES * 2):
        game = at_random(setup, 300 + number)
        for logged in game.events:
            told = render.event_dict(logged, 1, {})
            seen.add(told["type"])
            extra = set(told) - {"seq", "type", "at"} - PUBLIC_FIELDS[told["type"]]
            assert not extra - ({"melds", "totals"} if told["type"] == "round_started" else set()), told["type"]
            assert set(told) >= PUBLIC_FIELDS[told["type"]], told["type"]
    assert seen >= set(PUBLIC_FIELDS) - {"floated", "passed", "answered"}


VIEW_FIELDS = {
    "id", "version", "status", "ruleset", "your_seats", "round", "dealer", "turn", "stock_count", "pile", "melds",
    "seats", "call", "last_round", "result", "visibility", "spectators", "invite", "watch", "clock", "call_seconds",
    "ranked", "created_at", "fairness",
}  # fmt: skip
SEAT_FIELDS = {
    "seat", "player", "status", "hand_count", "hand", "known", "total", "table_points", "bank_seconds",
}  # fmt: skip


def test_a_view_has_the_fields_of_the_contract_and_no_others() -> None:
    """An allow-list, waiting, playing and finished."""
    for setup in MIXES:
        game = at_random(setup, 5, moves=60)
        for live in game.lives:
            shown = render.view(setup, live, 1, {}, frozenset(), game.at)
            assert set(shown) == VIEW_FIELDS
            assert all(set(seat) == SEAT_FIELDS for seat in shown["seats"])


def resampled(live: Live, mask: int, chance: random.Random) -> Live:
    """Another world that these seats cannot tell from this one: hidden cards dealt again among their places."""
    state = live.state
    assert state is not None
    keep = {card for seat, known in enumerate(state.known) for card in known if not mask >> seat & 1}
    free = list(state.stock)
    for seat, hand in enumerate(state.hands):
        if not mask >> seat & 1:
            free += [card for card in hand if card not in keep]
    chance.shuffle(free)
    hands = [
        hand if mask >> seat & 1 else tuple(card if card in keep else free.pop() for card in hand)
        for seat, hand in enumerate(state.hands)
    ]
    held = tuple(sum(1 << card for card in hand) for hand in hands)
    return replace(live, state=replace(state, hands=tuple(hands), held=held, stock=tuple(free)))


@pytest.mark.parametrize("number", range(len(MIXES)))
def test_games_that_differ_in_hidden_cards_alone_give_the_same_view_byte_for_byte(number: int) -> None:
    """A world resampled behind a viewer's back is the same VIEW and the same summary for lists."""
    chance = random.Random(number)
    game = at_random(MIXES[number], 400 + number, moves=120)
    for live in game.lives:
        if live.state is None or live.status != "playing":
            continue
        for mask in [0, *(1 << seat for seat in range(len(live.seats)))]:
            other = resampled(live, mask, chance)
            views = [render.view(game.setup, one, mask, {}, frozenset(), game.at) for one in (live, other)]
            assert orjson.dumps(views[0]) == orjson.dumps(views[1])
            assert render.stored_summary(live) == render.stored_summary(other)


def test_one_encoding_serves_every_viewer_of_a_kind() -> None:
    """Viewers that are told the same share the bytes; only those with private cards have their own."""
    game = Played(MIXES[1])
    game.sit(1, "bob")
    drew = game.move({"type": "draw", "from": "stock"})
    commit = render.Commit(tuple(drew))
    seat = drew[0].event.seat
    rivals = [1 << number for number in range(3) if number != seat]
    public = commit.encoded(0, {})
    assert all(commit.encoded(mask, {}) is public for mask in rivals)
    assert commit.encoded(1 << seat, {}) != public


def test_the_seed_is_told_when_the_game_is_over_and_not_before() -> None:
    """Neither the VIEW nor a seat's own has it while a card may still be dealt from it."""
    game = at_random(MIXES[0], 1, moves=3000)
    assert game.live.status == "finished"
    for live in game.lives:
        shown: dict[str, Any] = render.view(game.setup, live, 3, {}, frozenset(), game.at)
        told = shown["fairness"]["server_seed"]
        assert told == (game.setup.server_seed.hex() if live.status == "finished" else None)


def test_secrets_of_a_table_are_for_its_players() -> None:
    """`invite` and `watch` are null for spectators, and stand nowhere in a summary or an event."""
    setup = replace(MIXES[0], visibility="private", invite="INVITECODE", watch="WATCHCODE")
    game = at_random(setup, 2, moves=30)
    live, at = game.live, game.at
    assert render.view(setup, live, 1, {}, frozenset(), at)["invite"] == "INVITECODE"
    everything = [
        render.view(setup, live, 0, {}, frozenset(), at),
        render.summary(setup, "playing", 1, render.stored_summary(live), "now", None, {}),
        [render.event_dict(logged, 3, {}) for logged in game.events],
    ]
    text = orjson.dumps(everything).decode()
    assert "INVITECODE" not in text
    assert "WATCHCODE" not in text
    assert setup.server_seed.hex() not in text


def test_answers_to_a_call_stay_secret_until_it_is_closed() -> None:
    """A seat's own answer too is told as `answered` alone, and a pass reads as a call does."""
    logged = Logged(9, "now", rules_answered(1))
    assert render.event_dict(logged, 0b111, {}) == {"seq": 9, "type": "answered", "at": "now", "seat": 1}


def rules_answered(seat: int) -> Any:
    """The event of an answer."""
    from server.game.events import Answered

    return Answered(seat)
