"""What the endpoints work with; put together in the composition root."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from server.api.limits import Limiter, Streams
    from server.players import Players
    from server.tables.answers import Answers
    from server.tables import Tables


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
