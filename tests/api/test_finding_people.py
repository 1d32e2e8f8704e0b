"""Quick games, rematches, invites, the lobby, notices, who is away: what the third stage promised, as tests."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.conftest import StartServer
from tests.support.client import Api, Json, Player, stream
from tests.support.servers import ServerProcess

DRAW = {"type": "draw", "from": "stock"}
PAGAT = {"preset": "pagat"}
pytestmark = pytest.mark.storage


async def begun(ann: Player, bob: Player, **more: object) -> Json:
    """A public game of two people."""
    made = await ann.make(
        **{"ruleset": PAGAT, "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"} | more
    )
    assert (await bob.post(f"/v1/games/{made['id']}/seats", {})).status == 200
    return await ann.view(made["id"])


async def over(ann: Player, bob: Player) -> str:
    """A finished game of two people: Ann left."""
    game: str = (await begun(ann, bob))["id"]
    assert (await ann.delete(f"/v1/games/{game}/seats/me")).status == 204
    return game


async def test_stage3_6_quick_games_bring_people_together(api: Api, ann: Player, bob: Player) -> None:
    """The second to ask for the same ruleset and seats joins the first; another ruleset opens another game."""
    wish = {"ruleset": {"preset": "nickel", "options": {"target": 321}}, "seats": 2, "fill_after": 60}
    first = await ann.post("/v1/games/quick", wish)
    assert (first.status, first.body["status"], first.body["visibility"]) == (201, "waiting", "public")
    other = await bob.post("/v1/games/quick", wish | {"seats": 3})
    assert other.status == 201
    second = await (await api.guest("Cleo")).post("/v1/games/quick", wish)
    assert (second.status, second.body["id"], second.body["status"]) == (200, first.body["id"], "playing")
    again = await ann.post("/v1/games/quick", wish | {"seats": 3})
    assert (again.status, again.body["id"], again.body["your_seats"]) == (200, other.body["id"], [1])
    for bad in ({"seats": 1}, {"seats": 9}, {"fill_after": 121}, {"fill_after": -1}, {"level": "easy"}):
        assert (await ann.post("/v1/games/quick", wish | bad)).code == "malformed"


async def test_stage3_6_empty_seats_of_a_quick_game_go_to_cpu_players(ann: Player) -> None:
    """After `fill_after` seconds, or at once for none."""
    wish = {"ruleset": {"preset": "pagat", "options": {"target": 77}}, "seats": 3}
    at_once = await ann.post("/v1/games/quick", wish | {"fill_after": 0})
    assert (at_once.status, at_once.body["status"]) == (201, "playing")
    soon = (await ann.post("/v1/games/quick", wish | {"fill_after": 1})).body
    assert soon["status"] == "waiting"
    async with asyncio.timeout(15):
        while (view := await ann.view(soon["id"]))["status"] == "waiting":
            await ann.get(f"/v1/games/{soon['id']}/events?after={view['version']}&wait=5")
    assert [seat["player"]["kind"] for seat in view["seats"]] == ["guest", "cpu", "cpu"]


async def test_stage3_6_a_rematch_is_one_game_however_many_ask(api: Api, ann: Player, bob: Player) -> None:
    """Those who sat get the same next game with their seats; nobody else may ask, nor before the end."""
    playing = (await begun(ann, bob))["id"]
    assert (await bob.post(f"/v1/games/{playing}/rematch")).code == "game_not_finished"
    game = await over(ann, bob)
    answers = await asyncio.gather(*(who.post(f"/v1/games/{game}/rematch") for who in (ann, bob, ann, bob)))
    assert len({answer.body["id"] for answer in answers}) == 1
    assert sorted(answer.status for answer in answers) == [200, 200, 200, 201]
    following = answers[0].body["id"]
    assert following != game
    for who, seat in ((ann, 0), (bob, 1)):
        view = await who.view(following)
        assert (view["status"], view["your_seats"]) == ("playing", [seat])
    assert (await (await api.guest("Cleo")).post(f"/v1/games/{game}/rematch")).code == "forbidden"


async def test_stage3_6_a_short_code_opens_a_private_table(ann: Player, bob: Player) -> None:
    """The invite leads to the game, and to its seat."""
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}])
    found = await bob.get(f"/v1/invites/{made['invite'].lower()}")
    assert (found.status, found.body) == (200, {"game": made["id"]})
    taken = await bob.post(f"/v1/games/{made['id']}/seats", {"invite": f" {made['invite'].lower()} "})
    assert taken.body["your_seats"] == [1]
    assert (await bob.get("/v1/invites/NO-SUCH-CODE")).code == "not_found"


async def test_stage3_6_lists_go_by_preset_and_seats(ann: Player) -> None:
    """The lobby's list is filtered."""
    made = await ann.make(
        ruleset={"preset": "partnership"}, seats=[{"kind": "me"}, *[{"kind": "open"}] * 5], visibility="public"
    )
    for query, there in (("preset=partnership&seats=6", True), ("preset=pagat", False), ("seats=4", False)):
        items = (await ann.get(f"/v1/games?status=waiting&limit=100&{query}")).body["items"]
        assert (made["id"] in [item["id"] for item in items]) == there, query


