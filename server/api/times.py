"""Times on the wire: RFC 3339, in UTC, with a Z."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from server.errors import malformed

_RFC3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


def moment(at: datetime | None) -> str | None:
    """A time as it is sent; None stays None.

    >>> moment(datetime(2026, 2, 28, 12, tzinfo=UTC))
    '2026-02-28T12:00:00.000Z'
    """
    return None if at is None else at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_moment(field: str, given: str) -> datetime:
    """A time that a client sent; refused as `malformed`, naming the field, where it is none.

    >>> parse_moment("expires_at", "2026-02-28T12:00:00+01:00")
    datetime.datetime(2026, 2, 28, 11, 0, tzinfo=datetime.timezone.utc)
    """
    try:
        if not _RFC3339.fullmatch(given):
            raise ValueError(given)
        return datetime.fromisoformat(given.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise malformed(field, "must be a time as RFC 3339 writes it, such as 2027-01-31T12:00:00Z") from None
