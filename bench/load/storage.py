"""The same commits to Postgres, grouped as the server groups them, with no server: the rows of one game, many times."""

import asyncio
import random
import secrets
import time
from dataclasses import replace
from typing import Any

from bench.load.games import OPTIONS
from server import ai
from server import game as rules
from server.persistence.database import connect
from server.persistence.games import PostgresGames
from server.tables import Setup, Tables
from server.tables.ports import Append, Row
from server.tables.setup import SeatSetup

PLAYERS = ("maker", "guest")


class Recorder:
    """A store and a bus that keep what they are given and do nothing."""

    def __init__(self) -> None:
        self.appends: list[Append] = []

    async def append(self, append: Append) -> bool:
        self.appends.append(append)
        return True

    async def create(self, _setup: Setup, append: Append, _commitment: str | None) -> bool:
        self.appends.append(append)
        return True

    async def wire(self, _ids: Any) -> dict[str, Any]:
        return {}

    async def publish(self, _game_id: str, _row: Row) -> None:
        return None

    def note(self, **_data: Any) -> None:
        return None


def setup_of(game_id: str, maker: str) -> Setup:
    """A two-seat game's setup."""
    return Setup(
        game_id=game_id, maker=maker, preset="pagat", options=rules.make_ruleset("pagat", OPTIONS, 2).options(),
        seats=(SeatSetup("me"), SeatSetup("open")), visibility="private", spectators=True, clock=None, call_seconds=5,
        client_seed="", position=None, invite=game_id[:10], watch=game_id[-10:], server_seed=b"\1" * 32,
        commitment="0" * 64, nonce=None, daily=None, closes_at=None, rematch_of=None, fill_at=None,
        rules_version=rules.RULES_VERSION, ai_version=ai.AI_VERSION, created_at=int(time.time() * 1000),
    )  # fmt: skip


async def recorded(moves: int) -> list[Append]:
    """What a game of so many random moves appends, its making and the second seat's taking first."""
    store: Any = Recorder()
    tables = Tables(store, store, store, store)
    table = await tables.create(setup_of("g" * 32, PLAYERS[0]), None)
    assert table is not None
    await tables.commit(table, {"k": "seat", "seat": 1, "player": PLAYERS[1], "client_seed": ""})
    chance = random.Random(5)
    for number in range(moves):
        state = table.live.state
        assert state is not None
        move = chance.choice(rules.legal_moves(state, state.waiting[0]))
        entry = {"k": "move", "seat": state.waiting[0], "move": rules.move_json(move), "by": "player"}
        await tables.commit(table, entry)
        last = store.appends[-1]
        keyed = last.row._replace(player=PLAYERS[state.waiting[0]], key=str(number), print=b"\0" * 32)
        store.appends[-1] = last._replace(row=keyed)
    return list(store.appends)


class Commits:
    """Games in Postgres to which recorded rows are appended as fast as commits go."""

    def __init__(self, url: str, pause: float = 0.0) -> None:
        """`pause`: seconds between a client's commits."""
        self._url = url
        self._pause = pause
        self.moves = 0
        self.times: list[float] = []

    async def run(self, clients: int, appends: list[Append]) -> None:
        """So many games at once, each with a row under way at any time."""
        database = await connect(self._url, 4)
        store = PostgresGames(database.pool, _settle, _settled, database.writers)
        store.start()
        try:
            games = [await self._make(database.pool, store, appends[:2]) for _ in range(clients)]
            await asyncio.gather(*(self._play(store, game, appends[2:]) for game in games))
        finally:
            await store.stop()
            await database.close()

    async def _make(self, pool: Any, store: PostgresGames, first: list[Append]) -> tuple[str, dict[str, str]]:
        game_id = secrets.token_hex(16)
        names = {name: secrets.token_hex(16) for name in PLAYERS}
        for player in names.values():
            await pool.execute("INSERT INTO players (id, name, kind) VALUES ($1, 'Bench', 'guest')", player)
        made, sat = (_for(append, game_id, names) for append in first)
        await store.create(setup_of(game_id, names["maker"]), made, None)
        await store.append(sat)
        return game_id, names

    async def _play(self, store: PostgresGames, game: tuple[str, dict[str, str]], appends: list[Append]) -> None:
        for append in appends:
            mine = _for(append, *game)
            began = time.perf_counter()
            done = await store.append(mine)
            assert done
            self.times.append(time.perf_counter() - began)
            if self._pause:
                await asyncio.sleep(self._pause)
            self.moves += 1


def _for(append: Append, game_id: str, names: dict[str, str]) -> Append:
    row = append.row
    player = None if row.player is None else names[row.player]
    notices = tuple(
        replace(notice, player=names[notice.player], once=notice.once.replace(append.game_id, game_id))
        for notice in append.notices
    )
    sits = tuple(names[name] for name in append.sits)
    return append._replace(game_id=game_id, row=row._replace(player=player), notices=notices, sits=sits)


async def _settle(_connection: Any, _finished: Any) -> None:
    return None


async def _settled(_finished: Any) -> None:
    return None
