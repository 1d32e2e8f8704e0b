"""Hints name a legal move and a reason; reviews find blunders and leave the expert's own moves alone."""

import random
from typing import Any

from server.ai import choose
from server.ai.advice import hint, review_turn
from tests.ai.tables import Asked, choices, ruleset

Json = dict[str, Any]
FLAGGED = 3.0
"""From this loss on a move counts as flagged."""


def positions(most: int) -> list[Asked]:
    """Choices from games of experts and normal players."""
    found: list[Asked] = []
    for number, (preset, levels) in enumerate(
        (
            ("classic", ["expert", "normal"]),
            ("pagat", ["normal", "expert"]),
            ("classic", ["normal", "expert", "normal", "expert"]),
            ("pagat", ["expert", "normal", "expert"]),
            ("nickel", ["normal", "expert"]),
            ("classic", ["normal", "expert"]),
            ("pagat", ["expert", "normal"]),
            ("partnership", ["normal", "expert", "normal", "expert"]),
        )
        * 2
    ):
        for asked in choices(ruleset(preset, len(levels)), levels, 40 + number):
            if asked.seat >= 0 and len(asked.legal) > 1:
                asked.events = list(asked.events)
                found.append(asked)
    random.Random(1).shuffle(found)
    return found[:most]


def blunder(asked: Asked, best: Json) -> Json | None:
    """A move that every good player sees to be bad here, where there is one."""
    hand = asked.view["seats"][asked.seat]["hand"]
    others = [seat for seat in asked.view["seats"] if seat["seat"] != asked.seat]
    discards = [move for move in asked.legal if move["type"] == "discard"]
    melds = [move for move in asked.legal if move["type"] == "meld"]
    if best["type"] == "discard" and melds:
        # Throwing a card of a held meld of three instead of a loose card.
        inside = {name for move in melds if len(move["cards"]) == 3 for name in move["cards"]}
        outside = {name for move in melds if len(move["cards"]) != 3 for name in move["cards"]}
        if best["card"] not in inside | outside:
            bad = [move for move in discards if move["card"] in inside - outside]
            return bad[0] if bad else None
    if best["type"] in ("meld", "lay_off") and min(seat["hand_count"] for seat in others) <= 2 and len(hand) > 4:
        # Keeping points back when the round is about to end.
        puts = {
            name
            for move in asked.legal
            if move["type"] in ("meld", "lay_off")
            for name in move.get("cards", [move.get("card")])
        }
        bad = [move for move in discards if move["card"] in puts]
        return bad[0] if bad else None
    return None


def test_stage4_review_flags_planted_blunders_and_not_the_experts_own_moves() -> None:
    """Of 200 planted blunders at least 90 % are flagged, of the expert's own moves fewer than 5 %."""
    planted = flagged = own = wrongly = 0
    for asked in positions(6000):
        best = choose("expert", asked.view, asked.events, asked.legal, asked.seed)
        bad = blunder(asked, best)
        if bad is not None and planted < 200:
            planted += 1
            flagged += review_turn(asked.view, asked.events, asked.legal, bad, asked.seed)["loss"] >= FLAGGED
        if own < 400:
            own += 1
            wrongly += review_turn(asked.view, asked.events, asked.legal, best, asked.seed)["loss"] >= FLAGGED
    assert planted == 200
    assert flagged >= 180, flagged
    assert wrongly < 0.05 * own


def test_stage4_hint_is_the_experts_move_with_a_reason() -> None:
    """A hint is what the expert would do, and its reason has a code and parameters that name no hidden card."""
    seen = set()
    for asked in positions(600):
        given = hint(asked.view, asked.events, asked.legal, asked.seed)
        assert given["move"] == choose("expert", asked.view, asked.events, asked.legal, asked.seed)
        assert set(given) == {"move", "reason"}
        assert set(given["reason"]) == {"code", "params"}
        seen.add(given["reason"]["code"])
    assert len(seen) >= 5
