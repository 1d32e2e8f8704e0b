"""Answers kept for repeats of keyed requests, in Postgres."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

import asyncpg
import orjson

from server.tables.answers import Kept

# a request that was begun and not answered for 15 seconds died with its process
RESERVE = """
INSERT INTO kept_answers (player_id, path, key, print, effect) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (player_id, path, key) DO UPDATE SET claimed_at = clock_timestamp()
WHERE kept_answers.status IS NULL AND kept_answers.print = $4
  AND kept_answers.claimed_at < clock_timestamp() - interval '15 seconds'
RETURNING effect
"""


class PostgresAnswers:
    """`server.tables.answers.Answers`."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def reserve(self, player_id: str, path: str, key: str, body: bytes) -> Kept:
        """The kept answer, or a place reserved for it; waits while the first request runs."""
        while True:
            fresh = secrets.token_hex(16)
            made = await self._pool.fetchrow(RESERVE, player_id, path, key, body, fresh)
            if made is not None:
                effect = made["effect"]
                return Kept(player_id, path, key, effect, mismatch=False, answer=None, again=effect != fresh)
            row = await self._pool.fetchrow(
                "SELECT print, effect, status, headers, body FROM kept_answers"
                " WHERE player_id = $1 AND path = $2 AND key = $3",
                player_id, path, key,
            )  # fmt: skip
            if row is None:
                continue
            if row["print"] != body:
                return Kept(player_id, path, key, "", mismatch=True, answer=None)
            if row["status"] is not None:
                headers = orjson.loads(row["headers"])
                return Kept(
                    player_id, path, key, row["effect"], mismatch=False, answer=(row["status"], headers, row["body"])
                )
            await asyncio.sleep(0.05)

    async def keep(self, kept: Kept, status: int, headers: dict[str, str], body: bytes) -> None:
        """Keeps the answer."""
        await self._pool.execute(
            "UPDATE kept_answers SET status = $4, headers = $5, body = $6"
            " WHERE player_id = $1 AND path = $2 AND key = $3",
            kept.player_id, kept.path, kept.key, status, orjson.dumps(headers).decode(), body,
        )  # fmt: skip

    async def release(self, kept: Kept) -> None:
        """Gives the place up, so that a repeat runs; what it makes keeps its id."""
        await self._pool.execute(
            "UPDATE kept_answers SET claimed_at = '-infinity' WHERE player_id = $1 AND path = $2 AND key = $3"
            " AND status IS NULL",
            kept.player_id, kept.path, kept.key,
        )  # fmt: skip

    async def forget_old(self) -> None:
        """Forgets answers older than two days."""
        await self._pool.execute("DELETE FROM kept_answers WHERE created_at < clock_timestamp() - interval '2 days'")
