"""Presence as one process sees it, with what it hears of others."""

from collections.abc import Iterable

import pytest

from server.tables import Tables, presence
from server.tables.table import Table
from tests.tables.log_of_a_game import ME, OPEN, Played, a_setup
from tests.tables.test_memory import tables_over


class Others:
    """What Redis says of the streams at other processes."""

    def __init__(self) -> None:
        self.there: set[int] = set()

    async def tell_here(self, here: Iterable[tuple[str, int]]) -> None:
        """Nobody listens."""

    async def tell_gone(self, game_id: str, seat: int) -> None:
        """Nobody listens."""

    async def tell_seen(self, seen: Iterable[tuple[str, int]]) -> None:
        """Nobody listens."""

    async def who(self, game_ids: Iterable[str]) -> dict[str, set[int]]:
        """The seats."""
        return {game_id: set(self.there) for game_id in game_ids}

    async def last_seen(self, game_id: str) -> dict[int, int]:
        """Unknown."""
        return {}


class Onlooker:
    """A stream that notes what it is told."""

    views = False

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.seats: list[int] = []

    def push(self, data: bytes) -> None:
        """Takes a frame."""

    def seated(self, seat: int) -> None:
        """Its player sits."""
        self.seats.append(seat)

    def dismiss(self, code: int) -> None:
        """Ends."""


async def watched() -> tuple[Tables, Table, Others, Played]:
    """A table that somebody follows here."""
    game = Played(a_setup(ME, OPEN))
    game.sit(1, "bob")
    tables, _ = tables_over(game)
    others = Others()
    tables.presence.store = others
    table = await tables.find("g")
    assert table is not None
    tables.watch(table, Onlooker(None))
    return tables, table, others, game


async def test_a_stream_lost_at_another_process_has_its_grace_here_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short loss there is no absence here; a long one is."""
    tables, table, others, _ = await watched()
    now = 1000.0
    monkeypatch.setattr("server.tables.presence.time.monotonic", lambda: now)
    others.there = {1}
    await tables.presence.heard("g")
    assert tables.presence.online("g", 1)
    others.there = set()
    await tables.presence.heard("g")
    now += presence.GRACE - 1
    assert tables.presence.online("g", 1)
    now += 2
    assert not tables.presence.online("g", 1)
    assert tables.presence.away(table) == {0, 1}


async def test_who_moves_at_another_process_is_there() -> None:
    """A move that is heard of shows its player as present, not a move of the clock's."""
    tables, table, _, game = await watched()
    seat = game.live.waiting[0]
    game.move({"type": "draw", "from": "stock"})
    await tables.heard("g", game.rows[-1])
    assert tables.presence.online("g", seat)
    game.clock()
    await tables.heard("g", game.rows[-1])
    assert not tables.presence.online("g", 1 - seat)
    assert table.version == game.live.version


async def test_a_spectator_who_takes_a_seat_is_told_so() -> None:
    """The open stream becomes a player's stream."""
    game = Played(a_setup(ME, OPEN, OPEN))
    tables, store = tables_over(game)
    table = await tables.find("g")
    assert table is not None
    bob = Onlooker("bob")
    tables.watch(table, bob)
    game.sit(2, "bob")
    store.rows = game.rows
    await tables.heard("g", game.rows[-1])
    assert bob.seats == [2]
