"""Credentials, named tokens, transfers and the end of an account, in Postgres."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import asyncpg

from server.errors import Refused
from server.persistence.database import Connection
from server.persistence.export import everything_about
from server.persistence.settle import mark_registered
from server.players.ports import Credentials
from server.players.service import no_such_player
from server.players.types import TokenInfo


class PostgresAccounts:
    """`server.players.AccountStore` over a pool."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def credentials_of(self, player_id: str) -> Credentials | None:
        """What a player signs in with; None for a guest."""
        return _credentials(
            await self._pool.fetchrow(
                "SELECT player_id, username, password, recovery FROM credentials WHERE player_id = $1", player_id
            )
        )

    async def credentials_by_name(self, username: str) -> Credentials | None:
        """What the player with a user name signs in with."""
        return _credentials(
            await self._pool.fetchrow(
                "SELECT player_id, username, password, recovery FROM credentials WHERE username = $1", username
            )
        )

    async def register(self, new: Credentials) -> bool:
        """Makes a guest registered; False when it is so already. Refused: `username_taken`, `not_found`."""
        async with self._pool.acquire() as connection, connection.transaction():
            kind = await connection.fetchval(
                "SELECT kind FROM players WHERE id = $1 AND deleted_at IS NULL FOR UPDATE", new.player_id
            )
            if kind is None:
                raise no_such_player()
            if await connection.fetchval("SELECT true FROM credentials WHERE player_id = $1", new.player_id):
                return False
            try:
                await connection.execute(
                    "INSERT INTO credentials (player_id, username, password, recovery) VALUES ($1, $2, $3, $4)",
                    new.player_id,
                    new.username,
                    new.password,
                    new.recovery,
                )
            except asyncpg.UniqueViolationError:
                raise _taken() from None
            await connection.execute(
                "UPDATE players SET kind = 'registered' WHERE id = $1 AND kind = 'guest'", new.player_id
            )
            await mark_registered(connection, new.player_id)
            return True

    async def change_credentials(self, old: Credentials, new: Credentials) -> bool:
        """Puts `new` in the place of `old`; False when `old` is no longer what is kept. Refused: `username_taken`."""
        async with self._pool.acquire() as connection, connection.transaction():
            return await _change(connection, old, new)

    async def recover(self, old: Credentials, new: Credentials) -> bool:
        """As `change_credentials`, and ends every token of the player in the same transaction."""
        async with self._pool.acquire() as connection, connection.transaction():
            changed = await _change(connection, old, new)
            if changed:
                await _end_tokens(connection, new.player_id)
            return changed

    async def named_tokens(self, player_id: str) -> list[TokenInfo]:
        """The named tokens that have not ended, oldest first."""
        rows = await self._pool.fetch(
            """SELECT id, name, scopes, created_at, expires_at, last_used_at FROM tokens
               WHERE player_id = $1 AND name IS NOT NULL AND revoked_at IS NULL
                     AND (expires_at IS NULL OR expires_at > now())
               ORDER BY created_at, id""",
            player_id,
        )
        return [
            TokenInfo(
                row["id"],
                row["name"],
                tuple(sorted(row["scopes"], reverse=True)),
                row["created_at"],
                row["expires_at"],
                row["last_used_at"],
            )
            for row in rows
        ]

    async def end_token(self, player_id: str, token_id: str, *, named: bool) -> bool:
        """Ends one token of a player, only a named one where `named`; False when there is none."""
        ended = await self._pool.fetchval(
            """UPDATE tokens SET revoked_at = clock_timestamp()
               WHERE id = $2 AND player_id = $1 AND revoked_at IS NULL AND (name IS NOT NULL OR NOT $3)
               RETURNING true""",
            player_id,
            token_id,
            named,
        )
        return ended is not None

    async def end_tokens(self, player_id: str) -> None:
        """Ends all tokens of a player."""
        await _end_tokens(self._pool, player_id)

    async def add_transfer(self, player_id: str, digest: bytes, lasts: timedelta) -> datetime:
        """Keeps a transfer code; when it ends. Codes that have ended are dropped."""
        await self._pool.execute("DELETE FROM transfers WHERE player_id = $1 AND expires_at <= now()", player_id)
        ends: datetime | None = await self._pool.fetchval(
            """INSERT INTO transfers (hash, player_id, expires_at)
               SELECT $2, id, now() + $3::interval FROM players WHERE id = $1 AND deleted_at IS NULL FOR SHARE
               RETURNING expires_at""",
            player_id,
            digest,
            lasts,
        )
        if ends is None:
            raise no_such_player()
        return ends

    async def use_transfer(self, digest: bytes) -> str | None:
        """Uses a transfer code up: its player, or None when it was used, has ended, or never was."""
        player_id: str | None = await self._pool.fetchval(
            "DELETE FROM transfers WHERE hash = $1 AND expires_at > now() RETURNING player_id", digest
        )
        return player_id

    async def delete(self, player_id: str) -> None:
        """Removes the name, credentials, tokens and codes; results stay with the id."""
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.execute(
                "UPDATE players SET name = '', deleted_at = coalesce(deleted_at, now()) WHERE id = $1", player_id
            )
            await connection.execute("DELETE FROM credentials WHERE player_id = $1", player_id)
            await connection.execute("DELETE FROM transfers WHERE player_id = $1", player_id)
            await _end_tokens(connection, player_id)
            await connection.execute("UPDATE tokens SET name = NULL WHERE player_id = $1", player_id)

    async def export(self, player_id: str) -> dict[str, object]:
        """Everything held about a player, ready for JSON."""
        async with self._pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            return await everything_about(connection, player_id)


def _credentials(row: Mapping[str, Any] | None) -> Credentials | None:
    return None if row is None else Credentials(row["player_id"], row["username"], row["password"], row["recovery"])


async def _change(connection: Connection, old: Credentials, new: Credentials) -> bool:
    try:
        changed = await connection.fetchval(
            """UPDATE credentials SET username = $4, password = $5, recovery = $6, changed_at = now()
               WHERE player_id = $1 AND password = $2 AND recovery = $3 RETURNING true""",
            old.player_id,
            old.password,
            old.recovery,
            new.username,
            new.password,
            new.recovery,
        )
    except asyncpg.UniqueViolationError:
        raise _taken() from None
    return changed is not None


async def _end_tokens(connection: Connection | asyncpg.Pool[Any], player_id: str) -> None:
    await connection.execute(
        "UPDATE tokens SET revoked_at = clock_timestamp() WHERE player_id = $1 AND revoked_at IS NULL", player_id
    )


def _taken() -> Refused:
    return Refused("username_taken", "This user name belongs to another player: choose another.")
