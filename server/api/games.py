"""Games over HTTP: making, listing, looking, seats, moves, events, records."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import time
from typing import Any

import orjson
from starlette.responses import Response

from server import ai
from server import game as rules
from server.api import examples
from server.api.call import Call, answer, digest, nothing, parse_json, unknown_fields, validate
from server.api.routing import Query, Routes, authenticate, bearer, effect_id, idempotency_key, ran_before
from server.api.schemas import ref
from server.api.server_page import ruleset_of
from server.api.wire import GAME_EXAMPLE, GameBody, MoveBody, SeatTakenBody
from server.boards import Boards
from server.errors import FieldError, Refused, malformed
from server.tables import (
    KeptRefusal,
    Key,
    Live,
    SeatSetup,
    Setup,
    Table,
    TurnClock,
    good_invite,
    hidden,
    may_know_of,
    own_seat,
    render,
    stamp,
    viewer_mask,
)

routes = Routes("Games")

CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
WATCH = Query("watch", "The `watch` code of a private game.")
LOOKS_AGAIN = 3.0
"""Seconds after which a request that is held is asked again whether its token is valid."""


def new_code() -> str:
    """A code that people can read out: ten letters and digits, 49 random bits."""
    number = secrets.randbelow(len(CODE_LETTERS) ** 10)  # one call of the system for all ten
    letters: list[str] = []
    for _ in range(10):
        number, letter = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[letter])
    return "".join(letters)


# --- finding


async def find(call: Call, *, fresh: bool = True) -> Table:
    """The game of the path, for whoever may know of it."""
    tables = call.services.tables
    game_id = call.path("id")
    table = await (tables.fresh(game_id) if fresh else tables.find(game_id))
    if table is None:
        raise hidden(caller_id(call))
    return table


def caller_id(call: Call) -> str | None:
    """The caller's player id."""
    return None if call.caller is None else call.caller.player_id


async def look(call: Call) -> tuple[Table, int]:
    """The game as it is now, and the seats that the caller sees."""
    table = await find(call)
    return table, mask_of(call, table)


def mask_of(call: Call, table: Table) -> int:
    """The seats that the caller sees; a wrong `watch` code is as none, whatever it holds."""
    return viewer_mask(table.setup, table.live, caller_id(call), call.request.query_params.get("watch"))


async def known(call: Call) -> Table:
    """The game, for those who may know that there is one."""
    table = await find(call)
    may_know_of(table.setup, table.live, call.me.player_id)
    return table


async def view_bytes(call: Call, table: Table, mask: int, *, as_made: bool = False) -> bytes:
    """The VIEW for a mask; `as_made`: of a game just made, before a CPU player was quicker than the answer."""
    tables = call.services.tables
    if not as_made or any(seat.player not in table.people for seat in table.live.seats if seat.player is not None):
        await tables.people_of(table)  # a game just made has them from its making
    tables.presence.looked(table, mask)
    live = table.made if as_made else None
    return table.view_bytes(mask, tables.presence.away(table), tables.clock.day(), live)


# --- making


@routes.add(
    "POST", "/games", "Make a game", scope="play", body=GameBody, example=GAME_EXAMPLE, status=201, limit="make",
    answer=ref("View"),
    answer_example=examples.VIEW, refusals=("bad_ruleset", "bad_position"),
)  # fmt: skip
async def make_game(call: Call) -> Response:
    """Makes a game with the caller in it; it starts by itself when no seat is open."""
    body = await call.body(GameBody)
    setup = await make_setup(call, body)
    return await made(call, setup, body.commitment)


async def made(call: Call, setup: Setup, commitment: str | None) -> Response:
    """The answer to a game that is made (or was, by an earlier try with the same key)."""
    tables = call.services.tables
    table = await tables.create(setup, commitment)
    if table is None:
        table = await tables.fresh(setup.game_id)
        assert table is not None
    body = await view_bytes(call, table, table.live.seats_of(call.me.player_id), as_made=True)
    return answer(body, 201, {"Location": f"/v1/games/{setup.game_id}"})


