"""The commands of `rummy500`: one module for each, imported only when it is asked for.

A module `server/cli/NAME.py` (with `_` for `-`) offers `register(app)`, which adds its command to typer's application.
A command whose module is not there is not offered.
"""

import importlib
import importlib.util
from collections.abc import Sequence

import typer

COMMANDS = ("serve", "migrate", "doctor", "cpu-worker", "verify", "arena", "boards", "seed-board")


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns the exit status."""
    asked = next((argument for argument in arguments if not argument.startswith("-")), None)
    names = [asked] if asked in COMMANDS else list(COMMANDS)
    app = typer.Typer(
        name="rummy500", help="A server for the card game Rummy 500.", no_args_is_help=True, add_completion=False,
        pretty_exceptions_enable=False,
    )  # fmt: skip
    app.callback()(_version_option)
    for name in names:
        module = f"server.cli.{name.replace('-', '_')}"
        if importlib.util.find_spec(module) is not None:
            importlib.import_module(module).register(app)
    try:
        status = app(args=list(arguments), prog_name="rummy500", standalone_mode=True)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    return status if isinstance(status, int) else 0


def _show_version(wanted: bool) -> None:
    if wanted:
        from server.cli.version import version

        typer.echo(version())
        raise typer.Exit


def _version_option(
    version: bool = typer.Option(
        False, "--version", help="Print the version and end.", callback=_show_version, is_eager=True
    ),
) -> None:
    """A server for the card game Rummy 500."""
    del version
