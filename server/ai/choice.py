"""`choose`: one entrance to all players, by the name of their level."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.ai.look import Option, Turn, listed, look, turn_of
from server.ai.players import easy_pick, planned_pick, random_pick
from server.ai.reference import reference_pick
from server.ai.sight import Sight
from server.ai.weights import normal_weights, weights_for

AI_VERSION = "4"
LEVELS = ("easy", "normal", "expert")
"""The levels a seat may be given."""
PLAYERS = (*LEVELS, "random", "reference")
"""All that `choose` knows: the levels, and two that are for measuring."""


def choose(
    level: str,
    view: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    legal: Sequence[dict[str, Any]],
    seed: bytes,
) -> dict[str, Any]:
    """The move, one of `legal`, that a CPU player of `level` makes.

    `view` is a VIEW with the one seat to move in `your_seats`, `events` what that seat was sent since its round
    started, `seed` the move's 32 bytes. ValueError for an unknown level.
    """
    if len(legal) == 1:
        return legal[0]
    options = listed(view, legal)
    if level == "random":
        return legal[random_pick(options, seed)]
    return legal[pick(level, look(view, events), turn_of(view), options, seed)]


def pick(level: str, sight: Sight, turn: Turn, options: Sequence[Option], seed: bytes) -> int:
    """The index of the option that a player of `level` takes."""
    if level == "easy":
        return easy_pick(sight, turn, options)
    if level == "normal":
        return planned_pick(normal_weights(sight), sight, turn, options)
    if level == "expert":
        return planned_pick(weights_for(sight), sight, turn, options)
    if level == "random":
        return random_pick(options, seed)
    if level == "reference":
        return reference_pick(sight, turn, options)
    raise ValueError(f"there is no player {level!r}: it is one of {', '.join(PLAYERS)}")
