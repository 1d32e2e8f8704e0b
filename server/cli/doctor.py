"""`rummy500 doctor`: looks at the configuration and at the parts it names, and says what is wrong and what mends it."""

import asyncio
import difflib
import os
import resource
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import asyncpg
import redis.asyncio
import redis.exceptions
import typer

from server.cli.listen import listening_socket
from server.cli.options import BadSettings, load_settings, with_settings
from server.cli.parts import CannotStart, database_trouble
from server.persistence.database import open_connection
from server.persistence.embedded import EmbeddedError, holder_of
from server.persistence.embedded.programs import find_postgres, find_valkey
from server.persistence.migrate import current, head
from server.settings import PREFIX, Settings, variable

LEAST_POSTGRES = 140000
LEAST_REDIS = (7, 0)
LEAST_FILES = 4096
LEAST_DISK = 500_000_000
CLOCKS_APART = 2.0
TEST_VARIABLES = ("RUMMY500_TEST_DATABASE_URL", "RUMMY500_TEST_REDIS_URL", "RUMMY500_TEST_RUN")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: whether it is as it should be, and if not, what would mend it."""

    state: Literal["ok", "warning", "wrong"]
    what: str
    said: str

    def __str__(self) -> str:
        return f"{self.state:<8} {self.what:<12} {self.said}"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(with_settings(doctor, Settings.model_fields))


def doctor(**values: str | None) -> None:
    """Check the settings and the parts they name, and say what is wrong; the exit status is 1 if anything is."""
    try:
        settings = load_settings(values)
    except BadSettings as error:
        for line in str(error).splitlines():
            typer.echo(Finding("wrong", "settings", line))
        raise typer.Exit(1) from error
    wrong = False
    for finding in examine(settings):
        typer.echo(finding)
        wrong = wrong or finding.state == "wrong"
    raise typer.Exit(1 if wrong else 0)


def examine(settings: Settings) -> Iterator[Finding]:
    """Everything there is to say about a configuration, in order."""
    yield Finding("ok", "settings", "every setting can be read")
    yield from _names(os.environ)
    yield from _judgements(settings)
    if settings.database_url is None or settings.redis_url is None:
        yield from _embedded(settings)
    if settings.database_url is not None:
        yield from _ask("database", lambda: _database(settings))
        yield from _revision(settings.database_url)
    if settings.redis_url is not None:
        yield from _ask("redis", lambda: _redis(settings))
    yield _files()
    yield _port(settings)


def _names(environ: "os._Environ[str]") -> Iterator[Finding]:
    """Variables that look like settings and are none: mostly slips of the pen."""
    known = [variable(field) for field in Settings.model_fields]
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known and name not in TEST_VARIABLES:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; {near[0]} was meant?" if near else ""
            yield Finding("warning", "settings", f"{name} is not a setting and changes nothing{hint}")


def _judgements(settings: Settings) -> Iterator[Finding]:
    """Settings that are possible but seldom meant."""
    if settings.rate_limits == "off":
        yield Finding("warning", "settings", "RUMMY500_RATE_LIMITS=off is for tests: anybody can keep this server busy")
    if settings.fsync == "off":
        yield Finding("warning", "settings", "RUMMY500_FSYNC=off is for tests: a stop of the machine can lose games")
    if settings.test_clock:
        yield Finding("warning", "settings", "RUMMY500_TEST_CLOCK is for tests: the daily deal is of another day")
    if settings.host not in ("127.0.0.1", "::1", "localhost") and not settings.trusted_proxies:
        said = (
            "without RUMMY500_TRUSTED_PROXIES every client behind a proxy has the proxy's address and shares its limits"
        )
        yield Finding("warning", "settings", said)
    if (settings.database_url is None) != (settings.redis_url is None):
        missing = "RUMMY500_REDIS_URL" if settings.redis_url is None else "RUMMY500_DATABASE_URL"
        yield Finding("warning", "settings", f"{missing} is not given: that part is embedded, for this machine alone")


def _embedded(settings: Settings) -> Iterator[Finding]:
    """The programs and the folder of the embedded pair."""
    try:
        if settings.database_url is None:
            found = find_postgres(settings.pg_bindir)
            yield Finding("ok", "postgres", f"PostgreSQL {found.major} in {found.bindir}")
        if settings.redis_url is None:
            yield Finding("ok", "valkey", str(find_valkey()))
    except EmbeddedError as error:
        yield Finding("wrong", "embedded", str(error))
        return
    yield from _data_folder(settings.data, None if settings.database_url is not None else found.major)


def _data_folder(data: Path, major: int | None) -> Iterator[Finding]:
    """Whether a server could use the data folder, or one does already."""
    made_by = data / "postgres" / "PG_VERSION"
    try:
        version = made_by.read_text().strip() if made_by.exists() else None
        holder = holder_of(data)
    except OSError as error:
        yield Finding("wrong", "data", f"{data} cannot be read: {error.strerror}")
        return
    if holder is not None:
        yield Finding("ok", "data", f"{data} is in use by the server with process id {holder}")
    if version is not None and major is not None and version != str(major):
        yield Finding("wrong", "data", f"{data} was made by PostgreSQL {version}, not {major}: see RUMMY500_PG_BINDIR")
    there = next(folder for folder in (data, *data.parents) if folder.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        yield Finding("wrong", "data", f"no permission to write in {there}")
        return
    free = shutil.disk_usage(there).free
    state: Literal["ok", "wrong"] = "ok" if free >= LEAST_DISK else "wrong"
    yield Finding(
        state, "data", f"{data}: {free / 1e9:.1f} GB free" + ("" if state == "ok" else ", too little: make room")
    )


def _ask(what: str, question: Callable[[], Awaitable[list[Finding]]]) -> Iterator[Finding]:
    """Ask a server, within ten seconds; one that can't be reached is a finding too."""

    async def within_time() -> list[Finding]:
        async with asyncio.timeout(10):
            return await question()

    try:
        yield from asyncio.run(within_time())
    except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        said = (
            database_trouble(error) if what == "database" else f"Redis cannot be reached (RUMMY500_REDIS_URL): {error}"
        )
        yield Finding("wrong", what, said or type(error).__name__)
    except redis.exceptions.RedisError as error:
        yield Finding("wrong", what, f"Redis refuses or cannot be reached (RUMMY500_REDIS_URL): {error}")


