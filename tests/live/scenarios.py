"""What must hold with several processes and faults, as scenarios: small in the tests, full in `dev.py soak`.

Each returns the figures it measured.
"""

import asyncio
import random
import socket
import statistics
import time
from typing import Any
from urllib.parse import urlsplit

from tests.live.load import Busy, Follower, busy_table
from tests.live.stand import DRAW, Stand
from tests.support.client import Json, Player, gap_free, modest, stream

Figures = dict[str, float | int]


def percentile(values: list[float], part: float) -> float:
    """The value that a part of them stays under, in milliseconds."""
    return round(sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1000, 1)


async def any_move(player: Player, game: str, seat: int | None = None, chance: random.Random | None = None) -> Any:
    """A modest move of a seat that is to move."""
    legal = await player.legal(game, seat)
    more = {} if seat is None else {"seat": seat}
    return await player.move(game, modest(legal, chance or random.Random(1)), **more)


async def read_your_writes(stand: Stand, count: int) -> Figures:
    """What one process has acknowledged the other knows at once, by every way of reading."""
    ann = (await stand.guests(1))[0]
    far = ann.at(stand.there)
    for _ in range(count):
        game = (await stand.own_table(ann))["id"]
        seat = (await far.view(game))["turn"]["seat"]
        version = (await ann.move(game, DRAW, seat=seat)).body["version"]
        one, two, three = await asyncio.gather(far.view(game), far.events(game, version - 1), far.legal(game, seat))
        assert one["version"] == version
        assert [event["seq"] for event in two] == [version]
        assert any(move["type"] == "discard" for move in three)
        moved = await far.move(game, three[-1], seat=seat, if_version=version)
        assert moved.status == 200
        assert (await ann.view(game))["version"] == moved.body["version"]
    return {"moves": 2 * count}


async def streams_across(stand: Stand, count: int) -> Figures:
    """Moves made at either process reach streams at both, in order, and soon."""
    busy = [await busy_table(stand, seed) for seed in range(4)]
    took = await played(stand, busy, seconds=max(2.0, count / 40))
    late: list[float] = []
    for table in busy:
        one, two = (follower.arrived for follower in table.followers)
        late += [abs(one[seq] - two[seq]) for seq in one if seq in two]
    assert statistics.median(late) < 1, "news comes by the bus, and not only by looking after it"
    return {"moves": took, "p50_ms": percentile(late, 0.5), "p99_ms": percentile(late, 0.99)}


async def played(stand: Stand, busy: list[Busy], seconds: float, nemesis: Any = None) -> int:
    """Tables played for a while (or as long as the nemesis works), then checked; the moves they made."""
    followers = [asyncio.create_task(follower.run()) for table in busy for follower in table.followers]
    players = [asyncio.create_task(table.run()) for table in busy]
    try:
        if nemesis is None:
            await asyncio.sleep(seconds)
        else:
            await nemesis
        for table in busy:
            table.stopped = True
        await asyncio.wait_for(asyncio.gather(*players), 90)
        moves = 0
        for table in busy:
            moves += await table.check()
        for task in followers:
            assert not task.done() or task.exception() is None, task.exception()
        return moves
    finally:
        for table in busy:
            table.stopped = True
            for follower in table.followers:
                follower.stopped = True
        for task in (*players, *followers):
            task.cancel()
        await asyncio.gather(*players, *followers, return_exceptions=True)


async def killed_under_load(stand: Stand, count: int) -> Figures:
    """`kill -9` of a process at random moments, again and again: nothing acknowledged is lost, nothing made twice."""
    chance = random.Random(count)
    busy = [await busy_table(stand, seed, cpu=seed % 2 == 1) for seed in range(6)]
    quiet: list[float] = []

    async def nemesis() -> None:
        for number in range(count):
            await asyncio.sleep(0.2 + chance.random())
            victim = number % 2
            stand.servers[victim].process.kill()
            began = time.monotonic()
            heard = [len(table.acknowledged) for table in busy]
            while not any(len(table.acknowledged) > n for table, n in zip(busy, heard, strict=True)):
                await asyncio.sleep(0.02)
                assert time.monotonic() - began < 15, "play does not go on at the other process"
            quiet.append(time.monotonic() - began)
            await asyncio.to_thread(stand.servers[victim].process.wait)
            await stand.restart(victim)

    moves = await played(stand, busy, 0, nemesis())
    return {
        "kills": count,
        "moves": moves,
        "goes_on_after_ms_median": percentile(quiet, 0.5),
        "worst_ms": percentile(quiet, 1),
    }


