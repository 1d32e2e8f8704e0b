"""What a game's end gives: once, in its transaction, whoever says so and however often."""

import asyncio
from datetime import UTC, date, datetime, timedelta

import pytest

from server.boards import FinishedGame
from server.persistence.accounts import PostgresAccounts
from server.players import Credentials, player_dict
from tests.boards.conftest import Office
from tests.boards.games import AT, cpu, finished, person

pytestmark = pytest.mark.storage


async def test_stage5_a_won_game_gives_its_points_once(office: Office) -> None:
    """Points, total and board rows appear together, and a second settling changes nothing."""
    (ann,) = await office.people(1)
    game = finished(person(ann), cpu("expert"))
    assert await office.settle(game)
    assert not await office.settle(game)
    assert (await office.players.get_player(ann)).ranking_points == 100
    for period in ("all", "month", "week"):
        view = await office.boards.page("ranking", period, ann, limit=10, registered=False, cursor=None)
        assert view.you is not None
        assert (view.you.row.rank, view.you.row.score, view.you.row.games) == (1, 100, (game.id,))


@pytest.mark.timeout(120)
async def test_stage5_end_clock_and_leave_together_change_points_once(office: Office, other_office: Office) -> None:
    """The same game's end told by three callers on two processes at once: points and rating change once a game."""
    ann, bob, cid = await office.people(3, registered=True)
    rounds = 25
    for number in range(rounds):
        alone = finished(person(ann), cpu("easy"))
        among = finished(person(bob), person(cid), totals=(510, 100 + number))
        told = await asyncio.gather(
            *(each.settle(game) for game in (alone, among) for each in (office, other_office, office))
        )
        assert (sum(told[:3]), sum(told[3:])) == (1, 1)
    assert (await office.players.get_player(ann)).ranking_points == 10 * rounds
    rated = await office.players.get_player(bob)
    assert rated.rated_games == rounds
    assert await office.database.pool.fetchval("SELECT count(*) FROM results") == 3 * rounds
    page = await office.boards.player_page(bob)
    assert len(page[1].ratings) == rounds
    assert rated.rating is not None
    assert round(rated.rating * 100) == page[1].ratings[-1].score


async def test_a_transaction_that_fails_gives_nothing(office: Office) -> None:
    """When the game's own transaction rolls back, so do points and rows, and they can be given again."""
    (ann,) = await office.people(1)
    game = finished(person(ann), cpu())

    async with office.database.pool.acquire() as connection:
        transaction = connection.transaction()
        await transaction.start()
        await office.settling.settle(connection, game)
        await transaction.rollback()
    assert (await office.players.get_player(ann)).ranking_points == 0
    assert await office.settle(game)
    assert (await office.players.get_player(ann)).ranking_points == 30


async def test_stage5_guests_are_rated_but_shown_only_once_registered(office: Office) -> None:
    """A guest's rating exists and is hidden; registering shows it, on the board too."""
    ann, bob = await office.people(2)
    await office.settle(finished(person(ann), person(bob)))
    guest = await office.players.get_player(ann)
    assert guest.mu is not None
    assert player_dict(guest)["rating"] is None
    view = await office.boards.page("rating", "all", ann, limit=10, registered=False, cursor=None)
    assert (view.lines, view.you) == ((), None)
    await PostgresAccounts(office.database.pool).register(Credentials(ann, "ann", "hash", b"hash"))
    shown = await office.players.get_player(ann)
    view = await office.boards.page("rating", "all", ann, limit=10, registered=False, cursor=None)
    assert [line.row.player_id for line in view.lines] == [ann]
    assert view.lines[0].row.score / 100 == player_dict(shown)["rating"]
    around = await office.boards.around("rating", "week", ann, limit=5, registered=False)
    assert around.you is not None
    assert around.you.row.rank == 1


async def test_a_worse_result_lowers_the_rating_on_the_board(office: Office) -> None:
    """Ratings go down too, below zero as well: the board has the last, not the best."""
    ann, bob = await office.people(2, registered=True)
    for _ in range(3):
        await office.settle(finished(person(ann), person(bob), winners=(1,), totals=(0, 510)))
    view = await office.boards.page("rating", "all", ann, limit=10, registered=True, cursor=None)
    assert [line.row.player_id for line in view.lines] == [bob, ann]
    assert view.lines[1].row.score < 0
    assert view.you is not None
    assert view.you.row.rank == 2
    assert await office.cache.contents("rating", "all", registered=True) in (None, {})
    ranks = await office.cache.ranks("rating", "all", [line.row.score for line in view.lines], registered=True)
    assert [ranks[line.row.score] for line in view.lines] == [1, 2]


@pytest.mark.parametrize(
    ("at", "today", "shown"),
    [
        (datetime(2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC), datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), True),
        (datetime(2026, 11, 30, 23, 59, 59, 999999, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC), False),
        (datetime(2028, 2, 29, 0, 0, tzinfo=UTC), datetime(2028, 2, 29, 23, tzinfo=UTC), True),
    ],
)
async def test_months_turn_at_midnight_utc(office: Office, at: datetime, today: datetime, shown: bool) -> None:
    """A game counts for the UTC month it ended in."""
    (ann,) = await office.people(1)
    await office.settle(finished(person(ann), cpu(), at=at))
    office.moved[0] = today - AT
    view = await office.boards.page("ranking", "month", ann, limit=10, registered=False, cursor=None)
    assert bool(view.lines) == shown
    assert (view.you is not None) == shown


async def test_stage5_a_players_page_tells_what_was_achieved(office: Office) -> None:
    """Games, wins by preset and level, best margins, the streak of dailies, and the rating over time."""
    ann, bob = await office.people(2, registered=True)
    today = AT.date()
    await office.daily.prepare()
    await office.settle(finished(person(ann), cpu("easy"), totals=(500, 400)))
    await office.settle(finished(person(ann), cpu("easy"), totals=(600, 100)))
    await office.settle(finished(person(ann), cpu("normal"), winners=(1,), totals=(100, 510)))
    await office.settle(finished(person(ann), person(bob)))
    await office.settle(finished(person(ann), cpu("normal"), daily=today))
    player, career, streak = await office.boards.player_page(ann)
    assert player.ranking_points == 10 + 10 + 30
    assert (career.games, streak) == (5, 1)
    assert set(career.wins) == {("pagat", "easy", 2), ("pagat", "normal", 1), ("pagat", None, 1)}
    assert [(best.preset, best.margin) for best in career.best] == [("pagat", 500)]
    assert len(career.ratings) == 1


async def test_records_are_public_where_a_row_rests_on_them(office: Office) -> None:
    """A game with points or a rating has a public record; a lost one against CPU players has not."""
    ann, bob = await office.people(2)
    won, lost = finished(person(ann), cpu()), finished(person(ann), cpu(), winners=(1,), totals=(1, 510))
    among: FinishedGame = finished(person(ann), person(bob))
    for game in (won, lost, among):
        await office.settle(game)
    assert await office.boards.record_is_public(won.id)
    assert await office.boards.record_is_public(among.id)
    assert not await office.boards.record_is_public(lost.id)
    assert not await office.boards.record_is_public("unknown")
    today = date(2026, 11, 29)
    await office.daily.prepare()
    day = finished(person(ann), cpu(), winners=(1,), totals=(1, 510), daily=today)
    await office.settle(day)
    assert not await office.boards.record_is_public(day.id)
    office.moved[0] = timedelta(days=2)
    await office.daily.day(today)
    assert await office.boards.record_is_public(day.id)
