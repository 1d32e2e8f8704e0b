"""What processes use: processor time to the microsecond, memory that is theirs alone."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[2]


def cpu(pid: int) -> float:
    """Seconds of processor time that the threads of a process have had."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            spent += int((task / "schedstat").read_text().split()[0])
        except OSError:
            continue
    return spent / 1e9


def cpu_of_family(pid: int) -> float:
    """The same of a process and its children, also those that have ended."""
    try:
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        return 0.0
    ended = family[0].cpu_times()
    spent = float(ended.children_user + ended.children_system)
    for process in family:
        try:
            spent += cpu(process.pid)
        except OSError:
            continue
    return spent


def memory(pid: int) -> int:
    """Bytes of memory that no other process shares."""
    wanted = ("Private_Clean:", "Private_Dirty:")
    total = 0
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(wanted):
            total += int(line.split()[1])
    return total * 1024


def pin(pid: int, core: int) -> None:
    """Keeps a process (all its threads) on one core, where there are several."""
    cores = sorted(os.sched_getaffinity(0) | {0})
    if (os.cpu_count() or 1) > 1:
        for task in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), {core if core < (os.cpu_count() or 1) else cores[0]})


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Process:
    """A server under measurement, in a process of its own."""

    def __init__(self, command: list[str], environment: dict[str, str], port: int, log: Path) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._log = log
        with log.open("ab") as out:
            self._process: subprocess.Popen[Any] = subprocess.Popen(
                [sys.executable, *command], cwd=ROOT, env=os.environ | environment, stdout=out, stderr=out
            )
        self._wait(port)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def _wait(self, port: int) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if self._process.poll() is not None:
                break
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"did not start:\n{self._log.read_text(errors='replace')[-3000:]}")

    def stop(self) -> None:
        """Ends it."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
