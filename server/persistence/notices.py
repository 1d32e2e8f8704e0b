"""Notices in Postgres, numbered without a gap for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import asyncpg
import orjson

from server.tables.notices import Notice

# The numbers are taken under the lock of the player's head, and only for notices that are new. `input` names what has
# the columns player_id, once and data.
ADDING = """fresh AS (
  SELECT player_id, once, data, row_number() OVER (PARTITION BY player_id ORDER BY once) AS place
  FROM {input} i WHERE NOT EXISTS (SELECT FROM notices n WHERE n.player_id = i.player_id AND n.once = i.once)
), heads AS (
  INSERT INTO notice_heads (player_id, seq)
  SELECT player_id, count(*) FROM fresh GROUP BY player_id ORDER BY player_id
  ON CONFLICT (player_id) DO UPDATE SET seq = notice_heads.seq + excluded.seq
  RETURNING player_id, seq
), added AS (
  INSERT INTO notices (player_id, seq, once, data, at)
  SELECT f.player_id, h.seq - (SELECT count(*) FROM fresh c WHERE c.player_id = f.player_id) + f.place, f.once, f.data,
         clock_timestamp()
  FROM fresh f JOIN heads h USING (player_id)
  ON CONFLICT (player_id, once) DO NOTHING
)"""

ADD = f"""
WITH input AS (
  SELECT player_id, once, data FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS t(player_id, once, data)
), {ADDING.format(input="input")}
SELECT
"""


def columns(notices: Sequence[Notice]) -> list[list[Any]]:
    """The statement's arguments."""
    return [
        [notice.player for notice in notices],
        [notice.once for notice in notices],
        [orjson.dumps(notice.data).decode() for notice in notices],
    ]


class PostgresNotices:
    """`server.tables.ports.NoticeStore`."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def add(self, notices: Sequence[Notice]) -> None:
        """Adds those that are new."""
        if notices:
            await self._pool.execute(ADD, *columns(notices))

    async def after(self, player_id: str, seq: int, limit: int) -> list[dict[str, Any]]:
        """A player's notices after a number, in order."""
        rows = await self._pool.fetch(
            "SELECT seq, at, data FROM notices WHERE player_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
            player_id,
            seq,
            limit,
        )
        return [
            {
                "seq": row["seq"],
                "at": row["at"].strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z",
                **orjson.loads(row["data"]),
            }
            for row in rows
        ]

    async def last(self, player_id: str) -> int:
        """The number of a player's last notice, 0 for none."""
        seq: int | None = await self._pool.fetchval("SELECT seq FROM notice_heads WHERE player_id = $1", player_id)
        return seq or 0

    async def forget_old(self) -> None:
        """Forgets notices older than thirty days."""
        await self._pool.execute("DELETE FROM notices WHERE at < clock_timestamp() - interval '30 days'")
