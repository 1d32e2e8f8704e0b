"""The embedded Postgres: a cluster in the data folder, on a loopback port, opened by a generated password."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from server.persistence.embedded import child, ports, programs
from server.persistence.embedded.errors import EmbeddedError, disk_full, explain_os_error, no_permission
from server.persistence.embedded.folder import DataFolder

USER = DATABASE = "rummy500"
START_SECONDS = 60.0
ATTEMPTS = 5
LOG_KEPT = 5_000_000
PASSING_TROUBLE = ("could not bind", "could not create any TCP/IP sockets")
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "min_wal_size": "32MB",
    "max_wal_size": "256MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_min_messages": "warning",
}
QUICK = {"fsync": "off", "full_page_writes": "off"}  # a killed process loses nothing, a stopped machine may


class EmbeddedPostgres:
    """A Postgres of our own, running from construction until `stop`."""

    def __init__(self, folder: DataFolder, *, fsync: bool, bindir: Path | None) -> None:
        """Make the cluster if there is none, and start it; raises EmbeddedError with one line for a person."""
        self._folder = folder
        self._cluster = folder.path / "postgres"
        self._log = folder.path / "postgres.log"
        self._user = child.user_to_run_as(self._cluster)
        self._programs = _reachable(programs.find_postgres(bindir), self._user)
        try:
            self._check_version()
            if self._cluster.is_dir():
                self._clear_away_the_last_run()
                password = folder.password(fresh=False)
            else:
                password = folder.password(fresh=True)
                self._make_cluster(password, [] if fsync else ["--no-sync"])
            self._process, self.port = self._start({} if fsync else QUICK)
        except OSError as error:
            raise explain_os_error(error, folder.path) from error
        self.url = f"postgresql+asyncpg://{USER}:{password}@127.0.0.1:{self.port}/{DATABASE}"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def running(self) -> bool:
        """Whether the server's process still lives."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the server: connections are cut, what was committed is on disk."""
        child.stop(self._process, (signal.SIGINT, 10), (signal.SIGQUIT, 5))

    def _check_version(self) -> None:
        """Refuse a cluster that another major release made: Postgres can't open it."""
        path = self._cluster / "PG_VERSION"
        if not self._cluster.exists():
            return
        made_by = path.read_text().strip()
        if made_by != str(self._programs.major):
            raise EmbeddedError(
                f"The database in {self._folder.path} was made by PostgreSQL {made_by}, and this is PostgreSQL "
                f"{self._programs.major}: name another folder with --data, or with RUMMY500_PG_BINDIR the folder of "
                f"PostgreSQL {made_by}'s programs."
            )

    def _clear_away_the_last_run(self) -> None:
        """End what a killed server left running in the cluster, and forget its process id: it may be another's by now.

        We hold the lock of the data folder, so nobody else's server can be meant.
        """
        deadline = time.monotonic() + 6
        while left := child.processes_in(self._cluster):
            late = time.monotonic() > deadline
            for pid in left:
                _signal(pid, signal.SIGKILL if late else signal.SIGQUIT)
            if time.monotonic() > deadline + 5:
                raise EmbeddedError(
                    f"A Postgres of an earlier run (process id {left[0]}) still uses {self._cluster}: end it."
                )
            time.sleep(0.05)
        if Path("/proc/self/cwd").exists():
            (self._cluster / "postmaster.pid").unlink(missing_ok=True)

    def _make_cluster(self, password: str, extra: list[str]) -> None:
        """Make the cluster in a folder of its own and move it into place whole."""
        staging = self._folder.path / "postgres.new"
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(mode=0o700)
        cluster, secret = staging / "cluster", staging / "password"
        cluster.mkdir(mode=0o700)
        secret.touch(mode=0o600)
        secret.write_text(password + "\n")
        if self._user is not None:
            for path in (staging, cluster, secret):
                os.chown(path, self._user.uid, self._user.gid)
        with child.opened(staging, self._user) as (inside, handles):
            make = [str(self._programs.initdb), "-D", f"{inside}/cluster", f"--username={USER}"]
            make += [
                f"--pwfile={inside}/password",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-instructions",
            ]
            self._run(make + extra, staging, handles)
            single = [str(self._programs.postgres), "--single", "-D", f"{inside}/cluster", "-F", "-j", "postgres"]
            self._run(single, staging, handles, f"CREATE DATABASE {DATABASE};\n\n")
        cluster.rename(self._cluster)
        shutil.rmtree(staging, ignore_errors=True)

    def _run(self, command: list[str], cwd: Path, handles: tuple[int, ...], text: str = "") -> None:
        """Run one of Postgres's programs to its end; raises EmbeddedError with what it complained of."""
        process = child.start(
            command,
            cwd=cwd,
            output=subprocess.PIPE,
            user=self._user,
            death_signal=signal.SIGKILL,
            stdin=subprocess.PIPE,
            handles=handles,
        )
        try:
            said, _ = process.communicate(text.encode(), timeout=180)
        except subprocess.TimeoutExpired:
            said = b"it took longer than three minutes"
        finally:
            child.stop(process)
        if process.returncode != 0:
            shutil.rmtree(cwd, ignore_errors=True)
            raise _explain(said.decode(errors="replace"), self._folder.path)

    def _start(self, extra: dict[str, str]) -> tuple[subprocess.Popen[bytes], int]:
        """Start the server on a free port and wait until it takes connections."""
        if self._log.exists() and self._log.stat().st_size > LOG_KEPT:
            self._log.replace(self._log.with_suffix(".log.1"))
        said = ""
        for _ in range(ATTEMPTS):
            port = ports.free_port()
            options = [f"--{name}={value}" for name, value in (SETTINGS | extra | {"port": str(port)}).items()]
            with self._log.open("ab") as log, child.opened(self._cluster, self._user) as (inside, handles):
                begin = log.tell()
                process = child.start(
                    [self._programs.postgres, "-D", inside, *options],
                    cwd=self._cluster,
                    output=log,
                    user=self._user,
                    death_signal=signal.SIGQUIT,
                    handles=handles,
                )
            try:
                if self._ready(process):
                    return process, port
            except BaseException:
                child.stop(process, (signal.SIGQUIT, 5))
                raise
            said = self._log.read_bytes()[begin:].decode(errors="replace")
            if not any(trouble in said for trouble in PASSING_TROUBLE):
                break
        raise _explain(said, self._folder.path)

    def _ready(self, process: subprocess.Popen[bytes]) -> bool:
        """Wait for the eighth line of postmaster.pid to say `ready`; False when the process ended instead."""
        state = self._cluster / "postmaster.pid"
        deadline = time.monotonic() + START_SECONDS
        while process.poll() is None:
            try:
                lines = state.read_text().splitlines()
            except OSError:
                lines = []
            if len(lines) >= 8 and lines[0].strip() == str(process.pid) and lines[7].strip() == "ready":
                return True
            if time.monotonic() > deadline:
                child.stop(process, (signal.SIGQUIT, 5))
                raise EmbeddedError(f"Postgres did not start within {START_SECONDS:.0f} seconds: see {self._log}.")
            time.sleep(0.01)
        return False