async def _database(settings: Settings) -> list[Finding]:
    """Version, encoding, connections and clock of one's own Postgres."""
    assert settings.database_url is not None
    connection = await open_connection(settings.database_url)
    try:
        row: Any = await connection.fetchrow(
            "SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,"
            " current_setting('server_encoding') AS encoding, current_setting('max_connections')::int AS connections,"
            " clock_timestamp() AS now, pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync"
        )
        apart = abs((datetime.now(UTC) - row["now"]).total_seconds())
    finally:
        await connection.close()
    needed = settings.processes * (settings.database_pool + 6)
    return [
        _judged("database", row["number"] >= LEAST_POSTGRES, f"PostgreSQL {row['version']}", "14 or later is needed"),
        _judged("database", row["encoding"] == "UTF8", f"encoding {row['encoding']}", "it must be UTF8"),
        _judged("database", not row["replica"], "takes writes", "it is a read-only replica"),
        _judged("database", row["fsync"] == "on", "fsync on", "a stop of the machine can lose games", "warning"),
        _judged(
            "database",
            row["connections"] >= needed,
            f"{row['connections']} connections",
            f"these processes may ask for {needed}: lower RUMMY500_DATABASE_POOL",
            "warning",
        ),
        _judged(
            "clocks",
            apart <= CLOCKS_APART,
            f"{apart:.1f} s between this machine and the database",
            "set one by NTP (deadlines go by the database's, so play is right all the same)",
            "warning",
        ),
    ]


def _judged(what: str, good: bool, said: str, trouble: str, state: Literal["warning", "wrong"] = "wrong") -> Finding:
    """A finding that is well, or has its trouble added."""
    return Finding("ok", what, said) if good else Finding(state, what, f"{said}: {trouble}")


def _revision(database_url: str) -> Iterator[Finding]:
    """Whether the database's tables are those this release knows."""
    try:
        at = current(database_url)
    except (TimeoutError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
        return  # told already
    newest = head()
    if at == newest:
        yield Finding("ok", "tables", f"at revision {at}, the newest")
    else:
        yield Finding(
            "warning", "tables", f"at revision {at or 'none'}, the newest is {newest}: run `rummy500 migrate`"
        )


async def _redis(settings: Settings) -> list[Finding]:
    """Version, memory policy and round trip of one's own Redis or Valkey."""
    assert settings.redis_url is not None
    client = redis.asyncio.Redis.from_url(settings.redis_url, socket_connect_timeout=5, socket_timeout=5)
    try:
        begun = time.perf_counter()
        await client.ping()
        trip = (time.perf_counter() - begun) * 1000
        info: dict[str, Any] = await client.info()
    finally:
        await client.aclose()
    version = str(info["redis_version"])
    numbers = tuple(int(part) for part in version.split(".")[:2])
    policy = str(info.get("maxmemory_policy", "noeviction"))
    name = "Valkey" if info.get("server_name") == "valkey" else "Redis"
    return [
        _judged("redis", numbers >= LEAST_REDIS, f"{name} (as Redis {version})", "7.0 or later is needed"),
        _judged(
            "redis", not policy.startswith("allkeys"), f"policy {policy}", "it may drop CPU jobs: noeviction", "warning"
        ),
        Finding("ok", "redis", f"answers in {trip:.1f} ms"),
    ]


def _files() -> Finding:
    """How many sockets a process may have open; the server raises the soft limit to the hard one by itself."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    many = hard == resource.RLIM_INFINITY or hard >= LEAST_FILES
    said = "unlimited open files" if hard == resource.RLIM_INFINITY else f"{hard} open files"
    return _judged("files", many, said, f"raise the limit to {LEAST_FILES} or more (ulimit -Hn)", "warning")


def _port(settings: Settings) -> Finding:
    """Whether the port is free."""
    try:
        listening_socket(settings.host, settings.port).close()
    except CannotStart as error:
        return Finding("warning", "port", str(error))
    return Finding("ok", "port", f"{settings.port} of {settings.host} is free")
