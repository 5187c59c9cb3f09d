"""How is the server run from the command line? Must not know what a server is made of."""

import os

from diskwars_cli.command import FAILED, Complaint, Options, Verbs, needing_the_server
from diskwars_server.settings import SERVER_OPTIONS, SettingsError, add_options, parse_settings


def add(verbs: Verbs) -> None:
    add_options(verbs.add("serve", "Run the server until it is told to stop.", run), *SERVER_OPTIONS)


def run(options: Options) -> int:
    with needing_the_server():
        from diskwars_server.__main__ import run as serve
    try:
        return FAILED if serve(parse_settings(options, os.environ)) else 0
    except SettingsError as fault:
        raise Complaint(str(fault)) from None
