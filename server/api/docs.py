"""`/docs`, `/asyncapi.json` and the client's files, all served by this server itself."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from server.api import asyncapi

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self' ws: wss:; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
# Swagger UI sets style attributes on its own elements
DOCS_CSP = CSP.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Rummy 500: the API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css"></head>
<body><div id="swagger-ui"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script></body>
</html>
"""
START = """window.ui = SwaggerUIBundle({
  url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, persistAuthorization: true, tryItOutEnabled: true,
});
"""


class Files(StaticFiles):
    """Static files with our headers; files may be kept by the browser but are asked for again."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or a refusal."""
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = CSP
        response.headers["Cache-Control"] = "no-cache"
        return response


async def page(_request: Request) -> Response:
    """The API's documentation, usable by hand."""
    return HTMLResponse(PAGE, headers={"Content-Security-Policy": DOCS_CSP, "Cache-Control": "no-cache"})


async def start(_request: Request) -> Response:
    """The script that opens the documentation."""
    return Response(START, media_type="text/javascript")


def add(app: FastAPI, streams: dict[str, ASGIApp], client: Path | None) -> None:
    """Adds the pages, the streams and the client's files."""
    assets = importlib.resources.files("fastapi_offline") / "static"
    app.router.routes.append(Route("/docs", page))
    app.router.routes.append(Route("/asyncapi.json", asyncapi.page))
    app.router.routes.append(Route("/docs/start.js", start))
    app.router.routes.append(Mount("/docs/assets", StaticFiles(directory=str(assets))))
    for path, stream in streams.items():
        app.router.routes.append(WebSocketRoute(path, stream))
    if client is None:
        return
    index = client / "table" / "index.html"

    async def home(_request: Request) -> Response:
        """The reference client."""
        return FileResponse(index, headers={"Content-Security-Policy": CSP, "Cache-Control": "no-cache"})

    app.router.routes.append(Route("/", home))
    for name in ("table", "sdk"):
        app.router.routes.append(Mount(f"/{name}", GZipMiddleware(Files(directory=client / name, check_dir=False))))
