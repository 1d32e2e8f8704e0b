"""Postgres and Redis for the tests: real ones, started once for a whole run, or one's own by the two variables.

The first process of a run starts the embedded pair and hands its addresses on to the others (xdist's workers) in its
environment. Tests get databases cloned from one migrated template, so that none sees another's rows.
"""

import asyncio
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import redis

from server.persistence import migrate
from server.persistence.embedded import EmbeddedPair

P = ParamSpec("P")
T = TypeVar("T")

DATABASE = "RUMMY500_TEST_DATABASE_URL"
REDIS = "RUMMY500_TEST_REDIS_URL"
RUN = "RUMMY500_TEST_RUN"
FOLDER = Path(__file__).parents[2] / "server" / "persistence" / "migrations" / "versions"


@dataclass(slots=True)
class Started:
    """What this process started for the run, to be stopped by it."""

    pair: EmbeddedPair | None = None
    folder: Path | None = None


_started = Started()


def start() -> None:
    """Make sure that both servers run and that this process and those it starts know where."""
    if DATABASE in os.environ:
        return
    database, cache = os.environ.get("RUMMY500_DATABASE_URL"), os.environ.get("RUMMY500_REDIS_URL")
    if database is None or cache is None:
        bindir = os.environ.get("RUMMY500_PG_BINDIR")
        _started.folder = Path(tempfile.mkdtemp(prefix="rummy500-tests-"))
        _started.pair = EmbeddedPair(
            _started.folder / "data",
            fsync=False,
            pg_bindir=Path(bindir) if bindir else None,
            postgres=database is None,
            valkey=cache is None,
        ).start()
        database = database or _started.pair.database_url
        cache = cache or _started.pair.redis_url
    assert database is not None
    assert cache is not None
    os.environ |= {DATABASE: database, REDIS: cache, RUN: secrets.token_hex(4)}


def stop() -> None:
    """Take back what `start` did in this process; the databases of the run are dropped where the servers live on."""
    if _started.pair is None and DATABASE in os.environ and RUN in os.environ:
        in_a_loop(_drop_all())
    if _started.pair is not None:
        _started.pair.stop()
    if _started.folder is not None:
        shutil.rmtree(_started.folder, ignore_errors=True)
    _started.pair = _started.folder = None
    for name in (DATABASE, REDIS, RUN):
        os.environ.pop(name, None)


def in_thread(work: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    """Call a function in a thread of its own: one that starts an event loop can't do so beside a running one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(work, *arguments, **named).result()


def in_a_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end in an event loop of its own, whatever loops this thread has or had."""
    return in_thread(asyncio.run, work)


def _with_database(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _plain(url: str) -> str:
    return url.replace("postgresql+asyncpg://", "postgresql://")


def _name(kind: str) -> str:
    return f"rummy500_test_{os.environ[RUN]}_{kind}"


def fresh_database() -> str:
    """A new database with every table and no rows; its address. `drop_database` takes it away."""
    template = _name("template_" + _digest_of_migrations())
    name = _name(secrets.token_hex(6))
    in_a_loop(_clone(template, name))
    return _with_database(os.environ[DATABASE], name)


def empty_database() -> str:
    """A new database without tables; its address."""
    name = _name(secrets.token_hex(6))
    in_a_loop(_execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"))
    return _with_database(os.environ[DATABASE], name)


def drop_database(url: str) -> None:
    """Drop a database of `fresh_database`, whoever is still connected to it."""
    in_a_loop(_execute(f'DROP DATABASE IF EXISTS "{urlsplit(url).path[1:]}" WITH (FORCE)'))


def _digest_of_migrations() -> str:
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:10]


async def _execute(statement: str) -> None:
    connection = await asyncpg.connect(_plain(os.environ[DATABASE]))
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def _clone(template: str, name: str) -> None:
    """Clone the template, made by whichever process comes first while the others wait."""
    connection = await asyncpg.connect(_plain(os.environ[DATABASE]))
    try:
        await connection.execute("SELECT pg_advisory_lock(500500)")
        try:
            if not await connection.fetchval("SELECT true FROM pg_database WHERE datname = $1", template):
                making = template + "_new"
                await connection.execute(f'DROP DATABASE IF EXISTS "{making}" WITH (FORCE)')
                await connection.execute(
                    f"CREATE DATABASE \"{making}\" TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"
                )
                await asyncio.to_thread(migrate.upgrade, _with_database(os.environ[DATABASE], making))
                await connection.execute(f'ALTER DATABASE "{making}" RENAME TO "{template}"')
            await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        finally:
            await connection.execute("SELECT pg_advisory_unlock(500500)")
    finally:
        await connection.close()


async def _drop_all() -> None:
    connection = await asyncpg.connect(_plain(os.environ[DATABASE]))
    try:
        rows = await connection.fetch("SELECT datname FROM pg_database WHERE datname LIKE $1", _name("") + "%")
        for row in rows:
            await connection.execute(f'DROP DATABASE IF EXISTS "{row["datname"]}" WITH (FORCE)')
    finally:
        await connection.close()


class RedisNumbers:
    """The numbered databases of Redis that one test process may use, given out in turn and emptied first."""

    def __init__(self, worker: int) -> None:
        """The numbers of the worker with this index: eight for each, as far as the server has them."""
        url = os.environ[REDIS]
        with redis.Redis.from_url(url) as client:
            count = int(client.config_get("databases")["databases"])
        each = 8 if count >= 16 else 1
        self._numbers = [(worker * each + offset) % count for offset in range(each)]
        self._url = url
        self._next = 0

    def take(self) -> str:
        """The address of an empty numbered database."""
        number = self._numbers[self._next % len(self._numbers)]
        self._next += 1
        url = _with_database(self._url, str(number))
        with redis.Redis.from_url(url) as client:
            client.flushdb()
        return url
