"""Players: guests are made, named, looked up and shown."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Final

from server.errors import Refused, malformed
from server.players.callers import Callers
from server.players.names import BadName, clean_name
from server.players.ports import PlayerStore
from server.players.tokens import digest, new_id, new_token
from server.players.types import SESSION_SCOPES, Caller, Player

SHOWN_FOR: Final = 1.0
MOST: Final = 50_000


def checked_name(given: str) -> str:
    """A player's name as it is kept; refused as `malformed` where it can't be."""
    try:
        return clean_name(given)
    except BadName as bad:
        raise malformed("name", bad.detail) from bad


def no_such_player() -> Refused:
    """The refusal for a player who isn't there."""
    return Refused("not_found", "There is no such player.")


class Players:
    """What anyone may ask about players; registering and signing in are in `accounts`."""

    def __init__(self, store: PlayerStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._seen: OrderedDict[str, tuple[float, Player]] = OrderedDict()
        self.callers = Callers(store, clock)

    async def create_guest(self, name: str | None = None) -> tuple[Player, str]:
        """A new guest and its token, which is told this once; `malformed` for a name that can't be."""
        kept = checked_name(name) if name is not None else f"Guest {secrets.randbelow(9000) + 1000}"
        player = Player(new_id(), kept, "guest")
        await self._store.add_player(player)
        return player, await self.new_session(player.id)

    async def new_session(self, player_id: str) -> str:
        """A new session's token for a player; `not_found` when the player was deleted meanwhile."""
        token = new_token()
        await self._store.add_token(
            player_id, new_id(), digest(token), name=None, scopes=SESSION_SCOPES, expires_at=None
        )
        return token

    async def authenticate(self, token: str) -> Caller | None:
        """The caller that a token stands for; None for one that is unknown, expired or revoked."""
        return await self.callers.authenticate(token)

    async def rename(self, player_id: str, name: str) -> Player:
        """Gives a player another name; `malformed` for one that can't be."""
        player = await self._store.rename(player_id, checked_name(name))
        if player is None:
            raise no_such_player()
        self.forget(player_id)
        return player

    async def get_player(self, player_id: str) -> Player:
        """One player as the database has it now; `not_found` where there is none."""
        found = await self._store.players([player_id])
        if player_id not in found:
            raise no_such_player()
        self._remember(found)
        return found[player_id]

    async def get_players(self, ids: Iterable[str]) -> dict[str, Player]:
        """The players with these ids, at most a second old; unknown ids are left out."""
        now = self._clock()
        wanted = dict.fromkeys(ids)
        shown: dict[str, Player] = {}
        for player_id in wanted:
            seen = self._seen.get(player_id)
            if seen is not None and now - seen[0] < SHOWN_FOR:
                shown[player_id] = seen[1]
        missing = [player_id for player_id in wanted if player_id not in shown]
        if missing:
            found = await self._store.players(missing)
            self._remember(found, now)
            shown.update(found)
        return shown

    def forget(self, *player_ids: str) -> None:
        """Drops what this process remembers of these players, because they have changed."""
        for player_id in player_ids:
            self._seen.pop(player_id, None)

    def _remember(self, found: dict[str, Player], now: float | None = None) -> None:
        read_at = self._clock() if now is None else now
        for player_id, player in found.items():
            self._seen[player_id] = (read_at, player)
            self._seen.move_to_end(player_id)
        while len(self._seen) > MOST:
            self._seen.popitem(last=False)
