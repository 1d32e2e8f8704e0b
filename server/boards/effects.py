"""What the end of a game changes, worked out without touching anything: one `Effects` for a `FinishedGame`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from server.boards.periods import periods_of, utc_date
from server.boards.points import PLAYED_OUT, ranking_points
from server.boards.rating import Skill, rated
from server.boards.types import DAY, FinishedGame, FinishedSeat

_ROUNDS: Final = 1024


@dataclass(frozen=True, slots=True)
class Result:
    """What a game was for one of its people; the truth that points, boards and pages are computed from."""

    player_id: str
    seat: int
    won: bool
    points: int
    level: str | None
    margin: int
    left: bool
    stood_in: bool
    skill: Skill | None


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change of a board's row: to `value`, or else by `add`."""

    board: str
    period: str
    player_id: str
    add: int = 0
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Effects:
    """All that a game's end changes. `counts` is false for a daily game that ended after its day had closed."""

    results: tuple[Result, ...]
    rows: tuple[RowChange, ...]
    counts: bool = True


def day_score(margin: int, rounds: int) -> int:
    """A place on a day's board as one number: the margin, then fewer rounds."""
    return margin * _ROUNDS + (_ROUNDS - 1 - min(rounds, _ROUNDS - 1))


def margin_of(score: int) -> int:
    """The margin in a day's score.

    >>> margin_of(day_score(-35, 7)), day_score(10, 7) > day_score(10, 8)
    (-35, True)
    """
    return score // _ROUNDS


def rounds_of(score: int) -> int:
    """The rounds in a day's score."""
    return _ROUNDS - 1 - score % _ROUNDS


def effects_of(game: FinishedGame, skills: Mapping[str, Skill], *, day_is_open: bool = True) -> Effects:
    """What a game's end changes. A daily game that ends after its day has closed counts for nothing."""
    ids = [seat.player_id for seat in game.people]
    if game.study or len(set(ids)) != len(ids):
        return Effects((), ())
    counts = game.daily is None or day_is_open
    award = ranking_points(game) if counts else None
    after = rated(game, skills) if counts else {}
    results = tuple(_result(game, seat, award, after) for seat in game.people)
    rows: list[RowChange] = []
    periods = periods_of(utc_date(game.finished_at))
    if award is not None:
        rows += [RowChange("ranking", period, award[0], add=award[1]) for period in periods]
    for player_id, skill in after.items():
        rows += [RowChange("rating", period, player_id, value=skill.score) for period in periods]
    if game.daily is not None and counts:
        for result in results:
            score = day_score(result.margin, game.rounds)
            rows.append(RowChange(DAY, game.daily.isoformat(), result.player_id, value=score))
            if result.won:
                rows += [RowChange("daily", period, result.player_id, add=1) for period in periods_of(game.daily)]
    return Effects(results, tuple(rows), counts)


def _result(
    game: FinishedGame, seat: FinishedSeat, award: tuple[str, int] | None, after: Mapping[str, Skill]
) -> Result:
    assert seat.player_id is not None
    by_own_play = not seat.left and not seat.stood_in and game.reason in (*PLAYED_OUT, "left")
    return Result(
        player_id=seat.player_id,
        seat=seat.seat,
        won=by_own_play and seat.seat in game.winners,
        points=award[1] if award is not None and award[0] == seat.player_id else 0,
        level=game.lowest_opponent(seat.seat),
        margin=game.margin(seat.seat) if len(game.side(seat.seat)) < len(game.seats) else 0,
        left=seat.left,
        stood_in=seat.stood_in,
        skill=after.get(seat.player_id),
    )
