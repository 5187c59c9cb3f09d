"""The `import` verb: gives a match file to a server."""

from pathlib import Path

from diskwars_cli.console.command import EXIT_FAULTS, CommandError
from diskwars_cli.console.signals import read_input
from diskwars_cli.play.play import run_client
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_protocol.records.match_file import undo_text_conversion

FILE_FAULTS = ("import_cut", "import_changed")
"""Refusals that say that the file itself is wrong, as `verify` would."""


def run_import(file: str, url: str) -> int:
    raw = _read_file(file)

    async def imported() -> int:
        async with connect(url) as client:
            try:
                answer = await client.files.upload(raw)
            except CommandRefused as refused:
                if refused.code not in FILE_FAULTS:
                    raise
                print(f"{file}: {refused.code}: {refused.text}")
                return EXIT_FAULTS
        news = "imported" if answer.is_new else "the server has it already"
        print(f"{answer.match}  {answer.records} records, {news}")
        return 0

    return run_client(imported())


def _read_file(file: str) -> bytes:
    if file == "-":
        return undo_text_conversion(read_input())
    try:
        return undo_text_conversion(Path(file).read_bytes())
    except OSError as fault:
        raise CommandError(f"{file} cannot be read: {fault.strerror}") from None
