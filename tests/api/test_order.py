"""Where two refusals would fit the earlier one is given, and nobody is told of what they may not know."""

import asyncio
import time
from typing import Any

import pytest

from tests.support.client import Api, Player

DRAW = {"type": "draw", "from": "stock"}
NOWHERE = "0" * 32
OPEN: dict[str, Any] = {"seats": [{"kind": "me"}, {"kind": "open"}]}
TABLE: dict[str, Any] = {"seats": [{"kind": "me"}, {"kind": "me"}]}


async def with_scopes(who: Player, *scopes: str) -> Player:
    """The same person with a named token of these scopes."""
    made = await who.post("/v1/me/tokens", {"name": "bot", "scopes": list(scopes)})
    assert made.status == 201, made.body
    return Player(who.api, who.id, made.body["token"])


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b'{"invite":7}', b'{"invite":"zz","x":1}', b'{"invite":"zz","seat":"x"}',
        b'{"invite":"zz","seat":9}', b'{"invite":"zz","client_seed":"a|b"}', b'{"invite":"a\\u0000"}', b" " * 70_000,
    ],
)  # fmt: skip
async def test_a_private_game_answers_a_stranger_as_one_that_is_not_there(
    ann: Player, bob: Player, body: bytes
) -> None:
    """Whatever is sent with a wrong invite: the same problem, byte for byte, for this game and for none."""
    game = (await ann.make(**OPEN))["id"]
    head = {"Authorization": f"Bearer {bob.token}"}
    at = [await bob.api.http.post(f"/v1/games/{which}/seats", content=body, headers=head) for which in (game, NOWHERE)]
    assert [answer.status_code for answer in at] == [404, 404]
    assert at[0].content == at[1].content


async def test_with_a_good_invite_the_body_is_judged(ann: Player, bob: Player) -> None:
    """Then it is known that there is a game: what is wrong is said, and the seat can be taken."""
    view = await ann.make(**OPEN)
    path = f"/v1/games/{view['id']}/seats"
    assert (await bob.post(path, {"invite": view["invite"], "x": 1})).code == "malformed"
    assert (await bob.post(path, {"invite": view["invite"], "seat": 9})).code == "malformed"
    assert (await bob.post(path, {"invite": f" {view['invite'].lower()} "})).status == 200


@pytest.mark.parametrize("watch", ["%00", "zz", ""])
async def test_a_wrong_watch_code_is_as_none(ann: Player, bob: Player, watch: str) -> None:
    """A player sees the game all the same, a stranger nothing."""
    game = (await ann.make(**TABLE))["id"]
    for path in ("", "/events", "/legal-moves", "/record"):
        assert (await bob.get(f"/v1/games/{game}{path}?watch={watch}")).code == "not_found", path
    assert (await ann.get(f"/v1/games/{game}?watch={watch}")).status == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/games/{game}/seats"), ("DELETE", "/v1/games/{game}/seats/me"),
        ("POST", "/v1/games/{game}/rematch"), ("POST", "/v1/games/{game}/absent"),
        ("POST", "/v1/games/{game}/moves"), ("POST", "/v1/daily/xx/practice"),
    ],
)  # fmt: skip
async def test_not_found_comes_before_what_a_token_or_key_lacks(
    ann: Player, bob: Player, method: str, path: str
) -> None:
    """No scope, or a key that is none: nothing there is still the first thing to say; there, it is what is wrong."""
    hidden = (await ann.make(**TABLE))["id"]
    reader = await with_scopes(bob, "read")
    for game in (NOWHERE, hidden):
        at = path.format(game=game)
        assert (await bob.api.call(method, at, token=reader.token)).code == "not_found"
        if method == "POST":
            assert (await bob.post(at, {}, "a b")).code == "not_found"
    if "{game}" in path:
        mine = path.format(game=(await bob.make(visibility="public", **OPEN))["id"])
        assert (await bob.api.call(method, mine, token=reader.token)).code == "forbidden"
        if method == "POST":
            assert (await bob.post(mine, {}, "a b")).fields == ["Idempotency-Key"]


