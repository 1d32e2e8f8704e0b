"""One live game in this process: where it stands, its recent events, and who is watching.

Nothing here decides anything; `Tables` does. A table may be dropped at any time and built again from the store.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, Protocol

import orjson

from server.tables import render
from server.tables.live import Live, Logged, advance, blank
from server.tables.past import Packed, packed, unpacked
from server.tables.ports import Row, Stored
from server.tables.setup import Setup

KEPT_EVENTS = 32
PACKED_EVENTS = 32  # that many beyond those are packed together
PAST_EVENTS = 640  # that many are kept, most of them packed
KEPT_KEYS = 16
KEPT_MARKS = 6


class Viewer(Protocol):
    """A stream that follows a table."""

    @property
    def player(self) -> str | None:
        """Whose stream it is; None without a token."""

    @property
    def views(self) -> bool:
        """Whether each frame carries a VIEW."""

    def push(self, data: bytes) -> None:
        """Takes a frame; never waits."""

    def seated(self, seat: int) -> None:
        """Its player has just taken a seat."""

    def dismiss(self, code: int) -> None:
        """Ends the stream with a close code."""


class Table:
    """A game as this process has it."""

    __slots__ = (
        "changed", "commits", "cpu_task", "keys", "live", "lock", "made", "marks", "past", "people", "polls",
        "seen_at", "setup", "viewers", "watched", "whole_rounds",
    )  # fmt: skip

    def __init__(self, setup: Setup, *, whole_rounds: bool = False) -> None:
        """`whole_rounds`: all events of the present round are kept, as they always are where a CPU player sits."""
        self.setup = setup
        self.whole_rounds = whole_rounds
        self.live: Live = blank(setup)
        self.made: Live | None = None  # as it was made, before anybody moved
        self.commits: list[render.Commit] = []
        self.past: list[Packed] = []
        self.marks: list[tuple[int, Live]] = [(0, self.live)]
        self.keys: dict[tuple[str, str], tuple[bytes, int, int]] = {}  # the oldest first
        self.viewers: dict[Viewer, None] = {}
        self.people: dict[str, dict[str, Any]] = {}
        self.lock = asyncio.Lock()
        self.changed: asyncio.Future[None] | None = None
        self.cpu_task: asyncio.Task[None] | None = None
        self.watched = False
        self.polls = 0
        self.seen_at = time.monotonic()

    @classmethod
    def from_stored(cls, stored: Stored) -> Table:
        """The table after its whole log."""
        table = cls(stored.setup)
        for row in stored.rows:
            table.accept(row, *advance(stored.setup, table.live, row.entry, row.at))
        return table

    @property
    def version(self) -> int:
        """The present version."""
        return self.live.version

    def accept(self, row: Row, live: Live, events: tuple[Logged, ...]) -> render.Commit | None:
        """Moves on to the next version; gives what there is to tell (nothing for an entry without events)."""
        new_round = live.round_seq != self.live.round_seq
        self.live = live
        if row.seq == 0:
            self.made = live
        if row.key is not None and row.player is not None:
            assert row.print is not None
            self.keys[row.player, row.key] = (row.print, row.seq, live.version)
            if len(self.keys) > KEPT_KEYS:
                del self.keys[next(iter(self.keys))]
        if not events:
            return None
        commit = render.Commit(events)
        if self.commits:
            self.commits[-1].forget()
        self.commits.append(commit)
        if new_round:
            self._mark(live)
        self._trim()
        return commit

    def _mark(self, live: Live) -> None:
        """Remembers where a round began, to replay from there; of the rounds of a long game some, evenly spread."""
        marks = self.marks
        marks.append((live.version, live))
        if len(marks) > KEPT_MARKS:
            gaps = [marks[place + 1][0] - marks[place - 1][0] for place in range(1, len(marks) - 1)]
            del marks[gaps.index(min(gaps)) + 1]

    def _trim(self) -> None:
        """Keeps the latest events, and all of the present round where a CPU player may be asked; packs earlier ones."""
        live, commits = self.live, self.commits
        keep_from = live.version - KEPT_EVENTS
        if live.round_seq < keep_from and (self.whole_rounds or any(seat.is_cpu for seat in live.seats)):
            keep_from = live.round_seq or 1
        if keep_from - commits[0].first < PACKED_EVENTS:
            return
        kept = 0
        while kept < len(commits) - 1 and commits[kept].version < keep_from:
            kept += 1
        self.past.append(packed(commits[:kept]))
        del commits[:kept]
        oldest = live.version - PAST_EVENTS
        while len(self.past) > 1 and self.past[1].first <= oldest:
            del self.past[0]

    @property
    def kept_from(self) -> int:
        """Events after this version are in memory."""
        return self.commits[0].first - 1 if self.commits else self.live.version

    @property
    def known_from(self) -> int:
        """Events after this version are in memory, or packed."""
        return self.past[0].first - 1 if self.past else self.kept_from

    def unpack(self, start: int) -> None:
        """Takes the packed events from `start` on apart again."""
        while self.past and self.past[-1].version >= start:
            self.commits[:0] = unpacked(self.past.pop())

    def since(self, after: int) -> list[render.Commit]:
        """The commits in memory with events after a version."""
        found: list[render.Commit] = []
        for commit in reversed(self.commits):
            if commit.version <= after:
                break
            found.append(commit)
        found.reverse()
        return found

    def round_events(self, mask: int) -> list[dict[str, Any]]:
        """The present round's events as a seat was sent them, without times: what a CPU player may know."""
        start = self.live.round_seq
        told: list[dict[str, Any]] = []
        for commit in self.since(start - 1):
            for logged in commit.events:
                if logged.seq >= start:
                    event = render.event_dict(logged, mask, {})
                    del event["at"]
                    if event.get("deadline"):
                        event["deadline"] = None
                    told.append(event)
        return told

    # --- telling

    def deliver(self, commit: render.Commit, view_of: dict[int, bytes]) -> None:
        """Sends a commit to every viewer. `view_of` has the VIEW for each mask that asked for views."""
        frames: dict[tuple[int, bool], bytes] = {}
        live = self.live
        for viewer in list(self.viewers):
            mask = live.seats_of(viewer.player) if viewer.player is not None else 0
            kind = (mask, viewer.views)
            data = frames.get(kind)
            if data is None:
                events = commit.encoded(mask, self.people)
                data = frames[kind] = render.frame(commit.version, events, view_of.get(mask) if viewer.views else None)
            viewer.push(data)
        if self.changed is not None:
            self.changed.set_result(None)
            self.changed = None

    def view_masks(self) -> set[int]:
        """Kinds of viewers that want a VIEW in each frame."""
        live = self.live
        return {
            live.seats_of(viewer.player) if viewer.player is not None else 0 for viewer in self.viewers if viewer.views
        }

    def view_bytes(self, mask: int, away: frozenset[int], now: int, live: Live | None = None) -> bytes:
        """The VIEW, encoded; of another version than the present one where `live` is given."""
        return orjson.dumps(render.view(self.setup, live or self.live, mask, self.people, away, now))

    def next_change(self) -> asyncio.Future[None]:
        """Done when there is something new."""
        if self.changed is None or self.changed.done():
            self.changed = asyncio.get_running_loop().create_future()
        return self.changed
