"""Which bots and armies does the user mean? The options that `demo`, `simulate` and `play` share.

Must not know what is done with them.
"""

import argparse

from diskwars_cli.verb import Complaint

SEATS = 2


def add_bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bots", metavar="A,B", default="greedy,greedy", help="who plays: random or greedy, for each")


def add_armies(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--armies", metavar="A,B", default="", help="the armies of both seats, by name or its beginning"
    )


def bot_names(text: str) -> list[str]:
    """The bots of both seats; one name counts for both. Raises Complaint."""
    from diskwars_client.bots import BOTS

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise Complaint(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return _for_both(names, "bots")


def army_names(text: str) -> list[str]:
    """The armies of both seats as their pack calls them, empty when none are named. Raises Complaint."""
    return _for_both([army_name(name.strip()) for name in text.split(",")], "armies") if text else []


def army_name(text: str) -> str:
    """The army whose name this is, or begins with this whatever the case. Raises Complaint."""
    from diskwars_content import core

    known = sorted(core().armies)
    meant = [name for name in known if name.lower() == text.lower()]
    meant = meant or [name for name in known if name.lower().startswith(text.lower())]
    if len(meant) != 1 or not text:
        raise Complaint(f"there is no one army {text!r}; there are {', '.join(known)}")
    return meant[0]


def _for_both(names: list[str], what: str) -> list[str]:
    if len(names) == 1:
        return names * SEATS
    if len(names) != SEATS:
        raise Complaint(f"{len(names)} {what} for {SEATS} seats")
    return names
