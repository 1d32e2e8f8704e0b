"""Who is behind a token, without a query at every move.

A caller that was looked up is believed for a minute, as long as this process has heard within `FRESH` seconds which
tokens were revoked. Asking that is one small query however many tokens are in use, made by whoever comes first when it
is due. So a revoked token stops working on every process within `FRESH` seconds, with no message that could be lost.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from server.players.ports import PlayerStore
from server.players.tokens import digest, looks_like_token
from server.players.types import Caller

FRESH: Final = 1.5
BELIEVED: Final = 60.0
MOST: Final = 50_000


class Callers:
    """The cache of one process."""

    def __init__(self, store: PlayerStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._clock = clock
        self._known: OrderedDict[bytes, tuple[float, Caller]] = OrderedDict()
        self._asked_at = float("-inf")
        self._since: datetime | None = None
        self._asking = asyncio.Lock()

    async def authenticate(self, token: str) -> Caller | None:
        """The caller that a token stands for; None for one that is unknown, expired or revoked."""
        if not looks_like_token(token):
            return None
        key = digest(token)
        if self._clock() - self._asked_at >= FRESH:
            await self._hear_revocations()
        known = self._known.get(key)
        if known is not None and self._clock() - known[0] < BELIEVED:
            caller = known[1]
            if caller.expires_at is not None and caller.expires_at <= datetime.now(UTC):
                self._known.pop(key, None)
                return None
            return caller
        looked_at = self._clock()
        found = await self._store.caller(key)
        if found is None:
            self._known.pop(key, None)
            return None
        self._known[key] = (looked_at, found)
        self._known.move_to_end(key)
        while len(self._known) > MOST:
            self._known.popitem(last=False)
        return found

    def forget(self, *, player_id: str | None = None, token_id: str | None = None) -> None:
        """Drops what is believed of a player's tokens, or of one, in this process at once."""
        gone = [
            key
            for key, (_, caller) in self._known.items()
            if caller.player_id == player_id or caller.token_id == token_id
        ]
        for key in gone:
            del self._known[key]

    async def _hear_revocations(self) -> None:
        async with self._asking:
            if self._clock() - self._asked_at < FRESH:
                return
            asked_at = self._clock()
            revoked, self._since = await self._store.revoked_since(self._since)
            if revoked:
                self._known = OrderedDict(
                    (key, entry) for key, entry in self._known.items() if entry[1].token_id not in revoked
                )
            self._asked_at = asked_at
