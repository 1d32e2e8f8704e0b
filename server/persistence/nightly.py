"""What is done once a night: every game behind a row of a board is played again, the boards are compared, old rows go.

The process that writes the night down first does the work; the games are checked one after another in a process of its
own that gives way to everything else. What is wrong is logged as an error, and kept in `settled_games.fault`.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, Final

import asyncpg
import structlog

from server.boards.effects import Result, effects_of
from server.boards.periods import periods_of
from server.boards.verify import verify
from server.persistence.board_cache import BoardCache
from server.persistence.board_office import finished_game
from server.persistence.rebuild import Rebuilding
from server.tables import render
from server.tables.ending import finished_game as told_of
from server.tables.ports import GameStore
from server.tables.table import Table

log = structlog.get_logger("nightly")

HOUR: Final = 3  # UTC
_UNCHECKED: Final = """
    SELECT game_id FROM settled_games
    WHERE checked_at IS NULL AND EXISTS (
        SELECT FROM results LEFT JOIN daily_deals ON daily_deals.date = daily
        WHERE results.game_id = settled_games.game_id AND (points > 0 OR mu IS NOT NULL OR daily IS NOT NULL)
              AND (daily IS NULL OR closed)
    )
    ORDER BY settled_at LIMIT $1
"""
_OLD: Final = (
    "DELETE FROM board_rows WHERE to_xid IS NOT NULL AND until < now() - interval '1 day'",
    "DELETE FROM tokens WHERE least(revoked_at, expires_at) < now() - interval '30 days'",
    "DELETE FROM transfers WHERE expires_at < now() - interval '1 day'",
    "DELETE FROM nights WHERE date < current_date - 60",
)


class Nightly:
    """The night's work of one process. `now` is the clock that decides which day it is."""

    def __init__(
        self, pool: asyncpg.Pool[Any], cache: BoardCache, store: GameStore, now: Callable[[], datetime]
    ) -> None:
        self._pool = pool
        self._cache = cache
        self._store = store
        self._now = now

    async def look(self) -> None:
        """Does the night's work if it is due and nobody else has begun."""
        at = self._now()
        if at.hour < HOUR or not await self._pool.fetchval(
            "INSERT INTO nights (date) VALUES ($1) ON CONFLICT DO NOTHING RETURNING true", at.date()
        ):
            return
        await self.tidy()
        found = await self.check_games()
        differences = await Rebuilding(self._pool, self._cache).differences(cache=False)
        for line in differences:
            log.error("board_differs", difference=line)
        log.info("night_done", games=len(found), faults=sum(bool(fault) for fault in found.values()))

    async def tidy(self) -> None:
        """Drops what no page, no caller and no cache needs any more."""
        for statement in _OLD:
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("SET LOCAL statement_timeout = 0")
                await connection.execute(statement, timeout=3600)
        day = self._now().date()
        present = {(board, period) for board in ("ranking", "rating", "daily") for period in periods_of(day)}
        await self._cache.drop_past(present)

    async def check_games(self, most: int = 100_000) -> dict[str, str | None]:
        """Plays again the games behind boards' rows that were not checked yet: what was wrong with each, or None."""
        found: dict[str, str | None] = {}
        async with _helper() as helper:
            while len(found) < most:
                games = await self._pool.fetch(_UNCHECKED, min(100, most - len(found)))
                if not games:
                    break
                for row in games:
                    found[row["game_id"]] = await self._check(row["game_id"], helper)
        return found

    async def _check(self, game_id: str, helper: ProcessPoolExecutor) -> str | None:
        fault = await self._fault(game_id, helper)
        if fault is not None:
            log.error("game_wrong", game=game_id, fault=fault)
        await self._pool.execute(
            "UPDATE settled_games SET checked_at = now(), fault = $2 WHERE game_id = $1", game_id, fault
        )
        return fault

    async def _fault(self, game_id: str, helper: ProcessPoolExecutor) -> str | None:
        stored = await self._store.load(game_id)
        if stored is None:
            return "the game is not there"
        table = Table.from_stored(stored)
        record = render.record(stored.setup, table.live, stored.rows, {}, _LATE)
        report = await asyncio.get_running_loop().run_in_executor(helper, verify, record)
        if report.problems:
            return "; ".join(report.problems)
        effects = effects_of(finished_game(told_of(stored.setup, table.live)), {})
        rows = await self._pool.fetch(
            "SELECT player_id, seat, won, margin, points FROM results WHERE game_id = $1 ORDER BY seat", game_id
        )
        if [tuple(row) for row in rows] != [_as_kept(result) for result in effects.results]:
            return "the results that were kept are not the game's"
        return None


_LATE: Final = 2**53  # a moment when every seed may be told


def _as_kept(result: Result) -> tuple[str, int, bool, int, int]:
    return result.player_id, result.seat, result.won, result.margin, result.points


@asynccontextmanager
async def _helper() -> AsyncIterator[ProcessPoolExecutor]:
    """A process that gives way to everything else."""
    pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_give_way)
    try:
        yield pool
    finally:
        await asyncio.to_thread(pool.shutdown, cancel_futures=True)


def _give_way() -> None:
    if hasattr(os, "nice"):
        os.nice(15)
