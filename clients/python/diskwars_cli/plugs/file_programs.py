"""The commands of the processes in which a server started by this command works on match files."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diskwars_server.processes.file_verifier import FilePrograms


def module_command(module: str) -> tuple[str, ...]:
    """Return the command that runs a module. Not from the working directory: modules there are not the server's."""
    return (sys.executable, "-P", "-m", module)


def file_programs() -> "FilePrograms":
    """Return the programs that work on match files, for `start_server` and `serve`. The server has to be installed."""
    from diskwars_server.processes.file_verifier import FilePrograms

    return FilePrograms(
        verifier_command(),
        module_command("diskwars_cli.look_back.picture_process"),
        module_command("diskwars_cli.look_back.review_process"),
    )


def verifier_command() -> tuple[str, ...]:
    """Return the command of the program that verifies match files."""
    return module_command("diskwars_cli.look_back.file_verifier")
