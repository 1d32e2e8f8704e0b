"""`rummy500 seed-board`: fill the ranking with made-up players, to measure with."""

from datetime import UTC, datetime

import typer
from redis.asyncio import Redis

from server.cli.options import with_settings
from server.cli.parts import on_storage
from server.persistence.board_cache import BoardCache
from server.persistence.database import Database
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

    async def work(database: Database, redis: Redis) -> None:
        await seed_ranking(database.pool, players, datetime.now(UTC))
        await BoardCache(database.pool, redis).reload([("ranking", "all")])

    try:
        on_storage(values, work)
    except AlreadyPlayed:
        typer.echo("Games were played on this database; use one of its own for made-up players.", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{players} players are on the ranking.")
