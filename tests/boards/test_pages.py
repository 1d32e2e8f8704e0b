"""Pages of a board: every row once, in order, with its rank, whatever is written in between."""

import asyncio
import random
from collections import Counter
from typing import Any

import pytest

from server.boards.cursor import Cursor, parse_cursor
from server.boards.effects import RowChange
from server.errors import Refused
from server.persistence.settle import write_rows
from tests.boards.conftest import Office

pytestmark = pytest.mark.storage


async def write(office: Office, rows: list[RowChange]) -> None:
    async with office.database.pool.acquire() as connection, connection.transaction():
        await write_rows(connection, rows, set())


async def make_board(office: Office, count: int, chance: random.Random) -> dict[str, int]:
    """A ranking of `count` players of whom 60 % share three scores; zero and negative ones too."""
    ids = await office.people(count)
    scores = {
        player: chance.choice((0, 10, 30)) if chance.random() < 0.6 else chance.randint(-500, 500) for player in ids
    }
    await write(office, [RowChange("ranking", "all", player, value=score) for player, score in scores.items()])
    return scores


def expected(scores: dict[str, int]) -> list[tuple[int, str, int]]:
    """The whole board: (rank, player, score)."""
    above = Counter(scores.values())
    rank_of: dict[int, int] = {}
    rank = 1
    for score in sorted(above, reverse=True):
        rank_of[score] = rank
        rank += above[score]
    return [
        (rank_of[score], player, score) for player, score in sorted(scores.items(), key=lambda row: (-row[1], row[0]))
    ]


async def pages(
    office: Office, limit: int, start: str | None = None, *, back: bool = False
) -> list[list[tuple[int, str, int]]]:
    found: list[list[tuple[int, str, int]]] = []
    cursor = start
    for _ in range(2000):
        view = await office.boards.page("ranking", "all", None, limit=limit, registered=False, cursor=cursor)
        found.append([(line.row.rank, line.row.player_id, line.row.score) for line in view.lines])
        cursor = view.previous_cursor if back else view.next_cursor
        if cursor is None:
            return found
    raise AssertionError("the pages have no end")


@pytest.mark.timeout(180)
@pytest.mark.parametrize("limit", [1, 7, 50])
async def test_stage5_pages_neither_repeat_nor_lose_a_row_while_rows_are_written(office: Office, limit: int) -> None:
    """500 rows of which 60 % are tied, read forwards and back while scores change: the board of the first page."""
    chance = random.Random(limit)
    scores = await make_board(office, 500, chance)
    newcomers = await office.people(50)
    whole = expected(scores)
    done = asyncio.Event()

    async def meddle() -> None:
        """Moves rows up and down and adds new ones, all the time."""
        players = list(scores)
        for number in range(100_000):
            if done.is_set():
                return
            moved = [RowChange("ranking", "all", chance.choice(players), add=chance.choice((-400, -7, 10, 30, 400)))]
            if number < len(newcomers):
                moved.append(RowChange("ranking", "all", newcomers[number], value=chance.choice((0, 10, 30, 600))))
            await write(office, moved)
            await asyncio.sleep(0.001)

    first = await office.boards.page("ranking", "all", None, limit=limit, registered=False, cursor=None)
    writing = asyncio.create_task(meddle())
    try:
        assert first.next_cursor is not None
        forwards = await pages(office, limit, first.next_cursor)
        listed = [(line.row.rank, line.row.player_id, line.row.score) for line in first.lines]
        listed += [row for page in forwards for row in page]
        assert listed == whole
        last = first
        while last.next_cursor is not None:
            last = await office.boards.page(
                "ranking", "all", None, limit=limit, registered=False, cursor=last.next_cursor
            )
        assert last.previous_cursor is not None
        backwards = await pages(office, limit, last.previous_cursor, back=True)
        assert [row for page in reversed(backwards) for row in page] == whole[: len(whole) - len(last.lines)]
    finally:
        done.set()
        await writing


