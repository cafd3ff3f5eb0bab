"""Alembic's entry: runs the migrations on the connection that the store has opened."""

from __future__ import annotations

from alembic import context

from supervisor.runtime.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=context.config.attributes["version_table"],
)
context.run_migrations()
