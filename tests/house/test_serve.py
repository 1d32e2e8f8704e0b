"""`rummy500 serve`: from nothing to a server that answers, and back to nothing, whatever ends it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest
from websockets import ConnectionClosedError, Subprotocol
from websockets.sync.client import connect

from tests.conftest import StartServer
from tests.support.commands import rummy500
from tests.support.servers import ROOT, ServerProcess, environment, make_server


def family(pid: int) -> list[psutil.Process]:
    """The process and all it has started."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def names(pid: int) -> list[str]:
    """The names of the programs that the process has started and that run now."""
    found = []
    for each in psutil.Process(pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            found.append(each.name())
    return found


def left_of(processes: list[psutil.Process], seconds: float = 10) -> list[psutil.Process]:
    """Those that have not ended within the time."""
    return list(psutil.wait_procs(processes, timeout=seconds)[1])


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with its embedded pair on a data folder of its own; not started yet."""
    server = make_server(tmp_path / "server.log", RUMMY500_DATA=str(tmp_path / "data"), RUMMY500_FSYNC="off")
    yield server
    with contextlib.suppress(AttributeError):  # never started
        server.stop()


def test_stage2_one_command_starts_a_whole_server_and_says_where_it_is(embedded: ServerProcess, tmp_path: Path) -> None:
    """The line `ready` has the address, the documents and the data folder; /readyz and /docs answer at once."""
    embedded.start()
    assert embedded.ready["data"] == str(tmp_path / "data")
    assert embedded.ready["docs"] == f"{embedded.url}/docs"
    assert embedded.ready["pid"] == embedded.process.pid
    assert httpx.get(f"{embedded.url}/readyz").status_code == 200
    assert httpx.get(f"{embedded.url}/docs").status_code == 200
    answer = httpx.get(f"{embedded.url}/v1/server")
    assert answer.status_code == 200
    assert "server" not in answer.headers


def test_people_are_told_address_data_folder_and_documents(tmp_path: Path) -> None:
    """Without --log json the same is said in words."""
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "serve", "--port", "0", "--data", str(tmp_path / "data")],
        cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        said = "".join(process.stdout.readline() for _ in range(5))
        assert re.search(r"address +http://127\.0\.0\.1:\d+\n", said)
        assert re.search(r"documents +http://127\.0\.0\.1:\d+/docs\n", said)
        assert re.search(rf"data +{re.escape(str(tmp_path / 'data'))}\n", said)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 0


@pytest.mark.parametrize("processes", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stage2_ctrl_c_or_a_kill_leaves_no_process_behind(
    number: signal.Signals, processes: str, embedded: ServerProcess
) -> None:
    """Server processes, Postgres with its own children, and Valkey are all gone; the same folder starts again."""
    embedded.environment["RUMMY500_PROCESSES"] = processes
    embedded.start()
    everyone = family(embedded.process.pid)
    assert len(everyone) > 5
    embedded.process.send_signal(number)
    assert embedded.process.wait(30) == (-9 if number is signal.SIGKILL else 0)
    assert left_of(everyone) == []
    embedded.restart()
    assert httpx.get(f"{embedded.url}/readyz").status_code == 200


def test_ctrl_c_while_the_database_is_being_made_leaves_nothing(embedded: ServerProcess) -> None:
    """The first start takes a second; whoever changes their mind meanwhile gets a clean end and a clean next start."""
    process = subprocess.Popen(
        embedded.command, cwd=ROOT, env=embedded.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    deadline = time.monotonic() + 20
    while "initdb" not in names(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    everyone = family(process.pid)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert left_of(everyone) == []
    embedded.start()


def test_stage2_a_taken_port_and_a_folder_in_use_are_told_in_one_line(embedded: ServerProcess, tmp_path: Path) -> None:
    """Each line says what is wrong and what to do; nothing of the first server is disturbed."""
    embedded.start()
    port = rummy500("serve", "--port", str(embedded.port), "--data", str(tmp_path / "other"))
    assert port.returncode == 1
    assert (
        port.stderr
        == f"Port {embedded.port} of 127.0.0.1 is taken: stop what listens there, or choose another with --port.\n"
    )
    folder = rummy500("serve", "--port", "0", "--data", str(tmp_path / "data"))
    assert folder.returncode == 1
    assert folder.stderr.count("\n") == 1
    assert f"in use by the server with process id {embedded.process.pid}" in folder.stderr
    assert httpx.get(f"{embedded.url}/readyz").status_code == 200


def test_stage2_two_servers_run_side_by_side(embedded: ServerProcess, tmp_path: Path) -> None:
    """Different ports and data folders are enough."""
    embedded.start()
    other = make_server(tmp_path / "other.log", RUMMY500_DATA=str(tmp_path / "other"), RUMMY500_FSYNC="off")
    try:
        other.start()
        assert httpx.get(f"{other.url}/readyz").status_code == 200
        assert httpx.get(f"{embedded.url}/readyz").status_code == 200
    finally:
        other.stop()


def test_trouble_is_one_json_line_when_logs_are_json(tmp_path: Path) -> None:
    """A program that starts the server can read why it did not start."""
    (tmp_path / "file").touch()
    said = rummy500("serve", "--port", "0", "--data", str(tmp_path / "file"), RUMMY500_LOG="json")
    assert said.returncode == 1
    assert json.loads(said.stderr)["error"].endswith("is not a folder: name another with --data.")


def test_a_database_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    """The line names the variable and no password."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"postgresql://me:secret@127.0.0.1:{nobody.getsockname()[1]}/x"
        said = rummy500("serve", "--port", "0", "--data", str(tmp_path), RUMMY500_DATABASE_URL=url)
    assert said.returncode == 1
    assert said.stderr.count("\n") == 1
    assert "The database cannot be reached (RUMMY500_DATABASE_URL)" in said.stderr
    assert "secret" not in said.stderr


def test_the_server_ends_when_its_embedded_database_does(embedded: ServerProcess) -> None:
    """It says so in one line and does not run on deaf."""
    embedded.start()
    postgres = next(each for each in family(embedded.process.pid) if "postgres" in each.name())
    everyone = family(embedded.process.pid)
    postgres.kill()
    assert embedded.process.wait(30) == 1
    assert "The embedded Postgres has ended by itself" in embedded.output
    assert left_of(everyone) == []


@pytest.mark.storage
def test_stage4_several_processes_share_the_port_and_a_dead_one_is_replaced(start_server: StartServer) -> None:
    """Requests are answered throughout, by the process that is left, and soon by another."""
    server = start_server(processes=2)
    before = set(server.pids)
    assert len(before) == 2
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    deadline = time.monotonic() + 20
    with httpx.Client(base_url=server.url) as client:
        while True:
            with contextlib.suppress(httpx.RemoteProtocolError, httpx.ReadError):
                assert client.get("/readyz").status_code == 200
            now = {each.pid for each in psutil.Process(server.process.pid).children()}
            if len(now) == 2 and victim not in now:
                break
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert f"Server process {victim} ended with status -9; another takes its place." in server.output


@pytest.mark.storage
def test_storage_of_ones_own_is_used_and_nothing_is_embedded(start_server: StartServer) -> None:
    """With both addresses given no child is started but what the server itself needs."""
    server = start_server()
    assert server.ready["data"] is None
    embedded = [name for name in names(server.process.pid) if "postgres" in name or "valkey" in name or "redis" in name]
    assert embedded == []


@pytest.mark.storage
@pytest.mark.parametrize("processes", [1, 2])
def test_stage4_sigterm_drains(start_server: StartServer, processes: int) -> None:
    """A held long poll is answered, a socket is told 1012, no new request is taken, and the end comes within 10 s."""
    server = start_server(processes=processes)
    with httpx.Client(base_url=server.url, timeout=40) as client:
        token = client.post("/v1/players", json={}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        game = client.post("/v1/games", json={"seats": [{"kind": "me"}, {"kind": "me"}]}).json()
        path = f"/v1/games/{game['id']}"
        protocols = [Subprotocol("rummy500.v1"), Subprotocol(f"bearer.{token}")]
        with (
            connect(f"ws://127.0.0.1:{server.port}{path}/stream", subprotocols=protocols) as stream,
            ThreadPoolExecutor(1) as pool,
        ):
            assert json.loads(stream.recv(10))["type"] == "snapshot"
            held = pool.submit(client.get, f"{path}/events", params={"after": game["version"], "wait": 30})
            time.sleep(1)
            assert not held.done()
            begun = time.monotonic()
            server.process.send_signal(signal.SIGTERM)
            answer = held.result(10)
            assert (answer.status_code, answer.json()) == (200, {"version": game["version"], "events": []})
            with pytest.raises(ConnectionClosedError):
                list(stream)
            assert stream.close_code == 1012
    assert server.process.wait(30) == 0
    assert time.monotonic() - begun < 10
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.url}/readyz")
