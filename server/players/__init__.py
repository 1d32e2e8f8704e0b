"""Identities, tokens and names: who plays, and what proves it (WIRE.md, Identity)."""

from server.players.accounts import Accounts
from server.players.callers import Callers
from server.players.names import FORMER, BadName, clean_name
from server.players.passwords import Passwords
from server.players.ports import AccountStore, Credentials, PlayerStore
from server.players.service import Players
from server.players.types import CPU_IDS, SCOPES, SESSION_SCOPES, Caller, Player, TokenInfo, cpu_player, player_dict

__all__ = [
    "CPU_IDS",
    "FORMER",
    "SCOPES",
    "SESSION_SCOPES",
    "AccountStore",
    "Accounts",
    "BadName",
    "Caller",
    "Callers",
    "Credentials",
    "Passwords",
    "Player",
    "PlayerStore",
    "Players",
    "TokenInfo",
    "clean_name",
    "cpu_player",
    "player_dict",
]
