"""What is kept of requests with an Idempotency-Key; persistence makes it real."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Kept:
    """A place for the answer to a keyed request: the answer there is, or the right to run it."""

    player_id: str
    path: str
    key: str
    effect: str
    mismatch: bool
    answer: tuple[int, dict[str, str], bytes] | None
    again: bool = False  # an earlier run of this very request ended without an answer, and may have had its effect


class Answers(Protocol):
    """Keeps the answers to requests with an Idempotency-Key, for at least 24 hours."""

    async def reserve(self, player_id: str, path: str, key: str, body: bytes) -> Kept:
        """The kept answer, or a place reserved for it; waits while the first request runs."""

    async def keep(self, kept: Kept, status: int, headers: dict[str, str], body: bytes) -> None:
        """Keeps the answer."""

    async def release(self, kept: Kept) -> None:
        """Gives the place up without an answer, so that a repeat runs again."""
