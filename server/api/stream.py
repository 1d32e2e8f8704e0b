"""The live table: one WebSocket of one viewer, as a plain ASGI application.

Frames for a viewer go through a queue of its own; a reader that does not keep up is closed with 4408 and can come
back with `after`. Nothing is sent to it in between by anybody else, so frames never overtake each other.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import orjson
import structlog
from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send

from server.api import metrics
from server.api.call import parse_json
from server.api.games import move_key, not_own
from server.api.routing import authenticate, bearer
from server.api.services import Services
from server.errors import Refused, malformed
from server.players import Caller
from server.tables import KeptRefusal, Table, needs_token, own_seat, stamp, viewer_mask
from server.tables.render import frame as events_frame

log = structlog.get_logger("stream")

PROTOCOL = "rummy500.v1"
QUEUE_FRAMES = 512
QUEUE_BYTES = 1 << 20
FRAME_BYTES = 16 * 1024
QUIET = 20.0
FRAMES_A_SECOND = 40.0
BURST = 400.0


class Gone(Exception):
    """The stream is to be closed with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket:
    """The sending side of a WebSocket: frames go out at once, or through a bounded queue that one task empties.

    `write` takes a text frame, and one to go before it, and says whether it could; without it (another server than
    ours) all frames are queued.
    """

    __slots__ = ("_bytes", "_closed", "_frames", "_send", "_wake", "_write", "sent_at")

    def __init__(self, send: Send, write: Callable[[bytes, bytes | None], bool] | None) -> None:
        self._send = send
        self._write = write
        self._frames: list[bytes] = []
        self._bytes = 0
        self._closed: int | None = None
        self._wake: asyncio.Future[None] | None = None
        self.sent_at = 0.0

    def push(self, data: bytes, first: bytes | None = None) -> None:
        """Takes a frame, and one before it; a queue that is full closes the stream (4408)."""
        if self._closed is not None:
            return
        if self._write is not None and not self._frames and self._write(data, first):
            self._was_sent()
            return
        if first is not None:
            self._frames.append(first)
            self._bytes += len(first)
        self._frames.append(data)
        self._bytes += len(data)
        if len(self._frames) > QUEUE_FRAMES or self._bytes > QUEUE_BYTES:
            metrics.SLOW.inc()
            self._frames.clear()
            self._bytes = 0
            self.dismiss(4408)
            return
        self._rouse()

    def _was_sent(self) -> None:
        self.sent_at = time.monotonic()
        metrics.FRAMES.inc()

    def dismiss(self, code: int) -> None:
        """Closes once what is queued is sent."""
        if self._closed is None:
            self._closed = code
            self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def run(self) -> int:
        """Sends until the stream is dismissed; gives the code."""
        loop = asyncio.get_running_loop()
        while True:
            while self._frames:
                data = self._frames[0]  # it stays in the queue until it is sent, so that none overtakes it
                try:
                    await self._send({"type": "websocket.send", "text": data.decode()})
                except RuntimeError:  # the protocol has closed by itself: a frame too long, a client that is gone
                    return 0
                if self._frames and self._frames[0] is data:
                    del self._frames[0]
                    self._bytes -= len(data)
                self._was_sent()
            if self._closed is not None:
                return self._closed
            self._wake = loop.create_future()
            await self._wake


async def accept(connection: HTTPConnection, receive: Receive, send: Send) -> None:
    """Accepts the handshake: a stream that is refused is closed with its code afterwards."""
    await receive()
    offered = connection.scope.get("subprotocols", [])
    await send({"type": "websocket.accept", "subprotocol": PROTOCOL if PROTOCOL in offered else None, "headers": []})


def token_of(connection: HTTPConnection) -> str | None:
    """The token of the Authorization header, or of the subprotocol `bearer.TOKEN`."""
    token = bearer(connection.headers.get("authorization"))
    if token is None:
        for protocol in connection.scope.get("subprotocols", []):
            if protocol.startswith("bearer."):
                return str(protocol[len("bearer.") :])
    return token


