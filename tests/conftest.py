"""Real storage for tests: one Postgres and one Valkey for each worker, an empty migrated database for each test.

`RUMMY500_TEST_DATABASE_URL` and `RUMMY500_TEST_REDIS_URL` name servers of your own to use instead; databases are made
and dropped there, and the Redis database is emptied.
"""

import asyncio
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from server.persistence import migrate
from server.persistence.database import Database, connect, open_connection
from server.persistence.embedded import EmbeddedPair


@pytest.fixture(scope="session")
def storage() -> Iterator[tuple[str, str]]:
    """Addresses of a Postgres and a Redis that tests may do anything to."""
    database_url = os.environ.get("RUMMY500_TEST_DATABASE_URL")
    redis_url = os.environ.get("RUMMY500_TEST_REDIS_URL")
    if database_url and redis_url:
        yield database_url, redis_url
        return
    with tempfile.TemporaryDirectory(prefix="r500-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with EmbeddedPair(
            Path(folder) / "data", fsync=False, postgres=database_url is None, valkey=redis_url is None
        ) as pair:
            yield database_url or pair.database_url or "", redis_url or pair.redis_url or ""


def _named(url: str, name: str) -> str:
    return f"{url.rsplit('/', 1)[0]}/{name}"


async def _execute(url: str, statement: str) -> None:
    connection = await open_connection(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def template(storage: tuple[str, str]) -> Iterator[str]:
    """The name of a migrated database to clone."""
    name = f"template_{secrets.token_hex(4)}"
    asyncio.run(_execute(storage[0], f"CREATE DATABASE {name}"))
    migrate.upgrade(_named(storage[0], name))
    yield name
    asyncio.run(_execute(storage[0], f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
async def database_url(storage: tuple[str, str], template: str) -> AsyncIterator[str]:
    """The address of an empty, migrated database of this test's own."""
    name = f"test_{secrets.token_hex(6)}"
    await _execute(storage[0], f"CREATE DATABASE {name} TEMPLATE {template}")
    yield _named(storage[0], name)
    await _execute(storage[0], f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def empty_database_url(storage: tuple[str, str]) -> AsyncIterator[str]:
    """The address of a database of this test's own without any table."""
    name = f"test_{secrets.token_hex(6)}"
    await _execute(storage[0], f"CREATE DATABASE {name} TEMPLATE template0")
    yield _named(storage[0], name)
    await _execute(storage[0], f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """An empty, migrated database, open."""
    opened = await connect(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def redis_url(storage: tuple[str, str]) -> str:
    """The address of a Redis database that is empty at the start of the test."""
    redis: Any = Redis.from_url(storage[1])
    await redis.flushdb()
    await redis.aclose()
    return storage[1]
