"""What every command needs that talks to Postgres or Redis: the addresses, embedded where none is given."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from server.persistence.embedded import EmbeddedError, EmbeddedPair
from server.persistence.migrate import upgrade
from server.settings import Settings


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
