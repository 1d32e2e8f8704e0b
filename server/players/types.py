"""Who plays and what proves it: plain values, passed between the layers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from server.players.names import FORMER

SCOPES: Final = ("read", "play")  # what a named token may have
SESSION_SCOPES: Final = frozenset({*SCOPES, "account"})  # `account`: names, credentials, tokens, deletion
CPU_IDS: Final = {
    "easy": "c1d3a7f0e59b4826a0f4b86c2de97315",
    "normal": "5be80f3c6a1d47e29c73d05f18a64b92",
    "expert": "e74c92a6b0f35d18847e1c6fa92d03b5",
}


@dataclass(frozen=True, slots=True)
class Player:
    """A person, or a program that plays as one. `mu` and `sigma` are None until the first rated game."""

    id: str
    name: str
    kind: str
    ranking_points: int = 0
    mu: float | None = None
    sigma: float | None = None
    rated_games: int = 0
    created_at: datetime | None = None
    deleted: bool = False

    @property
    def registered(self) -> bool:
        """Whether the player has a user name (guests have none)."""
        return self.kind == "registered"

    @property
    def rating(self) -> float | None:
        """The rating as it is shown, mu − 3 sigma; None for who has none, and for guests."""
        if self.mu is None or self.sigma is None or not self.registered:
            return None
        return round(self.mu - 3 * self.sigma, 2)


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever a request comes from: known by a token, allowed what its scopes say."""

    player_id: str
    token_id: str
    scopes: frozenset[str]
    named: bool = False
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TokenInfo:
    """A named token without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


def player_dict(player: Player) -> dict[str, object]:
    """WIRE.md's PLAYER."""
    return {
        "id": player.id,
        "name": FORMER if player.deleted else player.name,
        "kind": player.kind,
        "ranking_points": player.ranking_points,
        "rating": player.rating,
    }


def cpu_player(level: str) -> dict[str, object]:
    """The PLAYER of a seat that a CPU player of this level holds."""
    return {
        "id": CPU_IDS[level],
        "name": level.capitalize(),
        "kind": "cpu",
        "level": level,
        "ranking_points": 0,
        "rating": None,
    }
