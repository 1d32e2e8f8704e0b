"""Records checked from themselves alone: right ones pass, whatever is changed in one is found."""

import copy
import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from server import ai
from server import game as rules
from server.boards.verify import verify
from server.tables import SeatSetup, Setup, Table, render
from server.tables.cpu_turns import cpu_input
from server.tables.live import advance
from server.tables.ports import Row

SEED = hashlib.sha256(b"verify").digest()


def setup_of(preset: str, seats: tuple[SeatSetup, ...], **options: object) -> Setup:
    ruleset = rules.make_ruleset(preset, options, len(seats))
    return Setup(
        game_id="0" * 32, maker="a" * 32, preset=preset, options=ruleset.options(), seats=seats, visibility="public",
        spectators=True, clock=None, call_seconds=5, client_seed="x", position=None, invite=None, watch=None,
        server_seed=SEED, commitment=hashlib.sha256(SEED).hexdigest(), nonce=None, daily=None, closes_at=None,
        rematch_of=None, fill_at=None, rules_version=rules.RULES_VERSION, ai_version=ai.AI_VERSION, created_at=0,
    )  # fmt: skip


def played(setup: Setup, *, leaves_after: int | None = None) -> dict[str, Any]:
    """The record of a game in which the person makes the first listed move, or leaves after some moves."""
    table = Table(setup)
    rows: list[Row] = []

    def append(entry: dict[str, Any]) -> None:
        at = 1000 * (len(rows) + 1)
        live, events = advance(setup, table.live, entry, at)
        rows.append(Row(table.version, live.version, entry, at))
        table.accept(rows[-1], live, events)

    append({"k": "make"})
    for number in range(5000):
        live = table.live
        if live.status == "finished":
            return render.record(setup, live, rows, {}, 2**53)
        assert live.state is not None
        if number == leaves_after:
            append({"k": "left", "seats": [0]})
            continue
        seat = live.waiting[0]
        if live.seats[seat].is_cpu:
            move = ai.choose(live.seats[seat].cpu_level, *cpu_input(table, live, seat))
            append({"k": "move", "seat": seat, "move": move, "by": "cpu"})
        elif number % 7 == 6:
            clock = rules.move_json(rules.clock_move(live.state, seat))
            append({"k": "move", "seat": seat, "move": clock, "by": "clock"})
        else:
            first = rules.move_json(rules.legal_moves(live.state, seat)[0])
            append({"k": "move", "seat": seat, "move": first, "by": "player"})
    raise AssertionError("the game has no end")


CPU = SeatSetup("cpu", "normal")
ME = SeatSetup("me")


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    """A finished game of a person against a CPU player."""
    return played(setup_of("pagat", (ME, CPU), target=60))


@pytest.mark.parametrize(
    ("setup", "leaves_after"),
    [
        (setup_of("party", (ME, CPU, SeatSetup("cpu", "easy")), target=60), None),
        (setup_of("house_float", (ME, CPU, CPU), target=60), 25),
        (setup_of("pagat", (ME, CPU)), 9),
        (setup_of("partnership", (ME, CPU, CPU, SeatSetup("cpu", "easy")), target=60), None),
    ],
    ids=["calls and jokers", "everybody left", "forfeit", "partners"],
)
def test_stage5_every_kind_of_record_is_verified(setup: Setup, leaves_after: int | None) -> None:
    """Jokers, calls, the clock, partners and leaving: played again they give the same result."""
    report = verify(played(setup, leaves_after=leaves_after))
    assert report.problems == []
    assert report.moves > 0


def test_stage5_a_record_is_verified_with_its_cpu_choices(record: dict[str, Any]) -> None:
    """All moves, rounds and choices are gone through."""
    report = verify(record)
    assert (report.problems, report.notes) == ([], [])
    assert report.moves == len(record["moves"])
    assert report.cpu_moves == sum(move["by"] == "cpu" for move in record["moves"]) > 0
    assert report.rounds > 0


def _not_the_clocks(record: dict[str, Any]) -> None:
    """A CPU player's choice is said to be the clock's."""
    at = next(i for i, move in enumerate(record["moves"]) if move["by"] == "cpu" and move["move"]["type"] == "discard")
    record["moves"][at]["by"] = "clock"


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another seed": lambda record: record["fairness"].update(server_seed="00" * 32),
    "another commitment": lambda record: record["fairness"].update(commitment="00" * 32),
    "another nonce": lambda record: record["fairness"].update(nonce="y|"),
    "another total": lambda record: record["result"]["totals"].__setitem__(0, 9999),
    "another winner": lambda record: record["result"].update(winners=[1 - record["result"]["winners"][0]]),
    "a move less": lambda record: record["moves"].pop(),
    "a move twice": lambda record: record["moves"].insert(3, record["moves"][3]),
    "a move by nobody": lambda record: record["moves"][0].update(by="player", seat=1),
    "the clock's choice": _not_the_clocks,
    "another level": lambda record: record["seats"][1]["player"].update(level="easy"),
    "a move too early": lambda record: record["moves"][0].update(seq=record["moves"][0]["seq"] - 1),
    "a move as late as the next": lambda record: record["moves"][4].update(seq=record["moves"][5]["seq"]),
    "no move": lambda record: record["moves"][2].update(move={"type": "fly"}),
    "another ruleset": lambda record: record["ruleset"]["options"].update(card_points="five_ten_fifteen"),
    "no seats": lambda record: record.pop("seats"),
    "no seed yet": lambda record: record["fairness"].update(server_seed=None),
    "other rules": lambda record: record.update(rules_version="0"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_stage5_whatever_is_changed_in_a_record_is_found(record: dict[str, Any], change: str) -> None:
    """A record with one thing changed is reported as wrong, and never raises."""
    changed = copy.deepcopy(record)
    CHANGES[change](changed)
    assert verify(changed).problems


@pytest.mark.parametrize("nonsense", [None, [], 7, "x", {}, {"fairness": 1}, {"fairness": {"server_seed": "zz"}}])
def test_what_is_no_record_is_reported(nonsense: object) -> None:
    """Any JSON value gets a report."""
    assert verify(nonsense).problems


def test_stage5_the_command_verifies_files(record: dict[str, Any], tmp_path: Path) -> None:
    """`rummy500 verify` prints a line a record; the exit status is 0 when all are right, else 1."""
    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    good.write_bytes(orjson.dumps(record))
    bad.write_bytes(orjson.dumps(record | {"result": record["result"] | {"totals": [1, 2]}}))
    none.write_text("{")
    for paths, status, said in (([good], 0, "right"), ([bad], 1, "WRONG"), ([good, none], 1, "cannot be read")):
        ran = subprocess.run(
            [sys.executable, "-m", "server", "verify", *map(str, paths)], capture_output=True, text=True, check=False
        )
        assert ran.returncode == status, ran.stderr
        assert said in ran.stdout + ran.stderr