async def test_stage3_6_the_lobby_is_live(api: Api, ann: Player, bob: Player) -> None:
    """Who looks on at the lobby is told of a public game's making, joining and end, and of no private one."""
    async with stream(api.url, "", None, path="/v1/lobby") as lobby:
        first = await lobby.next()
        assert first["type"] == "games"
        hidden = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}])
        game = (await begun(ann, bob))["id"]
        told = await lobby.until("game", seconds=15)
        while told["item"]["id"] != game or told["item"]["status"] != "playing":
            assert told["item"]["id"] != hidden["id"]
            told = await lobby.until("game", seconds=15)
        await ann.delete(f"/v1/games/{game}/seats/me")
        await lobby.until("gone", seconds=15, id=game)
        assert hidden["id"] not in str(lobby.frames)


async def test_stage3_6_notices_are_numbered_and_come_back_after_a_loss(api: Api, ann: Player, bob: Player) -> None:
    """Game begun, your turn, game over and rematch reach a player anywhere; `after` gives the rest once each."""
    async with stream(api.url, "", bob.token, "after=0", path="/v1/me/stream") as own:
        view = await begun(ann, bob)
        game, mover = view["id"], (ann, bob)[view["turn"]["seat"]]
        assert (await own.next())["type"] == "game_started"
        if mover is ann:
            drew = await ann.move(game, DRAW)
            await ann.move(game, {"type": "discard", "card": drew.body["events"][0]["cards"][0]})
        turn = await own.next()
        assert (turn["type"], turn["game"], turn["seat"], turn["seq"]) == ("your_turn", game, 1, 2)
    await ann.delete(f"/v1/games/{game}/seats/me")
    await ann.post(f"/v1/games/{game}/rematch")
    async with stream(api.url, "", bob.token, "after=2", path="/v1/me/stream") as own:
        rest = [await own.next(), await own.next()]
    assert [(notice["seq"], notice["type"]) for notice in rest] == [(3, "game_finished"), (4, "rematch")]
    async with stream(api.url, "", bob.token, "after=99", path="/v1/me/stream") as own:
        assert await own.code() == 4400
    async with stream(api.url, "", None, path="/v1/me/stream") as own:
        assert await own.code() == 4401


@pytest.fixture
async def impatient(start_server: object) -> AsyncIterator[Api]:
    """A server on which somebody counts as away after a second."""
    server: ServerProcess = start_server(RUMMY500_ABSENT_SECONDS="1")  # type: ignore[operator]
    opened = Api(server.url)
    yield opened
    await opened.close()