def query_of(scope: Scope) -> dict[str, str]:
    """The query, the last value of each name."""
    text = scope.get("query_string", b"").decode("latin-1")
    return {name: values[-1] for name, values in parse_qs(text, keep_blank_values=True).items()}


def frame_of(message: Message) -> dict[str, Any]:
    """What a client sent, as an object with a `type`; 4400 for anything else."""
    text = message.get("text")
    if text is None:
        raise Gone(4400)
    if len(text) > FRAME_BYTES or len(text.encode()) > FRAME_BYTES:
        raise Gone(1009)
    try:
        value = parse_json(text)
    except Refused:
        raise Gone(4400) from None
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise Gone(4400)
    return value


CODES = {"unauthenticated": 4401, "forbidden": 4403, "not_found": 4404, "rate_limited": 4429, "malformed": 4400}


class Guarded:
    """What every stream does: limits, the handshake, who it is, and an orderly end."""

    answering = False  # a move of this stream is being made
    ending = False  # no more frames of the client's are taken
    finishing: asyncio.Task[int] | None = None  # the move that was being made at the end

    def __init__(self, scope: Scope, receive: Receive, send: Send, services: Services) -> None:
        self.connection = HTTPConnection(scope)
        self.scope, self.receive, self.send = scope, receive, send
        self.services = services
        self.caller: Caller | None = None
        self.token: str | None = None
        write = scope.get("extensions", {}).get("rummy500.write", {}).get("text")
        self.socket = Socket(send, write)
        self.loop = asyncio.get_running_loop()
        self._tokens = BURST
        self._filled_at = 0.0

    async def run(self) -> None:
        """From the handshake to the close."""
        code = 1011
        keys: list[tuple[str, str]] = []
        try:
            await accept(self.connection, self.receive, self.send)
            await self.services.limiter.check_address(self.connection, "stream")
            self.token = token_of(self.connection)
            self.caller = await authenticate(self.services, self.token)
            if self.services.tables.draining:
                raise Gone(1012)
            keys.append(("address", self.services.limiter.address(self.connection)))
            if self.caller is not None:
                keys.append(("token", self.caller.token_id))
            if not self.services.streams.enter(keys):
                keys = []
                raise Gone(4429)
            self.scope["headers"] = []  # nobody needs them any more, and a stream may last for hours
            self.connection = HTTPConnection(self.scope)
            code = await self.serve()
        except Gone as gone:
            code = gone.code
        except Refused as refused:
            code = CODES.get(refused.code, 4400)
        except Exception as error:
            if self.services.is_outage(error):
                code = 1013
            else:
                log.exception("stream_fault")
        finally:
            self.services.streams.leave(keys)
        if code:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(2):
                    await self.send({"type": "websocket.close", "code": code})

    async def serve(self) -> int:
        """The stream itself; gives the close code, 0 where the client has gone."""
        raise NotImplementedError

    async def exchange(self) -> int:
        """Sends what is queued and takes what comes, until either ends; gives the code."""
        self.services.sockets.add(self)
        sending = asyncio.ensure_future(self.socket.run())
        taking = asyncio.ensure_future(self._take_all())
        try:
            await asyncio.wait({sending, taking}, return_when=asyncio.FIRST_COMPLETED)
            if taking.done() and not sending.done():
                code = taking.result()
                if code:
                    self.socket.dismiss(code)
                    with contextlib.suppress(TimeoutError):
                        async with asyncio.timeout(2):
                            await asyncio.shield(sending)
                return code
            return sending.result()
        except OSError:
            return 0
        finally:
            self.ending = True
            ended = [sending, taking]
            if self.answering and not taking.done():  # it may be committed, and then the others have to be told
                self.finishing = ended.pop()
                taking.add_done_callback(self._finished)
            else:
                self.services.sockets.discard(self)
            for task in ended:
                task.cancel()
            await asyncio.gather(*ended, return_exceptions=True)

    def _finished(self, taking: asyncio.Task[int]) -> None:
        self.services.sockets.discard(self)
        error = None if taking.cancelled() else taking.exception()
        if error is not None:
            log.error("stream_fault", exc_info=error)

    async def _take_all(self) -> int:
        loop = self.loop
        self._filled_at = loop.time()
        try:
            while True:
                message = await self.receive()
                if message["type"] == "websocket.disconnect":
                    return 0
                now = loop.time()
                self._tokens = min(BURST, self._tokens + (now - self._filled_at) * FRAMES_A_SECOND)
                self._filled_at = now
                if self._tokens < 1 and self.services.limiter.on:
                    raise Gone(4429)
                self._tokens -= 1
                await self.take(frame_of(message))
                if self.ending:
                    return 0
        except Gone as gone:
            return gone.code
        except Exception as error:
            if self.services.is_outage(error):
                return 1013
            raise

    async def take(self, frame: dict[str, Any]) -> None:
        """One frame of the client's."""
        raise NotImplementedError

    def quiet(self) -> None:
        """Nothing was sent for a while."""


