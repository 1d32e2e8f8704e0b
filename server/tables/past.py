"""What happened a while ago, kept small: some hundred events of a table in a few kilobytes.

Whoever comes back after a minute or an hour is told from here, without a look at the log and without playing it again.
Whole events are packed, so that what is told of them to whom is decided where it always is.
"""

from __future__ import annotations

import io
import pickle
import zlib
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any, NamedTuple, get_args

from server.game.events import Event
from server.game.melds import Meld
from server.tables.live import Logged, TableEvent
from server.tables.render import Commit


class Packed(NamedTuple):
    """The events `first` to `version`, packed."""

    first: int
    version: int
    data: bytes


def _taken_apart(kind: Any) -> Callable[[Any], tuple[Any, tuple[Any, ...]]]:
    names = [field.name for field in fields(kind)]
    values = attrgetter(*names)
    if len(names) == 1:
        return lambda record: (kind, (values(record),))
    return lambda record: (kind, values(record))


class _Packer(pickle.Pickler):
    """Takes events apart in a third of the time that pickle needs for frozen dataclasses by itself."""

    dispatch_table = {kind: _taken_apart(kind) for kind in (*get_args(Event), Meld, TableEvent)}  # noqa: RUF012


def packed(commits: list[Commit]) -> Packed:
    """Commits that follow one another, packed."""
    raw = io.BytesIO()
    _Packer(raw, protocol=5).dump([[tuple(logged) for logged in commit.events] for commit in commits])
    return Packed(commits[0].first, commits[-1].version, zlib.compress(raw.getvalue(), 1))


def unpacked(one: Packed) -> list[Commit]:
    """The same commits again."""
    found = pickle.loads(zlib.decompress(one.data))  # noqa: S301 - made above, in this process
    return [Commit(tuple([Logged(*logged) for logged in events])) for events in found]
