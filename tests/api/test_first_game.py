"""docs/first-game.md, run as a newcomer would."""

import os
import re
import subprocess
import time

from tests.support.servers import ROOT, ServerProcess

PAGE = ROOT / "docs" / "first-game.md"
STEP = "=== step ==="


def steps() -> list[tuple[str, str]]:
    """The commands of the page, each with what it is said to print."""
    found = re.findall(r"```sh\n(.*?)```(?:\n```text\n(.*?)```)?", PAGE.read_text(), flags=re.DOTALL)
    assert len(found) > 8
    return found


def test_stage1_first_game_is_a_worked_transcript(api_server: ServerProcess) -> None:
    """Every command of the page, in one shell, prints what the page says, in less than five minutes."""
    script = "\n".join(f"echo '{STEP}'\n{commands}" for commands, _ in steps())
    began = time.monotonic()
    ran = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", script],
        env={"PATH": os.environ["PATH"], "BASE": api_server.url}, capture_output=True, text=True, timeout=170,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]
    assert time.monotonic() - began < 300
    assert ran.stderr == ""
    said = ran.stdout.split(f"{STEP}\n")[1:]
    for (commands, shown), printed in zip(steps(), said, strict=True):
        pattern = ".*".join(re.escape(part) for part in shown.strip().split("…"))
        assert re.fullmatch(pattern, printed.strip()), f"{commands}\nshould print\n{shown}\nbut printed\n{printed}"


def test_the_readme_leads_to_the_first_game() -> None:
    """And the page begins with the command that the README gives."""
    readme = (ROOT / "README.md").read_text()
    assert "docs/first-game.md" in readme
    assert "python3 dev.py serve" in readme
    assert "python3 dev.py serve" in PAGE.read_text()
