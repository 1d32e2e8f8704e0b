"""Streams that follow no single table: the lobby's, and each player's own."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Protocol

import structlog

if TYPE_CHECKING:
    from server.tables.ports import GameStore, Listed

log = structlog.get_logger("hub")

LOBBY_KINDS = frozenset({"make", "seat", "free", "fill", "left", "close"})
LOBBY_SIZE = 200


class LobbyViewer(Protocol):
    """A stream of the lobby."""

    async def show(self, game: Listed) -> None:
        """Tells of a public game."""

    def gone(self, game_id: str) -> None:
        """Tells that a game is over."""


class OwnViewer(Protocol):
    """A stream of a player's notices."""

    def rouse(self) -> None:
        """There may be something new."""


class Hub:
    """The streams of one process and what wakes them."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self.lobby: set[LobbyViewer] = set()
        self.own: dict[str, set[OwnViewer]] = {}
        self._changed: dict[str, None] = {}
        self._working: asyncio.Task[None] | None = None
        self._shown: dict[str, tuple[Any, ...]] = {}

    def notify(self, players: list[str]) -> None:
        """Wakes the streams of these players."""
        for player in players:
            for viewer in self.own.get(player, ()):
                viewer.rouse()

    def notify_all(self) -> None:
        """Wakes every player's stream: something may have been missed."""
        for viewers in self.own.values():
            for viewer in viewers:
                viewer.rouse()

    def enter_own(self, player: str, viewer: OwnViewer) -> None:
        """Adds a player's stream."""
        self.own.setdefault(player, set()).add(viewer)

    def leave_own(self, player: str, viewer: OwnViewer) -> None:
        """Takes it away."""
        viewers = self.own.get(player)
        if viewers is not None:
            viewers.discard(viewer)
            if not viewers:
                del self.own[player]

    def game_changed(self, game_id: str) -> None:
        """Tells the lobby of a public game."""
        if not self.lobby:
            return
        self._changed[game_id] = None
        if self._working is None or self._working.done():
            self._working = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        try:
            while self._changed:
                changed, self._changed = list(self._changed), {}
                for game_id in changed:
                    game = await self._store.listed(game_id)
                    if game is not None:
                        await self._show(game)
        except Exception as error:  # noqa: BLE001 - the lobby looks again by itself
            log.warning("lobby", error=repr(error))

    async def _show(self, game: Listed) -> None:
        seen = (game.status, [(seat["player"], seat["kind"]) for seat in game.summary["seats"]])
        game_id = game.setup.game_id
        if self._shown.get(game_id) == seen:
            return
        self._shown[game_id] = seen
        if len(self._shown) > 5000:
            del self._shown[next(iter(self._shown))]
        for viewer in list(self.lobby):
            if game.status == "finished":
                viewer.gone(game_id)
            else:
                await viewer.show(game)

    async def open_games(self) -> list[Listed]:
        """Public games that wait or are played, those that wait first."""
        waiting, _ = await self._store.listing(mine=None, status="waiting", cursor=None, limit=LOBBY_SIZE)
        playing, _ = await self._store.listing(mine=None, status="playing", cursor=None, limit=LOBBY_SIZE)
        return waiting + playing

    async def look_again(self, since: int) -> None:
        """Finds what no message told of."""
        self.notify_all()
        if self.lobby:
            for game_id in await self._store.lobby(since):
                self.game_changed(game_id)
