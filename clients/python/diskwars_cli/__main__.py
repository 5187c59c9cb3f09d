"""What can one do with Diskwars from a command line? Finds the verb, runs it, and says what went wrong in one sentence.

A verb is imported when it is asked for. Must not know what any verb does.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from diskwars_cli.verb import FAILED, Complaint, Verbs, called

USAGE = """\
usage: diskwars VERB [options]        diskwars VERB --help says more

play
  demo        watch two bots play a whole match on a real server
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
  schema      print the protocol as JSON Schema or AsyncAPI
"""

FAMILIES = {
    "demo": "demo",
    "serve": "serve",
    "play": "table",
    "watch": "table",
    "matches": "archive",
    "replay": "archive",
    "draw": "archive",
    "export": "archive",
    "verify": "verify",
    "simulate": "simulate",
    "packs": "packs",
    "rules": "rules",
    "schema": "schema",
}
"""The module of each verb."""


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0 if words else FAILED
    if words[0] not in FAMILIES:
        return complain(f"there is no verb {words[0]!r}; `diskwars --help` lists them all")
    try:
        return run(words)
    except Complaint as complaint:
        return complain(str(complaint))
    except BrokenPipeError:  # whoever reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def run(words: list[str]) -> int:
    """Raises Complaint."""
    parser = argparse.ArgumentParser(prog=called(), usage=argparse.SUPPRESS)
    family = importlib.import_module(f"diskwars_cli.{FAMILIES[words[0]]}")
    family.add(Verbs(parser.add_subparsers(prog=called())))
    options = parser.parse_args(words)
    code: int = options.run(options)
    sys.stdout.flush()
    return code


def complain(text: str) -> int:
    print(f"diskwars: {text}", file=sys.stderr)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
