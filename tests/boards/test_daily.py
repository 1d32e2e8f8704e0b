"""The daily deal: one seed a date, one try a player, nothing told before the day has closed."""

import asyncio
import hashlib
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta

import pytest

from server.boards import closes_at
from server.errors import Refused
from tests.boards.conftest import Office
from tests.boards.games import AT, cpu, finished, person

pytestmark = pytest.mark.storage
TODAY = AT.date()


async def test_stage5_two_processes_make_one_seed_a_week_ahead(office: Office, other_office: Office) -> None:
    """Both prepare at once, eight dates have one seed each, all different, and their commitments are told."""
    await asyncio.gather(*(each.daily.prepare() for each in (office, other_office, office, other_office)))
    told = [await office.daily.day(TODAY + timedelta(days=ahead)) for ahead in range(8)]
    again = [await other_office.daily.day(TODAY + timedelta(days=ahead)) for ahead in range(8)]
    assert told == again
    assert len({day.commitment for day in told}) == 8
    assert all(day.server_seed is None for day in told)
    for day in (TODAY + timedelta(days=8), TODAY - timedelta(days=1), date.max, date.min):
        with pytest.raises(Refused) as refused:
            await office.daily.day(day)
        assert refused.value.code == "not_found"
    seeds = [row["server_seed"] for row in await office.database.pool.fetch("SELECT server_seed FROM daily_deals")]
    for guess in (TODAY.isoformat(), str(TODAY.toordinal()), ""):
        assert hashlib.sha256(guess.encode()).digest() not in seeds


async def test_stage5_one_try_a_player_resumable_anywhere(office: Office, other_office: Office) -> None:
    """However often and from wherever it is asked for, a player has one game of a date; another player another."""
    ann, bob = await office.people(2)
    begun = await asyncio.gather(*(each.daily.play(ann) for each in (office, other_office) * 5))
    assert len({game_id for game_id, _ in begun}) == 1
    assert sum(made for _, made in begun) == 1
    assert begun[0][0] != (await office.daily.play(bob))[0]
    assert (await other_office.daily.today(ann)).your_game == begun[0][0]
    assert (await other_office.daily.today(None)).your_game is None
    player, deal, closes = (
        office.tables.made[begun[0][0]] if begun[0][0] in office.tables.made else other_office.tables.made[begun[0][0]]
    )
    assert (player, deal.date, closes) == (ann, TODAY, closes_at(TODAY))


async def test_stage5_the_seed_is_told_when_the_day_has_closed(office: Office) -> None:
    """Until 24 hours after the date ends: no seed, no practice. Then both, and the seed fits the commitment."""
    (ann,) = await office.people(1)
    before = await office.daily.today(ann)
    assert before.closes_at == datetime(2026, 12, 1, tzinfo=UTC)
    for moved in (timedelta(0), timedelta(hours=12), before.closes_at - AT - timedelta(microseconds=1)):
        office.moved[0] = moved
        assert (await office.daily.day(TODAY)).server_seed is None
        with pytest.raises(Refused) as refused:
            await office.daily.practise(ann, TODAY)
        assert refused.value.code == "forbidden"
    office.moved[0] = before.closes_at - AT
    after = await office.daily.day(TODAY)
    assert after.server_seed is not None
    assert hashlib.sha256(after.server_seed).hexdigest() == before.commitment
    assert await office.daily.practise(ann, TODAY) == "practice"


async def test_stage5_a_day_counts_by_the_date_it_began_and_never_changes_once_closed(office: Office) -> None:
    """A game begun before midnight and ended after it counts for its date; one ended after the close for nothing."""
    ann, bob, cid = await office.people(3)
    await office.daily.prepare()
    office.moved[0] = timedelta(days=1)  # the day after
    await office.settle(finished(person(ann), cpu(), daily=TODAY, totals=(510, 400), at=office.now()))
    await office.settle(finished(person(bob), cpu(), daily=TODAY, totals=(300, 510), winners=(1,), at=office.now()))
    board = await office.boards.day_page(TODAY, None, limit=10, registered=False, cursor=None)
    assert [line.row.player_id for line in board.lines] == [ann, bob]
    tomorrow = await office.boards.day_page(TODAY + timedelta(days=1), None, limit=10, registered=False, cursor=None)
    assert tomorrow.lines == ()
    office.moved[0] = closes_at(TODAY) - AT
    await office.settle(finished(person(cid), cpu(), daily=TODAY, totals=(510, -500), at=office.now()))
    assert await office.boards.day_page(TODAY, None, limit=10, registered=False, cursor=None) == board
    assert (await office.players.get_player(cid)).ranking_points == 0
    # closed stays closed, though a process's clock be behind
    await office.daily.day(TODAY)
    office.moved[0] = timedelta(0)
    await office.settle(finished(person(cid), cpu(), daily=TODAY, totals=(510, -500)))
    assert await office.boards.day_page(TODAY, None, limit=10, registered=False, cursor=None) == board
    won = await office.boards.page("daily", "all", ann, limit=10, registered=False, cursor=None)
    assert [(line.row.player_id, line.row.score) for line in won.lines] == [(ann, 1)]


