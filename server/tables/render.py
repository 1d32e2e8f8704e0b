"""What viewers are shown: events, VIEWs, summaries and records, built up from public facts and the viewer's hands.

Viewers are masks of seats: a seat's own holder sees that hand, a spectator (0) none. An event is encoded once for
each kind of viewer that is told something else, not once for each viewer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from server import game as rules
from server.players import CPU_IDS, cpu_player
from server.tables.live import Live, Logged, TableEvent, stamp
from server.tables.ports import Row
from server.tables.setup import Setup

ALGORITHM = "hmac-sha256-fisher-yates-1"
FORMER: dict[str, Any] = {
    "id": "", "name": "former player", "kind": "guest", "ranking_points": 0, "rating": None,
}  # fmt: skip
People = Mapping[str, dict[str, Any]]


CPU_PLAYERS = {f"cpu:{level}": cpu_player(level) for level in CPU_IDS}


def player_of(name: str, people: People) -> dict[str, Any]:
    """The PLAYER behind a reference: a player's id or `cpu:LEVEL`."""
    found = CPU_PLAYERS.get(name) or people.get(name)
    return found if found is not None else FORMER | {"id": name}


def event_dict(logged: Logged, mask: int, people: People) -> dict[str, Any]:
    """One EVENT as those seats may see it."""
    event = logged.event
    if isinstance(event, TableEvent):
        told = {"seq": logged.seq, "type": event.type, "at": logged.at, **event.data}
        if event.type == "seat_taken":
            told["player"] = player_of(told["player"], people)
        elif event.type == "game_started":
            told["seats"] = [
                {"seat": entry["seat"], "player": player_of(entry["player"], people)} for entry in told["seats"]
            ]
        return told
    data = rules.event_json(event, mask)
    if "deadline" in data:
        data["deadline"] = logged.deadline
    return {"seq": logged.seq, "type": data.pop("type"), "at": logged.at, **data}


class Commit:
    """The events of one commit, encoded when first asked for by a kind of viewer."""

    __slots__ = ("_encoded", "_private", "events", "first", "names", "version")

    def __init__(self, events: tuple[Logged, ...]) -> None:
        self.events = events
        self.first = events[0].seq
        self.version = events[-1].seq
        self._encoded: dict[int, bytes] | None = None  # there are many commits, most of them told long ago
        private, names = 0, False
        for logged in events:
            if isinstance(logged.event, TableEvent):
                names = True
            else:
                private |= rules.private_to(logged.event)
        self._private = private
        self.names = names  # it may name people, whose names may change

    def encoded(self, mask: int, people: People) -> bytes:
        """The events as a JSON array."""
        kind = mask & self._private
        if self._encoded is None:
            self._encoded = {}
        found = self._encoded.get(kind)
        if found is None:
            found = orjson.dumps([event_dict(logged, kind, people) for logged in self.events])
            self._encoded[kind] = found
        return found

    def forget(self) -> None:
        """Drops what was encoded, once everybody has it."""
        self._encoded = None


def frame(version: int, events: bytes, view: bytes | None = None) -> bytes:
    """An `events` frame."""
    tail = b"}" if view is None else b',"view":' + view + b"}"
    return b'{"type":"events","version":%d,"events":%b%b' % (version, events, tail)


def told(commits: list[Commit], after: int, mask: int, people: People) -> bytes:
    """The events after version `after` of commits that nobody else is told of, as the inside of a JSON array."""
    late = [event_dict(logged, mask, people) for commit in commits for logged in commit.events if logged.seq > after]
    return orjson.dumps(late)[1:-1]


def joined(commits: list[Commit], after: int, mask: int, people: People) -> bytes:
    """The events after version `after`, of several commits, as one JSON array."""
    if len(commits) == 1 and commits[0].first > after and not commits[0].names:
        return commits[0].encoded(mask, people)
    parts: list[bytes] = []
    for commit in commits:
        whole = commit.first > after
        inside = commit.encoded(mask, people)[1:-1] if whole else told([commit], after, mask, people)
        if inside:
            parts.append(inside)
        commit.forget()
    return b"[" + b",".join(parts) + b"]"


def fairness(setup: Setup, live: Live, now: int) -> dict[str, Any]:
    """The seed's commitment, and the seed itself once it may be told."""
    open_now = live.status == "finished" and (setup.closes_at is None or now >= setup.closes_at)
    return {
        "algorithm": ALGORITHM,
        "commitment": setup.commitment,
        "nonce": live.nonce,
        "server_seed": setup.server_seed.hex() if open_now else None,
    }


def ruleset_json(setup: Setup) -> dict[str, Any]:
    """The ruleset in full."""
    return {"preset": setup.preset, "options": setup.options}


def seconds(milliseconds: int | None) -> int | float | None:
    """Milliseconds as seconds, whole where they are."""
    if milliseconds is None:
        return None
    whole, rest = divmod(milliseconds, 1000)
    return whole if not rest else milliseconds / 1000


_NOTHING: dict[str, Any] = {
    "round": 0, "dealer": None, "turn": None, "stock_count": 0, "pile": [], "melds": [], "call": None,
    "last_round": None,
}  # fmt: skip


