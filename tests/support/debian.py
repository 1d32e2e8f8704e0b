"""Runs a command on the system's own Postgres and Redis: `python -m tests.support.debian COMMAND…`.

Both are started as children on free ports with their data in a temporary folder; the system's services are left alone.
The command finds them by `RUMMY500_DATABASE_URL` and `RUMMY500_REDIS_URL`.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from server.persistence.embedded import EmbeddedPair, programs


def system_bindir() -> Path:
    """The folder of the newest Postgres of the system."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent


def main(command: list[str]) -> int:
    """Start both, run the command, and stop both; returns the command's exit status."""
    bindir = system_bindir()
    no_wheels = mock.patch.object(programs, "wheel_folder", return_value=None)
    with tempfile.TemporaryDirectory(prefix="rummy500-debian-") as folder, no_wheels:
        print(f"on {bindir} and {programs.find_valkey()}", flush=True)
        with EmbeddedPair(Path(folder) / "data", fsync=False, pg_bindir=bindir) as pair:
            assert pair.database_url is not None
            assert pair.redis_url is not None
            urls = {"RUMMY500_DATABASE_URL": pair.database_url, "RUMMY500_REDIS_URL": pair.redis_url}
            return subprocess.run(command, env=os.environ | urls).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
