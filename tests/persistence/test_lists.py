"""Lists of games: pages go on where the first page's moment had its games, however they change meanwhile."""

import asyncio
from typing import Any

import pytest

from tests.support.client import Api
from tests.support.servers import ServerProcess

pytestmark = pytest.mark.storage


async def pages(api: Api, token: str, between: Any, limit: int = 2) -> list[str]:
    """The ids of a player's games over all pages, with something happening between two pages."""
    found: list[str] = []
    cursor = ""
    while True:
        page = await api.call("GET", f"/v1/games?mine=true&limit={limit}{cursor}", token=token)
        assert page.status == 200, page.body
        found += [item["id"] for item in page.body["items"]]
        if page.body["next_cursor"] is None:
            return found
        cursor = f"&cursor={page.body['next_cursor']}"
        await between()


async def test_pages_lose_and_repeat_no_game_that_changes_meanwhile(server_process: ServerProcess) -> None:
    """Games that move to the front between two pages are listed once all the same, those made meanwhile not."""
    api = Api(server_process.url)
    ann = await api.guest()
    games = [(await ann.make(seats=[{"kind": "me"}, {"kind": "me"}]))["id"] for _ in range(7)]
    oldest = iter(games)

    async def move() -> None:
        await asyncio.sleep(0.01)
        game = next(oldest)
        seat = (await ann.view(game))["turn"]["seat"]
        assert (await ann.move(game, {"type": "draw", "from": "stock"}, seat=seat)).status == 200
        await ann.make(seats=[{"kind": "me"}, {"kind": "me"}])

    assert await pages(api, ann.token, move) == games[::-1]
    for bad in ("x", "1.2", "5f.abc.1:2", "5f.abc.9:1:", "5f.abc.1:9:12", "0.a.1:1:" + "1," * 500, "5f.abc.1:2:,"):
        assert (await ann.get(f"/v1/games?mine=true&cursor={bad}")).code == "malformed", bad
    await api.close()
