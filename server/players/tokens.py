"""Secrets: made by the system's generator, shown once, kept only as a digest.

A token has 256 random bits, so that a plain SHA-256 of it can be looked up and not be guessed; passwords, which people
choose, are hashed by argon2id (`passwords`).
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

_MARK: Final = "r500_"
_BODY: Final = 43


def new_id() -> str:
    """An opaque id of 128 random bits, as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def new_token() -> str:
    """A bearer token of 256 random bits; its beginning tells scanners for leaked secrets what it is."""
    return _MARK + secrets.token_urlsafe(32)


def looks_like_token(text: str) -> bool:
    """Whether a text could be a token at all, so that nonsense costs no query."""
    return text.startswith(_MARK) and len(text) == len(_MARK) + _BODY and text.isascii()


def digest(secret: str) -> bytes:
    """What is kept of a secret: its SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()


def new_code(groups: int) -> str:
    """A code that people can copy by hand: groups of five letters and digits, 25 random bits each.

    >>> len(new_code(4))
    23
    """
    alphabet = "abcdefghjkmnpqrstuvwxyz023456789"
    return "-".join("".join(secrets.choice(alphabet) for _ in range(5)) for _ in range(groups))
