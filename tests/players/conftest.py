"""Players' services over a real database, with hashes that cost little."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from argon2 import PasswordHasher

from server.persistence.accounts import PostgresAccounts
from server.persistence.database import Database
from server.persistence.players import PostgresPlayers
from server.players import Accounts, Passwords, Players


@dataclass(frozen=True, slots=True)
class House:
    """One process's services."""

    players: Players
    accounts: Accounts
    passwords: Passwords
    database: Database


def open_house(database: Database) -> House:
    """Services as one process has them."""
    store = PostgresPlayers(database.pool)
    players = Players(store)
    passwords = Passwords(PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1))
    return House(players, Accounts(PostgresAccounts(database.pool), store, players, passwords), passwords, database)


@pytest.fixture
async def house(database: Database) -> AsyncIterator[House]:
    """A process."""
    opened = open_house(database)
    yield opened
    opened.passwords.close()


@pytest.fixture
async def other_house(database: Database) -> AsyncIterator[House]:
    """Another process over the same database."""
    opened = open_house(database)
    yield opened
    opened.passwords.close()