def view(setup: Setup, live: Live, mask: int, people: People, away: frozenset[int], now: int) -> dict[str, Any]:
    """The VIEW of a viewer. `away`: seats whose player is not there."""
    told: dict[str, Any] = _NOTHING if live.state is None else rules.view_json(live.state, mask)
    deadline = None if live.deadline is None else stamp(live.deadline)
    turn, call = told["turn"], told["call"]
    if live.status != "playing":
        turn = call = None
    elif call is not None:
        call = {**call, "deadline": deadline}
    elif turn is not None:
        turn = {**turn, "deadline": deadline}
    seated = mask != 0
    return {
        "id": setup.game_id,
        "version": live.version,
        "status": live.status,
        "ruleset": ruleset_json(setup),
        "your_seats": [number for number in range(len(live.seats)) if mask >> number & 1],
        "round": told["round"],
        "dealer": told["dealer"],
        "turn": turn,
        "stock_count": told["stock_count"],
        "pile": told["pile"],
        "melds": told["melds"],
        "seats": _seats(live, told.get("seats"), mask, people, away),
        "call": call,
        "last_round": told["last_round"],
        "result": live.result,
        "visibility": setup.visibility,
        "spectators": setup.spectators,
        "invite": setup.invite if seated else None,
        "watch": setup.watch if seated else None,
        "clock": setup.clock.as_json() if setup.clock else None,
        "call_seconds": setup.call_seconds,
        "ranked": setup.counts,
        "created_at": stamp(setup.created_at),
        "fairness": fairness(setup, live, now),
    }


def _seats(
    live: Live, told: list[dict[str, Any]] | None, mask: int, people: People, away: frozenset[int]
) -> list[dict[str, Any]]:
    shown: list[dict[str, Any]] = []
    for number, seat in enumerate(live.seats):
        if told is not None:
            part = told[number]
        else:
            part = {
                "hand_count": 0, "hand": [] if mask >> number & 1 else None, "known": [], "total": 0, "table_points": 0,
            }  # fmt: skip
        reference = seat.player or (f"cpu:{seat.level}" if seat.kind == "cpu" else None)
        status = seat.status
        if status == "active" and number in away and seat.kind == "person":
            status = "away"
        shown.append(
            {
                "seat": number,
                "player": None if reference is None else player_of(reference, people),
                "status": status,
                "hand_count": part["hand_count"],
                "hand": part["hand"],
                "known": part["known"],
                "total": part["total"],
                "table_points": part["table_points"],
                "bank_seconds": seconds(seat.bank),
            }
        )
    return shown


def stored_summary(live: Live) -> dict[str, Any]:
    """What is kept beside the game for lists; players as references."""
    turn: dict[str, Any] | None = None
    state = live.state
    if live.status == "playing" and state is not None:
        seat, kept = state.turn_seat, state.no_discard
        if seat is not None and len(state.hands[seat]) <= 1:
            kept = None
        turn = {
            "seat": seat,
            "phase": state.phase,
            "no_discard": None if kept is None else rules.card_name(kept),
            "deadline": None if seat is None or live.deadline is None else stamp(live.deadline),
        }
    return {
        "seats": [
            {
                "kind": seat.kind,
                "player": seat.player or (f"cpu:{seat.level}" if seat.kind == "cpu" else None),
                "gone": seat.gone,
            }
            for seat in live.seats
        ],
        "turn": turn,
        "waiting": list(live.waiting),
        "result": live.result,
    }


def references(summary: dict[str, Any]) -> list[str]:
    """The players' ids in a stored summary."""
    return [seat["player"] for seat in summary["seats"] if seat["player"] and not seat["player"].startswith("cpu:")]


def summary(
    setup: Setup, status: str, version: int, kept: dict[str, Any], updated_at: str, caller: str | None, people: People
) -> dict[str, Any]:
    """A SUMMARY as `caller` may see it."""
    mine = [
        number
        for number, seat in enumerate(kept["seats"])
        if caller is not None and seat["player"] == caller and not seat["gone"]
    ]
    return {
        "id": setup.game_id,
        "status": status,
        "version": version,
        "ruleset": ruleset_json(setup),
        "seats": [
            {
                "seat": number,
                "kind": seat["kind"],
                "player": None if seat["player"] is None else player_of(seat["player"], people),
            }
            for number, seat in enumerate(kept["seats"])
        ],
        "your_seats": mine,
        "turn": kept["turn"],
        "your_turn": any(number in mine for number in kept["waiting"]),
        "visibility": setup.visibility,
        "spectators": setup.spectators,
        "clock": setup.clock.as_json() if setup.clock else None,
        "ranked": setup.counts,
        "result": kept["result"],
        "created_at": stamp(setup.created_at),
        "updated_at": updated_at,
    }


def record(setup: Setup, live: Live, rows: list[Row], people: People, now: int) -> dict[str, Any]:
    """The RECORD of a finished game."""
    moves: list[dict[str, Any]] = []
    for row in rows:
        entry = row.entry
        if entry["k"] == "move":
            moves.append(
                {
                    "seq": row.seq, "seat": entry["seat"], "move": entry["move"], "at": stamp(row.at),
                    "by": entry["by"],
                }
            )  # fmt: skip
        elif entry["k"] == "left":
            moves += [{"seq": row.seq, "seat": seat, "left": True, "at": stamp(row.at)} for seat in entry["seats"]]
    told: dict[str, Any] = {
        "id": setup.game_id,
        "rules_version": setup.rules_version,
        "ai_version": setup.ai_version,
        "ruleset": ruleset_json(setup),
        "seats": [
            {
                "seat": number,
                "player": player_of(seat.player or f"cpu:{seat.cpu_level}", people) if seat.kind != "open" else None,
            }
            for number, seat in enumerate(live.seats)
        ],
        "fairness": fairness(setup, live, now),
    }
    if setup.position is not None:
        told["position"] = setup.position
    told["moves"] = moves
    told["result"] = live.result
    return told
