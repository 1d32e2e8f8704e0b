"""Hints during study games and reviews of finished ones: what the expert would do with what the seat knew."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from typing import Any

from server.tables.cpu_turns import cpu_input
from server.tables.live import advance
from server.tables.ports import CpuPlayers, Question, Row, Stored
from server.tables.service import Tables
from server.tables.table import Table

TOGETHER = 12  # positions looked at in one job
REMEMBERED = 200


class Advice:
    """Hints and reviews, computed where CPU players think."""

    def __init__(self, tables: Tables, cpu: CpuPlayers) -> None:
        self._tables = tables
        self._cpu = cpu
        self._reviews: OrderedDict[tuple[str, int], list[dict[str, Any]]] = OrderedDict()
        self._busy = asyncio.Semaphore(2)

    async def hint(self, table: Table, seat: int) -> dict[str, Any]:
        """The expert's move for a seat that is to move, and why."""
        await self._tables.keep_round(table)
        live = table.live
        view, events, legal, _ = cpu_input(table, live, seat)
        advised = await self._cpu.hint(view, events, legal, _seed(table, live.version, seat))
        return {"version": live.version, "move": advised["move"], "reason": advised["reason"]}

    async def review(self, table: Table, seat: int) -> list[dict[str, Any]]:
        """Each move of a seat's person in a finished game beside the expert's, with the difference in points."""
        place = (table.setup.game_id, seat)
        found = self._reviews.get(place)
        if found is not None:
            return found
        async with self._busy:
            stored = await self._tables.store.load(table.setup.game_id)
            assert stored is not None
            items, questions = await _questions(stored, seat)
            for start in range(0, len(questions), TOGETHER):
                answers = await self._cpu.review(questions[start : start + TOGETHER])
                for item, told in zip(items[start : start + TOGETHER], answers, strict=True):
                    item.update(best=told["best"], loss=told["loss"], reason=told["reason"])
        self._reviews[place] = items
        if len(self._reviews) > REMEMBERED:
            self._reviews.popitem(last=False)
        return items


async def _questions(stored: Stored, seat: int) -> tuple[list[dict[str, Any]], list[Question]]:
    """What a seat's person did, and all that was known at each of these moves."""
    table = Table(stored.setup, whole_rounds=True)
    items: list[dict[str, Any]] = []
    questions: list[Question] = []
    for row in stored.rows:
        if _asks(row, seat):
            state = table.live.state
            assert state is not None
            view, events, legal, _ = cpu_input(table, table.live, seat)
            move = row.entry["move"]
            items.append({"seq": row.seq, "round": state.round, "move": move, "best": move, "loss": 0, "reason": None})
            questions.append((view, events, legal, move, _seed(table, row.seq, seat)))
            if len(questions) % 8 == 0:
                await asyncio.sleep(0)
        table.accept(row, *advance(stored.setup, table.live, row.entry, row.at))
    return items, questions


def _asks(row: Row, seat: int) -> bool:
    entry = row.entry
    return bool(entry["k"] == "move" and entry["seat"] == seat and entry["by"] == "player")


def _seed(table: Table, version: int, seat: int) -> bytes:
    """For what the advice leaves to chance: nothing that the game's own seed decides."""
    return hashlib.sha256(f"advice:{table.setup.game_id}:{version}:{seat}".encode()).digest()
