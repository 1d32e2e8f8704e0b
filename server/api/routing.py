"""How an endpoint is declared, and what happens around it: limits, who calls, idempotency, refusals.

An endpoint is a function from a `Call` to a response, with what it needs and gives written beside it. It becomes a
FastAPI route, so that OpenAPI knows it, but is served without FastAPI's parsing of parameters: bodies are checked
after authentication, and answers are ready-made bytes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import structlog
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from server.api.call import Call, digest, parse_json, refusal_response
from server.api.services import Services
from server.errors import Refused, malformed, unavailable
from server.players import Caller
from server.tables import needs_token

log = structlog.get_logger("api")

MAX_PATH_PART = 128

Handler = Callable[[Call], Awaitable[Response]]
Check = Callable[[Call], Awaitable[object]]
Auth = Literal["none", "optional", "required"]


@dataclass(frozen=True, slots=True)
class Query:
    """A query parameter, for the OpenAPI document."""

    name: str
    description: str
    schema: dict[str, Any] = field(default_factory=lambda: {"type": "string"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One call of the API and all that is said of it."""

    method: str
    path: str
    handler: Handler
    summary: str
    tag: str
    auth: Auth
    scope: str | None
    body: type[BaseModel] | None
    example: Any
    status: int
    answer: type[BaseModel] | dict[str, Any] | None
    answer_example: Any
    refusals: tuple[str, ...]
    query: tuple[Query, ...]
    idempotent: bool
    limit: str
    also: int | None = None  # another status that a good answer may have
    keyed: bool = False  # takes an Idempotency-Key, be it kept here or with the move
    first: Check | None = None  # what is looked at before a token's scope and the key: is it there at all


class Routes:
    """The endpoints of one module."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.endpoints: list[Endpoint] = []

    def add(
        self,
        method: str,
        path: str,
        summary: str,
        *,
        auth: Auth = "required",
        scope: str | None = None,
        body: type[BaseModel] | None = None,
        example: Any = None,
        status: int = 200,
        answer: type[BaseModel] | dict[str, Any] | None = None,
        answer_example: Any = None,
        refusals: tuple[str, ...] = (),
        query: tuple[Query, ...] = (),
        idempotent: bool | None = None,
        limit: str = "read",
        also: int | None = None,
        keyed: bool = False,
        first: Check | None = None,
    ) -> Callable[[Handler], Handler]:
        """Declares an endpoint.

        `scope`: what a named token must have ("play" to act, "account" for what named tokens may never do); checked
        before the handler, but not before `first`, which refuses what the caller may not know of. `idempotent` (by
        default every authenticated POST): the Idempotency-Key header is kept; `keyed`: the handler keeps it.
        `limit`: the class of rate limit (`read`, `write`, `make`, `guest`, `secret`).
        """

        def declare(handler: Handler) -> Handler:
            keeps = idempotent if idempotent is not None else method == "POST" and auth == "required"
            self.endpoints.append(
                Endpoint(
                    method, "/v1" + path, handler, summary, self.tag, auth, scope, body, example, status, answer,
                    answer_example, refusals, query, keeps, limit, also, keeps or keyed, first,
                )
            )  # fmt: skip
            return handler

        return declare


class ServedRoute(APIRoute):
    """A FastAPI route whose requests go straight to `serve`."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        super().__init__(path, endpoint, **more)
        self.endpoint_of_ours: Endpoint = endpoint.__rummy_endpoint__  # type: ignore[attr-defined]
        self.app = self._serve

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        response = await serve(self.endpoint_of_ours, request)
        await response(scope, receive, send)


async def serve(endpoint: Endpoint, request: Request) -> Response:
    """Answers one request; every refusal is a problem document, every fault a logged 500 without details."""
    services: Services = request.app.state.services
    try:
        return await _answer(endpoint, request, services)
    except Refused as refused:
        request.scope["rummy_code"] = refused.code
        return refusal_response(refused)
    except ClientDisconnect:
        return Response(status_code=499)
    except Exception as error:
        if services.is_outage(error):
            log.warning("part_away", path=endpoint.path, error=type(error).__name__)
            return refusal_response(unavailable())
        log.exception("fault", path=endpoint.path)
        return refusal_response(Refused("internal", "A fault of the server; it was logged."))


async def _answer(endpoint: Endpoint, request: Request, services: Services) -> Response:
    token = bearer(request.headers.get("authorization"))
    await services.limiter.check_address(request, endpoint.limit)
    caller = await authenticate(services, token)
    if caller is not None:
        await services.limiter.check_token(request, endpoint.limit, caller.token_id)
    if caller is None and endpoint.auth == "required":
        raise needs_token()
    call = Call(request, services, caller)
    if any("\x00" in part or len(part) > MAX_PATH_PART for part in request.path_params.values()):
        raise Refused("not_found", "There is nothing at this address.")
    try:
        if endpoint.scope is not None:
            call.need_scope(endpoint.scope)
        key = idempotency_key(request) if endpoint.idempotent and caller is not None else None
    except Refused:
        if endpoint.first is not None:
            await endpoint.first(call)
        raise
    if key is not None:
        return await _answer_once(endpoint, call, key)
    return await endpoint.handler(call)


def bearer(header: str | None) -> str | None:
    """The token of an Authorization header; "" where the header is there but is no bearer token."""
    if header is None:
        return None
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""


async def authenticate(services: Services, token: str | None) -> Caller | None:
    """Who a token belongs to; a token that is wrong is refused everywhere."""
    if token is None:
        return None
    caller = await services.players.authenticate(token) if token else None
    if caller is None:
        raise Refused("unauthenticated", "The token is not valid (any more).")
    return caller


def idempotency_key(request: Request) -> str | None:
    """The Idempotency-Key header, checked; None where absent."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (1 <= len(key) <= 128 and all("!" <= letter <= "~" for letter in key)):
        raise malformed("Idempotency-Key", "must be 1 to 128 visible ASCII characters")
    return key


async def _answer_once(endpoint: Endpoint, call: Call, key: str) -> Response:
    """Runs the endpoint at most once for a player, path and key, and keeps the answer."""
    raw = await call.raw()
    try:
        print_of_body = digest(parse_json(raw) if raw else {})
    except Refused:
        print_of_body = digest(raw.hex())
    answers = call.services.answers
    kept = await answers.reserve(call.me.player_id, call.request.scope["path"], key, print_of_body)
    if kept.mismatch:
        raise Refused("idempotency_mismatch", "This Idempotency-Key was used with another body.")
    if kept.answer is not None:
        status, headers, body = kept.answer
        return Response(body, status, headers)
    call.request.scope["rummy_effect"] = kept.effect
    call.request.scope["rummy_again"] = kept.again
    try:
        response = await endpoint.handler(call)
    except Refused as refused:
        response = refusal_response(refused)
    except BaseException:
        await answers.release(kept)
        raise
    if response.status_code in (401, 429) or response.status_code >= 500:
        await answers.release(kept)
    else:
        headers = {name: value for name, value in response.headers.items() if name in ("location", "content-type")}
        await answers.keep(kept, response.status_code, headers, bytes(response.body))
    return response


def effect_id(call: Call) -> str | None:
    """The id that what this keyed request makes must have, so that a repeat after a crash makes nothing twice."""
    effect: str | None = call.request.scope.get("rummy_effect")
    return effect


def ran_before(call: Call) -> bool:
    """Whether this keyed request was begun before and had no answer: what it does may be done already."""
    return bool(call.request.scope.get("rummy_again"))
