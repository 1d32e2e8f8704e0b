"""The daily deal: one date, one secret seed, one try for each player (WIRE.md, Daily deal).

Everything about a day follows from its UTC date, which is worked out once for a request: the commitment, the nonce,
when it closes, the board. Seeds are made a week ahead by the operating system's generator; none tells anything of
another. A seed is told only once the day is `closed` in the database, after which no result counts for it any more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from server.boards.periods import closes_at, utc_date
from server.boards.ports import DailyTables, Deal, Deals
from server.errors import Refused
from server.players.tokens import new_id

AHEAD: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Day:
    """What may be told of a date's deal at this moment: `server_seed` only once it has closed."""

    date: date
    commitment: str
    closes_at: datetime
    server_seed: bytes | None
    your_game: str | None = None


class Daily:
    """Dailies for the process. `now` is the clock that decides which day it is."""

    def __init__(self, deals: Deals, tables: DailyTables, now: Callable[[], datetime]) -> None:
        self._deals = deals
        self._tables = tables
        self._now = now

    async def today(self, player_id: str | None) -> Day:
        """Today's deal, and the caller's game of it."""
        today = utc_date(self._now())
        day = self._told(await self._deal(today))
        return day if player_id is None else _with_game(day, await self._deals.try_of(player_id, today))

    async def day(self, day: date, player_id: str | None = None) -> Day:
        """A past date's deal, or one of the next seven days; `not_found` for others."""
        told = self._told(await self._deal(day))
        return told if player_id is None else _with_game(told, await self._deals.try_of(player_id, day))

    async def play(self, player_id: str) -> tuple[str, bool]:
        """The caller's one game of today, made if need be: its id, and whether it was begun by this very call."""
        today = utc_date(self._now())
        deal = await self._deal(today)
        wanted = new_id()
        game_id = await self._deals.reserve(player_id, today, wanted)
        await self._tables.make_daily(game_id, player_id, deal, closes_at(today))
        return game_id, game_id == wanted

    async def practise(self, player_id: str, day: date) -> str:
        """A new unranked game of a day that has closed; `forbidden` before that."""
        deal = await self._deal(day)
        if not deal.closed:
            raise Refused(
                "forbidden", f"Practice for {day} opens when the day closes, at {closes_at(day):%d %B %H:%M} UTC."
            )
        return await self._tables.make_practice(player_id, deal)

    async def prepare(self) -> None:
        """Makes the deals of today and the week to come, and closes what is to be closed; done at start and hourly."""
        today = utc_date(self._now())
        await self._deals.make(today + timedelta(days=ahead) for ahead in range(AHEAD.days + 1))
        for back in (2, 3):
            deal = await self._deals.deal(today - timedelta(days=back))
            if deal is not None and not deal.closed:
                await self._deals.close(deal.date)

    async def _deal(self, day: date) -> Deal:
        """A date's deal, made where it is due and missing, closed where that is due."""
        today = utc_date(self._now())
        if day > today + AHEAD:
            raise _no_such_day()
        deal = await self._deals.deal(day)
        if deal is None and today <= day:
            await self.prepare()
            deal = await self._deals.deal(day)
        if deal is None:
            raise _no_such_day()
        if not deal.closed and self._now() >= closes_at(day):
            await self._deals.close(day)
            return Deal(deal.date, deal.server_seed, closed=True)
        return deal

    def _told(self, deal: Deal) -> Day:
        return Day(
            deal.date,
            hashlib.sha256(deal.server_seed).hexdigest(),
            closes_at(deal.date),
            deal.server_seed if deal.closed else None,
        )


def _with_game(day: Day, game_id: str | None) -> Day:
    return Day(day.date, day.commitment, day.closes_at, day.server_seed, game_id)


def _no_such_day() -> Refused:
    return Refused("not_found", "There is no daily deal of that date: it is too far ahead, or was never played.")
