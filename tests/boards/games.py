"""Finished games for tests."""

import secrets
from datetime import UTC, date, datetime, timedelta

from server.boards import FinishedGame, FinishedSeat

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def person(player: str | None = None, *, stood_in: bool = False, left: bool = False) -> dict[str, object]:
    """A person's seat."""
    return {"player_id": player or secrets.token_hex(16), "stood_in": stood_in, "left": left}


def cpu(level: str = "normal") -> dict[str, object]:
    """A CPU player's seat."""
    return {"player_id": None, "level": level}


def finished(
    *seats: dict[str, object],
    totals: tuple[int, ...] = (510, 300),
    winners: tuple[int, ...] | None = None,
    reason: str = "target",
    ranked: bool = True,
    partners: bool = False,
    rounds: int = 9,
    at: datetime = AT,
    daily: date | None = None,
    preset: str = "pagat",
    study: bool = False,
    game_id: str | None = None,
) -> FinishedGame:
    """A game that ended; by default seat 0 won."""
    places = tuple(FinishedSeat(number, **seat) for number, seat in enumerate(seats))  # type: ignore[arg-type]
    return FinishedGame(
        id=game_id or secrets.token_hex(16),
        preset=preset,
        ranked=ranked,
        seats=places,
        partners=partners,
        reason=reason,
        winners=(0,) if winners is None else winners,
        totals=totals if len(totals) == len(places) else (510, *(100 + 10 * place for place in range(1, len(places)))),
        rounds=rounds,
        created_at=at - timedelta(hours=1),
        started_at=at - timedelta(hours=1),
        finished_at=at,
        daily=daily,
        study=study,
    )
