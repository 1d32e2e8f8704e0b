"""When the server itself has to act at a table."""

from __future__ import annotations

from server.tables.live import Live
from server.tables.setup import Setup

CPU_GRACE = 2000  # ms after which another process makes a CPU player's move
UNSTARTED = 24 * 3600 * 1000
UNTOUCHED = 30 * 24 * 3600 * 1000


def is_late(live: Live, now: int) -> bool:
    """Whether somebody's time is up."""
    return live.deadline is not None and now >= live.deadline and bool(live.waiting)


def missed_twice(live: Live) -> int | None:
    """The seat of a person who has missed two turns in a row and is not stood in for."""
    for number, seat in enumerate(live.seats):
        if seat.missed >= 2 and seat.kind == "person" and seat.status == "active":
            return number
    return None


def due_at(setup: Setup, live: Live) -> int | None:
    """When the server itself has to act, if nobody did before."""
    if live.status == "finished":
        return None
    given_up = live.last_at + patience(live)
    if live.status == "waiting":
        return given_up if setup.fill_at is None else min(setup.fill_at, given_up)
    if any(live.seats[number].is_cpu for number in live.waiting):
        return live.last_at + CPU_GRACE
    if missed_twice(live) is not None:
        return live.last_at
    return given_up if live.deadline is None else live.deadline


def patience(live: Live) -> int:
    """How long (ms) a game that nobody changes is kept open: a day before its start, a month after it."""
    return UNSTARTED if live.status == "waiting" else UNTOUCHED
