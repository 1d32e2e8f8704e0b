"""What can go wrong at the start of the embedded pair, said in one line to a person."""

import errno
from pathlib import Path


class EmbeddedError(Exception):
    """The embedded Postgres or Valkey cannot run; the message is one line that says why and what would mend it."""


def explain_os_error(error: OSError, folder: Path) -> EmbeddedError:
    """Turn a refusal of the operating system about the data folder into a line for a person."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(folder)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return no_permission(folder)
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return EmbeddedError(f"The data folder {folder} is not a folder: name another with --data.")
    return EmbeddedError(f"The data folder {folder} cannot be used: {error.strerror or error}.")


def disk_full(folder: Path) -> EmbeddedError:
    """The line for a full disk."""
    return EmbeddedError(f"The disk that holds {folder} is full: make room, or name another folder with --data.")


def no_permission(folder: Path) -> EmbeddedError:
    """The line for a folder that belongs to somebody else."""
    return EmbeddedError(f"No permission to write in {folder}: make it yours, or name another folder with --data.")
