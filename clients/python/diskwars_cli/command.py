"""What all verbs share: exit codes, the error that is shown to the user, and the name of the program."""

import contextlib
import os
from collections.abc import Iterator

EXIT_FAULTS = 1
"""Something that was checked is wrong: an army, a pack, a match file, a simulated match."""
EXIT_FAILED = 2
"""The verb could not be run; stderr says why."""
EXIT_INCOMPLETE = 3
"""A match file is sound as far as it goes; it is unfinished or holds sealed values."""

PROGRAM_NAME_VARIABLE = "DISKWARS_CALLED"
"""Environment variable in which `./dev` hands on its own name."""


def program_name() -> str:
    """Return what to type to run this command again."""
    return os.environ.get(PROGRAM_NAME_VARIABLE, "diskwars")


class CommandError(Exception):
    """A failure that the user can fix, in one sentence."""


@contextlib.contextmanager
def requires_server() -> Iterator[None]:
    """For imports of packages that a client alone does not have."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise CommandError(
            f"this verb runs the server, and {missing.name} is not installed: "
            "in a clone run it with ./dev, or `pip install '.[all]'`"
        ) from None
