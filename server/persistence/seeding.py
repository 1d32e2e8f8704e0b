"""A board full of made-up players, for measuring: each with a result that accounts for the score, as in earnest."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

import asyncpg

from server.boards.periods import periods_of, utc_date
from server.persistence.database import Connection

_BATCH: Final = 50_000
_MADE: Final = """
    WITH made AS (
        SELECT encode(uuid_send(gen_random_uuid()), 'hex') AS id, random() AS tied, random() AS chance, n
        FROM generate_series($1::int, $2::int) AS n
    ), people AS (
        INSERT INTO players (id, name, kind, ranking_points)
        SELECT id, 'Seed ' || n, CASE WHEN n % 3 = 0 THEN 'registered' ELSE 'guest' END,
               CASE WHEN tied < 0.6 THEN (ARRAY[10, 30, 100])[1 + floor(chance * 3)::int]
                    ELSE 1 + floor(chance * 100000)::int END
        FROM made RETURNING id, kind, ranking_points
    ), won AS (
        INSERT INTO results (game_id, player_id, seat, preset, ranked, level, won, points, margin, rounds, has_left,
                             stood_in, finished_at)
        SELECT 'seed-' || id, id, 0, 'pagat', true, 'normal', true, ranking_points, 100, 9, false, false, $3
        FROM people
    )
    INSERT INTO board_rows (board, period, player_id, score, registered)
    SELECT 'ranking', period, id, ranking_points, kind = 'registered' FROM people, unnest($4::text[]) AS period
"""


class AlreadyPlayed(Exception):
    """The database holds results of real games, which made-up ones would drown."""


async def seed_ranking(pool: asyncpg.Pool[Any], players: int, at: datetime) -> None:
    """Adds players to the ranking, 60 % tied on three scores; raises AlreadyPlayed where real games were played."""
    async with pool.acquire() as connection:
        if await connection.fetchval("SELECT EXISTS (SELECT FROM results WHERE game_id NOT LIKE 'seed-%')"):
            raise AlreadyPlayed
        for start in range(1, players + 1, _BATCH):
            await _batch(connection, start, min(start + _BATCH - 1, players), at)
        await connection.execute("VACUUM (ANALYZE) players, results, board_rows", timeout=600)


async def _batch(connection: Connection, first: int, last: int, at: datetime) -> None:
    async with connection.transaction():
        await connection.execute("SET LOCAL statement_timeout = 0")
        await connection.execute("SET LOCAL synchronous_commit = off")
        await connection.execute(_MADE, first, last, at, list(periods_of(utc_date(at))), timeout=600)
