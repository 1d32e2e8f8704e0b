"""Two-seat games that play themselves: random listed moves, each made when both seats have seen the one before.

What is played is made up ahead, while nothing is measured (`Script`): the generator shares its core with Postgres, and
would otherwise set the pace.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any

import asyncpg
import orjson

from bench.load.clients import Http, WebSocket, open_http, open_socket
from server.game import apply, legal_moves, make_ruleset, move_json, start
from server.persistence.database import plain_url

OPTIONS = {"target": 10_000, "max_rounds": 1000}
RULESET = make_ruleset("pagat", OPTIONS, 2)


class Load:
    """All players of one kind, whether they play now, and what was counted."""

    def __init__(self) -> None:
        self.running = False
        self.limit = 1 << 60
        self.pause = 0.0  # seconds that a player of the baselines waits between two moves
        self.moves = 0
        self.latencies: list[float] = []
        self.resting: list[Any] = []
        self.frame_bytes = [0, 0]
        self.faults: list[str] = []

    def rest(self, player: Any) -> None:
        """A player waits until play goes on."""
        self.resting.append(player)

    def later(self, player: Any) -> None:
        """A player of the baselines goes on, after its pause."""
        if self.pause:
            asyncio.get_running_loop().call_later(self.pause, player.next)
        else:
            player.next()

    def prepare(self, moves: float) -> None:
        """So many moves are made up, for all games together."""
        for player in self.resting:
            if isinstance(player, Duel):
                player.script.prepare(int(moves / len(self.resting)) + 1)

    def go(self) -> None:
        """Play goes on."""
        self.running = True
        resting, self.resting = self.resting, []
        for player in resting:
            player.next()


class Script:
    """The moves of one game, made up ahead of play from its seed, which the bench reads in its own database."""

    def __init__(self, seed: bytes, nonce: str, version: int, chance: random.Random) -> None:
        self._state, _ = start(RULESET, 2, seed, nonce)
        self._version, self._chance = version, chance
        self._ahead: deque[tuple[int, int, bytes]] = deque()

    def prepare(self, moves: int) -> None:
        """Makes up so many moves, counting those that are left."""
        state, version = self._state, self._version
        while len(self._ahead) < moves:
            seat = state.waiting[0]
            listed = legal_moves(state, seat)
            move = listed[int(self._chance.random() * len(listed))]
            self._ahead.append((seat, version, orjson.dumps(move_json(move))))
            state, events = apply(state, seat, move)
            version += len(events)
        self._state, self._version = state, version

    @property
    def version(self) -> int:
        """The version that the next move is made at."""
        return self._ahead[0][1] if self._ahead else self._version

    def next(self) -> tuple[int, int, bytes]:
        """The next move: its seat, the version it is made at, the move."""
        if not self._ahead:
            self.prepare(20)
        return self._ahead.popleft()


class Duel:
    """One game with both its sockets; moves go over the socket, or over HTTP."""

    def __init__(self, load: Load, number: int, over_http: bool) -> None:
        self.load = load
        self._chance = random.Random(number)
        self._http = over_http
        self.game = ""
        self.tokens: list[str] = ["", ""]
        self.sockets: list[WebSocket] = []
        self.connection: Http | None = None
        self.script: Script  # from `open` on
        self.moves = 0
        self._seat = 0
        self._left = 0
        self._sent_at = 0.0
        self._first = 2
        self._ready = asyncio.get_running_loop().create_future()

    async def open(self, url: str, setup: Http, pool: "asyncpg.Pool[Any]") -> None:
        """Makes the game with two guests and opens a socket for each."""
        for seat in (0, 1):
            made = await setup.ask("POST", "/v1/players", None, {})
            self.tokens[seat] = made["token"]
        body = {"ruleset": {"preset": "pagat", "options": OPTIONS}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        view = await setup.ask("POST", "/v1/games", self.tokens[0], body)
        self.game = view["id"]
        view = await setup.ask("POST", f"/v1/games/{self.game}/seats", self.tokens[1], {"invite": view["invite"]})
        seed = await pool.fetchval("SELECT server_seed FROM games WHERE id = $1", self.game)
        self.script = Script(seed, view["fairness"]["nonce"], view["version"], self._chance)
        for seat in (0, 1):
            await self._listen(url, seat)
        if self._http:
            self.connection = await open_http(url)
        await asyncio.wait_for(self._ready, 30)

    @property
    def version(self) -> int:
        """The game's version once its last move is made."""
        return self.script.version

    async def _listen(self, url: str, seat: int) -> None:
        def on_frame(data: bytes) -> None:
            self._hear(seat, data)

        path = f"/v1/games/{self.game}/stream"
        self.sockets.append(await open_socket(url, path, self.tokens[seat], on_frame))

    def close(self) -> None:
        """Hangs up."""
        for each in (*self.sockets, self.connection):
            if each is not None:
                each.close()

    def next(self) -> None:
        """Makes the next move, or rests."""
        if not self.load.running or self.moves >= self.load.limit:
            self.load.rest(self)
            return
        self.play()

    def play(self) -> None:
        """Makes the next move."""
        self._seat, version, said = self.script.next()
        self._left = 3
        self._sent_at = time.perf_counter()
        if self.connection is not None:
            body = b'{"move":%b,"if_version":%d}' % (said, version)
            token = self.tokens[self._seat]
            self.connection.request("POST", f"/v1/games/{self.game}/moves", token, body, self._answered)
        else:
            frame = b'{"type":"move","id":"%d","move":%b,"if_version":%d}' % (version, said, version)
            self.sockets[self._seat].send(frame)

    def _answered(self, status: int, body: bytes) -> None:
        if status != 200:
            self.load.faults.append(f"{status} {body[:200]!r}")
            return
        self._one()

    def _hear(self, seat: int, data: bytes) -> None:
        if data.startswith(b'{"type":"events"'):
            if seat != self._seat:
                self.load.latencies.append(time.perf_counter() - self._sent_at)
            self.load.frame_bytes[0] += len(data)
            self.load.frame_bytes[1] += 1
            self._one()
        elif data.startswith(b'{"type":"result"'):
            if b'"ok":true' not in data:
                self.load.faults.append(data[:300].decode())
                return
            self._one()
        elif data.startswith(b'{"type":"snapshot"'):
            self._first -= 1
            if not self._first:
                self._ready.set_result(None)
                self.load.rest(self)

    def _one(self) -> None:
        self._left -= 1
        if self._left:
            return
        self.load.moves += 1
        self.moves += 1
        self.next()


async def in_parallel(work: list[Callable[[], Coroutine[Any, Any, None]]], at_once: int = 12) -> None:
    """Runs them, a few at a time."""
    left = list(reversed(work))

    async def worker() -> None:
        while left:
            await left.pop()()

    await asyncio.gather(*(worker() for _ in range(at_once)))


async def open_duels(
    load: Load, url: str, database_url: str, count: int, *, over_http: bool, first: int = 0
) -> list[Duel]:
    """So many games, ready to be played."""
    pool = await asyncpg.create_pool(plain_url(database_url), min_size=1, max_size=1)
    duels = [Duel(load, first + number, over_http) for number in range(count)]
    setups = [await open_http(url) for _ in range(12)]

    def opening(duel: Duel) -> Callable[[], Coroutine[Any, Any, None]]:
        async def run() -> None:
            setup = setups.pop()
            await duel.open(url, setup, pool)
            setups.append(setup)

        return run

    await in_parallel([opening(duel) for duel in duels])
    for setup in setups:
        setup.close()
    await pool.close()
    return duels
