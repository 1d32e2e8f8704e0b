"""What the endpoints work with; put together in the composition root."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from server.api.limits import Limiter, Streams
    from server.api.stream import Guarded
    from server.players import Players
    from server.tables import Tables
    from server.tables.answers import Answers


@dataclass(slots=True)
class Services:
    """Everything behind the API.

    `is_outage` tells a part that is away from a fault; `faults` says why the process cannot serve now (nothing when
    it can); `more` holds what single endpoints need.
    """

    name: str
    version: str
    players: Players
    tables: Tables
    answers: Answers
    limiter: Limiter
    streams: Streams
    is_outage: Callable[[Exception], bool]
    faults: Callable[[], Awaitable[list[str]]]
    sockets: set[Guarded] = field(default_factory=set)
    more: dict[str, Any] = field(default_factory=dict)
