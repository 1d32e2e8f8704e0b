"""`rummy500 cpu-worker`: makes CPU players' choices for the servers that share a Redis."""

import signal
from types import FrameType

import typer

from server import logs
from server.cli.options import BadSettings, load_settings, with_settings

FIELDS = ("redis_url", "log", "log_level")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("cpu-worker")(with_settings(cpu_worker, FIELDS))


def cpu_worker(**values: str | None) -> None:
    """Make CPU players' choices for servers that are started with `--cpu-workers 0` and the same Redis.

    Any number may run, on any machine; one that dies loses nothing.
    """
    from server.cli.serve import teller
    from server.persistence.cpu_jobs import Worker

    try:
        settings = load_settings(values)
    except BadSettings as error:
        typer.echo(error, err=True)
        raise typer.Exit(2) from error
    if settings.redis_url is None:
        typer.echo("A CPU worker needs the servers' Redis: set RUMMY500_REDIS_URL or --redis-url.", err=True)
        raise typer.Exit(2)
    logs.configure(settings.log, settings.log_level)
    tell = teller(settings)
    worker = Worker(settings.redis_url, lambda line: tell(f"cpu-worker: {line}"))

    def stop(_number: int, _frame: FrameType | None) -> None:
        worker.stop()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    worker.run()
