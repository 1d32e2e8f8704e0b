"""One Postgres database: an engine for models and migrations, a pool for everything that must be quick.

Both are opened from the same `postgresql://` address, which asyncpg alone reads; every session speaks UTC.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

Connection: TypeAlias = "asyncpg.Connection[Any] | PoolConnectionProxy[Any]"

SESSION = {
    "timezone": "UTC",
    "application_name": "rummy500",
    "jit": "off",
    "statement_timeout": "20000",
    "idle_in_transaction_session_timeout": "60000",
}


def plain_url(url: str) -> str:
    """The address as asyncpg wants it: SQLAlchemy's driver suffix is taken off."""
    scheme, mark, rest = url.partition("://")
    if scheme.partition("+")[0] not in ("postgresql", "postgres") or not mark:
        raise ValueError("the database address must begin with postgresql://")
    return f"postgresql://{rest}"


async def open_connection(url: str, **settings: str) -> asyncpg.Connection[Any]:
    """One connection by itself, with the session settings that all connections have; `settings` override them."""
    return await asyncpg.connect(plain_url(url), server_settings=SESSION | settings)


def make_engine(url: str, pool_size: int = 2) -> AsyncEngine:
    """An SQLAlchemy engine over asyncpg; it opens no connection before it is used."""
    return create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: open_connection(url),
        pool_size=pool_size,
        max_overflow=2,
        pool_pre_ping=True,
    )


async def _nothing_to_reset(connection: object) -> None:
    """Sessions here keep no state between uses, so giving one back costs no round trip."""


# The same few statements at every move: their plan is made once for each connection, which takes half their time else.
# (It is made while the tables may be empty yet, and must not be one that reads them whole later.)
WRITER = {"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off"}


@dataclass(frozen=True, slots=True)
class Database:
    """The open database: `engine` for SQLModel, `pool` for statements that are written out, `writers` for moves."""

    engine: AsyncEngine
    pool: asyncpg.Pool[Any]
    writers: asyncpg.Pool[Any]

    async def close(self) -> None:
        """Closes every connection; those in use are waited for a short while, then cut."""
        await self.engine.dispose()
        try:
            async with asyncio.timeout(5):
                await asyncio.gather(self.writers.close(), self.pool.close())
        except TimeoutError:
            self.writers.terminate()
            self.pool.terminate()


async def connect(url: str, pool_size: int = 10) -> Database:
    """Opens the database at a `postgresql://` address; raises OSError or asyncpg's errors when it cannot be reached."""
    pool = await _pool(url, pool_size, SESSION)
    try:
        writers = await _pool(url, 2, SESSION | WRITER)
    except BaseException:
        pool.terminate()
        raise
    return Database(make_engine(url), pool, writers)


async def _pool(url: str, size: int, settings: dict[str, str]) -> asyncpg.Pool[Any]:
    return await asyncpg.create_pool(
        plain_url(url),
        min_size=1,
        max_size=size,
        max_queries=1_000_000,
        max_inactive_connection_lifetime=300,
        command_timeout=30,
        timeout=10,
        reset=_nothing_to_reset,
        server_settings=settings,
    )
