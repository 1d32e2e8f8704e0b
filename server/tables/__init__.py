"""Live games: seats, one writer for each game, clocks, CPU turns, and everybody who follows them."""

from server.tables import render
from server.tables.absence import Absence
from server.tables.access import good_invite, hidden, may_know_of, needs_token, own_seat, viewer_mask
from server.tables.advice import Advice
from server.tables.clock import Clock
from server.tables.deciding import KeptRefusal, Key, Moved
from server.tables.live import Live, Seat, stamp
from server.tables.matching import Matching
from server.tables.presence import Presence, PresenceStore
from server.tables.service import Tables
from server.tables.setup import LEVELS, Rules, SeatSetup, Setup, rules_of
from server.tables.setup import Clock as TurnClock
from server.tables.table import Table, Viewer

__all__ = [
    "LEVELS",
    "Absence",
    "Advice",
    "Clock",
    "KeptRefusal",
    "Key",
    "Live",
    "Matching",
    "Moved",
    "Presence",
    "PresenceStore",
    "Rules",
    "Seat",
    "SeatSetup",
    "Setup",
    "Table",
    "Tables",
    "TurnClock",
    "Viewer",
    "good_invite",
    "hidden",
    "may_know_of",
    "needs_token",
    "own_seat",
    "render",
    "rules_of",
    "stamp",
    "viewer_mask",
]
