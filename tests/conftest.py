"""Fixtures that every package's tests may ask for: real storage, and whole servers."""

import itertools
import os
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from server.persistence.database import Database, connect
from tests.support import storage
from tests.support.servers import ServerProcess, make_server

StartServer = Callable[..., ServerProcess]

# `--hypothesis-profile nightly` plays thousands of games where the normal one plays some hundreds.
settings.register_profile("normal", max_examples=100, deadline=None)
settings.register_profile("nightly", max_examples=3000, deadline=None)
settings.load_profile("normal")


def pytest_configure(config: pytest.Config) -> None:
    """With several test processes the one that leads them starts the servers for all."""
    leads = not hasattr(config, "workerinput") and getattr(config.option, "numprocesses", None)
    if leads and not config.option.collectonly:
        storage.start()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Whoever started the servers stops them."""
    if not hasattr(config, "workerinput"):
        storage.stop()


@pytest.fixture(scope="session")
def _storage() -> None:
    """Both servers, running."""
    storage.start()


@pytest.fixture(scope="session")
def _redis_numbers(_storage: None) -> storage.RedisNumbers:
    """The numbered Redis databases of this test process."""
    return storage.RedisNumbers(int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")))


@pytest.fixture
def database_url(_storage: None) -> Iterator[str]:
    """The address of a migrated database without rows, for one test (`postgresql+asyncpg://…`)."""
    url = storage.fresh_database()
    yield url
    storage.drop_database(url)


@pytest.fixture(scope="module")
def module_database_url(_storage: None) -> Iterator[str]:
    """The address of a migrated database for all tests of one module."""
    url = storage.fresh_database()
    yield url
    storage.drop_database(url)


@pytest.fixture
def empty_database_url(_storage: None) -> Iterator[str]:
    """The address of a database without tables, for one test: to try migrations on."""
    url = storage.empty_database()
    yield url
    storage.drop_database(url)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A migrated database without rows, open."""
    opened = await connect(database_url)
    yield opened
    await opened.close()


@pytest.fixture
def redis_url(_redis_numbers: storage.RedisNumbers) -> str:
    """The address of an empty numbered database of Redis, for one test (`redis://…/N`)."""
    return _redis_numbers.take()


@pytest.fixture(scope="module")
def module_redis_url(_redis_numbers: storage.RedisNumbers) -> str:
    """The address of an empty numbered database of Redis for all tests of one module."""
    return _redis_numbers.take()


@pytest.fixture(scope="module")
def start_server_in_module(
    _redis_numbers: storage.RedisNumbers, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StartServer]:
    """As `start_server`, for servers that all tests of a module share."""
    yield from _servers(_redis_numbers, tmp_path_factory.mktemp("servers"))


@pytest.fixture
def start_server(_redis_numbers: storage.RedisNumbers, tmp_path: Path) -> Iterator[StartServer]:
    """Start servers: `start_server(processes=2, RUMMY500_NAME="x")`; each has a database and a Redis number of its own.

    `like=other` starts one on the storage of another. All are ended, by their process ids, when the test ends.
    """
    yield from _servers(_redis_numbers, tmp_path)


def _servers(numbers: storage.RedisNumbers, folder: Path) -> Iterator[StartServer]:
    running: list[ServerProcess] = []
    databases: list[str] = []
    count = itertools.count()

    def start(*, processes: int = 1, like: ServerProcess | None = None, **variables: str) -> ServerProcess:
        if like is not None:
            where = {name: like.environment[name] for name in ("RUMMY500_DATABASE_URL", "RUMMY500_REDIS_URL")}
        else:
            databases.append(storage.fresh_database())
            where = {"RUMMY500_DATABASE_URL": databases[-1], "RUMMY500_REDIS_URL": numbers.take()}
        told = where | {"RUMMY500_PROCESSES": str(processes)} | variables
        server = make_server(folder / f"server-{next(count)}.log", **told)
        running.append(server)
        return server.start()

    yield start
    for server in running:
        server.stop()
    for url in databases:
        storage.drop_database(url)


@pytest.fixture
def server_process(start_server: StartServer) -> ServerProcess:
    """One running server with storage of its own."""
    return start_server()
