"""What every table shares: one naming convention for constraints, and times that know their zone."""

from __future__ import annotations

from typing import Any

from sqlalchemy import DateTime, MetaData, func
from sqlmodel import SQLModel

CONVENTION = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Table(SQLModel):
    """The parent of all models: they share `Table.metadata`, which the migrations are compared with."""

    metadata = MetaData(naming_convention=CONVENTION)


TIME: Any = DateTime(timezone=True)
NOW: Any = {"server_default": func.now()}
