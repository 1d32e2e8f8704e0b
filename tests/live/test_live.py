"""Two server processes on one Postgres and one Redis, and everything that goes wrong on purpose; small counts.

`python3 dev.py soak` runs the same scenarios with the full counts.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.live import scenarios
from tests.live.stand import Stand, a_stand

pytestmark = [pytest.mark.storage, pytest.mark.slow]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stand(
    module_database_url: str, module_redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Stand]:
    """Two processes for all tests here; whoever kills one starts it again."""
    folder: Path = tmp_path_factory.mktemp("live")
    async with a_stand(folder, module_database_url, module_redis_url) as running:
        yield running


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("read_your_writes", 6), ("streams_across", 80), ("same_version", 25), ("last_seat", 50), ("joins_together", 4),
        ("end_clock_and_leave", 8), ("snapshot_race", 32), ("token_revoked", 1), ("dismissed_in_a_move", 1),
        ("many_streams", 300), ("slow_reader", 20),
        ("presence", 1), ("resync_at_random", 6), ("redis_lost", 1), ("postgres_lost", 1), ("cpu_turns_elsewhere", 1),
        ("killed_under_load", 3), ("drained", 20), ("clocks_after_a_stop", 3),
    ],
)  # fmt: skip
async def test_stage3(stand: Stand, name: str, count: int) -> None:
    """The scenario of that name holds, and the servers met no fault of their own meanwhile."""
    before = len(stand.faults())
    figures = await getattr(scenarios, name)(stand, count)
    print(name, figures)
    assert stand.faults()[before:] == []
