"""What a player must know anywhere: a game began, it is your turn, a call is open, the game is over, a rematch.

Notices are made with the commit they tell of, in its transaction, and numbered for each player, so that whoever
comes back with the last number misses none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from server.tables.live import Live
from server.tables.setup import Setup


@dataclass(frozen=True, slots=True)
class Notice:
    """One notice to one player; `once` names the occasion."""

    player: str
    once: str
    data: dict[str, Any]


def notices_of(setup: Setup, before: Live, live: Live) -> tuple[Notice, ...]:
    """What players must know of a step from one version to the next."""
    if setup.table_mode:
        return ()
    made: list[Notice] = []
    if live.started_at is not None and before.started_at is None:
        made += _to_all(setup, live, "game_started")
    if live.status == "finished":
        if before.status != "finished":
            made += _to_all(setup, live, "game_finished")
        return tuple(made)
    state = live.state
    if live.status == "playing" and state is not None and state.phase == "call":
        if before.state is None or before.state.phase != "call":
            for number in state.waiting:
                made += _to(setup, live, number, "call", number)
    elif live.turn_at != before.turn_at or before.started_at is None:
        for number in live.waiting:
            made += _to(setup, live, number, "your_turn", number)
    return tuple(made)


def deadline_near(setup: Setup, live: Live) -> tuple[Notice, ...]:
    """To whoever's time is nearly up."""
    made: list[Notice] = []
    for number in live.waiting:
        made += _to(setup, live, number, "deadline_near", number)
    return tuple(made)


def rematch(setup: Setup, live: Live, asker: str, next_game: str) -> tuple[Notice, ...]:
    """To the others who sat."""
    others = {seat.player for seat in live.seats if seat.player is not None and seat.player != asker}
    return tuple(
        Notice(player, f"rematch:{next_game}", {"type": "rematch", "game": setup.game_id, "next": next_game})
        for player in sorted(others)
    )


def _to_all(setup: Setup, live: Live, kind: str) -> list[Notice]:
    made: list[Notice] = []
    for number, seat in enumerate(live.seats):
        if seat.player is not None and not seat.gone:
            made += _to(setup, live, number, kind, None)
    return made


def _to(setup: Setup, live: Live, number: int, kind: str, seat: int | None) -> list[Notice]:
    holder = live.seats[number]
    if holder.player is None or holder.gone:
        return []
    data: dict[str, Any] = {"type": kind, "game": setup.game_id, "version": live.version}
    if seat is not None:
        data["seat"] = seat
    return [Notice(holder.player, f"{kind}:{setup.game_id}:{live.version}", data)]