def _signal(pid: int, number: signal.Signals) -> None:
    """Send a signal to a process that may have ended meanwhile."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _reachable(found: programs.Postgres, user: child.User | None) -> programs.Postgres:
    """The same programs where the user who runs them can reach them."""
    if user is None or programs.readable_by_all(found.postgres):
        return found
    install = found.bindir.parent  # .../PACKAGE/pginstall/bin in a wheel
    package = install.parent
    if install.name != "pginstall":
        raise EmbeddedError(
            f"User {user.name}, who must run Postgres when the server runs as root, can't enter {found.bindir}."
        )
    return programs.Postgres(programs.copied_to_cache(package) / "pginstall" / "bin", found.major)


def _explain(said: str, folder: Path) -> EmbeddedError:
    """One line for a person out of what Postgres wrote."""
    if "No space left on device" in said or "Disk quota exceeded" in said:
        return disk_full(folder)
    if "Permission denied" in said:
        return no_permission(folder)
    lines = [line for line in said.splitlines() if any(word in line for word in ("FATAL", "PANIC", "error:", "ERROR"))]
    reason = (lines or said.strip().splitlines() or ["it gave no reason"])[-1]
    return EmbeddedError(f"Postgres does not start in {folder}: {reason.strip()} (more in {folder / 'postgres.log'})")
