"""uvicorn's WebSocket protocol, with short cuts for whole text frames and an orderly end for clients that are refused.

Nearly everything on a live table is one text frame in one packet. Those are read and written here in a few steps; the
rest (handshakes, pings, closes, frames in pieces) goes through the full parser of the `websockets` library.
"""

import asyncio
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library without its compiled part
    from websockets.utils import apply_mask

LINGER = 3.0
TEXT = 0x81
MOST_QUEUED = 2
WRITE = "rummy500.write"


def head_of(payload: bytes) -> bytes:
    """What a whole text frame begins with."""
    size = len(payload)
    if size < 126:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big")
    return b"\x81\x7f" + size.to_bytes(8, "big")


class Inbox:
    """What a client sent, for its one reader. Does what is needed of `asyncio.Queue`, at a tenth of its size."""

    __slots__ = ("_items", "_waiter")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, item: Any) -> None:
        """Take one in."""
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def qsize(self) -> int:
        """How many wait to be read."""
        return len(self._items)

    def empty(self) -> bool:
        """Whether none waits to be read."""
        return not self._items

    async def get(self) -> Any:
        """The next one, once it is there."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        return self._items.pop(0)


class Gate:
    """What is needed of `asyncio.Event`, likewise."""

    __slots__ = ("_open", "_waiters")

    def __init__(self) -> None:
        self._open = False
        self._waiters: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Whether it is open."""
        return self._open

    def set(self) -> None:
        """Open it."""
        self._open = True
        waiters, self._waiters = self._waiters, None
        for waiter in waiters or ():
            if not waiter.done():
                waiter.set_result(None)

    def clear(self) -> None:
        """Close it."""
        self._open = False

    async def wait(self) -> None:
        """Wait until it is opened."""
        while not self._open:
            waiter = asyncio.get_running_loop().create_future()
            if self._waiters is None:
                self._waiters = []
            self._waiters.append(waiter)
            await waiter


class LingeringProtocol(WebSocketsSansIOProtocol):
    """After a frame over the limit the client is still sending: were the socket closed at once, the kernel would answer
    with a reset, and the close code (1009) would be lost. So what still comes is dropped for a short while.
    """

    lingering = False
    whole = True  # every packet so far ended where a frame (or the handshake) did, so the full parser holds nothing

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.queue: Any = Inbox()
        self.writable: Any = Gate()
        self.writable.set()

    async def send(self, message: Any) -> None:
        """Send; after the handshake its headers are of no more use."""
        await super().send(message)
        if message["type"] == "websocket.accept":
            self.request.headers.clear()  # the parser holds on to both
            self.response.headers.clear()

    async def run_asgi(self) -> None:
        """Run the application, which finds `write_text` among the scope's extensions."""
        self.scope["extensions"][WRITE] = {"text": self.write_text}
        await super().run_asgi()

    def write_text(self, payload: bytes, first: bytes | None = None) -> bool:
        """Write a text frame at once, after `first` where there is one, in one packet; False where it can't be now, and
        `send` has to wait or to fail.
        """
        if (
            not self.writable.is_set()
            or self.disconnected
            or self.close_sent
            or not self.handshake_complete
            or self.conn.state is not State.OPEN
            or self.transport.is_closing()
        ):
            return False
        data = head_of(payload) + payload
        self.transport.write(data if first is None else head_of(first) + first + data)
        return True

    def data_received(self, data: bytes) -> None:
        """Take what the client sent, or drop it once the connection has failed."""
        if self.lingering:
            return
        if self.whole:
            if not self.handshake_complete:
                self.whole = data.endswith(b"\r\n\r\n")
            elif (text := self.text_of(data)) is not None:
                self.queue.put_nowait({"type": "websocket.receive", "text": text})
                if self.queue.qsize() >= MOST_QUEUED and not self.read_paused:
                    self.read_paused = True
                    self.transport.pause_reading()
                return
        super().data_received(data)

    def text_of(self, data: bytes) -> str | None:
        """The text of a packet that is one unbroken text frame, else None; notes a packet that ends within a frame."""
        size, start = len(data), 2
        length = data[1] & 127 if size > 1 else 0
        if length == 126:
            length, start = int.from_bytes(data[2:4], "big"), 4
        elif length == 127:
            start = 10  # longer than anything taken here
        if size != start + 4 + length or data[0] not in (TEXT, 0x88, 0x89, 0x8A):
            self.whole = False
            return None
        plain = data[0] == TEXT and data[1] & 128 and (start == 2 or (start == 4 and length >= 126))
        if not plain or length > self.config.ws_max_size or self.close_sent or self.conn.state is not State.OPEN:
            return None
        try:
            return apply_mask(data[start + 4 :], data[start : start + 4]).decode()
        except UnicodeDecodeError:
            return None

    def handle_parser_exception(self) -> None:
        """Say the close code, then wait for the client to hang up."""
        closed = self.conn.close_sent
        assert closed is not None
        self.lingering = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": closed.code, "reason": closed.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = asyncio.get_running_loop().call_later(LINGER, self.transport.close)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
