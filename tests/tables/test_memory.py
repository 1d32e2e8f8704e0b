"""What a table keeps in memory, and what is replayed from the log: the same to whoever asks."""

import asyncio
import gc
import random
import statistics
import sys
from types import ModuleType
from typing import Any

import orjson
import pytest

from server.tables import Setup, Table, Tables, render
from server.tables.live import advance
from server.tables.ports import Append, Row, Stored
from server.tables.table import KEPT_EVENTS, KEPT_KEYS, PACKED_EVENTS, PAST_EVENTS
from tests.tables.log_of_a_game import CPU, ME, Played, a_setup
from tests.tables.test_advance import MIXES, at_random


class LogStore:
    """A store that has one game's log, and counts how often it is read."""

    def __init__(self, setup: Setup, rows: list[Row]) -> None:
        self.setup, self.rows, self.read = setup, rows, 0

    async def load(self, game_id: str) -> Stored:
        """The game."""
        return Stored(self.setup, list(self.rows))

    async def rows_after(self, game_id: str, seq: int) -> list[Row]:
        """Rows from `seq` on."""
        self.read += 1
        return [row for row in self.rows if row.seq >= seq]

    async def append(self, append: Append) -> bool:
        """Never."""
        raise AssertionError("nothing is committed here")


class Nothing:
    """A bus, players and CPU players that do nothing."""

    async def publish(self, game_id: str, row: Row) -> None:
        """Tells nobody."""

    def subscribe(self, game_id: str) -> None:
        """Hears nothing."""

    def unsubscribe(self, game_id: str) -> None:
        """Hears nothing."""

    async def wire(self, ids: Any) -> dict[str, dict[str, Any]]:
        """Knows nobody."""
        return {}


class Watcher:
    """A stream that keeps the frames it is told, and is told nothing else."""

    views = False

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.told: list[dict[str, Any]] = []

    def push(self, data: bytes) -> None:
        """Takes a frame."""
        self.told.append(orjson.loads(data))

    def seated(self, seat: int) -> None:
        """Never."""
        raise AssertionError(seat)

    def dismiss(self, code: int) -> None:
        """Never."""
        raise AssertionError(code)


def tables_over(game: Played) -> tuple[Tables, LogStore]:
    """The service over a game's log."""
    store, nothing = LogStore(game.setup, game.rows), Nothing()
    tables = Tables(store, nothing, nothing, nothing)  # type: ignore[arg-type]
    tables.draining = True  # nobody plays here
    return tables, store


def long_game() -> Played:
    """A game of many rounds and far more events than are kept."""
    game = at_random(a_setup(ME, ME, options={"target": 10_000, "max_rounds": 200}), 1, moves=1400)
    assert game.live.version > 3 * KEPT_EVENTS
    return game


async def test_events_after_any_version_are_the_same_from_memory_and_from_the_log() -> None:
    """`after=N` for N in memory, on its edge, far behind it, in the middle of a commit, and at the end."""
    game = long_game()
    tables, store = tables_over(game)
    table = await tables.find("g")
    assert table is not None
    kept_from, known_from = table.kept_from, table.known_from
    assert 0 < known_from < kept_from < table.version
    chance = random.Random(1)
    asked = [
        0,
        1,
        2,
        known_from - 1,
        known_from,
        known_from + 1,
        table.past[1].first,
        kept_from - 1,
        kept_from,
        kept_from + 1,
        table.version - 1,
        table.version,
    ]
    asked += [chance.randrange(table.version) for _ in range(6)]
    for after in asked:
        for mask in chance.sample((0, 1, 2, 3), 2):
            got = orjson.loads(await tables.events_after(table, after, mask))
            wanted = [render.event_dict(logged, mask, {}) for logged in game.events if logged.seq > after]
            assert got == orjson.loads(orjson.dumps(wanted)), after
    before = store.read
    for after in (known_from, kept_from):
        await tables.events_after(table, after, 0)
    assert store.read == before, "what is in memory is not read again"


