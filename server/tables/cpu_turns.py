"""The turns of CPU seats: each choice is computed elsewhere, from what the seat may know alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import structlog

from server import game as rules
from server.tables import render
from server.tables.live import Entry, Live
from server.tables.ports import CpuPlayers
from server.tables.table import Table

if TYPE_CHECKING:
    from server.tables.service import Tables

log = structlog.get_logger("tables")


class CpuTurns:
    """Plays the CPU seats of the tables of one process."""

    def __init__(self, tables: Tables, cpu: CpuPlayers) -> None:
        self._tables = tables
        self._cpu = cpu

    def start(self, table: Table) -> None:
        """Sees to it that the CPU seats of a table are played."""
        if table.cpu_task is None or table.cpu_task.done():
            table.cpu_task = self._tables.run(self._play(table))

    async def _play(self, table: Table) -> None:
        """Plays CPU seats as long as one is to move."""
        failures = 0
        try:
            while not self._tables.draining:
                await self._tables.keep_round(table)
                live = table.live
                seat = next((number for number in live.waiting if live.seats[number].is_cpu), None)
                if seat is None:
                    return
                entry = await self._entry(table, live, seat, failures)
                if entry is None:
                    failures += 1
                    continue
                async with table.lock:
                    if table.version != live.version:
                        continue
                    if await self._tables.commit(table, entry) is None:
                        await self._tables.refresh_held(table)
                failures = 0
        finally:
            table.cpu_task = None

    async def _entry(self, table: Table, live: Live, seat: int, failures: int) -> Entry | None:
        """The CPU player's move as an entry; after two failures the clock plays (R5.10)."""
        assert live.state is not None
        if failures >= 2:
            log.error("cpu_player_failed", game=table.setup.game_id, seat=seat)
            move = rules.clock_move(live.state, seat)
            return {"k": "move", "seat": seat, "move": rules.move_json(move), "by": "clock"}
        view, events, legal, seed = cpu_input(table, live, seat)
        if len(legal) == 1:
            chosen = legal[0]
        else:
            try:
                chosen = await self._cpu.choose(live.seats[seat].cpu_level, view, events, legal, seed)
                refusal = rules.refusal(live.state, seat, rules.parse_move(chosen))
            except Exception as error:  # noqa: BLE001 - whatever it was, the choice is tried once more
                log.warning("cpu_choice_failed", game=table.setup.game_id, error=repr(error))
                return None
            if refusal is not None:
                log.warning("cpu_choice_refused", game=table.setup.game_id, code=refusal.code)
                return None
        return {"k": "move", "seat": seat, "move": chosen, "by": "cpu"}


def cpu_input(
    table: Table, live: Live, seat: int
) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]], bytes]:
    """What a CPU player is given: its seat's view and events, the moves listed, its seed."""
    assert live.state is not None
    mask = 1 << seat
    told = rules.view_json(live.state, mask)
    view = {
        "version": live.version,
        "status": live.status,
        "ruleset": render.ruleset_json(table.setup),
        "your_seats": [seat],
        **told,
    }
    legal = [rules.move_json(move) for move in rules.legal_moves(live.state, seat)]
    seed = rules.cpu_seed(table.setup.server_seed, seat, live.moves)
    return view, table.round_events(mask), legal, seed
