"""What a server can be told from outside: one frozen object, read from `RUMMY500_…` variables and the command line.

Only the composition root (`main`, `__main__`, `cli`) reads it; everything below is handed the values it needs.
"""

import os
import sys
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "RUMMY500_"


def default_data_folder() -> Path:
    """The folder of the user's that holds the embedded database when no other is named (XDG on Linux)."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "rummy500"
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "share") / "rummy500"


class Settings(BaseSettings):
    """Every setting, each with the sentence that `rummy500 serve --help` and docs/operations.md show."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True, hide_input_in_errors=True
    )

    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for every IPv4 interface.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    name: str = Field(
        "Rummy 500", min_length=1, max_length=80, description="The server's name, as clients and the documents show it."
    )
    data: Path = Field(
        default_factory=default_data_folder, description="Folder of the embedded database; one server at a time."
    )
    database_url: str | None = Field(
        None,
        repr=False,
        description="Your own Postgres, postgresql+asyncpg://user:password@host:5432/name, not the embedded one.",
    )
    redis_url: str | None = Field(
        None,
        repr=False,
        description="Your own Redis or Valkey, redis://:password@host:6379/0, not the embedded one.",
    )
    database_pool: int = Field(
        10, ge=2, le=500, description="Most connections to Postgres for each process, beside six of its own."
    )
    processes: int = Field(1, ge=1, le=64, description="Server processes that share the port.")
    cpu_workers: int = Field(
        1,
        ge=0,
        le=64,
        description="Processes for CPU players beside each server process; 0 leaves them to `rummy500 cpu-worker`.",
    )
    log: Literal["text", "json"] = Field("text", description="Log lines for people (text) or for programs (json).")
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least important line shown."
    )
    rate_limits: Literal["on", "off"] = Field(
        "on", description="off lets clients ask as often as they like: for tests."
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        (),
        description="Addresses or networks of reverse proxies, by commas; a forwarded address counts only from them.",
    )
    pg_bindir: Path | None = Field(
        None, description="Folder with Postgres's programs for the embedded database, instead of the installed wheel's."
    )
    fsync: Literal["on", "off"] = Field(
        "on", description="off makes the embedded database quicker and loses data when the machine stops: for tests."
    )
    drain_seconds: float = Field(
        8.0, ge=0, le=600, description="After SIGTERM, how long open requests may take to end before they are cut."
    )
    absent_seconds: int = Field(
        120, ge=1, le=86_400, description="In a game without a clock, how long someone on turn is waited for."
    )
    migrate: Literal["on", "off"] = Field(
        "on", description="Bring the database's tables up to date at start; off leaves it to `rummy500 migrate`."
    )
    test_clock: float = Field(
        0.0, description="Seconds added to the clock that decides which day's deal it is: for tests only."
    )

    @field_validator("trusted_proxies", mode="before")
    @classmethod
    def _networks(cls, value: object) -> object:
        """Take a list by commas; a plain address is a network of one."""
        if not isinstance(value, str):
            return value
        return tuple(ip_network(part.strip(), strict=False) for part in value.split(",") if part.strip())

    @field_validator("database_url")
    @classmethod
    def _database(cls, value: str | None) -> str | None:
        """Accept the usual spellings and settle on the one SQLAlchemy wants."""
        if value is None:
            return None
        scheme, _, rest = value.partition("://")
        if scheme not in ("postgres", "postgresql", "postgresql+asyncpg") or not rest:
            raise ValueError("must look like postgresql+asyncpg://user:password@host:5432/name")
        return f"postgresql+asyncpg://{rest}"

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: str | None) -> str | None:
        """Accept what redis-py accepts."""
        if value is not None and value.partition("://")[0] not in ("redis", "rediss", "unix"):
            raise ValueError("must look like redis://:password@host:6379/0")
        return value

    @field_validator("data", "pg_bindir")
    @classmethod
    def _absolute(cls, value: Path | None) -> Path | None:
        """Make folders absolute, so that nothing depends on the folder the server was started in."""
        return None if value is None else Path(os.path.abspath(value.expanduser()))  # noqa: PTH100 - keeps symbolic links

    @property
    def limits_enabled(self) -> bool:
        """Whether clients are held to rate limits."""
        return self.rate_limits == "on"

    @property
    def hosted(self) -> bool:
        """Whether both Postgres and Redis are somebody's own, so that nothing is embedded."""
        return self.database_url is not None and self.redis_url is not None


def variable(field: str) -> str:
    """The environment variable of a setting: `variable("port")` is `RUMMY500_PORT`."""
    return PREFIX + field.upper()
