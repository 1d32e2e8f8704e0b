"""What the first stage promised of REST, the live table and CPU seats, each as a test named after it."""

import asyncio
import random
import time
from typing import Any

import pytest

from server import game as rules
from tests.support.client import Api, Json, Player, gap_free, modest, play_on

DRAW = {"type": "draw", "from": "stock"}


async def table_of_two(ann: Player, bob: Player, **more: object) -> Json:
    """A public game of two people, begun; Ann's VIEW."""
    made = await ann.make(**{"seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"} | more)
    taken = await bob.post(f"/v1/games/{made['id']}/seats", {})
    assert taken.status == 200
    return await ann.view(made["id"])


async def to_move(view: Json, *players: Player) -> Player:
    """Whose turn it is."""
    seat: int = view["turn"]["seat"]
    return players[seat]


async def test_stage1_rest_has_every_call_without_a_number(api: Api, ann: Player) -> None:
    """Server, players, me, rulesets, commitments, games: each answers as the contract says."""
    server = (await api.call("GET", "/v1/server")).body
    assert {"name", "version", "api", "rules_version", "ai_version", "features", "limits", "languages", "now"} <= set(
        server
    )
    me = await ann.get("/v1/me")
    assert set(me.body) == {"id", "name", "kind", "ranking_points", "rating"}
    renamed = await api.call("PATCH", "/v1/me", {"name": "Zoë 🃏"}, token=ann.token)
    assert renamed.body["name"] == "Zoë 🃏"
    presets = (await api.call("GET", "/v1/rulesets")).body["items"]
    assert [item["preset"] for item in presets] == ["classic", "pagat", "party", "nickel", "house_float", "partnership"]
    promised = await ann.post("/v1/commitments")
    assert promised.status == 201
    assert promised.body["number"] == 1
    view = await ann.make(commitment=promised.body["id"], client_seed="mine", visibility="public")
    assert view["fairness"]["commitment"] == promised.body["commitment"]
    assert view["fairness"]["nonce"] == "mine|"
    listed = (await ann.get("/v1/games?mine=true")).body["items"]
    assert [game["id"] for game in listed] == [view["id"]]
    assert (await ann.delete(f"/v1/games/{view['id']}/seats/me")).status == 204
    record = (await ann.get(f"/v1/games/{view['id']}/record")).body
    assert record["result"]["reason"] == "left"
    assert len(record["fairness"]["server_seed"]) == 64


async def test_stage1_rest_a_made_game_says_where_it_is(ann: Player) -> None:
    """201, `Location`, and the VIEW of the maker."""
    made = await ann.post("/v1/games", {})
    assert made.status == 201
    assert made.response.headers["location"] == f"/v1/games/{made.body['id']}"
    assert made.body["your_seats"] == [0]
    assert made.body["ruleset"]["preset"] == "classic"
    assert made.body["visibility"] == "private"
    assert made.body["clock"] is None
    assert len(made.body["seats"][0]["hand"]) == 10


async def test_stage1_rest_table_mode_and_positions(ann: Player) -> None:
    """One client plays several seats, says which, and may begin from a position; neither counts."""
    position = {
        "hands": [["7H", "8H", "2C"], ["KD", "3C"]], "stock": ["AC", "KC"], "pile": ["5C", "9H"], "melds": [],
        "totals": [40, 0], "dealer": 1, "turn": 0, "phase": "draw",
    }  # fmt: skip
    view = await ann.make(seats=[{"kind": "me"}, {"kind": "me"}], position=position)
    game = view["id"]
    assert view["ranked"] is False
    assert [seat["hand"] for seat in view["seats"]] == position["hands"]
    assert (await ann.move(game, DRAW)).code == "malformed"
    legal = (await ann.get(f"/v1/games/{game}/legal-moves?seat=0")).body
    assert legal["items"][0] == DRAW
    top = next(fact for fact in legal["pile"] if fact["card"] == "9H")
    assert (top["legal"], top["takes"]) == (True, 1)
    assert top["pays"] == [{"type": "meld", "cards": ["7H", "8H", "9H"]}]
    assert top["points"] == 24
    assert (await ann.get(f"/v1/games/{game}/legal-moves")).code == "malformed"
    assert (await ann.get(f"/v1/games/{game}/legal-moves?seat=1")).body["items"] == []
    for move in ({"type": "draw", "from": "pile", "card": "9H"}, {"type": "meld", "cards": ["7H", "8H", "9H"]}):
        assert (await ann.move(game, move, seat=0)).status == 200
    ended = await ann.move(game, {"type": "discard", "card": "2C"}, seat=0)
    assert [event["type"] for event in ended.body["events"]][:3] == ["discarded", "round_ended", "round_started"]


