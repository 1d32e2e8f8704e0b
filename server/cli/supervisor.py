"""Several server processes on one listening socket: started, watched, replaced when one dies, ended together."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from server.cli.parts import CannotStart
from server.cli.process import Stopped
from server.settings import Settings

START_SECONDS = 60.0
PAUSE_AFTER_QUICK_DEATH = 1.0


@dataclass(slots=True)
class Worker:
    """One server process and the pipe on which it says that it is ready."""

    process: subprocess.Popen[bytes]
    ready_pipe: int
    started: float = field(default_factory=time.monotonic)
    ready: bool = False

    def look(self) -> None:
        """Read what it has said."""
        if self.ready_pipe >= 0 and select.select([self.ready_pipe], [], [], 0)[0]:
            self.ready = os.read(self.ready_pipe, 16).startswith(b"ready")
            self.forget()

    def forget(self) -> None:
        """Close the pipe."""
        if self.ready_pipe >= 0:
            os.close(self.ready_pipe)
            self.ready_pipe = -1


def start_worker(settings: Settings, listener: socket.socket) -> Worker:
    """Start one server process; its settings go by a pipe, since a command line can be read by everybody."""
    ours, theirs = os.pipe()
    process = subprocess.Popen(
        [
            sys.executable,
            *(["-P"] if sys.flags.safe_path else []),
            "-m",
            "server.cli.worker",
            str(theirs),
            str(listener.fileno()),
        ],
        stdin=subprocess.PIPE,
        pass_fds=(theirs, listener.fileno()),
        start_new_session=True,  # Ctrl-C goes to the supervisor alone, which passes it on once
    )
    os.close(theirs)
    assert process.stdin is not None
    process.stdin.write(settings.model_dump_json().encode() + b"\n")
    process.stdin.flush()  # and it stays open: its end tells the worker that we are gone
    return Worker(process, ours)


def supervise(
    settings: Settings,
    listener: socket.socket,
    when_ready: Callable[[list[int]], None],
    ended: Callable[[], str | None],
    tell: Callable[[str], None],
) -> int:
    """Run `settings.processes` workers until a signal ends them; returns the exit status."""
    workers = []
    try:
        workers = [start_worker(settings, listener) for _ in range(settings.processes)]
        _wait_for_all(workers)
        when_ready([worker.process.pid for worker in workers])
        while (name := ended()) is None:
            time.sleep(0.1)
            for index, worker in enumerate(workers):
                worker.look()
                if worker.process.poll() is not None:
                    workers[index] = _replace(worker, settings, listener, tell)
        tell(f"The embedded {name} has ended by itself; see its log in the data folder. The server ends too.")
        return 1
    except Stopped:
        return 0
    finally:
        end_all(workers, settings.drain_seconds + 5)


def _wait_for_all(workers: list[Worker]) -> None:
    """Wait until every worker is ready; raises CannotStart when one isn't."""
    deadline = time.monotonic() + START_SECONDS
    while not all(worker.ready for worker in workers):
        for worker in workers:
            worker.look()
            if worker.process.poll() is not None:
                raise CannotStart(f"A server process did not start (exit status {worker.process.returncode}).")
        if time.monotonic() > deadline:
            raise CannotStart(f"A server process did not start within {START_SECONDS:.0f} seconds.")
        time.sleep(0.02)


def _replace(worker: Worker, settings: Settings, listener: socket.socket, tell: Callable[[str], None]) -> Worker:
    """Start another in the place of one that died; after a short life, only after a pause."""
    worker.forget()
    tell(f"Server process {worker.process.pid} ended with status {worker.process.returncode}; another takes its place.")
    if time.monotonic() - worker.started < 5:
        time.sleep(PAUSE_AFTER_QUICK_DEATH)
    return start_worker(settings, listener)


def end_all(workers: list[Worker], seconds: float) -> None:
    """Ask every worker to finish what it has accepted and to end; after `seconds` kill what is left."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for worker in workers:
        if worker.process.poll() is None:
            worker.process.terminate()
    deadline = time.monotonic() + seconds
    for worker in workers:
        try:
            worker.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()
        worker.forget()
        if worker.process.stdin is not None:
            worker.process.stdin.close()
