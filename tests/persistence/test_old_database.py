"""An older database with half-played games: brought up to date, its games go on where they stood."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest

from server.persistence import migrate
from server.persistence.database import plain_url
from tests.support.servers import ServerProcess, make_server

pytestmark = pytest.mark.storage

OLD = json.loads((Path(__file__).parent / "half_played_0002.json").read_text())


def value_of(stored: Any) -> Any:
    """A value as the file keeps it: bytes as hex, times as text."""
    if isinstance(stored, dict) and set(stored) == {"hex"}:
        return bytes.fromhex(stored["hex"])
    if isinstance(stored, dict) and set(stored) == {"time"}:
        return datetime.fromisoformat(stored["time"])
    return stored


async def fill(url: str) -> None:
    """The rows of the old database, put into one of that revision."""
    connection = await asyncpg.connect(plain_url(url))
    for table, rows in OLD["rows"].items():
        for row in rows:
            names = ", ".join(row)
            places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
            values = [value_of(stored) for stored in row.values()]
            await connection.execute(f"INSERT INTO {table} ({names}) VALUES ({places})", *values)
    await connection.close()


@pytest.fixture
def old_server(empty_database_url: str, redis_url: str, tmp_path: Path) -> Any:
    """A server started on the old database: it migrates by itself."""
    migrate.upgrade(empty_database_url, "0002")
    asyncio.run(fill(empty_database_url))
    server = make_server(
        tmp_path / "server.log", RUMMY500_DATABASE_URL=empty_database_url, RUMMY500_REDIS_URL=redis_url
    )
    yield server.start()
    server.stop()


@contextmanager
def clients(server: ServerProcess) -> Iterator[list[httpx.Client]]:
    """A client for each of the old tokens."""
    with ExitStack() as stack:
        yield [stack.enter_context(client(server, token)) for token in OLD["tokens"]]


def client(server: ServerProcess, token: str) -> httpx.Client:
    """A client with a token."""
    return httpx.Client(base_url=server.url + "/v1", headers={"Authorization": f"Bearer {token}"}, timeout=30)


def test_stage3_1_half_played_games_of_an_older_database_go_on(old_server: ServerProcess) -> None:
    """Each game stands as its players last saw it, a person's turn can be finished, and CPU players move."""
    with clients(old_server) as (ann, bea):
        go_on(ann, bea)


def go_on(ann: httpx.Client, bea: httpx.Client) -> None:
    """Looks at the old games and plays on."""
    between_people, with_cpus = OLD["views"]
    for game in (between_people, with_cpus):
        view, was = ann.get(f"/games/{game}").json(), OLD["views"][game]
        if view["version"] == was["version"]:
            for name in ("round", "dealer", "stock_count", "pile", "melds"):
                assert view[name] == was[name], name
            assert [seat["hand"] for seat in view["seats"]] == was["hands"]
        else:
            assert game == with_cpus
            assert view["version"] > was["version"]
    turn = OLD["views"][between_people]["turn"]
    mover = (ann, bea)[turn["seat"]]
    hand = mover.get(f"/games/{between_people}").json()["seats"][turn["seat"]]["hand"]
    moved = mover.post(f"/games/{between_people}/moves", json={"move": {"type": "discard", "card": hand[-1]}})
    assert moved.status_code == 200, moved.text
    until = time.monotonic() + 30
    while (view := ann.get(f"/games/{with_cpus}").json())["turn"]["seat"] != 0:
        assert time.monotonic() < until, "no CPU player moved"
        time.sleep(0.2)
    assert view["status"] == "playing"
