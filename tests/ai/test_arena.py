"""The arena: paired deals, players from outside, its JSON, and wide bounds on strength as a tripwire."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
import typer.testing

from server.ai import choose
from server.arena.match import Deal, Match, play_deal, play_match, summary
from server.arena.play import PlayerFault, deal_seed, load_player, play_game
from server.cli import arena as command
from server.game import make_ruleset

Json = dict[str, Any]


def as_expert(view: Json, events: Sequence[Json], legal: Sequence[Json], seed: bytes) -> Json:
    """The expert, as a player from outside."""
    return choose("expert", view, events, legal, seed)


def cheat(view: Json, events: Sequence[Json], legal: Sequence[Json], seed: bytes) -> Json:
    """A player that discards a card it does not hold."""
    return {"type": "discard", "card": "X9"}


def too_early(view: Json, events: Sequence[Json], legal: Sequence[Json], seed: bytes) -> Json:
    """A player that discards when it should draw."""
    return {"type": "discard", "card": view["seats"][view["your_seats"][0]]["hand"][0]}


def invoke(*arguments: str) -> typer.testing.Result:
    """Runs the command in this process."""
    app = typer.Typer()
    command.register(app)
    return typer.testing.CliRunner().invoke(app, arguments)


def test_stage4_arena_prints_the_fields_of_its_json() -> None:
    """`--json` prints one object with rates from 0 to 1, an interval around them, and the times of both players."""
    ran = invoke("--a", "normal", "--b", "random", "--games", "10", "--seats", "2", "--processes", "1", "--json")
    assert ran.exit_code == 0, ran.output
    result = json.loads(ran.stdout)
    assert {"a", "b", "ruleset", "seats", "games", "win_rate", "ci95", "points_per_round", "move_ms"} <= set(result)
    assert (result["a"], result["b"], result["ruleset"], result["seats"]) == ("normal", "random", "classic", 2)
    assert result["games"] == 10
    low, high = result["ci95"]
    assert 0 <= low <= result["win_rate"] <= high <= 1
    assert set(result["move_ms"]) == {"a", "b"}
    assert set(result["move_ms"]["a"]) == {"p50", "p99"}


def test_stage4_arena_prints_a_table_for_people() -> None:
    """Without `--json` it prints who won how often, points a round, rounds and times."""
    ran = invoke("--a", "easy", "--b", "easy", "--games", "2", "--processes", "1")
    assert ran.exit_code == 0
    for words in ("games won", "points a round", "rounds a game", "time a move"):
        assert words in ran.stdout


def test_stage4_arena_takes_players_from_outside() -> None:
    """`module:function` plays as well as our own: the expert so called makes the same games as the expert."""
    rules = make_ruleset("pagat", {"target": 200}, 3)
    outside = play_game(rules, [f"{__name__}:as_expert", "easy", "normal"], deal_seed(3, 0))
    inside = play_game(rules, ["expert", "easy", "normal"], deal_seed(3, 0))
    assert (outside.totals, outside.winners, outside.rounds) == (inside.totals, inside.winners, inside.rounds)


@pytest.mark.parametrize("name", ["nobody", "no.such.module:player", f"{__name__}:nobody", f"{__name__}:Json"])
def test_arena_names_a_player_it_cannot_load(name: str) -> None:
    """An unknown player is refused with a sentence."""
    if name.endswith(":Json"):
        assert load_player(name) is not None  # `dict` can be called; it is found out at its first move
        return
    with pytest.raises(PlayerFault, match="There is no player"):
        load_player(name)


@pytest.mark.parametrize("name", ["cheat", "too_early"])
def test_arena_says_which_player_made_which_wrong_move(name: str) -> None:
    """A move that is none, or is not legal, ends the match and names its player."""
    with pytest.raises(PlayerFault, match=name):
        play_game(make_ruleset("classic", {}, 2), [f"{__name__}:{name}"] * 2, deal_seed(1, 1))


def test_arena_refuses_a_ruleset_it_cannot_play() -> None:
    """A preset that is none, or not for so many seats, is said to be so."""
    assert invoke("--a", "easy", "--b", "easy", "--ruleset", "bridge").exit_code == 2
    assert invoke("--a", "easy", "--b", "easy", "--ruleset", "classic", "--seats", "8").exit_code == 2


def test_arena_deals_are_paired_and_repeatable() -> None:
    """A player against itself wins exactly its share of each deal; the same seed gives the same match."""
    deal = play_deal(Match("normal", "normal", "classic", 2, 2, seed=5), 0)
    assert sum(deal.wins) == 1
    assert deal.points == 0
    again = play_deal(Match("normal", "normal", "classic", 2, 2, seed=5), 0)
    assert (again.wins, again.rounds) == (deal.wins, deal.rounds)
    other = play_deal(Match("normal", "normal", "classic", 2, 2, seed=6), 0)
    assert other.rounds != deal.rounds or len(other.a_seconds) != len(deal.a_seconds)


def test_arena_interval_is_by_deal() -> None:
    """Deals that all split give an even rate without spread; one-sided ones never an interval of no width."""
    split = Deal((1.0, 0.0), 0.0, 10, 2, (0.001,), (0.001,))
    swept = Deal((1.0, 1.0), 5.0, 10, 2, (0.001,), (0.001,))
    match = Match("a", "b", "classic", 2, 20)
    assert summary(match, [split] * 10)["ci95"] == [0.5, 0.5]
    assert summary(match, [swept] * 10)["ci95"] == [0.85, 1.0]
    low, high = summary(match, [split, swept] * 10)["ci95"]
    assert low < 0.75 < high


@pytest.mark.parametrize(
    ("a", "b", "preset", "seats", "games", "least"),
    [
        ("easy", "random", "pagat", 2, 40, 0.55),
        ("normal", "easy", "classic", 2, 40, 0.65),
        ("normal", "easy", "classic", 4, 40, 0.35),
        ("expert", "normal", "classic", 2, 40, 0.70),
        ("expert", "normal", "pagat", 2, 40, 0.65),
        ("expert", "normal", "classic", 4, 40, 0.35),
        ("expert", "reference", "classic", 2, 40, 0.50),
    ],
)
def test_stage4_levels_beat_the_next_lower_one(
    a: str, b: str, preset: str, seats: int, games: int, least: float
) -> None:
    """A tripwire with wide bounds: each level wins clearly more than its share against the one below."""
    assert play_match(Match(a, b, preset, seats, games, seed=11), 1)["win_rate"] >= least
