"""Games in Postgres: the log is the truth, and one statement appends what has gathered of many games.

`append` hands a row to the flusher, which commits all rows that are there in one statement: the row where game and
version are free and the key is unused, the game's summary with it. A game's last row goes in a transaction of its
own with what its end gives (points, ratings, boards).
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import orjson

from server.errors import malformed
from server.persistence import notices
from server.persistence.steady import Steady
from server.tables.ports import Append, Finished, KeyFound, Listed, Row, Stored
from server.tables.setup import Setup

MAX_BATCH = 256
BUSY = 4  # with so many rows in a commit more are let gather for the next, which saves what each commit costs
GATHERING = 0.002
HELD_UP = 0.05  # seconds that a commit may take before another begins beside it
TOGETHER = 256  # rows that are read in one go
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
Settle = Callable[[Any, Finished], Awaitable[None]]

APPEND = """
WITH input AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::jsonb[], $5::timestamptz[], $6::text[], $7::text[],
                       $8::bytea[], $9::text[], $10::jsonb[], $11::timestamptz[])
    AS t(game_id, seq, version, entry, at, player_id, key, print, status, summary, due_at)
), ins AS (
  INSERT INTO game_log (game_id, seq, version, entry, at, player_id, key, print)
  SELECT game_id, seq, version, entry, at, player_id, key, print FROM input i
  WHERE i.key IS NULL OR NOT EXISTS (
    SELECT FROM kept_answers k
    WHERE k.player_id = i.player_id AND k.path = '/v1/games/' || i.game_id || '/moves' AND k.key = i.key)
  ON CONFLICT DO NOTHING
  RETURNING game_id, seq
)
UPDATE games g
SET version = i.version, status = i.status, summary = i.summary, due_at = i.due_at, updated_at = i.at,
    finished_at = CASE WHEN i.status = 'finished' THEN coalesce(g.finished_at, i.at) END
FROM input i JOIN ins USING (game_id, seq)
WHERE g.id = i.game_id
RETURNING g.id, i.seq
"""

# The same with the notices of the rows that are appended, all in one statement and so in one transaction.
APPEND_AND_NOTIFY = f"""
{APPEND[: APPEND.index("UPDATE games")].rstrip()}, told AS (
  SELECT t.player_id, t.once, t.data
  FROM unnest($12::text[], $13::int[], $14::text[], $15::text[], $16::jsonb[])
    AS t(game_id, seq, player_id, once, data) JOIN ins USING (game_id, seq)
), {notices.ADDING.format(input="told")}, moved AS (
{APPEND[APPEND.index("UPDATE games") :]}
)
SELECT * FROM moved
"""


# A new game with its first row, its players and their notices.
CREATE = f"""
WITH made AS (
  INSERT INTO games (id, maker_id, setup, server_seed, visibility, status, version, summary, due_at, daily, invite,
                     rematch_of, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $16)
  ON CONFLICT DO NOTHING
  RETURNING id
), first AS (
  INSERT INTO game_log (game_id, seq, version, entry, at) SELECT id, $14, $7, $15, $16 FROM made
), sat AS (
  INSERT INTO game_players (game_id, player_id) SELECT id, unnest($17::text[]) FROM made
), told AS (
  SELECT t.player_id, t.once, t.data
  FROM unnest($18::text[], $19::text[], $20::jsonb[]) AS t(player_id, once, data), made
), {notices.ADDING.format(input="told")}
SELECT id FROM made
"""


def moment(ms: int | None) -> datetime | None:
    """Milliseconds since 1970 as a time."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC)


def milliseconds(at: datetime) -> int:
    """A time as milliseconds since 1970."""
    return round(at.timestamp() * 1000)


def _columns(appends: Sequence[Append]) -> list[list[Any]]:
    return [
        [append.game_id for append in appends],
        [append.row.seq for append in appends],
        [append.row.version for append in appends],
        [orjson.dumps(append.row.entry).decode() for append in appends],
        [moment(append.row.at) for append in appends],
        [append.row.player for append in appends],
        [append.row.key for append in appends],
        [append.row.print for append in appends],
        [append.status for append in appends],
        [orjson.dumps(append.summary).decode() for append in appends],
        [moment(append.due_at) for append in appends],
    ]


def _game_of(item: tuple[Append, Any]) -> str:
    return item[0].game_id


def row_of(record: asyncpg.Record) -> Row:
    """A row of the log."""
    return Row(
        record["seq"], record["version"], orjson.loads(record["entry"]), milliseconds(record["at"]),
        record["player_id"], record["key"], record["print"],
    )  # fmt: skip


