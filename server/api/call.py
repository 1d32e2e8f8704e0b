"""One HTTP request as an endpoint sees it: who calls, its query, its body, and answers in JSON.

Bodies are read only when an endpoint asks for them, so that refusals come in the order of the contract: who the
caller is, whether the thing exists, whether it is allowed, and only then what the body says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from server.api.wrong_fields import wrong
from server.errors import FieldError, Refused, malformed
from server.tables import needs_token

if TYPE_CHECKING:
    from server.api.services import Services
    from server.players import Caller

MAX_BODY = 64 * 1024
MAX_DEPTH = 32
JSON = "application/json"
PROBLEM = "application/problem+json"

Model = TypeVar("Model", bound=BaseModel)


class Call:
    """A request being answered. `caller` is None without a token."""

    __slots__ = ("_raw", "caller", "request", "services")

    def __init__(self, request: Request, services: Services, caller: Caller | None) -> None:
        self.request = request
        self.services = services
        self.caller = caller
        self._raw: bytes | None = None

    @property
    def me(self) -> Caller:
        """The caller, who must have come with a token."""
        if self.caller is None:
            raise needs_token()
        return self.caller

    def need_scope(self, scope: str) -> None:
        """Refuses a named token that lacks a scope."""
        if self.caller is not None and scope not in self.caller.scopes:
            raise Refused("forbidden", f"This token lacks the scope `{scope}`.")

    def path(self, name: str) -> str:
        """A part of the path; nothing has a NUL in its id."""
        value: str = self.request.path_params[name]
        if "\x00" in value:
            raise Refused("not_found", "There is nothing at this address.")
        return value

    # --- the query

    def text(self, name: str) -> str | None:
        """A query parameter as text, None where absent; a NUL in it is malformed."""
        value = self.request.query_params.get(name)
        if value is not None and "\x00" in value:
            raise malformed(name, "must not hold a NUL")
        return value

    def integer(self, name: str, default: int | None, low: int, high: int | None = None) -> int | None:
        """A whole number in the query, from `low` to `high`."""
        value = self.text(name)
        if value is None:
            return default
        sign = value.removeprefix("-")
        if not (sign.isascii() and sign.isdigit() and len(sign) <= 18):
            raise malformed(name, "must be a whole number")
        number = int(value)
        if number < low or (high is not None and number > high):
            raise malformed(name, f"must be {low} or more" if high is None else f"must be from {low} to {high}")
        return number

    def count(self, name: str, default: int, low: int, high: int) -> int:
        """Like `integer`, with a default."""
        value = self.integer(name, default, low, high)
        assert value is not None
        return value

    def choice(self, name: str, values: tuple[str, ...]) -> str | None:
        """One of a few words in the query, None where absent."""
        value = self.text(name)
        if value is not None and value not in values:
            raise malformed(name, f"must be one of {', '.join(values)}")
        return value

    # --- the body

    async def raw(self) -> bytes:
        """The body's bytes; more than 64 KiB are refused without being read."""
        if self._raw is None and (short := at_once(self.request.scope)) is not None:
            self._raw = short.body()
            if self._raw is not None and len(self._raw) > MAX_BODY:
                raise too_large()
        if self._raw is None:
            length = self.request.headers.get("content-length", "")
            if length.isdigit() and int(length) > MAX_BODY:
                raise too_large()
            parts: list[bytes] = []
            size = 0
            async for part in self.request.stream():
                size += len(part)
                if size > MAX_BODY:
                    raise too_large()
                parts.append(part)
            self._raw = b"".join(parts)
        return self._raw

    async def json(self) -> Any:
        """The body parsed; no body gives None."""
        raw = await self.raw()
        return parse_json(raw) if raw else None

    async def body(self, model: type[Model]) -> Model:
        """The body as `model`; an absent body counts as `{}`."""
        value = await self.json()
        return validate(model, {} if value is None else value)

    async def no_body(self) -> None:
        """Refuses a body that says anything."""
        value = await self.json()
        if value is not None and value != {}:
            if not isinstance(value, dict):
                raise malformed("body", "must be a JSON object")
            raise unknown_fields(value)


