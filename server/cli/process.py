"""One server process: uvicorn with the settings this project needs, and the application in it."""

import asyncio
import gc
import math
import signal
import socket
import threading
from collections.abc import Callable
from types import FrameType

import uvicorn
from fastapi import FastAPI

from server.cli.http import BoundedProtocol
from server.cli.websocket import LingeringProtocol
from server.settings import Settings

WS_MAX_BYTES = 16 * 1024


class Stopped(SystemExit):
    """Somebody asked the process to end: Ctrl-C or SIGTERM."""


def end_on_signals() -> None:
    """From now on SIGINT and SIGTERM unwind the main thread, so that every child is stopped on the way out."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Stopped(0)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


class Server(uvicorn.Server):
    """A uvicorn server that says when it takes requests."""

    def __init__(self, app: FastAPI, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        """As uvicorn's; `when_ready` is called once, in the loop's thread."""
        super().__init__(config)
        self._app = app
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and tell."""
        await super().startup(sockets)
        if self.started:
            self._when_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the application first, so that long polls are answered and nothing new is begun, then end."""
        begin_drain = getattr(self._app.state, "begin_drain", None)
        if begin_drain is not None:
            begin_drain()
        await super().shutdown(sockets)


def serve(settings: Settings, listener: socket.socket, when_ready: Callable[[], None]) -> int:
    """Serve until a signal ends it; returns the exit status (0: it was asked to end)."""
    from server.main import create_app

    app = create_app(settings)
    config = uvicorn.Config(
        app,
        loop="uvloop",
        http=BoundedProtocol,
        ws=LingeringProtocol,
        ws_max_size=WS_MAX_BYTES,
        ws_per_message_deflate=False,
        lifespan="on",
        log_config=None,
        access_log=False,  # its lines hold whole addresses; our own log has one line a command
        proxy_headers=False,  # forwarded addresses are judged by RUMMY500_TRUSTED_PROXIES alone
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=math.ceil(settings.drain_seconds),
    )
    calm_collector()
    server = Server(app, config, when_ready)
    try:
        server.run(sockets=[listener])
    except Stopped:
        return 0
    except SystemExit as ended:  # uvicorn's way to say that the application did not start
        return ended.code if isinstance(ended.code, int) and ended.code else 1
    return 0 if server.started else 1


def calm_collector() -> None:
    """Look for cyclic garbage less often: live tables are many objects that stay, and looking through them again and
    again took a tenth of the time of every move. What is there at the start is never looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def watch(ended: Callable[[], str | None], tell: Callable[[str], None], every: float = 1.0) -> threading.Event:
    """End this process when one of the embedded servers has ended by itself; set the event to stop watching."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(every):
            if (name := ended()) is not None:
                tell(f"The embedded {name} has ended by itself; see its log in the data folder. The server ends too.")
                signal.raise_signal(signal.SIGTERM)
                return

    threading.Thread(target=look, name="watch-embedded", daemon=True).start()
    return done


def new_event_loop() -> asyncio.AbstractEventLoop:
    """The kind of event loop that the server runs on."""
    import uvloop

    return uvloop.new_event_loop()
