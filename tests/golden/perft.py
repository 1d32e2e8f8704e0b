"""Counting sequences of listed moves from seeded positions, by the engine and by the slow reference engine.

A position is a deal of a preset, with so many moves played from it by a fixed rule. Counted are the sequences of
exactly `depth` moves that stay in the round; in a call the first seat that has not answered moves.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.game import PRESETS, State, apply, legal_moves, make_ruleset, move_json, start
from tests.game.conversion import reference_round
from tests.game.reference import Round
from tests.golden.notation import move_text

Json = dict[str, Any]
FOLDER = Path(__file__).parent / "perft"
SEATS = {"classic": (2, 3, 4), "partnership": (4, 6, 8)}
PLAYED = (0, 9, 31)
MOST = 6000  # sequences counted
FEW = 90  # sequences that the reference engine counts within a test


@dataclass(frozen=True)
class Seeded:
    """A position to count from."""

    preset: str
    seats: int
    played: int

    def state(self) -> State:
        """The position."""
        name = f"{self.preset} {self.seats} {self.played}"
        state, _ = start(
            make_ruleset(self.preset, {}, self.seats), self.seats, hashlib.sha256(name.encode()).digest(), ""
        )
        for step in range(self.played):
            seat = state.waiting[0]
            moves = legal_moves(state, seat)
            state, _ = apply(state, seat, moves[(step * 7 + 3) % len(moves)])
        return state


def positions(preset: str) -> list[Seeded]:
    """The positions of a preset."""
    return [Seeded(preset, seats, played) for seats in SEATS.get(preset, (2, 4, 7)) for played in PLAYED]


def count(state: State, depth: int) -> int:
    """Sequences of so many moves, by the engine."""
    if depth == 0:
        return 1
    return sum(count(after, depth - 1) for _, after in steps(state))


def steps(state: State) -> list[tuple[str, State]]:
    """The listed moves that stay in the round, with what comes of them."""
    seat = state.waiting[0]
    found = []
    for move in legal_moves(state, seat):
        after, _ = apply(state, seat, move)
        if after.round == state.round and not after.finished:
            found.append((move_text(move_json(move)), after))
    return found


def branches(state: State, depth: int) -> dict[str, int]:
    """For each first move the sequences that begin with it."""
    return {text: count(after, depth - 1) for text, after in steps(state)}


def slow_count(table: Round, depth: int) -> int:
    """Sequences of so many moves, by the reference engine."""
    if depth == 0:
        return 1
    return sum(slow_count(after, depth - 1) for _, after in slow_steps(table))


def slow_steps(table: Round) -> list[tuple[str, Round]]:
    """The listed moves that stay in the round, by the reference engine."""
    seat = table.waiting[0] if table.phase == "call" else table.turn
    found = [(move_text(move), table.after(seat, move)) for move in table.listed(seat)]
    return [(text, after) for text, after in found if not after.over]


def first_wrong_branch(state: State, table: Round, depth: int) -> list[str]:
    """The moves that lead to the first position in which the engines list differently, then what each lists alone."""
    fast, slow = dict(steps(state)), dict(slow_steps(table))
    fast_only, slow_only = sorted(set(map(sorted_text, fast)) ^ set(map(sorted_text, slow))), sorted(slow)
    if fast_only:
        return [f"one engine alone lists {fast_only}", f"the slow one lists {slow_only}"]
    by_text = {sorted_text(text): after for text, after in slow.items()}
    for text, after in fast.items():
        other = by_text[sorted_text(text)]
        if depth > 1 and count(after, depth - 1) != slow_count(other, depth - 1):
            return [text, *first_wrong_branch(after, other, depth - 1)]
    return []


def sorted_text(text: str) -> str:
    """The words in alphabetical order: the cards of a meld may stand in any."""
    return " ".join(sorted(text.split()))


def counted(seeded: Seeded) -> Json:
    """The golden entry of a position: counts at each depth as far as there are not too many, and the first branches."""
    state = seeded.state()
    counts = [count(state, 1)]
    while len(counts) < 6 and (more := count(state, len(counts) + 1)) <= MOST:
        counts.append(more)
    entry: Json = {"seats": seeded.seats, "played": seeded.played, "counts": counts}
    return entry | {"branches": branches(state, len(counts))}


def confirm(seeded: Seeded, entry: Json, most: int = MOST) -> None:
    """AssertionError, with the first wrong branch, where the reference engine counts differently; up to so many."""
    state = seeded.state()
    table = reference_round(state)
    for depth, counted_fast in enumerate(entry["counts"], 1):
        if counted_fast <= most and slow_count(table, depth) != counted_fast:
            raise AssertionError(f"{seeded}, depth {depth}: {' → '.join(first_wrong_branch(state, table, depth))}")


def path_of(preset: str) -> Path:
    """The golden file of a preset."""
    return FOLDER / f"{preset}.json"


def write(preset: str) -> None:
    """Counts the positions of a preset, has each confirmed, and writes the golden file."""
    entries = []
    for seeded in positions(preset):
        entry = counted(seeded)
        confirm(seeded, entry)
        entries.append("  " + json.dumps(entry))
    path_of(preset).write_text('{"positions": [\n' + ",\n".join(entries) + "\n]}\n", encoding="utf-8")


def read(preset: str) -> list[Json]:
    """The golden entries of a preset."""
    found: list[Json] = json.loads(path_of(preset).read_text(encoding="utf-8"))["positions"]
    return found


ALL = tuple(PRESETS)
