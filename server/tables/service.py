"""Live games: every command goes through here, and has exactly one answer.

A command is decided on the state that this process has, appended to the game's log (where game and version are
unique, so that of two processes one wins), and only then told to viewers, to the other processes, and to whoever
asked. A refusal is given only after a look at the store: what this process has may be behind.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import orjson
import structlog

from server import game as rules
from server.errors import Refused
from server.tables import access, render
from server.tables.clock import Clock
from server.tables.cpu_turns import CpuTurns
from server.tables.deciding import KeptRefusal, Key, Moved, decide, mismatch, repeat, seat_entry
from server.tables.due import due_at, is_late, missed_twice, patience
from server.tables.ending import finished_game
from server.tables.hub import LOBBY_KINDS, Hub
from server.tables.live import Applied, Entry, Live, Logged, advance
from server.tables.notices import notices_of
from server.tables.past import unpacked
from server.tables.ports import Append, Bus, CpuPlayers, GameStore, PlayersPort, Row
from server.tables.presence import Presence
from server.tables.setup import Setup
from server.tables.table import Table, Viewer

log = structlog.get_logger("tables")

CACHED = 4000
LEAST_CREDIT = 1000
LOCAL_TIMER = 120_000
SLICE = 64  # rows of a log that are played again in one go


class Tables:
    """All live games of one process."""

    def __init__(self, store: GameStore, bus: Bus, players: PlayersPort, cpu: CpuPlayers) -> None:
        self.store = store
        self.bus = bus
        self.players = players
        self.clock = Clock()
        self.presence = Presence(self)
        self.hub = Hub(store)
        self.cpu_turns = CpuTurns(self, cpu)
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.draining = False
        self.is_outage: Callable[[BaseException], bool] = lambda error: isinstance(error, OSError | TimeoutError)
        self.clocks_held_until = 0.0  # by time.monotonic(); till then the clock plays for nobody
        self.journal: Callable[..., None] = _unwritten

    # --- finding tables

    async def find(self, game_id: str) -> Table | None:
        """A table as this process has it, loaded where need be; None where there is no such game."""
        table = self._tables.get(game_id)
        if table is not None:
            self._tables.move_to_end(game_id)
            return table
        if not 1 <= len(game_id) <= 64 or not game_id.isascii() or not game_id.isprintable():
            return None
        task = self._loading.get(game_id)
        if task is None:
            task = asyncio.create_task(self._load(game_id))
            self._loading[game_id] = task
            task.add_done_callback(lambda _: self._loading.pop(game_id, None))
        return await asyncio.shield(task)

    async def _load(self, game_id: str) -> Table | None:
        stored = await self.store.load(game_id)
        if stored is None:
            return None
        table = Table(stored.setup)
        for number, row in enumerate(stored.rows):
            table.accept(row, *advance(stored.setup, table.live, row.entry, row.at))
            if number % SLICE == SLICE - 1:
                await asyncio.sleep(0)  # other tables go on meanwhile
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self._tables[table.setup.game_id] = table
        if len(self._tables) > CACHED:
            for game_id, old in self._tables.items():
                if not old.viewers and old.cpu_task is None and not old.lock.locked() and not old.watched:
                    del self._tables[game_id]
                    break

    def at_hand(self, game_id: str) -> Table | None:
        """A table that this process has already."""
        return self._tables.get(game_id)

    def watched_tables(self) -> list[Table]:
        """Tables that someone follows in this process."""
        return [table for table in self._tables.values() if table.watched]

    async def fresh(self, game_id: str) -> Table | None:
        """A table as the store has it at this moment."""
        known = game_id in self._tables or game_id in self._loading  # a load under way may have begun too early
        table = await self.find(game_id)
        if table is not None and known:
            await self.refresh(table)
        return table

    async def refresh(self, table: Table) -> bool:
        """Takes in what other processes have committed; whether there was anything."""
        async with table.lock:
            return await self.refresh_held(table)

    async def refresh_watched(self) -> None:
        """Takes in what the bus may have lost of the tables that someone follows."""
        for table in self.watched_tables():
            await self.refresh(table)

    async def refresh_held(self, table: Table) -> bool:
        """The same for whoever holds the table's lock."""
        rows = await self.store.rows_after(table.setup.game_id, table.version)
        for row in rows:
            await self._take_in(table, row)
        return bool(rows)

    async def heard(self, game_id: str, row: Row) -> None:
        """A row that another process has committed came over the bus."""
        table = self._tables.get(game_id)
        if table is None or row.version <= table.version:
            return
        if table.lock.locked():  # a commit is under way here; the rows of other games don't wait for it
            self.run(self._hear(table, row))
        else:
            await self._hear(table, row)

    async def _hear(self, table: Table, row: Row) -> None:
        async with table.lock:
            if row.seq == table.version:
                await self._take_in(table, row)
            elif row.seq > table.version:
                await self.refresh_held(table)

    async def _take_in(self, table: Table, row: Row) -> None:
        if row.seq != table.version:
            return
        live, events = advance(table.setup, table.live, row.entry, row.at)
        await self._tell(table, row, live, events)
        self._after(table, ours=False)
        if row.entry["k"] == "move" and row.entry["by"] == "player":
            self.presence.moved_elsewhere(table, row.entry["seat"], self.clock.now() - row.at)

    async def people_of(self, table: Table) -> None:
        """Looks the table's players up, for PLAYER objects."""
        ids = [seat.player for seat in table.live.seats if seat.player is not None]
        table.people.update(await self.players.wire(ids))

    # --- committing

    async def commit(
        self, table: Table, entry: Entry, *, key: Key | None = None, applied: Applied | None = None
    ) -> Moved | None:
        """Appends an entry that was found possible; None where another row came first. The lock is held."""
        before = table.live
        at = max(self.clock.now(), before.last_at)
        live, events = advance(table.setup, before, entry, at, applied)
        row = Row(
            before.version, live.version, entry, at, key.player if key else None, key.key if key else None,
            key.print if key else None,
        )  # fmt: skip
        append = self._append_of(table.setup, before, live, row)
        if not await self.store.append(append):
            return None
        await self._tell(table, row, live, events)
        self._after(table)
        self._announce(table.setup, append)
        await self.bus.publish(table.setup.game_id, row)
        self.journal(
            "command", game=table.setup.game_id, kind=entry["k"], seat=entry.get("seat"), by=entry.get("by"),
            move=entry["move"]["type"] if entry["k"] == "move" else None, version=row.version,
        )  # fmt: skip
        return Moved(row.seq, row.version)

    def _announce(self, setup: Setup, append: Append) -> None:
        """Wakes players' own streams and the lobby's, here and in the other processes."""
        if append.notices:
            self.wake([notice.player for notice in append.notices])
        if setup.visibility == "public" and (append.row.entry["k"] in LOBBY_KINDS or append.finished is not None):
            self.hub.game_changed(setup.game_id)
            self.bus.note(lobby=setup.game_id)

    def wake(self, players: list[str]) -> None:
        """Wakes players' own streams, in every process."""
        if players:
            self.hub.notify(players)
            self.bus.note(players=players)

    async def noted(self, note: dict[str, Any]) -> None:
        """Another process says that something changed."""
        if "players" in note:
            self.hub.notify(note["players"])
        for game_id in note.get("nudge", ()):  # another process stops: its CPU turns go on here
            self.run(self.act(game_id))
        if "lobby" in note:
            self.hub.game_changed(note["lobby"])

    def _append_of(self, setup: Setup, before: Live, live: Live, row: Row) -> Append:
        entry = row.entry
        sits = (entry["player"],) if entry["k"] == "seat" else ()
        leaves: tuple[str, ...] = ()
        if entry["k"] in ("free", "left"):
            leaves = tuple({player for number in entry["seats"] if (player := before.seats[number].player)})
        finished = None
        if live.status == "finished" and before.status != "finished":
            finished = finished_game(setup, live)
        return Append(
            setup.game_id, row, live.status, render.stored_summary(live), due_at(setup, live), sits, leaves,
            finished, notices_of(setup, before, live),
        )  # fmt: skip

    async def _tell(self, table: Table, row: Row, live: Live, events: tuple[Logged, ...]) -> None:
        """Moves the table on and tells everybody in this process."""
        if row.entry["k"] in ("seat", "make", "fill"):
            ids = [seat.player for seat in live.seats if seat.player is not None]
            table.people.update(await self.players.wire(ids))
        left = row.entry.get("seats", ()) if row.entry["k"] in ("left", "free") else ()
        leavers = {table.live.seats[number].player for number in left}
        commit = table.accept(row, live, events)
        if commit is not None:
            views: dict[int, bytes] = {}
            if masks := table.view_masks():
                away, now = self.presence.away(table), self.clock.day()
                views = {mask: table.view_bytes(mask, away, now) for mask in masks}
            table.deliver(commit, views)
            if commit.names:
                commit.forget()
        if row.entry["k"] == "seat":
            for viewer in [viewer for viewer in table.viewers if viewer.player == row.entry["player"]]:
                viewer.seated(row.entry["seat"])
        for viewer in [viewer for viewer in table.viewers if viewer.player in leavers and leavers]:
            viewer.dismiss(4403)

    def _after(self, table: Table, *, ours: bool = True) -> None:
        """Sees to what the server itself has to do next at this table.

        A CPU turn is played by the process whose commit led to it (`ours`); the others come in when it is overdue.
        """
        game_id = table.setup.game_id
        timer = self._timers.pop(game_id, None)
        if timer is not None:
            timer.cancel()
        live = table.live
        if self.draining or live.status == "finished":
            return
        if ours and live.status == "playing" and any(live.seats[number].is_cpu for number in live.waiting):
            self.cpu_turns.start(table)
        due = live.deadline if live.status == "playing" else table.setup.fill_at
        if due is not None and (wait := due - self.clock.now()) < LOCAL_TIMER:
            loop = asyncio.get_running_loop()
            pause = max(wait / 1000, self.clocks_held_until - time.monotonic(), 0.0)
            self._timers[game_id] = loop.call_later(pause + 0.01, self._timer, game_id)

    def _timer(self, game_id: str) -> None:
        self._timers.pop(game_id, None)
        if not self.draining:
            self.run(self.act(game_id))

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Runs a coroutine in the background; its faults are logged."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ran)
        return task

    def _ran(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        if self.is_outage(error):
            log.warning("part_away", error=type(error).__name__)  # what was to be done is found due again
        else:
            log.error("background_fault", exc_info=error)

    # --- what the server does by itself

    async def act(self, game_id: str) -> None:
        """Does what is due at a table by the clock: fills it, plays for a late seat, or lets a CPU player move."""
        table = await self.fresh(game_id)
        if table is None:
            return
        held = time.monotonic() < self.clocks_held_until
        async with table.lock:
            await self._act(table, held=held)
        self._after(table)

    async def _act(self, table: Table, *, held: bool) -> None:
        for _ in range(16):
            live, now = table.live, self.clock.now()
            if live.status == "waiting" and table.setup.fill_at is not None and now >= table.setup.fill_at:
                entry: Entry = {"k": "fill", "level": "normal"}
            elif live.status == "playing" and (late := missed_twice(live)) is not None:
                entry = {"k": "stand_in", "seat": late}
            elif live.status == "playing" and is_late(live, now) and not held:
                entry = self._clock_entry(live)
            elif live.status != "finished" and now >= live.last_at + patience(live) and live.deadline is None:
                entry = {"k": "close"}
            else:
                return
            if await self.commit(table, entry) is None:
                await self.refresh_held(table)

    async def credit(self, game_id: str, ms: int) -> None:
        """Moves a table's deadline on by the time that the service was away."""
        table = await self.fresh(game_id)
        if table is None:
            return
        async with table.lock:
            for _ in range(5):
                live = table.live
                lost = min(ms, self.clock.now() - live.last_at)  # the last commit may be later than the last heartbeat
                if live.status != "playing" or live.deadline is None or lost < LEAST_CREDIT:
                    return
                if await self.commit(table, {"k": "credit", "ms": lost}) is not None:
                    return
                await self.refresh_held(table)

    def _clock_entry(self, live: Live) -> Entry:
        assert live.state is not None
        seat = live.waiting[0]
        move = rules.clock_move(live.state, seat)
        return {"k": "move", "seat": seat, "move": rules.move_json(move), "by": "clock"}

    # --- moves

    async def move(self, table: Table, seat: int, raw: Any, if_version: int | None, key: Key | None) -> Moved:
        """A person's move. `raw` is the MOVE as it came."""
        async with table.lock:
            if key is not None and (known := table.keys.get((key.player, key.key))) is not None:
                return repeat(known[0], key, known[1], known[2])
            fresh = False
            for _ in range(50):
                try:
                    move, applied = decide(table.live, seat, raw, if_version)
                except Refused as refused:
                    if not fresh:
                        fresh = True
                        if await self.refresh_held(table):
                            continue
                    if key is not None:
                        return await self._refused(table, key, refused)
                    raise
                entry = {"k": "move", "seat": seat, "move": rules.move_json(move), "by": "player"}
                moved = await self.commit(table, entry, key=key, applied=applied)
                if moved is not None:
                    self.presence.acted(table, seat)
                    return moved
                if key is not None and (found := await self._kept(table, key)) is not None:
                    return found
                fresh = await self.refresh_held(table)
            raise Refused("unavailable", "The game is too busy; try again.", retry_after=1)

    async def _kept(self, table: Table, key: Key) -> Moved | None:
        """What a key was used for before; raises the kept refusal."""
        found = await self.store.find_key(table.setup.game_id, key.player, key.key)
        if found is None:
            return None
        if found.accepted is not None:
            if table.version < found.accepted[1]:
                await self.refresh_held(table)
            return repeat(found.print, key, *found.accepted)
        assert found.problem is not None
        if found.print != key.print:
            raise mismatch()
        raise KeptRefusal(*found.problem)

    async def refuse(self, table: Table, key: Key | None, refused: Refused) -> Moved:
        """Raises the refusal of a request that was no move, and keeps it for its key, whose first answer wins."""
        if key is None:
            raise refused
        async with table.lock:
            return await self._refused(table, key, refused)

    async def _refused(self, table: Table, key: Key, refused: Refused) -> Moved:
        found = await self._kept(table, key)
        if found is not None:
            return found
        body = orjson.dumps(refused.problem())
        await self.store.keep_refusal(table.setup.game_id, key.player, key.key, key.print, refused.status, body)
        raise refused

    # --- seats

    async def take_seat(
        self, table: Table, caller: str, seat: int | None, invite: str | None, client_seed: str
    ) -> None:
        """Takes an open seat, or takes one's own back from a stand-in."""
        async with table.lock:
            await self.refresh_held(table)
            for _ in range(50):
                entry = seat_entry(table.setup, table.live, caller, seat, invite, client_seed)
                if await self.commit(table, entry) is not None:
                    return
                await self.refresh_held(table)
        raise Refused("unavailable", "The game is too busy; try again.", retry_after=1)

    async def leave(self, table: Table, caller: str) -> None:
        """Leaves a game: frees the seat before the start, R7.4 after it."""
        async with table.lock:
            await self.refresh_held(table)
            for _ in range(50):
                live = table.live
                mask = live.seats_of(caller)
                if not mask:
                    access.may_know_of(table.setup, live, caller)
                    raise Refused("forbidden", "You have no seat in this game.")
                if live.status == "finished":
                    raise Refused("game_not_running", "The game is over.", version=live.version)
                seats = [number for number in range(len(live.seats)) if mask >> number & 1]
                entry: Entry = {"k": "left" if live.status == "playing" else "free", "seats": seats}
                if await self.commit(table, entry) is not None:
                    break
                await self.refresh_held(table)
            else:
                raise Refused("unavailable", "The game is too busy; try again.", retry_after=1)
            if table.live.status == "waiting" and not table.live.people():
                await self.commit(table, {"k": "close"})

    # --- making games

    async def create(self, setup: Setup, commitment: str | None) -> Table | None:
        """Makes a game; None where one of this id (or this rematch) is there already."""
        table = Table(setup)
        entry: Entry = {"k": "make"}
        at = setup.created_at
        live, events = advance(setup, table.live, entry, at)
        row = Row(0, live.version, entry, at)
        people = tuple(dict.fromkeys(seat.player for seat in live.seats if seat.player is not None))
        append = Append(
            setup.game_id, row, live.status, render.stored_summary(live), due_at(setup, live), people,
            notices=notices_of(setup, table.live, live),
        )  # fmt: skip
        if not await self.store.create(setup, append, commitment):
            return None
        self._keep(table)
        async with table.lock:
            await self._tell(table, row, live, events)
        self._after(table)
        self._announce(setup, append)  # the row itself is news to nobody: no other process has this game in memory
        return table

    # --- reading

    async def events_after(self, table: Table, after: int, mask: int) -> bytes:
        """The events after a version as a JSON array for a viewer; the oldest are replayed from the log."""
        if after >= table.kept_from:
            return render.joined(table.since(after), after, mask, table.people)
        slices = self._remembered(table, after) if after >= table.known_from else self._replayed(table, after)
        parts = [render.told(commits, after, mask, table.people) async for commits in slices]
        return b"[" + b",".join(part for part in parts if part) + b"]"

    async def _remembered(self, table: Table, after: int) -> AsyncIterator[list[render.Commit]]:
        """The commits with events after a version up to the present one, from memory; other tables go on meanwhile."""
        recent = list(table.commits)
        for one in [one for one in table.past if one.version > after]:
            yield unpacked(one)
            await asyncio.sleep(0)
        yield recent

    async def _replayed(self, table: Table, after: int, top: int | None = None) -> AsyncIterator[list[render.Commit]]:
        """The same, or up to version `top`, from the log."""
        if top is None:
            top = table.version
        start, live = next((version, mark) for version, mark in reversed(table.marks) if version <= after)
        rows = await self.store.rows_after(table.setup.game_id, start)
        for first in range(0, len(rows), SLICE):
            commits: list[render.Commit] = []
            for row in rows[first : first + SLICE]:
                if row.version > top:
                    break
                live, events = advance(table.setup, live, row.entry, row.at)
                if events and events[-1].seq > after:
                    commits.append(render.Commit(events))
            yield commits
            await asyncio.sleep(0)

    async def keep_round(self, table: Table) -> None:
        """Sees to it that all events of the present round are in memory, for whoever is to advise or to stand in."""
        for _ in range(5):
            start = table.live.round_seq
            if start:
                table.unpack(start)
            first = table.kept_from
            if first < start or not start:
                return
            slices = self._replayed(table, start - 1, first)
            earlier = [commit async for commits in slices for commit in commits]
            if (table.live.round_seq, table.kept_from) == (start, first):
                table.commits[:0], table.past = earlier, []

    def watch(self, table: Table, viewer: Viewer) -> Table:
        """Adds a viewer; everything committed from now on is pushed to it.

        Gives the table that it follows: another object than `table` where that was dropped and loaded again meanwhile.
        """
        table = self._watch(table)
        table.viewers[viewer] = None
        return table

    def unwatch(self, table: Table, viewer: Viewer) -> None:
        """Takes a viewer away."""
        table.viewers.pop(viewer, None)
        self._unwatch(table)

    def _watch(self, table: Table) -> Table:
        table = self._tables.setdefault(table.setup.game_id, table)
        if not table.watched:
            table.watched = True
            self.bus.subscribe(table.setup.game_id)
        return table

    def _unwatch(self, table: Table) -> None:
        if table.watched and not table.viewers and not table.polls:
            table.watched = False
            self.bus.unsubscribe(table.setup.game_id)

    async def wait_for_change(self, table: Table, after: int, seconds: float) -> None:
        """Returns when the table is beyond a version, or after that many seconds."""
        watched = self._watch(table)
        watched.polls += 1
        try:
            await self.refresh(watched)
            async with asyncio.timeout(seconds):
                while watched.version <= after and not self.draining:
                    await asyncio.shield(watched.next_change())
        except TimeoutError:
            pass
        finally:
            watched.polls -= 1
            self._unwatch(watched)
        if watched is not table:
            await self.refresh(table)

    def drain(self) -> None:
        """The process is to end: starts nothing of its own any more, and answers those who wait for a change."""
        self.draining = True
        for table in self._tables.values():
            if table.changed is not None and not table.changed.done():
                table.changed.set_result(None)

    async def stop(self) -> None:
        """Finishes what is under way and stops."""
        self.drain()
        for timer in self._timers.values():
            timer.cancel()
        pending = list(self._tasks)
        for task in pending:
            task.cancel()
        with contextlib.suppress(Exception):
            await asyncio.gather(*pending, return_exceptions=True)
        left = [
            game_id
            for game_id, table in self._tables.items()
            if any(table.live.seats[number].is_cpu for number in table.live.waiting)
        ]
        if left:
            self.bus.note(nudge=left)


def _unwritten(_event: str, **_fields: object) -> None:
    """Where nobody keeps a journal."""
