"""Two-seat games that play themselves: random listed moves, each made when both seats have seen the one before.

The generator knows both hands, so it keeps a `State` of its own, with the cards of the stock in any order; where a card
is drawn it learns from the events which one it was.
"""

import asyncio
import random
import time
from collections.abc import Callable, Coroutine
from typing import Any

import orjson

from bench.load.clients import Http, WebSocket, open_http, open_socket
from server.game import State, apply, card_name, legal_moves, make_ruleset, move_json, parse_card
from server.game.moves import Draw
from server.game.positions import from_position
from server.game.state import evolve

OPTIONS = {"target": 10_000, "max_rounds": 1000}
RULESET = make_ruleset("pagat", OPTIONS, 2)
PACK = frozenset(range(52))


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

    def go(self) -> None:
        """Play goes on."""
        self.running = True
        resting, self.resting = self.resting, []
        for player in resting:
            player.next()


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
        self.state: State | None = None
        self.version = 0
        self.moves = 0
        self._hands: list[list[str]] = [[], []]
        self._move: Any = None
        self._seat = 0
        self._left = 0
        self._sent_at = 0.0
        self._drawn: int | None = None
        self._round: dict[str, Any] | None = None
        self._turn = 0
        self._first = 2
        self._ready = asyncio.get_running_loop().create_future()

    async def open(self, url: str, setup: Http) -> None:
        """Makes the game with two guests and opens a socket for each."""
        for seat in (0, 1):
            made = await setup.ask("POST", "/v1/players", None, {})
            self.tokens[seat] = made["token"]
        body = {"ruleset": {"preset": "pagat", "options": OPTIONS}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        view = await setup.ask("POST", "/v1/games", self.tokens[0], body)
        self.game = view["id"]
        await setup.ask("POST", f"/v1/games/{self.game}/seats", self.tokens[1], {"invite": view["invite"]})
        for seat in (0, 1):
            await self._listen(url, seat)
        if self._http:
            self.connection = await open_http(url)
        await asyncio.wait_for(self._ready, 30)

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
        state = self.state
        assert state is not None
        self._seat = seat = state.waiting[0]
        moves = legal_moves(state, seat)
        self._move = move = moves[int(self._chance.random() * len(moves))]
        self._left = 3
        self._drawn = None
        self._sent_at = time.perf_counter()
        said = orjson.dumps(move_json(move))
        if self.connection is not None:
            body = b'{"move":%b,"if_version":%d}' % (said, self.version)
            self.connection.request("POST", f"/v1/games/{self.game}/moves", self.tokens[seat], body, self._answered)
        else:
            frame = b'{"type":"move","id":"%d","move":%b,"if_version":%d}' % (self.version, said, self.version)
            self.sockets[seat].send(frame)

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
            self._events(seat, orjson.loads(data))
            self._one()
        elif data.startswith(b'{"type":"result"'):
            if b'"ok":true' not in data:
                self.load.faults.append(data[:300].decode())
                return
            self._one()
        elif data.startswith(b'{"type":"snapshot"'):
            self._snapshot(seat, orjson.loads(data)["view"])

    def _events(self, seat: int, frame: dict[str, Any]) -> None:
        self.version = frame["version"]
        for event in frame["events"]:
            kind = event["type"]
            if kind == "drew" and seat == event["seat"] and event["from"] == "stock":
                self._drawn = parse_card(event["cards"][0])
            elif kind == "round_started":
                self._round = event
                self._hands[seat] = event["hands"][seat]
            elif kind == "turn_started":
                self._turn = event["seat"]

    def _snapshot(self, seat: int, view: dict[str, Any]) -> None:
        self._hands[seat] = view["seats"][seat]["hand"]
        self._round = {"pile": view["pile"], "dealer": view["dealer"]}
        self._turn = view["turn"]["seat"]
        self.version = view["version"]
        self._first -= 1
        if not self._first:
            self._deal()
            self._ready.set_result(None)
            self.load.rest(self)

    def _one(self) -> None:
        self._left -= 1
        if self._left:
            return
        self.load.moves += 1
        self.moves += 1
        self._follow()
        self.next()

    def _follow(self) -> None:
        """Makes the move in the generator's own state."""
        state = self.state
        assert state is not None
        if isinstance(self._move, Draw) and self._move.card is None:
            assert self._drawn is not None
            stock = (self._drawn, *(card for card in state.stock if card != self._drawn))
            state = evolve(state, stock=stock)
        self.state, _ = apply(state, self._seat, self._move)
        if self._round is not None:
            self._deal()

    def _deal(self) -> None:
        assert self._round is not None
        hands = self._hands
        pile = self._round["pile"]
        seen = {parse_card(card) for cards in (*hands, pile) for card in cards}
        position = {
            "hands": hands, "stock": [card_name(card) for card in sorted(PACK - seen)], "pile": pile,
            "totals": [0, 0], "dealer": self._round["dealer"], "turn": self._turn, "phase": "draw",
        }  # fmt: skip
        self.state, _ = from_position(RULESET, 2, position, b"\0" * 32, "|")
        self._round = None


async def in_parallel(work: list[Callable[[], Coroutine[Any, Any, None]]], at_once: int = 12) -> None:
    """Runs them, a few at a time."""
    left = list(reversed(work))

    async def worker() -> None:
        while left:
            await left.pop()()

    await asyncio.gather(*(worker() for _ in range(at_once)))


async def open_duels(load: Load, url: str, count: int, *, over_http: bool, first: int = 0) -> list[Duel]:
    """So many games, ready to be played."""
    duels = [Duel(load, first + number, over_http) for number in range(count)]
    setups = [await open_http(url) for _ in range(12)]

    def opening(duel: Duel) -> Callable[[], Coroutine[Any, Any, None]]:
        async def run() -> None:
            setup = setups.pop()
            await duel.open(url, setup)
            setups.append(setup)

        return run

    await in_parallel([opening(duel) for duel in duels])
    for setup in setups:
        setup.close()
    return duels
