"""Brings a database to a revision of the schema. Two processes that do so at once take turns.

Everything here is synchronous and starts an event loop of its own: from a coroutine call it by `asyncio.to_thread`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from server.persistence.database import open_connection

_LOCK = 0x52554D4D  # any number, as long as every process uses the same one
_FOLDER = Path(__file__).parent / "migrations"


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER))
    config.attributes["connection"] = connection
    return config


async def _locked(url: str, work: Callable[[Connection], None]) -> None:
    """Runs `work` in one transaction that holds the migrations' lock."""
    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: open_connection(url, statement_timeout="0"),
        poolclass=NullPool,
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            await connection.run_sync(work)
    finally:
        await engine.dispose()


def upgrade(url: str, revision: str = "head") -> None:
    """Raises the schema to `revision`; does nothing where it is there already."""
    asyncio.run(_locked(url, lambda connection: command.upgrade(_config(connection), revision)))


def downgrade(url: str, revision: str) -> None:
    """Takes the schema back to `revision` (`base`: to nothing); what only newer tables hold is lost."""
    asyncio.run(_locked(url, lambda connection: command.downgrade(_config(connection), revision)))


def current(url: str) -> str | None:
    """The revision that the database is at, None for an empty one."""
    found: list[str | None] = []

    def look(connection: Connection) -> None:
        found.append(MigrationContext.configure(connection).get_current_revision())

    asyncio.run(_locked(url, look))
    return found[0]


def head() -> str:
    """The newest revision that this version of the server knows."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    assert newest is not None, "the migrations have no head"
    return newest
