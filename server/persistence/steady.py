"""A connection that is kept while it is in use: for a statement that comes again and again, taking one from the pool
and giving it back costs half as much as the statement itself.
"""

from __future__ import annotations

import asyncio
from typing import Any

import asyncpg

IDLE = 1.0


class Steady:
    """One connection of a pool, given back when nobody wanted it for a second; a statement that finds it busy takes
    another. Kept for longer it might be dead without anybody's knowledge: the pool's others are used all the time.
    """

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool
        self._connection: Any = None
        self._busy = False
        self._used = False  # since it was last looked at
        self._timer: asyncio.TimerHandle | None = None
        self._giving: asyncio.Task[None] | None = None

    async def fetchval(self, statement: str, *arguments: Any) -> Any:
        """The first value that a statement gives, None where it gives none."""
        if self._busy:
            return await self._pool.fetchval(statement, *arguments)
        self._busy = self._used = True
        try:
            if self._connection is None or self._connection.is_closed():
                await self.give_back()
                self._connection = await self._pool.acquire()
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(IDLE, self._look)
            return await self._connection.fetchval(statement, *arguments)
        except BaseException:
            await self.give_back()  # the pool looks whether it can still be used
            raise
        finally:
            self._busy = False

    def _look(self) -> None:
        self._timer = None
        if self._busy or self._used:
            self._used = False
            self._timer = asyncio.get_running_loop().call_later(IDLE, self._look)
        elif self._connection is not None:
            connection, self._connection = self._connection, None  # at once, so that nobody takes it up again
            self._giving = asyncio.ensure_future(self._pool.release(connection))

    async def give_back(self) -> None:
        """Gives the connection back to the pool."""
        connection, self._connection = self._connection, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if connection is not None:
            await self._pool.release(connection)
