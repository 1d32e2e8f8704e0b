"""What processes tell each other through Redis: rows as they are committed, presence, nudges for lists.

Everything here can be lost: a process that may have missed something reads the database by version. Messages of a
tick go out in one command, and while Redis is away nothing waits for it. A process that knows itself alone says
nothing but its beat; a new process beats before it serves, so it is heard before anybody can follow a game there.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import orjson
import redis.asyncio as redis
import structlog

from server.tables.ports import Row

log = structlog.get_logger("bus")

GAMES = "rummy500:game:"
EVERYONE = "rummy500:everyone"
HERE = "rummy500:here:"
SEEN = "rummy500:seen:"
HERE_FOR = 25_000  # ms, by the database's clock
AWAY_FOR = 1.0
PATIENCE = 1.0
ALONE_AFTER = 10.0  # seconds without a word from another process, each of which speaks every two

# One command for all messages of a tick: a command costs the client ten times what a further argument does.
PUBLISH_ALL = "for i = 1, #ARGV, 2 do redis.call('publish', ARGV[i], ARGV[i + 1]) end"
TELL_HERE = f"""
for i = 3, #ARGV, 2 do
  redis.call('hset', '{HERE}' .. ARGV[i], ARGV[i + 1] .. ':' .. ARGV[1], ARGV[2])
  redis.call('expire', '{HERE}' .. ARGV[i], 60)
  redis.call('publish', '{GAMES}' .. ARGV[i], '{{"p":"' .. ARGV[1] .. '","here":' .. ARGV[i + 1] .. '}}')
end
"""
TELL_SEEN = f"""
for i = 2, #ARGV, 2 do
  redis.call('hset', '{SEEN}' .. ARGV[i], ARGV[i + 1], ARGV[1])
  redis.call('expire', '{SEEN}' .. ARGV[i], 604800)
