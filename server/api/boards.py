"""The daily deal, leaderboards and players' pages (WIRE.md, Daily deal, leaderboards)."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from starlette.responses import Response

from server.api import examples
from server.api.boards_wire import BoardAnswer, BoardsAnswer, DayAnswer, PlayerPageAnswer
from server.api.call import Call, answer
from server.api.games import view_bytes
from server.api.routing import Query, Routes
from server.api.times import moment
from server.boards import BOARDS, PERIODS, PROVISIONAL, Boards, Daily, Day, Line, View, margin_of, rounds_of
from server.boards.games import OPPONENT, daily_ruleset
from server.errors import Refused
from server.players import player_dict

routes = Routes("boards")

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
PAGE = (
    Query("cursor", "`next_cursor` or `previous_cursor` of an earlier page."),
    Query("limit", "Rows on a page.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
    Query("registered", "true: registered players only.", {"type": "string", "enum": ["true", "false"]}),
)
PERIOD = Query("period", "Of the present month or week, or all time.", {"type": "string", "enum": list(PERIODS)})
EXAMPLE_ROW: dict[str, Any] = {
    "rank": 1,
    "player": {
        "id": "3f1c9a70e5d84b2c8a6e0d7b5f4c2e19", "name": "Ann", "kind": "registered", "ranking_points": 240,
        "rating": None,
    },
    "score": 240,
    "games": ["b7e2d9145c0f4a3e9d1867f2a05c3b84"],
}  # fmt: skip
EXAMPLE_PLAYER_PAGE: dict[str, Any] = {
    "player": EXAMPLE_ROW["player"], "games": 12, "wins": {"pagat": {"normal": 3}}, "streak": 2,
    "best": {"pagat": {"margin": 310, "game": "7a3b9c1e5d2f4a8896c0e1b2d3f4a5b6"}}, "provisional": True,
    "rating_history": [],
}  # fmt: skip
EXAMPLE_PAGE: dict[str, Any] = {"items": [EXAMPLE_ROW], "next_cursor": None, "previous_cursor": None, "you": None}
EXAMPLE_DAY: dict[str, Any] = {
    "date": "2026-02-28",
    "ruleset": {"preset": "pagat"},
    "opponents": [{"level": "normal"}],
    "commitment": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "closes_at": "2026-03-02T00:00:00.000Z",
    "your_game": None,
    "server_seed": None,
}


def boards_of(call: Call) -> Boards:
    """The service of leaderboards."""
    found: Boards = call.services.more["boards"]
    return found


def daily_of(call: Call) -> Daily:
    """The service of daily deals."""
    found: Daily = call.services.more["daily"]
    return found


def _date(call: Call) -> date:
    """The date in the path; anything that is none is not found."""
    text = call.path("date")
    try:
        if not _DATE.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        raise Refused("not_found", "Daily deals are named by their date, such as 2027-01-31.") from None


def _caller(call: Call) -> str | None:
    return None if call.caller is None else call.caller.player_id


def _day(day: Day) -> dict[str, Any]:
    return {
        "date": day.date.isoformat(),
        "ruleset": daily_ruleset(),
        "opponents": [{"level": OPPONENT}],
        "commitment": day.commitment,
        "closes_at": moment(day.closes_at),
        "your_game": day.your_game,
        "server_seed": None if day.server_seed is None else day.server_seed.hex(),
    }


async def _view(call: Call, game_id: str, status: int) -> Response:
    """The caller's VIEW of a game just made, or found again."""
    table = await call.services.tables.fresh(game_id)
    assert table is not None, "the game was made by this request, or by an earlier one"
    seats = table.live.seats_of(call.me.player_id)
    body = await view_bytes(call, table, seats, as_made=status == 201)
    return answer(body, status, {"Location": f"/v1/games/{game_id}"})


def _line(board: str, line: Line) -> dict[str, Any]:
    told: dict[str, Any] = {"rank": line.row.rank, "player": player_dict(line.player)}
    if board == "day":
        told |= {"score": margin_of(line.row.score), "rounds": rounds_of(line.row.score)}
    elif board == "rating":
        told |= {"score": line.row.score / 100, "provisional": line.player.rated_games < PROVISIONAL}
    else:
        told["score"] = line.row.score
    return told | {"games": list(line.row.games)}


def _page(board: str, view: View) -> Response:
    return answer(
        {
            "items": [_line(board, line) for line in view.lines],
            "next_cursor": view.next_cursor,
            "previous_cursor": view.previous_cursor,
            "you": None if view.you is None else _line(board, view.you),
        }
    )


def _board(call: Call) -> str:
    board = call.path("board")
    if board not in BOARDS:
        raise Refused("not_found", f"There is no such board: there are {', '.join(BOARDS)}.")
    return board


def _registered(call: Call) -> bool:
    return call.choice("registered", ("true", "false")) == "true"


@routes.add("GET", "/daily", "Today's deal", auth="optional", answer=DayAnswer, answer_example=EXAMPLE_DAY)
async def get_daily(call: Call) -> Response:
    """The deal of this UTC date: the same packs, dealer and replies for everybody, one try for each player."""
    return answer(_day(await daily_of(call).today(_caller(call))))