async def test_stage1_rest_events_wait_is_a_long_poll(ann: Player, bob: Player) -> None:
    """It answers within moments of the move it waited for, holds while nothing happens, and sees the wait end."""
    view = await table_of_two(ann, bob)
    game, version = view["id"], view["version"]
    mover = await to_move(view, ann, bob)
    other = bob if mover is ann else ann
    began = time.monotonic()
    nothing = await other.get(f"/v1/games/{game}/events?after={version}&wait=1")
    assert nothing.body == {"version": version, "events": []}
    assert 0.9 < time.monotonic() - began < 4
    waiting = asyncio.create_task(other.get(f"/v1/games/{game}/events?after={version}&wait=20"))
    await asyncio.sleep(0.3)
    assert not waiting.done()
    moved = await mover.move(game, DRAW)
    began = time.monotonic()
    heard = await waiting
    assert time.monotonic() - began < 2
    assert [event["type"] for event in heard.body["events"]] == ["drew"]
    assert heard.body["events"][0]["cards"] is None
    assert moved.body["events"][0]["cards"] is not None
    at_once = await other.get(f"/v1/games/{game}/events?after={version}&wait=20")
    assert at_once.body["version"] == version + 1


async def test_stage1_rest_if_version_guards_a_move(ann: Player, bob: Player) -> None:
    """Another version is a conflict that tells the present one, whatever else is wrong with the move."""
    view = await table_of_two(ann, bob)
    mover = await to_move(view, ann, bob)
    refused = await mover.move(view["id"], {"type": "discard", "card": "2C"}, if_version=view["version"] - 1)
    assert (refused.code, refused.body["version"]) == ("version_conflict", view["version"])
    assert (await mover.move(view["id"], DRAW, if_version=view["version"])).status == 200


async def test_stage1_live_table_moves_and_events(ann: Player, bob: Player) -> None:
    """First a snapshot; then one frame a commit; a move's own events come before its result."""
    view = await table_of_two(ann, bob)
    mover = await to_move(view, ann, bob)
    other = bob if mover is ann else ann
    async with mover.stream(view["id"]) as mine, other.stream(view["id"]) as theirs:
        first = await mine.next()
        assert first["type"] == "snapshot"
        assert first["view"]["version"] == view["version"]
        await theirs.next()
        result = await mine.move(DRAW)
        assert (result["ok"], result["version"]) == (True, view["version"] + 1)
        kinds = [frame["type"] for frame in mine.frames if frame["type"] != "presence"]
        assert kinds == ["snapshot", "events", "result"]
        seen = await theirs.until("events")
        assert seen["events"][0]["cards"] is None
        refused = await mine.move({"type": "discard", "card": "XX"})
        assert refused["ok"] is False
        assert refused["problem"]["code"] == "malformed"
        await mine.send(type="ping")
        assert (await mine.until("pong"))["version"] == view["version"] + 1
        await mine.send(type="sync")
        assert (await mine.until("snapshot"))["view"]["version"] == view["version"] + 1


async def test_stage1_live_table_resume_with_after(ann: Player) -> None:
    """`after=N` for every N tells N+1 and on, in one frame, also in the middle of a commit."""
    view = await ann.make(seats=[{"kind": "me"}, {"kind": "me"}])
    await play_on({0: ann, 1: ann}, view["id"], 20)
    everything = await ann.events(view["id"])
    gap_free(everything, 0)
    for after in (0, 1, 3, len(everything) - 1, len(everything)):
        async with ann.stream(view["id"], f"after={after}") as resumed:
            frame = await resumed.next()
            assert frame["type"] == "events"
            assert frame["version"] == len(everything)
            assert frame["events"] == everything[after:]
    async with ann.stream(view["id"], f"after={len(everything) + 1}") as resumed:
        assert await resumed.code() == 4400