def at_once(scope: Scope) -> Any:
    """The short way of a request and its answer (`server.cli.http.AtOnce`), None under another server than ours."""
    found = scope.get("extensions", {}).get("rummy500.at_once")
    return None if found is None else found["request"]


def too_large() -> Refused:
    """The refusal of a body over the limit."""
    return Refused("too_large", f"A body may hold at most {MAX_BODY} bytes.")


def unknown_fields(names: Iterable[str]) -> Refused:
    """The refusal of fields that nobody named."""
    errors = tuple(FieldError(str(name)[:100], "is not a field of this request") for name in list(names)[:20])
    return Refused("malformed", "The body holds a field that this request does not have.", errors=errors)


def parse_json(raw: bytes | str) -> Any:
    """JSON text parsed; refused as `malformed` where it is none, or holds a NUL in a string."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise malformed("body", "must be JSON in UTF-8") from None
    if _may_be_deep(raw) and _is_deeper(value, MAX_DEPTH):
        raise malformed("body", f"must not be nested more than {MAX_DEPTH} levels deep")
    if (b"\\u0000" in raw) if isinstance(raw, bytes) else ("\\u0000" in raw):
        _no_nul(value, "body")
    return value


def _may_be_deep(raw: bytes | str) -> bool:
    """Whether there are brackets enough; most bodies are spared the closer look."""
    if isinstance(raw, bytes):
        return raw.count(b"[") + raw.count(b"{") > MAX_DEPTH
    return raw.count("[") + raw.count("{") > MAX_DEPTH


def _is_deeper(value: Any, depth: int) -> bool:
    level = [value]
    for _ in range(depth + 1):
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
    return bool(level)


def _no_nul(value: Any, where: str) -> None:
    if isinstance(value, str):
        if "\x00" in value:
            raise malformed(where, "must not hold a NUL")
    elif isinstance(value, dict):
        for name, part in value.items():
            _no_nul(name, where)
            _no_nul(part, name if where == "body" else f"{where}.{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _no_nul(part, f"{where}.{index}")


def validate(model: type[Model], value: Any) -> Model:
    """`value` (parsed JSON) as `model`; refused as `malformed` with the fields that are wrong."""
    if not isinstance(value, dict):
        raise malformed("body", "must be a JSON object")
    try:
        return model.model_validate(value, strict=True)
    except ValidationError as error:
        raise refused_fields(error) from None


def refused_fields(error: ValidationError) -> Refused:
    """A validation error as a `malformed` refusal that names each field and says nothing else of the input."""
    errors: list[FieldError] = []
    for entry in error.errors(include_url=False, include_input=False)[:20]:
        field = ".".join(str(part) for part in entry["loc"]) or "body"
        errors.append(FieldError(field[:200], wrong(entry)))
    first = errors[0]
    return Refused("malformed", f"`{first.field}` {first.detail}", errors=tuple(errors))


def digest(value: Any) -> bytes:
    """A fingerprint of parsed JSON that does not depend on spaces or the order of keys."""
    return hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).digest()


def answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A JSON answer; `value` may be bytes that are JSON already."""
    content = value if isinstance(value, bytes) else orjson.dumps(value)
    return Response(content, status, headers, JSON)


def nothing() -> Response:
    """204."""
    return Response(status_code=204)


def refusal_response(refused: Refused) -> Response:
    """The problem document of a refusal as a response."""
    headers = {}
    if refused.retry_after is not None:
        headers["Retry-After"] = str(refused.retry_after)
    if refused.code == "unauthenticated":
        headers["WWW-Authenticate"] = "Bearer"
    return Response(orjson.dumps(refused.problem()), refused.status, headers, PROBLEM)