async def make_setup(call: Call, body: GameBody, fill_after: int | None = None) -> Setup:
    """What a request says of a game, checked, with a seed. `fill_after`: seconds until CPU players fill it."""
    me = call.me.player_id
    seats = tuple(_seat(number, seat.kind, seat.level) for number, seat in enumerate(body.seats))
    if not any(seat.kind == "me" for seat in seats):
        raise malformed("seats", "must hold one seat of kind `me` at least")
    if unknown := rules.unknown_fields(body.position):
        raise unknown_fields(f"position.{name}" for name in unknown)
    game_id = effect_id(call) or secrets.token_hex(16)
    seed = os.urandom(32)
    if body.commitment is not None:
        store = call.services.tables.store
        kept = await store.commitment(me, body.commitment, game_id) if len(body.commitment) < 100 else None
        if kept is None:
            raise malformed("commitment", "is not an unused commitment of yours")
        seed = kept
    chosen = ruleset_of(body.ruleset.preset, body.ruleset.options, len(seats))
    if body.position is not None:
        try:
            rules.from_position(chosen.ruleset, len(seats), body.position, seed, "")
        except rules.BadPosition as bad:
            where = f"position.{bad.field}" if bad.field else "position"
            raise Refused("bad_position", f"`{where}` {bad.detail}", errors=(FieldError(where, bad.detail),)) from None
    private = body.visibility == "private"
    now = call.services.tables.clock.now()
    return Setup(
        game_id=game_id,
        maker=me,
        preset=body.ruleset.preset,
        options=chosen.options,
        seats=seats,
        visibility=body.visibility,
        spectators=body.spectators,
        clock=None if body.clock is None else TurnClock(body.clock.turn_seconds, body.clock.bank_seconds),
        call_seconds=body.call_seconds,
        client_seed=body.client_seed or "",
        position=body.position,
        invite=new_code() if private else None,
        watch=new_code() if private and body.spectators else None,
        server_seed=seed,
        commitment=hashlib.sha256(seed).hexdigest(),
        nonce=None,
        daily=None,
        closes_at=None,
        rematch_of=None,
        fill_at=None if fill_after is None else now + fill_after * 1000,
        rules_version=rules.RULES_VERSION,
        ai_version=ai.AI_VERSION,
        created_at=now,
    )


def _seat(number: int, kind: str, level: str | None) -> SeatSetup:
    if kind != "cpu":
        if level is not None:
            raise malformed(f"seats.{number}.level", "is for seats of kind `cpu`")
        return SeatSetup(kind)  # type: ignore[arg-type]
    return SeatSetup("cpu", level or "normal")


# --- looking


@routes.add(
    "GET", "/games", "List games", auth="optional",
    answer=ref("Games"),
    answer_example={"items": [examples.SUMMARY], "next_cursor": None}, refusals=("malformed",),
    query=(
        Query("status", "Only games in this status.", {"type": "string", "enum": ["waiting", "playing", "finished"]}),
        Query("mine", "`true`: the caller's games, else public ones.", {"type": "boolean"}),
        Query("preset", "Only games of this preset."),
        Query("seats", "Only games with so many seats.", {"type": "integer", "minimum": 2, "maximum": 8}),
        Query("cursor", "`next_cursor` of the page before."),
        Query("limit", "1 to 100, by default 20.", {"type": "integer", "minimum": 1, "maximum": 100}),
    ),
)  # fmt: skip
async def list_games(call: Call) -> Response:
    """Public games, or with `mine=true` the caller's, newest change first."""
    mine = call.choice("mine", ("true", "false")) == "true"
    who = call.me.player_id if mine else None
    status = call.choice("status", ("waiting", "playing", "finished"))
    limit = call.count("limit", 20, 1, 100)
    try:
        page, cursor = await call.services.tables.store.listing(
            mine=who,
            status=status,
            cursor=call.text("cursor"),
            limit=limit,
            preset=call.text("preset"),
            seats=call.integer("seats", None, 2, 8),
        )
    except ValueError:
        raise malformed("cursor", "is not a cursor of this list") from None
    ids = {player for game in page for player in render.references(game.summary)}
    people = await call.services.tables.players.wire(list(ids))
    items = [
        render.summary(game.setup, game.status, game.version, game.summary, game.updated_at, caller_id(call), people)
        for game in page
    ]
    return answer({"items": items, "next_cursor": cursor})