async def test_stage1_live_table_views_follow_every_commit(ann: Player, bob: Player) -> None:
    """With `views=1` each frame has the VIEW that REST gives at that version."""
    view = await table_of_two(ann, bob)
    async with ann.stream(view["id"], "views=1&after=0") as stream:
        frame = await stream.next()
        assert frame["view"]["version"] == frame["version"] == view["version"]
        for number in range(6):
            now = await ann.view(view["id"])
            mover = await to_move(now, ann, bob)
            moves = await mover.legal(view["id"])
            await mover.move(view["id"], modest(moves, random.Random(number)))
            frame = await stream.until("events")
            assert frame["view"] == await ann.view(view["id"])


async def test_stage1_live_table_survives_every_frame_there_is(ann: Player, bob: Player) -> None:
    """Bad moves get a result and the stream goes on; frames that are none close it with 4400; too long with 1009."""
    view = await table_of_two(ann, bob)
    game = view["id"]
    async with ann.stream(game) as stream:
        await stream.next()
        bad: Any
        for bad in (
            None,
            1,
            [],
            "draw",
            {},
            {"type": "draw"},
            {"type": "x"},
            {"type": "draw", "from": "pile", "card": 7},
        ):
            result = await stream.move(bad)
            assert result["problem"]["code"] == "malformed", bad
        for fields in ({"seat": "0"}, {"seat": 9}, {"if_version": "1"}, {"extra": 1}, {"player": bob.id}):
            result = await stream.move(DRAW, **fields)
            assert result["problem"]["code"] in ("malformed", "forbidden"), fields
        await stream.send(type="ping")
        assert (await stream.until("pong"))["version"] == view["version"]
    for text in ("", "[]", "1", "null", '"x"', "{", "{}", '{"type":1}', '{"type":"move"}', '{"type":"?"}',
                 '{"type":"move","id":"","move":{}}', '{"type":"move","id":7,"move":{}}',
                 '{"type":"move","id":"' + "x" * 129 + '","move":{}}'):  # fmt: skip
        async with ann.stream(game) as stream:
            await stream.socket.send(text)
            assert await stream.code() == 4400, text
    async with ann.stream(game) as stream:
        await stream.socket.send(b"\x00\x01")
        assert await stream.code() == 4400
    for size in (16 * 1024 + 1, 1 << 20):
        async with ann.stream(game) as stream:
            await stream.next()
            await stream.socket.send('{"type":"ping","x":"' + "y" * (size - 22) + '"}')
            assert await stream.code() == 1009, size
    async with ann.stream(game) as stream:
        await stream.next()
        await stream.socket.send('{"type":"ping","x":"' + "y" * (16 * 1024 - 22) + '"}')
        await stream.until("pong")


@pytest.mark.parametrize("level", ["easy", "normal", "expert"])
async def test_stage1_cpu_seats_play_whole_games(ann: Player, level: str) -> None:
    """A game of CPU players and one modest person ends by itself; the record replays, every choice by the rules."""
    view = await ann.make(
        seats=[{"kind": "me"}, {"kind": "cpu", "level": level}], ruleset={"preset": "pagat", "options": {"target": 60}}
    )
    view = await play_on({0: ann}, view["id"], 400)
    assert view["status"] == "finished"
    record = (await ann.get(f"/v1/games/{view['id']}/record")).body
    assert {entry["by"] for entry in record["moves"]} == {"player", "cpu"}
    ruleset = rules.make_ruleset("pagat", record["ruleset"]["options"], 2)
    fairness = record["fairness"]
    state, _ = rules.start(ruleset, 2, bytes.fromhex(fairness["server_seed"]), fairness["nonce"])
    for entry in record["moves"]:
        state, _ = rules.apply(state, entry["seat"], rules.parse_move(entry["move"]))
    assert state.result == record["result"] == view["result"]


