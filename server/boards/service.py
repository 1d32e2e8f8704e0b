"""Leaderboards and players' pages: rows with the people on them, and the caller's own row."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from server.boards.cursor import parse_cursor
from server.boards.periods import period_named, utc_date
from server.boards.ports import Career, Careers, Pages, Ranks
from server.boards.types import DAY, Row
from server.players import Player, Players


@dataclass(frozen=True, slots=True)
class Line:
    """A row with the player on it."""

    row: Row
    player: Player


@dataclass(frozen=True, slots=True)
class View:
    """A page of a board as someone is shown it; `you` is the caller's own row."""

    lines: tuple[Line, ...]
    next_cursor: str | None
    previous_cursor: str | None
    you: Line | None


class Boards:
    """Boards for the process. `now` is the clock that decides which month and week it is."""

    def __init__(
        self, pages: Pages, ranks: Ranks, careers: Careers, players: Players, now: Callable[[], datetime]
    ) -> None:
        self._pages = pages
        self._ranks = ranks
        self._careers = careers
        self._players = players
        self._now = now

    async def page(
        self, board: str, period: str, caller: str | None, *, limit: int, registered: bool, cursor: str | None
    ) -> View:
        """A page of `ranking`, `rating` or `daily`; `period` is all, month or week."""
        key = period_named(period, utc_date(self._now()))
        return await self._view(board, key, caller, limit=limit, registered=registered, cursor=cursor)

    async def day_page(
        self, day: date, caller: str | None, *, limit: int, registered: bool, cursor: str | None
    ) -> View:
        """A page of a daily deal's board."""
        return await self._view(DAY, day.isoformat(), caller, limit=limit, registered=registered, cursor=cursor)

    async def around(self, board: str, period: str, caller: str, *, limit: int, registered: bool) -> View:
        """The rows about the caller's own; empty without one."""
        key = period_named(period, utc_date(self._now()))
        shown = registered or board == "rating"
        own = await self._pages.score_of(board, key, caller, registered=shown)
        if own is None:
            return View((), None, None, None)
        rows = await self._pages.around(board, key, own, limit=limit, registered=shown)
        ranks = await self._ranks.ranks(board, key, (row.score for row in rows), registered=shown)
        lines = await self._lines(replace(row, rank=ranks[row.score]) for row in rows)
        return View(lines, None, None, next((line for line in lines if line.row.player_id == caller), None))

    async def player_page(self, player_id: str) -> tuple[Player, Career, int]:
        """A player, what was achieved, and the streak of dailies; `not_found` for an unknown player."""
        player = await self._players.get_player(player_id)
        career = await self._careers.career(player_id)
        return player, career, streak(career.dailies, utc_date(self._now()))

    async def record_is_public(self, game_id: str) -> bool:
        """Whether a game's record is open to everybody because a board's row rests on it."""
        return await self._careers.record_is_public(game_id)

    async def _view(
        self, board: str, key: str, caller: str | None, *, limit: int, registered: bool, cursor: str | None
    ) -> View:
        shown = registered or board == "rating"  # guests are rated, but shown only once registered
        place = None if cursor is None else parse_cursor(cursor)
        page = await self._pages.page(board, key, limit=limit, registered=shown, cursor=place)
        lines = await self._lines(page.rows)
        you = next((line for line in lines if line.row.player_id == caller), None)
        if you is None and caller is not None:
            you = await self._own(board, key, caller, registered=shown)
        return View(lines, page.next_cursor, page.previous_cursor, you)

    async def _own(self, board: str, key: str, caller: str, *, registered: bool) -> Line | None:
        own = await self._pages.score_of(board, key, caller, registered=registered)
        if own is None:
            return None
        ranks = await self._ranks.ranks(board, key, [own.score], registered=registered)
        lines = await self._lines([replace(own, rank=ranks[own.score])])
        return lines[0]

    async def _lines(self, rows: Iterable[Row]) -> tuple[Line, ...]:
        listed = list(rows)
        people = await self._players.get_players(row.player_id for row in listed)
        return tuple(Line(row, people[row.player_id]) for row in listed)


def streak(dailies: Iterable[date], today: date) -> int:
    """How many dates in a row, up to today or yesterday, were played to the end.

    >>> streak([date(2028, 2, 28), date(2028, 2, 29), date(2028, 3, 1)], date(2028, 3, 2))
    3
    """
    played = set(dailies)
    day = today if today in played else today - timedelta(days=1)
    length = 0
    while day in played:
        length, day = length + 1, day - timedelta(days=1)
    return length
