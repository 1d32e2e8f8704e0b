"""What is settled when a game is made and never changes: ruleset, seats, who may see it, clock, seed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import orjson

from server.game import Ruleset, make_ruleset

SeatKind = Literal["me", "cpu", "open"]
LEVELS = ("easy", "normal", "expert")


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """How a seat is filled at first; `level` for CPU seats."""

    kind: SeatKind
    level: str | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds for a turn, and the seat's bank for the whole game."""

    turn_seconds: int
    bank_seconds: int = 0

    def as_json(self) -> dict[str, int]:
        """As in a VIEW."""
        return {"turn_seconds": self.turn_seconds, "bank_seconds": self.bank_seconds}


class Rules(NamedTuple):
    """A ruleset with what is asked of it again and again; `as_preset`: nothing that counts was changed."""

    ruleset: Ruleset
    options: dict[str, Any]
    as_preset: bool


def rules_of(preset: str, options: dict[str, Any], seats: int) -> Rules:
    """The rules of a table; BadRuleset where there are none. Nobody may change the options that this gives."""
    return _rules(preset, orjson.dumps(options), seats)


@lru_cache(maxsize=256)
def _rules(preset: str, options: bytes, seats: int) -> Rules:
    """Tables with the same rules share one ruleset, and do not make it again for every VIEW."""
    ruleset = make_ruleset(preset, orjson.loads(options), seats)
    return Rules(ruleset, ruleset.options(), not ruleset.changed - {"seats", "on_leave"})


@dataclass(frozen=True, slots=True)
class Setup:
    """One game as it was made. `nonce` is given for a daily deal, else it comes from the client seeds."""

    game_id: str
    maker: str
    preset: str
    options: dict[str, Any]
    seats: tuple[SeatSetup, ...]
    visibility: Literal["public", "private"]
    spectators: bool
    clock: Clock | None
    call_seconds: int
    client_seed: str
    position: dict[str, Any] | None
    invite: str | None
    watch: str | None
    server_seed: bytes
    commitment: str
    nonce: str | None
    daily: str | None
    closes_at: int | None
    rematch_of: str | None
    fill_at: int | None
    rules_version: str
    ai_version: str
    created_at: int
    practice: bool = False

    @property
    def table_mode(self) -> bool:
        """One client plays several seats."""
        return sum(seat.kind == "me" for seat in self.seats) > 1

    def ruleset(self) -> Ruleset:
        """The ruleset; it was valid when the game was made."""
        return self.rules.ruleset

    @property
    def rules(self) -> Rules:
        """The same, with what follows from it."""
        return rules_of(self.preset, self.options, len(self.seats))

    @property
    def counts(self) -> bool:
        """Whether the game is `ranked`: a preset as it is, people in one seat each, a real deal."""
        return self.rules.as_preset and not self.table_mode and self.position is None and not self.practice

    def as_json(self) -> dict[str, Any]:
        """For storage; the seed is kept apart."""
        return {
            "maker": self.maker,
            "preset": self.preset,
            "options": self.options,
            "seats": [{"kind": seat.kind, "level": seat.level} for seat in self.seats],
            "visibility": self.visibility,
            "spectators": self.spectators,
            "clock": self.clock.as_json() if self.clock else None,
            "call_seconds": self.call_seconds,
            "client_seed": self.client_seed,
            "position": self.position,
            "invite": self.invite,
            "watch": self.watch,
            "commitment": self.commitment,
            "nonce": self.nonce,
            "daily": self.daily,
            "closes_at": self.closes_at,
            "rematch_of": self.rematch_of,
            "fill_at": self.fill_at,
            "rules_version": self.rules_version,
            "ai_version": self.ai_version,
            "created_at": self.created_at,
            "practice": self.practice,
        }

    @classmethod
    def from_json(cls, game_id: str, data: dict[str, Any], server_seed: bytes) -> Setup:
        """The inverse of `as_json`."""
        clock = data["clock"]
        return cls(
            **{
                **data,
                "game_id": game_id,
                "server_seed": server_seed,
                "seats": tuple(SeatSetup(seat["kind"], seat["level"]) for seat in data["seats"]),
                "clock": Clock(**clock) if clock else None,
            }
        )
