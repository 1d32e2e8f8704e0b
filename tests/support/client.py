"""A client of the API for the tests, which looks at every answer: never a 5xx, a problem document for each refusal.

It knows the contract alone and nothing of the server's code.
"""

import asyncio
import contextlib
import itertools
import json
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

Json = dict[str, Any]
Headers = dict[str, str]
PATIENCE = 20.0


@dataclass(slots=True)
class Answer:
    """An answer over HTTP: its status, its body parsed, and all there was."""

    status: int
    body: Any
    response: httpx.Response

    @property
    def code(self) -> str | None:
        """The code of a problem document."""
        return self.body.get("code") if isinstance(self.body, dict) else None

    @property
    def fields(self) -> list[str]:
        """The fields that a problem document names."""
        return [error["field"] for error in self.body.get("errors", [])]


class Api:
    """One server, as a client sees it. `allow_503`: a part of it is away at the moment."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.AsyncClient(base_url=url, timeout=60, limits=httpx.Limits(max_connections=400))
        self.allow_503 = False
        self.heard: list[tuple[str | None, bytes]] | None = None  # (token, what it was sent)

    async def call(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, raw: bytes | None = None,
        headers: Headers | None = None,
    ) -> Answer:  # fmt: skip
        """One request."""
        named = dict(headers or {})
        if token is not None:
            named["Authorization"] = f"Bearer {token}"
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            named.setdefault("Content-Type", "application/json")
        response = await self.http.request(method, path, content=raw, headers=named)
        if self.heard is not None:
            told = b"\n".join(b": ".join(pair) for pair in response.headers.raw) + b"\n\n" + response.content
            self.heard.append((token, told))
        return self._checked(response)

    def _checked(self, response: httpx.Response) -> Answer:
        """What every answer has to be, whatever was asked."""
        headers = response.headers
        assert "set-cookie" not in headers
        assert headers.get("request-id")
        status = response.status_code
        body: Any = None
        if headers.get("content-type", "").split(";")[0].endswith("json") and response.content:
            body = response.json()
        assert status < 500 or (status == 503 and self.allow_503), (response.request.url, status, response.text[:500])
        if status >= 400 and response.request.method != "HEAD":
            assert headers["content-type"] == "application/problem+json", response.text
            assert body["status"] == status
            assert body["code"]
            assert body["title"]
            assert body["detail"]
            assert body["type"].endswith(body["code"])
            if body["code"] == "malformed":
                assert body["errors"], body
            if status in (429, 503):
                assert int(headers["retry-after"]) >= 1
        return Answer(status, body, response)

    async def guest(self, name: str = "Ann") -> "Player":
        """A new guest."""
        made = await self.call("POST", "/v1/players", {"name": name})
        assert made.status == 201, made.body
        return Player(self, made.body["player"]["id"], made.body["token"])

    async def close(self) -> None:
        """Closes its connections."""
        await self.http.aclose()


@dataclass(slots=True)
class Player:
    """Somebody with a token."""

    api: Api
    id: str
    token: str

    def at(self, api: Api) -> "Player":
        """The same person at another server process."""
        return Player(api, self.id, self.token)

    async def get(self, path: str) -> Answer:
        """GET."""
        return await self.api.call("GET", path, token=self.token)

    async def post(self, path: str, body: Any = None, key: str | None = None) -> Answer:
        """POST; `key` is the Idempotency-Key."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return await self.api.call("POST", path, body, token=self.token, headers=headers)

    async def delete(self, path: str) -> Answer:
        """DELETE."""
        return await self.api.call("DELETE", path, token=self.token)

    async def make(self, **body: Any) -> Json:
        """Makes a game; its VIEW."""
        made = await self.post("/v1/games", body)
        assert made.status == 201, made.body
        view: Json = made.body
        return view

    async def view(self, game: str) -> Json:
        """The VIEW now."""
        found = await self.get(f"/v1/games/{game}")
        assert found.status == 200, found.body
        view: Json = found.body
        return view

    async def events(self, game: str, after: int = 0) -> list[Json]:
        """The events after a version."""
        found = await self.get(f"/v1/games/{game}/events?after={after}")
        assert found.status == 200, found.body
        events: list[Json] = found.body["events"]
        return events

    async def legal(self, game: str, seat: int | None = None) -> list[Json]:
        """The legal moves."""
        query = "" if seat is None else f"?seat={seat}"
        found = await self.get(f"/v1/games/{game}/legal-moves{query}")
        assert found.status == 200, found.body
        items: list[Json] = found.body["items"]
        return items

    async def move(self, game: str, move: Any, **more: Any) -> Answer:
        """A move; `key` is the Idempotency-Key, everything else goes into the body."""
        key = more.pop("key", None)
        return await self.post(f"/v1/games/{game}/moves", {"move": move, **more}, key)

    @contextlib.asynccontextmanager
    async def stream(self, game: str, query: str = "", **options: Any) -> AsyncIterator["Stream"]:
        """The live table."""
        async with stream(self.api.url, game, self.token, query, **options) as opened:
            yield opened


