"""The FastAPI application: endpoints, streams, the documents and the client's files."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp

from server.api import docs, openapi
from server.api.call import refusal_response
from server.api.direct import DirectApp, Directory
from server.api.edge import Edge, cors
from server.api.routing import Endpoint, Routes, ServedRoute
from server.errors import Refused

DESCRIPTION = (
    "Rummy 500 over REST and WebSocket: make a game, play it against CPU players or people, follow it live. "
    "Everything is JSON; tokens are sent as `Authorization: Bearer TOKEN`; refusals are problem documents with a "
    "stable `code`. The live table's frames are described at `/asyncapi.json`."
)

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


def build_app(
    *, version: str, routes: list[Routes], streams: dict[str, ASGIApp], lifespan: Lifespan, client: Path | None
) -> FastAPI:
    """The application with all its endpoints; `lifespan` must set `app.state.services`."""
    app = DirectApp(
        title="Rummy 500", version=version, lifespan=lifespan, docs_url=None, redoc_url=None,
        exception_handlers={HTTPException: http_exception}, redirect_slashes=False,
    )  # fmt: skip
    app.router.route_class = ServedRoute
    endpoints = [endpoint for module in routes for endpoint in module.endpoints]
    app.directory = Directory((endpoint.method, endpoint.path, endpoint) for endpoint in endpoints)
    app.streams = Directory(("GET", path, stream) for path, stream in streams.items())
    for endpoint in endpoints:
        _add(app, endpoint)
    docs.add(app, streams, client)
    openapi.install(app, endpoints, DESCRIPTION)
    app.add_middleware(cors)
    app.add_middleware(Edge)
    return app


def _add(app: FastAPI, endpoint: Endpoint) -> None:
    async def served(_request: Request) -> Response:
        raise AssertionError("answered by ServedRoute")  # pragma: no cover

    served.__rummy_endpoint__ = endpoint  # type: ignore[attr-defined]
    served.__doc__ = endpoint.handler.__doc__
    app.router.add_api_route(
        endpoint.path, served, methods=[endpoint.method], summary=endpoint.summary, tags=[endpoint.tag],
        operation_id=endpoint.handler.__name__, response_model=None, openapi_extra=openapi.extra_of(endpoint),
        description=(endpoint.handler.__doc__ or "").strip(), status_code=endpoint.status,
    )  # fmt: skip


def methods_of(request: Request) -> list[str]:
    """All methods that the address of a request has."""
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    found = [route for route in routes if route.matches(request.scope)[0] != Match.NONE]
    return sorted({method for route in found for method in route.methods or ()})


async def http_exception(request: Request, error: Exception) -> Response:
    """404 and 405 as problem documents."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        response = refusal_response(Refused("method_not_allowed", f"{request.method} is not for this address."))
        response.headers["Allow"] = ", ".join(methods_of(request))
        return response
    if error.status_code == 404:
        return refusal_response(Refused("not_found", "There is nothing at this address."))
    return refusal_response(Refused("malformed", str(error.detail)))
