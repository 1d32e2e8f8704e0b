"""The one tree of refusals: every code of the contract, with its HTTP status and title.

`Refused` is what any part of the server raises when a request cannot be granted; the API turns it into a problem
document or a `result` frame. The order of `CODES` is the order in which codes are given where two would fit.
"""

from __future__ import annotations

from dataclasses import dataclass

CODES: dict[str, tuple[int, str]] = {
    "unauthenticated": (401, "No valid token"),
    "not_found": (404, "No such thing"),
    "method_not_allowed": (405, "This method is not for this address"),
    "forbidden": (403, "Not allowed"),
    "too_large": (413, "The body is too large"),
    "malformed": (422, "The request is not well formed"),
    "idempotency_mismatch": (422, "This key was used for another request"),
    "bad_ruleset": (422, "No such ruleset"),
    "bad_position": (422, "No such position"),
    "game_not_running": (409, "The game is not running"),
    "game_not_finished": (409, "The game is not finished"),
    "version_conflict": (409, "The game has moved on"),
    "seat_taken": (409, "The seat is taken"),
    "already_seated": (409, "You have a seat already"),
    "username_taken": (409, "The user name is taken"),
    "not_your_turn": (409, "It is not your turn"),
    "wrong_phase": (409, "Not in this phase of the turn"),
    "card_not_in_hand": (422, "The card is not in your hand"),
    "card_not_in_pile": (422, "The card is not in the pile"),
    "stock_empty": (422, "The stock is empty"),
    "no_such_meld": (422, "There is no such meld"),
    "not_a_meld": (422, "The cards make no meld"),
    "ambiguous": (422, "The cards can be read in more than one way"),
    "does_not_extend": (422, "The card does not extend the meld"),
    "cannot_use_card": (422, "The card could not be used"),
    "must_use_card": (422, "The card taken must be used first"),
    "must_keep_a_card": (422, "A card must be kept for the discard"),
    "discard_forbidden": (422, "This card may not be discarded now"),
    "final_discard_playable": (422, "The last card could be laid off"),
    "not_callable": (422, "The card cannot be called"),
    "rate_limited": (429, "Too many requests"),
    "internal": (500, "A fault of the server"),
    "unavailable": (503, "Not available at the moment"),
}


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field that is wrong: its path (`seats.1.level`) and what it should be."""

    field: str
    detail: str


class Refused(Exception):
    """A request that is not granted: a code of `CODES` and a sentence for the person who asked.

    `rule` cites the rules (`R5.2`), `version` is the game's present version, `errors` name the fields that are wrong,
    `retry_after` is in seconds.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        rule: str | None = None,
        version: int | None = None,
        errors: tuple[FieldError, ...] = (),
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code, detail)
        assert code in CODES, code
        self.code = code
        self.detail = detail
        self.rule = rule
        self.version = version
        self.errors = errors
        self.retry_after = retry_after

    @property
    def status(self) -> int:
        """The HTTP status of the code."""
        return CODES[self.code][0]

    def problem(self) -> dict[str, object]:
        """The problem document (RFC 9457) as a dict."""
        status, title = CODES[self.code]
        body: dict[str, object] = {
            "type": f"urn:rummy500:problem:{self.code}",
            "title": title,
            "status": status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.rule is not None:
            body["rule"] = self.rule
        if self.version is not None:
            body["version"] = self.version
        if self.errors:
            body["errors"] = [{"field": error.field, "detail": error.detail} for error in self.errors]
        return body


def malformed(field: str, detail: str) -> Refused:
    """A `malformed` refusal that names one field."""
    return Refused("malformed", f"`{field}` {detail}", errors=(FieldError(field, detail),))


def unavailable(detail: str = "A part of the service is away; try again shortly.", retry_after: int = 1) -> Refused:
    """An `unavailable` refusal with Retry-After."""
    return Refused("unavailable", detail, retry_after=retry_after)