@contextlib.asynccontextmanager
async def stream(
    url: str,
    game: str,
    token: str | None = None,
    query: str = "",
    path: str = "/v1/games/{game}/stream",
    **options: Any,
) -> AsyncIterator["Stream"]:
    """A stream of a game, with a token or none; any other by `path`."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    address = url.replace("http", "ws", 1) + path.format(game=game) + (f"?{query}" if query else "")
    options = {"compression": None, "max_size": None, "open_timeout": PATIENCE, "close_timeout": 1} | options
    async with websockets.connect(address, additional_headers=headers, **options) as socket:
        yield Stream(socket)


@dataclass(slots=True)
class Stream:
    """An open stream, and every frame it was sent."""

    socket: ClientConnection
    frames: list[Json] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    read: int = 0

    async def next(self, seconds: float = PATIENCE) -> Json:
        """The next frame."""
        async with asyncio.timeout(seconds):
            data = await self.socket.recv(decode=False)
        self.raw.append(data)
        frame: Json = json.loads(data)
        self.frames.append(frame)
        return frame

    async def until(self, kind: str, seconds: float = PATIENCE, **fields: Any) -> Json:
        """The next frame of a type, with these values."""
        async with asyncio.timeout(seconds):
            while True:
                frame = await self.next(seconds)
                if frame["type"] == kind and all(frame.get(name) == value for name, value in fields.items()):
                    return frame

    async def until_version(self, version: int, seconds: float = PATIENCE) -> None:
        """Reads until the stream has told everything up to a version."""
        async with asyncio.timeout(seconds):
            while self.version < version:
                await self.next(seconds)

    @property
    def version(self) -> int:
        """The version that the frames so far lead to."""
        for frame in reversed(self.frames):
            if frame["type"] == "events":
                return int(frame["version"])
            if frame["type"] == "snapshot":
                return int(frame["view"]["version"])
        return -1

    @property
    def events(self) -> list[Json]:
        """The events of all frames so far."""
        return [event for frame in self.frames if frame["type"] == "events" for event in frame["events"]]

    async def send(self, **frame: Any) -> None:
        """Sends a frame."""
        await self.socket.send(json.dumps(frame))

    async def move(self, move: Any, id: str | None = None, **more: Any) -> Json:  # noqa: A002 - the wire's word
        """A move over the stream; its result."""
        id = id or f"m{next(_numbers)}"  # noqa: A001
        await self.send(type="move", id=id, move=move, **more)
        return await self.until("result", id=id)

    async def code(self, seconds: float = PATIENCE) -> int:
        """Reads to the end; the close code."""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    await self.next(seconds)
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else 1006


_numbers = itertools.count()


def gap_free(events: list[Json], after: int) -> None:
    """Every version once and in order, from the first after `after` on."""
    assert [event["seq"] for event in events] == list(range(after + 1, after + 1 + len(events)))


def modest(moves: list[Json], chance: random.Random) -> Json:
    """A move that ends games: melds and lay-offs first, else mostly the stock, then some discard."""
    for kinds in (("meld", "lay_off"), ("call_rummy",)):
        found = [move for move in moves if move["type"] in kinds]
        if found:
            return found[0]
    draws = [move for move in moves if move["type"] == "draw"]
    if draws:
        return draws[0] if chance.random() < 0.7 else chance.choice(draws)
    return chance.choice(moves)


async def play_on(players: dict[int, Player], game: str, moves: int, seed: int = 1) -> Json:
    """Plays up to so many moves for these seats (by seat), waiting for CPU seats; the last VIEW of one of them."""
    chance = random.Random(seed)
    someone = next(iter(players.values()))
    made = 0
    view = await someone.view(game)
    while view["status"] == "playing" and made < moves:
        turn = view["turn"]
        waiting = view["call"]["waiting"] if view["call"] else [turn["seat"]]
        ours = [seat for seat in waiting if seat in players]
        if ours:
            player = players[ours[0]]
            legal = await player.legal(game, ours[0])
            if legal:
                await player.move(game, modest(legal, chance), seat=ours[0])
                made += 1
        else:
            await someone.get(f"/v1/games/{game}/events?after={view['version']}&wait=5")
        view = await someone.view(game)
    return view
