"""The option table: what each option may be, and what it means at the table in one line (R8)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

Value = Any


@dataclass(frozen=True, slots=True)
class Option:
    """One row of the table: its name, the rule it turns, what it may be, and the check and schema of its values."""

    name: str
    rule: str
    allowed: str
    schema: Mapping[str, object]
    accepts: Callable[[object], bool]


def _is_int(value: object, low: int, high: int | None) -> bool:
    return type(value) is int and value >= low and (high is None or value <= high)


def _choice(name: str, rule: str, *values: str | int) -> Option:
    kinds = {(type(value), value) for value in values}

    def accepts(value: object) -> bool:
        return isinstance(value, (str, int)) and (type(value), value) in kinds

    return Option(name, rule, " or ".join(str(value) for value in values), {"enum": list(values)}, accepts)


def _switch(name: str, rule: str) -> Option:
    return Option(name, rule, "true or false", {"type": "boolean"}, lambda value: type(value) is bool)


def _number(name: str, rule: str, low: int, high: int) -> Option:
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Option(name, rule, f"a whole number from {low} to {high}", schema, lambda value: _is_int(value, low, high))


def _pair(name: str, rule: str, allowed: str, low: int, high: int | None, *, rising: bool) -> Option:
    def accepts(value: object) -> bool:
        if not isinstance(value, (list, tuple)) or len(value) != 2:
            return False
        return all(_is_int(part, low, high) for part in value) and (not rising or value[0] <= value[1])

    part: dict[str, object] = {"type": "integer", "minimum": low} | ({} if high is None else {"maximum": high})
    return Option(name, rule, allowed, {"type": "array", "items": part, "minItems": 2, "maxItems": 2}, accepts)


OPTIONS: Final[tuple[Option, ...]] = (
    _pair("seats", "R8", "[fewest, most], two whole numbers from 2 to 8", 2, 8, rising=True),
    _choice("packs", "R2.1", "auto", 1, 2),
    _choice("jokers", "R2.1", 0, 1, 2),
    _pair("deal", "R4.2", "[cards each for two seats, for more], each at least 1", 1, None, rising=False),
    _choice("pile_depth", "R5.1", "any", "top"),
    _choice("top_discard", "R5.3", "free", "must_meld"),
    _choice("stock_exhausted", "R6.2", "end", "play_on"),
    _choice("card_points", "R2.3", "face", "five_ten_fifteen"),
    _choice("low_ace_points", "R2.3", 1, 5, 11, 15),
    _choice("joker_points", "R2.3", "fifteen", "represented"),
    _choice("going_out", "R5.7", "any", "float", "discard"),
    _choice("final_discard", "R5.8", "any", "unplayable"),
    _switch("call_rummy", "R6.5"),
    _switch("partners", "R7.3"),
    _choice("on_leave", "R7.4", "auto", "cpu", "forfeit"),
    _number("target", "R7.2", 1, 10_000),
    _number("max_rounds", "R7.2", 1, 1_000),
)

OPTIONS_SCHEMA: Final[dict[str, object]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Options of a ruleset",
    "type": "object",
    "additionalProperties": False,
    "properties": {option.name: dict(option.schema) for option in OPTIONS},
}
