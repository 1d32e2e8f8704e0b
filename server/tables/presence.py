"""Who is there, by table and seat: several sockets, several processes, and short losses that nobody need notice.

A seat is there while a stream of its player is open anywhere, ten seconds beyond that, or a while after its player
last did something over HTTP. What other processes know comes through Redis; all of it can be lost and is told again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import orjson

if TYPE_CHECKING:
    from server.tables.service import Tables
    from server.tables.table import Table

GRACE = 10.0
AFTER_A_CALL = 60.0
SAY_AFTER = 0.1


class PresenceStore(Protocol):
    """Presence as all processes share it; every call may quietly do nothing while Redis is away."""

    async def tell_here(self, here: Iterable[tuple[str, int]]) -> None:
        """These (game, seat) have a stream in this process."""

    async def tell_gone(self, game_id: str, seat: int) -> None:
        """This one has no more."""

    async def who(self, game_ids: Iterable[str]) -> dict[str, set[int]]:
        """Seats that have a stream in any process, by game."""

    async def tell_seen(self, seen: Iterable[tuple[str, int]]) -> None:
        """The players of these (game, seat) were there at this moment."""

    async def last_seen(self, game_id: str) -> dict[int, int]:
        """When each seat's player was there last (ms by the database's clock), as far as is known."""


class Presence:
    """Presence as this process sees it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.store: PresenceStore | None = None
        self._streams: dict[tuple[str, int], int] = {}
        self._elsewhere: dict[str, set[int]] = {}
        self._seen: dict[tuple[str, int], float] = {}
        self._told: dict[tuple[str, int], bool] = {}
        self._last: dict[str, dict[int, int]] = {}
        self._unsaid: set[tuple[str, int]] = set()

    def entered(self, table: Table, seats: Iterable[int]) -> None:
        """A stream of these seats was opened."""
        game_id = table.setup.game_id
        first = []
        for seat in seats:
            key = (game_id, seat)
            self._streams[key] = self._streams.get(key, 0) + 1
            if self._streams[key] == 1:
                first.append(key)
            self._update(table, seat)
        if first and self.store is not None:
            self._tables.run(self.store.tell_here(first))

    def left(self, table: Table, seats: Iterable[int]) -> None:
        """A stream of these seats was closed."""
        game_id = table.setup.game_id
        for seat in seats:
            key = (game_id, seat)
            count = self._streams.get(key, 0) - 1
            if count > 0:
                self._streams[key] = count
                continue
            self._streams.pop(key, None)
            self._seen[key] = time.monotonic() - AFTER_A_CALL + GRACE
            if self.store is not None:
                self._tables.run(self.store.tell_gone(game_id, seat))
                self._say_seen(key)

    def acted(self, table: Table, seat: int) -> None:
        """The seat's player did something."""
        key = (table.setup.game_id, seat)
        before, now = self._seen.get(key, 0.0), time.monotonic()
        self._seen[key] = now
        self._update(table, seat)
        if now - before > AFTER_A_CALL / 2 and table.setup.clock is None:
            self._say_seen(key)

    def moved_elsewhere(self, table: Table, seat: int, ago: int) -> None:
        """The seat's player made a move at another process, so many milliseconds ago."""
        key = (table.setup.game_id, seat)
        self._seen[key] = max(self._seen.get(key, 0.0), time.monotonic() - max(0, ago) / 1000)
        self._update(table, seat)

    def _say_seen(self, key: tuple[str, int]) -> None:
        """Tells all processes that a seat's player was there, a few seats together."""
        if self.store is not None:
            self._unsaid.add(key)
            if len(self._unsaid) == 1:
                self._tables.run(self._say_all_seen(self.store))

    async def _say_all_seen(self, store: PresenceStore) -> None:
        await asyncio.sleep(SAY_AFTER)
        unsaid, self._unsaid = self._unsaid, set()
        await store.tell_seen(unsaid)

    def looked(self, table: Table, mask: int) -> None:
        """A player asked about the table over HTTP."""
        if table.live.status != "finished":
            for seat in range(len(table.live.seats)):
                if mask >> seat & 1:
                    self.acted(table, seat)

    def online(self, game_id: str, seat: int) -> bool:
        """Whether a seat's player is there."""
        key = (game_id, seat)
        if key in self._streams or seat in self._elsewhere.get(game_id, ()):
            return True
        seen = self._seen.get(key)
        return seen is not None and time.monotonic() - seen < AFTER_A_CALL

    def away(self, table: Table) -> frozenset[int]:
        """Seats of people who are not there."""
        game_id = table.setup.game_id
        return frozenset(
            number
            for number, seat in enumerate(table.live.seats)
            if seat.kind == "person" and not seat.gone and not self.online(game_id, number)
        )

    async def look(self, table: Table) -> None:
        """Learns what other processes know of a table."""
        game_id = table.setup.game_id
        if self.store is not None:
            self._elsewhere[game_id] = (await self.store.who([game_id])).get(game_id, set())
            self._last[game_id] = await self.store.last_seen(game_id)

    def last_seen(self, table: Table, seat: int) -> int:
        """When a seat's player was there last (ms by the database's clock), 0 where nobody knows."""
        return self._last.get(table.setup.game_id, {}).get(seat, 0)

    def frames(self, table: Table) -> list[bytes]:
        """What a new viewer is told: who is there."""
        away = self.away(table)
        return [
            _frame(number, online=number not in away)
            for number, seat in enumerate(table.live.seats)
            if seat.kind == "person" and not seat.gone
        ]

    def _update(self, table: Table, seat: int) -> None:
        key = (table.setup.game_id, seat)
        online = self.online(*key)
        if self._told.get(key) == online:
            return
        self._told[key] = online
        if table.viewers:
            data = _frame(seat, online=online)
            for viewer in list(table.viewers):
                viewer.push(data)

    async def heard(self, game_id: str) -> None:
        """Another process says that presence at a table has changed."""
        await self._look([game_id])

    async def sync(self) -> None:
        """Says again who is here, learns who is elsewhere, and forgets who has been away for long."""
        now = time.monotonic()
        self._seen = {key: seen for key, seen in self._seen.items() if now - seen < AFTER_A_CALL}
        watched = [table.setup.game_id for table in self._tables.watched_tables()]
        if self.store is not None and self._streams:
            here = list(self._streams)
            await self.store.tell_here(here)
            for game_id, seat in here:
                if (game_id, seat) not in self._streams:  # it left while this was said
                    await self.store.tell_gone(game_id, seat)
        await self._look(watched)
        kept = set(watched)
        self._elsewhere = {game_id: seats for game_id, seats in self._elsewhere.items() if game_id in kept}
        self._told = {key: told for key, told in self._told.items() if key[0] in kept}
        self._last.clear()

    async def _look(self, game_ids: list[str]) -> None:
        if self.store is not None and game_ids:
            found = await self.store.who(game_ids)
            grace = time.monotonic() - AFTER_A_CALL + GRACE
            for game_id in game_ids:
                here = found.get(game_id, set())
                for seat in self._elsewhere.get(game_id, set()) - here:  # a stream elsewhere was lost: a blip, perhaps
                    self._seen[game_id, seat] = max(self._seen.get((game_id, seat), 0.0), grace)
                self._elsewhere[game_id] = here
        for game_id in game_ids:
            table = self._tables.at_hand(game_id)
            if table is not None and table.watched:
                for number, place in enumerate(table.live.seats):
                    if place.kind == "person" and not place.gone:
                        self._update(table, number)


def _frame(seat: int, *, online: bool) -> bytes:
    return orjson.dumps({"type": "presence", "seat": seat, "online": online})
