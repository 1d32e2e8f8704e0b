"""Boards computed anew from the results are the boards that were kept; what differs is found and mended."""

import pytest

from server.persistence.rebuild import Rebuilding
from server.persistence.seeding import AlreadyPlayed, seed_ranking
from tests.boards.conftest import Office
from tests.boards.games import AT, cpu, finished, person

pytestmark = pytest.mark.storage


async def played(office: Office) -> list[str]:
    """A few players with wins, losses, ratings and dailies; their ids."""
    ann, bob, cid = await office.people(3)
    await office.database.pool.execute("UPDATE players SET kind = 'registered' WHERE id = $1", ann)
    await office.daily.prepare()
    for _ in range(3):
        await office.settle(finished(person(ann), cpu("expert")))
        await office.settle(finished(person(bob), person(ann), person(cid), winners=(1,), totals=(100, 510, 400)))
    for player, totals in ((ann, (510, 10)), (bob, (505, 500)), (cid, (-300, 510))):
        winners = (0,) if totals[0] > totals[1] else (1,)
        await office.settle(finished(person(player), cpu(), daily=AT.date(), totals=totals, winners=winners))
    return [ann, bob, cid]


async def test_stage5_a_rebuild_finds_no_difference(office: Office) -> None:
    """After games of every kind the rows, the players and the cache are what the results say."""
    await played(office)
    rebuilding = Rebuilding(office.database.pool, office.cache)
    assert await rebuilding.differences() == []
    for period in ("all", "week"):
        await office.cache.ranks("ranking", period, [1], registered=False)
    assert await rebuilding.differences() == []
    assert await rebuilding.mend() == 0
    assert await rebuilding.differences() == []


async def test_stage5_a_rebuild_finds_and_mends_every_difference(office: Office) -> None:
    """A row lost, added or changed, a player's total, and a wrong cache are each reported, and put right."""
    ann, bob, cid = await played(office)
    pool, rebuilding = office.database.pool, Rebuilding(office.database.pool, office.cache)
    await office.cache.ranks("ranking", "all", [1], registered=False)
    await pool.execute("UPDATE board_rows SET score = score + 1 WHERE board = 'ranking' AND period = 'all'")
    await pool.execute("DELETE FROM board_rows WHERE board = 'day' AND player_id = $1", bob)
    await pool.execute(
        "INSERT INTO board_rows (board, period, player_id, score, registered) VALUES ('daily', 'all', $1, 9, false)",
        cid,
    )
    await pool.execute("UPDATE players SET ranking_points = 7, rating_mu = 1 WHERE id = $1", ann)
    await office.redis.zadd("rummy500:board:ranking:all", {cid: 5})
    lines = await rebuilding.differences()
    for part in ("ranking all", "day 2026-11-29", "daily all", f"player {ann} has 7 points", "cache of ranking all"):
        assert any(part in line for line in lines), part
    await rebuilding.mend()
    assert await rebuilding.differences() == []
    assert (await office.players.get_player(ann)).ranking_points == 330
    view = await office.boards.page("ranking", "all", ann, limit=10, registered=False, cursor=None)
    assert [(line.row.player_id, line.row.score) for line in view.lines] == [(ann, 330), (bob, 30)]


async def test_a_daily_that_ended_too_late_is_not_rebuilt_onto_a_board(office: Office) -> None:
    """What did not count when it ended does not count when the boards are computed anew."""
    ann, late = await office.people(2)
    await office.daily.prepare()
    await office.settle(finished(person(ann), cpu(), daily=AT.date()))
    await office.database.pool.execute("UPDATE daily_deals SET closed = true WHERE date = $1", AT.date())
    await office.settle(finished(person(late), cpu(), daily=AT.date()))
    assert await Rebuilding(office.database.pool, office.cache).differences() == []
    assert len((await office.boards.day_page(AT.date(), None, limit=9, registered=False, cursor=None)).lines) == 1


async def test_stage5_a_seeded_board_is_a_board_like_any_other(office: Office) -> None:
    """Made-up players have results that account for their scores, and are not mixed with real ones."""
    await seed_ranking(office.database.pool, 300, AT)
    assert await Rebuilding(office.database.pool, office.cache).differences() == []
    page = await office.boards.page("ranking", "month", None, limit=100, registered=True, cursor=None)
    assert len(page.lines) == 100
    (ann,) = await office.people(1)
    await office.settle(finished(person(ann), cpu()))
    with pytest.raises(AlreadyPlayed):
        await seed_ranking(office.database.pool, 10, AT)
