"""dev.py: from a clone with nothing but Python to a running command, quick the second time, from any folder."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import dev
from tests.support.servers import ROOT


def checkout(folder: Path) -> Path:
    """A copy of what git would hand out."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    names = (
        listed.stdout.splitlines()
        if listed.returncode == 0
        else ["dev.py", "pyproject.toml", "constraints.txt", "server"]
    )
    for name in names:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name)
        elif source.exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    return folder


def run_dev(folder: Path, *arguments: str, cwd: Path, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run dev.py of a checkout as a new user would."""
    kept = {
        name: os.environ[name] for name in os.environ if not name.startswith(("RUMMY500_", "PYTHON", "VIRTUAL_ENV"))
    }
    base = getattr(sys, "_base_executable", sys.executable)
    return subprocess.run(
        [base, str(folder / "dev.py"), *arguments],
        cwd=cwd, env=kept | {"HOME": str(home)}, capture_output=True, text=True, timeout=900,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_stage2_a_clone_and_an_empty_home_are_enough_and_the_second_call_installs_nothing(tmp_path: Path) -> None:
    """The environment is made beside dev.py; later calls are quick and work from any folder, arguments passed on."""
    folder, home = checkout(tmp_path / "clone"), tmp_path / "home"
    home.mkdir()
    first = run_dev(folder, "doctor", "--port", "0", cwd=tmp_path, home=home)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Making an environment" in first.stderr
    assert f"{folder}/.venv/" in first.stdout  # the wheel's Postgres
    begun = time.monotonic()
    second = run_dev(folder, "doctor", "--port", "0", "--data", "here", cwd=tmp_path, home=home)
    assert time.monotonic() - begun < 20
    assert second.stderr == ""
    assert f"{tmp_path}/here:" in second.stdout
    assert run_dev(folder, "nonsense", cwd=tmp_path, home=home).returncode == 2
    constraints = folder / "constraints.txt"
    constraints.write_text(constraints.read_text() + "# changed\n")
    third = run_dev(folder, "doctor", "--port", "0", cwd=tmp_path, home=home)
    assert "Installing into" in third.stderr
    assert "Making an environment" not in third.stderr
    served = subprocess.Popen(
        [sys.executable, str(folder / "dev.py"), "serve", "--port", "0", "--data", "d", "--log", "json"],
        cwd=tmp_path, env={name: value for name, value in os.environ.items() if not name.startswith("RUMMY500_")},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert served.stdout is not None
    ready = json.loads(served.stdout.readline())
    assert ready["pid"] == served.pid  # dev.py became the server: signals and status are its own
    assert ready["data"] == str(tmp_path / "d")
    served.send_signal(signal.SIGTERM)
    served.communicate(timeout=30)
    assert served.returncode == 0


def test_the_arguments_of_test_are_pytests_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Paths mean what they meant where the command was given; two processes unless the caller says otherwise."""
    (tmp_path / "test_x.py").touch()
    monkeypatch.chdir(tmp_path)
    assert dev.test_arguments(["-k", "x"]) == ["-n", "2", "-k", "x"]
    assert dev.test_arguments(["-n", "0", "test_x.py::test_a"]) == ["-n", "0", f"{tmp_path}/test_x.py::test_a"]
    assert dev.test_arguments(["--pdb"]) == ["--pdb"]


def test_without_venv_the_line_that_mends_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Debian's python3 has no venv until its package is installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dev.Trouble, match=r"This mends it: {2}\S+"):
        dev._make(None)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert dev.how_to_get_venv() == f"apt-get install -y python{version}-venv"
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert dev.how_to_get_venv().startswith("sudo ")


def test_help_is_printed_without_making_an_environment(capsys: pytest.CaptureFixture[str]) -> None:
    """Looking costs nothing."""
    assert dev.main(["--help"]) == 0
    assert "python3 dev.py serve" in capsys.readouterr().out
    assert dev.main([]) == 2


def test_constraints_pin_everything_and_hold_no_address() -> None:
    """Full pins, no hashes, no download addresses; every direct dependency is among them."""
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if line and not line.startswith("#")]
    names = set()
    for line in lines:
        name, mark, version = line.partition("==")
        assert mark, line
        assert "://" not in line
        assert "--hash" not in line
        assert version[0].isdigit()
        names.add(name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    for requirement in wanted:
        name = requirement.split(";")[0].split(">")[0].split("[")[0].strip().lower()
        assert name in names, f"{name} is not pinned: see docs/decisions/0002-dependencies.md"
