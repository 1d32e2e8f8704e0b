"""After a silence the clock waits a moment, so that a stop of the service is credited first."""

import time

from server.tables import Tables
from server.tables.ports import Append
from tests.tables.log_of_a_game import ME, Played, a_setup, clocked
from tests.tables.test_memory import LogStore, Nothing


class Commits(LogStore):
    """A store that keeps what is appended."""

    async def append(self, append: Append) -> bool:
        """Commits."""
        self.rows.append(append.row)
        return True


def late_table() -> tuple[Tables, Commits]:
    """A game whose deadline passed a minute ago, of which this process knows nothing yet."""
    game = Played(a_setup(ME, ME, clock=clocked(30)))
    store, nothing = Commits(game.setup, game.rows), Nothing()
    tables = Tables(store, nothing, nothing, nothing)  # type: ignore[arg-type]
    tables.clock.set(game.at + 90_000)
    return tables, store


def kinds(store: Commits) -> list[str]:
    """What was appended after the start."""
    return [row.entry["k"] for row in store.rows[1:]]


async def test_the_clock_does_not_play_while_it_is_held() -> None:
    """Held, a late seat is left alone; afterwards the clock plays its whole turn."""
    tables, store = late_table()
    tables.clocks_held_until = time.monotonic() + 60
    await tables.act("g")
    assert kinds(store) == []
    tables.clocks_held_until = 0.0
    tables.draining = True
    await tables.act("g")
    assert kinds(store) == ["move", "move"]
    await tables.stop()


async def test_a_stop_is_credited_from_the_last_commit_on() -> None:
    """A move made after the last heartbeat does not cost the next seat the whole stop."""
    tables, store = late_table()
    tables.draining = True
    await tables.credit("g", 95_000)
    assert kinds(store) == ["credit"]
    credited = store.rows[-1].entry["ms"]
    assert 89_000 <= credited <= 91_000
    await tables.credit("g", 95_000)
    assert kinds(store) == ["credit"], "a stop is credited once"
    await tables.stop()
