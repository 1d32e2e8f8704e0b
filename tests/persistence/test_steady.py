"""The connection that is kept for statements that come again and again."""

import asyncio
from typing import Any

import pytest

from server.main import is_outage
from server.persistence import steady
from server.persistence.database import connect
from server.persistence.steady import Steady

pytestmark = pytest.mark.storage

PID = "SELECT pg_backend_pid()"


@pytest.fixture
async def pool(database_url: str) -> Any:
    """A small pool."""
    database = await connect(database_url, 3)
    yield database.pool
    await database.close()


async def test_it_is_kept_while_in_use_and_then_given_back(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One connection for one statement after the other, others for statements beside it, none when all is quiet."""
    monkeypatch.setattr(steady, "IDLE", 0.05)
    kept = Steady(pool)
    pids = {await kept.fetchval(PID) for _ in range(5)}
    assert len(pids) == 1
    assert pool.get_idle_size() == pool.get_size() - 1
    beside = await asyncio.gather(*(kept.fetchval(PID) for _ in range(3)))
    assert len(set(beside)) > 1
    async with asyncio.timeout(5):
        while pool.get_idle_size() < pool.get_size():  # noqa: ASYNC110 - the pool has no event for it
            await asyncio.sleep(0.02)


async def test_a_connection_that_was_cut_is_replaced(pool: Any) -> None:
    """The statement that finds it dead fails, as it would with the pool; the next one has another."""
    kept = Steady(pool)
    pid = await kept.fetchval(PID)
    await pool.execute("SELECT pg_terminate_backend($1)", pid)
    told: list[Exception] = []
    try:
        await kept.fetchval(PID)
    except Exception as error:  # noqa: BLE001 - asyncpg has several for this
        told.append(error)
    assert all(is_outage(error) for error in told), "told as 503, not as a fault"
    other = await kept.fetchval(PID)
    assert other != pid
    await kept.give_back()
    assert pool.get_idle_size() == pool.get_size()
