"""What was kept of finished games, for players' pages and for who may read a record."""

from __future__ import annotations

from typing import Any, Final

import asyncpg

from server.boards.ports import Best, Career, RatedGame
from server.boards.rating import Skill

_RATINGS: Final = 200
_DAILIES: Final = 1000


class PostgresCareers:
    """`server.boards.Careers` over a pool."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def career(self, player_id: str) -> Career:
        """All of one player's."""
        async with self._pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            games = await connection.fetchval("SELECT count(*) FROM results WHERE player_id = $1", player_id)
            wins = await connection.fetch(
                """SELECT preset, level, count(*) AS wins FROM results WHERE player_id = $1 AND won AND ranked
                   GROUP BY preset, level ORDER BY preset, level""",
                player_id,
            )
            best = await connection.fetch(
                """SELECT DISTINCT ON (preset) preset, margin, game_id FROM results
                   WHERE player_id = $1 AND won AND ranked ORDER BY preset, margin DESC, number""",
                player_id,
            )
            dailies = await connection.fetch(
                """SELECT daily FROM results WHERE player_id = $1 AND daily IS NOT NULL AND NOT has_left
                   ORDER BY daily DESC LIMIT $2""",
                player_id,
                _DAILIES,
            )
            ratings = await connection.fetch(
                """SELECT finished_at, mu, sigma, game_id FROM results WHERE player_id = $1 AND mu IS NOT NULL
                   ORDER BY number DESC LIMIT $2""",
                player_id,
                _RATINGS,
            )
        return Career(
            games,
            tuple((row["preset"], row["level"], row["wins"]) for row in wins),
            tuple(Best(row["preset"], row["margin"], row["game_id"]) for row in best),
            tuple(row["daily"] for row in dailies),
            tuple(
                RatedGame(row["finished_at"], Skill(row["mu"], row["sigma"]).score, row["game_id"])
                for row in reversed(ratings)
            ),
        )

    async def record_is_public(self, game_id: str) -> bool:
        """Whether a board's row rests on this game, and its day, if it is a daily, has closed."""
        public: bool = await self._pool.fetchval(
            """SELECT EXISTS (
                   SELECT FROM results LEFT JOIN daily_deals ON daily_deals.date = results.daily
                   WHERE game_id = $1 AND (points > 0 OR mu IS NOT NULL OR daily IS NOT NULL)
                         AND (daily IS NULL OR closed)
               )""",
            game_id,
        )
        return public
