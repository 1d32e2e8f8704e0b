"""What every answer carries: a Request-Id, CORS for every origin, safe headers; and the counts behind /metrics."""

from __future__ import annotations

import random
import time

from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.api import metrics

EXPOSED = ["Location", "Retry-After", "RateLimit", "Request-Id"]


_numbers = random.Random()  # of requests, which need to differ and not to be secret


def new_request_id() -> str:
    """A number for a request; costs no system call, as secrets would."""
    return f"{_numbers.getrandbits(96):024x}"


def cors(app: ASGIApp) -> ASGIApp:
    """Any origin may call, without credentials: no cookie is ever set or read."""
    return CORSMiddleware(
        app,
        allow_origins=["*"],
        allow_methods=["GET", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["*"],
        expose_headers=EXPOSED,
        max_age=86400,
    )


class Edge:
    """The outermost layer, for HTTP only; streams pass through untouched."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = new_request_id()
        began = time.perf_counter()
        status = 0

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["Request-Id"] = request_id
                headers["X-Content-Type-Options"] = "nosniff"
                if "cache-control" not in headers:
                    headers["Cache-Control"] = "no-store"
                if "rummy_ratelimit" in scope:
                    headers["RateLimit"] = scope["rummy_ratelimit"]
            await send(message)

        await self.app(scope, receive, with_headers)
        path, seconds = getattr(scope.get("route"), "path", "other"), time.perf_counter() - began
        metrics.requests(path, scope["method"], status, seconds)
        services = getattr(scope["app"].state, "services", None) if "app" in scope else None
        if services is not None:
            services.tables.journal(
                "request", method=scope["method"], path=path, status=status, ms=round(seconds * 1000, 2),
                code=scope.get("rummy_code"), request_id=request_id,
            )  # fmt: skip
