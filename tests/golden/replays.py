"""Whole games in words, one turn a line: the promise that a later engine plays old games to the same end."""

import hashlib
import json
import random
from pathlib import Path

from server.game import (
    RULES_VERSION,
    Event,
    Move,
    State,
    apply,
    card_name,
    legal_moves,
    make_ruleset,
    move_json,
    parse_move,
    start,
)
from server.game.events import GameEnded, RoundEnded, RoundStarted
from server.game.moves import Draw, LayOff, PlayMeld
from tests.golden.notation import move_text, text_move

FOLDER = Path(__file__).parent / "replays"
SEATS = {"classic": 2, "pagat": 3, "party": 3, "nickel": 2, "house_float": 4, "partnership": 4}
LONGEST = 300
Acts = list[tuple[int, Move]]


def path_of(preset: str) -> Path:
    """The golden file of a preset."""
    return FOLDER / f"{preset}.txt"


def header(preset: str, seats: int, seed: bytes, nonce: str) -> list[str]:
    """The lines that say what is played."""
    options = make_ruleset(preset, {}, seats).options()
    return [
        f"rules {RULES_VERSION}",
        f"preset {preset}",
        f"options {json.dumps(options)}",
        f"seats {seats}",
        f"seed {seed.hex()}",
        f"nonce {nonce}",
    ]


def render(head: list[str], state: State, told: tuple[Event, ...], acts: Acts) -> list[str]:
    """The whole record: the moves played from this state, with what they led to."""
    lines = [*head, *_news(told)]
    for seat, move in acts:
        calls = state.phase == "call"
        text = move_text(move_json(move))
        if calls or (lines[-1].startswith(f"  {seat}:") and not isinstance(move, Draw)):
            lines[-1] += f" | {seat}: {text}" if calls else f", {text}"
        elif lines[-1].startswith(f"  {seat}:") and lines[-1].endswith("take back"):
            lines[-1] += f", {text}"
        else:
            lines.append(f"  {seat}: {text}")
        state, told = apply(state, seat, move)
        lines += _news(told)
    return lines


def _news(told: tuple[Event, ...]) -> list[str]:
    lines = []
    for event in told:
        if isinstance(event, RoundStarted):
            up = " ".join(card_name(card) for card in event.pile)
            lines.append(f"round {event.round}: dealer {event.dealer}, up {up}")
        elif isinstance(event, RoundEnded):
            who = "" if event.seat is None else f" by {event.seat}"
            scores = " ".join(f"{table}-{dead}={table - dead}" for table, dead, _ in event.scores)
            totals = " ".join(str(total) for _, _, total in event.scores)
            lines.append(f"end {event.reason}{who}: {scores}, totals {totals}")
        elif isinstance(event, GameEnded):
            lines.append(f"result {event.reason}: winners {' '.join(map(str, event.winners))}")
    return lines


def read(lines: list[str]) -> tuple[dict[str, str], Acts]:
    """The header and the moves of a record."""
    said: dict[str, str] = {}
    acts: Acts = []
    for line in lines:
        if not line.startswith("  "):
            word, _, rest = line.partition(" ")
            said.setdefault(word, rest)
            continue
        for part in line.split(" | "):
            seat, _, moves = part.strip().partition(": ")
            acts += [(int(seat), parse_move(text_move(text))) for text in moves.split(", ")]
    return said, acts


def replayed(lines: list[str]) -> list[str]:
    """The record that the engine writes when it plays the moves of this one."""
    said, acts = read(lines)
    seats = int(said["seats"])
    ruleset = make_ruleset(said["preset"], json.loads(said["options"]), seats)
    state, told = start(ruleset, seats, bytes.fromhex(said["seed"]), said["nonce"])
    return render(lines[:6], state, told, acts)


def write(preset: str) -> None:
    """Plays games by a simple rule until one is short enough, and writes it."""
    seats = SEATS[preset]
    for number in range(200):
        seed = hashlib.sha256(f"replay {preset} {number}".encode()).digest()
        nonce = "|" * (seats - 1)
        state, told = start(make_ruleset(preset, {}, seats), seats, seed, nonce)
        lines = render(header(preset, seats, seed, nonce), state, told, _played(state, random.Random(number)))
        if len(lines) < LONGEST:
            path_of(preset).write_text("\n".join(lines) + "\n", encoding="utf-8")
            return
    raise AssertionError(f"no short game of {preset}")


def _played(state: State, chance: random.Random) -> Acts:
    """A whole game: melds and lays off when it can, often reaches into the pile, and discards at random."""
    acts: Acts = []
    while not state.finished:
        seat = state.waiting[0]
        moves = legal_moves(state, seat)
        good: list[Move] = [move for move in moves if isinstance(move, PlayMeld | LayOff)]
        if state.phase == "draw":
            deep: list[Move] = [
                move for move in moves if isinstance(move, Draw) and move.card not in (None, *state.pile[-1:])
            ]
            good = deep if deep and chance.random() < 0.7 else moves[: chance.randint(1, 2)]
        elif state.phase == "call":
            good = moves[1:] if chance.random() < 0.5 else []
        move = chance.choice(good or moves)
        acts.append((seat, move))
        state, _ = apply(state, seat, move)
    return acts
