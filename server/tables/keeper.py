"""What a process does by itself, again and again: due turns, missed messages, presence, and the service's heartbeat."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import structlog

from server.tables.notices import deadline_near
from server.tables.ports import NoticeStore
from server.tables.service import Tables

log = structlog.get_logger("keeper")

STOPPED = 5000  # ms without a heartbeat after which time is credited
SILENT = 3.0  # after so many seconds without one of its own a process lets as many pass before its clocks play
NEAR_SHORT = 10_000
NEAR_LONG = 3_600_000
LONG_TURN = 6 * 3600


class Keeper:
    """The background work of one process."""

    def __init__(self, tables: Tables, notices: NoticeStore) -> None:
        self._tables = tables
        self._notices = notices
        self._tasks: list[asyncio.Task[None]] = []
        self._faulty: dict[str, float] = {}
        self.lag = 0.0
        self.beat_at = float("-inf")

    async def start(self) -> None:
        """Follows the database's clock, credits a stop of the service, and begins."""
        await self._beat()
        self.every(1.0, self._beat)
        self.every(0.7, self._due)
        self.every(4.0, self._missed)
        self.every(5.0, self._tables.presence.sync)
        self.every(5.0, self._nearly_due)
        self.every(0.5, self._measure)

    def every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Does something every so many seconds; its faults are logged and it goes on."""
        self._tasks.append(asyncio.create_task(self._repeat(seconds, work)))

    async def _repeat(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - it goes on
                log.warning("keeper", work=getattr(work, "__qualname__", "?"), error=repr(error))

    async def stop(self) -> None:
        """Stops."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _measure(self) -> None:
        """How late the event loop is, for /metrics."""
        began = time.monotonic()
        await asyncio.sleep(0.05)
        self.lag = max(0.0, time.monotonic() - began - 0.05)

    async def _beat(self) -> None:
        began = time.monotonic()
        now = await self._tables.store.now()
        self._tables.clock.set(now + round((time.monotonic() - began) * 500))
        gap = await self._tables.store.beat()
        if time.monotonic() - self.beat_at > SILENT:  # whoever sees the gap first credits it; that takes a moment
            self._tables.clocks_held_until = time.monotonic() + SILENT
        self.beat_at = time.monotonic()
        if gap > STOPPED:
            await self._credit(gap)

    async def _credit(self, gap: int) -> None:
        """Gives back the time that a stop of the whole service took from whoever was to move."""
        log.info("service_was_away", seconds=gap / 1000)
        for game_id in await self._tables.store.clocked():
            await self._credit_one(game_id, gap)

    async def _credit_one(self, game_id: str, gap: int) -> None:
        """One table's credit; while a part is away again, once more."""
        for _ in range(60):
            self._tables.clocks_held_until = time.monotonic() + SILENT
            try:
                await self._tables.credit(game_id, gap)
            except Exception as error:
                if not self._tables.is_outage(error):
                    log.exception("credit_fault", game=game_id)
                    return
                await asyncio.sleep(0.5)
            else:
                return

    async def _due(self) -> None:
        now = time.monotonic()
        self._faulty = {game_id: until for game_id, until in self._faulty.items() if until > now}
        for game_id in await self._tables.store.due(200):
            if game_id in self._faulty:
                continue
            try:
                await self._tables.act(game_id)
            except Exception as error:
                if self._tables.is_outage(error):
                    raise  # the game is not at fault; it is tried again with the others
                log.exception("due_fault", game=game_id)
                self._faulty[game_id] = now + 30

    async def _nearly_due(self) -> None:
        """Tells players whose time is nearly up: an hour before in slow games, ten seconds before in others."""
        for game_id in await self._tables.store.nearly_due(NEAR_LONG):
            table = await self._tables.find(game_id)
            if table is None or table.setup.clock is None or table.live.deadline is None:
                continue
            near = NEAR_LONG if table.setup.clock.turn_seconds >= LONG_TURN else NEAR_SHORT
            if table.live.deadline - self._tables.clock.now() <= near:
                notices = deadline_near(table.setup, table.live)
                await self._notices.add(notices)
                self._tables.wake([notice.player for notice in notices])

    async def _missed(self) -> None:
        """Finds tables whose news the bus has lost."""
        await self._tables.hub.look_again(self._tables.clock.now() - 15_000)
        watched = {table.setup.game_id: table for table in self._tables.watched_tables()}
        if not watched:
            return
        for game_id, version in (await self._tables.store.versions(list(watched))).items():
            if version > watched[game_id].version:
                await self._tables.refresh(watched[game_id])
