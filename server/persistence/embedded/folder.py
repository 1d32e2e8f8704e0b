"""The data folder: made for us alone, used by one server at a time, with the password of its database in it."""

import fcntl
import os
import secrets
from pathlib import Path
from typing import Self

from server.persistence.embedded.errors import EmbeddedError, explain_os_error


class DataFolder:
    """A data folder that is ours while this object is open."""

    def __init__(self, path: Path) -> None:
        """Make the folder if need be and lock it; raises EmbeddedError when another server has it."""
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise explain_os_error(error, path) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(self._lock, 32).decode(errors="replace").strip()
            os.close(self._lock)
            raise EmbeddedError(
                f"The data folder {path} is in use by the server with process id {holder or 'unknown'}: "
                "stop that one, or name another folder with --data."
            ) from error
        try:
            os.ftruncate(self._lock, 0)
            os.pwrite(self._lock, f"{os.getpid()}\n".encode(), 0)
        except OSError as error:
            self.close()
            raise explain_os_error(error, path) from error

    def close(self) -> None:
        """Let the next server have the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def password(self, *, fresh: bool) -> str:
        """The database's password, kept in a file that only we can read; made anew for a new database."""
        path = self.path / "postgres.password"
        if not fresh:
            try:
                return path.read_text().strip()
            except OSError as error:
                raise EmbeddedError(f"The database's password cannot be read from {path}: {error.strerror}.") from error
        value = secrets.token_urlsafe(24)
        path.unlink(missing_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.write(handle, value.encode() + b"\n")
            os.fsync(handle)
        finally:
            os.close(handle)
        return value


def holder_of(path: Path) -> str | None:
    """The process id of the server that has the folder, or None; nothing is made or changed."""
    try:
        lock = os.open(path / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return os.read(lock, 32).decode(errors="replace").strip() or "unknown"
    else:
        return None
    finally:
        os.close(lock)
