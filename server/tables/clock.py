"""The time that every process agrees on: the database's."""

from __future__ import annotations

import time


class Clock:
    """The database's clock, followed from afar."""

    def __init__(self) -> None:
        self._base = time.time() - time.monotonic()
        self.ahead = 0

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int((time.monotonic() + self._base) * 1000)

    def day(self) -> int:
        """The moment that decides which day's deal it is: `now`, but for tests, which move it (`ahead`, in ms)."""
        return self.now() + self.ahead

    def set(self, database_ms: int) -> None:
        """Follows what the database says it is."""
        self._base = database_ms / 1000 - time.monotonic()
