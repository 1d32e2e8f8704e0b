"""Plays the project's own rule vectors (`tests/vectors/README.md`) through the engine, and counts what they cover."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.game import (
    BadPosition,
    BadRuleset,
    State,
    apply,
    clock_move,
    event_json,
    from_position,
    leave_forfeit,
    legal_moves,
    make_ruleset,
    move_json,
    parse_move,
    refusal,
    start,
)
from server.game.options import OPTIONS
from server.game.presets import KNOBS
from tests.game.conversion import everything

Json = dict[str, Any]
FOLDER = Path(__file__).parent.parent / "vectors"
SEED = bytes(range(32))
SECTIONS = {"R2": 3, "R3": 7, "R4": 3, "R5": 10, "R6": 7, "R7": 4}
RULES = {f"{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)} | {"R8"}


def suites() -> Iterator[Json]:
    for path in sorted(FOLDER.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        if "cases" in found:
            yield found


def cases() -> Iterator[Any]:
    for suite in suites():
        for case in suite["cases"]:
            yield pytest.param(case, id=f"{suite['suite']}: {case['name']}")


CASES = [case.values[0] for case in cases()]


@pytest.mark.parametrize("case", list(cases()))
def test_vector(case: Json) -> None:
    """The engine accepts, refuses, shows and tells what the case says."""
    rules, seats = case["ruleset"], case["seats"]
    try:
        ruleset = make_ruleset(rules["preset"], rules["options"], seats)
        if "position" in case:
            state, _ = from_position(ruleset, seats, case["position"], SEED, "")
        else:
            state, _ = start(ruleset, seats, SEED, "")
    except (BadRuleset, BadPosition) as bad:
        code = "bad_ruleset" if isinstance(bad, BadRuleset) else "bad_position"
        if case.get("create_refused") != code:
            raise
        return
    assert "create_refused" not in case, "the game was made"
    for number, step in enumerate(case["steps"], 1):
        try:
            state = play(state, step)
        except AssertionError as wrong:
            raise AssertionError(f"step {number}: {wrong}") from None


def play(state: State, step: Json) -> State:
    """Plays one step and compares what it says."""
    seat = step["seat"]
    listed = [move_json(move) for move in legal_moves(state, seat)]
    for wanted in step.get("legal_includes", []):
        assert any(same_move(wanted, move) for move in listed), f"{wanted} is not among {listed}"
    for wanted in step.get("legal_excludes", []):
        assert not any(same_move(wanted, move) for move in listed), f"{wanted} is listed"
    after, told = act(state, seat, step)
    if step.get("refused"):
        assert after is state
    rest = iter(told)
    for wanted in step.get("events", []):
        assert any(difference(wanted, event) is None for event in rest), f"no event {wanted} in its place in {told}"
    shown = everything(after) | {"status": "finished" if after.finished else "playing"}
    wrong = difference(step.get("view", {}), shown)
    assert wrong is None, wrong
    return after


def act(state: State, seat: int, step: Json) -> tuple[State, list[Json]]:
    """The state after a step and its events: a move, the clock's move (which is checked), or a seat that leaves."""
    everyone = (1 << state.seats) - 1
    if "leaves" in step:
        assert state.ruleset.leaving_forfeits == step["forfeits"]
        if not step["forfeits"]:
            return state, []
        after, events = leave_forfeit(state, seat)
    elif "move" in step or "clock" in step:
        move = clock_move(state, seat) if "clock" in step else parse_move(step["move"])
        if "clock" in step:
            assert same_move(step["clock"], move_json(move)), f"the clock plays {move_json(move)}"
        refused = refusal(state, seat, move)
        assert (refused and refused.code) == step.get("refused"), refused
        if refused:
            return state, []
        after, events = apply(state, seat, move)
    else:
        return state, []
    return after, [event_json(event, everyone) for event in events]


def same_move(wanted: Json, listed: Json) -> bool:
    """Whether the listed move has at least these parts, the cards of a meld in any order."""
    return all(
        key in listed and (sorted(listed[key]) == sorted(value) if key == "cards" else listed[key] == value)
        for key, value in wanted.items()
    )


def difference(wanted: Any, got: Any, path: str = "") -> str | None:
    """Where `got` lacks what is wanted: objects by the keys wanted, lists element by element."""
    parts: list[tuple[str, Any, Any]]
    if isinstance(wanted, dict) and isinstance(got, dict):
        parts = [(key, value, got.get(key, "nothing")) for key, value in wanted.items()]
    elif isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        parts = [(str(place), *pair) for place, pair in enumerate(zip(wanted, got, strict=True))]
    else:
        return None if wanted == got and type(wanted) is type(got) else f"{path} is {got!r}, not {wanted!r}"
    found = (difference(value, other, f"{path}.{key}") for key, value, other in parts)
    return next((wrong for wrong in found if wrong), None)


def test_every_rule_has_a_vector() -> None:
    """Each numbered rule is cited by at least one case, and no case cites a rule that does not exist."""
    cited = {rule for case in CASES for rule in case["rules"]}
    assert cited == RULES, f"without a case: {sorted(RULES - cited)}; not a rule: {sorted(cited - RULES)}"


def option_values() -> Iterator[tuple[str, object]]:
    """Every value of the options that have few, and the two ends' neighbours for those that have many."""
    for option in OPTIONS:
        if "enum" in option.schema:
            yield from ((option.name, value) for value in option.schema["enum"])  # type: ignore[attr-defined]
        elif option.schema["type"] == "boolean":
            yield from ((option.name, value) for value in (True, False))


@pytest.mark.parametrize(("name", "value"), list(option_values()))
def test_every_value_of_every_option_has_a_vector(name: str, value: object) -> None:
    """A case that is played sets the option to this value, or plays a preset that has it."""
    played = [case["ruleset"] for case in CASES if "steps" in case]
    assert any({**KNOBS[rules["preset"]], **rules["options"]}[name] == value for rules in played)


@pytest.mark.parametrize("name", [option.name for option in OPTIONS])
def test_every_option_is_set_by_a_vector(name: str) -> None:
    """No option is only ever what the presets make it."""
    assert any(name in case["ruleset"]["options"] for case in CASES)


@pytest.mark.parametrize("preset", list(KNOBS))
def test_every_preset_has_a_vector(preset: str) -> None:
    """A case plays each preset."""
    assert any(case["ruleset"]["preset"] == preset for case in CASES)
