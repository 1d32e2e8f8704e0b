"""Boards computed anew from the results, compared with what is kept, and put right where they differ."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from server.boards.effects import RowChange
from server.persistence.board_cache import BoardCache
from server.persistence.database import Connection
from server.persistence.settle import SETTLING, write_rows

_PATIENCE: Final = 3600.0
_MONTH: Final = "to_char({day}, 'YYYY-MM')"
_WEEK: Final = """to_char({day}, 'IYYY-"W"IW')"""
_PERIODS: Final = f"(VALUES ('all'), ({_MONTH}), ({_WEEK})) AS periods (period)"
_FINISHED: Final = _PERIODS.format(day="finished_at AT TIME ZONE 'UTC'")
_PLAYED: Final = _PERIODS.format(day="daily")
EXPECTED: Final = f"""
    SELECT 'ranking' AS board, period, player_id, sum(points)::bigint AS score
    FROM results CROSS JOIN LATERAL {_FINISHED} WHERE points > 0 GROUP BY period, player_id
    UNION ALL
    (SELECT DISTINCT ON (period, player_id) 'rating', period, player_id, round((mu - 3 * sigma) * 100)::bigint
     FROM results CROSS JOIN LATERAL {_FINISHED} WHERE mu IS NOT NULL ORDER BY period, player_id, number DESC)
    UNION ALL
    SELECT 'daily', period, player_id, count(*) FROM results CROSS JOIN LATERAL {_PLAYED}
    WHERE daily IS NOT NULL AND won GROUP BY period, player_id
    UNION ALL
    SELECT 'day', daily::text, player_id, margin::bigint * 1024 + 1023 - least(rounds, 1023)
    FROM results WHERE daily IS NOT NULL
"""
_ROWS: Final = f"""
    SELECT board, period, player_id, expected.score AS expected, kept.score AS kept
    FROM ({EXPECTED}) AS expected
    FULL JOIN (SELECT board, period, player_id, score FROM board_rows WHERE to_xid IS NULL) AS kept
         USING (board, period, player_id)
    WHERE expected.score IS DISTINCT FROM kept.score ORDER BY board, period, player_id
"""
_PLAYERS: Final = """
    WITH points AS (SELECT player_id, sum(points) AS points FROM results GROUP BY player_id),
         rated AS (SELECT player_id, count(*) AS games FROM results WHERE mu IS NOT NULL GROUP BY player_id),
         last AS (SELECT DISTINCT ON (player_id) player_id, mu, sigma FROM results WHERE mu IS NOT NULL
                  ORDER BY player_id, number DESC)
    SELECT id, ranking_points, coalesce(points, 0) AS points, rated_games, coalesce(games, 0) AS games,
           rating_mu, mu, rating_sigma, sigma
    FROM players LEFT JOIN points ON points.player_id = id LEFT JOIN rated ON rated.player_id = id
                 LEFT JOIN last ON last.player_id = id
    WHERE (ranking_points, rated_games) IS DISTINCT FROM (coalesce(points, 0), coalesce(games, 0))
          OR (rating_mu, rating_sigma) IS DISTINCT FROM (mu, sigma)
    ORDER BY id
"""
_FLAGS: Final = """
    SELECT board_rows.id, board, period, player_id FROM board_rows JOIN players ON players.id = player_id
    WHERE to_xid IS NULL AND registered <> (kind = 'registered')
"""


_TOLD: Final = """
    SELECT player_id, score, registered,
           EXISTS (SELECT FROM board_changes AS changed WHERE (changed.board, changed.period) = ($1, $2)
                   AND changed.player_id = board_rows.player_id) AS untold
    FROM board_rows WHERE board = $1 AND period = $2 AND to_xid IS NULL
