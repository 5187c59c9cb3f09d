"""The `serve` verb: runs the server until a stop signal."""

import sys

from diskwars_cli.console.command import requires_server
from diskwars_cli.own_server.serve_process import serve_here
from diskwars_server.settings import ServerSettings


def run_serve(settings: ServerSettings) -> int:
    """Serve until a stop signal, which is the normal end: the exit code is then 0."""
    with requires_server():
        import diskwars_server.app  # noqa: F401 before the page is built, which takes long
        from diskwars_cli.own_server.page_build import prepare_page
        from diskwars_server.connections.listening import raise_open_file_limit
        from diskwars_server.logs import configure_logging
    configure_logging(settings.log_level, settings.log_format)
    raise_open_file_limit()
    page = prepare_page(settings.page, lambda line: print(line, file=sys.stderr, flush=True))

    def print_address(url: str) -> None:
        print(address_text(url, bool(page)), flush=True)

    if settings.workers > 1:
        with requires_server():
            from diskwars_cli.own_server.serve_nodes import run_nodes
        run_nodes(settings, print_address)
    else:
        serve_here(settings, page, ready=print_address)
    return 0


def address_text(url: str, has_page: bool) -> str:
    """Return what a server prints once it listens. Programs wait for its first line."""
    listening = f"listening on {url}"
    return f"{listening}\nthe page is at {url.replace('ws', 'http', 1).removesuffix('ws')}" if has_page else listening
