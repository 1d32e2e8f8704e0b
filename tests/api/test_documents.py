"""The documents and what every answer carries: OpenAPI, `/docs`, CORS, the order of refusals."""

import re
from typing import Any

import pytest

from server.errors import CODES
from tests.support.client import Api, Player, stream

DRAW = {"type": "draw", "from": "stock"}


async def operations(api: Api) -> list[tuple[str, str, dict[str, Any]]]:
    """Every operation of the OpenAPI document."""
    document = (await api.call("GET", "/openapi.json")).body
    return [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


async def test_stage1_openapi_has_an_example_for_every_body_and_every_refusal(api: Api) -> None:
    """Each body that is asked for or answered, each code that a call may give."""
    seen = set()
    for method, path, operation in await operations(api):
        where = f"{method} {path}"
        body = operation.get("requestBody")
        if body is not None:
            media = body["content"]["application/json"]
            assert "example" in media or "examples" in media, where
        for status, response in operation["responses"].items():
            content = response.get("content", {})
            if status == "204":
                assert content == {}
                continue
            for kind, media in content.items():
                assert media.get("example") or media.get("examples"), f"{where} {status}"
                if kind == "application/problem+json":
                    for code, example in media["examples"].items():
                        seen.add(code)
                        assert example["value"]["code"] == code
                        assert example["value"]["status"] == int(status) == CODES[code][0]
            assert content, f"{where} {status}"
    assert seen >= set(CODES) - {"internal", "method_not_allowed"}


async def test_the_document_is_what_is_served(api: Api, ann: Player) -> None:
    """Every path of it is there; the example bodies are accepted or refused for a reason of the game's."""
    for method, path, operation in await operations(api):
        where = re.sub(r"\{[^}]*\}", "0" * 32, path)
        if method == "DELETE" or "/me/" in path or "sessions" in path:
            continue
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("example")
        answer = await api.call(method, where, body, token=ann.token)
        assert answer.code not in ("method_not_allowed", "malformed"), (where, answer.body)
        assert str(answer.status) in operation["responses"], (where, answer.status)


async def test_stage1_docs_is_served_with_our_own_assets(api: Api) -> None:
    """The page asks for nothing from elsewhere, and everything it asks for is there."""
    page = await api.call("GET", "/docs")
    assert page.status == 200
    text = page.response.text
    found = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert len(found) >= 2
    for address in found:
        assert address.startswith("/"), address
        asset = await api.call("GET", address)
        assert asset.status == 200
        assert len(asset.response.content) > 50
    policy = page.response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "http:" not in policy
    assert "https:" not in policy


@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://localhost:3000"])
async def test_stage1_cors_lets_any_origin_call_without_credentials(api: Api, ann: Player, origin: str) -> None:
    """Preflights of every method, refusals too; four headers exposed; never `Allow-Credentials`, never a cookie."""
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        preflight = await api.call(
            "OPTIONS", "/v1/games",
            headers={
                "Origin": origin, "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
            },
        )  # fmt: skip
        assert preflight.status in (200, 204)
        headers = preflight.response.headers
        assert headers["access-control-allow-origin"] in ("*", origin)
        assert method in headers["access-control-allow-methods"]
        assert {"authorization", "idempotency-key"} <= {
            name.strip().lower() for name in headers["access-control-allow-headers"].split(",")
        }
        assert "access-control-allow-credentials" not in headers
    for path, token in (("/v1/server", None), ("/v1/me", None), ("/v1/games/x", ann.token), ("/nowhere", None)):
        answer = await api.call("GET", path, token=token, headers={"Origin": origin, "Cookie": "session=1"})
        headers = answer.response.headers
        assert headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in headers
        exposed = {name.strip() for name in headers["access-control-expose-headers"].split(",")}
        assert exposed >= {"Location", "Retry-After", "RateLimit", "Request-Id"}


async def test_a_stream_takes_any_origin_and_the_token_by_subprotocol(api: Api, ann: Player) -> None:
    """As a browser does it: no header of its own, the token as a subprotocol, and `rummy500.v1` answered."""
    game = (await ann.make())["id"]
    options: dict[str, Any] = {"origin": "https://example.org", "subprotocols": ["rummy500.v1", f"bearer.{ann.token}"]}
    async with stream(api.url, game, None, **options) as opened:
        assert opened.socket.subprotocol == "rummy500.v1"
        assert (await opened.next())["view"]["your_seats"] == [0]
    for bad in ("bearer.r500_" + "x" * 43, "bearer.", "bearer.x"):
        async with stream(api.url, game, None, subprotocols=["rummy500.v1", bad]) as opened:
            assert await opened.code() == 4401


async def test_request_ids_are_all_different(api: Api) -> None:
    """Every answer has one of its own, whatever the client sends."""
    found = [
        (await api.call("GET", "/v1/server", headers={"Request-Id": "mine"})).response.headers["request-id"]
        for _ in range(5)
    ]
    assert len(set(found)) == 5
    assert "mine" not in found


async def test_refusals_come_in_the_order_of_the_contract(api: Api, ann: Player, bob: Player) -> None:
    """Where several would fit the earlier is given: who, there, allowed, well formed, running, version, turn, phase."""
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public")
    path = f"/v1/games/{made['id']}/moves"
    private = f"/v1/games/{(await bob.make())['id']}/moves"
    nonsense = {"move": {"type": "nonsense"}, "surprise": 1, "if_version": -5}

    async def code(who: Player | None, where: str, body: Any) -> str | None:
        return (await api.call("POST", where, body, token=None if who is None else who.token)).code

    assert await code(None, private, nonsense) == "unauthenticated"
    assert await code(None, path, nonsense) == "unauthenticated"
    assert await code(ann, private, nonsense) == "not_found"
    assert await code(bob, path, nonsense) == "forbidden"
    assert await code(ann, path, nonsense) == "malformed"
    assert await code(ann, path, {"move": DRAW, "if_version": 99}) == "game_not_running"
    await bob.post(f"/v1/games/{made['id']}/seats", {})
    view = await ann.view(made["id"])
    mover, other = (ann, bob) if view["turn"]["seat"] == 0 else (bob, ann)
    far = {"type": "discard", "card": "XX"}
    assert await code(other, path, {"move": far, "if_version": 99}) == "malformed"
    wrong = {"type": "discard", "card": "2C"}
    assert await code(other, path, {"move": wrong, "if_version": 99}) == "version_conflict"
    assert await code(other, path, {"move": wrong}) == "not_your_turn"
    assert await code(mover, path, {"move": wrong}) == "wrong_phase"
    assert await code(mover, path, {"move": {"type": "draw", "from": "pile", "card": "AS"}}) in (
        "card_not_in_pile", "cannot_use_card", None,
    )  # fmt: skip


async def test_methods_that_are_not_for_an_address_are_told_apart(api: Api) -> None:
    """405 with `Allow` where another method is right, 404 where nothing is."""
    wrong = await api.call("PUT", "/v1/server")
    assert (wrong.status, wrong.code) == (405, "method_not_allowed")
    assert "GET" in wrong.response.headers["allow"]
    assert (await api.call("HEAD", "/v1/server")).status in (200, 405)
    assert (await api.call("GET", "/v1/nothing")).code == "not_found"


async def test_operators_pages_hold_no_secret(api: Api, ann: Player) -> None:
    """Health, readiness and metrics answer, and name no game, player or card."""
    game = (await ann.make())["id"]
    assert (await api.call("GET", "/healthz")).body == {"status": "ok"}
    assert (await api.call("GET", "/readyz")).body["status"] == "ready"
    text = (await api.call("GET", "/metrics")).response.text
    for secret in (game, ann.id, ann.token):
        assert secret not in text
