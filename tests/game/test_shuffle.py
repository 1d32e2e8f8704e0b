"""The deal is a pure function of seed, nonce and round, and anybody can do it again."""

import hashlib
import hmac
import json
from pathlib import Path
from typing import Any

import pytest

from server.game import card_name, cpu_seed, first_dealer, make_ruleset, shuffled, start
from server.game.shuffle import _uniform

DEALS = json.loads((Path(__file__).parent.parent / "vectors" / "deals.json").read_text(encoding="utf-8"))["deals"]


@pytest.mark.parametrize("deal", DEALS, ids=[f"{deal['seats']} seats, nonce {deal['nonce']!r}" for deal in DEALS])
def test_stage1_deal_vectors(deal: dict[str, Any]) -> None:
    """Each seed and nonce gives the dealer and the packs that were worked out once from the contract."""
    seed = bytes.fromhex(deal["seed"])
    assert first_dealer(seed, deal["nonce"], deal["seats"]) == deal["dealer"]
    for number, cards in deal["rounds"].items():
        found = shuffled(seed, deal["nonce"], int(number), deal["packs"], deal["jokers"])
        assert " ".join(card_name(card) for card in found) == cards


def test_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer() -> None:
    """R4.2, R4.3: hands in the order the cards came, the next card up, the rest the stock."""
    seed, nonce = bytes(range(32)), "a|b|c"
    state, _ = start(make_ruleset("pagat", {}, 3), 3, seed, nonce)
    pack = shuffled(seed, nonce, 1, 1, 0)
    first = (state.dealer + 1) % 3
    assert state.hands[first] == pack[0:21:3]
    assert state.hands[(first + 2) % 3] == pack[2:21:3]
    assert (state.pile, state.stock, state.turn_seat) == (pack[21:22], pack[22:], first)


def test_words_beyond_the_last_whole_multiple_are_skipped() -> None:
    """A word that would favour low numbers is not used."""
    assert _uniform(iter([2**32 - 1, 7]), 3) == 1
    assert _uniform(iter([2**32 - 1]), 2) == 1


def test_the_seed_of_a_cpu_move() -> None:
    """The seed of a seat's choice is the keyed hash of seat and move number."""
    assert cpu_seed(b"k" * 32, 3, 17) == hmac.new(b"k" * 32, b"cpu:3:17", hashlib.sha256).digest()
