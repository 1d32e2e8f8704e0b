"""`rummy500 serve`: everything that is needed for a running server, from one command."""

import json
import os
import resource
import socket
import sys
from collections.abc import Callable
from datetime import UTC, datetime

import typer

from server import logs
from server.cli.listen import listening_socket, url_of
from server.cli.options import BadSettings, load_settings, with_settings
from server.cli.parts import CannotStart, migrated, storage
from server.cli.process import end_on_signals, watch
from server.cli.process import serve as serve_here
from server.cli.supervisor import supervise
from server.cli.version import version
from server.settings import Settings

MOST_FILES = 65_536


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("serve")(with_settings(serve, Settings.model_fields))


def serve(**values: str | None) -> None:
    """Start the server, with a Postgres and a Valkey of its own unless you give yours.

    Every option is also an environment variable. Ctrl-C ends it.
    """
    try:
        settings = load_settings(values)
    except BadSettings as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from error
    end_on_signals()
    logs.configure(settings.log, settings.log_level)
    tell = teller(settings)
    try:
        status = _serve(settings, tell)
    except CannotStart as error:
        tell(str(error))
        status = 1
    raise typer.Exit(status)


def _serve(settings: Settings, tell: Callable[[str], None]) -> int:
    """Open the port, start what is embedded, bring the tables up to date, and serve."""
    raise_file_limit()
    with listening_socket(settings.host, settings.port) as listener, storage(settings) as (complete, pair):
        assert complete.database_url is not None
        if settings.migrate == "on":
            migrated(complete.database_url)
        data = None if pair is None else str(settings.data)

        def ready(pids: list[int]) -> None:
            announce(settings, listener, data, pids)

        ended = (lambda: None) if pair is None else pair.ended
        if settings.processes > 1:
            return supervise(complete, listener, ready, ended, tell)
        watching = watch(ended, tell)
        try:
            status = serve_here(complete, listener, lambda: ready([os.getpid()]))
        finally:
            watching.set()
        return 1 if ended() is not None else status


def announce(settings: Settings, listener: socket.socket, data: str | None, pids: list[int]) -> None:
    """Say that the server takes requests, and where: one JSON line, or a few for people."""
    url = url_of(listener)
    if settings.log == "json":
        line = {
            "event": "ready", "url": url, "docs": f"{url}/docs", "data": data, "pid": os.getpid(), "processes": pids,
            "version": version(), "at": datetime.now(UTC).isoformat().replace("+00:00", "Z"),
        }  # fmt: skip
        print(json.dumps(line), flush=True)
        return
    where = data or "your own Postgres and Redis"
    print(
        f"{settings.name}, version {version()}, takes requests.\n"
        f"  address    {url}\n  documents  {url}/docs\n  data       {where}\nCtrl-C ends it.",
        flush=True,
    )


def teller(settings: Settings) -> Callable[[str], None]:
    """How to say one line of trouble to whoever started the server."""

    def tell(line: str) -> None:
        text = json.dumps({"event": "error", "error": line}) if settings.log == "json" else line
        print(text, file=sys.stderr, flush=True)

    return tell


def raise_file_limit() -> None:
    """Allow as many open sockets as the machine lets us have: each live table needs a few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
