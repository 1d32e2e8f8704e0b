"""Rows of many games are committed together, and one that is held up holds up no other."""

import asyncio
import time
from typing import Any

import pytest

from server.persistence.database import Database
from server.persistence.games import PostgresGames
from server.tables.ports import Append, Row
from tests.tables.log_of_a_game import ME, OPEN, a_setup

pytestmark = pytest.mark.storage


def row(game_id: str, seq: int, **entry: Any) -> Append:
    """A row that takes a game from one version to the next."""
    made = Row(seq, seq + 1, {"k": "make", **entry}, int(time.time() * 1000))
    return Append(game_id, made, "playing", {"n": seq}, None)


async def games_of(database: Database, count: int) -> tuple[PostgresGames, list[str]]:
    """A store at work, and so many games in it."""

    async def nothing(*_: Any) -> None:
        return None

    store = PostgresGames(database.pool, nothing, nothing, database.writers)
    store.start()
    names = [f"{number:x}" * 32 for number in range(count)]
    await database.pool.execute("INSERT INTO players (id, name, kind) VALUES ('ann', 'Ann', 'guest')")
    for name in names:
        assert await store.create(a_setup(ME, OPEN, game_id=name), row(name, 0), None)
    return store, names


async def test_a_commit_that_is_held_up_holds_up_no_other_game(database: Database) -> None:
    """While somebody has a game's row locked, moves of other games are committed; its own follows the lock's end."""
    store, (held, *others) = await games_of(database, 4)
    try:
        async with database.pool.acquire() as somebody:
            begun = somebody.transaction()
            await begun.start()
            await somebody.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", held)
            waiting = asyncio.create_task(store.append(row(held, 1)))
            await asyncio.sleep(0.01)
            async with asyncio.timeout(3):
                assert await asyncio.gather(*(store.append(row(name, 1)) for name in others)) == [True] * 3
            assert not waiting.done()
            await begun.rollback()
        async with asyncio.timeout(3):
            assert await waiting
    finally:
        await store.stop()


async def test_of_two_rows_in_one_place_one_is_committed(database: Database) -> None:
    """Rows of one game that gather together go one after the other, and a place is given once."""
    store, names = await games_of(database, 3)
    try:
        twice = [row(name, 1, by=by) for name in names for by in ("first", "second")]
        assert await asyncio.gather(*(store.append(each) for each in twice)) == [True, False] * 3
        for name in names:
            assert [each.entry.get("by") for each in await store.rows_after(name, 1)] == ["first"]
    finally:
        await store.stop()


async def test_a_lost_database_fails_those_who_wait_and_no_one_later(database: Database) -> None:
    """Whoever waits for a commit whose connection breaks is told; the next commit takes a new connection."""
    store, (name, other) = await games_of(database, 2)
    try:
        async with database.pool.acquire() as somebody, somebody.transaction():
            await somebody.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", name)
            waiting = asyncio.create_task(store.append(row(name, 1)))
            await asyncio.sleep(0.2)
            await somebody.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'"
            )
            with pytest.raises(Exception, match=r"terminat|closed|lost"):
                await asyncio.wait_for(waiting, 5)
        assert await store.append(row(other, 1))
        assert await store.append(row(name, 1))
    finally:
        await store.stop()