class TableStream(Guarded):
    """`WS /v1/games/{id}/stream`."""

    table: Table
    views = False
    opened = False
    watch: str | None = None
    present: list[int] | None = None  # the seats that this stream shows as there
    held: bytes | None = None  # events of a move of this stream, which go out with its answer

    @property
    def player(self) -> str | None:
        """Whose stream it is."""
        return None if self.caller is None else self.caller.player_id

    def push(self, data: bytes) -> None:
        """Takes a frame of the table's; what comes before the first frame is in that frame."""
        if self.held is not None:
            self._release()
        if self.answering:
            self.held = data
            self.loop.call_soon(self._release)  # the answer is ready in this very step, or is not
        elif self.opened:
            self.socket.push(data)

    def _release(self) -> None:
        data, self.held = self.held, None
        if data is not None:
            self.socket.push(data)

    def seated(self, seat: int) -> None:
        """A spectator's stream becomes a player's."""
        if self.present is not None:
            self.present.append(seat)
            self.services.tables.presence.entered(self.table, [seat])

    def dismiss(self, code: int) -> None:
        """Ends the stream."""
        self._release()
        self.socket.dismiss(code)

    @property
    def mask(self) -> int:
        """The seats this viewer sees as its own."""
        return self.table.live.seats_of(self.player) if self.player is not None else 0

    async def serve(self) -> int:
        """Opens the table, sends where it stands, and follows it."""
        tables = self.services.tables
        table = await tables.find(self.scope["path_params"]["id"])
        if table is None:
            raise Refused("not_found" if self.caller is not None else "unauthenticated", "There is no such game.")
        self.table = table
        query = query_of(self.scope)
        self.watch, self.views = query.get("watch"), query.get("views") == "1"
        await tables.refresh(table)
        viewer_mask(table.setup, table.live, self.player, self.watch)
        after = _after(query.get("after"))
        self.table = table = tables.watch(table, self)
        metrics.STREAMS.labels("table").inc()
        try:
            self.present = [number for number in range(len(table.live.seats)) if self.mask >> number & 1]
            tables.presence.entered(table, self.present)
            try:
                await tables.people_of(table)
                await self._begin(after)
                return await self.exchange()
            finally:
                tables.presence.left(table, self.present)
                self.present = None
        finally:
            metrics.STREAMS.labels("table").dec()
            tables.unwatch(table, self)

    async def _begin(self, after: int | None) -> None:
        """The first frame. Commits that come while it is made are in it, and none that comes later is."""
        tables, table = self.services.tables, self.table
        await tables.refresh(table)
        if after is not None and after > table.version:
            raise Gone(4400)
        while after is not None:
            version = table.version
            events = await tables.events_after(table, after, self.mask)
            if table.version == version:
                view = self._view() if self.views else None
                self.opened = True
                self.socket.push(events_frame(version, events, view))
                break
        else:
            self.opened = True
            self._snapshot()
        for data in tables.presence.frames(table):
            self.socket.push(data)

    def _view(self) -> bytes:
        tables = self.services.tables
        return self.table.view_bytes(self.mask, tables.presence.away(self.table), tables.clock.day())

    def _now(self) -> bytes:
        return stamp(self.services.tables.clock.now()).encode()

    def _snapshot(self) -> None:
        self.socket.push(b'{"type":"snapshot","view":%b,"now":"%b"}' % (self._view(), self._now()))

    def quiet(self) -> None:
        """A pong by itself, with the version, so that a deaf stream can be told."""
        self._pong()

    def _pong(self) -> None:
        self._release()  # the version that it tells was told before
        self.socket.push(b'{"type":"pong","version":%d,"now":"%b"}' % (self.table.version, self._now()))

    async def take(self, frame: dict[str, Any]) -> None:
        """A move, a ping, or a wish for a snapshot."""
        match frame["type"]:
            case "move":
                await self._move(frame)
            case "ping":
                self._pong()
            case "sync":
                await self.services.tables.people_of(self.table)
                await self.services.tables.refresh(self.table)
                self._snapshot()
            case _:
                raise Gone(4400)

    async def _move(self, frame: dict[str, Any]) -> None:
        move_id = frame.get("id")
        if not isinstance(move_id, str) or not 1 <= len(move_id) <= 128:
            raise Gone(4400)
        self.answering = True
        try:
            version = await self._moved(frame, move_id)
        except Refused as refused:
            self.services.tables.journal("refused", game=self.table.setup.game_id, code=refused.code)
            self._result(move_id, problem=orjson.dumps(refused.problem()))
        except KeptRefusal as kept:
            self._result(move_id, problem=kept.body)
        else:
            data = b'{"type":"result","id":%b,"ok":true,"version":%d,"now":"%b"}'
            self._answer(data % (orjson.dumps(move_id), version, self._now()))
        finally:
            self.answering = False
            self._release()

    def _answer(self, data: bytes) -> None:
        first, self.held = self.held, None
        self.socket.push(data, first)

    def _result(self, move_id: str, problem: bytes) -> None:
        self._answer(b'{"type":"result","id":%b,"ok":false,"problem":%b}' % (orjson.dumps(move_id), problem))

    async def _moved(self, frame: dict[str, Any], move_id: str) -> int:
        tables, table = self.services.tables, self.table
        if self.caller is None:
            raise needs_token()
        if not self.mask:
            raise Refused("forbidden", "You have no seat in this game.")
        if "play" not in self.caller.scopes:
            raise Refused("forbidden", "This token lacks the scope `play`.")
        await self.services.limiter.check_token(self.connection, "write", self.caller.token_id)
        key = move_key(table, self.caller.player_id, move_id, frame)
        try:
            seat, if_version = self._said(frame, self.caller.player_id)
        except Refused as refused:
            return (await tables.refuse(table, key, refused)).after
        return (await tables.move(table, seat, frame.get("move"), if_version, key)).after

    def _said(self, frame: dict[str, Any], player: str) -> tuple[int, int | None]:
        """The seat and `if_version` of a move's frame, checked."""
        if (wrong := not_own(self.table.live, player, frame.get("seat"))) is not None:
            raise wrong
        extra = [name for name in frame if name not in ("type", "id", "move", "seat", "if_version")]
        if extra:
            raise malformed(str(extra[0])[:100], "is not a field of a move frame")
        if_version = frame.get("if_version")
        if if_version is not None and type(if_version) is not int:
            raise malformed("if_version", "must be a whole number")
        return own_seat(self.table.live, player, frame.get("seat")), if_version


def _after(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Gone(4400)
    return int(text)


class Endpoint:
    """An ASGI application that Starlette does not take for an endpoint function."""

    def __init__(self, kind: type[Guarded]) -> None:
        self._kind = kind

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one socket."""
        await self._kind(scope, receive, send, scope["app"].state.services).run()