@pytest.mark.slow
async def test_stage3_4_those_present_decide_about_who_is_away(impatient: Api) -> None:
    """Without a clock: all present agreeing, a CPU player stands in; who comes back takes the seat again."""
    people = [await impatient.guest(name) for name in ("Ann", "Bob", "Cleo")]
    made = await people[0].make(
        ruleset=PAGAT, seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], visibility="public"
    )
    game = made["id"]
    for player in people[1:]:
        await player.post(f"/v1/games/{game}/seats", {})
    absent = (await people[0].view(game))["turn"]["seat"]
    others = [seat for seat in range(3) if seat != absent]
    voters = [people[seat] for seat in others]
    early = await voters[0].post(f"/v1/games/{game}/absent", {"seat": absent, "choice": "cpu"})
    assert early.code == "forbidden"
    assert (
        await people[absent].post(f"/v1/games/{game}/absent", {"seat": absent, "choice": "cpu"})
    ).code == "forbidden"
    async with voters[0].stream(game), voters[1].stream(game):
        said = early
        async with asyncio.timeout(90):
            while said.status != 200:  # the seat's last call counts for a minute
                await asyncio.sleep(2)
                said = await voters[0].post(f"/v1/games/{game}/absent", {"seat": absent, "choice": "cpu"})
        assert said.body["done"] is None
        assert said.body["needed"] == others
        done = await voters[1].post(f"/v1/games/{game}/absent", {"seat": absent, "choice": "cpu"})
        assert done.body["done"] == "cpu"
    assert (await voters[0].view(game))["seats"][absent]["status"] == "cpu_standing_in"
    back = await people[absent].post(f"/v1/games/{game}/seats", {})
    assert back.status == 200
    assert back.body["seats"][absent]["status"] == "active"
    kinds = [event["type"] for event in await voters[0].events(game)]
    assert kinds.count("seat_left") == kinds.count("seat_resumed") == 1


@pytest.mark.slow
async def test_stage3_4_after_two_missed_turns_a_cpu_player_stands_in(api: Api, ann: Player, bob: Player) -> None:
    """The clock plays twice, then a stand-in; a move of the person's ends that, and the record says who moved."""
    view = await begun(ann, bob, clock={"turn_seconds": 5})
    game, late = view["id"], view["turn"]["seat"]
    there, away = (ann, bob)[1 - late], (ann, bob)[late]
    async with asyncio.timeout(60), there.stream(game) as table:
        while (view := await there.view(game))["seats"][late]["status"] != "cpu_standing_in":
            if view["turn"]["seat"] == 1 - late:
                drew = await there.move(game, DRAW)
                await there.move(game, {"type": "discard", "card": drew.body["events"][0]["cards"][0]})
            else:
                await table.next(30)
    async with asyncio.timeout(60):
        moved = None
        while moved is None or moved.status != 200:
            view = await away.view(game)
            seat = view["turn"]["seat"]
            if seat == late:
                moved = await away.move(game, DRAW)
            else:
                drew = await there.move(game, DRAW)
                if drew.status == 200:
                    await there.move(game, {"type": "discard", "card": drew.body["events"][0]["cards"][0]})
            await asyncio.sleep(0.05)
            if (await away.view(game))["status"] == "finished":
                break
            if moved is None:
                taken = await away.post(f"/v1/games/{game}/seats", {})
                if taken.status == 200:
                    break
    view = await away.view(game)
    assert view["status"] == "finished" or view["seats"][late]["status"] in ("active", "away")
    await there.delete(f"/v1/games/{game}/seats/me")
    record = (await away.get(f"/v1/games/{game}/record")).body
    assert "clock" in {entry["by"] for entry in record["moves"] if entry.get("seat") == late and "by" in entry}


@pytest.mark.parametrize("query", ["", "after=0&views=1"])
async def test_whoever_opens_a_table_is_there_from_the_first_frame_on(start_server: StartServer, query: str) -> None:
    """At a process that had not heard of the player, too: nobody is told that they themselves are away."""
    one = start_server()
    two = start_server(like=one)
    here, there = Api(one.url), Api(two.url)
    try:
        ann = await here.guest("Ann")
        view = await ann.make(seats=[{"kind": "me"}, {"kind": "cpu"}])
        async with ann.at(there).stream(view["id"], query) as opened:
            first = await opened.next()
            assert first["view"]["seats"][0]["status"] == "active"
            assert await opened.next() == {"type": "presence", "seat": 0, "online": True}
    finally:
        await here.close()
        await there.close()
