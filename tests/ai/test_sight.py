"""What a seat concludes from what it knows: who is ahead, who can put down what, how much is held."""

from typing import Any

import pytest

from server.ai.evaluate import Q_RIPE, danger
from server.ai.look import manner_of
from server.ai.masks import point_table
from server.ai.sight import Sight, foes_cards, hoarding, lead_of, open_cards
from tests.ai.tables import mask

FACE = point_table(1)


def test_lead_is_in_targets_and_bounded() -> None:
    """Totals and the table count, against the best of the others, from -1 to 1."""
    assert lead_of([100, 50], [20, 20], 500) == pytest.approx(0.1)
    assert lead_of([0, 300, 100], [0, 0, 0], 500) == pytest.approx(-0.6)
    assert lead_of([900, 0], [0, 0], 500) == 1.0
    assert lead_of([-900, 0], [0, 0], 500) == -1.0


@pytest.mark.parametrize(
    ("known", "down", "expected"),
    [("", "", 0), ("7H 8H 9C", "", 0), ("7H 8H 9H 2C", "", 3), ("7H 2C", "7H", 1), ("AC AD AS 5D", "5D", 4)],
)
def test_open_cards_are_those_a_seat_could_put_down(known: str, down: str, expected: int) -> None:
    """Melds and lay-offs among the cards a seat is known to hold."""
    assert open_cards(mask(known), mask(down), 0, 0, FACE) == expected


def test_cards_of_opponents_are_an_average() -> None:
    """Partners and the seat itself are left out."""
    assert foes_cards([9, 4, 8, 6], [1, 0, 1, 0]) == 5.0
    assert foes_cards([9, 4], [1, 1]) == 0.0


def told(*turns: str) -> list[dict[str, Any]]:
    """The events of seat 1's turns of a round, each as letters: draws from the stock or pile, melds, discards."""
    kinds = {
        "s": ("drew", {"from": "stock"}),
        "p": ("drew", {"from": "pile"}),
        "m": ("melded", {}),
        "l": ("laid_off", {}),
    }
    events: list[dict[str, Any]] = [{"type": "round_started", "stock_count": 4}]
    for turn in turns:
        for letter in turn:
            what, more = kinds[letter]
            events.append({"type": what, "seat": 1, **more})
        events.append({"type": "discarded", "seat": 1})
        events.append({"type": "melded", "seat": 0})
    return events


@pytest.mark.parametrize(
    ("turns", "waited", "kept"),
    [
        (["s", "s", "sm", "s"], 2, 0),
        (["pl", "p", "s", "p"], 0, 2),
        (["p", "p", "pm"], 2, 2),
        (["s", "s", "s", "s", "p"], 5, 0),  # the stock is empty: there was nothing else to draw
    ],
)
def test_who_takes_and_puts_nothing_down_is_seen_to_hold_back(turns: list[str], waited: int, kept: int) -> None:
    """Turns before anything is down, and takes from the pile that put nothing down, count; this round's only."""
    manner = manner_of(1, told("s", "s") + told(*turns))
    assert (manner.turns, manner.waited, manner.kept) == (len(turns), waited, kept)


def test_hoarding_grows_with_its_signs_within_bounds() -> None:
    """Nothing is said of the first turn; from then on each sign adds."""
    assert hoarding(1, 1, 1, 13) == 0.0
    assert hoarding(3, 0, 0, 4) == 0.0
    assert 0.0 < hoarding(3, 1, 0, 6) < hoarding(3, 2, 0, 6) < hoarding(3, 2, 0, 7) < hoarding(3, 1, 1, 6) < 1.0
    assert hoarding(9, 9, 5, 20) == 1.0


def test_an_opponent_that_holds_back_is_the_more_dangerous_the_longer_it_does() -> None:
    """With as many cards in its hand the round is nearer its end; one that plays early to the table is as before."""
    calm = facing(hoards=0.0, turned=9)
    w = [0.0] * Q_RIPE + [0.03]
    at = [danger(w, facing(hoards=1.0, turned=turned), 20, 5) for turned in (2, 6, 12)]
    assert danger(w, calm, 20, 5) < at[0] < at[1] < at[2] < 0.2


def facing(**changes: Any) -> Sight:
    """What a seat sees of an opponent of 13 cards, nothing else known."""
    plain: dict[str, Any] = dict.fromkeys(Sight._fields, 0)
    return Sight(**(plain | {"seats": 2, "counts": [13, 13], "open": [0, 0]} | changes))
