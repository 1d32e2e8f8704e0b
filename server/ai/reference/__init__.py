"""The frozen expert of the first days, its weights written by hand: a yardstick, never to be changed."""

from server.ai.reference.player import reference_pick

__all__ = ["reference_pick"]
