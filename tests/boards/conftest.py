"""Boards over a real Postgres and Redis."""

import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from redis.asyncio import Redis

from server.boards import Boards, Deal, FinishedGame
from server.boards.daily import Daily
from server.persistence.board_cache import BoardCache
from server.persistence.board_pages import PostgresPages
from server.persistence.daily import PostgresDeals
from server.persistence.database import Database
from server.persistence.players import PostgresPlayers
from server.persistence.results import PostgresCareers
from server.persistence.settle import Settling
from server.players import Players
from tests.boards.games import AT


class Tables:
    """Stands in for the tables: remembers which games were asked for."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[str, Deal, datetime]] = {}

    async def make_daily(self, game_id: str, player_id: str, deal: Deal, closes_at: datetime) -> None:
        self.made.setdefault(game_id, (player_id, deal, closes_at))

    async def make_practice(self, player_id: str, deal: Deal) -> str:
        return "practice"


@dataclass
class Office:
    """One process's boards, with a clock that tests move."""

    database: Database
    redis: Any
    players: Players
    boards: Boards
    cache: BoardCache
    pages: PostgresPages
    settling: Settling
    daily: Daily
    tables: Tables
    moved: list[timedelta]

    def now(self) -> datetime:
        return AT + self.moved[0]

    async def people(self, count: int, *, registered: bool = False) -> list[str]:
        """Ids of new players."""
        ids = sorted(secrets.token_hex(16) for _ in range(count))
        await self.database.pool.execute(
            "INSERT INTO players (id, name, kind) SELECT id, 'P' || left(id, 6), $2 FROM unnest($1::text[]) AS id",
            ids,
            "registered" if registered else "guest",
        )
        return ids

    async def settle(self, game: FinishedGame) -> bool:
        async with self.database.pool.acquire() as connection, connection.transaction():
            return await self.settling.settle(connection, game)


def open_office(database: Database, redis: Any) -> Office:
    moved = [timedelta()]

    def now() -> datetime:
        return AT + moved[0]

    players = Players(PostgresPlayers(database.pool))
    pages, cache, tables = PostgresPages(database.pool), BoardCache(database.pool, redis), Tables()
    return Office(
        database,
        redis,
        players,
        Boards(pages, cache, PostgresCareers(database.pool), players, now),
        cache,
        pages,
        Settling(now),
        Daily(PostgresDeals(database.pool), tables, now),
        tables,
        moved,
    )


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Any]:
    opened: Any = Redis.from_url(redis_url)
    yield opened
    await opened.aclose()


@pytest.fixture
async def office(database: Database, redis: Any) -> Office:
    return open_office(database, redis)


@pytest.fixture
async def other_office(database: Database, redis: Any) -> Office:
    """Another process over the same storage."""
    return open_office(database, redis)