@routes.add(
    "GET", "/games/{id}", "Look at a game", auth="optional", query=(WATCH,),
    answer=ref("View"),
    answer_example=examples.VIEW,
    refusals=("not_found", "forbidden"),
)  # fmt: skip
async def get_game(call: Call) -> Response:
    """The VIEW of the caller: a seat's own, else a spectator's."""
    table, mask = await look(call)
    return answer(await view_bytes(call, table, mask))


@routes.add(
    "GET", "/games/{id}/legal-moves", "The moves there are", auth="optional",
    query=(Query("seat", "Which of the caller's seats.", {"type": "integer"}), WATCH),
    answer=ref("LegalMoves"),
    answer_example=examples.LEGAL, refusals=("not_found", "forbidden", "malformed"),
)  # fmt: skip
async def legal_moves(call: Call) -> Response:
    """The legal moves of the caller's seat, and what may be drawn from the pile."""
    table, mask = await look(call)
    live = table.live
    empty: dict[str, Any] = {"version": live.version, "items": [], "pile": []}
    asked = call.integer("seat", None, -(2**31), 2**31)
    if not mask:
        if asked is not None:
            raise Refused("forbidden", "You have no seat in this game.")
        return answer(empty)
    seat = own_seat(live, call.me.player_id, asked)
    if live.state is None or seat not in live.waiting:
        return answer(empty)
    items = [rules.move_json(move) for move in rules.legal_moves(live.state, seat)]
    return answer({"version": live.version, "items": items, "pile": rules.pile_facts(live.state, seat)})


@routes.add(
    "GET", "/games/{id}/events", "What happened", auth="optional", answer=ref("Events"),
    answer_example=examples.EVENTS,
    query=(
        Query("after", "A version: only what came after it.", {"type": "integer", "minimum": 0}),
        Query(
            "wait", "Hold up to so many seconds until there is something.",
            {"type": "integer", "minimum": 0, "maximum": 30},
        ),
        WATCH,
    ),
    refusals=("not_found", "forbidden", "malformed"),
)  # fmt: skip
async def get_events(call: Call) -> Response:
    """What came after version `after`; with `wait` the answer is held until something does."""
    table, mask = await look(call)
    after = call.count("after", 0, 0, 2**31)
    if after > table.version:
        raise malformed("after", f"must not be beyond the version, {table.version}")
    wait = call.count("wait", 0, 0, 30)
    call.services.tables.presence.looked(table, mask)
    until = time.monotonic() + wait
    while table.version <= after and (left := until - time.monotonic()) > 0:
        hung_up = await _hold(call, table, after, min(left, LOOKS_AGAIN))
        await still_valid(call)
        mask = mask_of(call, table)
        if hung_up or call.services.tables.draining:
            break
    if table.version > after:
        await call.services.tables.people_of(table)
    version = table.version
    events = await call.services.tables.events_after(table, after, mask)
    return answer(b'{"version":%d,"events":%b}' % (version, events))


async def still_valid(call: Call) -> None:
    """Refuses a caller whose token has ended since the request came."""
    if call.caller is not None:
        await authenticate(call.services, bearer(call.request.headers.get("authorization")))


