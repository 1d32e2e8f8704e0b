"""Registering, signing in and out, named tokens, transfers, and the end of an account (WIRE.md, Identity).

A guest that registers keeps its id, and so its games, points and tokens. Whoever uses the recovery code ends all tokens
there were: it is used because something was lost, and may have been found by another.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from server.errors import FieldError, Refused, malformed
from server.players.names import BadName, checked_label
from server.players.passwords import LONGEST, SHORTEST, Passwords
from server.players.ports import AccountStore, Credentials, PlayerStore
from server.players.service import Players
from server.players.tokens import digest, new_code, new_id, new_token
from server.players.types import SCOPES, Player, TokenInfo

TRANSFER_LASTS: Final = timedelta(minutes=10)
MOST_TOKENS: Final = 50
_USERNAME: Final = re.compile(r"[a-z0-9_-]{3,24}")


class Accounts:
    """What an owner may do with an account; who the caller is was settled before."""

    def __init__(self, store: AccountStore, tokens: PlayerStore, players: Players, passwords: Passwords) -> None:
        self._store = store
        self._tokens = tokens
        self._players = players
        self._passwords = passwords

    async def set_credentials(
        self, player_id: str, username: str, password: str, current_password: str | None = None
    ) -> str:
        """Registers a guest, or changes what a registered player signs in with; the new recovery code."""
        kept = await self._store.credentials_of(player_id)
        if kept is not None and (
            current_password is None or not await self._passwords.fits(kept.password, current_password)
        ):
            raise _needs_current()
        check_credentials(username, password)
        code = new_code(5)
        new = Credentials(player_id, username, await self._passwords.hashed(password), digest(code))
        if kept is None:
            if not await self._store.register(new):
                raise _needs_current()  # another request registered this guest in the meantime
        elif not await self._store.change_credentials(kept, new):
            raise _needs_current()
        self._players.forget(player_id)
        return code

    async def sign_in(self, username: str, password: str) -> tuple[Player, str]:
        """The player with these credentials, and a new session's token."""
        kept = await self._store.credentials_by_name(username)
        fits = await self._passwords.fits(kept.password if kept else None, password)
        if kept is None or not fits:
            raise _wrong()
        return await self._session(kept.player_id)

    async def recover(self, username: str, recovery_code: str, new_password: str) -> tuple[Player, str, str]:
        """Sets a new password by the recovery code: the player, a new session's token, and the next recovery code."""
        kept = await self._store.credentials_by_name(username)
        given = digest(recovery_code.strip().lower())
        if not hmac.compare_digest(given, kept.recovery if kept else digest("")) or kept is None:
            raise _wrong()
        check_password(new_password, "new_password")
        code = new_code(5)
        new = replace(kept, password=await self._passwords.hashed(new_password), recovery=digest(code))
        if not await self._store.recover(kept, new):
            raise _wrong()
        self._players.callers.forget(player_id=kept.player_id)
        player, token = await self._session(kept.player_id)
        return player, token, code

    async def sign_out(self, player_id: str, token_id: str) -> None:
        """Ends the session of a token."""
        await self._store.end_token(player_id, token_id, named=False)
        self._players.callers.forget(token_id=token_id)

    async def sign_out_everywhere(self, player_id: str) -> None:
        """Ends all tokens of a player, named ones too."""
        await self._store.end_tokens(player_id)
        self._players.callers.forget(player_id=player_id)

    async def named_tokens(self, player_id: str) -> list[TokenInfo]:
        """The named tokens of a player that have not ended, oldest first."""
        return await self._store.named_tokens(player_id)

    async def create_token(
        self, player_id: str, name: str, scopes: list[str], expires_at: datetime | None
    ) -> tuple[TokenInfo, str]:
        """A named token for a bot or an app, and its text, told this once."""
        label = _label(name)
        if not scopes or len(set(scopes)) != len(scopes) or not set(scopes) <= set(SCOPES):
            raise malformed("scopes", f"must be a list of one or more of {', '.join(SCOPES)}, each once")
        if expires_at is not None and (expires_at.tzinfo is None or expires_at <= datetime.now(UTC)):
            raise malformed("expires_at", "must be a time to come, with its zone")
        if len(await self._store.named_tokens(player_id)) >= MOST_TOKENS:
            detail = f"You have {MOST_TOKENS} named tokens already; delete one that you no longer use."
            raise Refused("rate_limited", detail, retry_after=60)
        token, token_id = new_token(), new_id()
        made = await self._tokens.add_token(
            player_id, token_id, digest(token), name=label, scopes=scopes, expires_at=expires_at
        )
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        return TokenInfo(token_id, label, kept, made, expires_at, None), token

    async def end_token(self, player_id: str, token_id: str) -> None:
        """Ends one named token; `not_found` where the player has no such token."""
        if not await self._store.end_token(player_id, token_id, named=True):
            raise Refused("not_found", "You have no such token.")
        self._players.callers.forget(token_id=token_id)

    async def create_transfer(self, player_id: str) -> tuple[str, datetime]:
        """A code that carries the player to another device, and when it ends."""
        code = new_code(5)
        return code, await self._store.add_transfer(player_id, digest(code), TRANSFER_LASTS)

    async def use_transfer(self, code: str) -> tuple[Player, str]:
        """The player of a transfer code and a new session's token; the code is used up."""
        player_id = await self._store.use_transfer(digest(code.strip().lower()))
        if player_id is None:
            raise Refused("not_found", "There is no such code: it was used, or its ten minutes are over.")
        return await self._session(player_id)

    async def delete(self, player_id: str) -> None:
        """Ends the account: the name becomes "former player", results stay."""
        await self._store.delete(player_id)
        self._players.callers.forget(player_id=player_id)
        self._players.forget(player_id)

    async def export(self, player_id: str) -> dict[str, object]:
        """Everything held about a player, ready for JSON."""
        return await self._store.export(player_id)

    async def _session(self, player_id: str) -> tuple[Player, str]:
        token = await self._players.new_session(player_id)
        return await self._players.get_player(player_id), token


def check_credentials(username: str, password: str) -> None:
    """Refuses, as `malformed`, a user name or a password that cannot be."""
    if not _USERNAME.fullmatch(username):
        raise malformed("username", "must be 3 to 24 of the letters a-z, digits, _ and -")
    check_password(password, "password")


def check_password(password: str, field: str) -> None:
    """Refuses, as `malformed`, a password that is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise malformed(field, f"must have {SHORTEST} to {LONGEST} characters")


def _label(name: str) -> str:
    try:
        return checked_label(name)
    except BadName as bad:
        raise malformed("name", bad.detail) from bad


def _needs_current() -> Refused:
    detail = "You are registered: to change what you sign in with, give `current_password`, and the right one."
    return Refused("forbidden", detail, errors=(FieldError("current_password", "must be the present password"),))


def _wrong() -> Refused:
    return Refused("unauthenticated", "The user name and the password, or the code, do not fit.")
