"""How it looks and reads: languages, small screens, contrast, and the pictures in docs/screens."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.conftest import MakePerson
from tests.e2e.people import Person
from tests.support.node import packages

pytestmark = pytest.mark.e2e
Screen = Callable[[Person, str], None]

LANGUAGES = ["en", "ms", "th", "id", "sw", "eo"]
KEY = re.compile(r"\b[a-z_]+\.[a-z_]+(\.[a-z_]+)?\b")


def made_up(make_person: MakePerson, preview: str, query: str, *, phone: bool = False, **options: Any) -> Person:
    """A page with a made-up view."""
    person = make_person(address=preview, where=f"preview/index.html?{query}", phone=phone, **options)
    person.page.wait_for_selector("html[data-ready='yes']")
    return person


@pytest.mark.parametrize("language", LANGUAGES)
def test_stage6_every_language_has_its_start_page_and_table(
    make_person: MakePerson, screen: Screen, language: str
) -> None:
    """The device's language is spoken from the first page on, without a key left over or a word cut off sideways."""
    person = make_person(phone=True, locale=language, reduced_motion="reduce")
    person.page.wait_for_selector(f"html[lang='{language}'] [data-action='play']")
    screen(person, f"start-{language}-phone")
    assert person.page.evaluate("() => seen.small()") == []
    texts = [person.page.inner_text("body")]
    person.press("[data-action='play']")
    person.page.wait_for_selector("r5-table[data-ready]")
    screen(person, f"table-{language}-phone")
    texts.append(person.page.inner_text("body"))
    for text in texts:
        assert not KEY.findall(text), KEY.findall(text)
    assert person.page.evaluate("document.documentElement.scrollWidth") == 360


def test_stage6_the_eight_seat_table_on_a_phone(make_person: MakePerson, preview: str, screen: Screen) -> None:
    """360 by 740, eight seats, 30 cards in hand, 40 in the pile, 60 melded: indices show, no sideways scroll."""
    person = made_up(make_person, preview, "state=crowd", phone=True)
    page = person.page
    counts = [page.locator(f"{place} [data-card]").count() for place in (".hand", ".pile", "r5-melds")]
    assert counts == [30, 40, 60]
    assert page.locator(".seat").count() == 7
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("document.querySelector('.felt').scrollWidth <= document.querySelector('.felt').clientWidth")
    screen(person, "eight-seats-phone")
    assert page.evaluate("() => seen.covered()") == []
    assert page.evaluate("() => seen.small()") == []


@pytest.mark.parametrize("place", [".hand", ".pile"])
def test_small_targets_are_magnified_under_a_finger(make_person: MakePerson, preview: str, place: str) -> None:
    """Where cards lie closer than 44 px a resting finger sees the one it would choose large, and slides to the next."""
    person = made_up(make_person, preview, "state=crowd", phone=True)
    cards = person.page.locator(f"{place} [data-card]")
    first, third = cards.nth(0).bounding_box(), cards.nth(2).bounding_box()
    assert first
    assert third
    touch = person.page.context.new_cdp_session(person.page)
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": first["x"] + 9, "y": first["y"] + 12}]}
    )
    person.page.wait_for_selector(".lens")
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": third["x"] + 9, "y": third["y"] + 12}]}
    )
    suit = cards.nth(2).get_attribute("data-suit")
    person.page.wait_for_selector(f".lens[data-suit='{suit}']")
    lens = person.page.locator(".lens").bounding_box()
    assert lens
    assert lens["width"] >= 90
    assert lens["y"] + lens["height"] <= third["y"] + 4
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert not person.sees(".lens")


def violations(person: Person) -> list[str]:
    """What axe-core finds that is serious."""
    person.page.evaluate((packages() / "axe-core" / "axe.min.js").read_text())
    found: list[str] = person.page.evaluate("() => seen.serious()")
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", ["draw", "play", "call", "waiting", "round", "game", "crowd"])
def test_stage6_axe_finds_nothing_serious(
    make_person: MakePerson, preview: str, screen: Screen, state: str, theme: Any
) -> None:
    """Each state of the table by day and by night, contrast included; each has its picture."""
    person = made_up(make_person, preview, f"state={state}", color_scheme=theme, reduced_motion="reduce")
    person.page.wait_for_timeout(100)
    if state in ("draw", "round", "crowd"):
        screen(person, f"{state}-{theme}")
    assert violations(person) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_the_start_page_and_its_sheets(
    make_person: MakePerson, screen: Screen, theme: Any
) -> None:
    """The start page, settings and the sheet for friends."""
    person = make_person(color_scheme=theme, reduced_motion="reduce")
    person.page.wait_for_selector(".house-box")
    screen(person, f"start-{theme}")
    assert violations(person) == []
    for action, name in (("settings", "settings"), ("friends", "friends")):
        person.press(f"[data-action='{action}']")
        person.page.wait_for_selector(f"dialog[open][data-sheet='{name}']")
        assert violations(person) == []
        person.press("dialog[open] [data-action='close']")


@pytest.mark.parametrize("state", ["draw", "play", "call", "round", "game", "waiting"])
def test_the_states_on_a_phone(make_person: MakePerson, preview: str, screen: Screen, state: str) -> None:
    """Each state fits a phone, with targets a finger hits."""
    person = made_up(make_person, preview, f"state={state}", phone=True, reduced_motion="reduce")
    person.page.wait_for_timeout(100)
    screen(person, f"{state}-phone")
    assert person.page.evaluate("document.documentElement.scrollWidth") == 360
    assert person.page.evaluate("() => seen.small()") == []


def test_large_cards_and_four_colours(make_person: MakePerson, preview: str, screen: Screen) -> None:
    """The options change size and colours."""
    person = made_up(make_person, preview, "state=draw&large&four", phone=True)
    large = person.page.locator('.hand [data-card="7D"]').bounding_box()
    assert large
    assert large["width"] >= 74
    colours = person.page.evaluate("(codes) => seen.colours(codes)", ["7D", "8H", "2C", "AS"])
    assert len(set(colours)) == 4
    screen(person, "large-four-colours-phone")


def test_reduced_motion_moves_nothing(make_person: MakePerson, preview: str) -> None:
    """With reduced motion an event is simply there."""
    person = made_up(make_person, preview, "state=draw", reduced_motion="reduce")
    drew = {
        "type": "drew",
        "seat": 0,
        "from": "stock",
        "count": 1,
        "cards": ["3C"],
        "obligation": None,
        "no_discard": None,
    }
    person.page.evaluate("(event) => preview.event(event)", drew)
    assert person.page.evaluate("document.getAnimations().length") == 0
    assert person.sees('.hand [data-card="3C"]')


def test_moves_of_others_come_one_by_one_and_a_tap_shows_the_rest(make_person: MakePerson, preview: str) -> None:
    """A CPU player's turn is shown move by move at a human pace; a tap on the table skips to its end."""
    person = made_up(make_person, preview, "state=draw")
    page = person.page
    for event in (
        "{type: 'drew', seat: 1, from: 'stock', count: 1, cards: null, obligation: null, no_discard: null}",
        "{type: 'drew', seat: 1, from: 'stock', count: 1, cards: null, obligation: null, no_discard: null}",
        "{type: 'discarded', seat: 1, card: 'KD'}",
    ):
        page.evaluate(f"preview.event({event})")
    first = int(page.get_attribute("r5-table", "data-version") or 0)
    assert first < 43
    page.wait_for_function("() => Number(document.querySelector('r5-table').dataset.version) === 42")
    page.mouse.click(600, 520)
    assert page.get_attribute("r5-table", "data-version") == "43"
