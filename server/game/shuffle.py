"""The choice of dealer and the order of the packs: a pure function of seed, nonce and round (R4.1, R4.2)."""

import hashlib
import hmac
from collections.abc import Iterator

from server.game.cards import Card, pack_of

_WORDS = 1 << 32


def first_dealer(seed: bytes, nonce: str, seats: int) -> int:
    """The seat that deals the first round."""
    return _uniform(_words(seed, nonce, 0), seats)


def shuffled(seed: bytes, nonce: str, round_number: int, packs: int, jokers: int) -> tuple[Card, ...]:
    """The pack of a round, top card first; `jokers` counts those of all packs together."""
    cards = pack_of(packs, jokers)
    words = _words(seed, nonce, round_number)
    for last in range(len(cards) - 1, 0, -1):
        other = _uniform(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def cpu_seed(seed: bytes, seat: int, i: int) -> bytes:
    """The seed of a CPU player's choice: seat `seat` makes the game's `i`-th move, counted from 0."""
    return hmac.new(seed, f"cpu:{seat}:{i}".encode(), hashlib.sha256).digest()


def _words(seed: bytes, nonce: str, round_number: int) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(seed, f"{nonce}:{round_number}:{block}".encode(), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def _uniform(words: Iterator[int], below: int) -> int:
    limit = _WORDS // below * below
    for word in words:
        if word < limit:
            return word % below
    raise AssertionError("the words never end")
