"""What a durable move costs: `python -m bench.tables [--quick] [--json] [--only PART…] [--games N…]`.

One server process on one core, with a Postgres (fsync on) and a Valkey of its own; the load generator on the other.
Two-seat games, both seats connected, each move made when both have seen the one before. Against it, in turn with it:
(a) the same loop echoing frames with no game, no rules, no storage; (b) the same commits to Postgres with no server;
and a bare Starlette route. Processor times are the server process's own; ratios are what counts, seconds are not.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import uvloop

from bench.load import usage
from bench.load.clients import open_http, open_socket
from bench.load.games import Duel, Load, open_duels
from bench.load.plain import Echo, Posts, open_all
from bench.load.storage import Commits, recorded
from server.persistence.embedded import EmbeddedPair
from server.persistence.migrate import upgrade

Figures = dict[str, Any]
PARTS = ("moves", "latency", "memory", "making")
PACE = 6000
"""Moves a second that are made up ahead."""


class Bench:
    """The processes of one run and how long each thing is measured."""

    def __init__(self, pair: EmbeddedPair, folder: Path, *, quick: bool) -> None:
        self.pair, self.folder, self.quick = pair, folder, quick
        self.warm_up = 3.0 if quick else 8.0
        self.window = 1.5 if quick else 3.0
        self.windows = 3 if quick else 5
        self.tables: tuple[int, ...] = (50,) if quick else (50, 200, 500)
        self.servers: list[usage.Process] = []
        self.found: Figures = {}

    @property
    def database(self) -> str:
        """The address of the database."""
        assert self.pair.database_url is not None
        return self.pair.database_url

    def serve(self) -> usage.Process:
        """One server process, on the first core."""
        assert self.pair.redis_url is not None
        port = usage.free_port()
        told = {
            "RUMMY500_DATABASE_URL": self.database, "RUMMY500_REDIS_URL": self.pair.redis_url,
            "RUMMY500_RATE_LIMITS": "off", "RUMMY500_PORT": str(port), "RUMMY500_LOG": "json",
        }  # fmt: skip
        return self._started(["-m", "server", "serve"], told, port, "server.log")

    def baselines(self) -> usage.Process:
        """The echo and the bare route, on the same core."""
        port = usage.free_port()
        return self._started(["-m", "bench.load.baselines", "--port", str(port)], {}, port, "baselines.log")

    def _started(self, command: list[str], told: dict[str, str], port: int, log: str) -> usage.Process:
        process = usage.Process(command, told, port, self.folder / log)
        self.servers.append(process)
        usage.pin(process.pid, 0)
        return process

    def stop(self, process: usage.Process) -> None:
        """Ends one of them."""
        process.stop()
        self.servers.remove(process)

    def tell(self, part: str, figures: Figures) -> None:
        """Keeps a part's figures, and says them at once."""
        self.found[part] = figures
        print(
            f"{part}\n" + "\n".join(f"  {name:40} {_line(figure)}" for name, figure in figures.items()), file=sys.stderr
        )

    def others(self) -> tuple[float, float]:
        """Processor time of Postgres and of Valkey so far."""
        postgres, valkey = self.pair.pids
        return usage.cpu_of_family(postgres), usage.cpu_of_family(valkey)


async def quiet(load: Load, players: int) -> None:
    """Until every player rests."""
    load.running = False
    until = time.monotonic() + 30
    while len(load.resting) < players:
        if load.faults or time.monotonic() > until:
            raise RuntimeError(f"{players - len(load.resting)} players hang; faults: {load.faults[:3]}")
        await asyncio.sleep(0.01)


async def one_window(bench: Bench, process: usage.Process, load: Load, players: int) -> Figures:
    """What was done and used in one window."""
    load.prepare((bench.window + 0.4) * PACE)
    load.go()
    await asyncio.sleep(0.4)
    moves, spent, others, began = load.moves, usage.cpu(process.pid), bench.others(), time.perf_counter()
    await asyncio.sleep(bench.window)
    seconds = time.perf_counter() - began
    moves, spent = load.moves - moves, usage.cpu(process.pid) - spent
    postgres, valkey = (after - before for after, before in zip(bench.others(), others, strict=True))
    await quiet(load, players)
    each = 1e6 / max(1, moves)
    return {
        "moves_per_second": moves / seconds,
        "server_us": spent * each,
        "postgres_us": postgres * each,
        "valkey_us": valkey * each,
    }


