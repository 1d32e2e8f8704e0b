"""Node for the tests of the JavaScript client, with the packages its lock file names."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "clients" / "reference_js"


def node(*arguments: str, seconds: float = 120, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Node in the client's folder."""
    return _run(_found("node"), *arguments, seconds=seconds, **variables)


def packages() -> Path:
    """The folder of the packages, installed where they are missing or older than the lock file."""
    folder = CLIENT / "node_modules"
    mark = folder / ".package-lock.json"
    lock = CLIENT / "package-lock.json"
    if not mark.exists() or mark.stat().st_mtime < lock.stat().st_mtime:
        done = _run(_found("npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts", seconds=300)
        assert done.returncode == 0, done.stdout + done.stderr
        mark.touch()
    return folder


def _found(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        reason = f"the tests of the client need {name}: Node 20 or newer, with npm"
        if "CI" in os.environ:
            raise RuntimeError(reason)
        pytest.skip(reason)  # shown with its reason; CI never skips it
    return path


def _run(*command: str, seconds: float, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=CLIENT, env=environment, capture_output=True, text=True, timeout=seconds)
