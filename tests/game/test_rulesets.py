"""Rulesets: the option table, the presets, what is refused, and the page of the rules."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.game import OPTIONS_SCHEMA, PRESETS, BadRuleset, make_ruleset, rules_text
from server.game.options import OPTIONS

TABLE = {
    "classic": ([2, 4], "auto", 0, [10, 7], "must_meld", "end", "face", 15, "any", "any", False, False),
    "pagat": ([2, 8], "auto", 0, [13, 7], "free", "play_on", "face", 1, "any", "any", False, False),
    "party": ([2, 8], "auto", 2, [13, 7], "free", "play_on", "face", 1, "any", "any", True, False),
    "nickel": ([2, 8], "auto", 0, [13, 7], "free", "play_on", "five_ten_fifteen", 5, "any", "any", False, False),
    "house_float": ([2, 8], "auto", 2, [13, 7], "free", "play_on", "face", 1, "float", "unplayable", True, False),
    "partnership": ([4, 8], "auto", 0, [13, 7], "free", "play_on", "face", 1, "any", "any", False, True),
}
COLUMNS = (
    "seats",
    "packs",
    "jokers",
    "deal",
    "top_discard",
    "stock_exhausted",
    "card_points",
    "low_ace_points",
    "going_out",
    "final_discard",
    "call_rummy",
    "partners",
)


@pytest.mark.parametrize("preset", list(TABLE))
def test_stage2_presets_are_the_table_of_the_rules(preset: str) -> None:
    """Each preset has every option in table order, with the table's values."""
    options = PRESETS[preset]
    assert list(options) == [option.name for option in OPTIONS]
    assert tuple(options[name] for name in COLUMNS) == TABLE[preset]
    rest = {name: value for name, value in options.items() if name not in COLUMNS}
    assert rest == {
        "pile_depth": "any",
        "joker_points": "fifteen",
        "on_leave": "auto",
        "target": 500,
        "max_rounds": 100,
    }
    assert list(PRESETS) == list(TABLE)


def fits(value: Any, schema: Any) -> bool:
    """Whether a value fits the part of JSON Schema that the options use."""
    if "enum" in schema:
        return any(type(value) is type(one) and value == one for one in schema["enum"])
    kind: Any = {"boolean": bool, "integer": int, "array": list}[schema["type"]]
    if type(value) is not kind:
        return False
    if kind is list:
        return len(value) == schema["minItems"] == schema["maxItems"] and all(
            fits(part, schema["items"]) for part in value
        )
    return kind is bool or schema["minimum"] <= value <= schema.get("maximum", value)


def test_options_are_json_and_fit_their_schema() -> None:
    """The options of a preset pass through JSON and fit the schema, and the schema takes what the engine takes."""
    properties: Any = OPTIONS_SCHEMA["properties"]
    assert OPTIONS_SCHEMA["additionalProperties"] is False
    assert list(properties) == [option.name for option in OPTIONS]
    for options in PRESETS.values():
        assert json.loads(json.dumps(options)) == options
        assert all(fits(value, properties[name]) for name, value in options.items())
    values = [
        True,
        0,
        1,
        2,
        3,
        5,
        500,
        10_000,
        10_001,
        1.0,
        "1",
        "any",
        "auto",
        "free",
        None,
        [2, 8],
        [7],
        [0, 3],
        [4, 2],
    ]
    for option in OPTIONS:
        for value in values:
            assert fits(value, properties[option.name]) == option.accepts(value) or (option.name, value) == (
                "seats",
                [4, 2],
            )


def test_overridden_options_are_shown_in_full_and_told_apart() -> None:
    """`options()` has them all; `changed` only those that differ from the preset's."""
    ruleset = make_ruleset("party", {"target": 200, "jokers": 2, "seats": [2, 5]}, 3)
    assert ruleset.options() == {**PRESETS["party"], "target": 200, "seats": [2, 5]}
    assert ruleset.changed == {"target", "seats"}
    assert make_ruleset("classic", {}, 2).changed == frozenset()


