"""JSON Schemas of what is sent: PLAYER, VIEW, EVENT, MOVE and the rest, for the OpenAPI and AsyncAPI documents."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
WHOLE: Schema = {"type": "integer"}
TRUTH: Schema = {"type": "boolean"}
TIME: Schema = {"type": "string", "format": "date-time"}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": 7}
CARD: Schema = {
    "type": "string",
    "pattern": "^([A2-9TJQK][CDHS]2?|X[1-4])$",
    "description": "Rank and suit; a `2` behind it for the second copy; jokers are X1 to X4.",
}


def ref(name: str) -> Schema:
    """A reference to a schema of this module."""
    return {"$ref": f"#/components/schemas/{name}"}


def many(item: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": item}


def maybe(schema: Schema) -> Schema:
    """Or null."""
    return {"oneOf": [schema, {"type": "null"}]}


def one_of(*values: str) -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(values)}


def thing(_optional: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """An object; more fields may be added to it in time."""
    fields = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {
        "type": "object",
        "required": [name for name in fields if name not in _optional],
        "properties": fields,
    }


def tagged(kind: str, _optional: tuple[str, ...] = (), /, **properties: Schema) -> Schema:
    """An object whose `type` is `kind`."""
    return thing(_optional, type={"const": kind}, **properties)


def event(kind: str, **properties: Schema) -> Schema:
    """An EVENT of one type."""
    return thing((), seq=WHOLE, type={"const": kind}, at=TIME, **properties)


ENDS = one_of("low", "high")
HANDS = many(maybe(many(CARD)))
MELD = ref("Meld")

MOVES: list[Schema] = [
    tagged("draw", ("card",), from_=one_of("stock", "pile"), card=CARD),
    tagged("take_back"),
    tagged("meld", ("ace",), cards=many(TEXT), ace=ENDS),
    tagged("lay_off", ("end",), card=TEXT, meld=TEXT, end=ENDS),
    tagged("discard", card=CARD),
    tagged("pass"),
    tagged("call_rummy", card=CARD),
]
EVENTS: list[Schema] = [
    event("seat_taken", seat=SEAT, player=ref("Player")),
    event("seat_left", seat=SEAT, status=one_of("open", "cpu_standing_in", "left")),
    event("seat_resumed", seat=SEAT),
    event("game_started", seats=many(thing(seat=SEAT, player=ref("Player"))), nonce=TEXT),
    event(
        "round_started", round=WHOLE, dealer=SEAT, pile=many(CARD), stock_count=WHOLE, hand_counts=many(WHOLE),
        hands=HANDS,
    ),
    event(
        "drew", seat=SEAT, from_=one_of("stock", "pile"), count=WHOLE, cards=maybe(many(CARD)), obligation=maybe(CARD),
        no_discard=maybe(CARD),
    ),
    event("took_back", seat=SEAT, cards=many(CARD)),
    event("melded", seat=SEAT, meld=MELD, points=WHOLE, table_points=WHOLE),
    event(
        "laid_off", seat=SEAT, card=CARD, as_=maybe(TEXT), meld_id=TEXT, end=maybe(ENDS), points=WHOLE,
        table_points=WHOLE,
    ),
    event("discarded", seat=SEAT, card=CARD),
    event("floated", seat=SEAT),
    event("passed", seat=SEAT),
    event("call_opened", callable=many(CARD), waiting=many(SEAT), deadline=maybe(TIME)),
    event("answered", seat=SEAT),
    event("call_closed", seat=maybe(SEAT), card=maybe(CARD), cards=maybe(many(CARD))),
    event("turn_started", seat=SEAT, phase=one_of("draw", "play"), deadline=maybe(TIME)),
    event("deadline_moved", seat=maybe(SEAT), deadline=maybe(TIME)),
    event(
        "round_ended", round=WHOLE, reason=one_of("out", "stock", "pass", "stalemate"), seat=maybe(SEAT),
        scores=many(ref("Score")), hands=many(many(CARD)),
    ),
    event(
        "game_ended", reason=one_of("target", "max_rounds", "left", "abandoned"), winners=many(SEAT),
        totals=many(WHOLE),
    ),
]  # fmt: skip
STATUS = one_of("waiting", "playing", "finished")
RULESET = thing(preset=TEXT, options={"type": "object"})
CLOCK = maybe(thing(turn_seconds=WHOLE, bank_seconds=WHOLE))
RESULT = maybe(thing(reason=TEXT, winners=many(SEAT), totals=many(WHOLE)))
PHASE = one_of("draw", "play", "call")

SCHEMAS: dict[str, Schema] = {
    "Player": thing(
        ("level",), id=TEXT, name=TEXT, kind=one_of("guest", "registered", "bot", "cpu"),
        level=one_of("easy", "normal", "expert"), ranking_points=WHOLE, rating=maybe(NUMBER),
    ),
    "Meld": thing(
        id=TEXT, kind=one_of("set", "run"), cards=many(thing(card=CARD, seat=SEAT, as_=maybe(TEXT))),
    ),
    "Score": thing(seat=SEAT, table=WHOLE, deadwood=WHOLE, score=WHOLE, total=WHOLE),
    "Move": {"oneOf": MOVES},
    "Event": {"oneOf": EVENTS},
    "View": thing(
        id=TEXT, version=WHOLE, status=STATUS, ruleset=RULESET, your_seats=many(SEAT), round=WHOLE, dealer=maybe(SEAT),
        turn=maybe(
            thing(seat=maybe(SEAT), phase=PHASE, obligation=maybe(CARD), no_discard=maybe(CARD), deadline=maybe(TIME))
        ),
        stock_count=WHOLE, pile=many(CARD), melds=many(MELD), seats=many(ref("SeatView")),
        call=maybe(thing(callable=many(CARD), waiting=many(SEAT), deadline=maybe(TIME))),
        last_round=maybe(
            thing(round=WHOLE, reason=TEXT, seat=maybe(SEAT), scores=many(ref("Score")), hands=many(many(CARD)))
        ),
        result=RESULT, visibility=one_of("public", "private"), spectators=TRUTH, invite=maybe(TEXT), watch=maybe(TEXT),
        clock=CLOCK, call_seconds=WHOLE, ranked=TRUTH, created_at=TIME, fairness=ref("Fairness"),
    ),
    "SeatView": thing(
        seat=SEAT, player=maybe(ref("Player")), status=one_of("open", "active", "away", "cpu_standing_in", "left"),
        hand_count=WHOLE, hand=maybe(many(CARD)), known=many(CARD), total=WHOLE, table_points=WHOLE,
        bank_seconds=maybe(NUMBER),
    ),
    "Fairness": thing(
        algorithm={"const": "hmac-sha256-fisher-yates-1"}, commitment=TEXT, nonce=maybe(TEXT), server_seed=maybe(TEXT),
    ),
    "Summary": thing(
        id=TEXT, status=STATUS, version=WHOLE, ruleset=RULESET,
        seats=many(thing(seat=SEAT, kind=one_of("open", "person", "cpu"), player=maybe(ref("Player")))),
        your_seats=many(SEAT),
        turn=maybe(thing(seat=maybe(SEAT), phase=PHASE, no_discard=maybe(CARD), deadline=maybe(TIME))),
        your_turn=TRUTH, visibility=one_of("public", "private"), spectators=TRUTH, clock=CLOCK, ranked=TRUTH,
        result=RESULT, created_at=TIME, updated_at=TIME,
    ),
    "Games": thing(items=many(ref("Summary")), next_cursor=maybe(TEXT)),
    "Events": thing(version=WHOLE, events=many(ref("Event"))),
    "LegalMoves": thing(version=WHOLE, items=many(ref("Move")), pile=many(ref("Fact"))),
    "Fact": thing(card=CARD, legal=TRUTH, takes=WHOLE, pays=many(ref("Move")), points=WHOLE),
    "Record": thing(
        ("position",), id=TEXT, rules_version=TEXT, ai_version=TEXT, ruleset=RULESET,
        seats=many(thing(seat=SEAT, player=maybe(ref("Player")))), fairness=ref("Fairness"),
        position={"type": "object"},
        moves=many(
            {
                "oneOf": [
                    thing(seq=WHOLE, seat=SEAT, move=ref("Move"), at=TIME, by=one_of("player", "cpu", "clock")),
                    thing(seq=WHOLE, seat=SEAT, left={"const": True}, at=TIME),
                ]
            }
        ),
        result=RESULT,
    ),
    "Notice": thing(
        ("version", "seat", "next"), seq=WHOLE, at=TIME,
        type=one_of(
            "game_started", "your_turn", "deadline_near", "call", "invited", "rematch", "game_finished", "message"
        ),
        game=TEXT, version=WHOLE, seat=SEAT, next=TEXT,
    ),
}  # fmt: skip
