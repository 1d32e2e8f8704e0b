"""Daily deals in Postgres. The seed comes from the operating system's generator; the first process to make it wins."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import date
from typing import Any

import asyncpg

from server.boards.ports import Deal


class PostgresDeals:
    """`server.boards.Deals` over a pool."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def make(self, days: Iterable[date]) -> None:
        """Makes the deals that are missing, each with a seed of its own from the operating system; one for a date."""
        dates = list(days)
        await self._pool.execute(
            """INSERT INTO daily_deals (date, server_seed) SELECT * FROM unnest($1::date[], $2::bytea[])
               ON CONFLICT DO NOTHING""",
            dates,
            [os.urandom(32) for _ in dates],
        )

    async def deal(self, day: date) -> Deal | None:
        """One date's deal."""
        row = await self._pool.fetchrow("SELECT date, server_seed, closed FROM daily_deals WHERE date = $1", day)
        return None if row is None else Deal(row["date"], row["server_seed"], row["closed"])

    async def close(self, day: date) -> None:
        """Closes a day: waits for results under way, and lets no further one count."""
        await self._pool.execute("UPDATE daily_deals SET closed = true WHERE date = $1 AND NOT closed", day)

    async def try_of(self, player_id: str, day: date) -> str | None:
        """The id of a player's game of a date."""
        game_id: str | None = await self._pool.fetchval(
            "SELECT game_id FROM daily_tries WHERE player_id = $1 AND date = $2", player_id, day
        )
        return game_id

    async def unfinished(self, until: date) -> list[str]:
        """Games of days up to `until`, of the last two months, that have not ended."""
        rows = await self._pool.fetch(
            """SELECT daily_tries.game_id FROM daily_tries JOIN games ON games.id = daily_tries.game_id
               WHERE date <= $1 AND date > $1::date - 60 AND games.status <> 'finished' LIMIT 1000""",
            until,
        )
        return [row["game_id"] for row in rows]

    async def reserve(self, player_id: str, day: date, game_id: str) -> str:
        """Settles which game is a player's of a date: this id, or the one that was settled before."""
        settled: str = await self._pool.fetchval(
            """INSERT INTO daily_tries (player_id, date, game_id) VALUES ($1, $2, $3)
               ON CONFLICT (player_id, date) DO UPDATE SET game_id = daily_tries.game_id RETURNING game_id""",
            player_id,
            day,
            game_id,
        )
        return settled
