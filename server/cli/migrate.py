"""`rummy500 migrate`: bring the database's tables up to date, or back."""

import typer

from server.cli.options import BadSettings, load_settings, with_settings
from server.cli.parts import CannotStart, migrated, storage
from server.cli.process import end_on_signals
from server.persistence.migrate import current, downgrade, head

FIELDS = ("data", "database_url", "pg_bindir")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("migrate")(with_settings(migrate, FIELDS))


def migrate(
    to: str = typer.Option("head", help="Revision to go to; an older one takes away what newer tables hold."),
    **values: str | None,
) -> None:
    """Bring the database's tables up to date (the server does so at start, unless told not to)."""
    try:
        settings = load_settings(values)
        end_on_signals()
        with storage(settings, redis=False) as (complete, _):
            assert complete.database_url is not None
            if to == "head":
                migrated(complete.database_url)
            else:
                downgrade(complete.database_url, to)
            typer.echo(
                f"The database is at revision {current(complete.database_url) or 'base'}; the newest is {head()}."
            )
    except (BadSettings, CannotStart) as error:
        typer.echo(error, err=True)
        raise typer.Exit(1) from error
