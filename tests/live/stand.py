"""Two server processes on one Postgres and one Redis, each behind a relay that can be broken on purpose."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import redis.asyncio as redis

from tests.live.relay import Relay
from tests.support.client import Api, Json, Player
from tests.support.servers import ServerProcess, make_server
from tests.support.storage import _plain

DRAW = {"type": "draw", "from": "stock"}


def _through(url: str, relay: Relay) -> str:
    """The address with the relay's port."""
    parts = urlsplit(url)
    login, mark, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{login}{mark}127.0.0.1:{relay.port}"))


@dataclass
class Stand:
    """The processes, a client of each, and what can be broken."""

    servers: list[ServerProcess]
    apis: list[Api]
    postgres: Relay
    redis: Relay
    database_url: str
    redis_url: str
    chance: random.Random = field(default_factory=lambda: random.Random(1))

    @property
    def here(self) -> Api:
        """A client of the first process."""
        return self.apis[0]

    @property
    def there(self) -> Api:
        """A client of the second."""
        return self.apis[1]

    async def guests(self, count: int) -> list[Player]:
        """New guests, made at the first process."""
        return [await self.here.guest(f"Player {number}") for number in range(count)]

    async def table(self, players: list[Player], **more: Any) -> Json:
        """A public game of these people, begun: the VIEW of the first."""
        seats = [{"kind": "me"}] + [{"kind": "open"}] * (len(players) - 1)
        made = await players[0].make(**{"seats": seats, "visibility": "public"} | more)
        for player in players[1:]:
            taken = await player.post(f"/v1/games/{made['id']}/seats", {})
            assert taken.status == 200, taken.body
        return await players[0].view(made["id"])

    async def own_table(self, player: Player, **more: Any) -> Json:
        """A game that one client plays alone."""
        return await player.make(**{"seats": [{"kind": "me"}, {"kind": "me"}]} | more)

    async def sql(self, statement: str) -> list[Any]:
        """A query past the relay."""
        connection = await asyncpg.connect(_plain(self.database_url))
        try:
            return list(await connection.fetch(statement))
        finally:
            await connection.close()

    @contextlib.asynccontextmanager
    async def locked(self, game: str) -> AsyncIterator[None]:
        """Meanwhile nothing can be committed in a game."""
        connection = await asyncpg.connect(_plain(self.database_url))
        try:
            async with connection.transaction():
                await connection.execute("SELECT FROM games WHERE id = $1 FOR UPDATE", game)
                yield
        finally:
            await connection.close()

    async def redis_command(self, *words: str) -> Any:
        """A command to Redis past the relay."""
        async with redis.Redis.from_url(self.redis_url) as client:
            return await client.execute_command(*words)  # type: ignore[no-untyped-call]

    async def restart(self, number: int) -> None:
        """Starts a process again that was killed or stopped; on the same port."""
        await asyncio.to_thread(self.servers[number].restart)

    async def stop(self, number: int) -> None:
        """Asks a process to end, and waits."""
        await asyncio.to_thread(self.servers[number].stop)

    def faults(self) -> list[str]:
        """Lines of the logs that tell of a fault of the server itself."""
        words = (
            '"fault"',
            '"stream_fault"',
            '"background_fault"',
            '"due_fault"',
            '"credit_fault"',
            '"bus_message_fault"',
        )
        return [line for server in self.servers for line in server.output.splitlines() if any(w in line for w in words)]


@contextlib.asynccontextmanager
async def a_stand(folder: Path, database_url: str, redis_url: str, **variables: str) -> AsyncIterator[Stand]:
    """Two processes, running; everything ended afterwards."""
    relays = [Relay(urlsplit(url).port or 0) for url in (database_url, redis_url)]
    told = {
        "RUMMY500_DATABASE_URL": _through(database_url, relays[0]),
        "RUMMY500_REDIS_URL": _through(redis_url, relays[1]),
    } | variables
    servers = [make_server(folder / f"live-{number}.log", **told) for number in range(2)]
    apis: list[Api] = []
    try:
        for server in servers:
            await asyncio.to_thread(server.start)
            apis.append(Api(server.url))
        yield Stand(servers, apis, relays[0], relays[1], database_url, redis_url)
    finally:
        for relay in relays:
            relay.mend()
        for api in apis:
            await api.close()
        for server in servers:
            if hasattr(server, "process"):
                await asyncio.to_thread(server.stop)
        for relay in relays:
            relay.close()
