"""The presets: one entry each, all options in the order of the option table (R8)."""

from collections.abc import Mapping
from typing import Final

_PAGAT: Final[dict[str, object]] = {
    "seats": (2, 8),
    "packs": "auto",
    "jokers": 0,
    "deal": (13, 7),
    "pile_depth": "any",
    "top_discard": "free",
    "stock_exhausted": "play_on",
    "card_points": "face",
    "low_ace_points": 1,
    "joker_points": "fifteen",
    "going_out": "any",
    "final_discard": "any",
    "call_rummy": False,
    "partners": False,
    "on_leave": "auto",
    "target": 500,
    "max_rounds": 100,
}

KNOBS: Final[Mapping[str, Mapping[str, object]]] = {
    "classic": {
        **_PAGAT,
        "seats": (2, 4),
        "deal": (10, 7),
        "top_discard": "must_meld",
        "stock_exhausted": "end",
        "low_ace_points": 15,
    },
    "pagat": _PAGAT,
    "party": {**_PAGAT, "jokers": 2, "call_rummy": True},
    "nickel": {**_PAGAT, "card_points": "five_ten_fifteen", "low_ace_points": 5},
    "house_float": {**_PAGAT, "jokers": 2, "going_out": "float", "final_discard": "unplayable", "call_rummy": True},
    "partnership": {**_PAGAT, "seats": (4, 8), "partners": True},
}
