"""Who gets points and how ratings move, without a database."""

import pytest

from server.boards.effects import day_score, effects_of, margin_of, rounds_of
from server.boards.points import ranking_points
from server.boards.rating import Skill, rated
from tests.boards.games import cpu, finished, person


@pytest.mark.parametrize(
    ("levels", "points"),
    [
        (["easy"], 10),
        (["normal"], 30),
        (["expert"], 100),
        (["expert", "easy", "normal"], 10),
        (["expert", "normal"], 30),
    ],
)
def test_stage5_ranking_points_go_by_the_lowest_level(levels: list[str], points: int) -> None:
    """One person who beats CPU players gets the points of the lowest level among them."""
    game = finished(person("ann"), *(cpu(level) for level in levels))
    assert ranking_points(game) == ("ann", points)


def test_stage5_cpu_partners_do_not_count_as_opponents() -> None:
    """With an easy CPU partner against experts, the experts count."""
    game = finished(
        person("ann"), cpu("expert"), cpu("easy"), cpu("expert"),
        partners=True, winners=(0, 2), totals=(300, 100, 250, 100), preset="partnership",
    )  # fmt: skip
    assert ranking_points(game) == ("ann", 100)


@pytest.mark.parametrize(
    "game",
    [
        finished(person(), cpu(), ranked=False),
        finished(person(), cpu(), winners=(1,), totals=(300, 510)),
        finished(person(stood_in=True), cpu()),
        finished(person(left=True), cpu()),
        finished(person(), cpu(), reason="abandoned", winners=()),
        finished(person(), cpu(), reason="left"),
        finished(person(), cpu(), winners=(0, 1), totals=(510, 510), reason="max_rounds"),
        finished(person(), person(), cpu()),
        finished(person(), person(left=True), cpu()),
        finished(person(), person(), winners=(0,)),
        finished(cpu(), cpu()),
    ],
    ids=[
        "unranked", "lost", "stood in for", "left", "abandoned", "forfeit", "shared win", "two people",
        "other person left", "people only", "no person",
    ],
)  # fmt: skip
def test_stage5_other_games_give_no_ranking_points(game: object) -> None:
    """Nothing for lost, unranked, unfinished or shared games, for stand-ins, or at tables with two or more people."""
    assert ranking_points(game) is None  # type: ignore[arg-type]


def test_stage5_the_winner_among_people_gains_rating() -> None:
    """Places go by totals; CPU players in between are left out; equal totals are a draw."""
    after = rated(finished(person("a"), person("b"), cpu("expert"), totals=(510, 300, 400)), {})
    assert after["a"].ordinal > Skill().ordinal - 0.1
    assert after["a"].mu > 25 > after["b"].mu
    assert set(after) == {"a", "b"}
    draw = rated(finished(person("a"), person("b"), winners=(0, 1), totals=(400, 400), reason="max_rounds"), {})
    assert draw["a"].mu == pytest.approx(draw["b"].mu)


def test_stage5_partners_are_rated_as_teams() -> None:
    """Both partners of the winning side gain, both of the other lose, whatever each put down alone."""
    game = finished(
        person("a"), person("b"), person("c"), person("d"),
        partners=True, winners=(0, 2), totals=(500, 400, 20, 10), preset="partnership",
    )  # fmt: skip
    after = rated(game, {})
    assert after["a"].mu > 25
    assert after["c"].mu > 25
    assert after["b"].mu < 25
    assert after["d"].mu < 25
    together = finished(person("a"), cpu(), person("c"), cpu(), partners=True, winners=(0, 2), totals=(500, 9, 9, 9))
    assert rated(together, {}) == {}


def test_stage5_leavers_are_last_and_stand_ins_win_nothing() -> None:
    """Who left shares the last place; who left or was stood in for cannot gain; abandoned games are not rated."""
    before = {name: Skill(25, 5) for name in "abc"}
    left = finished(person("a"), person("b", left=True), person("c"), totals=(300, 510, 100), winners=(1,))
    after = rated(left, before)
    assert after["a"].ordinal > before["a"].ordinal
    assert after["b"].ordinal < before["b"].ordinal
    assert after["c"].mu > after["b"].mu
    stood_in = finished(person("a", stood_in=True), person("b"), totals=(510, 100))
    after = rated(stood_in, before)
    assert after["a"] == before["a"]
    assert after["b"].mu < 25
    assert rated(finished(person("a", left=True), person("b", left=True), reason="abandoned", winners=()), {}) == {}
    forfeit = finished(person("a", left=True), person("b"), totals=(400, 10), winners=(1,), reason="left")
    after = rated(forfeit, before)
    assert after["a"].mu < 25 < after["b"].mu


def test_a_partner_who_stayed_loses_nothing_when_the_other_left() -> None:
    """A forfeit by the own partner does not lower a rating; the leaver's falls."""
    before = {name: Skill(25, 3) for name in "abcd"}
    game = finished(
        person("a"), person("b"), person("c", left=True), person("d"),
        partners=True, winners=(1, 3), totals=(100, 90, 10, 10), reason="left", preset="partnership",
    )  # fmt: skip
    after = rated(game, before)
    assert after["a"].ordinal >= before["a"].ordinal
    assert after["c"].ordinal < before["c"].ordinal
    assert after["b"].ordinal > before["b"].ordinal


def test_games_of_the_study_kind_leave_nothing() -> None:
    """Table mode, where one player has several seats, has no effect whatever it claims."""
    for game in (finished(person("a"), person("a")), finished(person("a"), cpu(), study=True)):
        effects = effects_of(game, {})
        assert (effects.results, effects.rows) == ((), ())


def test_the_board_of_a_day_goes_by_margin_then_rounds() -> None:
    """More margin is better, then fewer rounds; both can be read from the score again, below zero too."""
    places = [(200, 5), (200, 6), (0, 1), (0, 900), (-1, 1), (-300, 4), (-300, 5)]
    scores = [day_score(*place) for place in places]
    assert scores == sorted(scores, reverse=True)
    assert [(margin_of(score), rounds_of(score)) for score in scores] == places