async def _hold(call: Call, table: Table, after: int, wait: float) -> bool:
    """Waits for something new, or until the caller hangs up (True)."""
    waiting = asyncio.ensure_future(call.services.tables.wait_for_change(table, after, wait))
    hung_up = asyncio.ensure_future(_hung_up(call))
    try:
        await asyncio.wait({waiting, hung_up}, return_when=asyncio.FIRST_COMPLETED)
        return hung_up.done()
    finally:
        hung_up.cancel()
        waiting.cancel()
        await asyncio.gather(waiting, hung_up, return_exceptions=True)


async def _hung_up(call: Call) -> None:
    while True:
        message = await call.request.receive()
        if message["type"] == "http.disconnect":
            return


@routes.add(
    "GET", "/games/{id}/record", "The whole game", auth="optional", query=(WATCH,),
    answer=ref("Record"),
    answer_example=examples.RECORD,
    refusals=("not_found", "forbidden", "game_not_finished"),
)  # fmt: skip
async def get_record(call: Call) -> Response:
    """The record of a finished game, with the seed: with it anyone can play it again."""
    table = await _recorded(call)
    setup, live = table.setup, table.live
    tables = call.services.tables
    day_over(call, table, "records")
    if live.status != "finished":
        raise Refused("game_not_finished", "The record opens when the game is over.", version=live.version)
    stored = await tables.store.load(setup.game_id)
    assert stored is not None
    await tables.people_of(table)
    return answer(render.record(setup, live, stored.rows, table.people, tables.clock.day()))


def day_over(call: Call, table: Table, what: str) -> None:
    """Refuses what a daily game gives only when its day has closed."""
    closes_at = table.setup.closes_at
    if closes_at is not None and call.services.tables.clock.day() < closes_at:
        raise Refused("forbidden", f"The day's {what} open at {stamp(closes_at)}.")


async def _recorded(call: Call) -> Table:
    """The game, for who may look at it, and for everybody where a row of a board rests on it."""
    try:
        table, _ = await look(call)
    except Refused:
        boards: Boards = call.services.more["boards"]
        if not await boards.record_is_public(call.path("id")):
            raise
        found = await call.services.tables.fresh(call.path("id"))
        if found is None:
            raise
        return found
    return table


# --- seats


async def invited(call: Call) -> Table:
    """The game whose seat is asked for. Who has no good invite to a private one is told nothing, whatever they send."""
    table = await find(call)
    try:
        may_know_of(table.setup, table.live, call.me.player_id)
    except Refused:
        if not good_invite(table.setup, await _given_invite(call)):
            raise
    return table


async def _given_invite(call: Call) -> object:
    """What the body gives as an invite; None where it can't be read."""
    try:
        value = await call.json()
    except Refused:
        return None
    return value.get("invite") if isinstance(value, dict) else None


@routes.add(
    "POST", "/games/{id}/seats", "Take a seat", scope="play", body=SeatTakenBody, example={"seat": 1}, limit="write",
    answer=ref("View"),
    answer_example=examples.VIEW, refusals=("not_found", "forbidden", "seat_taken", "already_seated"), first=invited,
)  # fmt: skip
async def take_seat(call: Call) -> Response:
    """Takes an open seat; a holder whose seat is stood in for gets it back."""
    table = await invited(call)
    me = call.me.player_id
    body = await call.body(SeatTakenBody)
    try:
        await call.services.tables.take_seat(table, me, body.seat, body.invite, body.client_seed or "")
    except Refused as refused:
        held = table.live.seats_of(me)
        if (
            refused.code != "already_seated"
            or not ran_before(call)
            or (body.seat is not None and not held >> body.seat & 1)
        ):
            raise
    return answer(await view_bytes(call, table, table.live.seats_of(me)))


@routes.add(
    "DELETE", "/games/{id}/seats/me", "Leave", scope="play", status=204, limit="write",
    refusals=("not_found", "forbidden", "game_not_running"), first=known,
)  # fmt: skip
async def leave_game(call: Call) -> Response:
    """Leaves: before the start the seat is free again, after it R7.4."""
    table = await known(call)
    if table.live.seats_of(call.me.player_id):
        await call.no_body()
    await call.services.tables.leave(table, call.me.player_id)
    return nothing()


