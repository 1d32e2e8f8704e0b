"""The OpenAPI document: FastAPI's, completed with the bodies, answers and refusals declared beside the endpoints."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from server.api.routing import Endpoint
from server.api.schemas import SCHEMAS
from server.errors import CODES, Refused

REF = "#/components/schemas/{model}"
ALWAYS = ("unauthenticated", "rate_limited", "unavailable")


def extra_of(endpoint: Endpoint) -> dict[str, Any]:
    """What FastAPI cannot know of an endpoint."""
    extra: dict[str, Any] = {"parameters": _parameters(endpoint), "responses": _responses(endpoint)}
    if endpoint.body is not None:
        content: dict[str, Any] = {"schema": {"$ref": REF.format(model=endpoint.body.__name__)}}
        if endpoint.example is not None:
            content["example"] = endpoint.example
        extra["requestBody"] = {"content": {"application/json": content}, "required": False}
    if endpoint.auth == "none":
        extra["security"] = []
    elif endpoint.auth == "optional":
        extra["security"] = [{}, {"bearer": []}]
    else:
        extra["security"] = [{"bearer": []}]
    return extra


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for part in endpoint.path.split("/"):
        if part.startswith("{"):
            found.append({"name": part.strip("{}"), "in": "path", "required": True, "schema": {"type": "string"}})
    for query in endpoint.query:
        found.append({"name": query.name, "in": "query", "description": query.description, "schema": query.schema})
    if endpoint.keyed:
        found.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "description": "1 to 128 visible ASCII characters; the same key and body again give the first answer.",
                "schema": {"type": "string", "minLength": 1, "maxLength": 128},
            }
        )
    return found


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    good: dict[str, Any] = {"description": "Done."}
    if endpoint.status != 204:
        schema: dict[str, Any] = {"type": "object"}
        if isinstance(endpoint.answer, dict):
            schema = endpoint.answer
        elif endpoint.answer is not None:
            schema = {"$ref": REF.format(model=endpoint.answer.__name__)}
        content: dict[str, Any] = {"schema": schema}
        if endpoint.answer_example is not None:
            content["example"] = endpoint.answer_example
        good["content"] = {"application/json": content}
    responses: dict[str, Any] = {str(endpoint.status): good}
    if endpoint.also is not None:
        responses[str(endpoint.also)] = good | {"description": "It was there already."}
    codes = [*endpoint.refusals, *ALWAYS]
    codes += ["malformed"] if endpoint.body is not None or endpoint.query else []
    codes += ["too_large"] if endpoint.body is not None else []
    codes += ["idempotency_mismatch"] if endpoint.keyed else []
    codes += ["forbidden"] if endpoint.auth == "required" else []
    by_status: dict[int, list[str]] = {}
    for code in CODES:
        if code in codes:
            by_status.setdefault(CODES[code][0], []).append(code)
    for status, listed in by_status.items():
        examples = {code: {"value": Refused(code, CODES[code][1] + ".").problem()} for code in listed}
        problem = {"schema": {"$ref": REF.format(model="Problem")}, "examples": examples}
        responses[str(status)] = {"description": ", ".join(listed), "content": {"application/problem+json": problem}}
    return responses


PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "RFC 9457, with a stable `code`.",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": [code for code in CODES if code != "internal"]},
        "rule": {"type": "string", "examples": ["R5.2"]},
        "version": {"type": "integer"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"field": {"type": "string"}, "detail": {"type": "string"}},
                "required": ["field", "detail"],
            },
        },
    },
}


def install(app: FastAPI, endpoints: list[Endpoint], description: str) -> None:
    """Makes `app.openapi()` give the completed document, built once."""
    models: list[tuple[type[BaseModel], Any]] = []
    for endpoint in endpoints:
        if endpoint.body is not None:
            models.append((endpoint.body, "validation"))
        if isinstance(endpoint.answer, type):
            models.append((endpoint.answer, "serialization"))

    def build() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(title=app.title, version=app.version, description=description, routes=app.routes)
            components = document.setdefault("components", {})
            _, schemas = models_json_schema(list(dict.fromkeys(models)), ref_template=REF)
            for model in schemas.get("$defs", {}).values():  # a schema of ours, which pydantic does not know
                for name, part in model.get("properties", {}).items():
                    if "x-ref" in part:
                        model["properties"][name] = {"$ref": part["x-ref"]}
            components["schemas"] = {"Problem": PROBLEM_SCHEMA, **SCHEMAS, **schemas.get("$defs", {})}
            components["securitySchemes"] = {"bearer": {"type": "http", "scheme": "bearer"}}
            for methods in document["paths"].values():
                for operation in methods.values():
                    operation.get("responses", {}).pop("422 ", None)
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = build  # type: ignore[method-assign]
