"""Everything that is held about a player, gathered for the player. Secrets and other people's cards are not in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final

from server.persistence.database import Connection

PARTS: Final = {
    "credentials": "SELECT username, created_at, changed_at FROM credentials WHERE player_id = $1",
    "tokens": """SELECT id, name, scopes, created_at, expires_at, last_used_at, revoked_at FROM tokens
                 WHERE player_id = $1 ORDER BY created_at, id""",
    "transfers": "SELECT created_at, expires_at FROM transfers WHERE player_id = $1 ORDER BY created_at",
    "commitments": """SELECT id, number, encode(sha256(server_seed), 'hex') AS commitment, game_id AS game, created_at
                      FROM commitments WHERE player_id = $1 ORDER BY number""",
    "games": """SELECT games.id, games.status, games.created_at, games.finished_at, game_players.has_left AS left
                FROM game_players JOIN games ON games.id = game_players.game_id
                WHERE game_players.player_id = $1 ORDER BY games.created_at, games.id""",
    "results": """SELECT game_id AS game, seat, preset, ranked, level, won, points, margin, rounds, has_left AS left,
                         stood_in, mu, sigma, daily, finished_at
                  FROM results WHERE player_id = $1 ORDER BY number""",
    "dailies": "SELECT date, game_id AS game, created_at FROM daily_tries WHERE player_id = $1 ORDER BY date",
    "boards": """SELECT board, period, score, since FROM board_rows
                 WHERE player_id = $1 AND to_xid IS NULL ORDER BY board, period""",
    "notices": "SELECT seq, data, at FROM notices WHERE player_id = $1 ORDER BY seq",
    "kept_answers": "SELECT path, key, status, created_at FROM kept_answers WHERE player_id = $1 ORDER BY created_at",
}


async def everything_about(connection: Connection, player_id: str) -> dict[str, object]:
    """One object for each kind of thing held, in a fixed order."""
    player = await connection.fetchrow(
        """SELECT id, name, kind, ranking_points, rating_mu, rating_sigma, rated_games, created_at
           FROM players WHERE id = $1""",
        player_id,
    )
    held: dict[str, object] = {"player": _plain(player or {})}
    for part, query in PARTS.items():
        held[part] = [_plain(row) for row in await connection.fetch(query, player_id)]
    return held


def _plain(row: Mapping[str, Any]) -> dict[str, object]:
    return {
        name: value.isoformat().replace("+00:00", "Z") if isinstance(value, datetime | date) else value
        for name, value in row.items()
    }
