"""Every phase of a game as a person meets it: reloads, calls, jokers, refusals, restarts."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.e2e.conftest import MakePerson
from tests.e2e.people import Person

pytestmark = pytest.mark.e2e

DUEL: dict[str, Any] = {
    "hands": [["7H", "8H", "9H", "KC", "2D"], ["QC", "QD", "3S", "4S"]],
    "stock": ["5D", "6C", "TD", "JS", "8C", "9D"], "pile": ["4H", "TH", "2C"], "melds": [], "totals": [0, 0],
    "dealer": 1, "turn": 0, "phase": "draw",
}  # fmt: skip


class Friend:
    """Somebody who plays by the API alone."""

    def __init__(self, base: str) -> None:
        self.base, self.token = base, ""
        self.token = self.ask("/v1/players", {})["token"]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One call."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(self.base + path, data, headers), timeout=20) as answer:
            value: dict[str, Any] = json.load(answer)
            return value

    def play(self, game: str, move: dict[str, Any]) -> None:
        """One move."""
        self.ask(f"/v1/games/{game}/moves", {"move": move})


def seated(make_person: MakePerson, game: dict[str, Any], *, phone: bool = False) -> Person:
    """A person at a table made by the API with their own token."""
    person = make_person(phone=phone, reduced_motion="reduce")
    person.settle()
    token = Friend(person.base).token
    person.page.evaluate("(token) => localStorage.setItem('rummy500.token', JSON.stringify(token))", token)
    view = person.ask("/v1/games", game)
    person.open(f"#/table/{view['id']}")
    person.page.reload()
    person.page.wait_for_selector("r5-table[data-version]")
    return person


def duel(preset: str = "classic", seats: int = 2, **position: Any) -> dict[str, Any]:
    """A game from a position, the others easy CPU players."""
    others = [{"kind": "cpu", "level": "easy"}] * (seats - 1)
    return {"ruleset": {"preset": preset}, "seats": [{"kind": "me"}, *others], "position": DUEL | position}


def reload_and_compare(person: Person) -> None:
    """The page shows the same after a reload as before."""
    person.agrees()
    before = person.shown()
    person.page.reload()
    person.page.wait_for_selector("r5-table[data-version]")
    person.agrees()
    assert person.shown() == before


def test_stage6_a_reload_in_every_phase(make_person: MakePerson) -> None:
    """Drawing, with an obligation, playing, waiting for players, finished: the same table after a reload."""
    person = seated(make_person, duel())
    person.page.wait_for_selector(person.action("draw"))
    reload_and_compare(person)
    person.page.wait_for_selector('.pile [data-card="TH"].offered')
    person.card("TH", ".pile")
    person.page.wait_for_selector('.hand [data-card="TH"].owed')
    reload_and_compare(person)
    assert person.sees('.hand [data-card="TH"].owed')
    person.page.wait_for_selector(person.action("take-back"))
    person.press(person.action("take-back"))
    person.page.wait_for_selector(person.action("draw"))
    person.card("TH", ".pile")
    for card in ("7H", "8H", "9H", "TH"):
        person.page.wait_for_selector(f'.hand [data-card="{card}"]')
        person.card(card)
    person.press(person.action("meld"))
    person.page.wait_for_selector('[data-meld="m1"]')
    reload_and_compare(person)


def test_a_reload_of_a_table_that_waits_and_of_one_that_is_over(make_person: MakePerson) -> None:
    """The same before the start and after the end."""
    person = seated(make_person, {"seats": [{"kind": "me"}, {"kind": "open"}]})
    person.page.wait_for_selector(".qr")
    person.page.reload()
    person.page.wait_for_selector(".qr")
    over = {
        "ruleset": {"preset": "pagat", "options": {"target": 30}},
        "seats": [{"kind": "me"}, {"kind": "cpu", "level": "easy"}],
    }
    position = DUEL | {"hands": [["7H", "8H", "9H", "TH"], ["QC", "QD", "3S"]], "pile": ["4H"], "phase": "play"}
    person = seated(make_person, over | {"position": position})
    person.page.wait_for_selector(person.action("meld"))
    person.press(person.action("meld"))
    person.press(person.action("meld"))
    person.page.wait_for_selector("dialog[open][data-sheet='round']")
    assert person.page.locator("dialog .sum").count() == 2
    sums = person.page.eval_on_selector_all(
        "dialog .sum",
        "(rows) => rows.map((row) => ['table', 'deadwood', 'score', 'total'].map((key) => Number(row.dataset[key])))",
    )
    assert sums == [[34, 0, 34, 34], [0, 23, -23, -23]]
    cards = person.page.eval_on_selector_all(
        "dialog .sum:first-of-type .tally small", "(points) => points.map((each) => Number(each.textContent))"
    )
    assert cards[:4] == [7, 8, 9, 10]
    person.press("dialog[open] [data-action='continue']")
    person.page.wait_for_selector("dialog[open][data-sheet='game']")
    person.page.reload()
    person.page.wait_for_selector("dialog[open][data-sheet='game']")


def test_stage6_a_call_of_rummy(make_person: MakePerson) -> None:
    """A discard that fits the table may be called, with a countdown, also after a reload; the card called is owed."""
    melds = [{"cards": [{"card": "TS", "seat": 1}, {"card": "JS", "seat": 1}, {"card": "QS", "seat": 1}]}]
    hands = [["7H", "8H", "2C"], ["KS", "4D", "5C"], ["QD", "6C", "9C"]]
    position = DUEL | {
        "hands": hands,
        "melds": melds,
        "stock": ["5D", "TD", "8C", "9D", "3C", "3H"],
        "pile": ["4H"],
        "totals": [0, 0, 0],
        "turn": 1,
        "phase": "play",
        "dealer": 0,
    }
    game = {
        "ruleset": {"preset": "party"},
        "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}],
        "call_seconds": 15,
        "visibility": "public",
        "position": position,
    }
    person = seated(make_person, game)
    friends = [Friend(person.base), Friend(person.base)]
    for friend in friends:
        friend.ask(f"/v1/games/{person.game}/seats", {})
    person.page.wait_for_selector(".hand [data-card]")
    friends[0].play(person.game, {"type": "discard", "card": "KS"})
    person.page.wait_for_selector('.call [data-action="call"][data-value="KS"]')
    assert person.page.locator(".countdown").inner_text().startswith("0:")
    reload_and_compare(person)
    person.page.wait_for_selector('.call [data-action="call"][data-value="KS"]')
    friends[1].play(person.game, {"type": "pass"})
    person.press('.call [data-action="call"][data-value="KS"]')
    person.page.wait_for_selector('.hand [data-card="KS"].owed')
    person.agrees()
    person.card("KS")
    person.page.wait_for_selector('[data-meld="m1"].offered')
    person.press('[data-meld="m1"]')
    person.page.wait_for_selector('[data-meld="m1"] [data-card="KS"][data-by="0"]')
    person.agrees()


def test_stage6_a_joker_is_asked_for(make_person: MakePerson) -> None:
    """A joker that could stand for more is asked for, and may be anything; laid off, it is asked for its end."""
    position = DUEL | {
        "hands": [["7H", "8H", "9H", "X1", "X2", "KC", "2D", "4C"], ["QC", "QD", "3S"], ["QS", "3D"]],
        "totals": [0, 0, 0],
        "phase": "play",
        "pile": ["4H"],
        "dealer": 2,
    }
    game = {
        "ruleset": {"preset": "party"},
        "seats": [{"kind": "me"}, {"kind": "cpu", "level": "easy"}, {"kind": "cpu", "level": "easy"}],
        "position": position,
    }
    person = seated(make_person, game)
    person.page.wait_for_selector("r5-table[data-ready]")
    for card in ("7H", "8H", "X1"):
        person.card(card)
    person.press(person.action("meld"))
    person.page.wait_for_selector("dialog[open][data-sheet='choose']")
    person.page.locator("dialog .choice").last.click()
    person.page.wait_for_selector("dialog[open][data-sheet='joker']")
    person.press("dialog[open] [data-action='choose-card'][data-value='9H']")
    person.page.wait_for_selector('[data-meld="m1"] [data-card="X1"][data-as="9H"]')
    person.agrees()
    person.card("X2")
    person.press('[data-meld="m1"].offered')
    person.page.wait_for_selector("dialog[open][data-sheet='choose']")
    assert person.page.locator("dialog .choice").count() == 2
    person.press("dialog .choice:has([aria-label*='as ten of hearts'])")
    person.page.wait_for_selector('[data-meld="m1"] [data-card="X2"][data-as="TH"]')
    person.agrees()


def test_pointing_at_the_pile_tells_what_comes_along(make_person: MakePerson) -> None:
    """What comes along is lifted, which melds it makes is shown, with the points."""
    person = seated(make_person, duel())
    person.page.wait_for_selector('.pile [data-card="TH"].offered')
    person.page.hover('.pile [data-card="TH"]', position={"x": 9, "y": 12})
    person.page.wait_for_selector(".peek:not([hidden])")
    along = person.page.eval_on_selector_all(".pile .along", "(cards) => cards.map((card) => card.dataset.card)")
    assert along == ["TH", "2C"]
    told = person.page.inner_text(".peek")
    assert "2 cards" in told
    assert "points" in told
    assert person.page.locator(".peek .mini").count() >= 1


def test_a_refusal_is_explained_beside_the_card(make_person: MakePerson) -> None:
    """What can't be done is said in the player's words, near what was pressed, and changes nothing."""
    person = seated(
        make_person,
        duel(
            phase="play",
            melds=[{"cards": [{"card": c, "seat": 1} for c in ("TS", "JS", "QS")]}],
            stock=["5D", "6C", "TD"],
        ),
    )
    person.page.wait_for_selector("r5-table[data-ready]")
    person.card("2D")
    person.press('[data-meld="m1"]')
    person.page.wait_for_selector(".tip:not([hidden])")
    assert person.page.inner_text(".tip") == "That card doesn’t fit this meld."
    tip, meld = person.page.locator(".tip").bounding_box(), person.page.locator('[data-meld="m1"]').bounding_box()
    assert tip
    assert meld
    assert abs(tip["y"] - meld["y"]) < 160
    person.card("KC")
    person.card("8H")
    person.press('[data-action="meld"]')
    person.page.wait_for_selector(".tip:has-text('no meld')")
    person.agrees()


def test_drags_sort_lay_off_and_discard(make_person: MakePerson) -> None:
    """A card dragged in the hand changes its order; onto a meld it is laid off; onto the pile discarded."""
    melds = [{"cards": [{"card": c, "seat": 1} for c in ("TH", "JH", "QH")]}]
    person = seated(make_person, duel(phase="play", melds=melds, pile=["4H"]))
    person.page.wait_for_selector("r5-table[data-ready]")
    page = person.page

    def drag(code: str, target: str) -> None:
        start = page.locator(f'.hand [data-card="{code}"]').bounding_box()
        end = page.locator(target).bounding_box()
        assert start
        assert end
        page.mouse.move(start["x"] + 9, start["y"] + 14)
        page.mouse.down()
        page.mouse.move(start["x"] + 30, start["y"] - 20, steps=3)
        page.mouse.move(end["x"] + 6, end["y"] + 14, steps=6)
        page.mouse.up()

    def order() -> list[str]:
        value: list[str] = page.eval_on_selector_all(
            ".hand [data-card]", "(cards) => cards.map((card) => card.dataset.card)"
        )
        return value

    first, *_, last = order()
    drag(last, f'.hand [data-card="{first}"]')
    assert order()[0] == last
    drag("9H", '[data-meld="m1"]')
    page.wait_for_selector('[data-meld="m1"] [data-card="9H"][data-by="0"]')
    person.agrees()
    drag("KC", ".pile")
    page.wait_for_selector('.pile [data-card="KC"]')
    person.agrees()


def test_a_phone_holds_a_card_of_the_pile_to_see_it(make_person: MakePerson) -> None:
    """A finger that rests or slides has the card magnified; lifting shows what it would take, with a button."""
    person = seated(make_person, duel(), phone=True)
    person.page.wait_for_selector('.pile [data-card="TH"].offered')
    box = person.page.locator('.pile [data-card="TH"]').bounding_box()
    assert box
    touch = person.page.context.new_cdp_session(person.page)
    point = {"x": box["x"] + 9, "y": box["y"] + 12}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    person.page.wait_for_selector(".lens")
    lens = person.page.locator(".lens").bounding_box()
    assert lens
    assert lens["width"] >= 90
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    person.page.wait_for_selector('.peek [data-action="take"]')
    person.press('.peek [data-action="take"]')
    person.page.wait_for_selector('.hand [data-card="TH"].owed')


def test_a_whole_turn_by_keys_alone(make_person: MakePerson) -> None:
    """Draw, pick, meld, discard and sort without a pointer; a live region says each in words."""
    person = seated(make_person, duel(phase="draw"))
    page = person.page
    page.wait_for_selector(person.action("draw"))
    page.locator("r5-table").evaluate("(table) => table.querySelector('.stock').focus()")
    page.keyboard.press("d")
    page.wait_for_selector("r5-table[data-phase='play'][data-ready]")
    for card in ("7H", "8H", "9H"):
        page.keyboard.press("h")
        page.keyboard.press("Home")
        for _ in range(12):
            if page.evaluate("document.activeElement.dataset.card") == card:
                break
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    page.keyboard.press("m")
    page.wait_for_selector('[data-meld="m1"]')
    page.wait_for_selector("r5-table[data-ready]")
    page.keyboard.press("h")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    page.wait_for_function("() => document.querySelector('[role=log]').textContent.includes('You discard')")
    said = page.inner_text("[role=log]")
    assert "You meld seven of hearts, eight of hearts, and nine of hearts: 24 points." in said
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open][data-sheet='keys']")


@pytest.mark.complaints("WebSocket", "ERR_CONNECTION", "Failed to load", "Failed to fetch")
def test_a_restart_of_the_server_is_shown_and_survived(start_server: StartServer, make_person: MakePerson) -> None:
    """A banner while the server is away; then the table is back by itself, and goes on."""
    server = start_server()
    person = make_person(address=server.url, reduced_motion="reduce")
    person.settle()
    person.open()
    person.press("[data-action='play']")
    person.page.wait_for_selector(person.action("draw"))
    server.stop()
    person.page.wait_for_selector(".banner:not([hidden])")
    server.restart()
    person.page.wait_for_selector(".banner", state="hidden", timeout=40_000)
    person.agrees()
    person.press(person.action("draw"))
    person.page.wait_for_selector("r5-table[data-phase='play'][data-ready]")
    person.agrees()


def test_names_of_others_are_text(make_person: MakePerson) -> None:
    """A name that looks like markup is shown as it is."""
    person = seated(
        make_person,
        {"ruleset": {"preset": "pagat"}, "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"},
    )
    friend = Friend(person.base)
    request = urllib.request.Request(
        f"{person.base}/v1/me",
        json.dumps({"name": "<img src=x>&amp;<b>"}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {friend.token}"},
        method="PATCH",
    )
    urllib.request.urlopen(request, timeout=10).close()
    friend.ask(f"/v1/games/{person.game}/seats", {})
    person.page.wait_for_selector(".hand [data-card]")
    assert person.page.inner_text('.seat[data-seat="1"] .name') == "<img src=x>&amp;<b>"
    assert person.page.locator("img, b b").count() == 0


def test_house_rules_are_played_and_the_last_choice_is_kept(make_person: MakePerson) -> None:
    """Three normal opponents, a preset and a house rule: the game has them, and the page has them again next time."""
    person = make_person()
    page = person.page
    person.press("[data-action='cpus'][data-value='3']")
    person.press("[data-action='level'][data-value='normal']")
    person.press("[data-action='preset'][data-value='nickel']")
    page.click(".house-box summary")
    page.select_option("[data-option='call_rummy']", "true")
    page.fill("[data-option='target']", "150")
    page.press("[data-option='target']", "Tab")
    person.press("[data-action='rules']")
    page.wait_for_selector("dialog[open][data-sheet='rules']")
    assert "may be called" in page.inner_text("dialog")
    person.press("dialog[open] [data-action='close']")
    page.reload()
    assert page.get_attribute("[data-action='cpus'][data-value='3']", "aria-checked") == "true"
    person.press("[data-action='play']")
    page.wait_for_selector(".hand [data-card]")
    view = person.view()
    assert len(view["seats"]) == 4
    assert view["ruleset"]["preset"] == "nickel"
    assert view["ruleset"]["options"]["call_rummy"] is True
    assert view["ruleset"]["options"]["target"] == 150


@pytest.mark.complaints("401")
def test_a_player_the_server_no_longer_knows_plays_on_as_a_new_guest(make_person: MakePerson) -> None:
    """A token that has ended does not stand in the way of the first card."""
    person = make_person()
    person.page.wait_for_selector("r5-start [data-action='play']")
    person.page.evaluate("() => localStorage.setItem('rummy500.token', JSON.stringify('gone'))")
    person.page.evaluate("() => { document.querySelector('r5-start').client.token = 'gone'; }")
    person.press("[data-action='play']")
    person.page.wait_for_selector(".hand [data-card]")


def test_without_a_network_a_banner_says_so_and_goes_again(make_person: MakePerson) -> None:
    """The banner comes with the loss and goes with the return; the table is as the server has it."""
    person = seated(make_person, duel())
    person.page.wait_for_selector(person.action("draw"))
    person.page.context.set_offline(True)
    person.page.wait_for_selector(".banner:has-text('offline')")
    person.page.context.set_offline(False)
    person.page.wait_for_selector(".banner", state="hidden")
    person.press(person.action("draw"))
    person.agrees()


def test_leaving_a_game_asks_first_and_goes_to_the_start_page(make_person: MakePerson) -> None:
    """Leave, after a question; the game is no longer among one's own."""
    person = seated(make_person, duel())
    game = person.game
    person.press("[data-action='menu']")
    person.press("dialog[open] [data-action='leave']")
    person.press("dialog[open] [data-action='confirm']")
    person.page.wait_for_selector("[data-action='play']")
    assert not person.sees(f"[data-game='{game}']")


def test_clock_bank_and_a_stand_in_are_shown(make_person: MakePerson) -> None:
    """With a clock the time left and the bank are shown; who stands in for whom too."""
    game = {"ruleset": {"preset": "pagat"}, "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]}
    person = seated(make_person, game | {"visibility": "public", "clock": {"turn_seconds": 60, "bank_seconds": 30}})
    friends = [Friend(person.base), Friend(person.base)]
    for friend in friends:
        friend.ask(f"/v1/games/{person.game}/seats", {})
    person.page.wait_for_selector(".hand [data-card]")
    person.page.wait_for_function(
        "() => [...document.querySelectorAll('.clock')].some((clock) => /0:[0-5]\\d \\+0:30/.test(clock.textContent))"
    )
    gone = {"Authorization": f"Bearer {friends[1].token}"}
    leave = urllib.request.Request(f"{person.base}/v1/games/{person.game}/seats/me", headers=gone, method="DELETE")
    urllib.request.urlopen(leave, timeout=10).close()
    person.page.wait_for_selector(".seat[data-status='cpu_standing_in']")
    person.agrees()
