"""The arrows between packages: the contracts hold, and they would notice what they are there to notice."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.servers import ROOT

LINT = Path(sys.executable).parent / "lint-imports"
PURE = ("server/game", "server/ai")
ALLOWED_IN_PURE = {
    "__future__", "abc", "array", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "hashlib",
    "heapq", "hmac", "itertools", "json", "math", "operator", "re", "string", "struct", "types", "typing",
}  # fmt: skip


def lint(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the contracts on a checkout."""
    return subprocess.run([LINT, "--no-logo", "--no-cache"], cwd=folder, capture_output=True, text=True)


def imported(path: Path) -> set[str]:
    """The top-level names of the modules that a file imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("package", PURE)
def test_game_and_ai_import_only_a_few_modules_of_the_standard_library(package: str) -> None:
    """So that both run in a browser's Python and have no clock, no I/O and no chance of their own."""
    for path in (ROOT / package).rglob("*.py"):
        assert imported(path) <= ALLOWED_IN_PURE | {"server"}, path


@pytest.mark.skipif(not LINT.exists(), reason="import-linter is in the extra `check`; CI has it")
@pytest.mark.parametrize(
    ("where", "line", "said"),
    [
        ("server/game/planted.py", "import random", "server.game.planted -> random"),
        ("server/ai/planted.py", "import asyncio", "server.ai.planted -> asyncio"),
        ("server/game/planted.py", "import pydantic", "server.game.planted -> pydantic"),
        ("server/game/planted.py", "import server.tables", "server.game.planted -> server.tables"),
        ("server/tables/planted.py", "import server.api", "server.tables.planted -> server.api"),
        ("server/api/planted.py", "import server.persistence", "server.api.planted -> server.persistence"),
        ("server/tables/planted.py", "import server.settings", "server.tables.planted -> server.settings"),
        ("server/players/planted.py", "import sqlalchemy", "server.players.planted -> sqlalchemy"),
        ("server/planted/__init__.py", "", "server.planted"),
    ],
)
def test_stage2_an_import_against_the_arrows_fails(where: str, line: str, said: str, tmp_path: Path) -> None:
    """Each planted fault, an undeclared package among them, breaks a contract; without it all are kept."""
    shutil.copytree(ROOT / "server", tmp_path / "server", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    planted = tmp_path / where
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(line + "\n")
    told = lint(tmp_path)
    assert told.returncode != 0
    assert said in told.stdout


@pytest.mark.skipif(not LINT.exists(), reason="import-linter is in the extra `check`; CI has it")
def test_stage2_the_contracts_are_kept() -> None:
    """The sources as they are break none."""
    told = lint(ROOT)
    assert told.returncode == 0, told.stdout
