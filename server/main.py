"""The composition root: a FastAPI application from the settings, with everything behind it opened and closed."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import asyncpg
import structlog
from fastapi import FastAPI

from server.api import advice, boards, games, identity, limits, lobby, metrics, server_page, stream
from server.api.app import build_app
from server.api.services import Services
from server.logs import Journal
from server.persistence.accounts import PostgresAccounts
from server.persistence.answers import PostgresAnswers
from server.persistence.board_office import BoardOffice
from server.persistence.bus import RedisBus
from server.persistence.cpu_jobs import RedisCpu
from server.persistence.database import connect
from server.persistence.games import PostgresGames
from server.persistence.nightly import Nightly
from server.persistence.notices import PostgresNotices
from server.persistence.players import PostgresPlayers
from server.players import Accounts, Passwords, Players, player_dict
from server.settings import Settings
from server.tables import Absence, Advice, Matching, Tables
from server.tables.cpu import CpuPool
from server.tables.keeper import Keeper

log = structlog.get_logger("main")

OUTAGES = (
    ConnectionError,
    TimeoutError,
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a statement on a connection whose end has been told and not yet been noticed
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DiskFullError,
    asyncpg.QueryCanceledError,
    asyncpg.ReadOnlySQLTransactionError,
)


def is_outage(error: BaseException) -> bool:
    """Whether an error says that a part is away, and not that something is wrong with us."""
    return isinstance(error, OUTAGES)


def package_version() -> str:
    """The version of this package."""
    try:
        return version("rummy500-server")
    except PackageNotFoundError:
        return "0"


def client_folder() -> Path | None:
    """The reference client's files, in a checkout or beside the installed package."""
    folder = Path(__file__).resolve().parent.parent / "clients" / "reference_js"
    return folder if (folder / "table" / "index.html").exists() else None


class WirePlayers:
    """`server.tables.ports.PlayersPort` over the players' service."""

    def __init__(self, players: Players) -> None:
        self._players = players

    async def wire(self, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """PLAYER objects by id."""
        found = await self._players.get_players(ids)
        return {player_id: player_dict(player) for player_id, player in found.items()}


def create_app(settings: Settings) -> FastAPI:
    """The application; its lifespan opens the database, the bus and the CPU players."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with opened(settings) as services:
            app.state.services = services
            app.state.begin_drain = services.tables.drain
            yield

    app = build_app(
        version=package_version(),
        routes=[
            server_page.routes,
            identity.routes,
            lobby.routes,
            games.routes,
            advice.routes,
            boards.routes,
        ],
        streams={
            "/v1/games/{id}/stream": stream.Endpoint(stream.TableStream),
            "/v1/lobby": stream.Endpoint(lobby.LobbyStream),
            "/v1/me/stream": stream.Endpoint(lobby.OwnStream),
        },
        lifespan=lifespan,
        client=client_folder(),
    )
    app.add_route("/healthz", server_page.healthz, include_in_schema=False)
    app.add_route("/readyz", server_page.readyz, include_in_schema=False)
    app.add_route("/metrics", server_page.metrics_page, include_in_schema=False)
    return app


@contextlib.asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Services]:
    """Everything that one process works with, open."""
    assert settings.database_url is not None
    assert settings.redis_url is not None
    database = await connect(settings.database_url, settings.database_pool)
    player_store = PostgresPlayers(database.pool)
    players = Players(player_store)
    accounts = Accounts(PostgresAccounts(database.pool), player_store, players, Passwords())
    office = BoardOffice(database.pool, settings.redis_url, players)
    store = PostgresGames(database.pool, office.settle, office.settled, database.writers)
    process = secrets.token_hex(6)
    pool = CpuPool(max(1, settings.cpu_workers))
    jobs = None if settings.cpu_workers else RedisCpu(settings.redis_url, process, pool)
    tables: Tables
    bus = RedisBus(settings.redis_url, process, lambda: tables.clock.now())  # noqa: PLW0108 - made after the bus
    tables = Tables(store, bus, WirePlayers(players), jobs or pool)
    tables.clock.ahead = round(settings.test_clock * 1000)
    tables.presence.store = bus
    journal = Journal(settings.log, settings.log_level)
    tables.journal = journal
    daily = office.attach(tables)
    notices = PostgresNotices(database.pool)
    keeper = Keeper(tables, notices)
    tables.is_outage = is_outage
    bus.on_row = tables.heard
    bus.on_note = tables.noted
    bus.on_presence = tables.presence.heard
    bus.on_reconnect = tables.refresh_watched

    async def faults() -> list[str]:
        found = []
        try:
            async with asyncio.timeout(2):
                await store.now()
        except Exception as error:  # noqa: BLE001 - any fault means not ready
            found.append(f"database: {type(error).__name__}")
        if bus.deaf_for > 10:
            found.append("bus: nothing heard")
        if tables.draining:
            found.append("draining")
        return found

    services = Services(
        name=settings.name,
        version=package_version(),
        players=players,
        tables=tables,
        answers=PostgresAnswers(database.pool),
        limiter=limits.Limiter(
            on=settings.limits_enabled, redis_url=settings.redis_url, trusted=settings.trusted_proxies
        ),
        streams=limits.Streams(on=settings.limits_enabled),
        is_outage=is_outage,
        faults=faults,
        more={
            "accounts": accounts,
            "boards": office.boards,
            "daily": daily,
            "notices": notices,
            "advice": Advice(tables, jobs or pool),
            "matching": Matching(tables, notices),
            "absence": Absence(tables, bus, settings.absent_seconds),
        },
    )
    store.start()
    bus.start()
    await keeper.start()
    keeper.every(2.0, lambda: _look_after_sockets(services))
    keeper.every(120.0, office.look_after_days)
    keeper.every(300.0, Nightly(database.pool, office.cache, store, office.now).look)
    await office.look_after_days()
    try:
        yield services
    finally:
        await _drain(services)
        await keeper.stop()
        await tables.stop()
        await store.stop()
        await office.close()
        await bus.stop()
        if jobs is not None:
            await jobs.stop()
        pool.stop()
        journal.flush()
        await database.close()


async def _look_after_sockets(services: Services) -> None:
    """Ends streams whose token has ended, and says something on quiet ones."""
    now = asyncio.get_running_loop().time()
    for socket in list(services.sockets):
        if socket.token is not None and await services.players.authenticate(socket.token) is None:
            socket.socket.dismiss(4401)
        elif now - socket.socket.sent_at > stream.QUIET - 2:
            socket.quiet()
    metrics.OPEN.set(len(services.sockets))


async def _drain(services: Services) -> None:
    """Accepted moves are finished, sockets are told to come back (1012)."""
    began = time.monotonic()
    services.tables.drain()
    for socket in list(services.sockets):
        socket.socket.dismiss(1012)
    while services.sockets and time.monotonic() - began < 5:  # noqa: ASYNC110 - sockets end by themselves
        await asyncio.sleep(0.02)
    log.info("drained", seconds=round(time.monotonic() - began, 2))
