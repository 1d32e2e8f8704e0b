"""What a clever hostile client would try, beside bad input: limits, rights that have ended, double dealing, races."""

import asyncio
import contextlib
import gzip
import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import websockets

from tests.conftest import StartServer
from tests.support.client import Answer, Api, Player, stream

DRAW = {"type": "draw", "from": "stock"}


async def test_limits_hold_whatever_address_one_claims(start_server: StartServer) -> None:
    """With limits on, guests of one address are limited; rotating forwarded addresses lifts nothing."""
    server = start_server(RUMMY500_RATE_LIMITS="on")
    api = Api(server.url)
    refused: Answer | None = None
    for number in range(320):
        headers = {
            "X-Forwarded-For": f"10.0.{number // 250}.{number % 250}",
            "X-Real-IP": "1.2.3.4",
            "Forwarded": "for=5.6.7.8",
        }
        answer = await api.call("POST", "/v1/players", {}, headers=headers)
        if answer.status == 429:
            refused = answer
            break
    assert refused is not None
    assert refused.code == "rate_limited"
    assert refused.response.headers["ratelimit"]
    assert (await api.call("GET", "/v1/server")).status == 200, "other calls go on"
    await api.close()


async def test_a_trusted_proxy_tells_addresses_apart(start_server: StartServer) -> None:
    """Named as trusted, the proxy's forwarded address counts: one visitor's limit is not another's."""
    server = start_server(RUMMY500_RATE_LIMITS="on", RUMMY500_TRUSTED_PROXIES="127.0.0.1")
    api = Api(server.url)
    statuses = [
        (await api.call("POST", "/v1/players", {}, headers={"X-Forwarded-For": "203.0.113.7"})).status
        for _ in range(305)
    ]
    assert statuses[-1] == 429
    assert (await api.call("POST", "/v1/players", {}, headers={"X-Forwarded-For": "203.0.113.8"})).status == 201
    spoofed = {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}
    assert (await api.call("POST", "/v1/players", {}, headers=spoofed)).status == 429, "what the client wrote itself"
    ann = Player(
        api, "", (await api.call("POST", "/v1/players", {}, headers={"X-Forwarded-For": "203.0.113.9"})).body["token"]
    )
    game = (await ann.make())["id"]
    async with ann.stream(game) as flooded:
        await flooded.next()
        for _ in range(1200):
            await flooded.socket.send('{"type":"ping"}')
        assert await flooded.code() == 4429
    opened = [stream(api.url, game, ann.token) for _ in range(66)]
    streams = [await one.__aenter__() for one in opened]
    codes = await asyncio.gather(*(one.code(3) for one in streams[-2:]), return_exceptions=True)
    assert 4429 in codes
    await asyncio.gather(*(one.socket.close() for one in streams))
    await api.close()


async def test_a_token_that_expires_closes_its_stream(api: Api, ann: Player) -> None:
    """At its time, within 5 seconds, with 4401; a read-only one sees and never moves."""
    registered = await api.call(
        "PUT", "/v1/me/credentials", {"username": f"u{ann.id[:12]}", "password": "correct horse"}, token=ann.token
    )
    assert registered.status == 200
    soon = (datetime.now(UTC) + timedelta(seconds=3)).isoformat()
    made = await ann.post("/v1/me/tokens", {"name": "bot", "scopes": ["read"], "expires_at": soon})
    assert made.status == 201
    bot = Player(api, ann.id, made.body["token"])
    game = (await ann.make(seats=[{"kind": "me"}, {"kind": "me"}]))["id"]
    async with bot.stream(game) as watching:
        assert (await watching.next())["view"]["your_seats"] == [0, 1]
        assert (await watching.move(DRAW, seat=0))["problem"]["code"] == "forbidden"
        assert (await bot.move(game, DRAW, seat=0)).code == "forbidden"
        assert (await bot.post("/v1/games", {})).code == "forbidden"
        assert (await bot.delete(f"/v1/games/{game}/seats/me")).code == "forbidden"
        began = time.monotonic()
        assert await watching.code(10) == 4401
        assert time.monotonic() - began < 8.5
    assert (await bot.get("/v1/me")).status == 401


