"""The container files: valid, without secrets, and the same commands behind the same proxy play a game."""

import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from server.persistence.embedded import EmbeddedPair, ports
from server.persistence.embedded.programs import find_valkey
from tests.support.servers import ROOT, environment

PROGRAMS = Path(sys.executable).parent
SECRETS = {"POSTGRES_PASSWORD": "postgres-secret", "REDIS_PASSWORD": "redis-secret"}
needs_checks = pytest.mark.skipif(
    not (PROGRAMS / "docker-compose").exists(), reason="docker-compose is in the extra `check`; CI has it"
)


def compose(*arguments: str, secrets: dict[str, str] = SECRETS) -> "subprocess.CompletedProcess[str]":
    """Run the real Compose, which needs no daemon to read its file."""
    return subprocess.run(
        [PROGRAMS / "docker-compose", "--env-file", "/dev/null", *arguments],
        cwd=ROOT, env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | secrets, capture_output=True, text=True,
    )  # fmt: skip


def resolved() -> dict[str, Any]:
    """The Compose file with everything filled in."""
    told = compose("config", "--format", "json")
    assert told.returncode == 0, told.stderr
    config: dict[str, Any] = json.loads(told.stdout)
    return config


@needs_checks
def test_stage4_the_compose_file_is_valid_and_has_no_default_secret() -> None:
    """Compose itself and the published schema accept it; without passwords it refuses, naming what is missing."""
    assert compose("config", "--quiet").returncode == 0
    for missing in SECRETS:
        told = compose("config", "--quiet", secrets={name: value for name, value in SECRETS.items() if name != missing})
        assert told.returncode != 0
        assert missing in told.stderr
    schema = [str(PROGRAMS / "check-jsonschema"), "--builtin-schema", "vendor.compose-spec", "docker-compose.yml"]
    checked = subprocess.run(schema, cwd=ROOT, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@needs_checks
def test_stage4_the_compose_file_has_every_part_with_health_checks_and_volumes() -> None:
    """Postgres, Redis, two server processes, a CPU worker and a proxy; data in volumes; only the proxy has ports."""
    services = resolved()["services"]
    assert set(services) == {"postgres", "redis", "migrate", "server-1", "server-2", "cpu-worker", "proxy"}
    for name in ("postgres", "redis", "proxy"):
        assert services[name]["healthcheck"]["test"]
    for name in ("postgres", "redis"):
        assert [volume["type"] for volume in services[name]["volumes"]] == ["volume"]
    assert [name for name, service in services.items() if service.get("ports")] == ["proxy"]
    for name in ("server-1", "server-2"):
        assert services[name]["depends_on"]["migrate"]["condition"] == "service_completed_successfully"


@pytest.mark.skipif(not (PROGRAMS / "hadolint").exists(), reason="hadolint is in the extra `check`; CI has it")
def test_stage4_the_dockerfile_is_clean_and_its_health_check_is_the_servers() -> None:
    """The linter has nothing to say, and the image does not run as root."""
    told = subprocess.run([PROGRAMS / "hadolint", "Dockerfile"], cwd=ROOT, capture_output=True, text=True)
    assert told.stdout == ""
    lines = (ROOT / "Dockerfile").read_text()
    assert "/readyz" in lines
    assert "USER 10500" in lines


@dataclass(slots=True)
class Service:
    """A started service of the Compose file."""

    process: "subprocess.Popen[bytes]"
    log: Path


class Deployment:
    """The Compose file's services as plain processes on this machine: the same commands, variables and proxy file.

    Only what names the containers' network is replaced: host names by 127.0.0.1 and free ports, paths by `folder`.
    """

    def __init__(self, folder: Path, pair: EmbeddedPair) -> None:
        assert pair.database_url is not None
        self.folder, self.services = folder, resolved()["services"]
        self.running: dict[str, Service] = {}
        self.ports = {name: ports.free_port() for name in ("redis", "server-1", "server-2", "http", "https")}
        self.replaced = {
            f"rummy500:{SECRETS['POSTGRES_PASSWORD']}@postgres:5432": pair.database_url.split("://")[1].split("/")[0],
            "@redis:6379": f"@127.0.0.1:{self.ports['redis']}",
            "172.31.50.0/24": "127.0.0.1",
            "/tmp/valkey.conf": str(folder / "valkey.conf"),
            "dir /data": f"dir {folder}\\nbind 127.0.0.1\\nport {self.ports['redis']}",
        }
        self.path = f"{PROGRAMS}:{self._valkey()}:{os.environ['PATH']}:/usr/sbin"

    def _valkey(self) -> Path:
        """A folder with a `valkey-server` in it."""
        folder = self.folder / "bin"
        folder.mkdir()
        (folder / "valkey-server").symlink_to(find_valkey())
        (folder / "rummy500").write_text(f'#!/bin/sh\nexec {sys.executable} -m server "$@"\n')
        (folder / "rummy500").chmod(0o755)
        return folder

    def _here(self, text: str) -> str:
        for old, new in self.replaced.items():
            text = text.replace(old, new)
        return text.replace("$$", "$")

    def start(self, name: str, **more: str) -> Service:
        """Start a service by its exact command."""
        service = self.services[name]
        command = [self._here(part) for part in service["command"]]
        told = {key: self._here(str(value)) for key, value in service.get("environment", {}).items()}
        log = self.folder / f"{name}.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment(**told) | {"PATH": self.path} | more, stdout=output, stderr=output
            )
        self.running[name] = Service(process, log)
        return self.running[name]

    def start_proxy(self) -> Path:
        """Start nginx with the proxy's file; the certificate that clients should trust."""
        tls = self.folder / "tls"
        tls.mkdir()
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        make += ["-addext", "subjectAltName=DNS:localhost", "-keyout", f"{tls}/key.pem", "-out", f"{tls}/cert.pem"]
        subprocess.run(make, check=True, capture_output=True)
        text = (ROOT / "deploy" / "nginx.conf").read_text()
        for name in ("server-1", "server-2"):
            text = text.replace(f"{name}:8000", f"127.0.0.1:{self.ports[name]}")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.ports['http']};")
        text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{self.ports['https']} ssl;")
        text = text.replace("/tmp/nginx.pid", str(self.folder / "nginx.pid"))
        (self.folder / "nginx.conf").write_text(text)
        nginx = shutil.which("nginx", path=self.path)
        assert nginx is not None
        log = self.folder / "proxy.log"
        with log.open("ab") as output:
            process = subprocess.Popen(
                [nginx, "-c", self.folder / "nginx.conf", "-g", "daemon off;"], stdout=output, stderr=output
            )
        self.running["proxy"] = Service(process, log)
        return tls / "cert.pem"

    def wait(self, url: str, seconds: float = 40, **options: Any) -> None:
        """Wait for an address to answer 200."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if httpx.get(url, **options).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            assert time.monotonic() < deadline, f"{url} does not answer:\n{self.logs()}"
            time.sleep(0.1)

    def logs(self) -> str:
        """The end of every service's output."""
        return "\n".join(f"--- {name}\n{each.log.read_text()[-3000:]}" for name, each in self.running.items())

    def stop(self) -> None:
        """End every service, each by its process id."""
        for each in reversed(self.running.values()):
            if each.process.poll() is None:
                each.process.send_signal(signal.SIGTERM)
        for name, each in self.running.items():
            try:
                each.process.wait(20)
            except subprocess.TimeoutExpired:
                each.process.kill()
                each.process.wait()
                raise AssertionError(f"{name} did not end:\n{each.log.read_text()[-3000:]}") from None


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    """The Compose file's services, running."""
    with EmbeddedPair(tmp_path / "postgres", fsync=False, valkey=False) as pair:
        made = Deployment(tmp_path, pair)
        try:
            made.start("redis")
            assert made.start("migrate").process.wait(60) == 0, made.logs()
            for name in ("server-1", "server-2"):
                made.start(name, RUMMY500_HOST="127.0.0.1", RUMMY500_PORT=str(made.ports[name]), RUMMY500_LOG="json")
            made.start("cpu-worker")
            for name in ("server-1", "server-2"):
                made.wait(f"http://127.0.0.1:{made.ports[name]}/readyz")
            yield made
        finally:
            made.stop()


