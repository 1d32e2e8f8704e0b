"""Finding people to play with, and being told anywhere: quick games, rematches, invites, absence, two streams."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from starlette.responses import Response

from server.api import examples, metrics
from server.api.call import Call, answer
from server.api.games import find, known, make_setup, view_bytes
from server.api.routing import Routes
from server.api.schemas import ref
from server.api.stream import Gone, Guarded, query_of
from server.api.wire import AbsentBody, GameBody, QuickBody, SeatBody
from server.errors import Refused
from server.tables import Absence, Matching, Table, may_know_of, render, stamp
from server.tables.ports import Listed, NoticeStore

routes = Routes("Finding people")

CATCH_UP = 200


def matching(call: Call) -> Matching:
    """Quick games and rematches."""
    found: Matching = call.services.more["matching"]
    return found


async def shown(call: Call, table: Table, status: int) -> Response:
    """A table as the caller sees it."""
    seats = table.live.seats_of(call.me.player_id)
    body = await view_bytes(call, table, seats, as_made=status == 201)
    return answer(body, status, {"Location": f"/v1/games/{table.setup.game_id}"})


@routes.add(
    "POST", "/games/quick", "Play with whoever is there", scope="play", body=QuickBody, status=201, also=200,
    limit="make",
    example={"ruleset": {"preset": "pagat"}, "seats": 3, "fill_after": 20}, answer=ref("View"),
    answer_example=examples.VIEW,
    refusals=("bad_ruleset",),
)  # fmt: skip
async def quick_game(call: Call) -> Response:
    """Joins a public game that waits with just this ruleset (200), or opens one (201).

    After `fill_after` seconds the seats that are still empty go to CPU players at `normal`.
    """
    body = await call.body(QuickBody)
    others = [SeatBody(kind="open" if body.fill_after else "cpu")] * (body.seats - 1)
    game = GameBody(ruleset=body.ruleset, seats=[SeatBody(kind="me"), *others], visibility="public")
    setup = await make_setup(call, game, fill_after=body.fill_after)
    table, made = await matching(call).quick(setup, call.me.player_id)
    return await shown(call, table, 201 if made else 200)


async def sat_at(call: Call) -> Table:
    """The game, for those who sat at it and those who may know of it."""
    table = await find(call)
    if not any(seat.player == call.me.player_id for seat in table.live.seats):
        may_know_of(table.setup, table.live, call.me.player_id)
    return table


@routes.add(
    "POST", "/games/{id}/rematch", "Play again", scope="play", status=201, also=200, limit="make",
    answer=ref("View"),
    answer_example=examples.VIEW,
    refusals=("not_found", "forbidden", "game_not_finished"), first=sat_at,
)  # fmt: skip
async def rematch(call: Call) -> Response:
    """The next game of those who sat: made by whoever asks first (201), the same for the others (200)."""
    table = await sat_at(call)
    me = call.me.player_id
    await call.no_body()
    game = GameBody(visibility=table.setup.visibility, spectators=table.setup.spectators)
    fresh = await make_setup(call, game)
    following, made = await matching(call).rematch(table, me, fresh)
    return await shown(call, following, 201 if made else 200)


@routes.add(
    "POST", "/games/{id}/absent", "Vote about who is away", scope="play", body=AbsentBody, limit="write",
    example={"seat": 1, "choice": "cpu"}, refusals=("not_found", "forbidden", "game_not_running"),
    first=known,
    answer_example={
        "version": 13, "seat": 1, "votes": [{"seat": 0, "choice": "cpu"}], "needed": [0], "done": "cpu",
    },
)  # fmt: skip
async def vote_about_absent(call: Call) -> Response:
    """In a game without a clock, about someone on turn who has been away for two minutes.

    When all who are there agree, a CPU player stands in (`cpu`) or the game ends without a result (`end`).
    """
    table = await known(call)
    me = call.me.player_id
    if not table.live.seats_of(me):
        raise Refused("forbidden", "Only those who sit at the table may vote.")
    body = await call.body(AbsentBody)
    absence: Absence = call.services.more["absence"]
    return answer(await absence.vote(table, me, body.seat, body.choice))


@routes.add(
    "GET", "/invites/{code}", "Which game an invite opens", limit="secret", refusals=("not_found",),
    answer_example={"game": examples.GAME_ID},
)  # fmt: skip
async def get_invite(call: Call) -> Response:
    """For a short code that was read out: the game whose seat it opens."""
    code = call.path("code").strip().upper()
    game_id = await call.services.tables.store.by_invite(code) if 1 <= len(code) <= 32 and code.isascii() else None
    if game_id is None:
        raise Refused("not_found", "There is no game with this invite.")
    return answer({"game": game_id})


class LobbyStream(Guarded):
    """`WS /v1/lobby`: public games that wait or are played."""

    _opened = False

    async def serve(self) -> int:
        """Sends the games there are, then what changes."""
        hub = self.services.tables.hub
        hub.lobby.add(self)
        metrics.STREAMS.labels("lobby").inc()
        try:
            games = await hub.open_games()
            items = [await self._summary(game) for game in games]
            self._opened = True
            self.socket.push(orjson.dumps({"type": "games", "items": items}))
            return await self.exchange()
        finally:
            metrics.STREAMS.labels("lobby").dec()
            hub.lobby.discard(self)

    async def _summary(self, game: Listed) -> dict[str, Any]:
        people = await self.services.tables.players.wire(render.references(game.summary))
        caller = None if self.caller is None else self.caller.player_id
        return render.summary(game.setup, game.status, game.version, game.summary, game.updated_at, caller, people)

    async def show(self, game: Listed) -> None:
        """Tells of a public game."""
        item = await self._summary(game)
        if self._opened:
            self.socket.push(orjson.dumps({"type": "game", "item": item}))

    def gone(self, game_id: str) -> None:
        """Tells that a game is over."""
        if self._opened:
            self.socket.push(orjson.dumps({"type": "gone", "id": game_id}))

    async def take(self, frame: dict[str, Any]) -> None:
        """A ping, or a wish to see the whole list again."""
        match frame["type"]:
            case "ping":
                self.quiet()
            case "sync":
                games = await self.services.tables.hub.open_games()
                items = [await self._summary(game) for game in games]
                self.socket.push(orjson.dumps({"type": "games", "items": items}))
            case _:
                raise Gone(4400)

    def quiet(self) -> None:
        """A pong by itself."""
        self.socket.push(orjson.dumps({"type": "pong", "now": stamp(self.services.tables.clock.now())}))


class OwnStream(Guarded):
    """`WS /v1/me/stream`: what a player must know anywhere."""

    _seq = 0
    _more: asyncio.Event

    @property
    def _notices(self) -> NoticeStore:
        found: NoticeStore = self.services.more["notices"]
        return found

    async def serve(self) -> int:
        """Sends the notices after `after` (without it: from now on), then those that come."""
        if self.caller is None:
            raise Refused("unauthenticated", "This needs a token.")
        player = self.caller.player_id
        after = query_of(self.scope).get("after")
        hub = self.services.tables.hub
        self._more = asyncio.Event()
        hub.enter_own(player, self)
        metrics.STREAMS.labels("own").inc()
        try:
            last = await self._notices.last(player)
            self._seq = last
            if after is not None:
                if not (after.isascii() and after.isdigit() and len(after) < 10) or int(after) > last:
                    raise Gone(4400)
                self._seq = int(after)
            self._more.set()
            feeding = asyncio.create_task(self._feed(player))
            try:
                return await self.exchange()
            finally:
                feeding.cancel()
                await asyncio.gather(feeding, return_exceptions=True)
        finally:
            metrics.STREAMS.labels("own").dec()
            hub.leave_own(player, self)

    def rouse(self) -> None:
        """There may be something new."""
        self._more.set()

    async def _feed(self, player: str) -> None:
        while True:
            await self._more.wait()
            self._more.clear()
            try:
                while True:
                    found = await self._notices.after(player, self._seq, CATCH_UP)
                    for notice in found:
                        self.socket.push(orjson.dumps(notice))
                        self._seq = notice["seq"]
                    if len(found) < CATCH_UP:
                        break
            except Exception as error:
                if not self.services.is_outage(error):
                    raise
                await asyncio.sleep(1)
                self._more.set()

    async def take(self, frame: dict[str, Any]) -> None:
        """A ping."""
        if frame["type"] != "ping":
            raise Gone(4400)
        self.quiet()

    def quiet(self) -> None:
        """A pong by itself, with the number of the last notice sent."""
        now = stamp(self.services.tables.clock.now())
        self.socket.push(orjson.dumps({"type": "pong", "seq": self._seq, "now": now}))
