"""The embedded Valkey: all of it can be lost, so nothing goes to disk; a loopback port and a generated password."""

import secrets
import signal
import socket
import subprocess
import time

from server.persistence.embedded import child, ports, programs
from server.persistence.embedded.errors import EmbeddedError, explain_os_error
from server.persistence.embedded.folder import DataFolder

START_SECONDS = 30.0
ATTEMPTS = 5
DATABASES = 128


class EmbeddedValkey:
    """A Valkey (or Redis) of our own, running from construction until `stop`."""

    def __init__(self, folder: DataFolder) -> None:
        """Start it; raises EmbeddedError with one line for a person."""
        self._folder = folder
        self._log = folder.path / "valkey.log"
        self._program = programs.find_valkey()
        self._password = secrets.token_urlsafe(24)
        try:
            self._process, self.port = self._start()
        except OSError as error:
            raise explain_os_error(error, folder.path) from error
        self.url = f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def running(self) -> bool:
        """Whether the server's process still lives."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End the server; there is nothing to save."""
        child.stop(self._process, (signal.SIGTERM, 5))

    def _start(self) -> tuple[subprocess.Popen[bytes], int]:
        """Start the server on a free port and wait until it answers."""
        for _ in range(ATTEMPTS):
            port = ports.free_port()
            with self._log.open("wb") as log:
                process = child.start(
                    [self._program, "-"],  # the configuration comes by stdin: a command line can be read by everybody
                    cwd=self._folder.path,
                    output=log,
                    user=None,
                    death_signal=signal.SIGKILL,
                    stdin=subprocess.PIPE,
                )
            try:
                assert process.stdin is not None
                process.stdin.write(self._configuration(port).encode())
                process.stdin.close()
                if self._ready(process, port):
                    return process, port
            except BrokenPipeError:
                process.wait(5)
            except BaseException:
                child.stop(process)
                raise
        reason = (self._log.read_text(errors="replace").strip().splitlines() or ["it gave no reason"])[-1]
        raise EmbeddedError(f"Valkey does not start: {reason} (more in {self._log})")

    def _configuration(self, port: int) -> str:
        """What the server is told."""
        return (
            f"bind 127.0.0.1\nport {port}\nrequirepass {self._password}\nprotected-mode yes\ndaemonize no\n"
            f'databases {DATABASES}\nsave ""\nappendonly no\nstop-writes-on-bgsave-error no\nloglevel warning\n'
        )

    def _ready(self, process: subprocess.Popen[bytes], port: int) -> bool:
        """Wait until it takes our password; False when the process ended instead or another's server has the port."""
        deadline = time.monotonic() + START_SECONDS
        while process.poll() is None:
            if _answers(port, self._password):
                return process.poll() is None
            if time.monotonic() > deadline:
                child.stop(process)
                raise EmbeddedError(f"Valkey did not start within {START_SECONDS:.0f} seconds: see {self._log}.")
            time.sleep(0.01)
        return False


def _answers(port: int, password: str) -> bool:
    """Whether a server on the port takes the password and answers a ping."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(f"AUTH {password}\r\nPING\r\n".encode())
            said = b""
            while said.count(b"\r\n") < 2 and (more := connection.recv(256)):
                said += more
    except OSError:
        return False
    return said.startswith(b"+OK\r\n+PONG")