async def test_what_is_replayed_begins_at_the_round_asked_for() -> None:
    """Old events are replayed from the beginning of a round, not from the first card of the game."""
    game = long_game()
    tables, store = tables_over(game)
    table = await tables.find("g")
    assert table is not None
    asked: list[int] = []

    async def rows_after(game_id: str, seq: int) -> list[Row]:
        asked.append(seq)
        return [row for row in store.rows if row.seq >= seq]

    store.rows_after = rows_after  # type: ignore[method-assign]
    after = table.known_from - 5
    await tables.events_after(table, after, 0)
    assert asked == [max(version for version, _ in table.marks if version <= after)]
    assert asked[0] > 0


async def test_memory_is_bounded_whatever_the_length_of_the_game() -> None:
    """Events kept, keys kept: the same after thousands of moves as after hundreds."""
    game = long_game()
    rows = [
        Row(row.seq, row.version, row.entry, row.at, "ann", f"key{number}", b"x")
        for number, row in enumerate(game.rows)
    ]
    table = Table.from_stored(Stored(game.setup, rows))
    kept = sum(len(commit.events) for commit in table.commits)
    assert KEPT_EVENTS <= kept <= KEPT_EVENTS + PACKED_EVENTS + 8
    packed = [one.version - one.first + 1 for one in table.past]
    assert PAST_EVENTS <= kept + sum(packed) <= PAST_EVENTS + 2 * PACKED_EVENTS + 8
    assert sum(len(one.data) for one in table.past) < 25_000
    assert len(table.keys) == KEPT_KEYS
    assert ("ann", f"key{len(rows) - 1}") in table.keys


def size_of(table: Table) -> int:
    """Bytes of everything that a table holds and that is not of its setup, nor a class or a module."""
    seen = {id(table.setup), id(table.setup.ruleset())}
    todo: list[Any] = [table]
    size = 0
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type | ModuleType):
            continue
        seen.add(id(one))
        size += sys.getsizeof(one)
        todo += gc.get_referents(one)
    return size


def test_a_table_holds_no_more_after_two_thousand_moves_than_after_some_hundred() -> None:
    """The whole of it, in bytes: flat once all that is kept of a long game is there."""
    setup = a_setup(ME, ME, preset="pagat", options={"target": 10_000, "max_rounds": 1000})
    game = at_random(setup, 1, moves=2000)
    table, sizes = Table(setup), list[int]()
    for number, row in enumerate(game.rows):
        table.accept(row, *advance(setup, table.live, row.entry, row.at))
        if number >= 800 and number % 40 == 0:
            sizes.append(size_of(table))
    third = len(sizes) // 3
    assert max(sizes) < 80_000
    assert statistics.mean(sizes[-third:]) < 1.15 * statistics.mean(sizes[:third])


@pytest.mark.parametrize("seed", range(4))
async def test_a_round_is_fetched_for_who_advises_or_stands_in(seed: int) -> None:
    """People alone keep the latest events only; the rest of the round is there again when it is asked for."""
    setup = a_setup(ME, ME, preset="pagat")
    game = at_random(setup, seed, moves=45)
    tables, store = tables_over(game)
    table = await tables.find("g")
    assert table is not None
    start = game.live.round_seq
    assert 0 < start <= table.kept_from, "a round that is longer than what is kept"
    await tables.keep_round(table)
    assert [event["seq"] for event in table.round_events(2)] == list(range(start, game.live.version + 1))
    wanted = Table(setup, whole_rounds=True)
    for row in game.rows:
        wanted.accept(row, *advance(setup, wanted.live, row.entry, row.at))
    assert table.round_events(2) == wanted.round_events(2)
    assert store.read == 0, "it was packed"
    table.commits, table.past = table.commits[-5:], []
    await tables.keep_round(table)
    assert table.round_events(2) == wanted.round_events(2)
    assert store.read == 1
    await tables.keep_round(table)
    assert store.read == 1, "what is in memory is not read again"


