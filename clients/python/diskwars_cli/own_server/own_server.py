"""The server that `play` starts in its own process when none runs on this machine; it ends with the process.

Only programs on this machine reach it.
"""

import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Iterator

from msgspec.structs import replace

from diskwars_cli.console.command import CommandError, requires_server
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.plugs.data_options import DataOptions

HOST = "127.0.0.1"
PROBE_SECONDS = 2.0
"""After which a server on this machine that has not accepted a connection counts as absent."""


def own_server_url(data: DataOptions) -> str:
    return f"ws://{HOST}:{data.port}/ws"


@contextlib.contextmanager
def own_database(data: DataOptions) -> Iterator[str]:
    """Provide the address of the database for a server of our own; empty if a server runs already.

    Raises CommandError.
    """
    if _is_listening(data.port):
        yield ""
        return
    with requires_server():
        from diskwars_server.app import open_database
        from diskwars_server.processes.embedded_postgres import EmbeddedError
        from diskwars_server.store.errors import StoreError
    try:
        with open_database(data.server_settings()) as url:
            yield url
    except (EmbeddedError, StoreError) as fault:
        raise CommandError(str(fault)) from None


@contextlib.asynccontextmanager
async def own_server(data: DataOptions, database_url: str) -> AsyncIterator[str]:
    """Provide the address of the user's own server: a new one on this database, or the one that runs already."""
    if not database_url:
        yield own_server_url(data)
        return
    from diskwars_server.app import open_archive, start_server
    from diskwars_server.store.postgres.database import PostgresDatabase

    # Its only guests are the user's own: they may leave as many matches with bots unfinished as they like.
    settings = data.server_settings()
    settings = replace(settings, host=HOST, player_bots=0, address_bots=0, tls_cert=None, tls_key=None)
    async with contextlib.AsyncExitStack() as stack:
        database = await stack.enter_async_context(PostgresDatabase(database_url, archive=open_archive(settings)))
        try:
            url = (await stack.enter_async_context(start_server(settings, database, bots=bot_program()))).url
        except OSError as fault:
            if fault.errno != errno.EADDRINUSE:
                raise
            url = own_server_url(data)  # another `play` was quicker
        yield url


def _is_listening(port: int) -> bool:
    if not port:  # any free one: there is none yet
        return False
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), PROBE_SECONDS):
        return True
    return False
