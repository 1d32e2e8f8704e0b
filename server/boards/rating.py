"""Rating of games among people: Plackett–Luce by `openskill`, from the final places of the people alone.

The rules, which docs/players-and-boards.md tells players:
- A ranked game with two or more people is rated when it was played to its end or ended because somebody left.
- Places go by the final totals, equal ones share a place. Partners are one team, placed by their side's total; CPU
  players are left out, and a game whose people all sit on one side is not rated.
- Who left shares the last place with all others who left (without partners).
- Who left, or was stood in for by a CPU player, gains nothing from the game. Who stayed when the own partner left
  loses nothing by it.
- A game that everybody left is not rated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from server.boards.types import FinishedGame, FinishedSeat

PROVISIONAL: Final = 10
_MODEL: Final = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a player's skill: a mean, and how unsure that is."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def ordinal(self) -> float:
        """The rating as shown: almost surely the player is at least this good."""
        return self.mu - 3 * self.sigma

    @property
    def score(self) -> int:
        """The ordinal in hundredths, by which the board is ordered."""
        return round(self.ordinal * 100)


def is_rated(game: FinishedGame) -> bool:
    """Whether a game changes ratings."""
    if not game.ranked or game.reason == "abandoned":
        return False
    return len({seat.player_id for seat in game.people}) >= 2 and len({_team(game, seat) for seat in game.people}) >= 2


def rated(game: FinishedGame, before: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills of a game's people after it; empty when the game is not rated. Unknown players begin anew."""
    if not is_rated(game):
        return {}
    teams: dict[int, list[FinishedSeat]] = {}
    for seat in game.people:
        teams.setdefault(_team(game, seat), []).append(seat)
    given = [[before.get(_id(seat), Skill()) for seat in team] for team in teams.values()]
    ranks = [float(_place(game, team)) for team in teams.values()]
    results = _MODEL.rate(
        [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma) for skill in team] for team in given], ranks=ranks
    )
    after: dict[str, Skill] = {}
    for team, old_skills, new_skills in zip(teams.values(), given, results, strict=True):
        for seat, old, new in zip(team, old_skills, new_skills, strict=True):
            after[_id(seat)] = _capped(game, seat, old, Skill(new.mu, new.sigma))
    return after


def _id(seat: FinishedSeat) -> str:
    assert seat.player_id is not None
    return seat.player_id


def _team(game: FinishedGame, seat: FinishedSeat) -> int:
    return min(game.side(seat.seat))


def _place(game: FinishedGame, team: list[FinishedSeat]) -> int:
    """What the teams are ordered by, the lowest number first."""
    if game.reason == "left":  # forfeit: the others win, whatever the totals
        return 0 if team[0].seat in game.winners else 1
    if not game.partners and team[0].left:
        return 1_000_000_000
    return -game.total_of(team[0].seat)


def _capped(game: FinishedGame, seat: FinishedSeat, old: Skill, new: Skill) -> Skill:
    if seat.left or seat.stood_in:
        return new if new.ordinal < old.ordinal else old
    partner_left = any(other.left for other in game.people if other.seat in game.side(seat.seat))
    return old if partner_left and new.ordinal < old.ordinal else new
