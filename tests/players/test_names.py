"""Names: what is kept, and what is refused."""

import pytest

from server.players.names import BadName, clean_name, skeleton

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Bea ", "Bea"),
        ("e\u0301", "é"),
        ("x" * 24, "x" * 24),
        ("ไพ่รัมมี่", "ไพ่รัมมี่"),
        ("Ann\u00a0", "Ann"),
        (FAMILY * 24, FAMILY * 24),
        (SCOTLAND + "1\ufe0f\u20e3", SCOTLAND + "1\ufe0f\u20e3"),
        ("\U0001f44b\U0001f3fd \u2764\ufe0f\u200d\U0001f525", "\U0001f44b\U0001f3fd \u2764\ufe0f\u200d\U0001f525"),
        ("<svg/onload=alert()>", "<svg/onload=alert()>"),
        ("cpu 2", "cpu 2"),
        ("Администратор", "Администратор"),
    ],
)
def test_a_name_is_kept_trimmed_and_composed(given: str, kept: str) -> None:
    """A name that can be seen is kept in NFC, whatever its script, emoji sequences whole."""
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "", "   ", "x" * 25, FAMILY * 25, "a\u202eb", "a\u200bb", "a\u0000b", "a\nb", "a\tb", "a\u2066b", "a\u200db",
        "a\ufe0fb", "\u2800", "\u3164", "\u115f", "a\u00adb", "a\u034fb", "\ud800", "\ufdd0", "a\u00a0b", "\u0301",
        "a" + "\u0301" * 40, "\U0001f600\U000e0041", "\U0001f469\u200d", "x" * 100_000,
    ],
)  # fmt: skip
def test_what_cannot_be_seen_is_refused(given: str) -> None:
    """Empty, too long, invisible, direction-changing and towering names are refused with a reason."""
    with pytest.raises(BadName) as refused:
        clean_name(given)
    assert refused.value.detail


@pytest.mark.parametrize(
    "given",
    [
        "cpu",
        "CPU",
        "Admin",
        "SYSTEM",
        "sErVeR",
        "ＡＤＭＩＮ",
        "ｃｐｕ",
        "сpu",
        "СРU",
        "аdmin",
        "Αdmin",
        "ѕуѕtеm",
        "ADMİN",
        "ädmin",
    ],
)
def test_reserved_words_are_refused_in_any_dress(given: str) -> None:
    """The server's own words are refused in every case, width and look-alike script."""
    with pytest.raises(BadName):
        clean_name(given)


def test_lookalikes_share_a_skeleton() -> None:
    """Names that read alike can be told by their skeletons."""
    assert {skeleton(name) for name in ("Ann", "\uff21nn", "\u0430nn", "\u0410nn")} == {"ann"}
