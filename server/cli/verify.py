"""`rummy500 verify`: check finished games from their records, without a server."""

import sys
from pathlib import Path

import orjson
import typer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify")(verify)


def verify(
    records: list[Path] = typer.Argument(
        help="Records as GET /v1/games/{id}/record gives them; - reads one from the standard input."
    ),
    choices: bool = typer.Option(True, help="Make the CPU players' choices again, too."),
) -> None:
    """Deal the packs again from the revealed seed, replay every move and compare the scores."""
    from server.boards.verify import verify as check

    wrong = 0
    for path in records:
        try:
            text = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
            record = orjson.loads(text)
        except (OSError, orjson.JSONDecodeError) as error:
            typer.echo(f"{path}: cannot be read: {error}", err=True)
            wrong += 1
            continue
        report = check(record, choices=choices)
        for note in report.notes:
            typer.echo(f"{path}: note: {note}")
        for problem in report.problems:
            typer.echo(f"{path}: WRONG: {problem}")
        if report.good:
            remade = f", {report.cpu_moves} CPU players' choices made again" if choices and not report.notes else ""
            typer.echo(
                f"{path}: right: {report.rounds} rounds, {report.moves} moves{remade}; seed, deals and scores fit."
            )
        wrong += not report.good
    if wrong:
        raise typer.Exit(1)
