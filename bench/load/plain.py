"""Players of the baselines: the same loops as a game's, with nothing to decide."""

from typing import Any

from bench.load.clients import Http, WebSocket, open_http, open_socket
from bench.load.games import Load

MOVE = b'{"type":"move","id":"%d","move":{"type":"discard","card":"2C"},"if_version":%d}'
BODY = b'{"move":{"type":"discard","card":"2C"},"if_version":%d}'
GAME = "5be80f3c6a1d47e29c73d05f18a64b92"
TOKEN = "r500_0123456789012345678901234567890123456789012"
ROUND = 1000


class Echo:
    """Two sockets of an echo table."""

    def __init__(self, load: Load, number: int, *, answers: bool) -> None:
        self._load = load
        self._number = number
        self._frame = MOVE if answers else MOVE.replace(b'"move"', b'"play"', 1)
        self._frames = 3 if answers else 2
        self._sockets: list[WebSocket] = []
        self._left = 0
        self._moves = 0

    async def open(self, url: str) -> None:
        """Connects both."""
        for seat in (0, 1):
            path = f"/echo/{self._frames}-{self._number}/{seat}"
            self._sockets.append(await open_socket(url, path, None, self._hear))
        self._load.rest(self)

    def next(self) -> None:
        """The next move, or rest."""
        if not self._load.running:
            self._load.rest(self)
            return
        self._left = self._frames
        version = ROUND + self._moves % ROUND
        self._sockets[self._moves & 1].send(self._frame % (version, version))

    def _hear(self, _data: bytes) -> None:
        self._left -= 1
        if not self._left:
            self._moves += 1
            self._load.moves += 1
            self._load.later(self)

    def close(self) -> None:
        """Hangs up."""
        for socket in self._sockets:
            socket.close()


class Posts:
    """One connection that posts moves to the bare route."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._http: Http | None = None
        self._moves = 0

    async def open(self, url: str) -> None:
        """Connects."""
        self._http = await open_http(url)
        self._load.rest(self)

    def next(self) -> None:
        """The next request, or rest."""
        if not self._load.running:
            self._load.rest(self)
            return
        assert self._http is not None
        self._moves += 1
        body = BODY % (ROUND + self._moves % ROUND)
        self._http.request("POST", f"/v1/games/{GAME}/moves", TOKEN, body, self._answered)

    def _answered(self, status: int, body: bytes) -> None:
        if status != 200:
            self._load.faults.append(f"{status} {body[:200]!r}")
            return
        self._load.moves += 1
        self._load.later(self)

    def close(self) -> None:
        """Hangs up."""
        if self._http is not None:
            self._http.close()


async def open_all(players: list[Any], url: str) -> list[Any]:
    """All of them connected."""
    for player in players:
        await player.open(url)
    return players
