"""Players, credentials, sessions, tokens, transfers, export and deletion (WIRE.md, Identity)."""

from __future__ import annotations

import contextlib
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from server.api.call import Call, answer, nothing
from server.api.routing import Routes
from server.api.times import moment, parse_moment
from server.errors import FieldError, Refused
from server.players import Accounts, Player, TokenInfo, player_dict

routes = Routes("players")

EXAMPLE_PLAYER: dict[str, Any] = {
    "id": "3f1c9a70e5d84b2c8a6e0d7b5f4c2e19",
    "name": "Ann",
    "kind": "guest",
    "ranking_points": 0,
    "rating": None,
}
EXAMPLE_TOKEN = "r500_…"  # noqa: S105 - no token
EXAMPLE_NAMED: dict[str, Any] = {
    "id": "8d0c4b6f1e7a49d2b35c8f60a1e2d7b4",
    "name": "my bot",
    "scopes": ["read", "play"],
    "created_at": "2026-11-29T12:00:00.000Z",
    "expires_at": None,
    "last_used_at": None,
}
EXAMPLE_CODE = "k7m2q-9xd4t-c8v5n-2hwbz-e6s3r"


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NameBody(_Body):
    """A name to take; a guest without one is given one."""

    name: str | None = Field(None, description="1 to 24 characters as a reader counts them.")


class RenameBody(_Body):
    """Another name."""

    name: str = Field(description="1 to 24 characters as a reader counts them.")


class CredentialsBody(_Body):
    """What to sign in with."""

    username: str = Field(description="3 to 24 of a-z, 0-9, _ and -.")
    password: str = Field(description="8 to 128 characters.")
    current_password: str | None = Field(None, description="The present password, once registered.")


class SessionBody(_Body):
    """A password, or a recovery code with the password to set."""

    username: str
    password: str | None = None
    recovery_code: str | None = None
    new_password: str | None = Field(None, description="8 to 128 characters.")


class TokenBody(_Body):
    """A named token to make."""

    name: str = Field(description="What to know it by.")
    scopes: list[str] = Field(description="`read`, `play`, or both.")
    expires_at: str | None = Field(None, description="RFC 3339; left out: it does not expire.")


class PlayerBody(BaseModel):
    """PLAYER."""

    id: str
    name: str
    kind: str = Field(description="guest, registered, bot or cpu")
    level: str | None = Field(None, description="Of a CPU player only: easy, normal or expert.")
    ranking_points: int
    rating: float | None


class SessionAnswer(BaseModel):
    """A player and a token, shown this once."""

    player: PlayerBody
    token: str
    recovery_code: str | None = Field(None, description="The next one, where the last was just used.")


class RecoveryAnswer(BaseModel):
    """The recovery code, shown this once."""

    recovery_code: str


class NamedToken(BaseModel):
    """A named token; `token` only in the answer that makes it."""

    id: str
    name: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    token: str | None = None


class NamedTokens(BaseModel):
    """The named tokens that have not ended."""

    items: list[NamedToken]


class TransferAnswer(BaseModel):
    """A code for another device, shown this once."""

    code: str
    expires_at: str


def accounts_of(call: Call) -> Accounts:
    """The service of accounts."""
    found: Accounts = call.services.more["accounts"]
    return found


async def _leave_games(call: Call, player_id: str) -> None:
    """Leaves every game that is not over, so that nobody waits for a seat whose holder is gone."""
    tables = call.services.tables
    for status in ("playing", "waiting"):
        cursor: str | None = None
        while True:
            listed, cursor = await tables.store.listing(mine=player_id, status=status, cursor=cursor, limit=100)
            for game in listed:
                table = await tables.fresh(game.setup.game_id)
                if table is not None and table.live.seats_of(player_id):
                    with contextlib.suppress(Refused):  # it has ended in the meantime
                        await tables.leave(table, player_id)
            if cursor is None:
                break


def _session(player: Player, token: str, **more: object) -> Response:
    return answer({"player": player_dict(player), "token": token, **more}, 201)


