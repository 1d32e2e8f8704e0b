"""Players who never give up: each move is sent with a key until it is answered, each stream comes back with `after`."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx
import websockets

from tests.live.stand import Stand
from tests.support.client import Api, Json, Player, gap_free, modest

GONE = (httpx.TransportError, OSError, websockets.WebSocketException, TimeoutError)


async def sure(api: list[Api], chance: random.Random, player: Player, method: str, path: str, body: Any = None,
               key: str | None = None, seconds: float = 60) -> Any:  # fmt: skip
    """A request to some process, again and again until one answers for good."""
    until = time.monotonic() + seconds
    while True:
        at = chance.choice(api)
        try:
            headers = {} if key is None else {"Idempotency-Key": key}
            answer = await at.call(method, path, body, token=player.token, headers=headers)
            if answer.status != 503:
                return answer
        except GONE:
            pass
        assert time.monotonic() < until, f"{method} {path}: nobody answered for {seconds} s"
        await asyncio.sleep(0.05)


@dataclass
class Follower:
    """A stream that comes back whenever it is cut, and what it was told."""

    apis: list[Api]
    player: Player
    game: str
    chance: random.Random
    events: list[Json] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    arrived: dict[int, float] = field(default_factory=dict)
    stopped: bool = False

    @property
    def version(self) -> int:
        """The last event's number."""
        return self.events[-1]["seq"] if self.events else 0

    async def run(self) -> None:
        """Follows until it is told to stop."""
        while not self.stopped:
            try:
                where = self.player.at(self.chance.choice(self.apis))
                async with where.stream(self.game, f"after={self.version}", open_timeout=5) as stream:
                    while not self.stopped:
                        frame = await stream.next(30)
                        if frame["type"] == "events":
                            gap_free(frame["events"], self.version)
                            now = time.monotonic()
                            for event in frame["events"]:
                                self.arrived[event["seq"]] = now
                            self.events += frame["events"]
                            assert self.version == frame["version"]
            except websockets.ConnectionClosed as closed:
                self.codes.append(closed.rcvd.code if closed.rcvd else 1006)
            except GONE:
                pass
            await asyncio.sleep(0.02)

    async def until(self, version: int, seconds: float = 30) -> None:
        """Waits until it has heard of a version."""
        async with asyncio.timeout(seconds):
            while self.version < version:  # noqa: ASYNC110 - another task moves it on
                await asyncio.sleep(0.02)


@dataclass
class Busy:
    """A table that plays on whatever happens, and all that was acknowledged."""

    stand: Stand
    players: list[Player]
    game: str
    followers: list[Follower]
    chance: random.Random
    acknowledged: list[tuple[str, Json]] = field(default_factory=list)
    stopped: bool = False
    pause: float = 0.0
    others: bool = False  # other seats move too, by themselves

    async def run(self) -> None:
        """Plays until told to stop or the game is over."""
        number = 0
        path = f"/v1/games/{self.game}"
        while not self.stopped:
            view = (await self._sure("GET", path)).body
            if view["status"] == "finished":
                return
            if view["turn"]["seat"] is None or view["turn"]["seat"] >= len(self.players):
                await asyncio.sleep(0.05)
                continue
            seat = view["turn"]["seat"]
            legal = (await self._sure("GET", f"{path}/legal-moves?seat={seat}", who=self.players[seat])).body["items"]
            if not legal:
                continue
            number += 1
            body = {"move": modest(legal, self.chance), "seat": seat}
            key = f"{self.game[:6]}-{number}"
            answer = await self._sure("POST", f"{path}/moves", body, key, self.players[seat])
            if answer.status == 200:
                self.acknowledged.append((key, answer.body))
            await asyncio.sleep(self.pause)

    async def _sure(
        self, method: str, path: str, body: Any = None, key: str | None = None, who: Player | None = None
    ) -> Any:
        return await sure(self.stand.apis, self.chance, who or self.players[0], method, path, body, key)

    async def check(self) -> int:
        """Nothing lost, nothing twice, nothing missed; how many moves it was."""
        events = (await self._sure("GET", f"/v1/games/{self.game}/events?after=0")).body["events"]
        gap_free(events, 0)
        public = {event["seq"]: event["type"] for event in events}
        last = 0
        for key, body in self.acknowledged:
            assert body["events"], key
            for event in body["events"]:
                assert public[event["seq"]] == event["type"], (key, event)
            first = body["events"][0]["seq"]
            assert first > last, "two acknowledged moves share a place"
            last = body["version"]
        acts = ("drew", "took_back", "melded", "laid_off", "discarded", "passed")
        mine = [event for event in events if event["type"] in acts and event.get("seat", 99) < len(self.players)]
        assert len(mine) == len(self.acknowledged), "a move was made twice, or without being asked"
        for follower in self.followers:
            await follower.until(len(events))
            heard = follower.events[: len(events)]  # a CPU player may have moved on since the log was read
            assert [(e["seq"], e["type"]) for e in heard] == [(e["seq"], e["type"]) for e in events]
        return len(self.acknowledged)


async def busy_table(stand: Stand, seed: int, cpu: bool = False, pause: float = 0.0) -> Busy:
    """A table of two people (with a CPU player too, if wanted), each followed by a stream at some process."""
    chance = random.Random(seed)
    players = await stand.guests(2)
    seats = [{"kind": "me"}, {"kind": "open"}, *([{"kind": "cpu", "level": "easy"}] if cpu else [])]
    made = await players[0].make(
        seats=seats, visibility="public", ruleset={"preset": "pagat", "options": {"target": 5000}}
    )
    await players[1].post(f"/v1/games/{made['id']}/seats", {})
    followers = [Follower(stand.apis, player, made["id"], random.Random(seed + n)) for n, player in enumerate(players)]
    return Busy(stand, players, made["id"], followers, chance, pause=pause)
