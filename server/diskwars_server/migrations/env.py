"""How does alembic run the steps? On the connection that `upgrade` hands in, inside its transaction; never another."""

from alembic import context

from diskwars_server.migrations import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