async def test_stage5_the_own_rank_is_the_listed_rank(office: Office) -> None:
    """For every player: the rank of `you`, of around-me and of the cache is the one that the board lists."""
    scores = await make_board(office, 120, random.Random(3))
    whole = expected(scores)
    for rank, player, score in whole:
        view = await office.boards.page("ranking", "all", player, limit=1, registered=False, cursor=None)
        assert view.you is not None
        assert (view.you.row.rank, view.you.row.score) == (rank, score)
    for limit in (1, 4, 7, 100):
        for place, (_, player, _) in list(enumerate(whole))[::17]:
            around = await office.boards.around("ranking", "all", player, limit=limit, registered=False)
            listed = [(line.row.rank, line.row.player_id, line.row.score) for line in around.lines]
            start = whole.index(listed[0])
            assert listed == whole[start : start + len(listed)]
            assert len(listed) == min(limit, len(whole))
            assert start <= place < start + len(listed)
            assert around.you is not None
            assert around.you.row.player_id == player
    nobody = (await office.people(1))[0]
    assert (await office.boards.around("ranking", "all", nobody, limit=5, registered=False)).lines == ()
    assert (await office.boards.page("ranking", "all", nobody, limit=5, registered=False, cursor=None)).you is None


async def test_cached_ranks_equal_recomputed_ones_after_every_mishap(office: Office, redis: Any) -> None:
    """A crash between database and Redis, a Redis that forgot all or came back old, a worse second score."""
    scores = await make_board(office, 60, random.Random(4))

    async def check() -> None:
        now = dict(await office.database.pool.fetch("SELECT player_id, score FROM board_rows WHERE to_xid IS NULL"))
        ranks = await office.cache.ranks("ranking", "all", now.values(), registered=False)
        assert [(ranks[score], player, score) for _, player, score in expected(now)] == expected(now)
        assert await office.cache.contents("ranking", "all", registered=False) == now

    await check()
    players = list(scores)
    await write(office, [RowChange("ranking", "all", players[0], value=-999)])
    await check()  # the change was noted, and Redis not told before the rank was asked for
    await redis.flushdb()
    await check()
    await write(office, [RowChange("ranking", "all", players[1], value=999)])
    old = {key: await redis.dump(key) for key in await redis.keys("*")}
    await office.cache.catch_up()
    await write(office, [RowChange("ranking", "all", players[2], value=998)])
    await office.cache.catch_up()
    for key, value in old.items():
        await redis.restore(key, 0, value, replace=True)
    await check()  # Redis was put back to an older state
    async with office.database.pool.acquire() as connection:
        await write(office, [RowChange("ranking", "all", players[3], value=5)])
        noted = await connection.fetch("SELECT board, period, player_id FROM board_changes")
        await office.cache.catch_up()
        await connection.executemany(
            "INSERT INTO board_changes (board, period, player_id) VALUES ($1, $2, $3)", [tuple(row) for row in noted]
        )
    await check()  # Redis was told, and the crash came before that was noted


async def test_ranks_are_counted_in_postgres_while_redis_is_away(office: Office) -> None:
    """Without Redis a rank takes longer and is the same."""
    scores = await make_board(office, 40, random.Random(5))

    class Away:
        def __getattr__(self, name: str) -> Any:
            raise ConnectionError("Redis is away")

    office.cache._redis = Away()
    for rank, player, _ in expected(scores):
        view = await office.boards.page("ranking", "all", player, limit=1, registered=False, cursor=None)
        assert view.you is not None
        assert view.you.row.rank == rank


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "x", "é", "W10", "bnVsbA", "A" * 5000),
        *(Cursor(snapshot, 0, 0, "p", 1, 0).text() for snapshot in ("2:1:", "1:9:8,3", "1:5:7", "x", "0:2:", "1:2:,")),
        Cursor("1:2:", 0, 0, "p", 1, -1).text(),
        Cursor("1:2:", 0, 2**63, "p", 1, 0).text(),
        Cursor("1:2:", 0, 0, "\x00", 1, 0).text(),
        Cursor("1:2:", -1, 0, "p", 1, 0).text(),
    ],
)  # fmt: skip
def test_cursors_of_ones_own_making_are_malformed(cursor: str) -> None:
    """What is no cursor of ours is refused, not tried."""
    with pytest.raises(Refused) as refused:
        parse_cursor(cursor)
    assert refused.value.code == "malformed"
