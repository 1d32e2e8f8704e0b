"""What a player may be called: 1–24 grapheme clusters that a reader can see.

A name is trimmed and put into NFC before it is kept. Refused are control characters, anything invisible or
direction-changing, and whole names that read as a reserved word in whatever case, width or look-alike script.
Joiners, variation selectors and tags are let through only inside an emoji.
"""

from __future__ import annotations

import unicodedata
from typing import Final

import regex

LONGEST: Final = 24
RESERVED: Final = frozenset({"cpu", "admin", "system", "server"})
FORMER: Final = "former player"

_CLUSTER: Final = regex.compile(r"\X")
_CLUSTER_POINTS: Final = 16  # the longest emoji sequences have 10; a taller stack of marks spills over other rows
_EMOJI: Final = regex.compile(
    r"\U0001F3F4[\U000E0020-\U000E007E]{1,6}\U000E007F"  # the flags of England, Scotland, Wales, …
    r"|(?:\p{Extended_Pictographic}|\p{Emoji}\uFE0F)(?:\uFE0F|\p{Emoji_Modifier})?\u20E3?"
    r"(?:\u200D\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)*"
)
_UNSEEN: Final = regex.compile(
    r"[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]"
)
_ODD_SPACE: Final = regex.compile(r"[\p{Zs}--[ \u3000]]", regex.VERSION1)
_MARK: Final = regex.compile(r"\p{M}")
_LOOKALIKES: Final = str.maketrans(
    "аԁеіјмпорԛѕтуѵхԝсгԍвһкαβεικμνορτυχϲϳɑɡıɩոսօꜱᴀᴄᴅᴇɪᴍɴᴘʀᴛᴜᴠʏ",
    "adeijmnopqstyvxwcrgbhkabeikmvoptuxcjagiinuosacdeimnprtuvy",
)


class BadName(ValueError):
    """A name that cannot be taken; `detail` goes on from "the name …"."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def clean_name(given: str) -> str:
    """The name of a player as it is kept; raises BadName.

    >>> clean_name("  Bea ")
    'Bea'
    >>> clean_name("Admin")
    Traceback (most recent call last):
    ...
    server.players.names.BadName: is a word kept for the server itself: choose another
    """
    name = checked_label(given)
    if skeleton(name) in RESERVED:
        raise BadName("is a word kept for the server itself: choose another")
    return name


def checked_label(given: str) -> str:
    """A short text that a person gave something, as it is kept: as for a name, reserved words aside."""
    if len(given) > 16 * LONGEST * _CLUSTER_POINTS:
        raise BadName(f"may have at most {LONGEST} characters")
    if _UNSEEN.search(_EMOJI.sub("", given)):
        raise BadName("must hold no control, invisible or direction-changing characters")
    name = unicodedata.normalize("NFC", given.strip())
    if not _MARK.sub("", name).strip():
        raise BadName("must have at least one character that can be seen by itself")
    if _ODD_SPACE.search(name):
        raise BadName("must have ordinary spaces between its words")
    clusters = _CLUSTER.findall(name)
    if len(clusters) > LONGEST:
        raise BadName(f"may have at most {LONGEST} characters; this one has {len(clusters)}")
    if any(len(cluster) > _CLUSTER_POINTS for cluster in clusters):
        raise BadName("has a character with too many marks on it")
    return name


def skeleton(name: str) -> str:
    """What a name reads as at a glance: one case, one width, one script, no marks.

    >>> skeleton("ＣРU"), skeleton("Ѕуstеm")
    ('cpu', 'system')
    """
    wide = unicodedata.normalize("NFKC", name).casefold().translate(_LOOKALIKES)
    bare: str = _MARK.sub("", unicodedata.normalize("NFD", wide))
    return bare.translate(_LOOKALIKES).strip()
