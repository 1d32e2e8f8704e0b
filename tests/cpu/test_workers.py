"""CPU turns in workers fed through Redis: what happens when one dies, hangs or is missing."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import redis as redis_client

from server.persistence.cpu_jobs import GROUP, JOBS
from tests.support.servers import ROOT, ServerProcess, environment

pytestmark = [pytest.mark.storage]


class Workers:
    """`rummy500 cpu-worker` processes."""

    def __init__(self, redis_url: str) -> None:
        self.redis_url = redis_url
        self.running: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        """One more, ready."""
        told = environment(RUMMY500_REDIS_URL=self.redis_url)
        worker = subprocess.Popen(
            [sys.executable, "-m", "server", "cpu-worker"], cwd=ROOT, env=told, stderr=subprocess.PIPE
        )
        self.running.append(worker)
        assert worker.stderr is not None
        assert b"ready" in worker.stderr.readline()
        return worker

    def stop(self) -> None:
        """All of them."""
        for worker in self.running:
            if worker.poll() is None:
                worker.send_signal(signal.SIGCONT)
                worker.kill()
            worker.wait(10)
            assert worker.stderr is not None
            worker.stderr.close()


@pytest.fixture
def hosted(start_server: Any) -> ServerProcess:
    """A server that leaves CPU players to workers."""
    server: ServerProcess = start_server(RUMMY500_CPU_WORKERS="0")
    return server


@pytest.fixture
def workers(hosted: ServerProcess) -> Iterator[Workers]:
    """Its workers, none at first."""
    made = Workers(hosted.environment["RUMMY500_REDIS_URL"])
    yield made
    made.stop()


@pytest.fixture
def client(hosted: ServerProcess) -> Iterator[httpx.Client]:
    """A client of the server."""
    with httpx.Client(base_url=hosted.url + "/v1", timeout=40) as opened:
        yield opened


def new_game(client: httpx.Client, *levels: str, **more: Any) -> str:
    """A guest with a game against CPU players: the game's path; the client has the guest's token."""
    token = client.post("/players", json={}).json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    seats = [{"kind": "me"}, *({"kind": "cpu", "level": level} for level in levels)]
    body = {"ruleset": {"preset": "pagat", "options": {"target": 60}}, "seats": seats, **more}
    made = client.post("/games", json=body)
    assert made.status_code == 201, made.text
    return f"/games/{made.json()['id']}"


def quiet_turn(client: httpx.Client, game: str, seconds: float = 40) -> dict[str, Any]:
    """Waits for the own turn, draws from the stock and discards that card; the view after it."""
    until = time.monotonic() + seconds
    view = client.get(game).json()
    while view["status"] == "playing" and view["turn"]["seat"] != 0:
        assert time.monotonic() < until, f"no turn within {seconds} s: {view['turn']}"
        client.get(f"{game}/events", params={"after": view["version"], "wait": 5})
        view = client.get(game).json()
    if view["status"] == "playing":
        moves = client.get(f"{game}/legal-moves").json()["items"]
        drew = client.post(f"{game}/moves", json={"move": moves[0]}).json()
        if view["turn"]["phase"] == "draw" and moves[0].get("from") == "stock":
            card = next(event for event in drew["events"] if event["type"] == "drew")["cards"][0]
            client.post(f"{game}/moves", json={"move": {"type": "discard", "card": card}})
    seen: dict[str, Any] = client.get(game).json()
    return seen


def movers(client: httpx.Client, game: str) -> list[str]:
    """`by` of every move so far that CPU seats made, from the record of a game that is over."""
    record = client.get(f"{game}/record").json()
    return [entry["by"] for entry in record["moves"] if entry.get("seat") and "by" in entry]


def test_stage4_2_workers_play_whole_games(client: httpx.Client, hosted: ServerProcess, workers: Workers) -> None:
    """With workers and none in the server, CPU seats play to the end of a game."""
    workers.start()
    workers.start()
    game = new_game(client, "easy", "normal", "expert")
    until = time.monotonic() + 90
    while quiet_turn(client, game)["status"] == "playing":
        assert time.monotonic() < until
    assert set(movers(client, game)) == {"cpu"}


def test_stage4_2_a_job_survives_the_death_of_its_worker(
    client: httpx.Client, hosted: ServerProcess, workers: Workers
) -> None:
    """A worker that stops in the middle of a job is replaced: another one makes the choice."""
    stuck = workers.start()
    os.kill(stuck.pid, signal.SIGSTOP)
    game = new_game(client, "normal", "normal", "normal")
    store = redis_client.Redis.from_url(hosted.environment["RUMMY500_REDIS_URL"])
    store.xgroup_setid(JOBS, GROUP, "0")
    view = client.get(game).json()
    if view["turn"]["seat"] == 0:
        quiet_turn(client, game)
    time.sleep(0.5)
    # what the stopped worker was given: taken by a consumer that never answers
    store.xreadgroup(GROUP, "dead", {JOBS: ">"}, count=5)
    workers.start()
    after = quiet_turn(client, game, 30)
    assert after["version"] > view["version"]
    store.close()


def test_stage4_2_without_workers_the_clock_plays(client: httpx.Client, hosted: ServerProcess) -> None:
    """Where no worker answers at all, R5.10 plays for the CPU seat in the end, and the log calls it a fault."""
    game = new_game(client, "easy")
    view = client.get(game).json()
    if view["turn"]["seat"] == 0:
        view = quiet_turn(client, game, 5)
    until = time.monotonic() + 60
    while client.get(f"{game}/events", params={"after": view["version"], "wait": 20}).json()["events"] == []:
        assert time.monotonic() < until, "the CPU seat never moved"
    assert "cpu_player_failed" in hosted.output