async def cpu_turns_elsewhere(stand: Stand, count: int) -> Figures:
    """The process that would make a CPU player's move is killed: another makes it within 5 seconds."""
    waits = []
    for number in range(count):
        victim = number % 2
        ann = (
            (await stand.guests(1))[0].at(stand.apis[victim])
            if victim == 0
            else (await stand.apis[0].guest()).at(stand.apis[victim])
        )
        view = await ann.make(seats=[{"kind": "me"}, {"kind": "cpu", "level": "expert"}])
        game = view["id"]
        while True:
            view = await ann.view(game)
            if view["turn"]["seat"] == 0:
                break
            await asyncio.sleep(0.05)
        await ann.move(game, DRAW)
        legal = await ann.legal(game)
        version = (await ann.move(game, legal[-1])).body["version"]
        stand.servers[victim].process.kill()
        began = time.monotonic()
        other = ann.at(stand.apis[1 - victim])
        while (await other.view(game))["version"] == version:
            assert time.monotonic() - began < 8
            await asyncio.sleep(0.05)
        waits.append(time.monotonic() - began)
        await asyncio.to_thread(stand.servers[victim].process.wait)
        await stand.restart(victim)
    assert max(waits) < 5.5, waits
    return {"kills": count, "median_ms": percentile(waits, 0.5), "worst_ms": percentile(waits, 1)}


async def same_version(stand: Stand, count: int) -> Figures:
    """Two moves on one version through different processes: one is made, the other told the version there is."""
    ann = (await stand.guests(1))[0]
    far = ann.at(stand.there)
    game = (await stand.own_table(ann, ruleset={"preset": "pagat", "options": {"target": 10_000, "max_rounds": 1000}}))[
        "id"
    ]
    view = await ann.view(game)
    for number in range(count):
        if view["status"] == "finished":
            game = (await stand.own_table(ann, ruleset={"preset": "pagat", "options": {"target": 10_000}}))["id"]
            view = await ann.view(game)
        seat, version = view["turn"]["seat"], view["version"]
        legal = await ann.legal(game, seat)
        moves = (legal[0], legal[-1]) if number % 2 else (legal[-1], legal[-1])
        answers = await asyncio.gather(
            *(who.move(game, move, seat=seat, if_version=version) for who, move in zip((ann, far), moves, strict=True))
        )
        statuses = sorted(answer.status for answer in answers)
        assert statuses == [200, 409], [answer.body for answer in answers]
        lost = next(answer for answer in answers if answer.status == 409)
        won = next(answer for answer in answers if answer.status == 200)
        assert lost.code == "version_conflict"
        assert lost.body["version"] == won.body["version"]
        view = await ann.view(game)
        assert view["version"] == won.body["version"]
    return {"pairs": count}


async def last_seat(stand: Stand, joiners: int, rounds: int = 1) -> Figures:
    """Many ask for the last seat at once, at both processes: one has it, and the game starts once."""
    guests = await stand.guests(joiners)
    for number in range(rounds):
        maker = (await stand.guests(1))[0]
        made = await maker.make(seats=[{"kind": "me"}, {"kind": "open"}], visibility="public", spectators=False)
        path = f"/v1/games/{made['id']}/seats"
        answers = await asyncio.gather(
            *(guest.at(stand.apis[(number + n) % 2]).post(path, {}) for n, guest in enumerate(guests))
        )
        assert sorted(answer.status for answer in answers) == [200] + [409] * (joiners - 1)
        assert {answer.code for answer in answers if answer.status == 409} == {"seat_taken"}
        loser = next(guest for guest, answer in zip(guests, answers, strict=True) if answer.status == 409)
        assert (await loser.get(f"/v1/games/{made['id']}")).code == "forbidden"
        kinds = [event["type"] for event in await maker.events(made["id"])]
        assert kinds.count("game_started") == 1
        assert kinds.count("seat_taken") == 2
    return {"joiners": joiners, "rounds": rounds}


