"""`rummy500 seed-board`: fill the ranking with made-up players, to measure with."""

import asyncio
from datetime import UTC, datetime

import typer
from redis.asyncio import Redis

from server.cli.options import BadSettings, load_settings, with_settings
from server.cli.parts import CannotStart, migrated, storage
from server.cli.process import end_on_signals
from server.persistence.board_cache import BoardCache
from server.persistence.database import connect
from server.persistence.seeding import AlreadyPlayed, seed_ranking

FIELDS = ("data", "database_url", "redis_url", "pg_bindir")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("seed-board")(with_settings(seed_board, FIELDS))


def seed_board(
    players: int = typer.Option(1_000_000, min=1, max=10_000_000, help="How many players."),
    **values: str | None,
) -> None:
    """Fill the ranking with made-up players, for tests and measurements; refused where games were played."""
    try:
        settings = load_settings(values)
        end_on_signals()
        with storage(settings) as (complete, _):
            assert complete.database_url is not None
            assert complete.redis_url is not None
            migrated(complete.database_url)
            asyncio.run(_seed(complete.database_url, complete.redis_url, players))
    except AlreadyPlayed:
        typer.echo("Games were played on this database; use one of its own for made-up players.", err=True)
        raise typer.Exit(1) from None
    except (BadSettings, CannotStart) as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from error
    typer.echo(f"{players} players are on the ranking.")


async def _seed(database_url: str, redis_url: str, players: int) -> None:
    database, redis = await connect(database_url, 3), Redis.from_url(redis_url)
    try:
        await seed_ranking(database.pool, players, datetime.now(UTC))
        await BoardCache(database.pool, redis).reload([("ranking", "all")])
    finally:
        await redis.aclose()
        await database.close()
