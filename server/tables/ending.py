"""A finished game as points, ratings and boards need it."""

from __future__ import annotations

from server.tables.live import Live
from server.tables.ports import Finished, SeatResult
from server.tables.setup import Setup


def finished_game(setup: Setup, live: Live) -> Finished:
    """What points, ratings and boards need of a finished game."""
    assert live.result is not None
    return Finished(
        game_id=setup.game_id,
        preset=setup.preset,
        ranked=setup.counts,
        public=setup.visibility == "public",
        daily=setup.daily,
        partners=bool(setup.options.get("partners")),
        seats=tuple(
            SeatResult(number, seat.player, seat.level if seat.kind == "cpu" else None, seat.stood_in, seat.gone)
            for number, seat in enumerate(live.seats)
        ),
        result=live.result,
        rounds=live.state.round if live.state is not None else 0,
        created_at=setup.created_at,
        started_at=live.started_at,
        finished_at=live.last_at,
    )
