"""The interface of a subcommand, and its errors."""

import argparse
import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

Options: TypeAlias = argparse.Namespace
RunVerb: TypeAlias = Callable[[Options], int]
"""Does what the verb says; the exit code."""

PROGRAM_NAME_VARIABLE = "DISKWARS_CALLED"
"""The environment's word for how this command was called: `./dev` hands its own name on."""


def program_name() -> str:
    """Return what to type to call this command again."""
    return os.environ.get(PROGRAM_NAME_VARIABLE, "diskwars")


EXIT_FAILED = 2
"""The exit code of a complaint."""


class CommandError(Exception):
    """What the user can do something about, in one sentence."""


class VerbRegistry:
    """The verbs of the command, as parsers of their options."""

    def __init__(self) -> None:
        self._parsers: dict[str, argparse.ArgumentParser] = {}

    def add(self, name: str, says: str, run: RunVerb) -> argparse.ArgumentParser:
        """Return a verb with what it says about itself; add its options to the returned parser."""
        parser = self._parsers[name] = argparse.ArgumentParser(prog=f"{program_name()} {name}", description=says)
        parser.set_defaults(run=run)
        return parser

    def parse(self, words: Sequence[str]) -> Options:
        """Return the subcommand and its arguments; options may precede, follow or separate the other words."""
        return self._parsers[words[0]].parse_intermixed_args(words[1:])


@contextlib.contextmanager
def requires_server() -> Iterator[None]:
    """For imports that a client alone does not have."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise CommandError(
            f"this needs the server, and {missing.name} is not installed: pip install diskwars[server]"
        ) from None
