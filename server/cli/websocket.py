"""uvicorn's WebSocket protocol, with an orderly end for clients that send what is refused outright."""

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LINGER = 3.0


class LingeringProtocol(WebSocketsSansIOProtocol):
    """After a frame over the limit the client is still sending: were the socket closed at once, the kernel would answer
    with a reset, and the close code (1009) would be lost. So what still comes is dropped for a short while.
    """

    lingering = False

    def data_received(self, data: bytes) -> None:
        """Take what the client sent, or drop it once the connection has failed."""
        if not self.lingering:
            super().data_received(data)

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
