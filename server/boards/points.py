"""Ranking points: for one person alone who beats CPU players at a ranked table (WIRE.md, leaderboards)."""

from __future__ import annotations

from server.boards.types import POINTS, FinishedGame

PLAYED_OUT = ("target", "max_rounds")


def ranking_points(game: FinishedGame) -> tuple[str, int] | None:
    """Who gets ranking points for a game, and how many; None when nobody does.

    The one person at the table must have won, alone or with CPU partners, in a game that was played to its end, and
    have made every move of the seat. The lowest level among the opponents counts.
    """
    if not game.ranked or game.reason not in PLAYED_OUT or len(game.people) != 1:
        return None
    person = game.people[0]
    if person.stood_in or person.left or sorted(game.winners) != sorted(game.side(person.seat)):
        return None
    level = game.lowest_opponent(person.seat)
    if level is None or person.player_id is None:
        return None
    return person.player_id, POINTS[level]
