"""Whole games in the browser."""

from __future__ import annotations

import time

import pytest

from tests.e2e.conftest import MakePerson
from tests.e2e.people import Person

pytestmark = pytest.mark.e2e


def play_out(person: Person, *, seconds: float, check_every: int = 1) -> int:
    """Plays until the game has ended; returns the number of presses."""
    until = time.monotonic() + seconds
    presses = 0
    while not person.sees("dialog[open][data-sheet='game']"):
        assert time.monotonic() < until, f"the game did not end: {person.shown()}"
        if person.sees("dialog[open][data-sheet='round']"):
            person.press("dialog[open] [data-action='continue']")
        elif person.mine():
            person.turn()
            presses += 1
            if presses % check_every == 0:
                person.agrees()
        else:
            person.page.wait_for_timeout(30)
    return presses


@pytest.mark.timeout(300)
def test_stage6_a_person_plays_a_whole_classic_game_by_clicks(make_person: MakePerson) -> None:
    """From the start page to the result by clicks alone, the page agreeing with the server after each."""
    person = make_person(reduced_motion="reduce")
    person.settle()
    person.open()
    person.press("[data-action='play']")
    person.page.wait_for_selector(".hand [data-card]")
    assert person.page.locator(".hand [data-card]").count() == 10
    play_out(person, seconds=270, check_every=2)
    view = person.view()
    assert view["status"] == "finished"
    assert view["ruleset"]["preset"] == "classic"
    totals = person.page.eval_on_selector_all(
        ".standing [data-seat]", "(rows) => rows.map((row) => [row.dataset.seat, row.dataset.total])"
    )
    assert sorted(totals) == sorted([str(seat), str(total)] for seat, total in enumerate(view["result"]["totals"]))
    if 0 in view["result"]["winners"]:
        person.page.wait_for_selector(".lead.won:has-text('10 ranking points')")
    person.press("dialog[open] [data-action='rematch']")
    person.page.wait_for_function("(old) => location.hash.split('/')[2] !== old", arg=view["id"])
    person.page.wait_for_selector(".hand [data-card]")


@pytest.mark.timeout(300)
def test_stage6_a_person_plays_a_whole_game_by_touch_on_a_phone(make_person: MakePerson) -> None:
    """The same with a finger, at 360 by 740."""
    person = make_person(phone=True, reduced_motion="reduce")
    person.settle()
    person.open()
    person.press("[data-action='play']")
    person.page.wait_for_selector(".hand [data-card]")
    play_out(person, seconds=270, check_every=4)
    assert person.view()["status"] == "finished"
    assert person.page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.timeout(300)
def test_stage6_two_browsers_and_a_spectator_agree_with_the_server(make_person: MakePerson) -> None:
    """A table for friends: joined and watched by its links; each page shows its VIEW after each move."""
    ann, ben, eve = make_person(), make_person(phone=True), make_person()
    for person in (ann, ben, eve):
        person.settle()
    ann.open()
    ann.press("[data-action='preset'][data-value='pagat']")
    ann.press("[data-action='friends']")
    ann.press("[data-action='make-table']")
    ann.page.wait_for_selector(".qr")
    link = ann.page.input_value("#share-copy-link")
    watch = ann.page.input_value("#share-copy-watch")
    ben.page.goto(link)
    ben.page.wait_for_selector(".hand [data-card]")
    eve.page.goto(watch)
    eve.watch = watch.rpartition("/")[2]
    eve.page.wait_for_selector("r5-table[data-status='playing']")
    assert eve.page.locator(".hand [data-card]").count() == 0
    for _ in range(26):
        for person in (ann, ben, eve):
            if person.sees("dialog[open][data-sheet='round']"):
                person.press("dialog[open] [data-action='continue']")
            person.agrees()
        mover = ann if ann.mine() else ben
        mover.page.wait_for_selector("r5-table[data-ready]")
        assert "Your turn" in mover.page.title()
        mover.turn()
    assert ann.game == ben.game == eve.game


def test_another_device_on_the_same_seat_shows_the_same_table(make_person: MakePerson) -> None:
    """A second page of the same player follows what the first does, and may go on."""
    person = make_person()
    person.settle()
    person.open()
    person.press("[data-action='play']")
    person.page.wait_for_selector(person.action("draw"))
    second = Person(person.page.context.new_page(), person.base)
    second.open(f"#/table/{person.game}")
    second.page.wait_for_selector(second.action("draw"))
    person.press(person.action("draw"))
    for each in (person, second):
        each.page.wait_for_selector('[data-action="discard"]')
        each.agrees()
    second.last_card()
    person.agrees()


def test_an_open_table_is_found_in_the_list_and_by_its_short_code(make_person: MakePerson) -> None:
    """A public table appears on the start page of others at once, to be joined from the list or by six characters."""
    host, guest, late = make_person(), make_person(), make_person()
    host.press("[data-action='friends']")
    host.press("dialog[open] [data-action='people'][data-value='3']")
    host.press("dialog[open] [data-action='visibility'][data-value='public']")
    host.press("dialog[open] [data-action='make-table']")
    host.page.wait_for_selector(".qr")
    guest.press(f"[data-action='join'][data-game='{host.game}']")
    guest.page.wait_for_selector(".places")
    host.page.wait_for_function("() => document.querySelectorAll('.places [data-status=active]').length === 2")
    code = host.page.input_value("#share-copy-code")
    assert len(code) == 6
    late.page.fill("#code", code)
    late.press("[data-action='join-code']")
    for person in (host, guest, late):
        person.page.wait_for_selector(".hand [data-card]")
        person.agrees()
    icons = [person.page.get_attribute("link[rel='icon']", "href") for person in (host, guest, late)]
    assert sorted(icon or "" for icon in icons) == ["/table/icon-turn.svg", "/table/icon.svg", "/table/icon.svg"]
    guest.open()
    guest.page.wait_for_selector(f"[data-action='resume'][data-game='{host.game}']")
    guest.press(f"[data-action='resume'][data-game='{host.game}']")
    guest.page.wait_for_selector(".hand [data-card]")
    guest.agrees()
