"""The `serve` verb: runs the server until a stop signal."""

import errno
import sys

from diskwars_cli.command import CommandError, requires_server
from diskwars_cli.server_bots import bot_program
from diskwars_cli.signals import Interrupted, finish_stop, run_async
from diskwars_server.settings import ServerSettings


def run_serve(settings: ServerSettings) -> int:
    """Serve in this process until a stop signal, which is the normal end: the exit code is then 0."""
    with requires_server():
        from diskwars_cli.page_build import prepare_page
        from diskwars_content.packs import PackError
        from diskwars_server.app import new_event_loop, serve
        from diskwars_server.embedded import EmbeddedError
        from diskwars_server.logs import configure_logging
        from diskwars_server.store_errors import StoreError
    configure_logging(settings.log_level, settings.log_format)
    page = prepare_page(settings.page, lambda line: print(line, file=sys.stderr, flush=True))

    try:
        serving = serve(
            settings, ready=lambda url: print(address_text(url, bool(page)), flush=True), bots=bot_program(), page=page
        )
        run_async(serving, new_event_loop)
    except Interrupted:
        finish_stop()
    except OSError as error:
        is_taken = error.errno == errno.EADDRINUSE
        raise CommandError(f"port {settings.port} is taken; try --port" if is_taken else str(error)) from None
    except (EmbeddedError, StoreError, PackError) as error:
        raise CommandError(str(error)) from None
    return 0


def address_text(url: str, has_page: bool) -> str:
    """Return what a server prints once it listens. Programs wait for its first line."""
    listening = f"listening on {url}"
    return f"{listening}\nthe page is at {url.replace('ws', 'http', 1).removesuffix('ws')}" if has_page else listening
