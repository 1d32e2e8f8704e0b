"""What the players' services need from storage. `server.persistence` makes it real."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from server.players.types import Caller, Player, TokenInfo


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a registered player signs in with, as it is kept."""

    player_id: str
    username: str
    password: str
    recovery: bytes


class PlayerStore(Protocol):
    """Players and the look-up of their tokens."""

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


class AccountStore(Protocol):
    """Credentials, named tokens, transfers, and the end of an account."""

    async def credentials_of(self, player_id: str) -> Credentials | None:
        """What a player signs in with; None for a guest."""

    async def credentials_by_name(self, username: str) -> Credentials | None:
        """What the player with a user name signs in with."""

    async def register(self, new: Credentials) -> bool:
        """Makes a guest registered; False when it is so already. Refused: `username_taken`, `not_found`."""

    async def change_credentials(self, old: Credentials, new: Credentials) -> bool:
        """Puts `new` in the place of `old`; False when `old` is no longer what is kept. Refused: `username_taken`."""

    async def recover(self, old: Credentials, new: Credentials) -> bool:
        """As `change_credentials`, and ends every token of the player in the same transaction."""

    async def named_tokens(self, player_id: str) -> list[TokenInfo]:
        """The named tokens that have not ended, oldest first."""

    async def end_token(self, player_id: str, token_id: str, *, named: bool) -> bool:
        """Ends one token of a player, only a named one where `named`; False when there is none."""

    async def end_tokens(self, player_id: str) -> None:
        """Ends all tokens of a player."""

    async def add_transfer(self, player_id: str, digest: bytes, lasts: timedelta) -> datetime:
        """Keeps a transfer code; when it ends. Codes that have ended are dropped."""

    async def use_transfer(self, digest: bytes) -> str | None:
        """Uses a transfer code up: its player, or None when it was used, has ended, or never was."""

    async def delete(self, player_id: str) -> None:
        """Removes the name, credentials, tokens and codes; results stay with the id."""

    async def export(self, player_id: str) -> dict[str, object]:
        """Everything held about a player, ready for JSON."""
