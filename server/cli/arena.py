"""`rummy500 arena`: a match between two players on paired deals."""

import importlib
import json
import os
import sys
from typing import Any

import typer


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("arena")(arena)


def arena(
    a: str = typer.Option(..., "--a", help="A player: easy, normal, expert, random, reference, or module:function."),
    b: str = typer.Option(..., "--b", help="The player in all other seats."),
    games: int = typer.Option(400, "--games", min=1, help="How many games; rounded up to whole deals."),
    ruleset: str = typer.Option("classic", "--ruleset", help="A preset."),
    seats: int = typer.Option(2, "--seats", min=2, max=8),
    seed: int = typer.Option(1, "--seed", help="The deals."),
    processes: int = typer.Option(0, "--processes", min=0, help="How many processes; 0: one for each core."),
    as_json: bool = typer.Option(False, "--json", help="Print the result as JSON."),
) -> None:
    """Plays paired deals (the same packs, every seat in turn) and prints who wins how often."""
    from server.arena.match import Match, play_match
    from server.arena.play import PlayerFault, load_player
    from server.game import BadRuleset, make_ruleset

    sys.path.insert(0, "")
    importlib.invalidate_caches()
    try:
        for name in (a, b):
            load_player(name)
        make_ruleset(ruleset, {}, seats)
        match = Match(a, b, ruleset, seats, games, seed)
        with typer.progressbar(length=games, label=f"{a} against {b}", file=sys.stderr) as bar:
            result = play_match(match, processes or os.cpu_count() or 1, bar.update)
    except (PlayerFault, BadRuleset) as fault:
        typer.echo(str(fault), err=True)
        raise typer.Exit(2) from fault
    typer.echo(json.dumps(result) if as_json else as_text(result))


def as_text(result: dict[str, Any]) -> str:
    """The result for a person."""
    low, high = (round(100 * bound, 1) for bound in result["ci95"])
    fewest, most = result["points_ci95"]
    table = f"{result['ruleset']}, {result['seats']} seats, {result['games']} games"
    times = "; ".join(
        f"{result[side]} p50 {result['move_ms'][side]['p50']} ms, p99 {result['move_ms'][side]['p99']} ms"
        for side in ("a", "b")
    )
    return "\n".join(
        (
            f"{result['a']} against {result['b']}, {table}",
            f"games won      {100 * result['win_rate']:.1f} %  (95 %: {low} to {high})",
            f"points a round {result['points_per_round']:+.1f}  (95 %: {fewest:+.1f} to {most:+.1f})",
            f"rounds a game  {result['rounds_per_game']}",
            f"time a move    {times}",
        )
    )