@needs_checks
@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("nginx", path="/usr/sbin:/usr/bin:" + os.environ["PATH"]) is None,
    reason="nginx is not installed; CI has it",
)
def test_stage4_each_services_command_behind_the_proxy_plays_a_game(deployment: Deployment) -> None:
    """Over TLS, by HTTP and WebSocket, with one server process ended halfway: a game is played to its end."""
    certificate = deployment.start_proxy()
    trust = ssl.create_default_context(cafile=str(certificate))
    base = f"https://localhost:{deployment.ports['https']}"
    deployment.wait(f"{base}/readyz", verify=trust)
    plain = httpx.get(f"http://127.0.0.1:{deployment.ports['http']}/v1/server")
    assert plain.status_code == 308
    with httpx.Client(base_url=base, verify=trust, timeout=40) as client:
        assert client.get("/metrics").status_code == 404
        token = client.post("/v1/players", json={"name": "Ann"}).json()["token"]
        client.headers["authorization"] = f"Bearer {token}"
        made = client.post(
            "/v1/games",
            json={
                "ruleset": {"preset": "classic", "options": {"max_rounds": 1}},
                "seats": [{"kind": "me"}, {"kind": "cpu", "level": "easy"}],
            },
        )
        assert made.status_code == 201, made.text
        game = made.json()["id"]
        stream = f"wss://localhost:{deployment.ports['https']}/v1/games/{game}/stream"
        with connect(stream, ssl=trust, subprotocols=["rummy500.v1", f"bearer.{token}"]) as socket_:  # type: ignore[list-item]
            first = json.loads(socket_.recv(10))
            assert first["type"] == "snapshot"
            socket_.send(json.dumps({"type": "ping"}))
            assert any(json.loads(socket_.recv(10))["type"] == "pong" for _ in range(20))
        finished = play(client, game, halfway=deployment.running["server-1"].process.terminate)
        assert finished["status"] == "finished"
        record = client.get(f"/v1/games/{game}/record").json()
        assert {move["by"] for move in record["moves"]} == {"player", "cpu"}
    assert token not in deployment.logs()


def play(client: httpx.Client, game: str, halfway: Any) -> dict[str, Any]:
    """Play the first listed discard or else the first listed move until the game is over; the last view."""
    deadline, moves = time.monotonic() + 120, 0
    while time.monotonic() < deadline:
        view: dict[str, Any] = client.get(f"/v1/games/{game}").raise_for_status().json()
        if view["status"] == "finished":
            return view
        listed = client.get(f"/v1/games/{game}/legal-moves").json()["items"]
        if not listed:
            client.get(f"/v1/games/{game}/events", params={"after": view["version"], "wait": 10})
            continue
        move = next((each for each in listed if each["type"] in ("draw", "meld")), listed[-1])
        key = {"Idempotency-Key": f"move-{view['version']}"}
        answer = client.post(f"/v1/games/{game}/moves", json={"move": move}, headers=key)
        assert answer.status_code == 200, answer.text
        moves += 1
        if moves == 6:
            halfway()
    raise AssertionError("the game did not end")
