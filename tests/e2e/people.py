"""People at the table: they see what the page shows, and click, tap or type."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Position

PATIENCE = 15.0

SEEN = Path(__file__).with_name("seen.js")


def shown_of(view: dict[str, Any]) -> dict[str, Any]:
    """What a page must show for a VIEW."""
    own = view["your_seats"][0] if view["your_seats"] else None
    turn = view["turn"]
    return {
        "version": view["version"],
        "phase": turn["phase"] if turn else view["status"],
        "status": view["status"],
        "stock": view["stock_count"],
        "pile": view["pile"],
        "hand": sorted(view["seats"][own]["hand"]) if own is not None else [],
        "melds": [[m["id"], [[c["card"], c["seat"], c["as"]] for c in m["cards"]]] for m in view["melds"]],
        "seats": {str(s["seat"]): [s["hand_count"], s["total"], s["table_points"]] for s in view["seats"]},
    }


class Person:
    """Somebody in front of a page."""

    def __init__(self, page: Page, base: str, *, touch: bool = False) -> None:
        self.page = page
        self.base = base
        self.touch = touch
        self.watch = ""

    # ---- what they do ----

    def press(self, selector: str) -> None:
        """Clicks or taps."""
        target = self.page.locator(selector).first
        if self.touch:
            target.tap()
        else:
            target.click()

    def card(self, code: str, place: str = ".hand") -> None:
        """Presses the index of a card, where it shows in a spread."""
        selector = f'{place} [data-card="{code}"]'
        where: Position = {"x": 9.0, "y": 12.0}
        if self.touch:
            self.page.tap(selector, position=where)
        else:
            self.page.click(selector, position=where)

    def open(self, where: str = "") -> None:
        """Goes to a page of the client."""
        self.page.goto(f"{self.base}/{where}")

    def settle(self, pace: str = "instant") -> None:
        """Sets the pace of others, as the settings would."""
        self.page.evaluate("(pace) => seen.pace(pace)", pace)

    # ---- what they see ----

    def sees(self, selector: str) -> bool:
        """Whether something is on the page."""
        return bool(self.page.locator(selector).count())

    def action(self, name: str) -> str:
        """The selector of a move that may be made now."""
        return f'.actions [data-action="{name}"][data-on]'

    def shown(self) -> dict[str, Any]:
        """What the page shows of the table."""
        value: dict[str, Any] = self.page.evaluate("() => seen.shown()")
        return value

    def ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Asks the server in this person's name."""
        answer = self.page.evaluate("(call) => seen.ask(call)", [path, body])
        assert answer["status"] < 300, json.dumps(answer)
        value: dict[str, Any] = answer["value"]
        return value

    @property
    def game(self) -> str:
        """The id of the game on the page."""
        return str(self.page.evaluate("location.hash.split('/')[2] ?? ''"))

    def view(self) -> dict[str, Any]:
        """The server's VIEW for this person."""
        return self.ask(f"/v1/games/{self.game}{'?watch=' + self.watch if self.watch else ''}")

    def agrees(self) -> None:
        """The page comes to show exactly the server's VIEW."""
        until = time.monotonic() + PATIENCE
        while True:
            view, shown = self.view(), self.shown()
            if shown == shown_of(view):
                return
            if time.monotonic() > until:
                assert shown == shown_of(view)
            if self.sees("dialog[open][data-sheet='round']"):
                return
            self.page.wait_for_timeout(40)

    def mine(self) -> bool:
        """Whether the page lets this person move."""
        return self.sees("r5-table[data-ready]")

    # ---- a way to play ----

    def turn(self, *, reach: bool = True) -> None:
        """Plays what is to be played next: one press after the other, as a plain player would."""
        page = self.page
        if self.sees(self.action("draw")) or self.sees(self.action("pass")):
            top = page.locator(".pile .offered").last
            if reach and top.count() and page.locator(".pile .offered").count() > 1:
                self.reach()
            elif self.sees(self.action("draw")):
                self.press(self.action("draw"))
            else:
                self.press(self.action("pass"))
        elif self.sees(self.action("meld")):
            self.press(self.action("meld"))
            if page.locator(".hand .picked").count():
                self.press(self.action("meld"))
        else:
            self.last_card()

    def reach(self) -> None:
        """Takes the deepest card of the pile that may be taken."""
        code = self.page.locator(".pile .offered").first.get_attribute("data-card")
        assert code
        self.card(code, ".pile")
        if self.touch:
            self.press('[data-action="take"]')

    def last_card(self) -> None:
        """Lays off what fits, else discards: the last cards first, then any."""
        codes: list[str] = self.page.evaluate("() => seen.shown().hand")
        for code in codes[-3:]:
            if self.lays_off(code):
                return
        for code in reversed(codes):
            self.card(code)
            if self.sees(self.action("discard")):
                self.press(self.action("discard"))
                return
            self.card(code)
        for code in codes:
            if self.lays_off(code):
                return
        raise AssertionError(f"nothing to do: {self.shown()} {self.page.inner_text('.status')}")

    def lays_off(self, code: str) -> bool:
        """Lays a card off if a meld takes it; else lets go of it."""
        self.card(code)
        if not self.sees(".meld.offered"):
            self.card(code)
            return False
        self.press(".meld.offered")
        if self.page.locator("dialog[open][data-sheet='choose']").count():
            self.press("dialog[open] [data-action='choose']")
        return True
