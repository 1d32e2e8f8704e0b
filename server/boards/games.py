"""Daily and practice games made as live games: `pagat`, one person against one `normal`, the date as nonce."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from server import ai
from server import game as rules
from server.boards.ports import Deal
from server.players.tokens import new_id
from server.tables import SeatSetup, Setup, Tables

PRESET: Final = "pagat"
OPPONENT: Final = "normal"
SEATS: Final = (SeatSetup("me"), SeatSetup("cpu", OPPONENT))


def daily_ruleset() -> dict[str, object]:
    """The ruleset of every daily deal, in full."""
    return {"preset": PRESET, "options": rules.make_ruleset(PRESET, {}, len(SEATS)).options()}


class LiveGames:
    """`server.boards.DailyTables` over the tables of this process."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def make_daily(self, game_id: str, player_id: str, deal: Deal, closes_at: datetime) -> None:
        """Makes the ranked game with this id, unless it is there already."""
        if await self._tables.find(game_id) is not None:
            return
        setup = self._setup(game_id, player_id, deal.date, deal.server_seed)
        closes = round(closes_at.timestamp() * 1000)
        await self._tables.create(replace(setup, daily=deal.date.isoformat(), closes_at=closes), None)

    async def make_practice(self, player_id: str, deal: Deal) -> str:
        """Makes an unranked game of a day that has closed; its id."""
        setup = self._setup(new_id(), player_id, deal.date, deal.server_seed)
        await self._tables.create(replace(setup, practice=True), None)
        return setup.game_id

    async def end(self, game_id: str) -> None:
        """Ends a daily game whose day has closed: without a result, as nobody left it."""
        for _ in range(50):
            table = await self._tables.fresh(game_id)
            if table is None:
                return
            async with table.lock:
                if table.live.status == "finished" or await self._tables.commit(table, {"k": "close"}) is not None:
                    return

    def _setup(self, game_id: str, player_id: str, day: date, seed: bytes) -> Setup:
        return Setup(
            game_id=game_id,
            maker=player_id,
            preset=PRESET,
            options=rules.make_ruleset(PRESET, {}, len(SEATS)).options(),
            seats=SEATS,
            visibility="private",
            spectators=False,
            clock=None,
            call_seconds=5,
            client_seed="",
            position=None,
            invite=None,
            watch=None,
            server_seed=seed,
            commitment=hashlib.sha256(seed).hexdigest(),
            nonce=day.isoformat(),
            daily=None,
            closes_at=None,
            rematch_of=None,
            fill_at=None,
            rules_version=rules.RULES_VERSION,
            ai_version=ai.AI_VERSION,
            created_at=self._tables.clock.now(),
        )
