"""Answers as the documents show them."""

from __future__ import annotations

from typing import Any

PLAYER: dict[str, Any] = {
    "id": "c1f0e8a49d7b4c52a1e35f60b7d98c24", "name": "Ann", "kind": "guest", "ranking_points": 0, "rating": None,
}  # fmt: skip
CPU: dict[str, Any] = {
    "id": "5be80f3c6a1d47e29c73d05f18a64b92", "name": "Normal", "kind": "cpu", "level": "normal",
    "ranking_points": 0, "rating": None,
}  # fmt: skip
GAME_ID = "7a3b9c1e5d2f4a8896c0e1b2d3f4a5b6"
FAIRNESS: dict[str, Any] = {
    "algorithm": "hmac-sha256-fisher-yates-1", "commitment": "9f86d081…", "nonce": "any text|", "server_seed": None,
}  # fmt: skip
VIEW: dict[str, Any] = {
    "id": GAME_ID,
    "version": 12,
    "status": "playing",
    "ruleset": {"preset": "pagat", "options": {"target": 500}},
    "your_seats": [0],
    "round": 1,
    "dealer": 1,
    "turn": {"seat": 0, "phase": "play", "obligation": "7H", "no_discard": None, "deadline": None},
    "stock_count": 25,
    "pile": ["5C"],
    "melds": [
        {
            "id": "m1",
            "kind": "run",
            "cards": [
                {"card": "4S", "seat": 0, "as": None},
                {"card": "5S", "seat": 1, "as": None},
                {"card": "6S", "seat": 0, "as": None},
            ],
        }
    ],
    "seats": [
        {
            "seat": 0, "player": PLAYER, "status": "active", "hand_count": 2, "hand": ["2C", "7H"], "known": ["7H"],
            "total": 115, "table_points": 10, "bank_seconds": None,
        },
        {
            "seat": 1, "player": CPU, "status": "active", "hand_count": 9, "hand": None, "known": [], "total": 40,
            "table_points": 5, "bank_seconds": None,
        },
    ],
    "call": None,
    "last_round": None,
    "result": None,
    "visibility": "private",
    "spectators": True,
    "invite": "K7M2QX4TBN",
    "watch": "J3W8PZ6RVD",
    "clock": None,
    "call_seconds": 5,
    "ranked": True,
    "created_at": "2026-11-29T12:00:00.000Z",
    "fairness": FAIRNESS,
}  # fmt: skip
EVENT: dict[str, Any] = {"seq": 13, "type": "discarded", "at": "2026-11-29T12:00:07.250Z", "seat": 0, "card": "2C"}
EVENTS: dict[str, Any] = {"version": 13, "events": [EVENT]}
SUMMARY: dict[str, Any] = {
    "id": GAME_ID, "status": "playing", "version": 12, "ruleset": VIEW["ruleset"],
    "seats": [{"seat": 0, "kind": "person", "player": PLAYER}, {"seat": 1, "kind": "cpu", "player": CPU}],
    "your_seats": [0], "turn": {"seat": 0, "phase": "play", "no_discard": None, "deadline": None}, "your_turn": True,
    "visibility": "private", "spectators": True, "clock": None, "ranked": True, "result": None,
    "created_at": "2026-11-29T12:00:00.000Z", "updated_at": "2026-11-29T12:00:07.250000Z",
}  # fmt: skip
SERVER: dict[str, Any] = {
    "name": "Rummy 500", "version": "0.1.0", "api": "1", "rules_version": "1", "ai_version": "1",
    "features": ["table_mode", "clocks"], "limits": {"body_bytes": 65536, "frame_bytes": 16384, "read": "1200/minute"},
    "languages": ["en"], "now": "2026-11-29T12:00:00.000Z",
}  # fmt: skip
RULESETS: dict[str, Any] = {
    "items": [{"preset": "pagat", "options": {"seats": [2, 8], "target": 500}}], "schema": {"type": "object"},
}  # fmt: skip
RULES: dict[str, Any] = {
    "preset": "pagat", "options": {"seats": [2, 8], "target": 500},
    "text": [{"rule": "R7.2", "line": "The game is played to 500 points."}],
}  # fmt: skip
LEGAL: dict[str, Any] = {
    "version": 12,
    "items": [{"type": "draw", "from": "stock"}, {"type": "draw", "from": "pile", "card": "7H"}],
    "pile": [
        {
            "card": "7H", "legal": True, "takes": 1, "points": 21,
            "pays": [{"type": "meld", "cards": ["6H", "7H", "8H"]}],
        }
    ],
}  # fmt: skip
RECORD: dict[str, Any] = {
    "id": GAME_ID, "rules_version": "1", "ai_version": "1", "ruleset": VIEW["ruleset"],
    "seats": [{"seat": 0, "player": PLAYER}, {"seat": 1, "player": CPU}],
    "fairness": FAIRNESS | {"server_seed": "5f2c…"},
    "moves": [
        {"seq": 5, "seat": 0, "move": {"type": "draw", "from": "stock"}, "at": EVENT["at"], "by": "player"},
        {"seq": 6, "seat": 0, "move": {"type": "discard", "card": "2C"}, "at": EVENT["at"], "by": "player"},
    ],
    "result": {"reason": "target", "winners": [0], "totals": [515, 320]},
}  # fmt: skip
