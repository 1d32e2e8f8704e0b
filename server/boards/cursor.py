"""A place on a board, as clients hold it: opaque to them, and checked as any input when it comes back.

It carries the snapshot of the first page, so that pages turned while games end show one and the same board, and the
rank and position reached, so that no page has to count the rows before it.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from server.errors import Refused, malformed

_LONGEST: Final = 4000
_MOST: Final = 2**62
_SNAPSHOT: Final = re.compile(r"(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cursor:
    """After which row the page begins, or before which it ends (`back`).

    `snapshot` and `at` (seconds since 1970) say as of when; `position` is the row's, from 0, and `rank` its rank.
    """

    snapshot: str
    at: int
    score: int
    player_id: str
    rank: int
    position: int
    back: bool = False

    def text(self) -> str:
        """The cursor as clients hold it."""
        parts = [self.snapshot, self.at, self.score, self.player_id, self.rank, self.position, int(self.back)]
        return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")


def parse_cursor(text: str) -> Cursor:
    """The cursor that a client sent back; refused as `malformed` where it is none of ours."""
    try:
        if len(text) > _LONGEST or not text.isascii():
            raise _not_ours()
        parts = json.loads(base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True))
    except (ValueError, binascii.Error, RecursionError):
        raise _not_ours() from None
    if not isinstance(parts, list) or [type(part) for part in parts] != [str, int, int, str, int, int, int]:
        raise _not_ours()
    snapshot, at, score, player_id, rank, position, back = parts
    in_range = all(abs(number) < _MOST for number in (score, rank, position)) and 0 <= at < 2**33 and position >= 0
    if not in_range or "\x00" in player_id or len(player_id) > 100 or not _is_snapshot(snapshot):
        raise _not_ours()
    return Cursor(snapshot, at, score, player_id, rank, position, bool(back))


def _is_snapshot(text: str) -> bool:
    found = _SNAPSHOT.fullmatch(text)
    if found is None:
        return False
    low, high = int(found[1]), int(found[2])
    running = [int(part) for part in found[3].split(",")] if found[3] else []
    in_order = all(one < other for one, other in pairwise(running))
    return 0 < low <= high < _MOST and in_order and all(low <= number < high for number in running)


def _not_ours() -> Refused:
    return malformed("cursor", "must be the `next_cursor` or `previous_cursor` of an earlier page")
