"""How long a page of a big board, the rows about a player, and a finished game's update take.

    python -m bench.boards --players 1000000

starts a Postgres (with fsync) and a Valkey of its own in a temporary folder, fills the ranking with made-up players,
60 % of them tied on three scores, and prints percentiles in milliseconds; exit status 1 if a 99th is over --limit.
`--database-url` and `--redis-url` use servers that are there already and hold a seeded board or none.
"""

import argparse
import asyncio
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

from redis.asyncio import Redis

from server.boards import Boards, FinishedGame, FinishedSeat
from server.boards.cursor import Cursor
from server.boards.periods import periods_of, utc_date
from server.persistence import migrate
from server.persistence.board_cache import BoardCache
from server.persistence.board_pages import PostgresPages
from server.persistence.database import Database, connect
from server.persistence.embedded import EmbeddedPair
from server.persistence.players import PostgresPlayers
from server.persistence.results import PostgresCareers
from server.persistence.seeding import seed_ranking
from server.persistence.settle import Settling
from server.players import Players


def now() -> datetime:
    return datetime.now(UTC)


async def timed(count: int, work: Callable[[], Awaitable[object]]) -> list[float]:
    """Milliseconds of each of `count` calls, sorted; a few before are not counted."""
    for _ in range(10):
        await work()
    took: list[float] = []
    for _ in range(count):
        began = time.perf_counter()
        await work()
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


class Bench:
    """The services of a process, and something to do to each."""

    def __init__(self, database: Database, redis: Redis, ids: list[str]) -> None:
        self.database = database
        self.ids = ids
        self.players = Players(PostgresPlayers(database.pool), lambda: time.monotonic() * 1000)  # nothing is remembered
        self.cache = BoardCache(database.pool, redis)
        self.boards = Boards(
            PostgresPages(database.pool), self.cache, PostgresCareers(database.pool), self.players, now
        )
        self.settling = Settling(now)
        self.cursors: list[str] = []

    async def first_page(self) -> None:
        await self.boards.page("ranking", "all", random.choice(self.ids), limit=20, registered=False, cursor=None)

    async def registered_page(self) -> None:
        await self.boards.page("ranking", "month", random.choice(self.ids), limit=50, registered=True, cursor=None)

    async def later_page(self) -> None:
        cursor = random.choice(self.cursors)
        await self.boards.page("ranking", "all", random.choice(self.ids), limit=20, registered=False, cursor=cursor)

    async def around(self) -> None:
        await self.boards.around("ranking", "all", random.choice(self.ids), limit=20, registered=False)

    async def finished_game(self) -> None:
        """One win against a CPU player: committed, with fsync, and carried to the cache."""
        at = now()
        seats = (FinishedSeat(0, random.choice(self.ids)), FinishedSeat(1, None, "expert"))
        game = FinishedGame(
            f"seed-{secrets.token_hex(16)}", "pagat", True, seats, False, "target", (0,), (510, 300), 9, at, at, at
        )
        async with self.database.pool.acquire() as connection, connection.transaction():
            await self.settling.settle(connection, game)
        await self.cache.catch_up()

    async def around_while_games_end(self) -> None:
        """As `around`, with a game that ended just before and that the cache was not told of."""
        at = now()
        seats = (FinishedSeat(0, random.choice(self.ids)), FinishedSeat(1, None, "easy"))
        game = FinishedGame(
            f"seed-{secrets.token_hex(16)}", "pagat", True, seats, False, "target", (0,), (510, 300), 9, at, at, at
        )
        async with self.database.pool.acquire() as connection, connection.transaction():
            await self.settling.settle(connection, game)
        began = time.perf_counter()
        await self.around()
        self.mixed.append((time.perf_counter() - began) * 1000)

    mixed: list[float] = []  # noqa: RUF012 - one bench a process


async def deep_cursors(bench: Bench, scores: list[int]) -> list[str]:
    """Cursors in the middle of the board, tied places among them, as clients that turned many pages hold."""
    snapshot = await bench.database.pool.fetchval("SELECT pg_current_snapshot()::text")
    return [
        Cursor(snapshot, int(time.time()), score, random.choice(bench.ids), 1000, 1000).text()
        for score in (10, 30, 100, *random.sample(scores, 200))
    ]


async def measure(database_url: str, redis_url: str, players: int, calls: int, limit: float) -> int:
    await asyncio.to_thread(migrate.upgrade, database_url)
    database, redis = await connect(database_url, 4), Redis.from_url(redis_url)
    have = await database.pool.fetchval("SELECT count(*) FROM board_rows WHERE board = 'ranking' AND period = 'all'")
    began = time.perf_counter()
    if have < players:
        await seed_ranking(database.pool, players - have, now())
        print(f"seeded {players} players in {time.perf_counter() - began:.0f} s", flush=True)
    began = time.perf_counter()
    sample = await database.pool.fetch(
        """SELECT player_id, score FROM board_rows WHERE board = 'ranking' AND period = 'all'
           ORDER BY random() LIMIT 5000"""
    )
    bench = Bench(database, redis, [row["player_id"] for row in sample])
    bench.cursors = await deep_cursors(bench, [row["score"] for row in sample])
    for period in periods_of(utc_date(now())):
        await bench.cache.catch_up(need=("ranking", period))
    print(f"loaded three boards into the cache in {time.perf_counter() - began:.0f} s", flush=True)
    failed = False
    for name in ("first_page", "registered_page", "later_page", "around", "finished_game", "around_while_games_end"):
        took = await timed(calls, getattr(bench, name))
        if name == "around_while_games_end":
            took = sorted(bench.mixed)
        p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
        failed |= p99 > limit
        print(f"{name:24} p50 {p50:6.2f} ms   p99 {p99:6.2f} ms   max {took[-1]:6.2f} ms", flush=True)
    await redis.aclose()
    await database.close()
    return int(failed)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--limit", type=float, default=20.0, help="milliseconds at the 99th percentile")
    parser.add_argument("--database-url")
    parser.add_argument("--redis-url")
    options = parser.parse_args()
    if options.database_url and options.redis_url:
        return asyncio.run(
            measure(options.database_url, options.redis_url, options.players, options.calls, options.limit)
        )
    with tempfile.TemporaryDirectory(prefix="r500-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with EmbeddedPair(Path(folder) / "data") as pair:
            assert pair.database_url is not None
            assert pair.redis_url is not None
            return asyncio.run(
                measure(pair.database_url, pair.redis_url, options.players, options.calls, options.limit)
            )


if __name__ == "__main__":
    sys.exit(main())
