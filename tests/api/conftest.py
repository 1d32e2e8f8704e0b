"""One server for all tests of the API in a test process."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.conftest import _servers
from tests.support.client import Api, Player
from tests.support.servers import ServerProcess
from tests.support.storage import RedisNumbers


@pytest.fixture(scope="session")
def api_server(_redis_numbers: RedisNumbers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server; no test stops it."""
    for start in _servers(_redis_numbers, tmp_path_factory.mktemp("api")):
        yield start()


@pytest.fixture
async def api(api_server: ServerProcess) -> AsyncIterator[Api]:
    """A client of it."""
    opened = Api(api_server.url)
    yield opened
    await opened.close()


@pytest.fixture
async def ann(api: Api) -> Player:
    """A guest."""
    return await api.guest("Ann")


@pytest.fixture
async def bob(api: Api) -> Player:
    """Another guest."""
    return await api.guest("Bob")
