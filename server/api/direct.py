"""The short way of a request to its endpoint, past FastAPI's layers, with the same answer.

FastAPI's own way costs several times what an endpoint does. A request that is plainly for one of our endpoints is
served here; all others (other addresses and methods, preflights, documents, requests with cookies) go the long way.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Generic, TypeVar

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from server.api import metrics
from server.api.call import at_once
from server.api.edge import EXPOSED, new_request_id
from server.api.routing import Endpoint, serve

_SAFE = (b"x-content-type-options", b"nosniff")
_UNCACHED = (b"cache-control", b"no-store")
_CORS = ((b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", ", ".join(EXPOSED).encode()))


Served = TypeVar("Served")

_Fixed = tuple[int, ...]
_Named = tuple[tuple[int, str], ...]


class Directory(Generic[Served]):
    """What is served, by method and the parts of its address."""

    def __init__(self, served: Iterable[tuple[str, str, Served]]) -> None:
        # by method and number of parts: the places of the fixed parts and the others' names, and what by the fixed
        self._known: dict[tuple[str, int], dict[tuple[_Fixed, _Named], dict[tuple[str, ...], Served]]] = {}
        for method, path, endpoint in served:
            parts = path.split("/")
            fixed = tuple(place for place, part in enumerate(parts) if part[:1] != "{")
            named = tuple((place, part[1:-1]) for place, part in enumerate(parts) if part[:1] == "{")
            kinds = self._known.setdefault((method, len(parts)), {})
            kinds.setdefault((fixed, named), {})[tuple(parts[place] for place in fixed)] = endpoint
        for key, kinds in self._known.items():  # what is fixed in more places is looked for first
            self._known[key] = dict(sorted(kinds.items(), key=lambda kind: -len(kind[0][0])))
        self._none: dict[tuple[_Fixed, _Named], dict[tuple[str, ...], Served]] = {}

    def find(self, method: str, path: str) -> tuple[Served, dict[str, str]] | None:
        """What an address is served by and the named parts of it; None where the long way has to judge."""
        given = path.split("/")
        for (fixed, named), endpoints in self._known.get((method, len(given)), self._none).items():
            endpoint = endpoints.get(tuple([given[place] for place in fixed]))
            if endpoint is not None:
                parts = {name: given[place] for place, name in named}
                return (endpoint, parts) if all(parts.values()) else None
        return None


class FirstHeaders(Headers):
    """A request's headers, found by name without looking through them again and again."""

    def __init__(self, raw: list[tuple[bytes, bytes]]) -> None:
        super().__init__(raw=raw)
        self._first = dict(reversed(raw))

    def __getitem__(self, key: str) -> str:
        return self._first[key.lower().encode("latin-1")].decode("latin-1")

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key.lower().encode("latin-1") in self._first


class DirectRequest(Request):
    """A request whose headers were looked at already."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        super().__init__(scope, receive, send)
        self._headers = headers


class DirectApp(FastAPI):
    """FastAPI with the short way before it."""

    directory: Directory[Endpoint] = Directory(())
    streams: Directory[ASGIApp] = Directory(())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] == "http" and not scope.get("root_path"):
            found = self.directory.find(scope["method"], scope["path"])
            if found is not None:
                headers = FirstHeaders(scope["headers"])
                if "cookie" not in headers:
                    scope["app"] = self
                    scope["path_params"] = found[1]
                    request = DirectRequest(scope, receive, send, headers)
                    await _answer(found[0], request, send, _CORS if "origin" in headers else ())
                    return
        elif scope["type"] == "websocket" and not scope.get("root_path"):
            stream = self.streams.find("GET", scope["path"])
            if stream is not None:  # and so a stream that lasts for hours doesn't hold a frame of each layer
                scope["app"] = self
                scope["path_params"] = stream[1]
                await stream[0](scope, receive, send)
                return
        await super().__call__(scope, receive, send)


async def _answer(endpoint: Endpoint, request: Request, send: Send, more: tuple[tuple[bytes, bytes], ...]) -> None:
    """Serves the request; `more` are headers that its answer has beside the usual ones."""
    scope = request.scope
    request_id, began = new_request_id(), time.perf_counter()
    response = await serve(endpoint, request)
    headers = [*response.raw_headers, (b"request-id", request_id.encode()), _SAFE, *more]
    if b"cache-control" not in dict(headers):
        headers.append(_UNCACHED)
    if "rummy_ratelimit" in scope:
        headers.append((b"ratelimit", scope["rummy_ratelimit"].encode("latin-1")))
    short = at_once(scope)
    if short is None or not short.answer(response.status_code, headers, response.body):
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": response.body})
    seconds = time.perf_counter() - began
    metrics.requests(endpoint.path, endpoint.method, response.status_code, seconds)
    scope["app"].state.services.tables.journal(
        "request", method=endpoint.method, path=endpoint.path, status=response.status_code,
        ms=round(seconds * 1000, 2), code=scope.get("rummy_code"), request_id=request_id,
    )  # fmt: skip