def _token(info: TokenInfo) -> dict[str, object]:
    return {
        "id": info.id,
        "name": info.name,
        "scopes": list(info.scopes),
        "created_at": moment(info.created_at),
        "expires_at": moment(info.expires_at),
        "last_used_at": moment(info.last_used_at),
    }


@routes.add(
    "POST", "/players", "Become a guest, ready to play",
    auth="none", body=NameBody, example={"name": "Ann"}, status=201, answer=SessionAnswer,
    answer_example={"player": EXAMPLE_PLAYER, "token": EXAMPLE_TOKEN}, limit="guest",
)  # fmt: skip
async def create_player(call: Call) -> Response:
    """Makes a guest. The token is shown this once; keep it, it is all that a guest has."""
    body = await call.body(NameBody)
    player, token = await call.services.players.create_guest(body.name)
    return _session(player, token)


@routes.add("GET", "/me", "Who the token belongs to", scope="read", answer=PlayerBody, answer_example=EXAMPLE_PLAYER)
async def read_me(call: Call) -> Response:
    """The caller as a PLAYER."""
    return answer(player_dict(await call.services.players.get_player(call.me.player_id)))


@routes.add(
    "PATCH", "/me", "Take another name",
    scope="account", body=RenameBody, example={"name": "Bea"}, answer=PlayerBody,
    answer_example=EXAMPLE_PLAYER | {"name": "Bea"}, refusals=("forbidden",), limit="write",
)  # fmt: skip
async def rename_me(call: Call) -> Response:
    """Gives the caller another name."""
    body = await call.body(RenameBody)
    return answer(player_dict(await call.services.players.rename(call.me.player_id, body.name)))


@routes.add("DELETE", "/me", "Delete the account", scope="account", status=204, refusals=("forbidden",), limit="secret")
async def delete_me(call: Call) -> Response:
    """Removes the name and all tokens. Results stay, under the name "former player"."""
    await call.no_body()
    await _leave_games(call, call.me.player_id)
    await accounts_of(call).delete(call.me.player_id)
    return nothing()


@routes.add(
    "GET", "/me/export", "Everything held about the caller",
    scope="account", answer={"type": "object"}, refusals=("forbidden",), limit="secret",
    answer_example={"player": {**EXAMPLE_PLAYER, "created_at": "2026-11-29T12:00:00Z"}, "games": [], "tokens": []},
)  # fmt: skip
async def export_me(call: Call) -> Response:
    """All that is kept about the caller, as one JSON object; secrets are not in it, as only their hashes are kept."""
    return answer(await accounts_of(call).export(call.me.player_id))


@routes.add(
    "PUT", "/me/credentials", "Register, or change what to sign in with",
    scope="account", body=CredentialsBody, example={"username": "ann", "password": "correct horse"},
    answer=RecoveryAnswer, answer_example={"recovery_code": EXAMPLE_CODE}, refusals=("forbidden", "username_taken"),
    limit="secret",
)  # fmt: skip
async def set_credentials(call: Call) -> Response:
    """A guest becomes registered and keeps everything. The recovery code is shown this once."""
    body = await call.body(CredentialsBody)
    code = await accounts_of(call).set_credentials(
        call.me.player_id, body.username, body.password, body.current_password
    )
    return answer({"recovery_code": code})


@routes.add(
    "POST", "/sessions", "Sign in, or recover the account",
    auth="none", body=SessionBody, example={"username": "ann", "password": "correct horse"}, status=201,
    answer=SessionAnswer, answer_example={"player": EXAMPLE_PLAYER | {"kind": "registered"}, "token": EXAMPLE_TOKEN},
    refusals=("unauthenticated",), limit="secret",
)  # fmt: skip
async def sign_in(call: Call) -> Response:
    """A new token by user name and password. With the recovery code: sets a password and ends all older tokens."""
    body = await call.body(SessionBody)
    accounts = accounts_of(call)
    if body.password is not None and body.recovery_code is None and body.new_password is None:
        return _session(*await accounts.sign_in(body.username, body.password))
    if body.password is None and body.recovery_code is not None and body.new_password is not None:
        player, token, code = await accounts.recover(body.username, body.recovery_code, body.new_password)
        return _session(player, token, recovery_code=code)
    detail = "Give `username` and `password`, or `username`, `recovery_code` and `new_password`."
    raise Refused("malformed", detail, errors=(FieldError("password", "must be given, or a recovery code instead"),))


