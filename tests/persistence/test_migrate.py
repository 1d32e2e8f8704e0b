"""Migrations: up, down, two at once, and the same tables as the models say."""

import asyncio

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection

from server.persistence import migrate
from server.persistence.database import make_engine, open_connection, plain_url
from server.persistence.schema import Table

EXPRESSIONS = {"ix_games_public"}
pytestmark = pytest.mark.storage


async def test_two_processes_migrate_at_once(empty_database_url: str) -> None:
    """Whoever comes second waits and finds the work done; going down to nothing and up again works."""
    await asyncio.gather(*(asyncio.to_thread(migrate.upgrade, empty_database_url) for _ in range(3)))
    assert await asyncio.to_thread(migrate.current, empty_database_url) == migrate.head()
    await asyncio.to_thread(migrate.downgrade, empty_database_url, "base")
    assert await asyncio.to_thread(migrate.current, empty_database_url) is None
    await asyncio.to_thread(migrate.upgrade, empty_database_url)


async def test_each_step_goes_down_and_up_again(empty_database_url: str) -> None:
    """From the newest tables step by step to none, and back up in steps, each with the tables it had."""
    revisions = [f"{number:04}" for number in range(int(migrate.head()), 0, -1)]
    await asyncio.to_thread(migrate.upgrade, empty_database_url)
    before = {revisions[0]: await _columns(empty_database_url)}
    for revision in revisions[1:]:
        await asyncio.to_thread(migrate.downgrade, empty_database_url, revision)
        before[revision] = await _columns(empty_database_url)
    for revision in reversed(revisions):
        await asyncio.to_thread(migrate.upgrade, empty_database_url, revision)
        assert await _columns(empty_database_url) == before[revision], revision
    assert ("games", "snapshot") in before["0006"]
    assert ("games", "snapshot") not in before["0007"]


async def _columns(url: str) -> set[tuple[str, str]]:
    connection = await open_connection(url)
    rows = await connection.fetch(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    await connection.close()
    return {(row["table_name"], row["column_name"]) for row in rows}


async def test_the_models_are_what_the_migrations_make(database_url: str) -> None:
    """A table, column or index that only one of the two knows is a fault."""
    differences: list[object] = []

    def compare(connection: Connection) -> None:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True, "include_object": _comparable}
        )
        differences.extend(compare_metadata(context, Table.metadata))

    engine = make_engine(database_url)
    async with engine.connect() as connection:
        await connection.run_sync(compare)
    await engine.dispose()
    assert differences == []


def _comparable(thing: object, name: str | None, kind: str, reflected: bool, other: object) -> bool:
    """Indexes on expressions come back in another spelling, so that they cannot be compared."""
    return not (kind == "index" and name in EXPRESSIONS)


def test_addresses_are_told_from_nonsense() -> None:
    """Only a Postgres address opens a database."""
    assert plain_url("postgresql+asyncpg://a:b@c/d") == "postgresql://a:b@c/d"
    for wrong in ("mysql://a/b", "postgresql", ""):
        with pytest.raises(ValueError, match="postgresql"):
            plain_url(wrong)
