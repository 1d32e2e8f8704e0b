"""The embedded pair: a real Postgres and a real Valkey as our children, so that one command starts everything."""

from pathlib import Path
from typing import Self

from server.persistence.embedded.errors import EmbeddedError
from server.persistence.embedded.folder import DataFolder, holder_of
from server.persistence.embedded.postgres import EmbeddedPostgres
from server.persistence.embedded.valkey import EmbeddedValkey

__all__ = ["EmbeddedError", "EmbeddedPair", "holder_of"]


class EmbeddedPair:
    """Postgres and Valkey with their data in one folder, for as long as the `with` block lasts.

    Start it from the main thread. When the process that started it ends, however it ends, both servers end too.
    `postgres=False` or `valkey=False` leaves one out, whose URL is then None.
    """

    def __init__(
        self,
        data: Path,
        *,
        fsync: bool = True,
        pg_bindir: Path | None = None,
        postgres: bool = True,
        valkey: bool = True,
    ) -> None:
        """Remember what to start; `fsync=False` is for tests, whose data may be lost when the machine stops."""
        self.data = data
        self._fsync = fsync
        self._pg_bindir = pg_bindir
        self._wanted = (postgres, valkey)
        self._folder: DataFolder | None = None
        self._postgres: EmbeddedPostgres | None = None
        self._valkey: EmbeddedValkey | None = None

    @property
    def database_url(self) -> str | None:
        """`postgresql+asyncpg://…` of the running Postgres."""
        return None if self._postgres is None else self._postgres.url

    @property
    def redis_url(self) -> str | None:
        """`redis://…` of the running Valkey."""
        return None if self._valkey is None else self._valkey.url

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the servers that were started."""
        return tuple(each.pid for each in (self._postgres, self._valkey) if each is not None)

    def start(self) -> Self:
        """Start both; raises EmbeddedError, with one line for a person, and then leaves nothing running."""
        try:
            self._folder = DataFolder(self.data)
            if self._wanted[0]:
                self._postgres = EmbeddedPostgres(self._folder, fsync=self._fsync, bindir=self._pg_bindir)
            if self._wanted[1]:
                self._valkey = EmbeddedValkey(self._folder)
        except BaseException:
            self.stop()
            raise
        return self

    def ended(self) -> str | None:
        """Which of the two has ended by itself, in words, or None while all is well."""
        for name, each in (("Postgres", self._postgres), ("Valkey", self._valkey)):
            if each is not None and not each.running():
                return name
        return None

    def stop(self) -> None:
        """End both and wait until they have ended; harmless when repeated."""
        if self._valkey is not None:
            self._valkey.stop()
        if self._postgres is not None:
            self._postgres.stop()
        if self._folder is not None:
            self._folder.close()
        self._folder = self._postgres = self._valkey = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