@routes.add(
    "DELETE", "/sessions/current", "Sign out", scope="account", status=204, refusals=("forbidden",), limit="write"
)
async def sign_out(call: Call) -> Response:
    """Ends the token of this request. A guest without another token cannot come back."""
    await call.no_body()
    await accounts_of(call).sign_out(call.me.player_id, call.me.token_id)
    return nothing()


@routes.add(
    "DELETE", "/sessions", "Sign out everywhere", scope="account", status=204, refusals=("forbidden",), limit="write"
)
async def sign_out_everywhere(call: Call) -> Response:
    """Ends all the caller's tokens, named ones too."""
    await call.no_body()
    await accounts_of(call).sign_out_everywhere(call.me.player_id)
    return nothing()


@routes.add(
    "GET",
    "/me/tokens",
    "The caller's named tokens",
    scope="read",
    answer=NamedTokens,
    answer_example={"items": [EXAMPLE_NAMED]},
)
async def list_tokens(call: Call) -> Response:
    """Named tokens without their secrets, oldest first."""
    return answer({"items": [_token(info) for info in await accounts_of(call).named_tokens(call.me.player_id)]})


@routes.add(
    "POST", "/me/tokens", "Make a named token for a bot or an app",
    scope="account", body=TokenBody, example={"name": "my bot", "scopes": ["read", "play"]}, status=201,
    answer=NamedToken, answer_example=EXAMPLE_NAMED | {"token": EXAMPLE_TOKEN}, refusals=("forbidden",),
    idempotent=False, limit="secret",
)  # fmt: skip
async def create_token(call: Call) -> Response:
    """The token's text is shown this once. It can do no more than its scopes say, and nothing about the account."""
    body = await call.body(TokenBody)
    expires_at = None if body.expires_at is None else parse_moment("expires_at", body.expires_at)
    info, token = await accounts_of(call).create_token(call.me.player_id, body.name, body.scopes, expires_at)
    return answer(_token(info) | {"token": token}, 201)


@routes.add(
    "DELETE", "/me/tokens/{id}", "End a named token",
    scope="account", status=204, refusals=("forbidden", "not_found"), limit="write",
)  # fmt: skip
async def delete_token(call: Call) -> Response:
    """The token stops working within five seconds, on open streams too."""
    await call.no_body()
    await accounts_of(call).end_token(call.me.player_id, call.path("id"))
    return nothing()


@routes.add(
    "POST", "/me/transfers", "Make a code for another device",
    scope="account", status=201, answer=TransferAnswer,
    answer_example={"code": EXAMPLE_CODE, "expires_at": "2026-02-28T12:10:00.000Z"}, refusals=("forbidden",),
    idempotent=False, limit="secret",
)  # fmt: skip
async def create_transfer(call: Call) -> Response:
    """A code that works once, within ten minutes: whoever has it becomes the caller, so show it to nobody."""
    await call.no_body()
    code, expires_at = await accounts_of(call).create_transfer(call.me.player_id)
    return answer({"code": code, "expires_at": moment(expires_at)}, 201)


@routes.add(
    "POST", "/transfers/{code}", "Use a transfer code",
    auth="none", status=201, answer=SessionAnswer,
    answer_example={"player": EXAMPLE_PLAYER, "token": EXAMPLE_TOKEN}, refusals=("not_found",), limit="secret",
)  # fmt: skip
async def use_transfer(call: Call) -> Response:
    """The player of the code, on this device, with a token of its own."""
    await call.no_body()
    return _session(*await accounts_of(call).use_transfer(call.path("code")))
