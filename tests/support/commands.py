"""Running the command line in a process of its own, as people do."""

import subprocess
import sys
from pathlib import Path

from tests.support.servers import ROOT, environment


def rummy500(
    *arguments: str, cwd: Path = ROOT, timeout: float = 90, **variables: str
) -> "subprocess.CompletedProcess[str]":
    """Run `rummy500 …` to its end with only the given `RUMMY500_…` variables."""
    return subprocess.run(
        [sys.executable, "-m", "server", *arguments],
        cwd=cwd,
        env=environment(**variables),
        capture_output=True,
        text=True,
        timeout=timeout,
    )
