"""Answers about dailies, boards and players, as the OpenAPI document describes them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from server.api.identity import PlayerBody


class OpponentBody(BaseModel):
    """Whom a daily deal is played against."""

    level: Literal["easy", "normal", "expert"]


class DayAnswer(BaseModel):
    """One date's deal."""

    date: str = Field(description="The UTC date, as in 2027-01-31.")
    ruleset: dict[str, Any] = Field(description="The preset, and all options.")
    opponents: list[OpponentBody]
    commitment: str = Field(description="SHA-256 of the day's seed.")
    closes_at: str = Field(description="24 hours after the date ends: until then a game may be ended.")
    your_game: str | None = Field(description="The caller's game of this date.")
    server_seed: str | None = Field(description="Told once the day has closed.")


class RowBody(BaseModel):
    """A line of a board."""

    rank: int = Field(description="From 1; equal scores share one.")
    player: PlayerBody
    score: float
    games: list[str] = Field(description="The newest games behind the row; their records are public.")
    rounds: int | None = Field(None, description="On a day's board: in how many rounds.")
    provisional: bool | None = Field(None, description="On the board of ratings: fewer than ten rated games.")


class BoardAnswer(BaseModel):
    """A page of a board. Following cursors show the board as it was on the first page."""

    items: list[RowBody]
    next_cursor: str | None
    previous_cursor: str | None
    you: RowBody | None = Field(description="The caller's own row.")


class BoardEntry(BaseModel):
    """A board there is."""

    board: str
    periods: list[str]


class BoardsAnswer(BaseModel):
    """The boards there are."""

    items: list[BoardEntry]


class BestBody(BaseModel):
    """A player's best game of a preset."""

    margin: int
    game: str


class RatingEntry(BaseModel):
    """A rating after a game."""

    at: str
    rating: float
    game: str


class PlayerPageAnswer(BaseModel):
    """What a player has achieved."""

    player: PlayerBody
    games: int = Field(description="Finished games.")
    wins: dict[str, dict[str, int]] = Field(
        description="Ranked wins by preset, then level; `people` without CPU players."
    )
    streak: int = Field(description="Daily deals played to the end, days in a row, up to today or yesterday.")
    best: dict[str, BestBody] = Field(description="By preset.")
    provisional: bool = Field(description="Fewer than ten rated games.")
    rating_history: list[RatingEntry]
