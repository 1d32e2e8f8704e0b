"""Everything about points, boards and dailies that one process works with, put together."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import asyncpg
import structlog
from redis.asyncio import Redis

from server.boards import Boards, Daily, FinishedGame, FinishedSeat
from server.boards.games import LiveGames
from server.persistence.board_cache import BoardCache
from server.persistence.board_pages import PostgresPages
from server.persistence.daily import PostgresDeals
from server.persistence.database import Connection
from server.persistence.results import PostgresCareers
from server.persistence.settle import Settling
from server.players import Players
from server.tables import Tables
from server.tables.ports import Finished

log = structlog.get_logger("boards")


@dataclass(slots=True)
class _Clock:
    """The clock of the tables, once there are tables; `now` tells the day."""

    tables: Tables | None = None

    def now(self) -> datetime:
        return datetime.now(UTC) if self.tables is None else moment(self.tables.clock.day())


class BoardOffice:
    """Opened before the tables, which tell it of finished games; `attach` gives it the tables."""

    def __init__(self, pool: asyncpg.Pool[Any], redis_url: str, players: Players) -> None:
        self._clock = _Clock()
        self._players = players
        self._redis = Redis.from_url(redis_url, socket_timeout=3, socket_connect_timeout=3)
        self._tasks: set[asyncio.Task[None]] = set()
        self._settling = Settling(self._clock.now)
        self._deals = PostgresDeals(pool)
        self.cache = BoardCache(pool, self._redis)
        self.boards = Boards(PostgresPages(pool), self.cache, PostgresCareers(pool), players, self._clock.now)

    def attach(self, tables: Tables) -> Daily:
        """The daily deals, played at these tables."""
        self._clock.tables = tables
        self._games = LiveGames(tables)
        self.daily = Daily(self._deals, self._games, self._clock.now)
        return self.daily

    def now(self) -> datetime:
        """The moment that decides which day, week and month it is."""
        return self._clock.now()

    async def settle(self, connection: Connection, finished: Finished) -> None:
        """Gives a game's points, ratings and rows in the transaction that ends it."""
        await self._settling.settle(connection, finished_game(finished))

    async def settled(self, finished: Finished) -> None:
        """After that transaction: what was remembered of the people is dropped, and the cache is told, by and by."""
        self._players.forget(*(seat.player for seat in finished.seats if seat.player is not None))
        task = asyncio.create_task(self._tell_cache())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def look_after_days(self) -> None:
        """Makes the deals to come, closes past days and ends their games; done at start and every few minutes."""
        await self.daily.prepare()
        today = self._clock.now().date()
        for game_id in await self._deals.unfinished(today - timedelta(days=2)):
            await self._games.end(game_id)

    async def close(self) -> None:
        """Waits for the cache to be told, and closes the connection to it."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _tell_cache(self) -> None:
        if len(self._tasks) > 2:
            return  # one is at it, and the next will find this game's changes too
        try:
            await self.cache.catch_up()
        except Exception as error:  # noqa: BLE001 - whoever reads a rank next tells the cache first
            log.warning("cache_not_told", error=repr(error))


def moment(milliseconds: int) -> datetime:
    """Milliseconds since 1970 as a moment in UTC."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def finished_game(told: Finished) -> FinishedGame:
    """What the tables tell of a finished game, as the boards see it."""
    day = None if told.daily is None else date.fromisoformat(told.daily)
    ids = [seat.player for seat in told.seats if seat.player is not None]
    started = told.created_at if told.started_at is None else told.started_at
    return FinishedGame(
        id=told.game_id,
        preset=told.preset,
        ranked=told.ranked,
        seats=tuple(FinishedSeat(s.seat, s.player, s.level, s.stood_in, s.left) for s in told.seats),
        partners=told.partners,
        reason=told.result["reason"],
        winners=tuple(told.result["winners"]),
        totals=tuple(told.result["totals"]),
        rounds=told.rounds,
        created_at=moment(told.created_at),
        started_at=moment(started),
        finished_at=moment(told.finished_at),
        daily=day,
        study=len(set(ids)) != len(ids),
    )
