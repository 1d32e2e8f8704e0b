"""Rate limits by address and by token, with the `limits` library.

Everyday calls are counted in each process; what is costly or guessable (guests, games, sessions) is counted in
Redis, so that it holds over all processes, and in the process alone while Redis is away. Many players may share an
address, so an address may do much more than a token.
"""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Iterable

import structlog
from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage, RedisStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter
from starlette.requests import HTTPConnection

from server.errors import Refused

log = structlog.get_logger("limits")

# class of call -> (limit for a token, limit for an address, counted in Redis)
CLASSES: dict[str, tuple[str, str, bool]] = {
    "read": ("1200/minute", "12000/minute", False),
    "write": ("600/minute", "6000/minute", False),
    "make": ("60/minute", "600/minute", True),
    "guest": ("30/minute", "300/hour", True),
    "secret": ("20/minute", "60/minute", True),
    "stream": ("120/minute", "2400/minute", False),
}
MAX_STREAMS_OF_A_TOKEN = 64
MAX_STREAMS_OF_AN_ADDRESS = 2000

Networks = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]


def networks(text: str) -> Networks:
    """Networks from a comma-separated list of addresses and networks."""
    return tuple(ipaddress.ip_network(part.strip(), strict=False) for part in text.split(",") if part.strip())


class Limiter:
    """Counts calls; `off` lets everything pass."""

    def __init__(self, *, on: bool, redis_url: str | None, trusted: Networks) -> None:
        self.on = on
        self._trusted = trusted
        self._local = SlidingWindowCounterRateLimiter(MemoryStorage())
        self._shared: SlidingWindowCounterRateLimiter | None = None
        if on and redis_url is not None:
            storage = RedisStorage("async+" + redis_url, implementation="redispy", key_prefix="rummy500:limits")
            self._shared = SlidingWindowCounterRateLimiter(storage)
        self._away_until = 0.0
        self._items: dict[str, tuple[RateLimitItem, RateLimitItem, bool]] = {
            name: (parse(token), parse(address), shared) for name, (token, address, shared) in CLASSES.items()
        }

    def address(self, connection: HTTPConnection) -> str:
        """The caller's address: the peer's, or the one a trusted proxy forwards."""
        client = connection.client
        peer = client.host if client is not None else ""
        if not self._trusted or not self._is_trusted(peer):
            return peer
        chain = connection.headers.get("x-forwarded-for", "")
        for part in reversed([part.strip() for part in chain.split(",") if part.strip()]):
            peer = part
            if not self._is_trusted(part):
                break
        return peer

    def _is_trusted(self, address: str) -> bool:
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(parsed in network for network in self._trusted)

    async def check_address(self, connection: HTTPConnection, kind: str) -> None:
        """Counts a call of this class for the caller's address."""
        if self.on:
            _, item, shared = self._items[kind]
            await self._hit(item, shared, (kind, "address", self.address(connection)), connection)

    async def check_token(self, connection: HTTPConnection, kind: str, token_id: str) -> None:
        """Counts a call of this class for a token."""
        if self.on:
            item, _, shared = self._items[kind]
            await self._hit(item, shared, (kind, "token", token_id), connection)

    async def _hit(self, item: RateLimitItem, shared: bool, key: tuple[str, ...], connection: HTTPConnection) -> None:
        strategy, passed = self._local, False
        if shared and self._shared is not None and time.monotonic() >= self._away_until:
            try:
                strategy = self._shared
                passed = await strategy.hit(item, *key)
            except Exception as error:  # noqa: BLE001 - whatever Redis says, calls are counted here instead
                log.warning("limits_without_redis", error=type(error).__name__)
                self._away_until = time.monotonic() + 5
                strategy = self._local
                passed = await strategy.hit(item, *key)
        else:
            passed = await strategy.hit(item, *key)
        if passed:
            return
        stats = await strategy.get_window_stats(item, *key)
        wait = max(1, math.ceil(stats.reset_time - time.time()))
        connection.scope["rummy_ratelimit"] = f'"{key[0]}";r={max(0, stats.remaining)};t={wait}'
        raise Refused("rate_limited", f"Too many requests; come back in {wait} s.", retry_after=wait)


class Streams:
    """How many streams are open, by token and by address."""

    def __init__(self, *, on: bool) -> None:
        self._on = on
        self._open: dict[tuple[str, str], int] = {}

    def enter(self, keys: Iterable[tuple[str, str]]) -> bool:
        """Counts a stream in; False (and nothing counted) where one of its keys has too many."""
        listed = list(keys)
        top = {"token": MAX_STREAMS_OF_A_TOKEN, "address": MAX_STREAMS_OF_AN_ADDRESS}
        if self._on and any(self._open.get(key, 0) >= top[key[0]] for key in listed):
            return False
        for key in listed:
            self._open[key] = self._open.get(key, 0) + 1
        return True

    def leave(self, keys: Iterable[tuple[str, str]]) -> None:
        """Counts a stream out."""
        for key in keys:
            left = self._open.get(key, 0) - 1
            if left > 0:
                self._open[key] = left
            else:
                self._open.pop(key, None)