async def test_stage1_cpu_choices_can_be_made_again_from_the_record(ann: Player) -> None:
    """Seat's view, seat's events, seed of the move: the same choice, so that no CPU player saw a hidden card."""
    from server import ai

    view = await ann.make(
        seats=[{"kind": "me"}, {"kind": "cpu"}], ruleset={"preset": "classic", "options": {"target": 40}}
    )
    view = await play_on({0: ann}, view["id"], 60)
    if view["status"] != "finished":
        await ann.delete(f"/v1/games/{view['id']}/seats/me")
    record = (await ann.get(f"/v1/games/{view['id']}/record")).body
    seed = bytes.fromhex(record["fairness"]["server_seed"])
    ruleset = rules.make_ruleset("classic", record["ruleset"]["options"], 2)
    state, told = rules.start(ruleset, 2, seed, record["fairness"]["nonce"])
    seq = 3
    events: list[Json] = []

    def hear(told: tuple[rules.Event, ...]) -> None:
        nonlocal seq, events
        for event in told:
            seq += 1
            shown = rules.event_json(event, 0b10)
            if shown["type"] == "round_started":
                events = []
            events.append({"seq": seq, **shown})

    hear(told)
    checked = 0
    moves = [entry for entry in record["moves"] if "move" in entry]
    for number, entry in enumerate(moves):
        assert entry["seq"] == seq
        if entry["by"] == "cpu":
            legal = [rules.move_json(move) for move in rules.legal_moves(state, 1)]
            if len(legal) > 1:
                shown = {
                    "version": seq, "status": "playing", "ruleset": record["ruleset"], "your_seats": [1],
                    **rules.view_json(state, 0b10),
                }  # fmt: skip
                chosen = ai.choose("normal", shown, events, legal, rules.cpu_seed(seed, 1, number))
                assert chosen == entry["move"]
                checked += 1
        state, told = rules.apply(state, entry["seat"], rules.parse_move(entry["move"]))
        hear(told)
    assert checked > 3


async def test_stage1_cpu_players_think_beside_the_event_loop(api: Api, ann: Player) -> None:
    """While experts think at several tables, plain requests are answered at once."""
    seats = [{"kind": "me"}, *[{"kind": "cpu", "level": "expert"}] * 3]
    games = [(await ann.make(seats=seats, ruleset={"preset": "party"}))["id"] for _ in range(4)]
    slowest = 0.0
    for _ in range(60):
        began = time.monotonic()
        await api.call("GET", "/v1/rulesets/pagat/rules")
        slowest = max(slowest, time.monotonic() - began)
        await asyncio.sleep(0.02)
    assert slowest < 1.0
    for game in games:
        await ann.delete(f"/v1/games/{game}/seats/me")


async def test_limits_name_what_to_do(api: Api, ann: Player) -> None:
    """The twenty-first unused commitment is `rate_limited` with Retry-After, and using one makes room."""
    made = [await ann.post("/v1/commitments") for _ in range(20)]
    assert [entry.body["number"] for entry in made] == list(range(1, 21))
    assert (await ann.post("/v1/commitments")).code == "rate_limited"
    await ann.make(commitment=made[0].body["id"])
    assert (await ann.post("/v1/commitments")).body["number"] == 21
    assert (await ann.post("/v1/games", {"commitment": made[0].body["id"]})).fields == ["commitment"]
    stranger = await api.guest()
    assert (await stranger.post("/v1/games", {"commitment": made[1].body["id"]})).fields == ["commitment"]
    refused = await ann.post("/v1/games", {"commitment": made[1].body["id"], "ruleset": {"preset": "?"}})
    assert refused.code == "bad_ruleset"
    assert (await ann.post("/v1/games", {"commitment": made[1].body["id"]})).status == 201


async def test_one_commitment_asked_for_by_many_games_at_once_makes_one(ann: Player) -> None:
    """Of parallel games with one commitment one is made; the others are told that it is used."""
    commitment = (await ann.post("/v1/commitments")).body["id"]
    answers = await asyncio.gather(*(ann.post("/v1/games", {"commitment": commitment}) for _ in range(8)))
    assert sorted(answer.status for answer in answers) == [201] + [422] * 7