async def joins_together(stand: Stand, count: int) -> Figures:
    """Different people take different seats at once, each ten times: all sit, each once, and the game starts once."""
    guests = await stand.guests(4)
    for _ in range(count):
        made = await guests[0].make(seats=[{"kind": "me"}] + [{"kind": "open"}] * 3, visibility="public")
        path = f"/v1/games/{made['id']}/seats"
        answers = await asyncio.gather(
            *(guest.at(stand.apis[n % 2]).post(path, {}) for guest in guests[1:] for n in range(4))
        )
        assert sum(answer.status == 200 for answer in answers) == 3
        view = await guests[0].view(made["id"])
        assert {seat["player"]["id"] for seat in view["seats"]} == {guest.id for guest in guests}
        kinds = [event["type"] for event in await guests[0].events(made["id"])]
        assert kinds.count("game_started") == 1
    return {"tables": count}


LAST_CARD: Json = {
    "hands": [["2C"], ["KD"]], "stock": ["AC", "KC", "QC"], "pile": ["5C"], "melds": [], "totals": [0, 0],
    "dealer": 1, "turn": 0, "phase": "play",
}  # fmt: skip


async def end_clock_and_leave(stand: Stand, count: int) -> Figures:
    """The final discard, the clock and a leave within 5 ms of each other: one result, one `game_ended`."""
    ann, bob = await stand.guests(2)
    games = []
    for _ in range(count):
        view = await stand.table(
            [ann, bob], position=LAST_CARD, clock={"turn_seconds": 5},
            ruleset={"preset": "classic", "options": {"max_rounds": 1}},
        )  # fmt: skip
        games.append((view["id"], time.monotonic() + 5.0))

    async def collide(game: str, at: float) -> Json:
        last = {"type": "discard", "card": "2C"}
        await asyncio.sleep(max(0, at - time.monotonic() - 0.015 + 0.015 * stand.chance.random()))

        async def soon(work: Any, within: float = 0.012) -> Any:
            await asyncio.sleep(stand.chance.random() * within)
            return await work

        await asyncio.gather(
            soon(ann.move(game, last)),
            soon(ann.at(stand.there).move(game, last)),
            soon(bob.at(stand.there).delete(f"/v1/games/{game}/seats/me"), 0.004),
        )
        return await ann.view(game)

    reasons: dict[str, int] = {}
    views = await asyncio.gather(*(collide(game, at) for game, at in games))
    await asyncio.sleep(1)
    for view in views:
        now = await ann.view(view["id"])
        events = await ann.events(view["id"])
        gap_free(events, 0)
        ends = [event for event in events if event["type"] == "game_ended"]
        assert len(ends) == 1, [event["type"] for event in events]
        assert events[-1] == ends[0], "nothing comes after the end"
        assert now["result"] == {key: ends[0][key] for key in ("reason", "winners", "totals")}
        reasons[ends[0]["reason"]] = reasons.get(ends[0]["reason"], 0) + 1
    return {"games": count, **reasons}