@routes.add(
    "POST", "/daily/games", "Play today's deal",
    scope="play", status=201, also=200, answer={"type": "object"}, answer_example=examples.VIEW,
    refusals=("forbidden",),
    limit="make",
)  # fmt: skip
async def play_daily(call: Call) -> Response:
    """Makes the caller's one game of today (201), or gives it again (200); a VIEW."""
    await call.no_body()
    game_id, begun = await daily_of(call).play(call.me.player_id)
    return await _view(call, game_id, 201 if begun else 200)


@routes.add(
    "GET", "/daily/{date}", "A date's deal",
    auth="optional", answer=DayAnswer, answer_example=EXAMPLE_DAY, refusals=("not_found",),
)  # fmt: skip
async def get_daily_of(call: Call) -> Response:
    """A past deal, or the commitment of one of the next seven days. `server_seed` is there once the day has closed."""
    return answer(_day(await daily_of(call).day(_date(call), _caller(call))))


@routes.add(
    "GET", "/daily/{date}/leaderboard", "A date's board",
    auth="optional", query=PAGE, answer=BoardAnswer, answer_example=EXAMPLE_PAGE, refusals=("not_found",),
)  # fmt: skip
async def get_daily_leaderboard(call: Call) -> Response:
    """Who did best on a date: by the margin over the opponent, then fewer rounds. Never changes once closed."""
    day = await daily_of(call).day(_date(call))
    view = await boards_of(call).day_page(
        day.date,
        _caller(call),
        limit=call.count("limit", 20, 1, 100),
        registered=_registered(call),
        cursor=call.text("cursor"),
    )
    return _page("day", view)


async def known_day(call: Call) -> date:
    """The date of the path, where there is a deal of that day."""
    day = _date(call)
    await daily_of(call).day(day)
    return day


@routes.add(
    "POST", "/daily/{date}/practice", "Practise a past deal",
    scope="play", status=201, answer={"type": "object"}, answer_example=examples.VIEW,
    refusals=("forbidden", "not_found"), limit="make", first=known_day,
)  # fmt: skip
async def practise_daily(call: Call) -> Response:
    """An unranked game with a closed day's packs, dealer and replies; a VIEW."""
    day = await known_day(call)
    await call.no_body()
    game_id = await daily_of(call).practise(call.me.player_id, day)
    return await _view(call, game_id, 201)


@routes.add(
    "GET", "/leaderboards", "The boards there are", auth="optional", answer=BoardsAnswer,
    answer_example={"items": [{"board": "ranking", "periods": ["all", "month", "week"]}]},
)  # fmt: skip
async def list_leaderboards(call: Call) -> Response:
    """The boards and the periods that each is kept for."""
    del call  # the same for everybody
    return answer({"items": [{"board": board, "periods": list(PERIODS)} for board in BOARDS]})


@routes.add(
    "GET", "/leaderboards/{board}", "A board",
    auth="optional", query=(PERIOD, *PAGE), answer=BoardAnswer, answer_example=EXAMPLE_PAGE,
    refusals=("not_found",),
)  # fmt: skip
async def get_leaderboard(call: Call) -> Response:
    """Rows from the highest score down; equal scores share a rank. Following pages show the board as on the first."""
    board = _board(call)
    view = await boards_of(call).page(
        board,
        call.choice("period", PERIODS) or "all",
        _caller(call),
        limit=call.count("limit", 20, 1, 100),
        registered=_registered(call),
        cursor=call.text("cursor"),
    )
    return _page(board, view)


@routes.add(
    "GET", "/leaderboards/{board}/around-me", "A board about the caller",
    scope="read", query=(PERIOD, *PAGE[1:]), answer=BoardAnswer, answer_example=EXAMPLE_PAGE,
    refusals=("not_found",),
)  # fmt: skip
async def get_around_me(call: Call) -> Response:
    """The caller's row with those above and below it; no rows where the caller has none."""
    board = _board(call)
    view = await boards_of(call).around(
        board,
        call.choice("period", PERIODS) or "all",
        call.me.player_id,
        limit=call.count("limit", 20, 1, 100),
        registered=_registered(call),
    )
    return _page(board, view)


@routes.add(
    "GET", "/players/{id}", "A player's page", auth="optional", answer=PlayerPageAnswer, refusals=("not_found",),
    answer_example=EXAMPLE_PLAYER_PAGE,
)  # fmt: skip
async def get_player(call: Call) -> Response:
    """Games, wins by preset and level, the streak of dailies, best margins, and the rating over time."""
    player_id = call.path("id")
    if len(player_id) > 100:
        raise Refused("not_found", "There is no such player.")
    player, career, streak = await boards_of(call).player_page(player_id)
    wins: dict[str, dict[str, int]] = {}
    for preset, level, count in career.wins:
        wins.setdefault(preset, {})[level or "people"] = count
    history = career.ratings if player.registered else ()
    return answer(
        {
            "player": player_dict(player),
            "games": career.games,
            "wins": wins,
            "streak": streak,
            "best": {best.preset: {"margin": best.margin, "game": best.game_id} for best in career.best},
            "provisional": player.rated_games < PROVISIONAL,
            "rating_history": [
                {"at": moment(entry.at), "rating": entry.score / 100, "game": entry.game_id} for entry in history
            ],
        }
    )
