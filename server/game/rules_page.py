"""The rules of one table in plain words: a line for each option, in the order of the option table (R8)."""

from collections.abc import Callable
from typing import Final

from server.game.options import OPTIONS
from server.game.ruleset import Ruleset


def rules_text(ruleset: Ruleset) -> list[dict[str, object]]:
    """What this table plays: for each option the rule it turns and one line in plain words."""
    return [{"rule": option.rule, "line": _LINES[option.name](ruleset)} for option in OPTIONS]


def _packs(rules: Ruleset) -> str:
    if rules.packs == "auto":
        return "One pack for up to four seats, two packs for five or more."
    return "One pack is used." if rules.packs == 1 else "Two packs are used."


def _jokers(rules: Ruleset) -> str:
    if not rules.jokers:
        return "There are no jokers."
    count = "One joker" if rules.jokers == 1 else "Two jokers"
    return f"{count} in each pack; a joker stands for any card of a meld and stays there."


def _seats(rules: Ruleset) -> str:
    fewest, most = rules.seats
    return f"For {fewest} seats." if fewest == most else f"For {fewest} to {most} seats."


def _deal(rules: Ruleset) -> str:
    for_two, for_more = rules.deal
    if for_two == for_more:
        return f"Everyone is dealt {for_two} cards; the next card begins the pile."
    return f"With two seats everyone is dealt {for_two} cards, with more {for_more}; the next card begins the pile."


def _stock(rules: Ruleset) -> str:
    if rules.stock_exhausted == "end":
        return "When the stock is empty at the start of a turn, the round ends and nobody is out."
    return "When the stock is empty, play goes on from the pile until somebody passes or nothing moves any more."


def _depth(rules: Ruleset) -> str:
    if rules.pile_depth == "top":
        return "Only the top card of the pile may be taken."
    return "Any card of the pile may be taken with all above it; the card reached for must be used that turn."


def _top(rules: Ruleset) -> str:
    if rules.top_discard == "must_meld":
        return "The top card of the pile may be taken only to meld it or lay it off in that turn."
    return "The top card of the pile may be taken and kept, but not discarded in the same turn."


def _card_points(rules: Ruleset) -> str:
    if rules.card_points == "face":
        return "Cards 2 to 9 count their number, T J Q K ten, an ace fifteen."
    return "Cards 2 to 9 count five, T J Q K ten, an ace fifteen."


def _low_ace(rules: Ruleset) -> str:
    points = rules.low_ace_points
    return f"An ace melded below the 2 counts {points} point{'' if points == 1 else 's'}."


def _joker_points(rules: Ruleset) -> str:
    if rules.joker_points == "fifteen":
        return "A joker counts fifteen, in the hand and on the table."
    return "A joker on the table counts what the card it stands for would; in the hand it counts fifteen."


def _going_out(rules: Ruleset) -> str:
    if rules.going_out == "any":
        return "A hand may be emptied by a discard, a meld or a lay-off; the round ends at once."
    if rules.going_out == "float":
        return "Who empties the hand by melding floats: the round goes on, and only a discard goes out."
    return "To go out the last card must be discarded."


def _final_discard(rules: Ruleset) -> str:
    if rules.final_discard == "any":
        return "The last discard may be any card."
    return "The last discard may not be a card that could be laid off on the table."


def _calling(rules: Ruleset) -> str:
    if not rules.call_rummy:
        return "There is no calling rummy."
    return "With three or more seats, rummy may be called on a pile card that can be played without any card of a hand."


def _partners(rules: Ruleset) -> str:
    if not rules.partners:
        return "Everyone plays alone."
    return "Even seats play together against odd seats; partners' totals are added."


def _leaving(rules: Ruleset) -> str:
    if rules.on_leave == "cpu":
        return "A CPU player takes the seat of a player who leaves."
    if rules.on_leave == "forfeit":
        return "When a player leaves, the game ends and the others win."
    return "A CPU player takes the seat of a player who leaves; with two seats the game ends and the other wins."


def _target(rules: Ruleset) -> str:
    whose = "side's" if rules.partners else "player's"
    return f"The game ends when one {whose} total alone is the highest and at least {rules.target} after a round."


def _rounds(rules: Ruleset) -> str:
    rounds = "one round" if rules.max_rounds == 1 else f"{rules.max_rounds} rounds"
    return f"After {rounds} the game ends in any case; the highest total wins."


_LINES: Final[dict[str, Callable[[Ruleset], str]]] = {
    "seats": _seats,
    "packs": _packs,
    "jokers": _jokers,
    "deal": _deal,
    "pile_depth": _depth,
    "top_discard": _top,
    "stock_exhausted": _stock,
    "card_points": _card_points,
    "low_ace_points": _low_ace,
    "joker_points": _joker_points,
    "going_out": _going_out,
    "final_discard": _final_discard,
    "call_rummy": _calling,
    "partners": _partners,
    "on_leave": _leaving,
    "target": _target,
    "max_rounds": _rounds,
}
