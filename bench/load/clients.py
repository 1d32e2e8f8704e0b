"""Lean clients, so that the load generator's core suffices: one WebSocket, one HTTP connection that is kept alive."""

import asyncio
import base64
import os
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlsplit

import orjson


class WebSocket(asyncio.Protocol):
    """A client's WebSocket that hands every text frame to `on_frame`."""

    def __init__(self, path: str, host: str, token: str | None, on_frame: Callable[[bytes], None]) -> None:
        self._path, self._host, self._token = path, host, token
        self.on_frame = on_frame
        self._data = b""
        self._transport: asyncio.Transport | None = None
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: str | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        key = base64.b64encode(os.urandom(16)).decode()
        token = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        self._transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: {self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{token}\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        data = self._data + data if self._data else data
        if not self.opened.done():
            head, mark, data = data.partition(b"\r\n\r\n")
            if not mark:
                self._data = head
                return
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head[:200].decode("latin-1")))
                return
            self.opened.set_result(None)
        at, size = 0, len(data)
        while size - at >= 2:
            kind, length = data[at] & 15, data[at + 1]
            start = at + 2
            if length == 126:
                length, start = int.from_bytes(data[start : start + 2], "big"), start + 2
            elif length == 127:
                length, start = int.from_bytes(data[start : start + 8], "big"), start + 8
            if size < start + length:
                break
            self._take(kind, data[start : start + length])
            at = start + length
        self._data = data[at:]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == 1:
            self.on_frame(payload)
        elif kind == 9:
            self._write(0x8A, payload)
        elif kind == 8:
            self.closed = f"closed with {int.from_bytes(payload[:2], 'big')}"

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = self.closed or f"lost: {exc!r}"
        if not self.opened.done():
            self.opened.set_exception(ConnectionError(self.closed))

    def send(self, text: bytes) -> None:
        """Sends a text frame (masked with zeros, which the protocol allows)."""
        self._write(0x81, text)

    def _write(self, first: int, payload: bytes) -> None:
        assert self._transport is not None
        length = len(payload)
        size = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2, "big")
        self._transport.write(bytes((first,)) + size + b"\0\0\0\0" + payload)

    def close(self) -> None:
        """Drops the connection."""
        if self._transport is not None:
            self._transport.close()


async def open_socket(url: str, path: str, token: str | None, on_frame: Callable[[bytes], None]) -> WebSocket:
    """A WebSocket whose handshake is done."""
    netloc = urlsplit(url).netloc
    host, _, port = netloc.partition(":")
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: WebSocket(path, netloc, token, on_frame), host, int(port))
    await asyncio.wait_for(socket.opened, 30)
    return socket


class Http(asyncio.Protocol):
    """One HTTP connection with one request at a time."""

    def __init__(self, host: str) -> None:
        self._host = host
        self._data = b""
        self._transport: asyncio.Transport | None = None
        self._on_answer: Callable[[int, bytes], None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._data += data
        head, mark, rest = self._data.partition(b"\r\n\r\n")
        if not mark:
            return
        length = 0
        for line in head.split(b"\r\n"):
            if line[:15].lower() == b"content-length:":
                length = int(line[15:])
        if len(rest) < length or self._on_answer is None:
            return
        self._data = b""
        on_answer, self._on_answer = self._on_answer, None
        on_answer(int(head[9:12]), rest)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._on_answer is not None:
            self._on_answer(599, repr(exc).encode())

    def request(
        self, method: str, path: str, token: str | None, body: bytes, on_answer: Callable[[int, bytes], None]
    ) -> None:
        """Sends a request; `on_answer` gets its status and body."""
        assert self._transport is not None
        self._on_answer = on_answer
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n{bearer}Content-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)

    async def ask(self, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
        """The parsed answer; an answer that is no success is an error."""
        done: asyncio.Future[tuple[int, bytes]] = asyncio.get_running_loop().create_future()
        raw = b"" if body is None else orjson.dumps(body)
        self.request(method, path, token, raw, lambda status, answer: done.set_result((status, answer)))
        status, answer = await asyncio.wait_for(done, 60)
        if not 200 <= status < 300:
            raise RuntimeError(f"{method} {path}: {status} {answer[:300]!r}")
        return orjson.loads(answer) if answer else None

    def close(self) -> None:
        """Drops the connection."""
        if self._transport is not None:
            self._transport.close()


async def open_http(url: str) -> Http:
    """An HTTP connection."""
    netloc = urlsplit(url).netloc
    host, _, port = netloc.partition(":")
    loop = asyncio.get_running_loop()
    _, connection = await loop.create_connection(lambda: Http(netloc), host, int(port))
    return connection
