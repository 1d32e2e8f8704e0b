"""How well CPU players play and how long they think; writes the tables of docs/cpu-players.md.

    python bench/cpu_players.py                     # the times
    python bench/cpu_players.py --matches --write   # times and matches, into docs/cpu-players.md

Matches are those of `rummy500 arena` (paired deals, whole games to the target). Times are CPU time of this process,
through `choose` with the JSON a server shows a seat: in whole games, and with 30 cards in hand at eight seats.
"""

import argparse
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from server.ai import LEVELS, choose
from server.arena.match import Match, move_times, play_match
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


LADDER = (("easy", "random"), ("normal", "easy"), ("expert", "normal"), ("expert", "reference"))
MAIN = (("classic", 2), ("pagat", 2), ("classic", 4))
OTHERS = (
    ("party", 3),
    ("house_float", 4),
    ("nickel", 2),
    ("partnership", 4),
    ("pagat", 3),
    ("pagat", 6),
    ("pagat", 8),
    ("party", 6),
)
START, END = "<!-- tables: begin -->", "<!-- tables: end -->"


def time_lines(games: int, hands: int) -> list[str]:
    """The table of times."""
    lines = ["| CPU time a move, ms | easy p50 / p99 | normal p50 / p99 | expert p50 / p99 |", "|---|---|---|---|"]
    for where, seconds in (
        ("whole games", in_games(games)),
        ("30 cards in hand, 25 in the pile, eight seats", with_big_hands(hands)),
    ):
        times = [move_times(seconds[level]) for level in LEVELS]
        lines.append(f"| {where} | " + " | ".join(f"{t['p50']:.2f} / {t['p99']:.2f}" for t in times) + " |")
    return lines


def match_lines(
    matches: list[tuple[str, str]],
    tables: tuple[tuple[str, int], ...],
    games: int,
    processes: int,
    results: Path | None,
) -> list[str]:
    """A table of matches: win rates in per cent with 95 % intervals, and points a round."""
    done: dict[str, dict[str, Any]] = json.loads(results.read_text()) if results and results.exists() else {}
    heads = [f"{preset}, {seats} seats" for preset, seats in tables]
    lines = ["| games won, % | " + " | ".join(heads) + " |", "|---" * (len(tables) + 1) + "|"]
    for a, b in matches:
        cells = []
        for preset, seats in tables:
            name = f"{a} {b} {preset} {seats} {games}"
            if name not in done:
                done[name] = play_match(Match(a, b, preset, seats, games), processes)
                if results:
                    results.write_text(json.dumps(done, indent=1))
            result = done[name]
            low, high = result["ci95"]
            cells.append(
                f"{100 * result['win_rate']:.1f} ({100 * low:.1f}–{100 * high:.1f}), {result['points_per_round']:+.1f}"
            )
            print(a, b, preset, seats, result["games"], cells[-1], flush=True)
        lines.append(f"| {a} against {b} | " + " | ".join(cells) + " |")
    return lines


def main() -> None:
    """Measures, prints, and with `--write` puts the tables into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=600, help="games of each match")
    parser.add_argument("--others", type=int, default=300, help="games of each match of the second table")
    parser.add_argument("--hands", type=int, default=400)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--matches", action="store_true")
    parser.add_argument("--results", type=Path, help="a JSON file of matches played: those in it are not played again")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    lines = time_lines(2, args.hands)
    if args.matches:
        lines += ["", *match_lines(list(LADDER), MAIN, args.games, args.processes, args.results)]
        others = [("normal", "easy"), ("expert", "normal")]
        lines += ["", *match_lines(others, OTHERS, args.others, args.processes, args.results)]
    text = "\n".join(lines)
    print(text)
    if args.write:
        page = Path(__file__).resolve().parents[1] / "docs" / "cpu-players.md"
        before, _, rest = page.read_text(encoding="utf-8").partition(START)
        after = rest.partition(END)[2]
        page.write_text(f"{before}{START}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
