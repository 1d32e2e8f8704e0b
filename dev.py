#!/usr/bin/env python3
"""The two commands of this project, and a few more. Needs Python 3.11 or later, and nothing else.

    python3 dev.py serve [--port 8123] [--data DIR]   start the server; `serve --help` explains every setting
    python3 dev.py test [-k words] [paths]            run the tests, on a real Postgres and a real Valkey
    python3 dev.py check [--static]                   what CI checks: formats, lints, types, contracts, then the tests
    python3 dev.py soak [...]                         the long reliability runs of docs/reliability.md
    python3 dev.py doctor | migrate | ...             any other command of `rummy500`

The first call makes `.venv` beside this file and installs there what constraints.txt names; later calls install nothing
until that file or pyproject.toml changes.
"""

import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys

if sys.version_info >= (3, 11):
    from typing import Any

ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
OLDEST = (3, 11)
EXTRAS = {
    "test": ("e2e", "embedded", "test"),
    "check": ("check", "e2e", "embedded", "test"),
    "soak": ("embedded", "test"),
}


def main(arguments: "list[str]") -> int:
    """Run the command named first and return its exit status."""
    if sys.version_info < OLDEST:
        return _with_newer_python(arguments)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return 0 if arguments else 2
    command, rest = arguments[0], arguments[1:]
    try:
        python = environment(EXTRAS.get(command, ("embedded",)))
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    if command == "test":
        return hand_over([python, "-P", "-m", "pytest", *test_arguments(rest)], ROOT)
    if command == "check":
        return check(python, rest)
    if command == "soak":
        return hand_over([python, "-m", "bench.soak", *rest], ROOT)
    return hand_over([python, "-P", "-m", "server", command, *rest])


class Trouble(Exception):
    """The environment can't be made; the message says what would mend it."""


def _with_newer_python(arguments: "list[str]") -> int:
    """Run again under a Python that is new enough, if there is one."""
    for name in ("python3.13", "python3.12", "python3.11", "python3.14"):
        found = shutil.which(name)
        if found:
            return subprocess.call([found, os.path.abspath(__file__)] + list(arguments))
    print("This needs Python 3.11 or later; this is " + sys.version.split()[0] + ", and no newer one is on the PATH.")
    return 1


def environment(extras: "tuple[str, ...]") -> str:
    """The Python of `.venv`, made and filled if need be with what the extras need; raises Trouble."""
    os.makedirs(VENV, exist_ok=True)
    with open(os.path.join(VENV, ".dev-lock"), "w") as lock:
        if os.name == "posix":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        return _filled(extras)


def _filled(extras: "tuple[str, ...]") -> str:
    """As `environment`, for whoever holds the lock."""
    folder = ("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")
    python = os.path.join(VENV, *folder)
    marker = os.path.join(VENV, ".dev-installed.json")
    wanted = fingerprint()
    installed = _read(marker)
    before = set(installed.get("extras", ()))
    works = _runs(python)
    if works and installed.get("fingerprint") == wanted and before >= set(extras):
        return python
    uv = shutil.which("uv")
    if not works:
        _make(uv)
    everything = sorted(before | set(extras))
    print(f"Installing into {VENV} what constraints.txt names ({', '.join(everything)}) …", file=sys.stderr, flush=True)
    target = f"{ROOT}[{','.join(everything)}]"
    constraints = os.path.join(ROOT, "constraints.txt")
    installer = [uv, "pip", "install", "--python", python] if uv else [python, "-m", "pip", "install", *PIP]
    status = subprocess.call([*installer, "--quiet", "--constraint", constraints, "--editable", target])
    if status != 0:
        raise Trouble("The installation failed: see above. A second try goes on where this one stopped.")
    with open(marker + ".new", "w") as file:
        json.dump({"fingerprint": wanted, "extras": everything}, file)
    os.replace(marker + ".new", marker)
    return python


PIP = ("--disable-pip-version-check", "--no-input", "--progress-bar=off", "--root-user-action=ignore")


def fingerprint() -> str:
    """What the installed packages depend on: the two files, the place of this folder, and this Python."""
    digest = hashlib.sha256(f"{ROOT} {sys.version_info[:2]}".encode())
    for name in ("pyproject.toml", "constraints.txt"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def _read(marker: str) -> "dict[str, Any]":
    """What was installed last, or nothing."""
    try:
        with open(marker) as file:
            value = json.load(file)
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _runs(python: str) -> bool:
    """Whether the environment's Python works and is the version that runs this."""
    try:
        ask = [python, "-c", "import sys; print(*sys.version_info[:2])"]
        said = subprocess.run(ask, capture_output=True, text=True, timeout=60, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return False
    return said.split() == [str(number) for number in sys.version_info[:2]]


def _make(uv: "str | None") -> None:
    """Make an empty environment."""
    print(f"Making an environment in {VENV} (once) …", file=sys.stderr, flush=True)
    if uv:
        command = [uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, VENV]
    elif importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise Trouble(f"This Python has no venv. This mends it:  {how_to_get_venv()}")
    else:
        command = [sys.executable, "-m", "venv", VENV]
    if subprocess.call(command) != 0:
        raise Trouble(
            f"The environment could not be made. Where Python's venv is incomplete, this mends it:  {how_to_get_venv()}"
        )


def how_to_get_venv() -> str:
    """The line that installs the missing part of Python on this system."""
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    sudo = "" if os.name != "posix" or os.geteuid() == 0 else "sudo "
    if shutil.which("apt-get"):
        return f"{sudo}apt-get install -y python{version}-venv"
    return "curl -LsSf https://astral.sh/uv/install.sh | sh"


def test_arguments(given: "list[str]") -> "list[str]":
    """pytest's arguments: paths as they were meant where the command was given, two processes unless told otherwise."""
    arguments = []
    for argument in given:
        path, mark, name = argument.partition("::")
        exists = not argument.startswith("-") and os.path.exists(path)
        arguments.append(os.path.abspath(path) + mark + name if exists else argument)
    parallel = not any(argument.startswith(("-n", "--numprocesses", "--pdb")) for argument in given)
    return [*(["-n", "2"] if parallel else []), *arguments]


def check(python: str, arguments: "list[str]") -> int:
    """Everything that CI checks of the sources, then (without `--static`) the tests; 0 when all is well."""
    programs = os.path.dirname(python)
    tools = (
        ("format", "ruff", "format", "--check", "."),
        ("lint", "ruff", "check", "."),
        ("types", "mypy"),
        ("imports", "lint-imports", "--no-logo"),
        ("dependencies", "deptry", "."),
    )
    failed = []
    for name, program, *rest in tools:
        print(f"== {name}", flush=True)
        if subprocess.call([os.path.join(programs, program), *rest], cwd=ROOT) != 0:
            failed.append(name)
    if "--static" not in arguments:
        print("== tests", flush=True)
        if subprocess.call([python, "-P", "-m", "pytest", *test_arguments(arguments)], cwd=ROOT) != 0:
            failed.append("tests")
    print("All checks passed." if not failed else f"Failed: {', '.join(failed)}.", flush=True)
    return 1 if failed else 0


def hand_over(command: "list[str]", folder: "str | None" = None) -> int:
    """Become the command, so that signals and the exit status are its own; on Windows, run it and wait."""
    if folder is not None:
        os.chdir(folder)
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)


if __name__ == "__main__":
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(sys.argv[1:]))
