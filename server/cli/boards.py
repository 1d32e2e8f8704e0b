"""`rummy500 boards`: compute the boards anew, compare them, and check the games behind them."""

from datetime import UTC, datetime

import typer
from redis.asyncio import Redis

from server.cli.options import with_settings
from server.cli.parts import on_storage
from server.persistence.board_cache import BoardCache
from server.persistence.database import Database
from server.persistence.games import PostgresGames
from server.persistence.nightly import Nightly
from server.persistence.rebuild import Rebuilding

FIELDS = ("data", "database_url", "redis_url", "pg_bindir")
MOST_LINES = 100


def register(app: typer.Typer) -> None:
    """Add the command and its subcommands."""
    boards = typer.Typer(help="Look after the leaderboards.", no_args_is_help=True)
    boards.command("rebuild")(with_settings(rebuild, FIELDS))
    boards.command("check-games")(with_settings(check_games, FIELDS))
    boards.callback()(_group)
    app.add_typer(boards, name="boards")


def _group() -> None:
    """Look after the leaderboards."""


def rebuild(
    check: bool = typer.Option(
        False, "--check", help="Change nothing; print what differs (exit status 1 if anything)."
    ),
    **values: str | None,
) -> None:
    """Compute points, ratings and boards anew from the results of all games, in Postgres and in Redis."""

    async def work(database: Database, redis: Redis) -> list[str]:
        rebuilding = Rebuilding(database.pool, BoardCache(database.pool, redis))
        differences = await rebuilding.differences()
        if not check:
            await rebuilding.mend()
        return differences

    lines = on_storage(values, work)
    for line in lines[:MOST_LINES]:
        typer.echo(line)
    if len(lines) > MOST_LINES:
        typer.echo(f"… and {len(lines) - MOST_LINES} more")
    typer.echo(f"{len(lines)} differences" if lines else "no difference")
    if check and lines:
        raise typer.Exit(1)


def check_games(**values: str | None) -> None:
    """Play again every game behind a row of a board that was not checked yet, as the nightly work does."""
    found = on_storage(values, _check_games)
    wrong = {game: fault for game, fault in found.items() if fault is not None}
    for game, fault in wrong.items():
        typer.echo(f"{game}: {fault}")
    typer.echo(f"{len(found)} games checked, {len(wrong)} wrong")
    if wrong:
        raise typer.Exit(1)


async def _check_games(database: Database, redis: Redis) -> dict[str, str | None]:
    store = PostgresGames(database.pool, _nothing, _nothing)
    nightly = Nightly(database.pool, BoardCache(database.pool, redis), store, lambda: datetime.now(UTC))
    return await nightly.check_games()


async def _nothing(*_: object) -> None:
    """No game ends here."""
