"""The short way of a request to its endpoint, past FastAPI's layers, with the same answer.

FastAPI's own way costs several times what an endpoint does. A request that is plainly for one of our endpoints is
served here; all others (other addresses and methods, preflights, documents, requests with cookies) go the long way.
"""

from __future__ import annotations

import time

from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from server.api import metrics
from server.api.edge import EXPOSED, new_request_id
from server.api.routing import Endpoint, serve

_SAFE = (b"x-content-type-options", b"nosniff")
_UNCACHED = (b"cache-control", b"no-store")
_CORS = ((b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", ", ".join(EXPOSED).encode()))


class Directory:
    """The endpoints by method and the parts of their address."""

    def __init__(self, endpoints: list[Endpoint]) -> None:
        self._known: dict[tuple[str, int], list[tuple[list[str], Endpoint]]] = {}
        for endpoint in endpoints:
            parts = endpoint.path.split("/")
            self._known.setdefault((endpoint.method, len(parts)), []).append((parts, endpoint))

    def find(self, method: str, path: str) -> tuple[Endpoint, dict[str, str]] | None:
        """The endpoint of an address and the named parts of it; None where the long way has to judge."""
        given = path.split("/")
        for parts, endpoint in self._known.get((method, len(given)), ()):
            named: dict[str, str] = {}
            for wanted, part in zip(parts, given, strict=True):
                if wanted[:1] == "{" and part:
                    named[wanted[1:-1]] = part
                elif wanted != part:
                    break
            else:
                return endpoint, named
        return None


class DirectApp(FastAPI):
    """FastAPI with the short way before it."""

    directory = Directory([])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] == "http" and not scope.get("root_path"):
            found = self.directory.find(scope["method"], scope["path"])
            if found is not None:
                names = {name for name, _ in scope["headers"]}
                if b"cookie" not in names:
                    scope["app"] = self
                    scope["path_params"] = found[1]
                    await _answer(found[0], Request(scope, receive, send), send, _CORS if b"origin" in names else ())
                    return
        await super().__call__(scope, receive, send)


async def _answer(endpoint: Endpoint, request: Request, send: Send, more: tuple[tuple[bytes, bytes], ...]) -> None:
    """Serves the request; `more` are headers that its answer has beside the usual ones."""
    scope = request.scope
    request_id, began = new_request_id(), time.perf_counter()
    response = await serve(endpoint, request)
    headers = [*response.raw_headers, (b"request-id", request_id.encode()), _SAFE]
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append(_UNCACHED)
    if "rummy_ratelimit" in scope:
        headers.append((b"ratelimit", scope["rummy_ratelimit"].encode("latin-1")))
    headers += more
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.body})
    seconds = time.perf_counter() - began
    metrics.requests(endpoint.path, endpoint.method, response.status_code, seconds)
    scope["app"].state.services.tables.journal(
        "request", method=endpoint.method, path=endpoint.path, status=response.status_code,
        ms=round(seconds * 1000, 2), code=scope.get("rummy_code"), request_id=request_id,
    )  # fmt: skip
