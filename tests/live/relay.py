"""A TCP relay between the servers and their storage, which can lose, delay and refuse as networks and restarts do."""

import asyncio
import contextlib
import random
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Relay:
    """Passes bytes on to a port of this machine; runs in a thread of its own, so that tests may block meanwhile."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.delay = 0.0  # at most so many seconds before each piece is passed on
        self._refusing = False
        self._holding = False
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._thread.start()
        self._server = self._do(self._listen(0))

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    async def _listen(self, port: int) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._open |= {writer, far_writer}
        try:
            await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))
        finally:
            self._open -= {writer, far_writer}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                while self._holding:  # noqa: ASYNC110 - set from another thread
                    await asyncio.sleep(0.05)
                if self.delay:
                    await asyncio.sleep(random.random() * self.delay)
                writer.write(data)
                await writer.drain()
        writer.close()

    async def _cut(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    def cut(self) -> None:
        """Breaks every connection; new ones are taken."""
        self._do(self._cut())

    def refuse(self) -> None:
        """Breaks every connection and takes no new ones: the server behind is down."""
        self._refusing = True
        self.cut()

    def hold(self) -> None:
        """Passes nothing on, in silence, as when packets are dropped."""
        self._holding = True

    def mend(self) -> None:
        """All is well again."""
        self._refusing = self._holding = False

    def close(self) -> None:
        """Ends the relay."""

        async def end() -> None:
            self._server.close()
            await self._cut()
            await asyncio.sleep(0.05)

        self.mend()
        self._do(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()
