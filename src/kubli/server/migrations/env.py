"""Alembic runs this for every command: the connection is handed in by kubli.server.migrate."""

from alembic import context

from kubli.server.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
