"""The effects of a game's end, written in the transaction that ends it: once for a game, or not at all.

All settling, by whichever process, takes turns (one advisory lock until commit), so that results have one order, a
rating never starts from one that is being replaced, and no two of them can wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from server.boards.effects import Effects, RowChange, effects_of
from server.boards.periods import closes_at
from server.boards.rating import Skill
from server.boards.types import FinishedGame
from server.persistence.database import Connection

SETTLING: Final = 0x5E771E
_PLAYERS: Final = """
    SELECT id, rating_mu, rating_sigma, kind = 'registered' AS registered FROM players
    WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE
"""
_CLAIM: Final = """
    INSERT INTO settled_games (game_id) SELECT $1 FROM (SELECT pg_advisory_xact_lock($2)) AS held
    ON CONFLICT DO NOTHING RETURNING true
"""
_RESULTS: Final = """
    WITH new AS (
        SELECT * FROM unnest($7::text[], $8::int[], $9::text[], $10::bool[], $11::int[], $12::int[], $13::bool[],
                             $14::bool[], $15::float8[], $16::float8[])
             AS new (player_id, seat, level, won, points, margin, has_left, stood_in, mu, sigma)
    ), kept AS (
        INSERT INTO results (game_id, player_id, seat, preset, ranked, level, won, points, margin, rounds, has_left,
                             stood_in, mu, sigma, daily, finished_at)
        SELECT $1, player_id, seat, $2, $3, level, won, points, margin, $4, has_left, stood_in, mu, sigma, $5, $6
        FROM new
    )
    UPDATE players SET ranking_points = ranking_points + points, rating_mu = coalesce(mu, rating_mu),
                       rating_sigma = coalesce(sigma, rating_sigma), rated_games = rated_games + (mu IS NOT NULL)::int
    FROM new WHERE id = player_id AND (points > 0 OR mu IS NOT NULL)
"""
# The row that is replaced and the one that replaces it are matched by the join, so each is marked before the new one
# comes in: the index that allows one present row for a player, board and period holds throughout.
_REPLACE: Final = """
    WITH new AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bool[])
             AS new (board, period, player_id, value, more, registered)
    ), old AS (
        UPDATE board_rows AS old SET to_xid = pg_current_xact_id(), until = now() FROM new
        WHERE old.board = new.board AND old.period = new.period AND old.player_id = new.player_id AND to_xid IS NULL
        RETURNING old.board, old.period, old.player_id, old.score
    ), rows AS (
        INSERT INTO board_rows (board, period, player_id, score, registered)
        SELECT board, period, player_id, coalesce(value, coalesce(old.score, 0) + more), registered
        FROM new LEFT JOIN old USING (board, period, player_id)
        RETURNING board, period, player_id
    )
    INSERT INTO board_changes (board, period, player_id) SELECT board, period, player_id FROM rows
"""


class Settling:
    """`settle` for the process; `now` is the clock that decides whether a daily deal is still open."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now

    async def settle(self, connection: Connection, game: FinishedGame) -> bool:
        """Gives a game's points, ratings and board rows on `connection`, which is in a transaction.

        False when they were given before. Called again for the same game, by whomever, it changes nothing.
        """
        if not await connection.fetchval(_CLAIM, game.id, SETTLING):
            return False
        people = await connection.fetch(_PLAYERS, [seat.player_id for seat in game.people])
        skills = {
            row["id"]: Skill(row["rating_mu"], row["rating_sigma"]) for row in people if row["rating_mu"] is not None
        }
        effects = effects_of(game, skills, day_is_open=await self._day_is_open(connection, game))
        if effects.results:
            await _write_results(connection, game, effects)
            await write_rows(connection, effects.rows, {row["id"] for row in people if row["registered"]})
        return True

    async def _day_is_open(self, connection: Connection, game: FinishedGame) -> bool:
        if game.daily is None:
            return True
        closed = await connection.fetchval("SELECT closed FROM daily_deals WHERE date = $1 FOR SHARE", game.daily)
        return closed is False and self._now() < closes_at(game.daily)


async def _write_results(connection: Connection, game: FinishedGame, effects: Effects) -> None:
    results = effects.results
    skills = [(None, None) if result.skill is None else (result.skill.mu, result.skill.sigma) for result in results]
    ids, points = [result.player_id for result in results], [result.points for result in results]
    mus, sigmas = [mu for mu, _ in skills], [sigma for _, sigma in skills]
    await connection.execute(
        _RESULTS,
        game.id,
        game.preset,
        game.ranked and effects.counts,
        game.rounds,
        game.daily if effects.counts else None,
        game.finished_at,
        ids,
        [result.seat for result in results],
        [result.level for result in results],
        [result.won for result in results],
        points,
        [result.margin for result in results],
        [result.left for result in results],
        [result.stood_in for result in results],
        mus,
        sigmas,
    )


async def write_rows(connection: Connection, rows: Sequence[RowChange], registered: set[str]) -> None:
    """Replaces rows of boards, and notes that the cache is to be told."""
    if not rows:
        return
    await connection.execute(
        _REPLACE,
        [row.board for row in rows],
        [row.period for row in rows],
        [row.player_id for row in rows],
        [row.value for row in rows],
        [row.add for row in rows],
        [row.player_id in registered for row in rows],
    )


async def mark_registered(connection: Connection, player_id: str) -> None:
    """A guest has registered: the rows there are count among the registered from now on."""
    await connection.execute(
        """WITH rows AS (
               UPDATE board_rows SET registered = true WHERE player_id = $1 AND to_xid IS NULL
               RETURNING board, period, player_id
           )
           INSERT INTO board_changes (board, period, player_id) SELECT board, period, player_id FROM rows""",
        player_id,
    )
