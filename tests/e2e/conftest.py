"""A browser, people with pages of their own, and servers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, sync_playwright

from tests.conftest import StartServer
from tests.e2e import browser as chromium
from tests.e2e.people import SEEN, Person

ROOT = Path(__file__).parents[2]
MakePerson = Callable[..., Person]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. It runs an event loop in this thread, so it must be gone before other tests want one."""
    try:
        path = chromium.executable()
    except RuntimeError as error:
        if "CI" in os.environ:
            raise
        pytest.skip(str(error))  # shown with its reason; CI never skips it
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def base(start_server_in_module: StartServer) -> str:
    """A server for the tests of a module."""
    return start_server_in_module().url


@pytest.fixture(scope="session")
def preview() -> Iterator[str]:
    """The table with made-up views."""
    command = ["node", str(ROOT / "tests/client/preview/serve.mjs"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = server.stdout.readline().split()[-1]
        yield f"http://127.0.0.1:{port}"
        server.terminate()


@pytest.fixture
def make_person(browser: Browser, base: str, request: pytest.FixtureRequest) -> Iterator[MakePerson]:
    """Makes people; afterwards, no page of theirs may have complained."""
    complaints: list[str] = []
    contexts = []
    allowed = request.node.get_closest_marker("complaints")

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error" and not (allowed and any(part in message.text for part in allowed.args)):
            complaints.append(message.text)

    def make(*, phone: bool = False, where: str = "", address: str | None = None, **options: Any) -> Person:
        size = {"width": 360, "height": 740} if phone else {"width": 1280, "height": 800}
        context = browser.new_context(
            viewport=options.pop("viewport", size), has_touch=phone, is_mobile=phone, **options
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        context.add_init_script(path=SEEN)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(f"{error.message}\n{error.stack}"))
        person = Person(page, address or base, touch=phone)
        person.open(where)
        return person

    yield make
    for context in contexts:
        context.close()
    assert not complaints, "\n".join(complaints)


@pytest.fixture
def screen(tmp_path: Path) -> Callable[[Person, str], None]:
    """Keeps a picture of a page: in docs/screens when RUMMY500_SCREENS is set, else only tried."""
    folder = ROOT / "docs" / "screens" if os.environ.get("RUMMY500_SCREENS") else tmp_path

    def keep(person: Person, name: str) -> None:
        person.page.wait_for_timeout(450)
        person.page.screenshot(path=folder / f"{name}.png")

    return keep