async def side_by_side(bench: Bench, contenders: dict[str, tuple[usage.Process, Load, int]]) -> Figures:
    """Each contender in turn, window by window, after a warm-up; medians."""
    for _, load, players in contenders.values():
        load.prepare(bench.warm_up * PACE)
        load.go()
        await asyncio.sleep(bench.warm_up / (1 if players else 2))
        await quiet(load, players)
    taken: dict[str, list[Figures]] = {name: [] for name in contenders}
    for _ in range(bench.windows):
        for name, (process, load, players) in contenders.items():
            taken[name].append(await one_window(bench, process, load, players))
    return {name: _medians(list_) for name, list_ in taken.items()}


def _medians(taken: list[Figures]) -> Figures:
    return {key: round(statistics.median(figures[key] for figures in taken), 1) for key in taken[0]}


async def moves(bench: Bench) -> None:
    """Durable moves over WebSocket and over HTTP, with (a) and the bare route beside them; then (b)."""
    rows = await recorded(160 if bench.quick else 300)
    for count in bench.tables:
        server, base = bench.serve(), bench.baselines()
        socket, http, echo, sparse, posts = Load(), Load(), Load(), Load(), Load()
        duels = await open_duels(socket, server.url, bench.database, count, over_http=False)
        duels += await open_duels(http, server.url, bench.database, count, over_http=True, first=count)
        plain = await open_all([Echo(echo, number, answers=True) for number in range(count)], base.url)
        plain += await open_all([Echo(sparse, number, answers=False) for number in range(count)], base.url)
        plain += await open_all([Posts(posts) for _ in range(count)], base.url)
        found = await side_by_side(
            bench,
            {
                "websocket": (server, socket, count), "echo": (base, echo, count),
                "http": (server, http, count), "starlette": (base, posts, count),
                "echo_without_answer": (base, sparse, count),
            },
        )  # fmt: skip
        found["websocket_over_echo"] = round(found["websocket"]["server_us"] / found["echo"]["server_us"], 2)
        found["http_over_starlette"] = round(found["http"]["server_us"] / found["starlette"]["server_us"], 2)
        # Games wait for commits, the baselines for nothing: the baselines once more at the pace of the games.
        echo.pause, posts.pause = (count / found[kind]["moves_per_second"] for kind in ("websocket", "http"))
        paced = {"echo_at_that_pace": (base, echo, count), "starlette_at_that_pace": (base, posts, count)}
        found |= await side_by_side(bench, paced)
        for kind, other in (("websocket", "echo_at_that_pace"), ("http", "starlette_at_that_pace")):
            found[f"{kind}_over_{other}"] = round(found[kind]["server_us"] / found[other]["server_us"], 2)
        for player in [*duels, *plain]:
            player.close()
        bench.stop(server)
        bench.stop(base)
        found["commits"] = await commits(bench, count, rows[: 2 + max(40, 8000 // count)])
        bench.tell(f"moves_{count}_games", found)


async def commits(bench: Bench, clients: int, rows: list[Any], pause: float = 0.0) -> Figures:
    """(b): commits a second, the processor time of each, and how long one takes."""
    work = Commits(bench.database, pause)
    (before, _), own, began = bench.others(), time.process_time(), time.perf_counter()
    await work.run(clients, rows)
    seconds, own = time.perf_counter() - began, time.process_time() - own
    each = 1e6 / work.moves
    return {
        "commits_per_second": round(work.moves / seconds, 1),
        "client_us": round(own * each, 1),
        "postgres_us": round((bench.others()[0] - before) * each, 1),
        "median_ms": round(statistics.median(work.times) * 1000, 2),
    }


async def latency(bench: Bench) -> None:
    """From a move to the other seat's event at 200 moves a second, beside the time of one commit.

    One client commits as fast as it can, and again at the pace of the moves, since a machine that rests between two
    commits is slower at each.
    """
    server = bench.serve()
    load = Load()
    count = 50 if bench.quick else 200
    duels = await open_duels(load, server.url, bench.database, count, over_http=False)
    load.prepare(bench.warm_up * PACE)
    load.go()
    await asyncio.sleep(bench.warm_up)
    await quiet(load, count)
    rows = await recorded(60 if bench.quick else 250)
    before = await commits(bench, 1, rows)
    load.latencies.clear()
    load.prepare(PACE)
    seconds = 4.0 if bench.quick else 15.0
    began = time.perf_counter()
    made = 0
    while (now := time.perf_counter() - began) < seconds:
        while made < now * 200:
            made += 1
            if load.resting:
                load.resting.pop(0).play()
        await asyncio.sleep(0.001)
    await quiet(load, count)
    after = await commits(bench, 1, rows)
    paced = await commits(bench, 1, rows, 1 / 200)
    times = sorted(load.latencies)
    commit = statistics.mean([before["median_ms"], after["median_ms"]])
    median = statistics.median(times) * 1000
    found = {
        "moves_per_second": round(len(times) / seconds, 1),
        "median_ms": round(median, 2),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 2),
        "commit_median_ms": round(commit, 2),
        "median_over_commit": round(median / commit, 2),
        "commit_at_that_pace_ms": paced["median_ms"],
        "median_over_commit_at_that_pace": round(median / paced["median_ms"], 2),
    }
    bench.tell("latency_at_200_moves_a_second", found)
    for duel in duels:
        duel.close()
    bench.stop(server)


async def memory(bench: Bench) -> None:
    """What sockets, games and long games hold; resuming, and loading a long game in a new process."""
    server = bench.serve()
    warm = await _played(bench, server, 50, 30)
    base = usage.memory(server.pid)
    live = await _played(bench, server, 200, 40, first=50)
    with_games = usage.memory(server.pid)
    one, game, token = await _public_game(server.url)
    base_idle = usage.memory(server.pid)
    idle = [await open_socket(server.url, f"/v1/games/{game}/stream", token, _nothing) for _ in range(400)]
    await asyncio.sleep(1)
    found: Figures = {
        "game_with_two_sockets_kb": round((with_games - base) / 200 / 1000, 1),
        "idle_socket_kb": round((usage.memory(server.pid) - base_idle) / 400 / 1000, 1),
    }
    for each in [*idle, *warm, *live, one]:
        each.close()
    await asyncio.sleep(1)
    games, upto = (10, 500) if bench.quick else (10, 2000)
    long = await _played(bench, server, games, 200, first=1000)
    load = long[0].load
    held = {200: await _settled(server)}
    for load.limit in (upto // 2, upto):  # by the first of them all that is kept of a long game is there
        load.go()
        await _until_rest(load, games, 300)
        held[load.limit] = await _settled(server)
    for before in (200, upto // 2):
        grown = (held[upto] - held[before]) / games / 1000
        found[f"growth_from_{before}_to_{upto}_moves_kb"] = round(grown, 1)
    found["resume_after_500_events_ms"] = await _resume(server.url, long)
    for duel in long:
        duel.close()
    bench.stop(server)
    server = bench.serve()
    found[f"first_look_at_a_game_of_{upto}_moves_ms"] = await _first_look(server.url, long)
    bench.stop(server)
    bench.tell("memory", found)


async def _settled(server: usage.Process) -> int:
    """What it holds, without what some work of a moment takes and gives back."""
    readings: list[int] = []
    for _ in range(8):
        readings.append(usage.memory(server.pid))
        await asyncio.sleep(0.25)
    return min(readings)


def _nothing(_data: bytes) -> None:
    return None


async def _played(bench: Bench, server: usage.Process, games: int, upto: int, first: int = 0) -> list[Duel]:
    load = Load()
    load.limit = upto
    duels = await open_duels(load, server.url, bench.database, games, over_http=False, first=first)
    load.go()
    await _until_rest(load, games, 120)
    await asyncio.sleep(1)
    return duels


async def _until_rest(load: Load, players: int, seconds: float) -> None:
    until = time.monotonic() + seconds
    while len(load.resting) < players:
        if load.faults or time.monotonic() > until:
            raise RuntimeError(f"players hang; faults: {load.faults[:3]}")
        await asyncio.sleep(0.02)


async def _public_game(url: str) -> tuple[Any, str, str]:
    http = await open_http(url)
    token = (await http.ask("POST", "/v1/players", None, {}))["token"]
    body = {"seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "public"}
    view = await http.ask("POST", "/v1/games", token, body)
    return http, view["id"], token


async def _resume(url: str, duels: list[Duel]) -> float:
    times: list[float] = []
    for duel in duels * 3:
        first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        def on_frame(data: bytes, first: asyncio.Future[bytes] = first) -> None:
            if not first.done():
                first.set_result(data)

        began = time.perf_counter()
        path = f"/v1/games/{duel.game}/stream?after={duel.version - 500}"
        socket = await open_socket(url, path, duel.tokens[0], on_frame)
        data = await asyncio.wait_for(first, 10)
        times.append(time.perf_counter() - began)
        events = json.loads(data)["events"]
        assert len(events) == 500, data[:200]
        socket.close()
    return round(statistics.median(times) * 1000, 2)


async def _first_look(url: str, duels: list[Duel]) -> float:
    http = await open_http(url)
    times: list[float] = []
    for duel in duels:
        began = time.perf_counter()
        view = await http.ask("GET", f"/v1/games/{duel.game}", duel.tokens[0])
        times.append(time.perf_counter() - began)
        assert view["version"] == duel.version
    http.close()
    return round(statistics.median(times) * 1000, 2)


async def making(bench: Bench) -> None:
    """The server's processor time for making a game that starts at once, and one that waits for a player."""
    server = bench.serve()
    http = await open_http(server.url)
    token = (await http.ask("POST", "/v1/players", None, {}))["token"]
    found: Figures = {}
    for name, other in (("started_us", "me"), ("waiting_us", "open")):
        body = {"ruleset": {"preset": "pagat"}, "seats": [{"kind": "me"}, {"kind": other}]}
        spent = 0.0
        for round_ in range(2):  # the first is the warm-up
            spent = usage.cpu(server.pid)
            for _ in range(100 if bench.quick or not round_ else 300):
                await http.ask("POST", "/v1/games", token, body)
            spent = (usage.cpu(server.pid) - spent) / (100 if bench.quick or not round_ else 300)
        found[name] = round(spent * 1e6, 1)
    http.close()
    bench.stop(server)
    bench.tell("making_a_game", found)


BARS = (
    ("websocket_over_echo", 3.5), ("http_over_starlette", 3.0), ("median_over_commit", 2.0), ("p99_ms", 25.0),
    ("idle_socket_kb", 45.0), ("game_with_two_sockets_kb", 110.0), ("resume_after_500_events_ms", 20.0),
    ("started_us", 1000.0),
)  # fmt: skip


def judged(found: Figures) -> list[tuple[str, float, float, bool]]:
    """Each bar with its figure."""
    lines: list[tuple[str, float, float, bool]] = []
    for part, figures in found.items():
        for name, most in BARS:
            if name in figures:
                lines.append((f"{part}: {name}", figures[name], most, figures[name] <= most))
    return lines


async def run(bench: Bench, parts: list[str]) -> None:
    """The parts asked for."""
    work = {"moves": moves, "latency": latency, "memory": memory, "making": making}
    for part in parts:
        await work[part](bench)


def main() -> int:
    """Measures and prints; the exit status is 0 whether or not every bar is met."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--quick", action="store_true", help="50 games and short windows")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="only these parts")
    parser.add_argument("--games", nargs="+", type=int, help="how many games at once (50 200 500)")
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="rummy500-bench-", ignore_cleanup_errors=True) as folder,
        EmbeddedPair(Path(folder) / "data", fsync=True) as pair,
    ):
        assert pair.database_url is not None
        upgrade(pair.database_url)
        for pid in (os.getpid(), *pair.pids):
            usage.pin(pid, 1)
        bench = Bench(pair, Path(folder), quick=chosen.quick)
        bench.tables = tuple(chosen.games or bench.tables)
        try:
            uvloop.run(run(bench, chosen.only))
        finally:
            for process in list(bench.servers):
                bench.stop(process)
    shown(bench.found, as_json=chosen.json)
    return 0


def shown(found: Figures, *, as_json: bool) -> None:
    """Prints the figures and how they stand to the bars."""
    if as_json:
        bars = [{"what": what, "figure": figure, "most": most, "met": met} for what, figure, most, met in judged(found)]
        print(json.dumps({"python": sys.version.split()[0], **found, "bars": bars}))
        return
    for what, figure, most, met in judged(found):
        print(f"{'met ' if met else 'MISSED'} {what}: {figure} (at most {most})")


def _line(figure: Any) -> str:
    if isinstance(figure, dict):
        return "  ".join(f"{name} {value:,}" for name, value in figure.items())
    return f"{figure:,}"


if __name__ == "__main__":
    sys.exit(main())
