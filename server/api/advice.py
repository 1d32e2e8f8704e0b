"""Hints and reviews over HTTP."""

from __future__ import annotations

from starlette.responses import Response

from server.api.call import Call, answer
from server.api.games import day_over, known
from server.api.routing import Query, Routes
from server.errors import Refused
from server.tables import Advice, Table, own_seat

routes = Routes("Advice")

SEAT = (Query("seat", "Which of the caller's seats.", {"type": "integer"}),)


async def _seat(call: Call) -> tuple[Table, int]:
    """The game, and the caller's seat in it."""
    table = await known(call)
    me = call.me.player_id
    if not table.live.seats_of(me):
        raise Refused("forbidden", "Only those who sit at the table get advice.")
    return table, own_seat(table.live, me, call.integer("seat", None, -(2**31), 2**31))


def advice(call: Call) -> Advice:
    """The service of hints and reviews."""
    found: Advice = call.services.more["advice"]
    return found


@routes.add(
    "GET", "/games/{id}/hint", "What the expert would do", query=SEAT, limit="write",
    refusals=("not_found", "forbidden", "malformed", "game_not_running", "not_your_turn"),
    answer_example={
        "version": 12, "move": {"type": "meld", "cards": ["7H", "8H", "9H"]},
        "reason": {"code": "meld_now", "params": {"points": 24}},
    },
)  # fmt: skip
async def get_hint(call: Call) -> Response:
    """The expert's move from the caller's own view; in unranked games only."""
    table, seat = await _seat(call)
    live = table.live
    if table.setup.counts:
        raise Refused("forbidden", "There are no hints in ranked games.")
    if live.status != "playing":
        raise Refused("game_not_running", "The game is not being played.", version=live.version)
    if seat not in live.waiting:
        raise Refused("not_your_turn", f"Seat {seat} is not to move.", version=live.version)
    return answer(await advice(call).hint(table, seat))


@routes.add(
    "GET", "/games/{id}/review", "What the expert would have done", query=SEAT, limit="make",
    refusals=("not_found", "forbidden", "malformed", "game_not_finished"),
    answer_example={
        "items": [
            {
                "seq": 6, "round": 1, "move": {"type": "discard", "card": "2C"},
                "best": {"type": "discard", "card": "KD"}, "loss": 7.5,
                "reason": {"code": "feeds", "params": {"card": "2C"}},
            }
        ]
    },
)  # fmt: skip
async def get_review(call: Call) -> Response:
    """For each of the caller's moves in a finished game, the expert's with what the caller knew then."""
    table, seat = await _seat(call)
    day_over(call, table, "reviews")
    if table.live.status != "finished":
        raise Refused("game_not_finished", "The review opens when the game is over.", version=table.version)
    return answer({"items": await advice(call).review(table, seat)})