async def test_stage5_the_board_of_a_day_goes_by_margin_then_rounds(office: Office) -> None:
    """Equal margins and rounds share a rank, fewer rounds go first, leaving counts as it stands and is no win."""
    people = await office.people(5)
    await office.daily.prepare()
    results = [((510, 410), 9), ((500, 400), 9), ((505, 405), 8), ((510, 100), 12), ((100, 120), 3)]
    for player, (totals, rounds) in zip(people, results, strict=True):
        left = totals == (100, 120)
        seat = person(player, left=left)
        reason, winners = ("left", (1,)) if left else ("target", (0,))
        await office.settle(
            finished(seat, cpu(), daily=TODAY, totals=totals, rounds=rounds, reason=reason, winners=winners)
        )
    board = await office.boards.day_page(TODAY, people[0], limit=10, registered=False, cursor=None)
    assert [line.row.rank for line in board.lines] == [1, 2, 3, 3, 5]
    assert [line.row.player_id for line in board.lines][:2] == [people[3], people[2]]
    assert board.lines[-1].row.player_id == people[4]
    assert board.you is not None
    assert board.you.row.rank == 3
    assert (await office.boards.page("daily", "all", people[4], limit=10, registered=False, cursor=None)).you is None


async def test_servers_down_over_several_midnights(office: Office) -> None:
    """After one, two and forty days without a process the day's deal is there; leap days are days."""
    await office.daily.prepare()
    for days in (1, 3, 43, 457, 458, 459):  # 2028-02-29 is 457 days after 2026-11-29
        office.moved[0] = timedelta(days=days)
        day = await office.daily.today(None)
        assert day.date == TODAY + timedelta(days=days)
        assert day.closes_at == datetime.combine(day.date, datetime.min.time(), UTC) + timedelta(days=2)
    assert date(2028, 2, 29) in {TODAY + timedelta(days=days) for days in (457, 458, 459)}


async def test_midnight_passes_within_a_microsecond(office: Office) -> None:
    """One moment before midnight it is the old date with its game, at midnight the new one with another."""
    (ann,) = await office.people(1)
    midnight = datetime(2026, 11, 30, tzinfo=UTC)
    office.moved[0] = midnight - AT - timedelta(microseconds=1)
    old, _ = await office.daily.play(ann)
    assert (await office.daily.today(ann)).date == TODAY
    office.moved[0] = midnight - AT
    today = await office.daily.today(ann)
    assert (today.date, today.your_game) == (TODAY + timedelta(days=1), None)
    new, _ = await office.daily.play(ann)
    assert new != old
    assert (await office.daily.day(TODAY, ann)).your_game == old


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/St_Johns"])
def test_the_processs_time_zone_changes_nothing(zone: str) -> None:
    """Dates, closing times and periods are UTC's in every zone, through four years of hours."""
    program = """
from datetime import UTC, datetime, timedelta
from server.boards.periods import closes_at, periods_of, utc_date
import hashlib
at, told = datetime(2026, 11, 29, tzinfo=UTC), hashlib.sha256()
for hour in range(0, 4 * 366 * 24):
    local = (at + timedelta(hours=hour)).astimezone()
    day = utc_date(local)
    told.update(f"{day} {closes_at(day)} {periods_of(day)}".encode())
print(told.hexdigest())
"""

    def told(where: str) -> str:
        ran = subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"TZ": where}, capture_output=True, text=True, check=True
        )
        return ran.stdout

    assert told(zone) == told("UTC")
