"""Who may see and do what at a table, from the server's records alone."""

from __future__ import annotations

import hmac

from server.errors import Refused, malformed
from server.tables.live import Live
from server.tables.setup import Setup


def no_such_game() -> Refused:
    """The same for a game that isn't there and one that the caller may not know of."""
    return Refused("not_found", "There is no such game, or it is not yours to see.")


def needs_token() -> Refused:
    """For callers without a token, whatever is there."""
    return Refused("unauthenticated", "This needs a token: `Authorization: Bearer TOKEN`.")


def hidden(caller: str | None) -> Refused:
    """What a stranger is told."""
    return needs_token() if caller is None else no_such_game()


def same_code(given: str | None, code: str | None) -> bool:
    """Compares secret codes without telling how far they agree."""
    return given is not None and code is not None and hmac.compare_digest(given.encode(), code.encode())


def good_invite(setup: Setup, given: object) -> bool:
    """Whether this opens a private game's seat; codes are read out and typed."""
    return isinstance(given, str) and same_code(given.strip().upper(), setup.invite)


def viewer_mask(setup: Setup, live: Live, caller: str | None, watch: str | None = None) -> int:
    """The seats that a viewer sees as their own (0: a spectator); refused to who may not look."""
    mask = live.seats_of(caller) if caller is not None else 0
    if mask:
        return mask
    if setup.visibility == "public":
        if setup.spectators:
            return 0
        if caller is None:
            raise needs_token()
        raise Refused("forbidden", "This game is not open to spectators.")
    if setup.spectators and same_code(watch, setup.watch):
        return 0
    raise hidden(caller)


def may_know_of(setup: Setup, live: Live, caller: str | None) -> None:
    """Refuses to whom the game's very existence is hidden."""
    if setup.visibility == "public":
        return
    if caller is None or not live.seats_of(caller):
        raise hidden(caller)


def within(live: Live, seat: int) -> None:
    """Refuses the number of a seat that the table does not have."""
    if not 0 <= seat < len(live.seats):
        raise malformed("seat", f"must be from 0 to {len(live.seats) - 1}")


def own_seat(live: Live, caller: str, seat: object) -> int:
    """The seat that a player moves for; `seat` as the request says it (None: not said)."""
    mask = live.seats_of(caller)
    if not mask:
        raise Refused("forbidden", "You have no seat in this game.")
    if seat is None:
        if mask & (mask - 1):
            raise malformed("seat", "must be said by who plays several seats")
        return mask.bit_length() - 1
    if not isinstance(seat, int) or isinstance(seat, bool):
        raise malformed("seat", "must be a whole number")
    within(live, seat)
    if not mask >> seat & 1:
        raise Refused("forbidden", f"Seat {seat} is not yours.")
    return seat
