"""The rules of Rummy 500: pure and synchronous, from the standard library alone.

Nothing here reads a clock or draws a random number: a state and a move give the next state and its events.
"""

from server.game.cards import card_name, parse_card
from server.game.clock import clock_move
from server.game.events import Event, event_json, private_to
from server.game.legal import legal_moves, pile_facts
from server.game.moves import MalformedMove, Move, move_json, parse_move
from server.game.options import OPTIONS_SCHEMA
from server.game.play import apply
from server.game.positions import BadPosition, from_position, unknown_fields
from server.game.refusals import IllegalMove, Refusal, refusal
from server.game.rounds import abandon, leave_forfeit, start
from server.game.rules_page import rules_text
from server.game.ruleset import PRESETS, BadRuleset, Ruleset, make_ruleset
from server.game.shuffle import cpu_seed, first_dealer, shuffled
from server.game.state import State
from server.game.views import view_json

RULES_VERSION = "1"

__all__ = [
    "OPTIONS_SCHEMA",
    "PRESETS",
    "RULES_VERSION",
    "BadPosition",
    "BadRuleset",
    "Event",
    "IllegalMove",
    "MalformedMove",
    "Move",
    "Refusal",
    "Ruleset",
    "State",
    "abandon",
    "apply",
    "card_name",
    "clock_move",
    "cpu_seed",
    "event_json",
    "first_dealer",
    "from_position",
    "leave_forfeit",
    "legal_moves",
    "make_ruleset",
    "move_json",
    "parse_card",
    "parse_move",
    "pile_facts",
    "private_to",
    "refusal",
    "rules_text",
    "shuffled",
    "start",
    "unknown_fields",
    "view_json",
]
