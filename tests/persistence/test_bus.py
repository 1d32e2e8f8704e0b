"""The bus between processes: what is said, to whom, and what is left unsaid."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.persistence import bus as module
from server.persistence.bus import RedisBus
from server.tables.ports import Row

pytestmark = pytest.mark.storage


@pytest.fixture
async def pair(redis_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[RedisBus, RedisBus]]:
    """Two processes' buses over one Redis; only the first has begun."""
    monkeypatch.setattr(module, "ALONE_AFTER", 0.6)
    buses = [RedisBus(redis_url, name, lambda: int(time.time() * 1000)) for name in ("one", "two")]
    buses[0].start()
    yield buses[0], buses[1]
    for each in buses:
        await each.stop()


async def test_who_is_alone_says_nothing_and_speaks_again_when_another_comes(
    pair: tuple[RedisBus, RedisBus],
) -> None:
    """A lone process publishes no rows; from the first beat of another on it does, and in order."""
    first, second = pair
    heard: list[tuple[str, int]] = []

    async def on_row(game_id: str, row: Row) -> None:
        heard.append((game_id, row.seq))

    second.on_row = on_row
    first._others_at = time.monotonic() - 1
    first._heard_at = time.monotonic()
    alone: Any = first.alone
    assert alone
    second.subscribe("g")
    second.start()
    for _ in range(100):
        if not first.alone:
            break
        await asyncio.sleep(0.02)
    assert not first.alone
    rows = [Row(seq, seq + 1, {"k": "close"}, 0) for seq in range(50)]
    for _ in range(100):  # until the subscription is there
        await first.publish("g", rows[0])
        await asyncio.sleep(0.02)
        if heard:
            break
    heard.clear()
    await asyncio.gather(*(first.publish("g", row) for row in rows))
    for _ in range(100):
        if len(heard) >= 50:
            break
        await asyncio.sleep(0.02)
    assert heard == [("g", seq) for seq in range(50)]


async def test_a_deaf_process_never_takes_itself_for_alone(pair: tuple[RedisBus, RedisBus]) -> None:
    """Hearing nobody proves nothing while one's own beat is not heard either."""
    first: Any = pair[0]
    first._others_at = first._heard_at = time.monotonic() - 5
    assert not first.alone
