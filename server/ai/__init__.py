"""CPU players: a seat's view in, a move out. Pure functions, standard library only.

A player is a function of what its seat was shown (`view`, `events`), the listed moves and a seed; nothing else decides,
so that anyone can make the choice again.
"""

from server.ai.advice import hint, review_turn
from server.ai.choice import AI_VERSION, LEVELS, choose

__all__ = ["AI_VERSION", "LEVELS", "choose", "hint", "review_turn"]