end
"""
MOST_SEATS = 500  # told in one command: Redis does nothing else meanwhile

OnRow = Callable[[str, Row], Awaitable[None]]
OnNote = Callable[[dict[str, Any]], Awaitable[None]]


class RedisBus:
    """The bus of one process (`server.tables.ports.Bus` and `PresenceStore`)."""

    def __init__(self, url: str, process: str, now: Callable[[], int]) -> None:
        self._redis = redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=2, protocol=3)
        self._process = process
        self._now = now
        self._out: list[str | bytes] = []
        self._sent: asyncio.Future[None] | None = None
        self._flushing: asyncio.Task[None] | None = None
        self._away_until = 0.0
        self._wanted: set[str] = set()
        self._changes: dict[str, bool] = {}
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[Any]] = []
        self._heard_at = 0.0
        self._others_at = 0.0
        self.on_row: OnRow | None = None
        self.on_presence: Callable[[str], Awaitable[None]] | None = None
        self.on_note: OnNote | None = None
        self.on_reconnect: Callable[[], Awaitable[None]] | None = None

    @property
    def client(self) -> redis.Redis:
        """The Redis client, for caches."""
        return self._redis

    @property
    def deaf_for(self) -> float:
        """Seconds since anything was heard; the bus says something to itself every two."""
        return time.monotonic() - self._heard_at

    @property
    def alone(self) -> bool:
        """Whether no other process is there: the bus works, and nobody else was heard for a while."""
        now = time.monotonic()
        return now - self._others_at > ALONE_AFTER and now - self._heard_at < ALONE_AFTER / 2

    def start(self) -> None:
        """Starts listening."""
        self._heard_at = self._others_at = time.monotonic()
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._beat())]

    async def stop(self) -> None:
        """Sends what is left, stops listening and closes."""
        if self._flushing is not None:
            await asyncio.gather(self._flushing, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(Exception):
            await self._redis.aclose()

    # --- telling

    async def publish(self, game_id: str, row: Row) -> None:
        """Tells the other processes of a row; returns when it is sent, at once while Redis or all others are away."""
        if self.alone:
            return
        message = {
            "p": self._process, "q": row.seq, "v": row.version, "e": row.entry, "t": row.at, "w": row.player,
            "k": row.key, "h": row.print.hex() if row.print is not None else None,
        }  # fmt: skip
        sent = self._queue(GAMES + game_id, orjson.dumps(message))
        if sent is not None:
            await asyncio.shield(sent)

    def note(self, **data: Any) -> None:
        """Tells every other process something small; never waits."""
        if self.alone and "beat" not in data:
            return
        self._queue(EVERYONE, orjson.dumps({"p": self._process, **data}))

    def _queue(self, channel: str, data: bytes) -> asyncio.Future[None] | None:
        if time.monotonic() < self._away_until:
            return None
        self._out += (channel, data)
        if self._sent is None:
            self._sent = asyncio.get_running_loop().create_future()
            self._flushing = asyncio.create_task(self._flush(self._sent))
        return self._sent

    async def _flush(self, sent: asyncio.Future[None]) -> None:
        await asyncio.sleep(0)
        out, self._out, self._sent = self._out, [], None
        try:
            async with asyncio.timeout(PATIENCE):
                await self._redis.execute_command("EVAL", PUBLISH_ALL, 0, *out)  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001 - the bus may lose anything
            log.warning("redis_away", error=type(error).__name__)
            self._away_until = time.monotonic() + AWAY_FOR
        finally:
            if not sent.done():
                sent.set_result(None)

    async def _beat(self) -> None:
        while True:
            self.note(beat=True)
            await asyncio.sleep(2)

    # --- hearing

    def subscribe(self, game_id: str) -> None:
        """Wants a game's rows."""
        self._wanted.add(game_id)
        self._changes[game_id] = True
        self._changed.set()

    def unsubscribe(self, game_id: str) -> None:
        """Wants them no more."""
        self._wanted.discard(game_id)
        self._changes[game_id] = False
        self._changed.set()

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except asyncio.CancelledError:
                raise
            except Exception as error:  # noqa: BLE001 - the bus may lose anything
                log.warning("bus_lost", error=type(error).__name__)
                await asyncio.sleep(0.5)

    async def _listen_once(self) -> None:
        async with self._redis.pubsub(ignore_subscribe_messages=True) as pubsub:
            self._changes.clear()
            await pubsub.subscribe(EVERYONE, *(GAMES + game_id for game_id in self._wanted))
            changes = asyncio.create_task(self._follow_changes(pubsub))
            try:
                if self.on_reconnect is not None:
                    await self.on_reconnect()
                while True:
                    message = await pubsub.get_message(timeout=6)
                    if message is None:
                        if self.deaf_for > 6:
                            raise ConnectionError("nothing heard")
                        continue
                    self._heard_at = time.monotonic()
                    await self._hear(message["channel"].decode(), message["data"])
            finally:
                changes.cancel()
                await asyncio.gather(changes, return_exceptions=True)

    async def _follow_changes(self, pubsub: Any) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            changes, self._changes = self._changes, {}
            wanted = [GAMES + game_id for game_id, want in changes.items() if want]
            unwanted = [GAMES + game_id for game_id, want in changes.items() if not want]
            if wanted:
                await pubsub.subscribe(*wanted)
            if unwanted:
                await pubsub.unsubscribe(*unwanted)

    async def _hear(self, channel: str, data: bytes) -> None:
        try:
            message = orjson.loads(data)
            if message.get("p") == self._process:
                return
            self._others_at = time.monotonic()
            if channel == EVERYONE:
                if self.on_note is not None and "beat" not in message:
                    await self.on_note(message)
            elif "here" in message:
                if self.on_presence is not None:
                    await self.on_presence(channel[len(GAMES) :])
            elif self.on_row is not None:
                key = message["h"]
                row = Row(
                    message["q"], message["v"], message["e"], message["t"], message["w"], message["k"],
                    None if key is None else bytes.fromhex(key),
                )  # fmt: skip
                await self.on_row(channel[len(GAMES) :], row)
        except Exception:
            log.exception("bus_message_fault", channel=channel)

    # --- presence

    async def tell_here(self, here: Iterable[tuple[str, int]]) -> None:
        """These (game, seat) have a stream in this process."""
        await self._tell_seats(TELL_HERE, (self._process, self._now() + HERE_FOR), list(here))

    async def tell_gone(self, game_id: str, seat: int) -> None:
        """This one has none any more."""

        def fill(pipeline: Any) -> None:
            pipeline.hdel(HERE + game_id, f"{seat}:{self._process}")
            pipeline.publish(GAMES + game_id, orjson.dumps({"p": self._process, "here": seat}))

        await self._quietly(fill)

    async def who(self, game_ids: Iterable[str]) -> dict[str, set[int]]:
        """Seats that have a stream in any process, by game."""
        asked = list(game_ids)

        def fill(pipeline: Any) -> None:
            for game_id in asked:
                pipeline.hgetall(HERE + game_id)

        found = await self._quietly(fill)
        now = self._now()
        return {
            game_id: {int(field.split(b":")[0]) for field, until in fields.items() if float(until) > now}
            for game_id, fields in zip(asked, found or [], strict=False)
        }

    # --- votes about someone who is away

    async def vote(self, game_id: str, version: int, about: int, voter: int, choice: str) -> dict[int, str]:
        """Counts a vote; all votes now, by seat."""
        key = f"rummy500:votes:{game_id}:{version}:{about}"
        async with asyncio.timeout(PATIENCE):
            pipeline = self._redis.pipeline(transaction=True)
            pipeline.hset(key, str(voter), choice)
            pipeline.expire(key, 86400)
            pipeline.hgetall(key)
            found = (await pipeline.execute())[2]
        return {int(seat): said.decode() for seat, said in found.items()}

    async def tell_seen(self, seen: Iterable[tuple[str, int]]) -> None:
        """The players of these (game, seat) were there at this moment."""
        await self._tell_seats(TELL_SEEN, (self._now(),), list(seen))

    async def _tell_seats(self, script: str, said: tuple[str | int, ...], seats: list[tuple[str, int]]) -> None:
        def fill(pipeline: Any) -> None:
            for first in range(0, len(seats), MOST_SEATS):
                told = [part for seat in seats[first : first + MOST_SEATS] for part in seat]
                pipeline.execute_command("EVAL", script, 0, *said, *told)

        await self._quietly(fill)

    async def last_seen(self, game_id: str) -> dict[int, int]:
        """When each seat's player was there last, as far as is known."""
        found = await self._quietly(lambda pipeline: pipeline.hgetall(SEEN + game_id))
        return {int(seat): int(at) for seat, at in found[0].items()} if found else {}

    async def _quietly(self, fill: Callable[[Any], None]) -> list[Any] | None:
        if time.monotonic() < self._away_until:
            return None
        try:
            async with asyncio.timeout(PATIENCE):
                pipeline = self._redis.pipeline(transaction=False)
                fill(pipeline)
                return list(await pipeline.execute())
        except Exception as error:  # noqa: BLE001 - the bus may lose anything
            log.warning("redis_away", error=type(error).__name__)
            self._away_until = time.monotonic() + AWAY_FOR
            return None
