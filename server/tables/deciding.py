"""Whether a command may be done as a game stands: pure, before anything is committed."""

from __future__ import annotations

from typing import Any, NamedTuple

from server import game as rules
from server.errors import FieldError, Refused
from server.tables import access
from server.tables.live import Applied, Entry, Live
from server.tables.setup import Setup


class Moved(NamedTuple):
    """An accepted command: the versions before and after it."""

    before: int
    after: int


class Key(NamedTuple):
    """An Idempotency-Key (or a stream's move id) of a player, and a fingerprint of what it is used for."""

    player: str
    key: str
    print: bytes


class KeptRefusal(Exception):
    """A refusal that was given before for the same key: its status and problem document."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


def mismatch() -> Refused:
    """The refusal of a key that was used for something else."""
    return Refused("idempotency_mismatch", "This key was used for another move.")


def repeat(print_of_first: bytes, key: Key, before: int, after: int) -> Moved:
    """The first answer again; `idempotency_mismatch` where the key was used for something else."""
    if print_of_first != key.print:
        raise mismatch()
    return Moved(before, after)


def decide(live: Live, seat: int, raw: Any, if_version: int | None) -> tuple[rules.Move, Applied]:
    """The move and what comes of it, if it may be made now; else `Refused` with the first code that fits."""
    try:
        move = rules.parse_move(raw)
    except rules.MalformedMove as bad:
        errors = tuple(FieldError(f"move.{name}" if name else "move", detail) for name, detail in bad.errors)
        first = errors[0] if errors else FieldError("move", "is not a move")
        raise Refused("malformed", f"`{first.field}` {first.detail}", errors=errors) from None
    if live.status != "playing" or live.state is None:
        what = "has not begun" if live.status == "waiting" else "is over"
        raise Refused("game_not_running", f"The game {what}.", version=live.version)
    if if_version is not None and if_version != live.version:
        raise Refused(
            "version_conflict", f"The game is at version {live.version}, not {if_version}.", version=live.version
        )
    try:
        return move, rules.apply(live.state, seat, move)
    except rules.IllegalMove as illegal:
        refusal = illegal.refusal
        raise Refused(refusal.code, refusal.detail, rule=refusal.rule, version=live.version) from None


def seat_entry(setup: Setup, live: Live, caller: str, seat: int | None, invite: str | None, client_seed: str) -> Entry:
    """The entry that seats a caller, or gives a seat back from a stand-in; `Refused` where it can't be."""
    mask = live.seats_of(caller)
    if not mask and setup.visibility == "private" and not access.good_invite(setup, invite):
        raise access.no_such_game()  # a wrong invite is as none: it does not tell that there is such a game
    if any(number.player == caller and number.gone for number in live.seats):
        raise Refused("forbidden", "Who has left a game does not come back.", rule="R7.4")
    if seat is not None:
        access.within(live, seat)
    if mask:
        held = [number for number in range(len(live.seats)) if mask >> number & 1]
        lost = [number for number in held if live.seats[number].status == "cpu_standing_in"]
        if live.status == "playing" and lost and (seat is None or seat in lost):
            return {"k": "resume", "seats": lost if seat is None else [seat]}
        raise Refused("already_seated", f"You sit at seat {held[0]} already.", version=live.version)
    free = [number for number, place in enumerate(live.seats) if place.kind == "open"]
    if live.status != "waiting" or not free or (seat is not None and seat not in free):
        raise Refused("seat_taken", "That seat is taken." if seat is not None else "No seat is free.")
    return {"k": "seat", "seat": free[0] if seat is None else seat, "player": caller, "client_seed": client_seed}
