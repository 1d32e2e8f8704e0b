"""The night's work: one process does it, games behind rows are played again, old rows go."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from server.persistence.games import PostgresGames
from server.persistence.nightly import Nightly
from tests.boards.conftest import Office
from tests.boards.games import AT, cpu, finished, person

pytestmark = pytest.mark.storage


async def nothing(*_: object) -> None:
    """No game ends here."""


def night_of(office: Office) -> Nightly:
    return Nightly(
        office.database.pool, office.cache, PostgresGames(office.database.pool, nothing, nothing), office.now
    )


async def test_one_process_does_a_nights_work(office: Office, other_office: Office) -> None:
    """Before three o'clock nobody does; after it one of all does, once for each date."""
    early = AT.replace(hour=2) - AT
    for moved, nights in ((early, 0), (timedelta(0), 1), (timedelta(hours=5), 1), (timedelta(days=1), 2)):
        office.moved[0] = other_office.moved[0] = moved
        await asyncio.gather(*(night_of(each).look() for each in (office, other_office, office)))
        assert await office.database.pool.fetchval("SELECT count(*) FROM nights") == nights


async def test_a_row_whose_game_is_not_there_is_a_fault(office: Office) -> None:
    """A row of a board needs a game that can be played again: without one the check says so, once."""
    (ann,) = await office.people(1)
    won, lost = finished(person(ann), cpu()), finished(person(ann), cpu(), winners=(1,), totals=(1, 510))
    await office.settle(won)
    await office.settle(lost)
    assert await night_of(office).check_games() == {won.id: "the game is not there"}
    assert await night_of(office).check_games() == {}
    assert await office.database.pool.fetchval("SELECT fault FROM settled_games WHERE game_id = $1", won.id)


async def test_what_nobody_needs_any_more_goes(office: Office) -> None:
    """Scores replaced a day ago, tokens that ended a month ago and old codes are dropped; present ones stay."""
    (ann,) = await office.people(1)
    pool = office.database.pool
    await office.settle(finished(person(ann), cpu()))
    await office.settle(finished(person(ann), cpu()))
    await pool.execute("UPDATE board_rows SET until = $1 WHERE until IS NOT NULL", datetime(2026, 1, 1, tzinfo=UTC))
    _, token = await office.players.create_guest()
    _, ended = await office.players.create_guest()
    assert await office.players.authenticate(ended)
    await pool.execute(
        "UPDATE tokens SET revoked_at = now() - interval '31 days' WHERE player_id <> $1 AND last_used_at IS NOT NULL",
        ann,
    )
    await night_of(office).tidy()
    assert await pool.fetchval("SELECT count(*) FROM board_rows WHERE to_xid IS NOT NULL") == 0
    assert await pool.fetchval("SELECT count(*) FROM board_rows") == 3
    assert await pool.fetchval("SELECT count(*) FROM tokens") == 1
    assert await office.players.authenticate(token)
