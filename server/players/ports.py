"""What the players' services need from storage. `server.persistence.players` makes it real."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from server.players.types import Caller, Player


class PlayerStore(Protocol):
    """Players and tokens, kept for good."""

    async def add_player(self, player: Player) -> None:
        """Keeps a new player."""

    async def players(self, ids: Iterable[str]) -> dict[str, Player]:
        """The players with these ids; unknown ids are left out."""

    async def rename(self, player_id: str, name: str) -> Player | None:
        """Gives a player another name; None when there is none, or it was deleted."""

    async def add_token(
        self,
        player_id: str,
        token_id: str,
        digest: bytes,
        *,
        name: str | None,
        scopes: Iterable[str],
        expires_at: datetime | None,
    ) -> datetime:
        """Keeps a new token; when it was made. Refused as `not_found` when the player is deleted."""

    async def caller(self, digest: bytes) -> Caller | None:
        """Whom the token with this digest stands for; None when unknown, revoked or expired. Notes that it was used."""

    async def revoked_since(self, since: datetime | None) -> tuple[frozenset[str], datetime]:
        """Ids of tokens revoked after `since` (None: none of them), and the moment to ask from the next time."""
