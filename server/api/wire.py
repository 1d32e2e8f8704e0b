"""The bodies of requests about games, as pydantic models; unknown fields are refused."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Body(BaseModel):
    """Any request's body."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _client_seed(text: str) -> str:
    if len(text) > 64:
        raise ValueError("must have at most 64 characters")
    if any(letter == "|" or ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in text):
        raise ValueError("must not hold `|` or control characters")
    return text


ClientSeed = Annotated[str, AfterValidator(_client_seed), Field(description="Up to 64 characters, no `|`.")]


class RulesetBody(Body):
    """A preset with any options overridden."""

    preset: str = "classic"
    options: dict[str, Any] = Field(default_factory=dict)


class SeatBody(Body):
    """A seat at a table to be made."""

    kind: Literal["me", "cpu", "open"]
    level: Literal["easy", "normal", "expert"] | None = None


class ClockBody(Body):
    """Time for a turn, and a bank for the whole game."""

    turn_seconds: int = Field(ge=5, le=259_200)
    bank_seconds: int = Field(default=0, ge=0, le=3600)


class GameBody(Body):
    """POST /v1/games."""

    ruleset: RulesetBody = Field(default_factory=RulesetBody)
    seats: list[SeatBody] = Field(
        default_factory=lambda: [SeatBody(kind="me"), SeatBody(kind="cpu", level="normal")], min_length=1, max_length=16
    )
    visibility: Literal["public", "private"] = "private"
    spectators: bool = True
    clock: ClockBody | None = None
    call_seconds: int = Field(default=5, ge=1, le=15)
    commitment: str | None = None
    client_seed: ClientSeed | None = None
    position: dict[str, Any] | None = None


class SeatTakenBody(Body):
    """POST /v1/games/{id}/seats."""

    seat: int | None = None
    invite: str | None = None
    client_seed: ClientSeed | None = None


class MoveBody(Body):
    """POST /v1/games/{id}/moves. `move` is checked by the rules."""

    move: Any = Field(description="A MOVE.", json_schema_extra={"x-ref": "#/components/schemas/Move"})
    seat: int | None = None
    if_version: int | None = None


class QuickBody(Body):
    """POST /v1/games/quick."""

    ruleset: RulesetBody = Field(default_factory=RulesetBody)
    seats: int = Field(default=2, ge=2, le=8)
    fill_after: int = Field(default=20, ge=0, le=120)


class AbsentBody(Body):
    """POST /v1/games/{id}/absent."""

    seat: int
    choice: Literal["wait", "cpu", "end"]


MOVES: list[dict[str, Any]] = [
    {"type": "draw", "from": "stock"},
    {"type": "draw", "from": "pile", "card": "7H"},
    {"type": "take_back"},
    {"type": "meld", "cards": ["7H", "8H", "X1=9H"]},
    {"type": "lay_off", "card": "TH", "meld": "m1"},
    {"type": "discard", "card": "2C"},
    {"type": "pass"},
    {"type": "call_rummy", "card": "9C"},
]
GAME_EXAMPLE: dict[str, Any] = {
    "ruleset": {"preset": "pagat", "options": {"target": 200}},
    "seats": [{"kind": "me"}, {"kind": "cpu", "level": "normal"}],
    "visibility": "private",
    "clock": None,
    "client_seed": "any text",
}
