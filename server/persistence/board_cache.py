"""Ranks by sorted sets in Redis. Postgres is the truth; what is here can be lost at any moment.

Every change of a board leaves a row in `board_changes`, in the transaction that made it. `catch_up` carries such rows
over to Redis, one process at a time, and deletes them after Redis has answered: a crash in between repeats a write.
A rank is read after catching up, so it is the rank among all that was committed before. `board_cache.writes` counts in
Postgres what `writes` counts in Redis: a Redis that counts fewer was restored from older data, and everything in it is
loaded anew. A board that Redis does not have is loaded when it is first asked for.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import asyncpg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.persistence.board_pages import PostgresPages
from server.persistence.database import Connection

PREFIX: Final = "rummy500:board"
STATE: Final = f"{PREFIX}s"
_BATCH: Final = 5_000

Board = tuple[str, str]


def key_of(board: str, period: str, *, registered: bool) -> str:
    """The sorted set of a board's period: of everybody, or of the registered only."""
    return f"{PREFIX}:{board}:{period}{':registered' if registered else ''}"


def mark_of(board: str, period: str) -> str:
    """The field of `STATE` that is there while the sorted sets of a board's period are whole."""
    return f"{board}/{period}"


class BoardCache:
    """Ranks for the process."""

    def __init__(self, pool: asyncpg.Pool[Any], redis: Redis) -> None:
        self._pool = pool
        self._redis: Any = redis
        self._pages = PostgresPages(pool)
        self._turn = asyncio.Lock()  # one connection of the pool waits for the others' turn, not all of them

    async def ranks(self, board: str, period: str, scores: Iterable[int], *, registered: bool) -> dict[int, int]:
        """The rank of each score on a board; counted in Postgres while Redis is away."""
        wanted = sorted(set(scores))
        if not wanted:
            return {}
        try:
            counts = await self._counts(board, period, wanted, registered=registered)
            if counts is None:
                while await self.catch_up(need=(board, period)) >= _BATCH:
                    pass  # more was noted than fits into one batch
                counts = await self._counts(board, period, wanted, registered=registered, checked=True)
            assert counts is not None
        except (OSError, RedisError):
            counts = [await self._pages.count_above(board, period, score, registered=registered) for score in wanted]
        return {score: count + 1 for score, count in zip(wanted, counts, strict=True)}

    async def catch_up(self, need: Board | None = None) -> int:
        """Carries noted changes over to Redis, and loads `need` if it is not there; how many changes there were."""
        async with self._turn, self._pool.acquire() as connection, connection.transaction():
            writes: int = await connection.fetchval(
                """SELECT writes FROM board_cache, set_config('synchronous_commit', 'off', true)
                   FOR UPDATE OF board_cache"""
            )
            changes = await connection.fetch(
                """SELECT changed.id, changed.board, changed.period, changed.player_id, score, registered
                   FROM (SELECT * FROM board_changes ORDER BY id LIMIT $1) AS changed
                   LEFT JOIN board_rows AS now ON now.player_id = changed.player_id AND now.board = changed.board
                             AND now.period = changed.period AND now.to_xid IS NULL""",
                _BATCH,
            )
            loaded = await self._loaded(writes)
            if need is not None and need not in loaded:
                await self._load(connection, *need)
            elif not changes:
                return 0
            await self._write([row for row in changes if (row["board"], row["period"]) in loaded], writes + 1)
            await connection.execute(
                """WITH told AS (DELETE FROM board_changes WHERE id = ANY($1)) UPDATE board_cache SET writes = $2""",
                [row["id"] for row in changes],
                writes + 1,
            )
            return len(changes)

    async def reload(self, boards: Iterable[Board]) -> None:
        """Forgets everything and loads these boards from Postgres."""
        await self._redis.delete(STATE)
        for board in boards:
            await self.catch_up(need=board)

    async def contents(self, board: str, period: str, *, registered: bool) -> dict[str, int] | None:
        """All of a board as Redis has it; None when it is not loaded. For checks."""
        if not await self._redis.hexists(STATE, mark_of(board, period)):
            return None
        found: dict[str, int] = {}
        async for member, score in self._redis.zscan_iter(key_of(board, period, registered=registered), count=1000):
            found[_text(member)] = int(score)
        return found

    async def drop_past(self, present: set[Board]) -> None:
        """Deletes the sorted sets of periods that are over; asked for again, they are loaded again."""
        for field in await self._redis.hkeys(STATE):
            board, mark, period = _text(field).partition("/")
            if mark and (board, period) not in present:
                await self._redis.hdel(STATE, mark_of(board, period))
                await self._redis.unlink(*(key_of(board, period, registered=flag) for flag in (False, True)))

    async def _counts(
        self, board: str, period: str, scores: list[int], *, registered: bool, checked: bool = False
    ) -> list[int] | None:
        """How many are above each score; None where Redis lacks the board, or something that was committed before."""
        state = await self._pool.fetchrow(
            "SELECT writes, EXISTS (SELECT FROM board_changes) AS behind FROM board_cache"
        )
        assert state is not None, "the row of board_cache is made by the migration"
        key = key_of(board, period, registered=registered)
        async with self._redis.pipeline(transaction=True) as pipe:
            pipe.hmget(STATE, "writes", mark_of(board, period))
            for score in scores:
                pipe.zcount(key, f"({score}", "+inf")
            (known, mark), *counts = await pipe.execute()
        whole = mark is not None and known is not None and int(known) >= state["writes"] and not state["behind"]
        return counts if whole or checked else None

    async def _loaded(self, writes: int) -> set[Board]:
        """The boards that Redis has whole; none, and all is forgotten, where it has missed a write."""
        state = {_text(field): value for field, value in (await self._redis.hgetall(STATE)).items()}
        if int(state.get("writes", -1)) < writes:
            await self._redis.delete(STATE)
            return set()
        parts = (field.partition("/") for field in state)
        return {(board, period) for board, mark, period in parts if mark}

    async def _load(self, connection: Connection, board: str, period: str) -> None:
        keys = [key_of(board, period, registered=flag) for flag in (False, True)]
        await self._redis.unlink(*keys)
        query = (
            "SELECT player_id, score, registered FROM board_rows WHERE board = $1 AND period = $2 AND to_xid IS NULL"
        )
        everybody: dict[str, int] = {}
        registered: dict[str, int] = {}

        async def flush() -> None:
            async with self._redis.pipeline(transaction=False) as pipe:
                for key, rows in zip(keys, (everybody, registered), strict=True):
                    if rows:
                        pipe.zadd(key, rows)
                await pipe.execute()
            everybody.clear()
            registered.clear()

        async for row in connection.cursor(query, board, period, prefetch=_BATCH):
            everybody[row["player_id"]] = row["score"]
            if row["registered"]:
                registered[row["player_id"]] = row["score"]
            if len(everybody) >= _BATCH:
                await flush()
        await flush()
        await self._redis.hset(STATE, mark_of(board, period), 1)

    async def _write(self, changes: list[asyncpg.Record], writes: int) -> None:
        sets: dict[str, dict[str, int]] = defaultdict(dict)
        gone: dict[str, list[str]] = defaultdict(list)
        for row in changes:
            for flag in (False, True):
                key = key_of(row["board"], row["period"], registered=flag)
                if row["score"] is None or (flag and not row["registered"]):
                    gone[key].append(row["player_id"])
                else:
                    sets[key][row["player_id"]] = row["score"]
        async with self._redis.pipeline(transaction=True) as pipe:
            for key, members in gone.items():
                pipe.zrem(key, *members)
            for key, rows in sets.items():
                pipe.zadd(key, rows)
            pipe.hset(STATE, "writes", writes)
            await pipe.execute()


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value
