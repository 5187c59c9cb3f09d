"""Entry point of the `diskwars` command: find the subcommand, run it, report errors in one sentence.

A subcommand is imported when it is used.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches

from diskwars_cli.command import EXIT_FAILED, CommandError, VerbRegistry, program_name

USAGE = """\
usage: diskwars VERB [options]        diskwars VERB --help says more

play
  demo        watch bots play a whole match on a real server
  serve       run the server
  play        play a match in this terminal
  watch       follow a match as text
  matches     list the newest matches

look back
  replay      read a match again, or see the table as it stood at any record
  draw        draw the table at any record as a picture
  export      write a match to a file that anybody can check
  verify      check such a file: its chain, its cards, its dice, its rules

look inside
  simulate    let bots play many matches in memory
  packs       list the content packs, or check one
  rules       look a rule up: its reason, the code that obeys it, the tests that show it
  army        check armies in a file, write one as text, list the starter armies
  schema      print the protocol as JSON Schema or AsyncAPI
"""

VERB_MODULES = {
    "demo": "demo",
    "serve": "serve",
    "play": "play",
    "watch": "play",
    "matches": "stored_matches",
    "replay": "stored_matches",
    "draw": "stored_matches",
    "export": "stored_matches",
    "verify": "verify",
    "simulate": "simulate",
    "packs": "packs",
    "rules": "rules",
    "army": "armies",
    "schema": "schema",
}
"""The module of each verb."""


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return run_verb(words) if words and words[0] not in ("-h", "--help", "help") else print_usage(words)
    except CommandError as complaint:
        # a fault that a verb puts into words may be that nobody reads
        return (
            redirect_stdout_to_devnull()
            if isinstance(complaint.__context__, BrokenPipeError)
            else report_error(str(complaint))
        )
    except BrokenPipeError:
        return redirect_stdout_to_devnull()
    except BaseExceptionGroup as several:
        if several.subgroup(BrokenPipeError) is None:
            raise
        return redirect_stdout_to_devnull()
    except KeyboardInterrupt:
        return 130


def print_usage(words: Sequence[str]) -> int:
    print(USAGE, end="", flush=True)
    return 0 if words else EXIT_FAILED


def redirect_stdout_to_devnull() -> int:
    """The reader of our output has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def run_verb(words: list[str]) -> int:
    """Raise CommandError."""
    if words[0] not in VERB_MODULES:
        near = get_close_matches(words[0], VERB_MODULES, 1)
        meant = f"did you mean {near[0]}?" if near else f"`{program_name()} --help` lists them all"
        raise CommandError(f"there is no verb {words[0]!r}; {meant}")
    family = importlib.import_module(f"diskwars_cli.{VERB_MODULES[words[0]]}")
    verbs = VerbRegistry()
    family.add_verbs(verbs)
    options = verbs.parse(words)
    code: int = options.run(options)
    sys.stdout.flush()
    return code


def report_error(text: str) -> int:
    print(f"diskwars: {text}", file=sys.stderr)
    return EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