"""


class Rebuilding:
    """Compares as of one moment, while games go on; mends while none is settled."""

    def __init__(self, pool: asyncpg.Pool[Any], cache: BoardCache) -> None:
        self._pool = pool
        self._cache = cache

    async def differences(self, *, cache: bool = True) -> list[str]:
        """A line for each thing that is not as the results say: players, rows, and (if asked for) the cache.

        The cache's part reads every row into memory, and holds up ranks meanwhile.
        """
        async with self._pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            await connection.execute("SET LOCAL statement_timeout = 0")
            lines = [_player_line(row) for row in await connection.fetch(_PLAYERS, timeout=_PATIENCE)]
            lines += [_row_line(row) for row in await connection.fetch(_ROWS, timeout=_PATIENCE)]
            lines += [
                f"{row['board']} {row['period']}: player {row['player_id']} is not marked rightly as registered"
                for row in await connection.fetch(_FLAGS, timeout=_PATIENCE)
            ]
        return lines + await self._cache_differences() if cache else lines

    async def mend(self) -> int:
        """Puts players, rows and cache right; how many differences there were in Postgres."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SET LOCAL statement_timeout = 0")
            await connection.execute("SELECT pg_advisory_xact_lock($1)", SETTLING)
            players = await connection.fetch(_PLAYERS, timeout=_PATIENCE)
            await connection.executemany(
                """UPDATE players SET ranking_points = $2, rated_games = $3, rating_mu = $4, rating_sigma = $5
                   WHERE id = $1""",
                [(row["id"], row["points"], row["games"], row["mu"], row["sigma"]) for row in players],
            )
            flags = await connection.fetch(_FLAGS, timeout=_PATIENCE)
            await connection.execute(
                """UPDATE board_rows SET registered = NOT registered WHERE id = ANY($1)""", [row["id"] for row in flags]
            )
            rows = await connection.fetch(_ROWS, timeout=_PATIENCE)
            await _mend_rows(connection, rows)
        await self._cache.reload(await self._boards())
        return len(players) + len(flags) + len(rows)

    async def _boards(self) -> list[tuple[str, str]]:
        rows = await self._pool.fetch("SELECT DISTINCT board, period FROM board_rows WHERE to_xid IS NULL")
        return [(row["board"], row["period"]) for row in rows]

    async def _cache_differences(self) -> list[str]:
        """What the cache has otherwise than Postgres, once told of everything; a board it does not have is no fault."""
        lines: list[str] = []
        for board, period in await self._boards():
            await self._cache.catch_up()
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("SET LOCAL statement_timeout = 0")
                await connection.execute("SELECT FROM board_cache FOR UPDATE")  # nobody writes to the cache meanwhile
                rows = await connection.fetch(_TOLD, board, period, timeout=_PATIENCE)
                for registered in (False, True):
                    cached = await self._cache.contents(board, period, registered=registered)
                    if cached is not None:
                        lines += _cache_lines(rows, cached, f"{board} {period}", registered=registered)
        return lines


async def _mend_rows(connection: Connection, rows: list[asyncpg.Record]) -> None:
    right = [row for row in rows if row["expected"] is not None]
    registered = await connection.fetch(
        "SELECT id FROM players WHERE kind = 'registered' AND id = ANY($1)", [row["player_id"] for row in right]
    )
    changes = [RowChange(row["board"], row["period"], row["player_id"], value=row["expected"]) for row in right]
    await write_rows(connection, changes, {row["id"] for row in registered})
    await connection.executemany(
        """UPDATE board_rows SET to_xid = pg_current_xact_id(), until = now()
           WHERE board = $1 AND period = $2 AND player_id = $3 AND to_xid IS NULL""",
        [(row["board"], row["period"], row["player_id"]) for row in rows if row["expected"] is None],
    )


def _row_line(row: asyncpg.Record) -> str:
    where = f"{row['board']} {row['period']}: player {row['player_id']}"
    if row["kept"] is None:
        return f"{where} has no row, and should have {row['expected']}"
    if row["expected"] is None:
        return f"{where} has {row['kept']}, and should have no row"
    return f"{where} has {row['kept']}, and should have {row['expected']}"


def _player_line(row: asyncpg.Record) -> str:
    return (
        f"player {row['id']} has {row['ranking_points']} points and {row['rated_games']} rated games"
        f" (mu {row['rating_mu']}, sigma {row['rating_sigma']}), the results say {row['points']} and {row['games']}"
        f" (mu {row['mu']}, sigma {row['sigma']})"
    )


def _cache_lines(rows: list[asyncpg.Record], cached: dict[str, int], board: str, *, registered: bool) -> list[str]:
    """The differences of one sorted set; who changed since the cache was told is left out."""
    kept = {row["player_id"]: row["score"] for row in rows if row["registered"] or not registered}
    untold = {row["player_id"] for row in rows if row["untold"]}
    return [
        f"cache of {board}: player {player} has {cached.get(player)}, not {kept.get(player)}"
        for player in sorted((kept.keys() | cached.keys()) - untold)
        if kept.get(player) != cached.get(player)
    ]
