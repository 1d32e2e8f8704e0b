"""uvicorn's HTTP protocol, with bounds on what a client may send before it is known who asks.

uvicorn reads heads of any size, and waits for ever for the rest of a request. Here a head has at most `MAX_HEAD` bytes,
and a head or a body that is not whole in time ends its connection, so that nobody can fill the memory or the table of
open sockets by sending little, slowly. What is no HTTP is refused in the form of every other refusal.
"""

import asyncio
import json
import secrets
from http import HTTPStatus

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from server.errors import Refused

MAX_HEAD = 32 * 1024
HEAD_SECONDS = 30.0
BODY_SECONDS = 60.0
AT_ONCE = "rummy500.at_once"


class AtOnce:
    """The short way of a request that is here as a whole, and of an answer that is: without the messages of ASGI, and
    in one packet. What it can't do has to go the long way.
    """

    __slots__ = ("_cycle",)

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle

    def body(self) -> bytes | None:
        """The body, where it has come."""
        cycle = self._cycle
        if cycle.more_body or cycle.disconnected or cycle.waiting_for_100_continue:
            return None
        return bytes(cycle.body)

    def answer(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> bool:
        """Writes the answer; False, and nothing done, where it can't be written now."""
        cycle = self._cycle
        if cycle.response_started or cycle.disconnected or cycle.flow.write_paused:
            return False
        headers = [*cycle.default_headers, *headers]
        lines = [STATUS_LINE[status]]
        lines += [b"%b: %b\r\n" % header for header in headers]
        lines.append(b"\r\n" if cycle.keep_alive else b"connection: close\r\n\r\n")
        head = b"".join(lines)
        if head.count(b"\n") != len(headers) + (2 if cycle.keep_alive else 3):  # a header of several lines
            return False
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        cycle.transport.write(head + body)
        cycle.message_event.set()
        if not cycle.keep_alive:
            cycle.transport.close()
        cycle.on_response()
        return True


class BoundedProtocol(HttpToolsProtocol):
    """A connection whose requests must be of a sensible size and arrive in a sensible time."""

    part = "head"  # what is being received: the head or the body of a request, or nothing ("rest")
    size = 0  # bytes of the head so far
    requests = 0
    earlier: tuple[RequestResponseCycle, ...] = ()  # requests that were not answered when another came behind them
    due: asyncio.TimerHandle | None = None
    awaited: tuple[int, str] | None = None  # the request and the part that `due` is for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """From now on the first head is waited for."""
        super().connection_made(transport)
        self._await_part()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more is waited for, and none of the requests that came is still to be answered."""
        self._stop_waiting()
        super().connection_lost(exc)
        for cycle in self.earlier:  # uvicorn tells the last one alone
            if not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        self.earlier = ()

    def data_received(self, data: bytes) -> None:
        """Take what came, and look whether the head grows too long or a part is still to come."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.part == "head":
            self.size += len(data)
            if self.size > MAX_HEAD:
                self._refuse_head()
        if self.part == "rest" or self.transport.is_closing():
            self._stop_waiting()
        elif self.awaited != (self.requests, self.part):
            self._await_part()

    def on_message_begin(self) -> None:
        """A request begins."""
        self.part, self.size = "head", 0
        self.requests += 1
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head is whole; one that came in a single packet is measured here."""
        self.part = "body"
        if len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers) > MAX_HEAD:
            self._refuse_head()
        if not self.transport.is_closing():
            before: RequestResponseCycle | None = self.cycle
            super().on_headers_complete()
            if self.cycle is not before:
                if before is not None and not before.response_complete:
                    self.earlier = (*(cycle for cycle in self.earlier if not cycle.response_complete), before)
                elif self.earlier:
                    self.earlier = ()
                self.scope["extensions"] = {AT_ONCE: {"request": AtOnce(self.cycle)}}

    def on_body(self, body: bytes) -> None:
        """A piece of the body, unless the request has been refused."""
        if not self.transport.is_closing():
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole."""
        self.part = "rest"
        if not self.transport.is_closing():
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """A stream is opened by a GET without a body; anything else is answered at once and ended."""
        self._stop_waiting()
        if self.transport.is_closing():
            return
        bodied = any(
            name == b"transfer-encoding" or (name == b"content-length" and value.strip(b"0"))
            for name, value in self.headers
        )
        if bodied or self.scope["method"] != "GET":
            self.send_400_response("A WebSocket is opened by a GET without a body.")
        else:
            super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP request is refused as anything else is, with a problem document."""
        self._refuse(HTTPStatus.BAD_REQUEST, Refused("malformed", msg))

    def _refuse_head(self) -> None:
        detail = f"The address and the headers of a request may have at most {MAX_HEAD} bytes."
        self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, Refused("too_large", detail))

    def _refuse(self, status: HTTPStatus, refused: Refused) -> None:
        """Write the refusal, unless it would come into the middle of another answer, and end the connection."""
        if self.transport.is_closing():
            return
        if not self.pipeline and not self._is_answering():
            document = refused.problem() | {"status": status.value, "title": status.phrase}
            body = json.dumps(document).encode()
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/problem+json\r\n"
                f"content-length: {len(body)}\r\nrequest-id: {secrets.token_hex(12)}\r\n"
                "x-content-type-options: nosniff\r\ncache-control: no-store\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()

    def _is_answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and cycle.response_started and not cycle.response_complete

    def _await_part(self) -> None:
        self._stop_waiting()
        self.awaited = (self.requests, self.part)
        seconds = HEAD_SECONDS if self.part == "head" else BODY_SECONDS
        self.due = asyncio.get_running_loop().call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        self.awaited = None
        if self.due is not None:
            self.due.cancel()
            self.due = None

    def _give_up(self) -> None:
        """The part did not come in time (while reading is paused, that is not the client's fault)."""
        if self.flow.read_paused:
            self._await_part()
        else:
            self.transport.close()
