"""The choice of dealer and the order of the packs: a pure function of seed, nonce and round (R4.1, R4.2)."""

import hmac
from collections.abc import Iterator
from struct import Struct

from server.game.cards import Card, pack_of

_WORDS = 1 << 32
_eight_words = Struct(">8I").unpack


def first_dealer(seed: bytes, nonce: str, seats: int) -> int:
    """The seat that deals the first round."""
    return _uniform(_words(seed, nonce, 0), seats)


def shuffled(seed: bytes, nonce: str, round_number: int, packs: int, jokers: int) -> tuple[Card, ...]:
    """The pack of a round, top card first; `jokers` counts those of all packs together."""
    cards = pack_of(packs, jokers)
    words = _words(seed, nonce, round_number)
    for last in range(len(cards) - 1, 0, -1):
        below = last + 1
        word = next(words)
        while word >= _WORDS // below * below:  # as in _uniform, without a call for each card
            word = next(words)
        other = word % below
        cards[last], cards[other] = cards[other], cards[last]
    return tuple(cards)


def cpu_seed(seed: bytes, seat: int, i: int) -> bytes:
    """The seed of a CPU player's choice: seat `seat` makes the game's `i`-th move, counted from 0."""
    return hmac.digest(seed, f"cpu:{seat}:{i}".encode(), "sha256")


def _words(seed: bytes, nonce: str, round_number: int) -> Iterator[int]:
    block = 0
    while True:
        yield from _eight_words(hmac.digest(seed, f"{nonce}:{round_number}:{block}".encode(), "sha256"))
        block += 1


def _uniform(words: Iterator[int], below: int) -> int:
    limit = _WORDS // below * below
    for word in words:
        if word < limit:
            return word % below
    raise AssertionError("the words never end")
