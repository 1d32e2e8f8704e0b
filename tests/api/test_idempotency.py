"""One effect and one answer for a key, whoever repeats it, however, and whatever happens in between."""

import asyncio
import secrets
from typing import Any

import asyncpg
import pytest

from server.persistence.database import plain_url
from tests.conftest import StartServer
from tests.support.client import Api, Player
from tests.support.servers import ServerProcess

DRAW = {"type": "draw", "from": "stock"}


async def my_turn(ann: Player) -> tuple[str, int]:
    """A table of Ann's alone where seat 0 or 1 is to move: its id and that seat."""
    view = await ann.make(seats=[{"kind": "me"}, {"kind": "me"}])
    return view["id"], view["turn"]["seat"]


async def test_a_repeated_move_is_made_once_and_answered_alike(ann: Player) -> None:
    """Serial repeats: the first answer, byte for byte, though the game has moved on."""
    game, seat = await my_turn(ann)
    first = await ann.move(game, DRAW, seat=seat, key="a")
    legal = await ann.legal(game, seat)
    await ann.move(game, legal[-1], seat=seat)
    again = await ann.move(game, DRAW, seat=seat, key="a")
    assert first.status == again.status == 200
    assert first.response.content == again.response.content


async def test_a_repeated_move_in_parallel_is_made_once(ann: Player) -> None:
    """Ten at the same moment: ten same answers, one draw."""
    game, seat = await my_turn(ann)
    answers = await asyncio.gather(*(ann.move(game, DRAW, seat=seat, key="a") for _ in range(10)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.response.content for answer in answers}) == 1
    assert [event["type"] for event in await ann.events(game)].count("drew") == 1


async def test_a_key_used_for_another_move_is_a_mismatch(ann: Player) -> None:
    """Another move, another seat or another `if_version`: 422, and nothing happens."""
    game, seat = await my_turn(ann)
    version = (await ann.move(game, DRAW, seat=seat, key="a")).body["version"]
    others: list[dict[str, Any]] = [
        {"move": {"type": "pass"}, "seat": seat},
        {"move": DRAW, "seat": 1 - seat},
        {"move": DRAW, "seat": seat, "if_version": version},
    ]
    for body in others:
        assert (await ann.post(f"/v1/games/{game}/moves", body, "a")).code == "idempotency_mismatch", body
    assert (await ann.view(game))["version"] == version


async def test_the_order_of_fields_does_not_matter(ann: Player) -> None:
    """The same JSON written another way is the same body."""
    game, seat = await my_turn(ann)
    path, token = f"/v1/games/{game}/moves", ann.token
    one = f'{{"move":{{"type":"draw","from":"stock"}},"seat":{seat}}}'.encode()
    two = f'{{ "seat" : {seat}, "move" : {{"from":"stock", "type":"draw"}} }}'.encode()
    headers = {"Idempotency-Key": "a"}
    first = await ann.api.call("POST", path, raw=one, token=token, headers=headers)
    second = await ann.api.call("POST", path, raw=two, token=token, headers=headers)
    assert first.status == 200
    assert second.response.content == first.response.content


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"move": {"type": "discard", "card": "2C"}}, "wrong_phase"),
        ({"move": {"type": "nonsense"}}, "malformed"),
        ({"move": DRAW, "if_version": 1}, "version_conflict"),
        ({"move": DRAW, "surprise": 1}, "malformed"),
    ],
)
async def test_a_refusal_is_kept_too(ann: Player, body: dict[str, Any], code: str) -> None:
    """A repeat gives the refusal of the first time, though the move might be legal by now."""
    game, seat = await my_turn(ann)
    body = body | {"seat": seat}
    path = f"/v1/games/{game}/moves"
    first = await ann.post(path, body, "a")
    assert first.code == code
    assert (await ann.move(game, DRAW, seat=seat)).status == 200
    again = await ann.post(path, body, "a")
    assert again.response.content == first.response.content
    assert (await ann.post(path, {"move": {"type": "pass"}, "seat": seat}, "a")).code == "idempotency_mismatch"