def test_the_whole_round_is_kept_for_cpu_players() -> None:
    """A CPU player is told every event of the round, however long the round."""
    setup = a_setup(ME, ME, CPU, preset="pagat")
    for seed in range(5):
        game = at_random(setup, seed, moves=300)
        table = Table.from_stored(Stored(setup, game.rows))
        start = game.live.round_seq
        told = table.round_events(1)
        assert [event["seq"] for event in told] == list(range(start, game.live.version + 1))
        assert told[0]["type"] == "round_started"
        assert all("at" not in event and event.get("deadline") is None for event in told)


@pytest.mark.parametrize("number", range(len(MIXES)))
async def test_a_table_built_from_the_store_is_the_live_one(number: int) -> None:
    """Version, state, events and views of a table that was loaded equal those of one that heard every row."""
    game = at_random(MIXES[number], 11, moves=300)
    heard = Table(game.setup)
    for row in game.rows:
        heard.accept(row, *advance(game.setup, heard.live, row.entry, row.at))
    loaded = Table.from_stored(Stored(game.setup, game.rows))
    assert loaded.live == heard.live == game.live
    for mask in (0, 1):
        assert loaded.view_bytes(mask, frozenset(), 0) == heard.view_bytes(mask, frozenset(), 0)


async def test_a_row_heard_out_of_order_or_twice_changes_nothing() -> None:
    """The bus may lose, repeat and reorder: the store's order alone counts, every version is told once."""
    game = at_random(MIXES[0], 4, moves=120)
    tables, store = tables_over(game)
    all_rows = game.rows
    store.rows = all_rows[:3]
    table = await tables.find("g")
    assert table is not None
    ann = Watcher("ann")
    tables.watch(table, ann)
    store.rows = all_rows
    chance = random.Random(5)
    order = [*range(3, len(all_rows)), *range(3, len(all_rows), 3)]
    chance.shuffle(order)
    for number in order:
        await tables.heard("g", all_rows[number])
    assert table.live == game.live
    seen = [event["seq"] for frame in ann.told if frame["type"] == "events" for event in frame["events"]]
    assert seen == list(range(all_rows[3].seq + 1, game.live.version + 1))


async def test_a_long_poll_that_ends_leaves_nothing_behind() -> None:
    """Polls of a quiet game that time out keep neither the table nor its subscription."""
    game = Played(a_setup(ME, ME))
    tables, _ = tables_over(game)
    tables.draining = False
    table = await tables.find("g")
    assert table is not None
    for _ in range(3):
        await tables.wait_for_change(table, table.version, 0.02)
    assert not table.watched


async def test_a_table_under_way_does_not_hold_up_what_is_heard_of_others() -> None:
    """While a commit of one game waits for the store, rows of that game that are heard wait, and nothing else does."""
    game = at_random(MIXES[0], 4, moves=20)
    tables, store = tables_over(game)
    rows = game.rows
    store.rows = rows[:3]
    table = await tables.find("g")
    assert table is not None
    async with table.lock:
        async with asyncio.timeout(1):
            await tables.heard("g", rows[3])
            await tables.heard("other", rows[3])
        assert table.version == rows[2].version
    for _ in range(10):
        await asyncio.sleep(0)
    assert table.version == rows[3].version


async def test_a_table_that_was_loaded_again_is_followed_once() -> None:
    """Whoever still has the table object that was dropped meanwhile follows the one that everybody else has."""
    game = at_random(MIXES[0], 4, moves=20)
    tables, store = tables_over(game)
    rows = game.rows
    store.rows = rows[:3]
    old = await tables.find("g")
    assert old is not None
    del tables._tables["g"]
    new = await tables.find("g")
    assert new is not None and new is not old
    onlooker = Watcher(None)
    assert tables.watch(old, onlooker) is new
    await tables.heard("g", rows[3])
    assert tables.at_hand("g") is new
    assert len(onlooker.told) == 1
