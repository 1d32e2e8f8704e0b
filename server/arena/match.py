"""A match: paired deals (the same packs, every seat in turn), on several processes, and what comes of it."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from server.arena.play import deal_seed, play_game
from server.game import make_ruleset


@dataclass(frozen=True, slots=True)
class Match:
    """What is played: one `a` against `b` in all other seats (with partners, `a` has one side)."""

    a: str
    b: str
    preset: str
    seats: int
    games: int
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Deal:
    """What one deal, played from every seat, came to."""

    wins: tuple[float, ...]
    """1 for each game `a` won, a share for a shared win."""
    points: float
    """`a`'s points a round more than the others', on average."""
    rounds: int
    games: int
    a_seconds: tuple[float, ...]
    b_seconds: tuple[float, ...]


def play_deal(match: Match, deal: int) -> Deal:
    """Plays one deal as often as there are places for `a`."""
    ruleset = make_ruleset(match.preset, {}, match.seats)
    partners = ruleset.partners
    wins = []
    points = 0.0
    rounds = 0
    times: tuple[list[float], list[float]] = ([], [])
    places = 2 if partners else match.seats
    for place in range(places):
        mine = [seat % 2 == place if partners else seat == place for seat in range(match.seats)]
        names = [match.a if own else match.b for own in mine]
        game = play_game(ruleset, names, deal_seed(match.seed, deal))
        won = sum(mine[seat] for seat in game.winners)
        wins.append(won / len(game.winners))
        ours = [total for own, total in zip(mine, game.totals, strict=True) if own]
        theirs = [total for own, total in zip(mine, game.totals, strict=True) if not own]
        points += (sum(ours) / len(ours) - sum(theirs) / len(theirs)) / game.rounds / places
        rounds += game.rounds
        for own, seconds in zip(mine, game.seconds, strict=True):
            times[0 if own else 1].extend(seconds)
    return Deal(tuple(wins), points, rounds, places, tuple(times[0]), tuple(times[1]))


def play_match(match: Match, processes: int, tick: Callable[[int], None] | None = None) -> dict[str, Any]:
    """Plays at least `match.games` games and returns the table of results; `tick` is told of games played."""
    partners = make_ruleset(match.preset, {}, match.seats).partners
    places = 2 if partners else match.seats
    deals = []
    for deal in _deals(match, -(-match.games // places), processes):
        deals.append(deal)
        if tick is not None:
            tick(deal.games)
    return summary(match, deals)


def _deals(match: Match, count: int, processes: int) -> Iterator[Deal]:
    if processes <= 1:
        for deal in range(count):
            yield play_deal(match, deal)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap(_play, [(match, deal) for deal in range(count)])


def _play(job: tuple[Match, int]) -> Deal:
    return play_deal(*job)


def summary(match: Match, deals: Sequence[Deal]) -> dict[str, Any]:
    """The results of a match as JSON values; intervals are by deal, since games of one deal are no independent ones."""
    rates = [sum(deal.wins) / len(deal.wins) for deal in deals]
    rate, half = mean_and_half(rates)
    points, points_half = mean_and_half([deal.points for deal in deals])
    games = sum(deal.games for deal in deals)
    low, high = max(0.0, rate - half), min(1.0, rate + half)
    if rate in (0.0, 1.0):  # the rule of three, where nothing varied
        low, high = (0.0, min(1.0, 3 / games)) if rate == 0.0 else (max(0.0, 1 - 3 / games), 1.0)
    return {
        "a": match.a,
        "b": match.b,
        "ruleset": match.preset,
        "seats": match.seats,
        "games": games,
        "win_rate": round(rate, 4),
        "ci95": [round(low, 4), round(high, 4)],
        "points_per_round": round(points, 2),
        "points_ci95": [round(points - points_half, 2), round(points + points_half, 2)],
        "rounds_per_game": round(sum(deal.rounds for deal in deals) / games, 2),
        "move_ms": {
            "a": move_times([second for deal in deals for second in deal.a_seconds]),
            "b": move_times([second for deal in deals for second in deal.b_seconds]),
        },
    }


def mean_and_half(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, float("inf") if not values else abs(mean) + 1.0
    spread = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, 1.96 * (spread / len(values)) ** 0.5


def move_times(seconds: Sequence[float]) -> dict[str, float]:
    """The median and the 99th of a hundred, in milliseconds."""
    ordered = sorted(seconds) or [0.0]
    return {
        "p50": round(ordered[len(ordered) // 2] * 1000, 3),
        "p99": round(ordered[len(ordered) * 99 // 100] * 1000, 3),
    }