async def test_a_stream_id_and_a_key_are_one_space(ann: Player) -> None:
    """A move made over the stream is not made again over HTTP by the same name, and the other way round."""
    game, seat = await my_turn(ann)
    async with ann.stream(game) as stream:
        await stream.next()
        result = await stream.move(DRAW, id="one", seat=seat)
        repeat = await ann.move(game, DRAW, seat=seat, key="one")
        assert repeat.status == 200
        assert repeat.body["version"] == result["version"]
        discard = (await ann.legal(game, seat))[-1]
        made = await ann.move(game, discard, seat=seat, key="two")
        assert made.status == 200
        again = await stream.move(discard, id="two", seat=seat)
        assert (again["ok"], again["version"]) == (True, made.body["version"])
        other = await stream.move(DRAW, id="two", seat=seat)
        assert other["problem"]["code"] == "idempotency_mismatch"
        refused = await stream.move({"type": "take_back"}, id="three", seat=1 - seat)
        kept = await ann.move(game, {"type": "take_back"}, seat=1 - seat, key="three")
        assert kept.body == refused["problem"]
    async with ann.stream(game) as later:
        again = await later.move(DRAW, id="one", seat=seat)
        assert (again["ok"], again["version"]) == (True, result["version"])


async def test_a_key_belongs_to_its_player_and_path(ann: Player, bob: Player) -> None:
    """The same key of another player, or at another game, is another key."""
    one, seat = await my_turn(ann)
    two, other_seat = await my_turn(ann)
    assert (await ann.move(one, DRAW, seat=seat, key="a")).status == 200
    assert (await ann.move(two, DRAW, seat=other_seat, key="a")).status == 200
    theirs, his_seat = await my_turn(bob)
    assert (await bob.move(theirs, DRAW, seat=his_seat, key="a")).status == 200


async def test_a_game_made_twice_with_a_key_is_one_game(ann: Player) -> None:
    """Serial and parallel: the same 201, Location and body; another body is a mismatch."""
    first = await ann.post("/v1/games", {"client_seed": "x"}, "make")
    answers = await asyncio.gather(*(ann.post("/v1/games", {"client_seed": "x"}, "make") for _ in range(6)))
    for answer in answers:
        assert answer.status == 201
        assert answer.response.content == first.response.content
        assert answer.response.headers["location"] == first.response.headers["location"]
    assert (await ann.post("/v1/games", {"client_seed": "y"}, "make")).code == "idempotency_mismatch"
    at_once = await asyncio.gather(*(ann.post("/v1/games", {}, "make2") for _ in range(8)))
    assert len({answer.body["id"] for answer in at_once}) == 1
    assert len((await ann.get("/v1/games?mine=true")).body["items"]) == 2


async def test_a_refused_game_is_refused_again_and_a_commitment_is_made_once(ann: Player) -> None:
    """Refusals of every POST are kept; so is a commitment."""
    bad = await ann.post("/v1/games", {"ruleset": {"preset": "?"}}, "k")
    assert (await ann.post("/v1/games", {"ruleset": {"preset": "?"}}, "k")).response.content == bad.response.content
    made = await asyncio.gather(*(ann.post("/v1/commitments", None, "c") for _ in range(5)))
    assert len({answer.body["id"] for answer in made}) == 1
    assert (await ann.post("/v1/commitments")).body["number"] == 2


async def test_a_seat_taken_twice_with_a_key_is_taken_once(ann: Player, bob: Player) -> None:
    """The repeat gives the first VIEW, not `already_seated`."""
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], visibility="public")
    path = f"/v1/games/{made['id']}/seats"
    answers = await asyncio.gather(*(bob.post(path, {"seat": 2}, "sit") for _ in range(5)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.response.content for answer in answers}) == 1
    assert (await bob.post(path, {"seat": 2})).code == "already_seated"