async def test_a_held_request_ends_with_its_token(ann: Player) -> None:
    """A long poll whose token is revoked meanwhile is refused within five seconds and reads nothing more."""
    game = (await ann.make(**TABLE))["id"]
    version = (await ann.view(game))["version"]
    bot = await with_scopes(ann, "read")
    began = time.monotonic()
    held = asyncio.create_task(bot.get(f"/v1/games/{game}/events?after={version}&wait=20"))
    await asyncio.sleep(0.3)
    (token,) = (await ann.get("/v1/me/tokens")).body["items"]
    assert (await ann.delete(f"/v1/me/tokens/{token['id']}")).status == 204
    assert (await held).code == "unauthenticated"
    assert time.monotonic() - began < 6


async def test_a_held_request_hears_of_what_comes_late(ann: Player) -> None:
    """It is asked about its token now and then, and goes on waiting."""
    view = await ann.make(**TABLE)
    held = asyncio.create_task(ann.get(f"/v1/games/{view['id']}/events?after={view['version']}&wait=20"))
    await asyncio.sleep(3.5)
    await ann.move(view["id"], DRAW, seat=view["turn"]["seat"])
    events = (await asyncio.wait_for(held, 5)).body["events"]
    assert [event["type"] for event in events] == ["drew"]


@pytest.mark.parametrize(
    "wrong", [{"seat": 1, "if_version": None}, {"seat": 99}, {"x": 1, "seat": 0}, {"if_version": "1", "seat": 0}, {}]
)
@pytest.mark.parametrize("first", ["http", "stream"])
async def test_a_refusal_is_kept_for_its_key_whichever_way_it_came(
    ann: Player, bob: Player, wrong: dict[str, Any], first: str
) -> None:
    """The same again is refused alike by both ways, and the key is used up for anything else."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "me"}]
    view = await ann.make(seats=seats, visibility="public")
    game = view["id"]
    await bob.post(f"/v1/games/{game}/seats", {})
    async with ann.stream(game) as stream:
        await stream.next()

        async def by(way: str, body: dict[str, Any]) -> Any:
            if way == "http":
                return (await ann.move(game, DRAW, key="k", **body)).body
            result = await stream.move(DRAW, "k", **body)
            return result["problem"]

        second = {"http": "stream", "stream": "http"}[first]
        refused = await by(first, wrong)
        assert refused["code"] == ("forbidden" if wrong.get("seat") == 1 else "malformed")
        assert (await by(first, wrong))["code"] == refused["code"]
        assert (await by(second, wrong))["code"] == refused["code"]
        for way in (first, second):
            assert (await by(way, {"seat": 0, "if_version": 1}))["code"] == "idempotency_mismatch"
    assert "drew" not in [event["type"] for event in await ann.events(game)]


async def test_a_stranger_to_a_public_game_uses_up_a_key_too(ann: Player, bob: Player) -> None:
    """Forbidden without a seat, and kept: the key is not free for another move later."""
    game = (await ann.make(visibility="public", **OPEN))["id"]
    assert (await bob.move(game, DRAW, key="k")).code == "forbidden"
    await bob.post(f"/v1/games/{game}/seats", {})
    assert (await bob.move(game, DRAW, key="k", if_version=7)).code == "idempotency_mismatch"


async def test_seats_beyond_the_table_are_malformed_for_who_sits_too(ann: Player) -> None:
    """`malformed` comes before `already_seated`."""
    game = (await ann.make(**OPEN))["id"]
    assert (await ann.post(f"/v1/games/{game}/seats", {"seat": 9})).code == "malformed"
    assert (await ann.post(f"/v1/games/{game}/seats", {"seat": 1})).code == "already_seated"


async def test_leaving_takes_no_body(ann: Player) -> None:
    """A field that means nothing is refused, and the seat is kept."""
    game = (await ann.make(**TABLE))["id"]
    path = f"/v1/games/{game}/seats/me"
    assert (await ann.api.call("DELETE", path, {"x": 1}, token=ann.token)).code == "malformed"
    assert (await ann.view(game))["your_seats"] == [0, 1]
    assert (await ann.delete(path)).status == 204


async def test_a_registered_player_is_first_asked_for_the_password(api: Api) -> None:
    """`forbidden` without it, whatever else is wrong; a wrong recovery code is so before a password too short."""
    cat = await api.guest("Cat")
    name = f"cat-{cat.id[:8]}".lower()
    good = {"username": name, "password": "correct horse"}
    put = "/v1/me/credentials"
    assert (await api.call("PUT", put, good, token=cat.token)).status == 200
    for body in ({"username": "!", "password": "x"}, {"username": name, "password": "x", "current_password": "y" * 9}):
        assert (await api.call("PUT", put, body, token=cat.token)).code == "forbidden"
    bad = {"username": "!", "password": "x", "current_password": "correct horse"}
    assert (await api.call("PUT", put, bad, token=cat.token)).code == "malformed"
    lost = {"username": name, "recovery_code": "no-such-code", "new_password": "x"}
    assert (await api.call("POST", "/v1/sessions", lost)).code == "unauthenticated"


async def test_daily_records_are_forbidden_before_they_are_unfinished(ann: Player) -> None:
    """Until the day closes, one's own record and review are forbidden, from the first card on."""
    game = (await ann.post("/v1/daily/games")).body["id"]
    for what in ("record", "review"):
        assert (await ann.get(f"/v1/games/{game}/{what}")).code == "forbidden"


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ('{"partners":true}', 200),
        ('{"deal":[26,7]}', 200),
        ('{"packs":1,"seats":[8,8]}', 422),
        ('{"seats":[9,1]}', 422),
    ],
)
async def test_rules_are_told_for_any_table_that_may_play_them(ann: Player, options: str, status: int) -> None:
    """Options that the smallest table can't have are told as a larger one plays them."""
    found = await ann.get(f"/v1/rulesets/pagat/rules?options={options}")
    assert found.status == status, found.body