async def snapshot_race(stand: Stand, count: int) -> Figures:
    """Streams opened while moves are made, storage and bus slowed at random: no version missing, none twice."""
    ann = (await stand.guests(1))[0]
    view = await stand.own_table(ann, ruleset={"preset": "pagat", "options": {"target": 10_000, "max_rounds": 1000}})
    game, stopped, chance = view["id"], False, random.Random(3)

    async def mover() -> int:
        made, at = 0, 0
        while not stopped:
            who = ann.at(stand.apis[at % 2])
            now = await who.view(game)
            if now["status"] == "finished":
                return made
            moved = await any_move(who, game, now["turn"]["seat"], chance)
            made += moved.status == 200
            at += made % 7 == 0
        return made

    stand.postgres.delay = stand.redis.delay = 0.012
    task = asyncio.create_task(mover())
    opened = 0

    async def one(number: int) -> None:
        nonlocal opened
        who = ann.at(stand.apis[number % 2])
        now = (await who.view(game))["version"]
        query = "" if number % 3 == 0 else f"after={max(0, now - number % 5)}"
        async with who.stream(game, query) as opened_stream:
            first = await opened_stream.next(40)
            start = first["view"]["version"] if first["type"] == "snapshot" else max(0, now - number % 5)
            if not task.done():
                wanted = opened_stream.version + 1 + number % 5
                while opened_stream.version < wanted and not task.done():
                    await opened_stream.next(40)
            gap_free(opened_stream.events, start)
            opened += 1

    try:
        for block in range(0, count, 8):
            await asyncio.gather(*(one(block + n) for n in range(min(8, count - block))))
            if task.done():
                task.result()
                return await snapshot_race(stand, count - block)
    finally:
        stopped = True
        stand.postgres.delay = stand.redis.delay = 0.0
    return {"streams": opened, "moves": await task}


async def redis_lost(stand: Stand, count: int) -> Figures:
    """Redis restarted, flushed, its connections killed, its packets dropped: no event lost or late, no 5xx."""
    busy = [await busy_table(stand, 40 + seed, cpu=seed == 0, pause=0.02) for seed in range(4)]

    async def nemesis() -> None:
        for _ in range(count):
            stand.redis.refuse()
            await stand.redis_command("FLUSHDB")
            await asyncio.sleep(2.5)
            stand.redis.mend()
            await asyncio.sleep(1)
            await stand.redis_command("CLIENT", "KILL", "TYPE", "pubsub")
            await asyncio.sleep(1)
            await stand.redis_command("FLUSHDB")
            stand.redis.hold()
            await asyncio.sleep(4 if count < 3 else 30)
            stand.redis.mend()
            await asyncio.sleep(1)

    moves = await played(stand, busy, 0, nemesis())
    late = [
        abs(one[seq] - two[seq])
        for table in busy
        for one, two in [(table.followers[0].arrived, table.followers[1].arrived)]
        for seq in one
        if seq in two
    ]
    assert max(late) < 6.5, max(late)
    return {"rounds": count, "moves": moves, "latest_event_s": round(max(late), 1)}


async def postgres_lost(stand: Stand, count: int) -> Figures:
    """Postgres away for seconds: 503 with Retry-After (the client checks both), nothing lost, then all goes on."""
    busy = [await busy_table(stand, 60 + seed, cpu=seed == 0) for seed in range(4)]
    for api in stand.apis:
        api.allow_503 = True
    refused = 0
    back = []

    async def nemesis() -> None:
        nonlocal refused
        for number in range(count):
            stand.postgres.refuse()
            await asyncio.sleep(1.5)
            ann = busy[0].players[0]
            answer = await ann.at(stand.apis[number % 2]).get(f"/v1/games/{busy[0].game}")
            assert answer.status == 503, answer.status
            ready = await stand.apis[number % 2].http.get("/readyz")
            assert ready.status_code == 503
            refused += 1
            stand.postgres.mend()
            began = time.monotonic()
            heard = [len(table.acknowledged) for table in busy]
            while not any(len(table.acknowledged) > n for table, n in zip(busy, heard, strict=True)):
                await asyncio.sleep(0.02)
                assert time.monotonic() - began < 15, "play does not go on"
            back.append(time.monotonic() - began)
            await asyncio.sleep(1)

    try:
        moves = await played(stand, busy, 0, nemesis())
    finally:
        for api in stand.apis:
            api.allow_503 = False
    return {"outages": count, "moves": moves, "refused_503": refused, "goes_on_after_ms_worst": percentile(back, 1)}


