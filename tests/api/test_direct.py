"""The short way of requests: the same endpoints and the same answers as FastAPI's own way."""

from typing import Any

from server.api import games, identity
from server.api.direct import Directory

ENDPOINTS = [*identity.routes.endpoints, *games.routes.endpoints]


def found(method: str, path: str) -> tuple[str, dict[str, str]] | None:
    """What the directory says of an address."""
    known = Directory((each.method, each.path, each) for each in ENDPOINTS).find(method, path)
    return None if known is None else (known[0].path, known[1])


def test_an_address_is_found_with_its_named_parts() -> None:
    """Every endpoint is found under its own address, with what stands in the place of a name."""
    for endpoint in ENDPOINTS:
        path = endpoint.path.replace("{", "").replace("}", "-7")
        known: Any = found(endpoint.method, path)
        assert known is not None, endpoint.path
        assert all(value.endswith("-7") for value in known[1].values())
    assert found("POST", "/v1/games/abc/moves") == ("/v1/games/{id}/moves", {"id": "abc"})
    assert found("POST", "/v1/games/{id}/moves") == ("/v1/games/{id}/moves", {"id": "{id}"})


def test_what_is_no_endpoint_goes_the_long_way() -> None:
    """Other methods, empty parts, slashes at the end and other addresses are not judged here."""
    for method, path in (
        ("PUT", "/v1/games/abc/moves"), ("OPTIONS", "/v1/games"), ("HEAD", "/v1/games"), ("GET", "/v1/games/"),
        ("POST", "/v1/games//moves"), ("GET", "/"), ("GET", "/docs"), ("POST", "/v1/games/a/b/moves"),
    ):  # fmt: skip
        assert found(method, path) is None
