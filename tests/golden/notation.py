"""Moves as a few words, for records that people read: `draw`, `draw 7H`, `meld 7H 8H X1=9H`, `lay off 4C m2 low`."""

from typing import Any

Json = dict[str, Any]


def move_text(move: Json) -> str:
    """The move in words."""
    match move["type"]:
        case "draw":
            return "draw" if move["from"] == "stock" else f"draw {move['card']}"
        case "meld":
            ace = f" ace {move['ace']}" if "ace" in move else ""
            return f"meld {' '.join(move['cards'])}{ace}"
        case "lay_off":
            end = f" {move['end']}" if "end" in move else ""
            return f"lay off {move['card']} {move['meld']}{end}"
        case "discard":
            return f"discard {move['card']}"
        case "call_rummy":
            return f"call {move['card']}"
        case kind:
            return {"pass": "pass", "take_back": "take back"}[kind]


def text_move(text: str) -> Json:
    """The move that the words say."""
    match text.split():
        case ["draw"]:
            return {"type": "draw", "from": "stock"}
        case ["draw", card]:
            return {"type": "draw", "from": "pile", "card": card}
        case ["meld", *cards, "ace", where]:
            return {"type": "meld", "cards": cards, "ace": where}
        case ["meld", *cards]:
            return {"type": "meld", "cards": cards}
        case ["lay", "off", card, meld, *end]:
            return {"type": "lay_off", "card": card, "meld": meld} | ({"end": end[0]} if end else {})
        case ["discard", card]:
            return {"type": "discard", "card": card}
        case ["call", card]:
            return {"type": "call_rummy", "card": card}
        case ["pass"]:
            return {"type": "pass"}
        case ["take", "back"]:
            return {"type": "take_back"}
    raise ValueError(text)
