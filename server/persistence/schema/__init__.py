"""Every model of the database, imported here so that `Table.metadata` is whole."""

from server.persistence.schema.base import Table
from server.persistence.schema.boards import (
    BoardCacheRow,
    BoardChangeRow,
    BoardRow,
    DailyDealRow,
    DailyTryRow,
    NightRow,
    ResultRow,
    SettledGameRow,
)
from server.persistence.schema.games import (
    CommitmentRow,
    GameLogRow,
    GamePlayerRow,
    GameRow,
    HeartbeatRow,
    KeptAnswerRow,
)
from server.persistence.schema.notices import NoticeHeadRow, NoticeRow
from server.persistence.schema.players import CredentialsRow, PlayerRow, TokenRow, TransferRow

__all__ = [
    "BoardCacheRow",
    "BoardChangeRow",
    "BoardRow",
    "CommitmentRow",
    "CredentialsRow",
    "DailyDealRow",
    "DailyTryRow",
    "GameLogRow",
    "GamePlayerRow",
    "GameRow",
    "HeartbeatRow",
    "KeptAnswerRow",
    "NightRow",
    "NoticeHeadRow",
    "NoticeRow",
    "PlayerRow",
    "ResultRow",
    "SettledGameRow",
    "Table",
    "TokenRow",
    "TransferRow",
]