async def test_nobody_plays_against_themselves_by_quick_games_or_joins(ann: Player) -> None:
    """Asking again for a quick game never seats one twice; a second seat of one's own table is `already_seated`."""
    answers = await asyncio.gather(*(ann.post("/v1/games/quick", {"seats": 2, "fill_after": 120}) for _ in range(6)))
    assert {answer.status for answer in answers} <= {200, 201}
    for game in {answer.body["id"] for answer in answers}:
        view = await ann.view(game)
        assert len(view["your_seats"]) == 1
        assert view["status"] == "waiting"
        assert (await ann.post(f"/v1/games/{game}/seats", {})).code == "already_seated"
        await ann.delete(f"/v1/games/{game}/seats/me")


async def test_a_rematch_is_one_game_for_those_who_sat(api: Api, ann: Player, bob: Player) -> None:
    """Asked for at once by both, again and again: one game; not before the end; not by others."""
    made = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public")
    path = f"/v1/games/{made['id']}"
    await bob.post(f"{path}/seats", {})
    assert (await ann.post(f"{path}/rematch")).code == "game_not_finished"
    await bob.delete(f"{path}/seats/me")
    answers = await asyncio.gather(*(who.post(f"{path}/rematch") for who in (ann, bob) * 4))
    good = [answer for answer in answers if answer.status in (200, 201)]
    assert len({answer.body["id"] for answer in good}) == 1
    assert sum(answer.status == 201 for answer in good) == 1
    eve = await api.guest("Eve")
    assert (await eve.post(f"{path}/rematch")).code in ("forbidden", "not_found")


async def test_hints_are_for_unranked_games_and_tell_no_more_than_the_seat_knows(ann: Player, bob: Player) -> None:
    """A ranked game gives none; a study game gives a legal move; an onlooker gets none."""
    ranked = await ann.make()
    assert ranked["ranked"] is True
    assert (await ann.get(f"/v1/games/{ranked['id']}/hint")).code == "forbidden"
    study = await ann.make(ruleset={"preset": "classic", "options": {"target": 100}}, visibility="public")
    while study["turn"]["seat"] != 0:
        await ann.get(f"/v1/games/{study['id']}/events?after={study['version']}&wait=5")
        study = await ann.view(study["id"])
    hint = await ann.get(f"/v1/games/{study['id']}/hint")
    assert hint.status == 200
    assert hint.body["move"] in await ann.legal(study["id"])
    assert (await bob.get(f"/v1/games/{study['id']}/hint")).status in (403, 404)
    assert (await ann.get(f"/v1/games/{study['id']}/review?seat=0")).code == "game_not_finished"


async def test_lists_and_the_lobby_show_no_private_game(api: Api, ann: Player) -> None:
    """To nobody but its players; pages of a list hold each game once."""
    private = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}])
    public = [await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public") for _ in range(5)]
    async with stream(api.url, "", None, path="/v1/lobby") as lobby:
        first = await lobby.next()
        assert first["type"] == "games"
        assert private["id"] not in json.dumps(first)
        another = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}])
        seen = await ann.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public")
        while True:
            frame = await lobby.next(10)
            assert another["id"] not in json.dumps(frame)
            if seen["id"] in json.dumps(frame):
                break
    found: list[str] = []
    cursor = ""
    while True:
        page = (await ann.get(f"/v1/games?mine=true&limit=2{cursor}")).body
        found += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert len(found) == len(set(found)) == 8
    assert {game["id"] for game in public} <= set(found)
    everybody = (await api.call("GET", "/v1/games?limit=100")).body["items"]
    assert private["id"] not in {item["id"] for item in everybody}


async def test_a_players_own_stream_is_theirs_alone(api: Api, ann: Player, bob: Player) -> None:
    """Without a token 4401; what Ann must know of her games never reaches Bob."""
    async with stream(api.url, "", None, path="/v1/me/stream") as nobody:
        assert await nobody.code() == 4401
    async with (
        stream(api.url, "", ann.token, path="/v1/me/stream") as hers,
        stream(api.url, "", bob.token, path="/v1/me/stream") as his,
    ):
        for own in (hers, his):
            await own.send(type="ping")
            await own.until("pong")
        game = (await ann.make())["id"]
        await hers.until("game_started", 10, game=game)
        with pytest.raises(TimeoutError):
            await his.until("game_started", 1.5, game=game)


