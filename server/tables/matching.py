"""Finding people to play with: quick games and rematches."""

from __future__ import annotations

from dataclasses import replace

from server.errors import Refused
from server.tables.live import Live
from server.tables.notices import rematch as rematch_notices
from server.tables.ports import NoticeStore
from server.tables.service import Tables
from server.tables.setup import SeatSetup, Setup
from server.tables.table import Table


class Matching:
    """Quick games and rematches over the live games."""

    def __init__(self, tables: Tables, notices: NoticeStore) -> None:
        self._tables = tables
        self._notices = notices

    async def quick(self, setup: Setup, player: str) -> tuple[Table, bool]:
        """A public game for just this ruleset and number of seats: joined, or opened as `setup` (then True)."""
        found = await self._tables.store.quick(player, setup.preset, setup.options, len(setup.seats))
        for game_id in found:
            table = await self._tables.fresh(game_id)
            if table is None:
                continue
            if table.live.seats_of(player):
                return table, False
            try:
                await self._tables.take_seat(table, player, None, None, setup.client_seed)
            except Refused:
                continue
            return table, False
        table = await self._tables.create(setup, None)
        if table is None:
            table = await self._tables.fresh(setup.game_id)
            assert table is not None
        return table, True

    async def rematch(self, table: Table, player: str, fresh: Setup) -> tuple[Table, bool]:
        """The next game of those who sat: made (True) by whoever asks first, joined by the others."""
        setup, live = table.setup, table.live
        sat = [number for number, seat in enumerate(live.seats) if seat.player == player]
        if not sat:
            raise Refused("forbidden", "Only those who sat in a game may ask for a rematch.")
        if live.status != "finished":
            raise Refused("game_not_finished", "A rematch can be had when the game is over.", version=live.version)
        if setup.daily is not None:
            raise Refused("forbidden", "A daily deal is played once.")
        made = False
        game_id = await self._tables.store.rematch_of(setup.game_id)
        if game_id is None:
            made = await self._tables.create(next_setup(setup, live, player, fresh), None) is not None
            game_id = await self._tables.store.rematch_of(setup.game_id)
            assert game_id is not None
        following = await self._tables.fresh(game_id)
        assert following is not None
        if made:
            notices = rematch_notices(setup, live, player, game_id)
            await self._notices.add(notices)
            self._tables.wake([notice.player for notice in notices])
        else:
            await self._join(following, player, sat[0])
        return following, made

    async def _join(self, table: Table, player: str, seat: int) -> None:
        """Takes the old seat, or any; whoever finds none looks on."""
        for wanted in (seat, None):
            if table.live.seats_of(player) or table.live.status != "waiting":
                return
            try:
                await self._tables.take_seat(table, player, wanted, table.setup.invite, "")
            except Refused as refused:
                if refused.code not in ("seat_taken", "already_seated", "forbidden"):
                    raise


def next_setup(setup: Setup, live: Live, player: str, fresh: Setup) -> Setup:
    """A rematch: the same table with new secrets; seats of other people are open until they come."""
    seats = []
    for place, seat in zip(setup.seats, live.seats, strict=True):
        if seat.kind == "cpu":
            seats.append(SeatSetup("cpu", seat.level))
        elif seat.player == player:
            seats.append(SeatSetup("me"))
        elif place.kind == "cpu":
            seats.append(place)
        else:
            seats.append(SeatSetup("open"))
    return replace(
        setup,
        game_id=fresh.game_id,
        maker=player,
        seats=tuple(seats),
        invite=fresh.invite if setup.visibility == "private" else None,
        watch=fresh.watch if setup.watch is not None else None,
        server_seed=fresh.server_seed,
        commitment=fresh.commitment,
        client_seed="",
        position=None,
        nonce=None,
        rematch_of=setup.game_id,
        fill_at=None,
        rules_version=fresh.rules_version,
        ai_version=fresh.ai_version,
        created_at=fresh.created_at,
    )
