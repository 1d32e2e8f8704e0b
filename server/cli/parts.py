"""What every command needs that talks to Postgres or Redis: the addresses, embedded where none is given."""

import asyncio
import errno
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import asyncpg
import typer
from redis.asyncio import Redis

from server.cli.options import BadSettings, load_settings
from server.cli.process import end_on_signals
from server.persistence.database import Database, connect
from server.persistence.embedded import EmbeddedError, EmbeddedPair
from server.persistence.migrate import upgrade
from server.settings import Settings

T = TypeVar("T")


class CannotStart(Exception):
    """The command can't do its work; the message is one line that says why and what would mend it."""


@contextmanager
def storage(settings: Settings, *, redis: bool = True) -> Iterator[tuple[Settings, EmbeddedPair | None]]:
    """The settings with both addresses filled in, and the embedded pair that runs meanwhile, if one is needed."""
    postgres = settings.database_url is None
    valkey = redis and settings.redis_url is None
    if not postgres and not valkey:
        yield settings, None
        return
    try:
        pair = EmbeddedPair(
            settings.data,
            fsync=settings.fsync == "on",
            pg_bindir=settings.pg_bindir,
            postgres=postgres,
            valkey=valkey,
        ).start()
    except EmbeddedError as error:
        raise CannotStart(str(error)) from error
    try:
        yield (
            settings.model_copy(
                update={
                    "database_url": settings.database_url or pair.database_url,
                    "redis_url": settings.redis_url or pair.redis_url,
                }
            ),
            pair,
        )
    finally:
        pair.stop()


def migrated(database_url: str) -> None:
    """Bring the database's tables up to date; raises CannotStart with a line for a person."""
    try:
        upgrade(database_url)
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise CannotStart(database_trouble(error)) from error


def database_trouble(error: BaseException) -> str:
    """Why a database can't be used, in one line without its password."""
    if isinstance(error, asyncpg.DiskFullError) or getattr(error, "errno", None) == errno.ENOSPC:
        return "The database's disk is full: make room."
    if isinstance(error, asyncpg.InvalidPasswordError | asyncpg.InvalidAuthorizationSpecificationError):
        return f"The database refuses the user or password in RUMMY500_DATABASE_URL: {error}."
    if isinstance(error, asyncpg.InvalidCatalogNameError):
        return f"There is no such database: {error}. Create it, or mend RUMMY500_DATABASE_URL."
    if isinstance(error, asyncpg.PostgresError):
        return f"The database refuses: {error}."
    return f"The database cannot be reached (RUMMY500_DATABASE_URL): {str(error) or type(error).__name__}."


def on_storage(values: dict[str, str | None], work: Callable[[Database, Redis], Awaitable[T]]) -> T:
    """What `work` gives, done on the storage that a command's options name, with its tables up to date.

    Where that can't be had the command ends with status 1 and one line that says why.
    """

    async def run(database_url: str, redis_url: str) -> T:
        database, redis = await connect(database_url, 3), Redis.from_url(redis_url)
        try:
            return await work(database, redis)
        finally:
            await redis.aclose()
            await database.close()

    try:
        settings = load_settings(values)
        end_on_signals()
        with storage(settings) as (complete, _):
            assert complete.database_url is not None
            assert complete.redis_url is not None
            migrated(complete.database_url)
            return asyncio.run(run(complete.database_url, complete.redis_url))
    except (BadSettings, CannotStart) as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from error
