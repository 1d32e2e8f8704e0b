"""`.ci/run`: every step that the project relies on is in it."""

import re
import subprocess

from tests.support.servers import ROOT


def test_stage2_ci_runs_the_checks_the_tests_and_the_kit() -> None:
    """The steps in their order, and the one visible line with the stage."""
    text = (ROOT / ".ci" / "run").read_text()
    assert subprocess.run(["bash", "-n", ROOT / ".ci" / "run"]).returncode == 0
    assert re.findall(r'^ *step "([^"]+)"', text, re.MULTILINE) == [
        "Debian packages", "checks", "tests", "tests on Debian's Postgres and Redis", "conformance, one process",
        "conformance, two processes",
    ]  # fmt: skip
    assert "python3 dev.py check --static" in text
    assert "python3 dev.py test" in text
    assert len(re.findall(r"^STAGE=\d$", text, re.MULTILINE)) == 1
