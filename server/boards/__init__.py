"""The daily deal, ranking points, ratings and leaderboards (WIRE.md, Daily deal, leaderboards)."""

from server.boards.daily import Daily, Day
from server.boards.effects import margin_of, rounds_of
from server.boards.periods import closes_at, utc_date
from server.boards.ports import Career, Careers, DailyTables, Deal, Deals, Pages, Ranks
from server.boards.rating import PROVISIONAL
from server.boards.service import Boards, Line, View
from server.boards.types import BOARDS, DAY, LEVELS, PERIODS, POINTS, FinishedGame, FinishedSeat, Page, Row

__all__ = [
    "BOARDS",
    "DAY",
    "LEVELS",
    "PERIODS",
    "POINTS",
    "PROVISIONAL",
    "Boards",
    "Career",
    "Careers",
    "Daily",
    "DailyTables",
    "Day",
    "Deal",
    "Deals",
    "FinishedGame",
    "FinishedSeat",
    "Line",
    "Page",
    "Pages",
    "Ranks",
    "Row",
    "View",
    "closes_at",
    "margin_of",
    "rounds_of",
    "utc_date",
]
