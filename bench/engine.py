"""How fast the engine is: `python -m bench.engine [--json] [--worst] [--seconds S]`.

Random listed moves from seeded deals on one core, in processor time, so other programs hardly count.
`--worst` measures the legal moves of 40-card hands of two packs with four jokers instead.
"""

import argparse
import hashlib
import json
import random
import sys
import time
from collections.abc import Callable

from server.game import Move, State, apply, card_name, from_position, legal_moves, make_ruleset, start
from server.game.listing import listed_melds

Figures = dict[str, float | int]
Recorded = list[tuple[State, int, Move]]


def seed(number: int) -> bytes:
    """The seed of the `number`-th deal."""
    return hashlib.sha256(f"bench {number}".encode()).digest()


def play(number: int, until: float = float("inf"), record: Recorded | None = None) -> tuple[int, State]:
    """One two-seat pagat game of random listed moves, its decisions counted."""
    chance = random.Random(number)
    state, _ = start(make_ruleset("pagat", {}, 2), 2, seed(number), "|")
    decisions = 0
    while not state.finished and time.process_time() < until:
        seat = state.waiting[0]
        moves = legal_moves(state, seat)
        move = moves[int(chance.random() * len(moves))]
        if record is not None:
            record.append((state, seat, move))
        state, _ = apply(state, seat, move)
        decisions += 1
    return decisions, state


def decisions_and_games(seconds: float) -> Figures:
    """Decisions a second with legal_moves and apply at each, games a second, and the length of a game."""
    began = time.process_time()
    decisions = games = rounds = 0
    slowest = 0.0
    while (now := time.process_time()) - began < seconds or not games:
        count, state = play(games)
        decisions += count
        games += 1
        rounds += state.round
        slowest = max(slowest, time.process_time() - now)
    spent = time.process_time() - began
    return {
        "decisions_per_second": round(decisions / spent),
        "games_per_second": round(games / spent, 2),
        "games": games,
        "mean_game_seconds": round(spent / games, 3),
        "slowest_game_seconds": round(slowest, 3),
        "mean_decisions_a_game": round(decisions / games),
        "mean_rounds_a_game": round(rounds / games, 1),
    }


def apply_alone(seconds: float) -> Figures:
    """Moves a second where only apply is called, on the positions of recorded games."""
    record: Recorded = []
    number = 0
    while len(record) < 5_000:
        play(number, record=record)
        number += 1
    made, spent = 0, 0.0
    while spent < seconds:
        began = time.process_time()
        for state, seat, move in record:
            apply(state, seat, move)
        spent += time.process_time() - began
        made += len(record)
    return {"applies_per_second": round(made / spent)}


def melds_of_hands(seconds: float) -> Figures:
    """All melds of random 13-card hands of one pack, hands a second."""
    chance = random.Random(13)
    hands = [sum(1 << card for card in chance.sample(range(52), 13)) for _ in range(5_000)]
    points = make_ruleset("pagat", {}, 2).points
    made, spent = 0, 0.0
    while spent < seconds:
        began = time.process_time()
        for hand in hands:
            listed_melds(points, hand)
        spent += time.process_time() - began
        made += len(hands)
    return {"hands_per_second": round(made / spent)}


def timed(positions: list[tuple[State, int]], what: Callable[[State, int], object]) -> Figures:
    """Microseconds of processor time for each position, the best of three."""
    took = []
    for state, seat in positions:
        best = float("inf")
        for _ in range(3):
            began = time.process_time()
            what(state, seat)
            best = min(best, time.process_time() - began)
        took.append(best * 1e6)
    took.sort()
    return {
        "positions": len(took),
        "mean_us": round(sum(took) / len(took), 1),
        "median_us": round(took[len(took) // 2], 1),
        "p99_us": round(took[len(took) * 99 // 100], 1),
        "most_us": round(took[-1], 1),
    }


def typical() -> list[tuple[State, int]]:
    """Positions of random two-seat pagat games."""
    record: Recorded = []
    for number in range(3):
        play(number, record=record)
    return [(state, seat) for state, seat, _ in record[::5]]


def worst(*, owed: bool) -> list[tuple[State, int]]:
    """Hands of 40 cards with the four jokers of two packs; `owed`: just after a draw deep into the pile."""
    rules = make_ruleset("house_float", {"packs": 2, "call_rummy": False}, 2)
    positions: list[tuple[State, int]] = []
    for number in range(300):
        chance = random.Random(number)
        naturals = list(range(104))
        chance.shuffle(naturals)
        melds = []
        for suit, low in ((0, 3), (1, 5), (2, 7), (3, 1)):
            run = [suit * 13 + low + step for step in range(3)]
            naturals = [card for card in naturals if card not in run]
            melds.append({"cards": [{"card": card_name(card), "seat": 1} for card in run]})
        jokers = [104, 105, 106, 107]
        pile = naturals[:8]
        hand = [*naturals[8 : 8 + (28 if owed else 36)], *jokers]
        rest = naturals[44:]
        position = {
            "hands": [[card_name(card) for card in hand], [card_name(card) for card in rest[:5]]],
            "stock": [card_name(card) for card in rest[5:20]],
            "pile": [card_name(card) for card in pile],
            "melds": melds,
            "totals": [0, 0],
            "dealer": 1,
            "turn": 0,
            "phase": "draw" if owed else "play",
        }
        state, _ = from_position(rules, 2, position, seed(number), "|")
        if owed:
            state, _ = apply(state, 0, legal_moves(state, 0)[-1])
        positions.append((state, 0))
    return positions


def measure(*, seconds: float, only_worst: bool) -> dict[str, object]:
    """All figures, by what they measure."""
    if only_worst:
        return {
            "worst_no_obligation": timed(worst(owed=False), legal_moves),
            "worst_with_obligation": timed(worst(owed=True), legal_moves),
        }
    play(0, time.process_time() + 1)  # fills the engine's tables
    return {
        "two_seat_pagat": decisions_and_games(seconds),
        "apply_alone": apply_alone(seconds),
        "melds_of_13_cards": melds_of_hands(seconds),
        "legal_moves_typical": timed(typical(), legal_moves),
    }


def main() -> None:
    """Prints the figures, one a line or as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument(
        "--worst", action="store_true", help="the legal moves of 40-card hands with two packs and four jokers"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each thing is measured (3)")
    chosen = parser.parse_args()
    found = measure(seconds=chosen.seconds, only_worst=chosen.worst)
    if chosen.json:
        print(json.dumps({"python": sys.version.split()[0], **found}))
        return
    for what, figures in found.items():
        print(what)
        for name, figure in figures.items() if isinstance(figures, dict) else ():
            print(f"  {name:24} {figure:>14,}")


if __name__ == "__main__":
    main()