def test_what_follows_from_the_number_of_seats() -> None:
    """Packs, jokers, cards each, calling and leaving are settled when the table is made."""
    two, five = make_ruleset("party", {}, 2), make_ruleset("party", {}, 5)
    assert (two.packs_in_play, two.jokers_in_play, two.cards_each, two.calls, two.leaving_forfeits) == (
        1,
        2,
        13,
        False,
        True,
    )
    assert (five.packs_in_play, five.jokers_in_play, five.cards_each, five.calls, five.leaving_forfeits) == (
        2,
        4,
        7,
        True,
        False,
    )


@pytest.mark.parametrize(
    ("options", "seats", "option"),
    [
        ({"nothing": 1}, 2, "nothing"),
        ({"jokers": True}, 2, "jokers"),
        ({"jokers": 1.0}, 2, "jokers"),
        ({"packs": "2"}, 2, "packs"),
        ({"packs": None}, 2, "packs"),
        ({"target": 500.0}, 2, "target"),
        ({"target": True}, 2, "target"),
        ({"call_rummy": 1}, 2, "call_rummy"),
        ({"seats": [3, 2]}, 2, "seats"),
        ({"seats": [2, 9]}, 2, "seats"),
        ({"seats": [3, 8]}, 2, "seats"),
        ({"deal": [26, 7]}, 2, "deal"),
        ({"deal": [13, 7, 7]}, 2, "deal"),
        ({"deal": "13"}, 2, "deal"),
        ({"packs": 1}, 8, "deal"),
        ({"partners": True}, 5, "partners"),
        ({"going_out": "discard", "final_discard": "unplayable"}, 2, "final_discard"),
        ({"going_out": []}, 2, "going_out"),
        ({"\ud800": 1}, 2, "options"),
    ],
)
def test_stage2_a_bad_option_is_named(options: dict[str, object], seats: int, option: str) -> None:
    """The refusal names the option and says what it may be."""
    with pytest.raises(BadRuleset) as refused:
        make_ruleset("pagat", options, seats)
    assert refused.value.option == option
    refused.value.detail.encode()


def test_a_bad_preset_or_no_object_is_named() -> None:
    """So are a preset that is not there, and options that are no object."""
    for preset, options, named in (("gin", {}, "preset"), ("pagat", [], "options"), ("", {}, "preset")):
        with pytest.raises(BadRuleset) as refused:
            make_ruleset(preset, options, 2)  # type: ignore[arg-type]
        assert refused.value.option == named


ODD = (
    st.none()
    | st.booleans()
    | st.integers(-2, 30)
    | st.sampled_from(["any", "auto", "free"])
    | st.lists(st.integers(-1, 60), max_size=3)
)


@given(st.dictionaries(st.sampled_from([option.name for option in OPTIONS]), ODD, max_size=4), st.integers(2, 8))
def test_any_options_make_a_ruleset_or_are_refused(options: dict[str, object], seats: int) -> None:
    """No value of an option makes the engine fail in another way."""
    try:
        ruleset = make_ruleset("pagat", options, seats)
    except BadRuleset as bad:
        named = bad.option
    else:
        named = "seats"
        assert ruleset.options() == {**PRESETS["pagat"], **options}
        assert ruleset.cards_each * seats + 2 <= 52 * ruleset.packs_in_play + ruleset.jokers_in_play
    assert named in PRESETS["pagat"]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_stage2_rules_page_says_each_option_in_one_line(preset: str) -> None:
    """The page is generated from the option table: a rule and a plain line for each option, in its order."""
    text = rules_text(make_ruleset(preset, {}, 4))
    assert [line["rule"] for line in text] == [option.rule for option in OPTIONS]
    for line in text:
        said = str(line["line"])
        assert said.endswith(".")
        assert 10 < len(said) < 130


def test_stage2_rules_page_changes_with_every_option() -> None:
    """Each value of an option is said in words of its own."""
    choices: dict[str, list[object]] = {
        option.name: list(option.schema["enum"]) if "enum" in option.schema else [True, False]  # type: ignore[call-overload]
        for option in OPTIONS
        if "enum" in option.schema or option.schema.get("type") == "boolean"
    }
    choices |= {"target": [100, 500], "max_rounds": [1, 9], "seats": [[4, 4], [2, 8]], "deal": [[7, 7], [13, 7]]}
    for index, option in enumerate(OPTIONS):
        lines = {
            str(rules_text(make_ruleset("pagat", {option.name: value}, 4))[index]["line"])
            for value in choices[option.name]
        }
        assert len(lines) == len(choices[option.name]), option.name
