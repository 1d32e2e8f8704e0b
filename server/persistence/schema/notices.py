"""What players must know anywhere, numbered for each of them."""

from datetime import datetime
from typing import Any

from sqlalchemy import Index, Text
from sqlalchemy.dialects.postgresql import JSONB
from sqlmodel import Field

from server.persistence.schema.base import NOW, TIME, Table


class NoticeHeadRow(Table, table=True):
    """The number of a player's last notice."""

    __tablename__ = "notice_heads"

    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    seq: int


class NoticeRow(Table, table=True):
    """One notice; `once` keeps two processes from giving the same one twice."""

    __tablename__ = "notices"
    __table_args__ = (
        Index("uq_notices_once", "player_id", "once", unique=True),
        Index("ix_notices_at", "at"),
    )

    player_id: str = Field(primary_key=True, foreign_key="players.id", sa_type=Text)
    seq: int = Field(primary_key=True)
    once: str = Field(sa_type=Text)
    data: dict[str, Any] = Field(sa_type=JSONB)
    at: datetime = Field(sa_type=TIME, sa_column_kwargs=NOW)
