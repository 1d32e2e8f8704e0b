"""How long CPU players think: the time of each move in whole games, and with 30 cards in hand at eight seats.

    python bench/cpu_players.py [--games 4] [--json]

Times are CPU time of this process, through `choose` with the JSON a server shows a seat.
"""

import argparse
import json
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from server.ai import LEVELS, choose
from server.arena.match import move_times
from server.arena.play import seat_view
from server.game import event_json, from_position, legal_moves, make_ruleset, move_json
from tests.ai.tables import choices, ruleset

TABLES = (("classic", 2), ("pagat", 2), ("classic", 4), ("party", 8), ("house_float", 6))


def in_games(games: int) -> dict[str, list[float]]:
    """The seconds of each choice of each level in whole games."""
    seconds: dict[str, list[float]] = {level: [] for level in LEVELS}
    for preset, seats in TABLES:
        for number in range(games):
            for asked in choices(ruleset(preset, seats), [LEVELS[seat % 3] for seat in range(seats)], number):
                if asked.seat >= 0:
                    for level in LEVELS:
                        began = time.process_time()
                        choose(level, asked.view, asked.events, asked.legal, asked.seed)
                        seconds[level].append(time.process_time() - began)
    return seconds


def big_hand(rng: random.Random, phase: str, preset: str) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """View, events and legal moves of a seat with 30 cards among eight, with a long pile, late in a round."""
    rules = make_ruleset(preset, {}, 8)
    cards = [rank + suit + copy for copy in ("", "2") for suit in "CDHS" for rank in "A23456789TJQK"]
    cards += [f"X{number}" for number in range(1, rules.jokers_in_play + 1)]
    rng.shuffle(cards)
    hands = [[cards.pop() for _ in range(30 if seat == 0 else 4)] for seat in range(8)]
    pile = [cards.pop() for _ in range(25)]
    position = {
        "hands": hands,
        "stock": [cards.pop() for _ in range(12)],
        "pile": pile,
        "melds": [],
        "totals": [0] * 8,
        "dealer": 7,
        "turn": 0,
        "phase": phase,
    }
    state, events = from_position(rules, 8, position, bytes(32), "|" * 7)
    legal = [move_json(move) for move in legal_moves(state, 0)]
    return seat_view(state, 0, rules.options()), [event_json(event, 1) for event in events], legal


def with_big_hands(count: int) -> dict[str, list[float]]:
    """The seconds of each level's choices with 30 cards in hand and eight seats."""
    rng = random.Random(30)
    seconds: dict[str, list[float]] = {level: [] for level in LEVELS}
    for number in range(count):
        view, events, legal = big_hand(rng, ("draw", "play")[number % 2], ("party", "pagat")[number // 2 % 2])
        for level in LEVELS:
            began = time.process_time()
            choose(level, view, events, legal, bytes(32))
            seconds[level].append(time.process_time() - began)
    return seconds


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    table = {
        "in games": {level: move_times(times) for level, times in in_games(args.games).items()},
        "30 cards, eight seats": {level: move_times(times) for level, times in with_big_hands(args.hands).items()},
    }
    if args.json:
        print(json.dumps(table))
        return
    for where, levels in table.items():
        for level, times in levels.items():
            print(f"{where:24}{level:8} p50 {times['p50']:7.3f} ms   p99 {times['p99']:7.3f} ms")


if __name__ == "__main__":
    main()
