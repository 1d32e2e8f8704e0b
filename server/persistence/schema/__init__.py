"""Every model of the database, imported here so that `Table.metadata` is whole."""

from server.persistence.schema.base import Table
from server.persistence.schema.games import (
    CommitmentRow,
    GameLogRow,
    GamePlayerRow,
    GameRow,
    HeartbeatRow,
    KeptAnswerRow,
)
from server.persistence.schema.players import PlayerRow, TokenRow

__all__ = [
    "CommitmentRow",
    "GameLogRow",
    "GamePlayerRow",
    "GameRow",
    "HeartbeatRow",
    "KeptAnswerRow",
    "PlayerRow",
    "Table",
    "TokenRow",
]
