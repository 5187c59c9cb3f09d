"""Subcommand `serve`: run the server."""

import os

from diskwars_cli.command import EXIT_FAILED, CommandError, Options, VerbRegistry, requires_server
from diskwars_server.settings import SERVER_OPTIONS, SettingsError, add_options, parse_settings


def add_verbs(verbs: VerbRegistry) -> None:
    add_options(verbs.add("serve", "Run the server until it is stopped.", run_serve), *SERVER_OPTIONS)


def run_serve(options: Options) -> int:
    with requires_server():
        from diskwars_server.__main__ import run as serve
    try:
        return EXIT_FAILED if serve(parse_settings(options, os.environ)) else 0
    except SettingsError as fault:
        raise CommandError(str(fault)) from None