@pytest.mark.parametrize("path", ["/v1/games/{}/stream", "/v1/lobby", "/v1/me/stream"])
async def test_every_stream_survives_nonsense(api: Api, ann: Player, path: str) -> None:
    """Frames that are none close that stream with 4400 and no other."""
    game = (await ann.make())["id"]
    async with stream(api.url, "", ann.token, path=path.format(game)) as good:
        for text in ("x", "[]", '{"type":"?"}', '{"a":' * 500 + "1" + "}" * 500, '{"type":"\\u0000"}', "\x00"):
            async with stream(api.url, "", ann.token, path=path.format(game)) as bad:
                await bad.socket.send(text)
                assert await bad.code() == 4400, text[:20]
        await good.send(type="ping")
        await good.until("pong")
    for query in ("after=x", "after=-1", "after=999999999", "after=%00"):
        if "lobby" not in path:
            async with stream(api.url, "", ann.token, query, path=path.format(game)) as bad:
                assert await bad.code() == 4400, query


async def test_packed_and_endless_bodies_are_refused(api: Api, ann: Player) -> None:
    """A gzip bomb is no JSON; a message in endless pieces ends with 1009."""
    bomb = gzip.compress(b"0" * (10 << 20))
    answer = await api.call("POST", "/v1/games", raw=bomb, token=ann.token, headers={"Content-Encoding": "gzip"})
    assert answer.code == "malformed"
    game = (await ann.make())["id"]
    async with ann.stream(game) as opened:
        await opened.next()

        async def pieces() -> Any:
            for _ in range(5000):
                yield "x" * 1000

        with contextlib.suppress(websockets.ConnectionClosed):
            await opened.socket.send(pieces())
        await opened.code()
        assert opened.socket.close_code in (1009, 1006)


async def test_the_same_table_is_the_same_for_two_devices(ann: Player) -> None:
    """Two streams of one seat: neither is sent away, a move by one shows in both, closing one leaves the other."""
    game = (await ann.make(seats=[{"kind": "me"}, {"kind": "me"}]))["id"]
    async with ann.stream(game) as one:
        async with ann.stream(game) as two:
            view = (await one.next())["view"]
            await two.next()
            await one.move(DRAW, seat=view["turn"]["seat"])
            assert (await two.until("events"))["events"][0]["cards"] is not None
        moved = await one.move((await ann.legal(game, view["turn"]["seat"]))[-1], seat=view["turn"]["seat"])
        assert moved["ok"] is True


async def test_connections_cut_in_any_way_leave_nothing_behind(api: Api, ann: Player) -> None:
    """Clean closes, resets, half-made handshakes, bare probes: the count of open sockets comes back to what it was."""
    game = (await ann.make(seats=[{"kind": "me"}, {"kind": "me"}]))["id"]

    async def sockets() -> int:
        text = (await api.call("GET", "/metrics")).response.text
        line = next(line for line in text.splitlines() if line.startswith('rummy500_streams{kind="table"}'))
        return int(float(line.split()[-1]))

    before = await sockets()
    host, port = api.url.removeprefix("http://").split(":")

    async def probe(data: bytes) -> None:
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(data)
        await asyncio.sleep(0.01)
        writer.transport.abort()

    head = f"GET /v1/games/{game}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ann.token}\r\n".encode()
    for number in range(40):
        async with ann.stream(game) as opened:
            await opened.next()
            if number % 2:
                opened.socket.transport.abort()
        await probe(b"")
        await probe(head)
        await probe(
            head + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
    for _ in range(50):
        if await sockets() <= before:
            break
        await asyncio.sleep(0.1)
    assert await sockets() <= before


async def test_who_hangs_up_a_held_poll_frees_it(ann: Player) -> None:
    """Polls that are abandoned end; the next move is told as ever."""
    game = (await ann.make(seats=[{"kind": "me"}, {"kind": "me"}]))["id"]
    view = await ann.view(game)
    for _ in range(10):
        with pytest.raises(httpx.TimeoutException):
            await ann.api.http.get(
                f"/v1/games/{game}/events?after={view['version']}&wait=30", timeout=0.1,
                headers={"Authorization": f"Bearer {ann.token}"},
            )  # fmt: skip
    held = asyncio.create_task(ann.get(f"/v1/games/{game}/events?after={view['version']}&wait=10"))
    await asyncio.sleep(0.2)
    await ann.move(game, DRAW, seat=view["turn"]["seat"])
    assert len((await held).body["events"]) == 1
