"""Plays a few games and prints a digest of all their moves: a program of its own, for other processes and Pythons."""

import hashlib
import json
import sys
from pathlib import Path

GAMES = (
    ("classic", ["expert", "normal"]),
    ("classic", ["easy", "normal"]),
    ("pagat", ["expert", "normal"]),
    ("pagat", ["expert", "reference"]),
    ("pagat", ["easy", "easy"]),
    ("pagat", ["expert", "easy", "reference"]),
    ("party", ["expert", "normal", "easy", "random", "expert"]),
    ("house_float", ["expert", "normal", "random"]),
    ("partnership", ["normal", "expert", "easy", "reference"]),
)


def digest() -> str:
    """One digest of the moves of all the games."""
    from tests.ai.tables import choices, ruleset

    total = hashlib.sha256()
    for number, (preset, levels) in enumerate(GAMES):
        rules = ruleset(preset, len(levels), {"target": 60})
        for asked in choices(rules, levels, number):
            total.update(json.dumps([asked.seat, asked.state.pile, asked.state.hands, asked.state.totals]).encode())
    return total.hexdigest()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    sys.stdout.write(digest())
