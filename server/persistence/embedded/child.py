"""Starting a server program so that it never outlives us: its own session, a signal when its parent dies."""

import ctypes
import os
import pwd
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

PR_SET_PDEATHSIG = 1
NO_INHERITANCE = ("PG", "RUMMY500_", "LC_", "LANG")


@dataclass(frozen=True, slots=True)
class User:
    """A user of the machine whom a program runs as."""

    name: str
    uid: int
    gid: int


def user_to_run_as(owner_of: Path) -> User | None:
    """Whom to run a program as that refuses root: the folder's owner, else `nobody`; None (ourselves) when not root."""
    if os.geteuid() != 0:
        return None
    if owner_of.exists() and (uid := owner_of.stat().st_uid) != 0:
        gid = owner_of.stat().st_gid
        return User(str(uid), uid, gid)
    entry = pwd.getpwnam("nobody")
    return User(entry.pw_name, entry.pw_uid, entry.pw_gid)


@contextmanager
def opened(folder: Path, user: User | None) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The name by which a program run as `user` can reach a folder, and the handles it must be given for that.

    Run as another user it may not be able to enter the folders above (a home of root's, a temporary folder); an open
    handle of the folder itself is a way past them.
    """
    if user is None or not sys.platform.startswith("linux"):
        yield str(folder), ()
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield f"/proc/self/fd/{handle}", (handle,)
    finally:
        os.close(handle)


def start(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    output: IO[bytes] | int,
    user: User | None,
    death_signal: signal.Signals,
    stdin: int = subprocess.DEVNULL,
    handles: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    """Start a program that is sent `death_signal` when we end, however we end. Call it from the main thread.

    (The kernel ties that signal to the thread that started the program, not to the process.)
    """
    assert threading.current_thread() is threading.main_thread(), (
        "a child's death signal is tied to the starting thread"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith(NO_INHERITANCE)}
    environment |= {"LC_ALL": "C", "TZ": "UTC"}
    return subprocess.Popen(
        [os.fspath(part) for part in command],
        cwd=cwd,
        stdin=stdin,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
        pass_fds=handles,
        user=None if user is None else user.uid,
        group=None if user is None else user.gid,
        extra_groups=None if user is None else [],
        preexec_fn=_dies_with(os.getpid(), death_signal),  # noqa: PLW1509 - no other thread runs Python code yet
    )


def _dies_with(parent: int, death_signal: signal.Signals) -> Callable[[], None] | None:
    """What the child does between fork and exec; after the change of user, which would clear the request."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, int(death_signal), 0, 0, 0)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)

    return ask


def stop(process: subprocess.Popen[bytes], *steps: tuple[signal.Signals, float]) -> None:
    """Ask the program to end with each signal in turn, waiting the seconds given, and at last kill it."""
    for number, seconds in steps:
        if process.poll() is not None:
            return
        process.send_signal(number)
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            continue
    if process.poll() is None:
        process.kill()
        process.wait()


def processes_in(folder: Path) -> list[int]:
    """The processes whose working directory is the folder (Linux; elsewhere none are found)."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").samefile(folder):
                found.append(int(entry.name))
        except OSError:
            continue
    return found