def raw_stream(url: str, game: str, token: str) -> socket.socket:
    """A WebSocket by hand that takes little at a time and is not read."""
    at = urlsplit(url)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.connect((at.hostname or "", at.port or 0))
    connection.sendall(
        (
            f"GET /v1/games/{game}/stream?views=1 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        ).encode()
    )
    return connection


def masked(text: str) -> bytes:
    """A client's text frame of less than 126 bytes, masked with nothing."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


async def slow_reader(stand: Stand, count: int) -> Figures:
    """One reader stops: the others' events come as before, memory is bounded, the slow one is closed (4408)."""
    ann, bob = await stand.guests(2)
    view = await stand.table([ann, bob], ruleset={"preset": "pagat", "options": {"target": 10_000, "max_rounds": 1000}})
    game = view["id"]
    memory = await asyncio.to_thread(resident, stand.servers[0].pids)

    async def paced(moves: int) -> list[float]:
        late = []
        async with ann.stream(game) as mine, bob.stream(game) as theirs:
            await mine.next()
            await theirs.next()
            for _ in range(moves):
                now = await ann.view(game)
                who, other = (ann, theirs) if now["turn"]["seat"] == 0 else (bob, mine)
                legal = await who.legal(game)
                began = time.monotonic()
                sent = asyncio.create_task(who.move(game, modest(legal, stand.chance)))
                await other.until_version(now["version"] + 1)
                late.append(time.monotonic() - began)
                await sent
        return late

    before = await paced(count)
    slow = await asyncio.to_thread(raw_stream, stand.here.url, game, bob.token)
    slow.setblocking(False)
    loop = asyncio.get_running_loop()
    for _ in range(6000):  # it asks for snapshot after snapshot, and reads none
        try:
            await asyncio.wait_for(loop.sock_sendall(slow, masked('{"type":"sync"}')), 0.5)
        except (TimeoutError, OSError):
            break
    await asyncio.sleep(8)  # the server works through what was asked, and nothing is taken from it
    during = await paced(count)
    grown = await asyncio.to_thread(resident, stand.servers[0].pids) - memory
    closed = await asyncio.to_thread(read_to_the_end, slow)
    assert closed == 4408, closed
    assert statistics.median(during) < 3 * statistics.median(before) + 0.05
    assert grown < 64 * 1024, f"{grown} KB"
    return {
        "moves": count, "median_before_ms": percentile(before, 0.5), "median_during_ms": percentile(during, 0.5),
        "p99_before_ms": percentile(before, 0.99), "p99_during_ms": percentile(during, 0.99), "grown_kb": grown,
    }  # fmt: skip


def resident(pids: list[int]) -> int:
    """Resident memory in KB."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/status") as status:  # noqa: PTH123 - a pseudo file
            total += next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return total


def read_to_the_end(connection: socket.socket) -> int | None:
    """Reads what is left; the code of the close frame at its end, None where it was cut without one."""
    connection.setblocking(True)
    connection.settimeout(20)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    tail = b""
    try:
        while data := connection.recv(1 << 20):
            tail = (tail + data)[-4096:]
            at = tail.rfind(b"\x88\x02")
            if at >= 0 and len(tail) == at + 4:
                return int.from_bytes(tail[at + 2 : at + 4], "big")
    except OSError:
        return None
    finally:
        connection.close()
    return None


async def presence(stand: Stand, count: int) -> Figures:
    """Several devices at several processes hold one seat; a blip is not noticed, a leave is after its grace."""
    del count
    ann, bob = await stand.guests(2)
    game = (await stand.table([ann, bob]))["id"]
    async with bob.stream(game) as watching:
        async with ann.stream(game) as one:
            await one.next()
            await watching.until("presence", seat=0, online=True)
            async with ann.at(stand.there).stream(game) as two:
                await two.next()
        await asyncio.sleep(2)
        read = len(watching.frames)
        async with ann.at(stand.there).stream(game) as one:
            await one.next()
            await asyncio.sleep(1)
        seen = [frame for frame in watching.frames[read:] if frame["type"] == "presence" and not frame["online"]]
        assert not seen, "a blip of two seconds was told"
        began = time.monotonic()
        gone = await watching.until("presence", 40, seat=0, online=False)
        took = time.monotonic() - began
        assert gone["online"] is False
        assert 6 < took < 35
        view = await bob.view(game)
        assert [seat["status"] for seat in view["seats"]] == ["away", "active"]
        async with ann.at(stand.there).stream(game) as back:
            await back.next()
            await watching.until("presence", 10, seat=0, online=True)
            assert (await bob.view(game))["seats"][0]["status"] == "active"
    return {"gone_after_s": round(took, 1)}


async def clocks_after_a_stop(stand: Stand, count: int) -> Figures:
    """The whole service stops for longer than the turns: nobody is charged, deadlines move, and then run again."""
    ann, bob = await stand.guests(2)
    clock = {"turn_seconds": 8, "bank_seconds": 0}
    views = [await stand.table([ann, bob], clock=clock) for _ in range(count)]
    for server in stand.servers:
        server.process.kill()
    for server in stand.servers:
        await asyncio.to_thread(server.process.wait)
    stopped = time.monotonic()
    await asyncio.sleep(9)
    await stand.restart(0)
    away = time.monotonic() - stopped
    await stand.restart(1)
    for view in views:
        events = await ann.events(view["id"], view["version"])
        assert [event["type"] for event in events][:1] == ["deadline_moved"], events
        deadline = events[0]["deadline"]
        assert all(event["at"] >= deadline for event in events[1:]), "the clock charged a stop"
        now = await ann.view(view["id"])
        assert now["turn"]["deadline"] > view["turn"]["deadline"]
    began = time.monotonic()
    while any([(await ann.view(view["id"]))["turn"]["seat"] == view["turn"]["seat"] for view in views]):
        await asyncio.sleep(0.2)
        assert time.monotonic() - began < 14, "the clock does not run after the restart"
    return {"games": count, "away_s": round(away, 1), "clock_played_after_s": round(time.monotonic() - began, 1)}


async def many_streams(stand: Stand, count: int) -> Figures:
    """Hundreds of streams at one process with a pool of ten: moves go as before, nothing is idle in transaction."""
    ann, bob = await stand.guests(2)
    watchers = await stand.guests(max(1, count // 50))
    view = await stand.table([ann, bob])
    game = view["id"]

    async def timed(moves: int) -> list[float]:
        late = []
        for _ in range(moves):
            now = await ann.view(game)
            if now["status"] == "finished":
                break
            who = (ann, bob)[now["turn"]["seat"]]
            legal = await who.legal(game)
            began = time.monotonic()
            assert (await who.move(game, modest(legal, stand.chance))).status == 200
            late.append(time.monotonic() - began)
        return late

    before = await timed(20)
    streams = [stream(stand.here.url, game, watchers[n % len(watchers)].token) for n in range(count)]
    opened = []
    try:
        for block in range(0, count, 25):
            opened += await asyncio.gather(*(one.__aenter__() for one in streams[block : block + 25]))
        firsts = await asyncio.gather(*(one.next(60) for one in opened))
        assert all(frame["type"] == "snapshot" for frame in firsts)
        during = await timed(20)
        version = (await ann.view(game))["version"]
        await asyncio.gather(*(one.until_version(version, 60) for one in opened))
        for one in opened:
            gap_free(one.events, one.frames[0]["view"]["version"])
        idle = await stand.sql(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
            " AND state_change < clock_timestamp() - interval '1 second'"
        )
        assert idle[0]["n"] == 0
        used = await stand.sql(
            "SELECT count(*) AS n FROM pg_stat_activity"
            " WHERE datname = current_database() AND application_name = 'rummy500'"
        )
        assert used[0]["n"] <= 2 * 14
    finally:
        await asyncio.gather(*(one.socket.close() for one in opened), return_exceptions=True)
    return {
        "streams": count, "median_before_ms": percentile(before, 0.5), "median_during_ms": percentile(during, 0.5),
        "connections": used[0]["n"],
    }  # fmt: skip


async def token_revoked(stand: Stand, count: int) -> Figures:
    """A token that is ended at one process stops reading and acting everywhere within 5 s, open streams too (4401)."""
    waits = []
    for number in range(count):
        ann = (await stand.guests(1))[0]
        game = (await stand.own_table(ann))["id"]
        near, far = ann.at(stand.apis[number % 2]), ann.at(stand.apis[1 - number % 2])
        async with near.stream(game) as one, far.stream(game) as two:
            await one.next()
            await two.next()
            assert (await far.get("/v1/me")).status == 200
            assert (await near.delete("/v1/sessions/current")).status == 204
            began = time.monotonic()
            codes = list(await asyncio.gather(one.code(8), two.code(8)))
            waits.append(time.monotonic() - began)
        assert codes == [4401, 4401]
        for who in (near, far):
            assert (await who.get("/v1/me")).status == 401
            assert (await who.move(game, DRAW, seat=0)).status == 401
    assert max(waits) < 5
    return {"tokens": count, "worst_s": round(max(waits), 1)}


async def dismissed_in_a_move(stand: Stand, count: int) -> Figures:
    """A stream that is closed while its move is being committed (the row is locked): the others hear of it at once."""
    waits = []
    for _ in range(count):
        ann = (await stand.guests(1))[0]
        game = (await stand.own_table(ann, visibility="public"))["id"]
        view = await ann.view(game)
        async with ann.stream(game) as mover, stream(stand.here.url, game) as other:
            await mover.next()
            await other.next()
            async with stand.locked(game):
                await mover.send(type="move", id="a", move=DRAW, seat=view["turn"]["seat"])
                await asyncio.sleep(0.1)
                assert (await ann.delete("/v1/sessions/current")).status == 204
                assert await mover.code(8) == 4401
            began = time.monotonic()
            await other.until_version(view["version"] + 1)
            waits.append(time.monotonic() - began)
    assert max(waits) < 1, waits
    return {"closed": count, "worst_s": round(max(waits), 2)}


async def drained(stand: Stand, count: int) -> Figures:
    """SIGTERM with streams open and moves under way: 1012 to each, what was accepted is kept, gone within 10 s."""
    busy = [await busy_table(stand, 80 + seed) for seed in range(3)]
    ann = (await stand.guests(1))[0]
    game = (await stand.own_table(ann))["id"]
    opened = [stream(stand.here.url, game, ann.token) for _ in range(count)]
    streams = [await one.__aenter__() for one in opened]
    took = 0.0
    codes: list[int] = []

    async def nemesis() -> None:
        nonlocal took, codes
        await asyncio.sleep(1)
        reading = [asyncio.create_task(one.code(20)) for one in streams]
        poll = asyncio.create_task(ann.get(f"/v1/games/{game}/events?after=5&wait=25"))
        await asyncio.sleep(0.3)
        began = time.monotonic()
        await stand.stop(0)
        took = time.monotonic() - began
        codes = list(await asyncio.gather(*reading))
        await asyncio.gather(poll, return_exceptions=True)
        await stand.restart(0)

    try:
        moves = await played(stand, busy, 0, nemesis())
    finally:
        await asyncio.gather(*(one.socket.close() for one in streams), return_exceptions=True)
    assert set(codes) == {1012}, codes
    assert took < 10, took
    return {"streams": count, "moves": moves, "seconds": round(took, 1)}


async def resync_at_random(stand: Stand, count: int) -> Figures:
    """Sockets cut at random: a client that comes back with `after` has the server's VIEW at every version."""
    busy = [await busy_table(stand, 120 + seed) for seed in range(3)]
    cuts = 0

    async def nemesis() -> None:
        nonlocal cuts
        chance = random.Random(9)
        table = busy[0]
        for _ in range(count):
            spy = Follower(stand.apis, chance.choice(table.players), table.game, random.Random(cuts))
            task = asyncio.create_task(spy.run())
            await asyncio.sleep(0.05 + chance.random() * 0.3)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            gap_free(spy.events, 0)
            cuts += 1

    moves = await played(stand, busy, 0, nemesis())
    return {"cuts": cuts, "moves": moves}
