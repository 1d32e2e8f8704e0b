"""A ruleset: a preset with options overridden, checked once when the game is made (R8)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from server.game.options import OPTIONS
from server.game.points import Points, points_for
from server.game.presets import KNOBS


class BadRuleset(ValueError):
    """An option, or the preset, that this table cannot be played with."""

    def __init__(self, option: str, detail: str) -> None:
        super().__init__(f"{option}: {detail}")
        self.option = option
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The knobs of one table, and what follows from them for its number of seats."""

    preset: str
    seats: tuple[int, int]
    packs: str | int
    jokers: int
    deal: tuple[int, int]
    pile_depth: str
    top_discard: str
    stock_exhausted: str
    card_points: str
    low_ace_points: int
    joker_points: str
    going_out: str
    final_discard: str
    call_rummy: bool
    partners: bool
    on_leave: str
    target: int
    max_rounds: int
    packs_in_play: int
    jokers_in_play: int
    cards_each: int
    calls: bool
    leaving_forfeits: bool
    points: Points = field(repr=False, compare=False)

    def options(self) -> dict[str, object]:
        """All options as JSON values, in the order of the table."""
        return {option.name: _json(getattr(self, option.name)) for option in OPTIONS}

    @property
    def changed(self) -> frozenset[str]:
        """The options whose value is not the preset's."""
        preset = KNOBS[self.preset]
        return frozenset(name for name, value in preset.items() if getattr(self, name) != value)


def _json(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    preset: {name: _json(value) for name, value in knobs.items()} for preset, knobs in KNOBS.items()
}


def make_ruleset(preset: str, options: Mapping[str, object], seats: int) -> Ruleset:
    """The ruleset of a table with so many seats; BadRuleset names the first option that will not do."""
    if preset not in KNOBS:
        raise BadRuleset("preset", f"there is no such preset; there are {', '.join(KNOBS)}")
    if not isinstance(options, Mapping):
        raise BadRuleset("options", "the options are an object of names and values")
    knobs: dict[str, Any] = dict(KNOBS[preset])
    known = {option.name: option for option in OPTIONS}
    for name, value in options.items():
        option = known.get(name)
        if option is None:
            raise BadRuleset(_shown(name), f"there is no such option; there are {', '.join(known)}")
        if not option.accepts(value):
            raise BadRuleset(name, f"{name} may be {option.allowed} ({option.rule})")
        knobs[name] = tuple(value) if isinstance(value, list) else value
    return _resolved(preset, knobs, seats)


def _shown(name: object) -> str:
    text = str(name)
    return text if text.isascii() and text.isprintable() and len(text) <= 40 else "options"


def _resolved(preset: str, knobs: dict[str, Any], seats: int) -> Ruleset:
    fewest, most = knobs["seats"]
    if not fewest <= seats <= most:
        raise BadRuleset("seats", f"this table has {seats} seats, and seats allows {fewest} to {most} (R8)")
    if knobs["partners"] and seats not in (4, 6, 8):
        raise BadRuleset("partners", f"partners may be true with 4, 6 or 8 seats, not with {seats} (R7.3)")
    if knobs["final_discard"] == "unplayable" and knobs["going_out"] == "discard":
        raise BadRuleset("final_discard", "final_discard may only be any where going_out is discard (R5.8)")
    packs = knobs["packs"] if knobs["packs"] != "auto" else 1 if seats <= 4 else 2
    jokers = knobs["jokers"] * packs
    each = knobs["deal"][0 if seats == 2 else 1]
    most_each = (52 * packs + jokers - 2) // seats
    if each > most_each:
        wrong = (
            f"deal of {each} cards to each of {seats} seats leaves no stock; here it may be at most {most_each} (R4.2)"
        )
        raise BadRuleset("deal", wrong)
    return Ruleset(
        preset=preset,
        **knobs,
        packs_in_play=packs,
        jokers_in_play=jokers,
        cards_each=each,
        calls=knobs["call_rummy"] and seats >= 3,
        leaving_forfeits=knobs["on_leave"] == "forfeit" or (knobs["on_leave"] == "auto" and seats == 2),
        points=points_for(knobs["card_points"], knobs["low_ace_points"], knobs["joker_points"]),
    )


assert {option.name for option in OPTIONS} <= {knob.name for knob in fields(Ruleset)}
