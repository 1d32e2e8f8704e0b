"""What a seat concludes from what it knows: who is ahead, who can put down what, how much is held."""

import pytest

from server.ai.masks import point_table
from server.ai.sight import foes_cards, lead_of, open_cards
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