async def test_a_seat_taken_before_a_crash_is_told_to_the_repeat(
    api_server: ServerProcess, ann: Player, bob: Player
) -> None:
    """A request that sat down and died before its answer was kept: the repeat is told that it sits."""
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], visibility="public")
    path = f"/v1/games/{made['id']}/seats"
    for key, body in (("sit", {"seat": 2}), ("any", {})):
        assert (await bob.post(path, body, key)).status == (200 if key == "sit" else 409)
        connection = await asyncpg.connect(plain_url(api_server.environment["RUMMY500_DATABASE_URL"]))
        died = "UPDATE kept_answers SET status = NULL, claimed_at = '-infinity' WHERE path = $1 AND key = $2"
        assert await connection.execute(died, path, key) == "UPDATE 1"
        await connection.close()
        again = await bob.post(path, body, key)
        assert again.status == 200, again.body
        assert again.body["your_seats"] == [2]
        assert (await bob.post(path, body, key)).response.content == again.response.content
    assert (await bob.post(path, {"seat": 1}, "other")).code == "already_seated"


async def test_keys_are_ignored_where_answers_hold_secrets(api: Api) -> None:
    """Two guests by one key are two guests: a token is never told twice."""
    headers = {"Idempotency-Key": "guest"}
    made = [await api.call("POST", "/v1/players", {}, headers=headers) for _ in range(2)]
    assert made[0].body["token"] != made[1].body["token"]


@pytest.mark.parametrize("key", ["", "a b", "x" * 129])
async def test_a_key_that_is_none_is_malformed(ann: Player, key: str) -> None:
    """1 to 128 visible ASCII characters."""
    refused = await ann.post("/v1/games", {}, key)
    assert (refused.code, refused.fields) == ("malformed", ["Idempotency-Key"])
    game, seat = await my_turn(ann)
    refused = await ann.move(game, DRAW, seat=seat, key=key)
    assert (refused.code, refused.fields) == ("malformed", ["Idempotency-Key"])


async def test_unauthenticated_requests_are_not_kept(api: Api, ann: Player) -> None:
    """A key used without a token, or with a wrong one, is still free."""
    key = {"Idempotency-Key": "k"}
    assert (await api.call("POST", "/v1/games", {}, headers=key)).status == 401
    assert (await api.call("POST", "/v1/games", {}, token="r500_" + "x" * 43, headers=key)).status == 401
    assert (await ann.post("/v1/games", {}, "k")).status == 201


async def test_keys_hold_in_other_processes_and_after_a_crash(
    api_server: ServerProcess, start_server: StartServer
) -> None:
    """The same move, game and refusal repeated at another process, and there again after `kill -9`."""
    one = start_server()
    two = start_server(like=one)
    here, there = Api(one.url), Api(two.url)
    ann = await here.guest()
    game, seat = await my_turn(ann)
    moved = await ann.move(game, DRAW, seat=seat, key="m")
    made = await ann.post("/v1/games", {}, "g")
    refused = await ann.move(game, DRAW, seat=seat, key="r")
    assert refused.code == "wrong_phase"
    mixed = secrets.token_hex(8)
    discard = (await ann.legal(game, seat))[-1]
    both = await asyncio.gather(*(who.move(game, discard, seat=seat, key=mixed) for who in (ann, ann.at(there)) * 4))
    assert len({answer.response.content for answer in both}) == 1
    for round_ in range(2):
        who = ann.at(there)
        assert (await who.move(game, DRAW, seat=seat, key="m")).response.content == moved.response.content
        assert (await who.post("/v1/games", {}, "g")).response.content == made.response.content
        assert (await who.move(game, DRAW, seat=seat, key="r")).response.content == refused.response.content
        if round_ == 0:
            two.kill()
            two.restart()
            await there.close()
            there = Api(two.url)
    await here.close()
    await there.close()
