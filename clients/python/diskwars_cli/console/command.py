"""Parts that all verbs share: exit codes, the error shown to the user, and the name of the program."""

import contextlib
import os
from collections.abc import Iterator

EXIT_FAULTS = 1
"""A check found faults in an army, a pack, a match file, a simulated match or a bot of a league."""
EXIT_FAILED = 2
"""The verb could not be run; stderr says why."""
EXIT_INCOMPLETE = 3
"""A match file is valid so far, but it is unfinished, or other rules decided a part of it."""
EXIT_SEALED = 4
"""A finished match file is valid so far, but openings of sealed values are missing."""

PROGRAM_NAME_VARIABLE = "DISKWARS_CALLED"
"""Environment variable with which `./dev` passes on its own name."""


def program_name() -> str:
    """Return the command that the user typed to start this program."""
    return os.environ.get(PROGRAM_NAME_VARIABLE, "diskwars")


class CommandError(Exception):
    """A failure that the user can fix, in one sentence."""


@contextlib.contextmanager
def requires_server() -> Iterator[None]:
    """Wrap imports of server packages, which a client-only installation lacks. Raises CommandError for those."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise CommandError(
            f"this verb runs the server, and {missing.name} is not installed: "
            "in a clone run it with ./dev, or `pip install '.[all]'`"
        ) from None