async def _rows_of(records: Sequence[asyncpg.Record]) -> list[Row]:
    """Rows of the log, many of them in several goes."""
    rows: list[Row] = []
    for first in range(0, len(records), TOGETHER):
        if first:
            await asyncio.sleep(0)
        rows += [row_of(record) for record in records[first : first + TOGETHER]]
    return rows


ROW = "seq, version, entry, at, player_id, key, print"


class PostgresGames:
    """`server.tables.ports.GameStore`."""

    def __init__(
        self,
        pool: asyncpg.Pool[Any],
        settle: Settle,
        settled: Callable[[Finished], Awaitable[None]],
        writers: asyncpg.Pool[Any] | None = None,
    ) -> None:
        """`writers`: where rows are appended, when not from `pool`."""
        self._pool = pool
        self._makes = Steady(pool)
        self._writers = writers or pool
        self._settle = settle
        self._settled = settled
        self._gathered: list[tuple[Append, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._help = asyncio.Event()
        self._flushers: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Starts committing: one commit after the other, so that much gathers, and a second while one is held up."""
        self._loop = asyncio.get_running_loop()
        self._flushers = [asyncio.create_task(self._flush_for_ever(wake)) for wake in (self._wake, self._help)]

    async def stop(self) -> None:
        """Commits what has gathered and stops."""
        for _ in range(500):
            if not self._gathered:
                break
            await asyncio.sleep(0.01)
        for task in self._flushers:
            task.cancel()
        await asyncio.gather(*self._flushers, return_exceptions=True)
        await self._makes.give_back()

    # --- writing

    async def append(self, append: Append) -> bool:
        """Commits a row; False where another has its place, or its key is used."""
        if append.finished is not None or append.sits or append.leaves:
            return await self._append_alone(append)
        assert self._loop is not None, "not started"
        future: asyncio.Future[bool] = self._loop.create_future()
        self._gathered.append((append, future))
        self._wake.set()
        return await future

    async def _flush_for_ever(self, wake: asyncio.Event) -> None:
        while True:
            await wake.wait()
            wake.clear()
            while batch := self._take():
                try:
                    async with self._writers.acquire() as connection:
                        while batch:
                            await self._flush(connection, batch)
                            if len(batch) >= BUSY:
                                await asyncio.sleep(GATHERING)
                            batch = self._take()
                except Exception as error:  # noqa: BLE001 - handed to whoever waits
                    for _, future in batch:
                        if not future.done():
                            future.set_exception(error)

    def _take(self) -> list[tuple[Append, asyncio.Future[bool]]]:
        """What has gathered, at most one row of a game."""
        batch: list[tuple[Append, asyncio.Future[bool]]] = []
        rest: list[tuple[Append, asyncio.Future[bool]]] = []
        games: set[str] = set()
        for item in self._gathered:
            if len(batch) < MAX_BATCH and item[0].game_id not in games:
                games.add(item[0].game_id)
                batch.append(item)
            else:
                rest.append(item)
        self._gathered = rest
        return batch

    async def _flush(self, connection: Any, batch: list[tuple[Append, asyncio.Future[bool]]]) -> None:
        assert self._loop is not None
        batch.sort(key=_game_of)  # rows are locked in the same order everywhere
        appends = [append for append, _ in batch]
        held_up = self._loop.call_later(HELD_UP, self._help.set)
        try:
            committed = await self._commit(connection, appends)
        except asyncpg.DeadlockDetectedError:  # another process's batch got in between; nothing of this one was done
            committed = await self._commit(connection, appends)
        finally:
            held_up.cancel()
        for append, future in batch:
            if not future.done():
                future.set_result((append.game_id, append.row.seq) in committed)

    @staticmethod
    async def _commit(connection: Any, appends: list[Append]) -> set[tuple[str, int]]:
        told = [(append, notice) for append in appends for notice in append.notices]
        if not told:
            done = await connection.fetch(APPEND, *_columns(appends))
        else:
            done = await connection.fetch(
                APPEND_AND_NOTIFY,
                *_columns(appends),
                [append.game_id for append, _ in told],
                [append.row.seq for append, _ in told],
                *notices.columns([notice for _, notice in told]),
            )
        return {(record[0], record[1]) for record in done}

    async def _append_alone(self, append: Append) -> bool:
        async with self._pool.acquire() as connection, connection.transaction():
            if not await self._commit(connection, [append]):
                return False
            await _seat_players(connection, append)
            if append.finished is not None:
                await self._settle(connection, append.finished)
        if append.finished is not None:
            await self._settled(append.finished)
        return True

    async def create(self, setup: Setup, append: Append, commitment: str | None) -> bool:
        """Makes a game with its first row."""
        row = append.row
        arguments = (
            setup.game_id, setup.maker, orjson.dumps(setup.as_json()).decode(), setup.server_seed,
            setup.visibility, append.status, row.version, orjson.dumps(append.summary).decode(),
            moment(append.due_at), None if setup.daily is None else datetime.fromisoformat(setup.daily).date(),
            setup.invite, setup.rematch_of, moment(setup.created_at), row.seq, orjson.dumps(row.entry).decode(),
            moment(row.at), list(append.sits), *notices.columns(append.notices),
        )  # fmt: skip
        if commitment is None:
            return await self._makes.fetchval(CREATE, *arguments) is not None
        async with self._pool.acquire() as connection, connection.transaction():
            if await connection.fetchval(CREATE, *arguments) is None:
                return False
            used = await connection.fetchval(
                "UPDATE commitments SET game_id = $2 WHERE id = $1 AND game_id IS NULL RETURNING id",
                commitment, setup.game_id,
            )  # fmt: skip
            if used is None:
                raise malformed("commitment", "is not an unused commitment of yours")
        return True

    async def keep_refusal(
        self, game_id: str, player: str, key: str, fingerprint: bytes, status: int, body: bytes
    ) -> None:
        """Keeps the refusal of a keyed move, unless the key has an answer already."""
        await self._pool.execute(
            "INSERT INTO kept_answers (player_id, path, key, print, effect, status, headers, body)"
            " VALUES ($1, $2, $3, $4, '', $5, '{}', $6) ON CONFLICT DO NOTHING",
            player, f"/v1/games/{game_id}/moves", key, fingerprint, status, body,
        )  # fmt: skip

    # --- reading

    async def load(self, game_id: str) -> Stored | None:
        """A game and its whole log."""
        async with self._pool.acquire() as connection:
            game = await connection.fetchrow("SELECT setup, server_seed FROM games WHERE id = $1", game_id)
            if game is None:
                return None
            rows = await connection.fetch(f"SELECT {ROW} FROM game_log WHERE game_id = $1 ORDER BY seq", game_id)
        setup = Setup.from_json(game_id, orjson.loads(game["setup"]), game["server_seed"])
        return Stored(setup, await _rows_of(rows))

    async def rows_after(self, game_id: str, seq: int) -> list[Row]:
        """Rows whose `seq` is `seq` or more, in order."""
        rows = await self._pool.fetch(
            f"SELECT {ROW} FROM game_log WHERE game_id = $1 AND seq >= $2 ORDER BY seq",
            game_id, seq,
        )  # fmt: skip
        return await _rows_of(rows)

    async def find_key(self, game_id: str, player: str, key: str) -> KeyFound | None:
        """What a move's key was used for."""
        row = await self._pool.fetchrow(
            "SELECT print, seq, version FROM game_log WHERE game_id = $1 AND player_id = $2 AND key = $3",
            game_id, player, key,
        )  # fmt: skip
        if row is not None:
            return KeyFound(row["print"], (row["seq"], row["version"]), None)
        row = await self._pool.fetchrow(
            "SELECT print, status, body FROM kept_answers WHERE player_id = $1 AND path = $2 AND key = $3",
            player, f"/v1/games/{game_id}/moves", key,
        )  # fmt: skip
        return None if row is None else KeyFound(row["print"], None, (row["status"], row["body"]))

    async def due(self, limit: int) -> list[str]:
        """Games in which the server has to act by now, the longest due first."""
        rows = await self._pool.fetch(
            "SELECT id FROM games WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $1", limit
        )
        return [row["id"] for row in rows]

    async def clocked(self) -> list[str]:
        """Games in play in which somebody's time runs."""
        rows = await self._pool.fetch(
            "SELECT id FROM games WHERE status = 'playing' AND due_at IS NOT NULL"
            " AND (setup->>'clock' IS NOT NULL OR summary->'turn'->>'phase' = 'call')"
        )
        return [row["id"] for row in rows]

    async def versions(self, game_ids: Sequence[str]) -> dict[str, int]:
        """Their versions now."""
        rows = await self._pool.fetch("SELECT id, version FROM games WHERE id = ANY($1)", list(game_ids))
        return {row["id"]: row["version"] for row in rows}

    async def listing(
        self,
        *,
        mine: str | None,
        status: str | None,
        cursor: str | None,
        limit: int,
        preset: str | None = None,
        seats: int | None = None,
    ) -> tuple[list[Listed], str | None]:
        """A page, newest change first; ValueError for a bad cursor."""
        where, arguments = ["true"], list[Any]()

        def argument(value: Any) -> str:
            arguments.append(value)
            return f"${len(arguments)}"

        if mine is not None:
            where.append(
                f"g.id IN (SELECT game_id FROM game_players WHERE player_id = {argument(mine)} AND NOT has_left)"
            )
        else:
            where.append("g.visibility = 'public'")
        if status is not None:
            where.append(f"g.status = {argument(status)}")
        if preset is not None:
            where.append(f"g.setup->>'preset' = {argument(preset)}")
        if seats is not None:
            where.append(f"jsonb_array_length(g.setup->'seats') = {argument(seats)}")
        chosen = f"FROM games g WHERE {' AND '.join(where)}"
        if cursor is None:
            query = f"SELECT {LISTED}, g.updated_at AS changed, pg_current_snapshot()::text AS seen {chosen}"
        else:
            at, game_id, snapshot = _from_cursor(cursor)
            place, seen = f"({argument(at)}::timestamptz, {argument(game_id)}::text)", f"{argument(snapshot)}::text"
            query = LATER_PAGE.format(
                columns=LISTED, chosen=chosen, place=place, seen=seen, limit=limit + 1,
                game_seen=SEEN.format(xid="g.xmin", seen=seen), row_seen=SEEN.format(xid="l.xmin", seen=seen),
            )  # fmt: skip
        try:
            rows = await self._pool.fetch(f"{query} ORDER BY changed DESC, id DESC LIMIT {limit + 1}", *arguments)
        except asyncpg.DataError as error:  # a cursor that somebody made up
            raise ValueError(cursor) from error
        items = [_listed(row) for row in rows]
        if len(items) > limit:
            last = rows[limit - 1]
            micros = (last["changed"] - EPOCH) // timedelta(microseconds=1)
            return items[:limit], f"{micros:x}.{last['id']}.{last['seen']}"
        return items, None

    async def lobby(self, since: int) -> list[str]:
        """Public games whose row has changed since then (ms), at most 500."""
        rows = await self._pool.fetch(
            "SELECT id FROM games WHERE visibility = 'public' AND updated_at > $1 ORDER BY updated_at LIMIT 500",
            moment(since),
        )
        return [row["id"] for row in rows]

    async def quick(self, player: str, preset: str, options: dict[str, Any], seats: int) -> list[str]:
        """Public games that wait for players with just this ruleset, the oldest first; at most 5."""
        rows = await self._pool.fetch(
            "SELECT id FROM games g WHERE visibility = 'public' AND status = 'waiting' AND setup->>'preset' = $2"
            " AND setup->'options' = $3 AND jsonb_array_length(setup->'seats') = $4"
            " AND setup->>'fill_at' IS NOT NULL"
            " AND NOT EXISTS (SELECT FROM game_players p WHERE p.game_id = g.id AND p.player_id = $1 AND p.has_left)"
            " ORDER BY created_at LIMIT 5",
            player,
            preset,
            orjson.dumps(options).decode(),
            seats,
        )
        return [row["id"] for row in rows]

    async def rematch_of(self, game_id: str) -> str | None:
        """The next game of the same people."""
        found: str | None = await self._pool.fetchval("SELECT id FROM games WHERE rematch_of = $1", game_id)
        return found

    async def by_invite(self, code: str) -> str | None:
        """The game that an invite opens."""
        found: str | None = await self._pool.fetchval("SELECT id FROM games WHERE invite = $1", code)
        return found

    async def nearly_due(self, within_ms: int) -> list[str]:
        """Games whose time is up within so many ms."""
        rows = await self._pool.fetch(
            "SELECT id FROM games WHERE status = 'playing' AND setup->>'clock' IS NOT NULL"
            " AND due_at BETWEEN clock_timestamp() AND clock_timestamp() + $1 * interval '1 millisecond' LIMIT 1000",
            within_ms,
        )
        return [row["id"] for row in rows]

    async def listed(self, game_id: str) -> Listed | None:
        """One game as in a list."""
        row = await self._pool.fetchrow(f"SELECT {LISTED} FROM games g WHERE g.id = $1", game_id)
        return None if row is None else _listed(row)

    # --- commitments, and the clock

    async def new_commitment(self, player: str, commitment_id: str, seed: bytes) -> tuple[str, bytes, int] | None:
        """A seed kept for a player: (id, seed, number); None when twenty are unused."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT FROM players WHERE id = $1 FOR UPDATE", player)
            row = await connection.fetchrow(
                "SELECT server_seed, number FROM commitments WHERE id = $1 AND player_id = $2", commitment_id, player
            )
            if row is not None:
                return commitment_id, row["server_seed"], row["number"]
            unused, last = await connection.fetchrow(  # type: ignore[misc]
                "SELECT count(*) FILTER (WHERE game_id IS NULL), coalesce(max(number), 0) FROM commitments"
                " WHERE player_id = $1",
                player,
            )
            if unused >= 20:
                return None
            await connection.execute(
                "INSERT INTO commitments (id, player_id, number, server_seed) VALUES ($1, $2, $3, $4)",
                commitment_id, player, last + 1, seed,
            )  # fmt: skip
            return commitment_id, seed, last + 1

    async def commitment(self, player: str, commitment_id: str, game_id: str) -> bytes | None:
        """The seed of a commitment of this player, unused or used for this very game."""
        seed: bytes | None = await self._pool.fetchval(
            "SELECT server_seed FROM commitments"
            " WHERE id = $1 AND player_id = $2 AND (game_id IS NULL OR game_id = $3)",
            commitment_id,
            player,
            game_id,
        )
        return seed

    async def beat(self) -> int:
        """Says that the service lives; gives the milliseconds since it last said so. One process alone sees a gap."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute(
                "INSERT INTO heartbeat (id, alive_at) VALUES (1, clock_timestamp()) ON CONFLICT DO NOTHING"
            )
            gap: float = await connection.fetchval(
                "SELECT extract(epoch FROM clock_timestamp() - alive_at)::float8 FROM heartbeat WHERE id = 1 FOR UPDATE"
            )
            await connection.execute("UPDATE heartbeat SET alive_at = clock_timestamp() WHERE id = 1")
        return max(0, round(gap * 1000))

    async def now(self) -> int:
        """The database's clock, ms."""
        at: datetime = await self._pool.fetchval("SELECT clock_timestamp()")
        return milliseconds(at)


LISTED = "g.id, g.setup, g.server_seed, g.status, g.version, g.summary, g.updated_at"


# Whether what a row holds was there in the snapshot of a list's first page. A row knows the low 32 bits of its writer.
SEEN = (
    "pg_visible_in_snapshot((((pg_snapshot_xmax({seen}::pg_snapshot)::text::bigint >> 32) << 32)"
    " + {xid}::text::bigint)::text::xid8, {seen}::pg_snapshot)"
)
# A later page goes on where the first page's snapshot had its games, however they have changed since: those that are
# still in their place, and those that moved on to before the cursor, at the place that they had then.
LATER_PAGE = """
WITH still AS (
  SELECT {columns}, g.updated_at AS changed, {seen} AS seen {chosen} AND (g.updated_at, g.id) < {place}
  ORDER BY g.updated_at DESC, g.id DESC LIMIT {limit}
), moved AS (
  SELECT {columns}, (SELECT max(l.at) FROM game_log l WHERE l.game_id = g.id AND {row_seen}) AS changed, {seen} AS seen
  {chosen} AND NOT (g.updated_at, g.id) < {place} AND NOT {game_seen}
)
SELECT * FROM (SELECT * FROM still UNION ALL SELECT * FROM moved WHERE (changed, id) < {place}) AS page
"""
SNAPSHOT = re.compile(r"\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20}){0,400})?", re.ASCII)


def _listed(row: asyncpg.Record) -> Listed:
    at: datetime = row["updated_at"]
    setup = Setup.from_json(row["id"], orjson.loads(row["setup"]), row["server_seed"])
    text = at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    return Listed(setup, row["status"], row["version"], orjson.loads(row["summary"]), text)


def _from_cursor(cursor: str) -> tuple[datetime, str, str]:
    at, game_id, snapshot = (*cursor.split("."), "", "")[:3]
    if not 1 <= len(game_id) <= 64 or not 1 <= len(at) <= 14 or not SNAPSHOT.fullmatch(snapshot):
        raise ValueError(cursor)
    low, high, _ = snapshot.split(":")
    if not 0 < int(low) <= int(high) < 2**62:
        raise ValueError(cursor)
    micros = int(at, 16)
    if micros < 0:
        raise ValueError(cursor)
    try:
        return EPOCH + timedelta(microseconds=micros), game_id, snapshot
    except OverflowError as error:
        raise ValueError(cursor) from error


async def _seat_players(connection: Any, append: Append) -> None:
    if append.sits:
        await connection.execute(
            "INSERT INTO game_players (game_id, player_id) SELECT $1, unnest($2::text[])"
            " ON CONFLICT (game_id, player_id) DO UPDATE SET has_left = false",
            append.game_id, list(append.sits),
        )  # fmt: skip
    if append.leaves:
        await connection.execute(
            "UPDATE game_players SET has_left = true WHERE game_id = $1 AND player_id = ANY($2)",
            append.game_id, list(append.leaves),
        )  # fmt: skip
