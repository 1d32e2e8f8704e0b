"""What the endpoints work with; put together in the composition root."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.api.limits import Limiter, Streams
    from server.players import Players
    from server.tables import Tables


@dataclass(frozen=True, slots=True)
class Kept:
    """A place for the answer to a keyed request: the answer there is, or the right to run it."""

    player_id: str
    path: str
    key: str
    effect: str
    mismatch: bool
    answer: tuple[int, dict[str, str], bytes] | None


class Answers(Protocol):
    """Keeps the answers to requests with an Idempotency-Key, for at least 24 hours."""

    async def reserve(self, player_id: str, path: str, key: str, body: bytes) -> Kept:
        """The kept answer, or a place reserved for it; waits while the first request runs."""

    async def keep(self, kept: Kept, status: int, headers: dict[str, str], body: bytes) -> None:
        """Keeps the answer."""

    async def release(self, kept: Kept) -> None:
        """Gives the place up without an answer, so that a repeat runs again."""


@dataclass(slots=True)
class Services:
    """Everything behind the API. `is_outage` tells a part that is away from a fault."""

    name: str
    players: Players
    tables: Tables
    answers: Answers
    limiter: Limiter
    streams: Streams
    is_outage: Callable[[Exception], bool]
    more: dict[str, Any] = field(default_factory=dict)
