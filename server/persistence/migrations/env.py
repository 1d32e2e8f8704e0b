"""Run by Alembic for every command: the connection is given by `server.persistence.migrate`, already locked."""

from alembic import context

from server.persistence.schema import Table

connection = context.config.attributes.get("connection")
if connection is None:
    raise RuntimeError("migrations are run by server.persistence.migrate, which brings the connection")
context.configure(connection=connection, target_metadata=Table.metadata, compare_type=True, compare_server_default=True)
context.run_migrations()
