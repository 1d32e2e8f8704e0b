"""Guests, registration, sessions, tokens, transfers and deletion, over a real Postgres."""

import asyncio
import time
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta

import pytest
from argon2 import PasswordHasher

from server.errors import Refused
from server.players import SESSION_SCOPES, Passwords, player_dict
from tests.players.conftest import House

pytestmark = pytest.mark.storage

PASSWORD = "correct horse"


async def refusal(wanted: str, work: Awaitable[object]) -> Refused:
    """Awaits a refusal with this code."""
    with pytest.raises(Refused) as refused:
        await work
    assert refused.value.code == wanted
    return refused.value


async def revoked_within(house: House, token: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if await house.players.authenticate(token) is None:
            return True
        await asyncio.sleep(0.1)
    return False


async def test_stage5_a_guest_plays_at_once(house: House) -> None:
    """A guest needs no form; the token stands for it, is kept only as a hash, and nonsense is nobody's."""
    player, token = await house.players.create_guest()
    assert player.name.startswith("Guest ")
    caller = await house.players.authenticate(token)
    assert caller is not None
    assert (caller.player_id, caller.scopes) == (player.id, SESSION_SCOPES)
    for wrong in ("", "nonsense", token[:-1] + ("A" if token[-1] != "A" else "B"), "r500_" + "é" * 43):
        assert await house.players.authenticate(wrong) is None
    rows = await house.database.pool.fetch("SELECT * FROM tokens")
    assert token not in str([dict(row) for row in rows])
    assert player_dict(player) == {
        "id": player.id, "name": player.name, "kind": "guest", "ranking_points": 0, "rating": None,
    }  # fmt: skip


async def test_stage5_a_guest_registers_and_keeps_everything(house: House, other_house: House) -> None:
    """Registering keeps id and token; signing in elsewhere gives a second token; the first code is shown once."""
    player, token = await house.players.create_guest("Cleo")
    await house.accounts.set_credentials(player.id, "cleo", PASSWORD)
    there, second = await other_house.accounts.sign_in("cleo", PASSWORD)
    assert (there.id, there.kind, there.name) == (player.id, "registered", "Cleo")
    for each in (token, second):
        caller = await other_house.players.authenticate(each)
        assert caller is not None
        assert caller.player_id == player.id
    await refusal("unauthenticated", house.accounts.sign_in("cleo", "wrong password"))
    await refusal("unauthenticated", house.accounts.sign_in("nobody", PASSWORD))


async def test_registered_players_need_their_present_password(house: House) -> None:
    """Without the present password, or with a wrong one, credentials stay as they are."""
    player, _ = await house.players.create_guest()
    await house.accounts.set_credentials(player.id, "dora", PASSWORD)
    await refusal("forbidden", house.accounts.set_credentials(player.id, "dora", "another one"))
    await refusal("forbidden", house.accounts.set_credentials(player.id, "dora", "another one", "wrong password"))
    await house.accounts.set_credentials(player.id, "dora2", "another one", PASSWORD)
    await refusal("unauthenticated", house.accounts.sign_in("dora", PASSWORD))
    await house.accounts.sign_in("dora2", "another one")


async def test_stage5_two_registrations_at_once_have_one_winner(house: House, other_house: House) -> None:
    """Of two upgrades of one guest, and of two players who want one user name, one wins."""
    player, _ = await house.players.create_guest()
    results = await asyncio.gather(
        *(
            each.accounts.set_credentials(player.id, name, PASSWORD)
            for each, name in ((house, "one"), (other_house, "two"), (house, "three"), (other_house, "four"))
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(result, str) for result in results) == 1
    assert {result.code for result in results if isinstance(result, Refused)} == {"forbidden"}
    guests = [(await house.players.create_guest())[0] for _ in range(4)]
    results = await asyncio.gather(
        *(house.accounts.set_credentials(guest.id, "wanted", PASSWORD) for guest in guests), return_exceptions=True
    )
    assert sum(isinstance(result, str) for result in results) == 1
    assert {result.code for result in results if isinstance(result, Refused)} == {"username_taken"}
    kinds = [each.kind for each in (await house.players.get_players(guest.id for guest in guests)).values()]
    assert sorted(kinds) == ["guest", "guest", "guest", "registered"]


@pytest.mark.parametrize(
    ("username", "password"),
    [
        *((name, PASSWORD) for name in ("ab", "UPPER", "x" * 25, "ann\n", "änn")),
        ("anna", "short"),
        ("anna", "x" * 129),
    ],
)
async def test_impossible_credentials_are_malformed(house: House, username: str, password: str) -> None:
    """User names and passwords outside the limits are refused, naming the field."""
    player, _ = await house.players.create_guest()
    refused = await refusal("malformed", house.accounts.set_credentials(player.id, username, password))
    assert refused.errors[0].field in ("username", "password")


async def test_stage5_the_recovery_code_works_once(house: House, other_house: House) -> None:
    """The code sets a password, ends older tokens on every process, and is replaced by the next one."""
    player, token = await house.players.create_guest()
    code = await house.accounts.set_credentials(player.id, "eve", PASSWORD)
    assert await other_house.players.authenticate(token)
    await refusal("unauthenticated", house.accounts.recover("eve", "wrong", "horse staple"))
    await refusal("unauthenticated", house.accounts.recover("nobody", code, "horse staple"))
    again, _, following = await house.accounts.recover("eve", code.upper(), "horse staple")
    assert again.id == player.id
    await refusal("unauthenticated", house.accounts.recover("eve", code, "horse staple 2"))
    await refusal("unauthenticated", house.accounts.sign_in("eve", PASSWORD))
    await house.accounts.sign_in("eve", "horse staple")
    assert following != code
    assert await revoked_within(other_house, token, 5)


async def test_stage5_named_tokens_have_scopes_and_expiry(house: House, other_house: House) -> None:
    """A named token has its scopes and no more, is listed without its secret, expires, and can be ended by itself."""
    player, _ = await house.players.create_guest()
    soon = datetime.now(UTC) + timedelta(seconds=0.7)
    info, token = await house.accounts.create_token(player.id, "my bot", ["play", "read"], soon)
    caller = await house.players.authenticate(token)
    assert caller is not None
    assert caller.scopes == {"read", "play"}
    assert caller.named
    await asyncio.sleep(0.8)
    assert await house.players.authenticate(token) is None
    info, token = await house.accounts.create_token(player.id, "my bot", ["read"], None)
    assert await other_house.players.authenticate(token)
    listed = await house.accounts.named_tokens(player.id)
    assert [each.id for each in listed] == [info.id]
    assert listed[0].last_used_at is not None
    stranger, _ = await house.players.create_guest()
    await refusal("not_found", house.accounts.end_token(stranger.id, info.id))
    await house.accounts.end_token(player.id, info.id)
    assert await house.players.authenticate(token) is None
    assert await revoked_within(other_house, token, 5)
    await refusal("not_found", house.accounts.end_token(player.id, info.id))


@pytest.mark.parametrize(
    ("name", "scopes", "hours"),
    [
        *(("x", scopes, 1) for scopes in ([], ["admin"], ["account"], ["read", "read"])),
        ("", ["read"], 1),
        ("x\u202e", ["read"], 1),
        ("x", ["read"], -1),
    ],
)
async def test_impossible_tokens_are_malformed(house: House, name: str, scopes: list[str], hours: int) -> None:
    """Scopes that are none, names that cannot be seen and times past are refused."""
    player, _ = await house.players.create_guest()
    ends = datetime.now(UTC) + timedelta(hours=hours)
    await refusal("malformed", house.accounts.create_token(player.id, name, scopes, ends))


async def test_stage5_signing_out_everywhere_ends_all_tokens(house: House, other_house: House) -> None:
    """All sessions and named tokens end, on the other process within five seconds."""
    player, first = await house.players.create_guest()
    await house.accounts.set_credentials(player.id, "fay", PASSWORD)
    _, second = await house.accounts.sign_in("fay", PASSWORD)
    _, third = await house.accounts.create_token(player.id, "bot", ["read"], None)
    for token in (first, second, third):
        assert await other_house.players.authenticate(token)
    await house.accounts.sign_out_everywhere(player.id)
    for token in (first, second, third):
        assert await house.players.authenticate(token) is None
        assert await revoked_within(other_house, token, 5)


async def test_stage5_a_transfer_code_works_once(house: House) -> None:
    """The code gives the same player a token of its own, once; ended and unknown ones are not found."""
    player, token = await house.players.create_guest("Gus")
    code, ends = await house.accounts.create_transfer(player.id)
    assert timedelta(minutes=9) < ends - datetime.now(UTC) <= timedelta(minutes=10, seconds=2)
    rows = await house.database.pool.fetch("SELECT * FROM transfers")
    assert code not in str([dict(row) for row in rows])
    results = await asyncio.gather(*(house.accounts.use_transfer(code) for _ in range(5)), return_exceptions=True)
    won = [result for result in results if not isinstance(result, BaseException)]
    assert len(won) == 1
    assert won[0][0].id == player.id
    assert won[0][1] != token
    code, _ = await house.accounts.create_transfer(player.id)
    await house.database.pool.execute("UPDATE transfers SET expires_at = now()")
    await refusal("not_found", house.accounts.use_transfer(code))
    await refusal("not_found", house.accounts.use_transfer("nonsense"))


async def test_stage5_deletion_takes_the_name_and_the_tokens(house: House, other_house: House) -> None:
    """A deleted player is "former player" to everybody, and can neither act nor be made anew."""
    player, token = await house.players.create_guest("Hannah")
    await house.accounts.set_credentials(player.id, "hannah", PASSWORD)
    assert await other_house.players.authenticate(token)
    code, _ = await house.accounts.create_transfer(player.id)
    await house.accounts.delete(player.id)
    shown = (await house.players.get_players([player.id]))[player.id]
    assert player_dict(shown)["name"] == "former player"
    assert await house.players.authenticate(token) is None
    assert await revoked_within(other_house, token, 5)
    await refusal("unauthenticated", house.accounts.sign_in("hannah", PASSWORD))
    await refusal("not_found", house.accounts.use_transfer(code))
    await refusal("not_found", house.accounts.set_credentials(player.id, "hannah", PASSWORD))
    await refusal("not_found", house.players.rename(player.id, "Hannah"))
    dump = [dict(row) for row in await house.database.pool.fetch("SELECT * FROM players")]
    assert "Hannah" not in str(dump)
    other, _ = await house.players.create_guest()
    await house.accounts.set_credentials(other.id, "hannah", PASSWORD)


async def test_stage5_the_export_holds_no_secret(house: House) -> None:
    """The export names what is held, is JSON, and has neither hashes nor tokens in it."""
    player, token = await house.players.create_guest("Ida")
    await house.accounts.set_credentials(player.id, "ida", PASSWORD)
    held = await house.accounts.export(player.id)
    assert held["player"]["name"] == "Ida"  # type: ignore[index]
    assert held["credentials"][0]["username"] == "ida"  # type: ignore[index]
    text = str(held)
    assert token not in text
    assert "argon2" not in text


async def test_stage5_two_hashes_at_once_and_none_on_the_event_loop() -> None:
    """With twenty sign-ins waiting at most two hashes run, the loop goes on, and further ones are refused."""
    running = most = 0

    class Slow(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            nonlocal running, most
            running += 1
            most = max(most, running)
            time.sleep(0.02)
            running -= 1
            return "hash"

    passwords = Passwords(Slow())
    work = asyncio.gather(*(passwords.hashed("x") for _ in range(20)))
    longest, before = 0.0, time.monotonic()
    while not work.done():
        await asyncio.sleep(0.001)
        longest, before = max(longest, time.monotonic() - before), time.monotonic()
    assert most == 2
    assert longest < 0.1
    results = await asyncio.gather(*(passwords.hashed("x") for _ in range(80)), return_exceptions=True)
    assert {result.code for result in results if isinstance(result, Refused)} == {"unavailable"}
    passwords.close()


async def test_a_failed_sign_in_costs_the_same_for_nobody() -> None:
    """Whether the user exists or not, exactly one hash is computed."""
    counted = 0

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]  # noqa: A002
            nonlocal counted
            counted += 1
            return super().verify(hash, password)

    passwords = Passwords(Counting(time_cost=1, memory_cost=1024, parallelism=1))
    kept = await passwords.hashed(PASSWORD)
    assert await passwords.fits(kept, PASSWORD)
    for hashed in (kept, None):
        before = counted
        assert not await passwords.fits(hashed, "wrong password")
        assert counted == before + 1
    assert await passwords.fits(await passwords.hashed("cafe\u0301 noir"), "caf\u00e9 noir")
    passwords.close()
