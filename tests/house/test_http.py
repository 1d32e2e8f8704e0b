"""The HTTP protocol's bounds: what a client may send, and how long it may take, before anybody knows who it is."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from server.cli import http
from server.cli.http import BoundedProtocol
from server.cli.websocket import LingeringProtocol

GET = b"GET / HTTP/1.1\r\nHost: a\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\n"
WS = (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body and says how long it was; takes any stream and closes it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    body = b"%d bytes" % size
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def served(application: ASGIApp, *, force: bool = False) -> AsyncIterator[int]:
    """The port of a server of an application; `force`: at the end no request is waited for."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(application, http=BoundedProtocol, ws=LingeringProtocol, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield int(listener.getsockname()[1])
    finally:
        server.should_exit, server.force_exit = True, force
        await serving


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """A server of that application, with half a second for a head and one for a body."""
    monkeypatch.setattr(http, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(http, "BODY_SECONDS", 1.0)
    async with served(app) as opened:
        yield opened


async def heard(port: int, *parts: bytes, pause: float = 0, patience: float = 5) -> bytes | None:
    """All that is answered to these bytes until the server hangs up; None if it does not."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await asyncio.sleep(pause)
        async with asyncio.timeout(patience):
            return await reader.read()
    except TimeoutError:
        return None
    except ConnectionError:
        return b""
    finally:
        writer.close()


def problem(answer: bytes | None) -> tuple[int, str]:
    """The status of an answer and the code in its problem document; it has a Request-Id as every answer has."""
    assert answer is not None
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head and b"request-id: " in head, head
    said = json.loads(body)
    assert said["status"] == int(head.split()[1])
    return said["status"], said["code"]


async def test_a_head_without_end_is_refused(port: int) -> None:
    """One header that grows and grows is cut at the limit, and so are many small ones in one packet."""
    assert problem(await heard(port, GET + b"X: " + b"a" * (http.MAX_HEAD + 1))) == (431, "too_large")
    assert problem(await heard(port, GET + b"X: a\r\n" * 6000 + b"\r\n")) == (431, "too_large")
    assert problem(await heard(port, b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n")) == (431, "too_large")
    largest = GET + b"Connection: close\r\nX: " + b"a" * (http.MAX_HEAD - 200) + b"\r\n\r\n"
    answer = await heard(port, largest)
    assert answer is not None and answer.startswith(b"HTTP/1.1 200")


async def test_who_sends_too_slowly_is_hung_up_on(port: int) -> None:
    """A connection that says nothing, half a head, and half a body all end; also after a whole request before."""
    assert await heard(port, b"") == b""
    assert await heard(port, GET) == b""
    assert await heard(port, POST + b"Content-Length: 9\r\n\r\n{") == b""
    later = await heard(port, GET + b"\r\n", GET, pause=0.1)
    assert later is not None and later.count(b"HTTP/1.1 200") == 1
    drip = [b"X-%d: a\r\n" % number for number in range(12)]
    assert await heard(port, GET, *drip, b"\r\n", pause=0.1) == b""


async def test_who_is_slow_within_the_time_is_answered(port: int) -> None:
    """A head and a body in pieces are one request; requests one after the other each have their own time."""
    pieces = [POST[:9], POST[9:] + b"Content-Length: 4\r\nConnection: close\r\n\r\nab", b"c", b"d"]
    answer = await heard(port, *pieces, pause=0.2)
    assert answer is not None and answer.endswith(b"4 bytes")
    last = GET + b"Connection: close\r\n\r\n"
    answer = await heard(port, *[GET + b"\r\n"] * 5, last, pause=0.3)
    assert answer is not None and answer.count(b"HTTP/1.1 200") == 6


async def test_what_is_no_http_is_refused_as_anything_else(port: int) -> None:
    """A line that is no request gets a problem document with a Request-Id."""
    assert problem(await heard(port, b"hello\r\n\r\n")) == (400, "malformed")
    assert problem(await heard(port, POST + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\na")) == (400, "malformed")
    assert problem(await heard(port, POST + b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n")) == (400, "malformed")


async def test_only_a_get_without_a_body_opens_a_stream(port: int) -> None:
    """An upgrade with a body or by POST used to wait for ever without an answer."""
    assert problem(await heard(port, POST + WS + b"Content-Length: 2\r\n\r\n{}")) == (400, "malformed")
    assert problem(await heard(port, GET + WS + b"Content-Length: 2\r\n\r\n{}")) == (400, "malformed")
    assert problem(await heard(port, GET + WS + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")) == (400, "malformed")
    answer = await heard(port, GET + WS + b"\r\n")
    assert answer is not None and answer.startswith(b"HTTP/1.1 403")


async def at_once(scope: Scope, _receive: Receive, send: Send) -> None:
    """Takes the short way as far as it goes: the body back, and a header with what came by it."""
    short = scope["extensions"][http.AT_ONCE]["request"]
    body = short.body()
    answer = b"later" if body is None else body
    headers = [(b"content-length", b"%d" % len(answer)), (b"x-path", scope["path"].encode())]
    if scope["path"] == "/evil":
        headers.append((b"location", b"/\r\nset-cookie: a=b"))
    if not short.answer(201, headers, answer):
        await send({"type": "http.response.start", "status": 500, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"long"})


@pytest.fixture
async def short_port() -> AsyncIterator[int]:
    """A server whose application takes the short way."""
    async with served(at_once) as opened:
        yield opened


async def test_an_answer_at_once_is_as_any_other(short_port: int) -> None:
    """Requests that come in one packet are answered in their order; a connection ends when its client says so."""
    last = b"Content-Length: 3\r\nConnection: close\r\n\r\nend"
    three = b"".join(POST.replace(b"/ ", b"/%d " % number) + b"Content-Length: 1\r\n\r\nx" for number in range(3))
    answer = await heard(short_port, three + POST + last)
    assert answer is not None
    assert answer.count(b"HTTP/1.1 201 Created\r\n") == 4
    assert [answer.index(b"x-path: /%d\r\n" % number) for number in range(3)] == sorted(
        answer.index(b"x-path: /%d\r\n" % number) for number in range(3)
    )
    assert answer.count(b"connection: close\r\n") == 1 and answer.count(b"\r\ndate: ") == 4
    assert answer.endswith(b"\r\n\r\nend")
    old = await heard(short_port, b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi")
    assert old is not None and b"connection: close\r\n" in old and old.endswith(b"\r\n\r\nhi")


async def test_what_is_not_here_yet_goes_the_long_way(short_port: int) -> None:
    """Half a body, and one that waits to be asked for, are not taken for the whole; no header is of two lines."""
    half = POST + b"Content-Length: 4\r\nConnection: close\r\n\r\nab"
    answer = await heard(short_port, half, pause=0.1)
    assert answer is not None and answer.endswith(b"\r\n\r\nlater")
    asked = POST + b"Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    answer = await heard(short_port, asked, pause=0.1)
    assert answer is not None and answer.endswith(b"\r\n\r\nlater")
    answer = await heard(short_port, GET.replace(b"/ ", b"/evil ") + b"Connection: close\r\n\r\n")
    assert answer is not None and b"set-cookie" not in answer and b"HTTP/1.1 500" in answer


class Held:
    """An application that waits until the client has hung up, as a long poll does, and then answers when it may."""

    def __init__(self) -> None:
        self.may, self.answered = asyncio.Event(), asyncio.Event()
        self.wrote = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        await self.may.wait()
        self.wrote = scope["extensions"][http.AT_ONCE]["request"].answer(200, [(b"content-length", b"0")], b"")
        if not self.wrote:
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})
        self.answered.set()


async def test_who_hangs_up_with_more_requests_waiting_leaves_no_fault(caplog: pytest.LogCaptureFixture) -> None:
    """The request being answered is told, not only the last of those that came in one packet; nothing is written."""
    application = Held()
    async with served(application, force=True) as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write((GET + b"\r\n") * 3)
        await asyncio.sleep(0.1)
        writer.transport.abort()
        await asyncio.sleep(0.1)
        application.may.set()
        await asyncio.wait_for(application.answered.wait(), 2)
        assert not application.wrote
        assert [record for record in caplog.records if record.levelname == "ERROR"] == []