@pytest.mark.parametrize("options", ["{", "[]", "7", "%00"])
async def test_options_that_are_no_object_are_named(ann: Player, options: str) -> None:
    """The error names the parameter."""
    assert (await ann.get(f"/v1/rulesets/pagat/rules?options={options}")).fields == ["options"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"round": 1}, "position.round"),
        ({"melds": [{"cards": [], "id": "m1"}]}, "position.melds.0.id"),
        ({"melds": [{"cards": [{"card": "7H", "seat": 0, "x": 1}]}]}, "position.melds.0.cards.0.x"),
    ],
)
async def test_a_field_that_positions_do_not_have_is_malformed(ann: Player, change: dict[str, Any], field: str) -> None:
    """And comes before what else is wrong with the position or the ruleset."""
    position = {"hands": [["4S"], ["9C"]], "stock": ["3C"], "pile": ["4H"], "melds": [], "totals": [0, 0]}
    position |= {"dealer": 0, "turn": 1, "phase": "nonsense", **change}
    made = await ann.post("/v1/games", {"ruleset": {"preset": "nonsense"}, **TABLE, "position": position})
    assert made.code == "malformed"
    assert field in made.fields


async def test_an_unknown_commitment_comes_before_a_bad_ruleset(ann: Player) -> None:
    """`malformed` is the earlier of the two."""
    made = await ann.post("/v1/games", {"commitment": "none", "ruleset": {"options": {"target": -5}}})
    assert made.fields == ["commitment"]


@pytest.mark.parametrize(
    ("path", "methods"),
    [("/v1/me", "DELETE, GET, PATCH"), ("/v1/games", "GET, POST"), ("/v1/sessions", "DELETE, POST")],
)
async def test_allow_names_every_method(api: Api, path: str, methods: str) -> None:
    """405 says what the address has."""
    found = await api.http.request("PUT", path)
    assert found.status_code == 405
    assert found.headers["Allow"] == methods


async def test_the_document_says_what_keys_and_tokens_may_meet(api: Api) -> None:
    """Moves take an Idempotency-Key, and whatever needs a token may be forbidden to one."""
    paths = (await api.http.get("/openapi.json")).json()["paths"]
    moves = paths["/v1/games/{id}/moves"]["post"]
    assert "Idempotency-Key" in [parameter["name"] for parameter in moves["parameters"]]
    for path, method in (("/v1/games", "post"), ("/v1/games/quick", "post"), ("/v1/me", "get")):
        assert "403" in paths[path][method]["responses"], path
