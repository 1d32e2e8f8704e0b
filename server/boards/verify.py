"""A finished game checked from its record alone: seed, deals, every move, every CPU player's choice, the scores.

Nothing is asked of a server or a database, so that whoever has the record can check the server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from server import ai
from server import game as rules

Told = dict[str, Any]
MOST_PROBLEMS: Final = 20


@dataclass(slots=True)
class Report:
    """What a check found. `problems` is empty when the record is right; `notes` say what could not be checked."""

    game: str
    moves: int = 0
    cpu_moves: int = 0
    rounds: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether everything that was checked is right."""
        return not self.problems


class _Wrong(Exception):
    """The record cannot be followed any further."""


def verify(record: object, *, choices: bool = True) -> Report:
    """Checks a record as `GET /v1/games/{id}/record` gives it; `choices` false leaves the CPU players' choices out."""
    if not isinstance(record, dict):
        return Report("?", problems=["this is no record: a record is a JSON object"])
    told = record
    report = Report(str(told.get("id", "?")))
    try:
        _Replay(told, report, choices=choices).run()
    except _Wrong as wrong:
        report.problems.append(str(wrong))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        report.problems.append(f"this is no whole record: {type(error).__name__} {error}")
    return report


class _Replay:
    """A game played again from its record."""

    def __init__(self, record: Told, report: Report, *, choices: bool) -> None:
        fairness = record["fairness"]
        if fairness["server_seed"] is None:
            raise _Wrong("the seed is not told yet")
        self.record = record
        self.report = report
        self.seed = bytes.fromhex(fairness["server_seed"])
        self.seats: list[Told] = record["seats"]
        self.ruleset = rules.make_ruleset(record["ruleset"]["preset"], record["ruleset"]["options"], len(self.seats))
        self.levels = [_level(seat) for seat in self.seats]
        self.gone: set[int] = set()
        self.events: list[rules.Event] = []  # of the present round
        self.count = 0
        self.least = len(self.seats) + 1  # the version that the game is at: the least it can be
        self.choices = choices and self._same_versions()
        if hashlib.sha256(self.seed).hexdigest() != fairness["commitment"]:
            report.problems.append("the seed is not the one that was committed to")

    def run(self) -> None:
        """Plays everything again and compares the result."""
        nonce, moves = self.record["fairness"]["nonce"], self.record["moves"]
        if nonce is None:
            if moves:
                raise _Wrong("there are moves in a game that never began")
            return
        self.state, events = self._start(nonce)
        self._take_in(events)
        for _, entries in groupby(moves, key=lambda entry: (entry["seq"], "left" in entry)):
            group = list(entries)
            if "left" in group[0]:
                self._check_place(group[0], f"leaving (seq {group[0]['seq']})")
                self.least += len(group)
                self._leave([entry["seat"] for entry in group])
            else:
                for entry in group:
                    self._move(entry)
            if len(self.report.problems) >= MOST_PROBLEMS:
                raise _Wrong("and perhaps more")
        self._compare()

    def _same_versions(self) -> bool:
        if self.record["rules_version"] != rules.RULES_VERSION:
            raise _Wrong(
                f"made by rules version {self.record['rules_version']}; this program has {rules.RULES_VERSION}"
            )
        if self.record["ai_version"] != ai.AI_VERSION:
            was = self.record["ai_version"]
            self.report.notes.append(f"CPU players' choices not made again: theirs is {was}, ours {ai.AI_VERSION}")
            return False
        return True

    def _start(self, nonce: str) -> tuple[rules.State, tuple[rules.Event, ...]]:
        position = self.record.get("position")
        if position is not None:
            return rules.from_position(self.ruleset, len(self.seats), position, self.seed, nonce)
        return rules.start(self.ruleset, len(self.seats), self.seed, nonce)

    def _take_in(self, events: tuple[rules.Event, ...]) -> None:
        self.least += len(events)
        for event in events:
            if rules.event_json(event, 0)["type"] == "round_started":
                self.events.clear()
                self.report.rounds += 1
            self.events.append(event)

    def _move(self, entry: Told) -> None:
        seat, where = entry["seat"], f"move {self.count} (seq {entry['seq']}, seat {entry['seat']})"
        try:
            move = rules.parse_move(entry["move"])
        except rules.MalformedMove as bad:
            raise _Wrong(f"{where} is no move: {bad}") from bad
        refused = rules.refusal(self.state, seat, move)
        if refused is not None:
            raise _Wrong(f"{where} is not legal: {refused.detail} ({refused.rule})")
        self._check_author(entry, where)
        self._check_place(entry, where)
        self.state, events = rules.apply(self.state, seat, move)
        self._take_in(events)
        self.count += 1
        self.report.moves = self.count

    def _check_place(self, entry: Told, where: str) -> None:
        """`seq` is the version before the entry: at least as many events as the record leads to, and more by those that
        it does not tell of (seats left before the game, seats given back in it).
        """
        if entry["seq"] < self.least:
            self.report.problems.append(f"{where}: there are {self.least} events or more before it")
        self.least = max(self.least, entry["seq"])

    def _check_author(self, entry: Told, where: str) -> None:
        seat, by = entry["seat"], entry["by"]
        if by == "clock":
            expected = rules.move_json(rules.clock_move(self.state, seat))
            if entry["move"] != expected:
                self.report.problems.append(f"{where}: the clock plays {expected}, not {entry['move']}")
        elif by == "cpu":
            self.report.cpu_moves += 1
            if self.choices:
                chosen = self._choice(seat)
                if chosen != entry["move"]:
                    self.report.problems.append(f"{where}: the CPU player chooses {chosen}, not {entry['move']}")
        elif self.levels[seat] is not None or seat in self.gone:
            self.report.problems.append(f"{where}: nobody sat there to play it")

    def _choice(self, seat: int) -> Told:
        """What the CPU player of a seat chooses, knowing what that seat was shown."""
        mask = 1 << seat
        view = {
            "version": 0,
            "status": "playing",
            "ruleset": {"preset": self.record["ruleset"]["preset"], "options": self.ruleset.options()},
            "your_seats": [seat],
            **rules.view_json(self.state, mask),
        }
        events = [rules.event_json(event, mask) for event in self.events]
        legal = [rules.move_json(move) for move in rules.legal_moves(self.state, seat)]
        choose: Callable[..., Told] = ai.choose
        return choose(self.levels[seat] or "normal", view, events, legal, rules.cpu_seed(self.seed, seat, self.count))

    def _leave(self, seats: list[int]) -> None:
        """R7.4."""
        self.gone.update(seats)
        people = [seat for seat, level in enumerate(self.levels) if level is None and seat not in self.gone]
        if self.ruleset.leaving_forfeits:
            self.state, events = rules.leave_forfeit(self.state, *seats)
        elif not people:
            self.state, events = rules.abandon(self.state)
        else:
            return
        self._take_in(events)

    def _compare(self) -> None:
        told = self.record["result"]
        if not self.state.finished and told["reason"] == "abandoned":
            self.state, events = rules.abandon(self.state)
            self._take_in(events)
        if not self.state.finished:
            self.report.problems.append("the moves stop before the end of the game")
        elif self.state.result != told:
            self.report.problems.append(f"played again the result is {self.state.result}, the record says {told}")


def _level(seat: Told) -> str | None:
    player = seat["player"]
    if player is None or player["kind"] != "cpu":
        return None
    level: str = player["level"]
    return level
