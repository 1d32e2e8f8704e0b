"""Players and tokens in Postgres."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import asyncpg

from server.players.service import no_such_player
from server.players.types import Caller, Player

COLUMNS: Final = (
    "id, name, kind, ranking_points, rating_mu, rating_sigma, rated_games, created_at,"
    " deleted_at IS NOT NULL AS deleted"
)
_SLOWEST_COMMIT: Final = timedelta(seconds=30)  # a revocation is seen that long after the moment written in its row
_USE_NOTED_EVERY: Final = timedelta(minutes=1)


def player_from(row: Mapping[str, Any]) -> Player:
    """A Player from a row that has `COLUMNS`."""
    return Player(
        row["id"],
        row["name"],
        row["kind"],
        row["ranking_points"],
        row["rating_mu"],
        row["rating_sigma"],
        row["rated_games"],
        row["created_at"],
        row["deleted"],
    )


class PostgresPlayers:
    """`server.players.PlayerStore` over a pool."""

    def __init__(self, pool: asyncpg.Pool[Any]) -> None:
        self._pool = pool

    async def add_player(self, player: Player) -> None:
        """Keeps a new player."""
        await self._pool.execute(
            "INSERT INTO players (id, name, kind) VALUES ($1, $2, $3)", player.id, player.name, player.kind
        )

    async def players(self, ids: Iterable[str]) -> dict[str, Player]:
        """The players with these ids; unknown ids are left out."""
        rows = await self._pool.fetch(f"SELECT {COLUMNS} FROM players WHERE id = ANY($1)", list(ids))
        return {row["id"]: player_from(row) for row in rows}

    async def rename(self, player_id: str, name: str) -> Player | None:
        """Gives a player another name; None when there is none, or it was deleted."""
        row = await self._pool.fetchrow(
            f"UPDATE players SET name = $2 WHERE id = $1 AND deleted_at IS NULL RETURNING {COLUMNS}",
            player_id,
            name,
        )
        return None if row is None else player_from(row)

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
        made: datetime | None = await self._pool.fetchval(
            """INSERT INTO tokens (id, player_id, hash, name, scopes, expires_at)
               SELECT $2, id, $3, $4, $5, $6 FROM players WHERE id = $1 AND deleted_at IS NULL FOR SHARE
               RETURNING created_at""",
            player_id,
            token_id,
            digest,
            name,
            sorted(scopes),
            expires_at,
        )
        if made is None:
            raise no_such_player()
        return made

    async def caller(self, digest: bytes) -> Caller | None:
        """Whom the token with this digest stands for; None when unknown, revoked or expired. Notes that it was used."""
        row = await self._pool.fetchrow(
            """SELECT id, player_id, scopes, name IS NOT NULL AS named, expires_at,
                      last_used_at IS NULL OR last_used_at < now() - $2::interval AS note
               FROM tokens
               WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())""",
            digest,
            _USE_NOTED_EVERY,
        )
        if row is None:
            return None
        if row["note"]:
            await self._pool.execute("UPDATE tokens SET last_used_at = now() WHERE id = $1", row["id"])
        return Caller(row["player_id"], row["id"], frozenset(row["scopes"]), row["named"], row["expires_at"])

    async def revoked_since(self, since: datetime | None) -> tuple[frozenset[str], datetime]:
        """Ids of tokens revoked after `since` (None: none of them), and the moment to ask from the next time."""
        rows = await self._pool.fetch(
            """SELECT now() - $2::interval AS next, id FROM (SELECT) AS here
               LEFT JOIN tokens ON revoked_at > $1""",
            since,
            _SLOWEST_COMMIT,
        )
        return frozenset(row["id"] for row in rows if row["id"] is not None), rows[0]["next"]
