"""Serving in this process until a stop signal: what `serve` does, and each of its nodes."""

import errno
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from diskwars_cli.console.command import CommandError, requires_server
from diskwars_cli.console.signals import Interrupted, finish_stop, run_async
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.plugs.file_programs import file_programs
from diskwars_server.settings import ServerSettings

if TYPE_CHECKING:
    import socket

    from diskwars_server.connections.placement import Placement
    from diskwars_server.http.page_files import StaticFile

SITE = Path(__file__).parents[1] / "site"
"""The documentation site, where it was built: `./dev docs` does, and a release has it."""


def serve_here(
    settings: ServerSettings,
    page: "Mapping[str, StaticFile]",
    *,
    ready: Callable[[str], None],
    listeners: "Sequence[socket.socket]" = (),
    placement: "Placement | None" = None,
) -> None:
    """Serve in this process until a stop signal. `ready` gets the address once clients can connect.

    `listeners` are sockets that listen already, `placement` knows the nodes of which this is one. Raises CommandError.
    """
    with requires_server():
        from diskwars_content.packs import PackError
        from diskwars_server.app import new_event_loop, serve
        from diskwars_server.processes.embedded_postgres import EmbeddedError
        from diskwars_server.store.errors import StoreError

    async def serve_until_stopped() -> None:
        await serve(
            settings,
            ready=ready,
            bots=bot_program(),
            page=page,
            files=file_programs(),
            listeners=listeners,
            placement=placement,
            docs=SITE if SITE.is_dir() else None,
        )

    try:
        run_async(serve_until_stopped(), new_event_loop)
    except Interrupted:
        finish_stop()
    except OSError as error:
        raise CommandError(listen_fault(settings, error)) from None
    except (EmbeddedError, StoreError, PackError) as error:
        raise CommandError(str(error)) from None


def listen_fault(settings: ServerSettings, error: OSError) -> str:
    """Return why the server cannot listen, in one sentence."""
    return f"port {settings.port} is taken; try --port" if error.errno == errno.EADDRINUSE else str(error)
