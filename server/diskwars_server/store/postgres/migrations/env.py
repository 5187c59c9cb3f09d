"""Environment in which alembic runs the steps: the connection and transaction that `upgrade` passes in."""

from alembic import context

from diskwars_server.store.postgres.migrations import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
