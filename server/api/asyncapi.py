"""`/asyncapi.json`: the streams and their frames in machine form."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from server.api import examples
from server.api.openapi import PROBLEM_SCHEMA
from server.api.schemas import SCHEMAS, SEAT, TEXT, TIME, TRUTH, WHOLE, Schema, many, ref, tagged

RESULT: Schema = {
    "oneOf": [
        tagged("result", id=TEXT, ok={"const": True}, version=WHOLE, now=TIME),
        tagged("result", id=TEXT, ok={"const": False}, problem=ref("Problem")),
    ]
}
FRAMES: dict[str, tuple[str, Schema, Any]] = {
    "snapshot": (
        "The viewer's whole VIEW: first, unless `after` was given, and after a `sync`.",
        tagged("snapshot", view=ref("View"), now=TIME),
        {"type": "snapshot", "view": examples.VIEW, "now": "2026-11-29T12:00:07.250Z"},
    ),
    "events": (
        "One commit, in order, none missing, none twice; with `views=1` the VIEW too.",
        tagged("events", ("view",), version=WHOLE, events=many(ref("Event")), view=ref("View")),
        {"type": "events", **examples.EVENTS},
    ),
    "result": (
        "The answer to a move; the move's own events come before it.",
        RESULT,
        {"type": "result", "id": "m-17", "ok": True, "version": 13, "now": "2026-11-29T12:00:07.250Z"},
    ),
    "presence": (
        "A seat's player came or went.",
        tagged("presence", seat=SEAT, online=TRUTH),
        {"type": "presence", "seat": 1, "online": True},
    ),
    "pong": (
        "The answer to a ping; by itself every 20 seconds on a quiet stream.",
        tagged("pong", ("version", "seq"), version=WHOLE, seq=WHOLE, now=TIME),
        {"type": "pong", "version": 13, "now": "2026-11-29T12:00:27.250Z"},
    ),
    "move": (
        "A move; the `id` makes it happen once, on later connections too.",
        tagged("move", ("seat", "if_version"), id=TEXT, move=ref("Move"), seat=SEAT, if_version=WHOLE),
        {"type": "move", "id": "m-17", "move": {"type": "draw", "from": "stock"}, "if_version": 12},
    ),
    "sync": ("Asks for a snapshot.", tagged("sync"), {"type": "sync"}),
    "ping": ("Asks for a pong.", tagged("ping"), {"type": "ping"}),
    "games": (
        "The public games there are.",
        tagged("games", items=many(ref("Summary"))),
        {"type": "games", "items": [examples.SUMMARY]},
    ),
    "game": (
        "A public game that is new or changed its seats or status.",
        tagged("game", item=ref("Summary")),
        {"type": "game", "item": examples.SUMMARY},
    ),
    "gone": ("A public game that is over.", tagged("gone", id=TEXT), {"type": "gone", "id": examples.GAME_ID}),
    "notice": (
        "What a player must know anywhere; come back with the last `seq` as `after`.",
        ref("Notice"),
        {"seq": 4, "at": "2026-11-29T12:00:07.250Z", "type": "your_turn", "game": examples.GAME_ID, "seat": 0},
    ),
}  # fmt: skip
CHANNELS: dict[str, tuple[str, str, tuple[str, ...], tuple[str, ...], dict[str, str]]] = {
    "table": (
        "/v1/games/{id}/stream",
        ("The live table. Query: `after` (a version to resume from), `views=1`, `watch`. Close codes: 4400 malformed, "
        "4401 no valid token, 4403 not allowed, 4404 no such game, 4408 too slow, 4429 too many, 1009 frame over "
        "16 KiB, 1012 restarting (come back with `after`), 1013 try again later."),
        ("snapshot", "events", "result", "presence", "pong"),
        ("move", "sync", "ping"),
        {"id": "The game."},
    ),
    "lobby": (
        "/v1/lobby", "Public games that wait or are played.", ("games", "game", "gone", "pong"), ("sync", "ping"), {},
    ),
    "own": ("/v1/me/stream", "A player's notices. Query: `after`, a `seq`.", ("notice", "pong"), ("ping",), {}),
}  # fmt: skip


@cache
def document(title: str, version: str) -> bytes:
    """The AsyncAPI 3.0 document."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for name, (address, description, sent, taken, parameters) in CHANNELS.items():
        channel: dict[str, Any] = {
            "address": address,
            "description": description,
            "messages": {message: {"$ref": f"#/components/messages/{message}"} for message in (*sent, *taken)},
            "bindings": {"ws": {"method": "GET"}},
        }
        if parameters:
            channel["parameters"] = {key: {"description": text} for key, text in parameters.items()}
        channels[name] = channel
        for action, listed in (("send", sent), ("receive", taken)):
            operations[f"{name}.{action}"] = {
                "action": action,
                "channel": {"$ref": f"#/channels/{name}"},
                "messages": [{"$ref": f"#/channels/{name}/messages/{message}"} for message in listed],
            }
    messages = {
        name: {
            "name": name,
            "summary": summary,
            "contentType": "application/json",
            "payload": schema,
            "examples": [{"payload": example}],
        }
        for name, (summary, schema, example) in FRAMES.items()
    }
    security = {
        "bearer": {"type": "http", "scheme": "bearer", "description": "Or the subprotocols rummy500.v1, bearer.TOKEN."}
    }
    return orjson.dumps(
        {
            "asyncapi": "3.0.0",
            "info": {
                "title": f"{title}: streams",
                "version": version,
                "description": "The server's side: `send` is what the server sends. Frames are JSON text.",
            },
            "defaultContentType": "application/json",
            "channels": channels,
            "operations": operations,
            "components": {
                "messages": messages,
                "schemas": {**SCHEMAS, "Problem": PROBLEM_SCHEMA},
                "securitySchemes": security,
            },
        }
    )


async def page(request: Request) -> Response:
    """The document."""
    app = request.app
    return Response(document(app.title, app.version), media_type="application/json")
