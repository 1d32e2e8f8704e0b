"""Identity as clients meet it: the order of refusals, secrets that are nowhere, tokens that end."""

import time
from typing import Any

import httpx
import pytest

from tests.conftest import StartServer
from tests.support.servers import ServerProcess

pytestmark = pytest.mark.storage
PASSWORD = "correct horse battery"


@pytest.fixture(scope="module")
def server(start_server_in_module: StartServer) -> ServerProcess:
    """A server of two processes."""
    return start_server_in_module(processes=2)


def ask(server: ServerProcess, method: str, path: str, token: str | None = None, body: Any = None) -> httpx.Response:
    """One request on a connection of its own, so that either process may answer."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.request(method, f"{server.url}/v1{path}", headers=headers, json=body, timeout=30)


def guest(server: ServerProcess, name: str = "Ann") -> tuple[dict[str, Any], str]:
    made = ask(server, "POST", "/players", body={"name": name}).raise_for_status().json()
    return made["player"], made["token"]


def test_who_comes_before_what(server: ServerProcess) -> None:
    """A bad token is told first, then what the token may not do, then what the body says wrongly."""
    _, token = guest(server)
    reader = ask(server, "POST", "/me/tokens", token, {"name": "bot", "scopes": ["read"]}).json()["token"]
    wrong = {"username": 7, "nonsense": True}
    for method, path in (
        ("PUT", "/me/credentials"), ("PATCH", "/me"), ("POST", "/me/tokens"), ("POST", "/me/transfers"),
        ("DELETE", "/me"), ("DELETE", "/sessions"), ("DELETE", "/sessions/current"), ("DELETE", "/me/tokens/x"),
    ):  # fmt: skip
        for given, code in ((None, "unauthenticated"), ("nonsense", "unauthenticated"), (reader, "forbidden")):
            answer = ask(server, method, path, given, wrong)
            assert answer.json()["code"] == code, (method, path, given)
    for method, path in (
        ("PUT", "/me/credentials"),
        ("PATCH", "/me"),
        ("POST", "/me/tokens"),
        ("POST", "/me/transfers"),
    ):
        assert ask(server, method, path, token, wrong).json()["code"] == "malformed"


def test_every_string_with_a_nul_is_refused(server: ServerProcess) -> None:
    """NUL in any field of identity gives a 4xx and changes nothing."""
    _, token = guest(server)
    for method, path, body in (
        ("POST", "/players", {"name": "a\0b"}),
        ("PATCH", "/me", {"name": "a\0b"}),
        ("PUT", "/me/credentials", {"username": "ann\0", "password": PASSWORD}),
        ("PUT", "/me/credentials", {"username": "anna", "password": PASSWORD + "\0"}),
        ("POST", "/sessions", {"username": "ann\0", "password": PASSWORD}),
        ("POST", "/sessions", {"username": "ann", "recovery_code": "\0", "new_password": PASSWORD}),
        ("POST", "/me/tokens", {"name": "\0", "scopes": ["read"]}),
        ("POST", "/me/tokens", {"name": "x", "scopes": ["read"], "expires_at": "2099-01-01T00:00:00Z\0"}),
        ("POST", "/transfers/%00", {}),
        ("DELETE", "/me/tokens/%00", None),
    ):
        answer = ask(server, method, path, token, body)
        assert 400 <= answer.status_code < 500, (path, answer.text)


def test_a_name_that_is_markup_is_only_data(server: ServerProcess) -> None:
    """The name comes back as JSON that no browser takes for a page."""
    player, token = guest(server, "<svg/onload=alert()>")
    answer = ask(server, "GET", "/me", token)
    assert answer.json()["name"] == player["name"] == "<svg/onload=alert()>"
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_expiry_is_a_time_to_come(server: ServerProcess) -> None:
    """Times are RFC 3339 with a zone; the answer tells them in UTC."""
    _, token = guest(server)
    for wrong in (
        "tomorrow",
        "2020-01-01T00:00:00Z",
        "2099-01-01",
        "2099-01-01T00:00:00",
        "2099-13-01T00:00:00Z",
        7,
        "",
    ):
        body = {"name": "bot", "scopes": ["read"], "expires_at": wrong}
        assert ask(server, "POST", "/me/tokens", token, body).json()["code"] == "malformed", wrong
    body = {"name": "bot", "scopes": ["play", "read"], "expires_at": "2099-01-01T02:00:00+02:00"}
    made = ask(server, "POST", "/me/tokens", token, body).json()
    assert made["expires_at"] == "2099-01-01T00:00:00.000Z"
    assert made["scopes"] == ["read", "play"]


def test_stage5_a_token_that_ended_stops_reading_on_every_process_within_five_seconds(server: ServerProcess) -> None:
    """Asked again and again, over connections to both processes, it is nobody's five seconds later, and stays so."""
    _, token = guest(server)
    for _ in range(8):
        assert ask(server, "GET", "/me", token).status_code == 200
    assert ask(server, "DELETE", "/sessions", token).status_code == 204
    ended = time.monotonic()
    while time.monotonic() < ended + 4:
        ask(server, "GET", "/me", token)
        time.sleep(0.2)
    assert {ask(server, "GET", "/me", token).status_code for _ in range(12)} == {401}


def test_stage5_no_secret_is_in_the_logs_or_the_database(server: ServerProcess) -> None:
    """Tokens, passwords, recovery and transfer codes are in no line of the log."""
    _, token = guest(server)
    code = ask(server, "PUT", "/me/credentials", token, {"username": "logged", "password": PASSWORD}).json()[
        "recovery_code"
    ]
    second = ask(server, "POST", "/sessions", body={"username": "logged", "password": PASSWORD}).json()["token"]
    transfer = ask(server, "POST", "/me/transfers", token, {}).json()["code"]
    third = ask(server, "POST", f"/transfers/{transfer}", body={}).json()["token"]
    ask(server, "POST", f"/transfers/{transfer}", body={})
    ask(server, "GET", f"/me?token={token}")
    said = server.output
    for secret in (second, third, code, transfer, PASSWORD):
        assert secret not in said
    assert token not in said
