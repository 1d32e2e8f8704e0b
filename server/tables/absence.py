"""In a game without a clock: what the others may do when someone on turn has been away for long.

All who are there must agree: to wait, to let a CPU player stand in, or to end the game without a result. Votes are
void as soon as anybody moves, and are lost with Redis: then they are cast again.
"""

from __future__ import annotations

from typing import Any

from server.errors import Refused
from server.tables.access import within
from server.tables.ports import VoteStore
from server.tables.service import Tables
from server.tables.table import Table


class Absence:
    """Votes about players who are away."""

    def __init__(self, tables: Tables, votes: VoteStore, absent_seconds: int) -> None:
        self._tables = tables
        self._votes = votes
        self._absent_ms = absent_seconds * 1000

    async def vote(self, table: Table, voter: str, seat: int, choice: str) -> dict[str, Any]:
        """Counts a vote, and does what all who are there agree on."""
        own = await self._may_vote(table, voter, seat)
        live = table.live
        present = self._present(table, seat) | set(own)
        said: dict[int, str] = {}
        for number in own:
            said = await self._votes.vote(table.setup.game_id, live.version, seat, number, choice)
        agreed = all(said.get(number) == choice for number in present)
        done = None
        if agreed and choice != "wait":
            entry = {"k": "stand_in", "seat": seat} if choice == "cpu" else {"k": "close"}
            async with table.lock:
                if table.version == live.version and await self._tables.commit(table, entry) is not None:
                    done = choice
        votes = [{"seat": number, "choice": said[number]} for number in sorted(said)]
        return {"version": table.version, "seat": seat, "votes": votes, "needed": sorted(present), "done": done}

    async def _may_vote(self, table: Table, voter: str, seat: int) -> list[int]:
        """The voter's seats; refused where there is nothing to vote on."""
        live = table.live
        mask = live.seats_of(voter)
        if not mask:
            raise Refused("forbidden", "Only those who sit at the table may vote.")
        within(live, seat)
        if live.status != "playing":
            raise Refused("game_not_running", "The game is not being played.", version=live.version)
        if table.setup.clock is not None:
            raise Refused("forbidden", "With a clock nobody waits for ever: the clock plays.", rule="R5.10")
        about = live.seats[seat]
        if mask >> seat & 1 or about.kind != "person" or about.gone or about.status != "active":
            raise Refused("forbidden", f"There is nobody to wait for at seat {seat}.")
        if seat not in live.waiting:
            raise Refused("forbidden", f"Seat {seat} is not to move.")
        await self._tables.presence.look(table)
        last = max(live.turn_at, self._tables.presence.last_seen(table, seat))
        away = self._tables.clock.now() - last
        if self._tables.presence.online(table.setup.game_id, seat) or away < self._absent_ms:
            wait = self._absent_ms // 1000
            raise Refused("forbidden", f"Seat {seat} has not been away for {wait} seconds on turn.")
        return [number for number in range(len(live.seats)) if mask >> number & 1]

    def _present(self, table: Table, about: int) -> set[int]:
        away = self._tables.presence.away(table)
        return {number for number in table.live.people() if number != about and number not in away}
