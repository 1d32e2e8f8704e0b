"""Passwords, by argon2id: in threads of their own, two at once, so that moves are never kept waiting by a sign-in."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from server.errors import Refused

AT_ONCE: Final = 2
MOST_WAITING: Final = 64
SHORTEST: Final = 8
LONGEST: Final = 128

Result = TypeVar("Result")


class Passwords:
    """Hashes and checks. `hasher` is only given by tests, which cannot wait for real ones."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher(time_cost=3, memory_cost=64 * 1024, parallelism=1)
        self._threads = ThreadPoolExecutor(AT_ONCE, "argon2")
        self._waiting = 0
        self._nobodys: str | None = None

    async def hashed(self, password: str) -> str:
        """The argon2id hash of a password, with its salt and costs."""
        return await self._in_thread(lambda: self._hasher.hash(_plain(password)))

    async def fits(self, kept: str | None, password: str) -> bool:
        """Whether a password is the one that was hashed. None (nobody's) takes as long, and never fits."""
        return await self._in_thread(lambda: self._check(kept, password))

    def close(self) -> None:
        """Ends the threads; hashes under way are finished first."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _check(self, kept: str | None, password: str) -> bool:
        if kept is None and self._nobodys is None:
            self._nobodys = self._hasher.hash(secrets.token_hex(16))
        against = kept if kept is not None else self._nobodys
        assert against is not None
        try:
            self._hasher.verify(against, _plain(password))
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        if self._waiting >= MOST_WAITING:
            raise Refused("unavailable", "Too many are signing in at this moment; try again shortly.", retry_after=2)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._waiting -= 1


def _plain(password: str) -> bytes:
    """One spelling of a password, whichever way a keyboard composes its accents."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
