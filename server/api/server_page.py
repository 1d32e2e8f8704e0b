"""The server's own page, the rulesets, commitments, and what tells an operator how it is."""

from __future__ import annotations

import hashlib
import os
import secrets
from typing import Any, cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server import ai
from server import game as rules
from server.api import examples, limits, metrics
from server.api.call import MAX_BODY, Call, answer, parse_json
from server.api.routing import Query, Routes, effect_id
from server.errors import FieldError, Refused, malformed
from server.tables import Rules, rules_of, stamp

routes = Routes("Server")

FEATURES = [
    "table_mode", "positions", "call_rummy", "partners", "clocks", "presence", "lobby", "hints", "reviews", "daily",
    "leaderboards",
]  # fmt: skip
LANGUAGES = ["en", "ms", "th", "id", "sw", "eo"]


@routes.add("GET", "/server", "What this server is", auth="optional", answer_example=examples.SERVER)
async def server(call: Call) -> Response:
    """Versions, features, limits, languages and the time."""
    services = call.services
    return answer(
        {
            "name": services.name,
            "version": services.version,
            "api": "1",
            "rules_version": rules.RULES_VERSION,
            "ai_version": ai.AI_VERSION,
            "features": FEATURES,
            "limits": {
                "body_bytes": MAX_BODY,
                "frame_bytes": 16384,
                "streams_per_token": limits.MAX_STREAMS_OF_A_TOKEN,
                "unused_commitments": 20,
                **{name: token for name, (token, _, _) in limits.CLASSES.items()},
            },
            "languages": LANGUAGES,
            "now": stamp(services.tables.clock.now()),
        }
    )


@routes.add("GET", "/rulesets", "The presets and the options", auth="optional", answer_example=examples.RULESETS)
async def rulesets(_call: Call) -> Response:
    """Every preset in full, and a JSON Schema of the options."""
    items = [{"preset": name, "options": dict(options)} for name, options in rules.PRESETS.items()]
    return answer({"items": items, "schema": rules.OPTIONS_SCHEMA})


@routes.add(
    "GET", "/rulesets/{preset}/rules", "The rules of a table in plain words", auth="optional",
    answer_example=examples.RULES,
    refusals=("not_found", "malformed", "bad_ruleset"),
    query=(Query("options", "Options that differ from the preset's, as URL-encoded JSON."),),
)  # fmt: skip
async def ruleset_rules(call: Call) -> Response:
    """What a table with this ruleset plays, each contested point in one line."""
    preset = call.path("preset")
    if preset not in rules.PRESETS:
        raise Refused("not_found", "There is no such preset.")
    text = call.text("options")
    try:
        options = parse_json(text) if text else {}
    except Refused:
        options = None
    if not isinstance(options, dict):
        raise malformed("options", "must be a JSON object")
    chosen = _for_some_table(preset, options)
    return answer({"preset": preset, "options": chosen.options, "text": rules.rules_text(chosen.ruleset)})


def _for_some_table(preset: str, options: dict[str, Any]) -> Rules:
    """The ruleset at the smallest table that may play it; refused as the smallest table is, where none may."""
    seats = options.get("seats")
    pair = isinstance(seats, list) and len(seats) == 2 and all(type(end) is int for end in seats)
    low, high = cast("tuple[int, int]", seats if pair else rules.PRESETS[preset]["seats"])
    fewest = max(2, min(low, 8))
    for number in range(fewest, min(high, 8) + 1):
        try:
            return rules_of(preset, options, number)
        except rules.BadRuleset:
            continue
    return ruleset_of(preset, options, fewest)


def ruleset_of(preset: str, options: dict[str, Any], seats: int) -> Rules:
    """A ruleset from a request; `bad_ruleset` names the option."""
    try:
        return rules_of(preset, options, seats)
    except rules.BadRuleset as bad:
        said = bad.detail if bad.option in bad.detail else f"`{bad.option}`: {bad.detail}"
        raise Refused(
            "bad_ruleset", f"{said[0].upper()}{said[1:]}.", rule="R8", errors=(FieldError(bad.option, bad.detail),)
        ) from None


@routes.add(
    "POST", "/commitments", "Have a seed fixed beforehand", scope="play", status=201, limit="make",
    refusals=("rate_limited", "malformed"),
    answer_example={"id": "2f6b…", "commitment": "9f86d081…", "number": 1},
)  # fmt: skip
async def new_commitment(call: Call) -> Response:
    """A seed fixed before the player says a word about the game; for one game of that player."""
    await call.no_body()
    made = await call.services.tables.store.new_commitment(
        call.me.player_id, effect_id(call) or secrets.token_hex(16), os.urandom(32)
    )
    if made is None:
        raise Refused("rate_limited", "Twenty commitments are unused; use one first.", retry_after=60)
    commitment_id, seed, number = made
    return answer({"id": commitment_id, "commitment": hashlib.sha256(seed).hexdigest(), "number": number}, 201)


async def healthz(_request: Request) -> Response:
    """The process runs."""
    return JSONResponse({"status": "ok"})


async def readyz(request: Request) -> Response:
    """The process can serve: the database answers and the bus is not deaf."""
    services = getattr(request.app.state, "services", None)
    faults = ["starting"] if services is None else await services.faults()
    return JSONResponse({"status": "ready" if not faults else "not ready", "faults": faults}, 503 if faults else 200)


async def metrics_page(_request: Request) -> Response:
    """Counts for Prometheus."""
    body, kind = metrics.text()
    return Response(body, media_type=kind)
