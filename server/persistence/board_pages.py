"""Pages of a board in Postgres, each as of the moment of the first one."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import asyncpg

from server.boards.cursor import Cursor
from server.boards.types import Page, Row

LINKED: Final = 10
_GAMES: Final = {
    "ranking": "points > 0 AND {period}",
    "rating": "mu IS NOT NULL AND {period}",
    "daily": "daily IS NOT NULL AND won AND {daily_period}",
    "day": "daily = rows.period::date",
}
_FINISHED: Final = "(rows.period = 'all' OR to_char(finished_at AT TIME ZONE 'UTC', {format}) = rows.period)"
_PLAYED: Final = "(rows.period = 'all' OR to_char(daily, {format}) = rows.period)"
_FORMAT: Final = """CASE WHEN rows.period LIKE '%W%' THEN 'IYYY-"W"IW' ELSE 'YYYY-MM' END"""
# A row made long before the cursor was is seen without asking its transaction: numbers of transactions begin anew when
# a database is restored from a dump.
_SEEN: Final = (
    "(since < to_timestamp($4) - interval '10 minutes' OR pg_visible_in_snapshot(from_xid, $3::text::pg_snapshot))"
)
_GONE: Final = (
    "(until < to_timestamp($4) - interval '10 minutes' OR pg_visible_in_snapshot(to_xid, $3::text::pg_snapshot))"
)


def games_query(board: str) -> str:
    """SQL: the newest games behind each row of `rows`, as an array."""
    period = _FINISHED.format(format=_FORMAT)
    where = _GAMES[board].format(period=period, daily_period=_PLAYED.format(format=_FORMAT))
    return f"""ARRAY(SELECT game_id FROM results WHERE results.player_id = rows.player_id AND {where}
                     ORDER BY number DESC LIMIT {LINKED})"""


class PostgresPages:
    """Reads boards; `board` is ranking, rating, daily or day, `period` a period's key."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def page(self, board: str, period: str, *, limit: int, registered: bool, cursor: Cursor | None) -> Page:
        """A page of a board; one cursor gives the same rows however often, and whatever happens in between."""
        if cursor is None:
            return await self._first(board, period, limit, registered)
        if cursor.back:
            return await self._back(board, period, limit, registered, cursor)
        found = await self._as_of(board, period, limit + 1, registered, cursor)
        rows = _ranked(found[:limit], cursor.rank, cursor.score, cursor.position + 1)
        after = _cursor(rows[-1], cursor, cursor.position + len(rows)) if len(found) > limit else None
        before = _cursor(rows[0], cursor, cursor.position + 1, back=True) if rows else None
        return _page(rows, after, before)

    async def score_of(self, board: str, period: str, player_id: str, *, registered: bool) -> Row | None:
        """A player's row without its rank (0); None where there is none."""
        row = await self._pool.fetchrow(
            f"""SELECT player_id, score, {games_query(board)} AS games FROM board_rows AS rows
                WHERE board = $1 AND period = $2 AND player_id = $3 AND to_xid IS NULL AND (registered OR NOT $4)""",
            board,
            period,
            player_id,
            registered,
        )
        return None if row is None else Row(0, row["player_id"], row["score"], tuple(row["games"]))

    async def around(self, board: str, period: str, row: Row, *, limit: int, registered: bool) -> list[Row]:
        """The rows about a row, itself included, without ranks (0): as many above as below, where there are."""
        flag = "AND registered" if registered else ""
        source = f"FROM board_rows WHERE board = $1 AND period = $2 AND to_xid IS NULL {flag}"
        found = await self._pool.fetch(
            f"""WITH above AS (
                    SELECT player_id, score, period {source}
                    AND (-score, player_id) < (-$3::bigint, $4) ORDER BY -score DESC, player_id DESC LIMIT $5
                ), below AS (
                    SELECT player_id, score, period {source}
                    AND (-score, player_id) >= (-$3::bigint, $4) ORDER BY -score, player_id LIMIT $5 + 1
                ), rows AS (SELECT * FROM above UNION ALL SELECT * FROM below)
                SELECT player_id, score, {games_query(board)} AS games FROM rows ORDER BY -score, player_id""",
            board,
            period,
            row.score,
            row.player_id,
            limit,
        )
        rows = [Row(0, each["player_id"], each["score"], tuple(each["games"])) for each in found]
        here = next((index for index, each in enumerate(rows) if each.player_id == row.player_id), 0)
        start = max(0, min(here - (limit - 1) // 2, len(rows) - limit))
        return rows[start : start + limit]

    async def count_above(self, board: str, period: str, score: int, *, registered: bool) -> int:
        """How many rows have a higher score: what the cache knows at once, counted row by row."""
        counted: int = await self._pool.fetchval(
            """SELECT count(*) FROM board_rows
               WHERE board = $1 AND period = $2 AND to_xid IS NULL AND -score < -$3::bigint
                     AND (registered OR NOT $4)""",
            board,
            period,
            score,
            registered,
        )
        return counted

    async def _first(self, board: str, period: str, limit: int, registered: bool) -> Page:
        flag = "AND registered" if registered else ""
        found = await self._pool.fetch(
            f"""WITH rows AS (
                    SELECT player_id, score, period FROM board_rows
                    WHERE board = $1 AND period = $2 AND to_xid IS NULL {flag}
                    ORDER BY -score, player_id LIMIT $3
                )
                SELECT player_id, score, {games_query(board)} AS games, pg_current_snapshot()::text AS snapshot
                FROM rows ORDER BY -score, player_id""",
            board,
            period,
            limit + 1,
        )
        rows = _ranked(found[:limit], 0, None, 0)
        if len(found) <= limit:
            return _page(rows, None, None)
        start = Cursor(found[0]["snapshot"], int(time.time()), 0, "", 0, 0)
        return _page(rows, _cursor(rows[-1], start, len(rows) - 1), None)

    async def _back(self, board: str, period: str, limit: int, registered: bool, cursor: Cursor) -> Page:
        found = (await self._as_of(board, period, limit, registered, cursor))[::-1]
        if not found:
            return _page([], None, None)
        first = cursor.position - len(found)
        rank = await self._rank_as_of(board, period, registered, cursor, found[0], first)
        rows = _ranked(found, rank, found[0]["score"], first)
        before = _cursor(rows[0], cursor, first, back=True) if first > 0 else None
        return _page(rows, _cursor(rows[-1], cursor, cursor.position - 1), before)

    async def _rank_as_of(
        self,
        board: str,
        period: str,
        registered: bool,
        cursor: Cursor,
        top: Mapping[str, Any],
        position: int,
    ) -> int:
        """The rank of a page's top row: its position, less the rows before it that have the same score."""
        if top["score"] == cursor.score:
            return cursor.rank
        tied: int = await self._pool.fetchval(
            f"""SELECT count(*) FROM board_rows
                WHERE board = $1 AND period = $2 AND -score = -$5::bigint AND player_id < $6 AND (registered OR NOT $7)
                      AND {_SEEN} AND (to_xid IS NULL OR NOT {_GONE})""",
            board,
            period,
            cursor.snapshot,
            cursor.at,
            top["score"],
            top["player_id"],
            registered,
        )
        return position - tied + 1

    async def _as_of(
        self,
        board: str,
        period: str,
        limit: int,
        registered: bool,
        cursor: Cursor,
    ) -> Sequence[Mapping[str, Any]]:
        """The rows next to the cursor's, as the first page would have seen them, nearest first."""
        flag = "AND registered" if registered else ""
        if cursor.back:
            beyond, order = "(-score, player_id) < (-$5::bigint, $6)", "-score DESC, player_id DESC"
        else:
            beyond, order = "(-score, player_id) > (-$5::bigint, $6)", "-score, player_id"
        one = f"""(SELECT player_id, score, period FROM board_rows
                   WHERE board = $1 AND period = $2 AND {{which}} {flag} AND {beyond} AND {_SEEN}
                   ORDER BY {order} LIMIT $7)"""
        present, replaced = one.format(which="to_xid IS NULL"), one.format(which=f"to_xid IS NOT NULL AND NOT {_GONE}")
        return await self._pool.fetch(
            f"""WITH rows AS ({present} UNION ALL {replaced})
                SELECT player_id, score, {games_query(board)} AS games FROM rows ORDER BY {order} LIMIT $7""",
            board,
            period,
            cursor.snapshot,
            cursor.at,
            cursor.score,
            cursor.player_id,
            limit,
        )


def _ranked(found: Sequence[Mapping[str, Any]], rank: int, score: int | None, position: int) -> list[Row]:
    """Rows with ranks: equal scores share one, the next is the row's place. `rank` and `score` are the row's before."""
    rows: list[Row] = []
    for index, row in enumerate(found):
        if row["score"] != score:
            rank, score = position + index + 1, row["score"]
        rows.append(Row(rank, row["player_id"], row["score"], tuple(row["games"])))
    return rows


def _cursor(row: Row, base: Cursor, position: int, *, back: bool = False) -> Cursor:
    return Cursor(base.snapshot, base.at, row.score, row.player_id, row.rank, position, back)


def _page(rows: list[Row], after: Cursor | None, before: Cursor | None) -> Page:
    return Page(tuple(rows), after.text() if after else None, before.text() if before else None)
