"""Which board a moment or a date belongs to: all time, its calendar month, its ISO week; always UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


def utc_date(at: datetime) -> date:
    """The UTC date of a moment, whatever zone it is told in."""
    return at.astimezone(UTC).date()


def month_of(day: date) -> str:
    """The calendar month of a day.

    >>> month_of(date(2028, 2, 29))
    '2028-02'
    """
    return f"{day.year:04}-{day.month:02}"


def week_of(day: date) -> str:
    """The ISO week of a day, which may belong to another year than the day does.

    >>> week_of(date(2027, 1, 3)), week_of(date(2027, 1, 4))
    ('2026-W53', '2027-W01')
    """
    year, week, _ = day.isocalendar()
    return f"{year:04}-W{week:02}"


def periods_of(day: date) -> tuple[str, str, str]:
    """The three periods that a result of a day counts for."""
    return "all", month_of(day), week_of(day)


def period_named(name: str, today: date) -> str:
    """The present period of a kind: `all`, `month` or `week`."""
    return {"all": "all", "month": month_of(today), "week": week_of(today)}[name]


def closes_at(day: date) -> datetime:
    """When a daily deal closes: 24 hours after its date ends."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(days=2)