# --- moves


@routes.add(
    "POST", "/games/{id}/moves", "Make a move", scope=None, body=MoveBody, limit="write", idempotent=False, keyed=True,
    example={"move": {"type": "draw", "from": "stock"}, "if_version": 12},
    answer=ref("Events"),
    answer_example=examples.EVENTS,
    refusals=(
        "not_found", "forbidden", "game_not_running", "version_conflict", "not_your_turn", "wrong_phase",
        "card_not_in_hand", "card_not_in_pile", "stock_empty", "no_such_meld", "not_a_meld", "ambiguous",
        "does_not_extend", "cannot_use_card", "must_use_card", "must_keep_a_card", "discard_forbidden",
        "final_discard_playable", "not_callable", "idempotency_mismatch",
    ),
)  # fmt: skip
async def make_move(call: Call) -> Response:
    """Makes a move for the caller's seat; the answer has the move's events. An Idempotency-Key makes it happen once."""
    tables = call.services.tables
    me = call.me.player_id
    table = await find(call, fresh=False)
    if not table.live.seats_of(me):
        table = await find(call)
        if not table.live.seats_of(me):
            viewer_mask(table.setup, table.live, me)
    call.need_scope("play")
    raw = await call.raw()
    unreadable: Refused | None = None
    try:
        value: Any = parse_json(raw) if raw else {}
    except Refused as refused:
        value, unreadable = raw.hex(), refused
    given = value if isinstance(value, dict) else {}
    asked = given.get("seat")
    wrong = not_own(table.live, me, asked)  # another's seat is forbidden, whatever else is wrong
    try:
        key = idempotency_key(call.request)
    except Refused as refused:
        raise wrong or refused from None
    named = move_key(table, me, key, given or value)
    try:
        if (refusal := wrong or unreadable) is not None:
            raise refusal
        body = validate(MoveBody, value)
        seat = own_seat(table.live, me, body.seat)
    except Refused as refused:
        moving = tables.refuse(table, named, refused)
    else:
        moving = tables.move(table, seat, body.move, body.if_version, named)
    try:
        moved = await moving
    except KeptRefusal as kept:
        return Response(kept.body, kept.status, media_type="application/problem+json")
    events = await moved_events(call.services.tables, table, moved.before, moved.after, me)
    return answer(b'{"version":%d,"events":%b}' % (moved.after, events))


def not_own(live: Live, player: str, seat: object) -> Refused | None:
    """The refusal of who has no seat, or says one that is not theirs."""
    try:
        if type(seat) is int or not live.seats_of(player):
            own_seat(live, player, seat)
    except Refused as refused:
        return refused
    return None


def move_key(table: Table, player: str, key: str | None, given: Any) -> Key | None:
    """A key with the fingerprint of move, seat (left out: the caller's one) and `if_version`."""
    if key is None:
        return None
    if not isinstance(given, dict):
        return Key(player, key, digest(["?", given]))
    seat = given.get("seat")
    if seat is None:
        mask = table.live.seats_of(player)
        seat = mask.bit_length() - 1 if mask and not mask & (mask - 1) else None
    rest = {name: value for name, value in given.items() if name not in ("move", "seat", "if_version", "id", "type")}
    return Key(player, key, digest([given.get("move"), seat, given.get("if_version"), rest]))


async def moved_events(tables: Any, table: Table, before: int, after: int, player: str) -> bytes:
    """The events of an accepted move, as its player sees them."""
    mask = table.live.seats_of(player)
    if before >= table.kept_from:
        commits = [commit for commit in table.since(before) if commit.version <= after]
        return render.joined(commits, before, mask, table.people)
    events = orjson.loads(await tables.events_after(table, before, mask))
    return orjson.dumps([event for event in events if event["seq"] <= after])
