"""Whole servers for the tests: started as people start them, with their output kept, ended by their process ids."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
START_SECONDS = 60.0


def environment(**more: str) -> dict[str, str]:
    """The environment for a program under test: ours without the project's variables, then those given."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RUMMY500_")}
    bindir = {"RUMMY500_PG_BINDIR": os.environ["RUMMY500_PG_BINDIR"]} if "RUMMY500_PG_BINDIR" in os.environ else {}
    return kept | bindir | {"PYTHONPATH": str(ROOT), "COLUMNS": "200"} | more


@dataclass(slots=True)
class ServerProcess:
    """A running `rummy500 serve` (with its own server processes, if it has several)."""

    command: list[str]
    environment: dict[str, str]
    log: Path
    process: subprocess.Popen[bytes] = field(init=False)
    ready: dict[str, Any] = field(init=False, default_factory=dict)

    def start(self, seconds: float = START_SECONDS) -> "ServerProcess":
        """Start it and wait for its line `ready`; an AssertionError has its output otherwise."""
        with self.log.open("ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(self.command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + seconds
        while True:
            said = self.log.read_bytes()[begin:].decode(errors="replace")
            for line in said.splitlines(keepends=True):
                if '"event": "ready"' in line and line.endswith("\n"):
                    self.ready = json.loads(line)
                    return self
            assert self.process.poll() is None, f"the server ended with status {self.process.returncode}:\n{said}"
            if time.monotonic() > deadline:
                self.kill()
                raise AssertionError(f"the server was not ready within {seconds:.0f} s:\n{said}")
            time.sleep(0.02)

    @property
    def url(self) -> str:
        """Where it takes requests, `http://…` without a slash at the end."""
        return str(self.ready["url"])

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.url.rpartition(":")[2])

    @property
    def pids(self) -> list[int]:
        """The process ids of the server processes that answer requests."""
        return list(self.ready["processes"])

    @property
    def output(self) -> str:
        """All it has written so far."""
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        """Kill it with -9, as a crash would."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(30)

    def stop(self, seconds: float = 30.0) -> int:
        """Ask it to end and wait; returns its exit status. An AssertionError says when it takes too long."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"the server did not end within {seconds:.0f} s:\n{self.output[-4000:]}") from None

    def restart(self, *, same_port: bool = True) -> "ServerProcess":
        """Start it again after `kill` or `stop`, on the same port."""
        if same_port:
            self.environment["RUMMY500_PORT"] = str(self.port)
        return self.start()


def make_server(log: Path, **variables: str) -> ServerProcess:
    """A server on a free port that is told the given variables; not started yet."""
    told = {"RUMMY500_PORT": "0", "RUMMY500_LOG": "json", "RUMMY500_RATE_LIMITS": "off"} | variables
    return ServerProcess([sys.executable, "-m", "server", "serve"], environment(**told), log)
