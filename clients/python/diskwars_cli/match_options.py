"""Which bots and armies does the user mean, and is it one? The options that `demo`, `simulate` and `play` share.

Must not know what is done with them.
"""

import argparse
import os
from functools import cache
from pathlib import Path
from typing import TypeVar, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from diskwars_cli.command import Complaint, Options, called
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.loadout import entered
from diskwars_protocol.rulesets.diskwars.actions import Entry, Settings
from diskwars_protocol.sealed import Sealed
from diskwars_server.settings import add_options, parse_settings
from diskwars_text import army_text
from diskwars_text.lexer import NotationError

SEATS = (2, 3, 4)
T = TypeVar("T")


def add_packs(parser: argparse.ArgumentParser) -> None:
    add_options(parser, "pack")


def packs_of(options: Options) -> tuple[str, ...]:
    """What `--pack` or the environment names."""
    return parse_settings(options, os.environ).pack


def catalogue_of(options: Options) -> Catalogue:
    """What is played with: the core set, and what `--pack` or the environment name. Raises Complaint."""
    return catalogue_with(packs_of(options))


@cache
def catalogue_with(packs: tuple[str, ...]) -> Catalogue:
    """Raises Complaint with every fault of a pack."""
    from diskwars_content import PackError, played_with

    try:
        return played_with(*packs).catalogue
    except PackError as fault:
        raise Complaint(str(fault)) from None


def add_bots(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bots", metavar="A,B", default="greedy", help="who plays: random or greedy, for each seat")


def add_table(parser: argparse.ArgumentParser) -> None:
    """How many sit around it, and how it is set up."""
    parser.add_argument("--players", type=int, choices=SEATS, default=SEATS[0], help="how many play (2)")
    parser.add_argument(
        "--setup",
        choices=["quick", "full"],
        default="full",
        help="quick leaves out scenarios, deployment cards and terrain (full)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"what no source settles, otherwise than usual; may be given again: {'; '.join(_offers())}",
    )


OPTIONS = [field for field in fields(Settings) if field.name not in ("setup", "regiments")]
"""Those that have no word of their own on the command line."""


def _offers() -> list[str]:
    """`pins strict or contact`, the default first."""
    values = {field.name: ("yes", "no") if field.type is bool else get_args(field.type) for field in OPTIONS}
    usual = {field.name: _word(field.default) for field in OPTIONS}
    return [
        f"{name} {' or '.join([usual[name], *(word for word in words if word != usual[name])])}"
        for name, words in values.items()
    ]


def _word(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def options_of(options: Options) -> dict[str, object]:
    """What `--option` says, by the names of `Settings`. Raises Complaint with what may be said."""
    found: dict[str, object] = {}
    for given in options.option:
        name, _, word = given.partition("=")
        field = next((field for field in OPTIONS if field.name == name.strip().replace("-", "_")), None)
        words = {} if field is None else _meant(field.type)
        if field is None or word.strip() not in words:
            offers = [one for one in _offers() if field is None or one.split()[0] == field.name]
            raise Complaint(f"--option {given}: there {'are' if len(offers) > 1 else 'is'} {'; '.join(offers)}")
        found[field.name] = words[word.strip()]
    return found


def _meant(kind: object) -> dict[str, object]:
    return {"yes": True, "no": False} if kind is bool else {word: word for word in get_args(kind)}


def settings_with(options: Options, count: int) -> Settings:
    """What `--setup` and `--option` say of a match with so many regiments a side. Raises Complaint."""
    return msgspec.convert({"setup": options.setup, "regiments": count, **options_of(options)}, Settings)


def add_armies(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--armies",
        metavar="A,B",
        default="",
        help="the armies of all seats: starter armies, by name or its beginning, or files (see the verb army)",
    )
    parser.add_argument(
        "--regiments", type=int, choices=[1, 2, 3], help="how many each army has, when none is named (1)"
    )


def bot_names(text: str, players: int) -> list[str]:
    """The bots of all seats; one name counts for all. Raises Complaint."""
    from diskwars_bots.bots import BOTS

    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise Complaint(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return _for_all(names, "bots", players)


class Sides(Struct, frozen=True):
    """The armies of all seats and what they play by; where none are named, `names` to draw some from."""

    armies: list[Entry]
    names: list[str]
    settings: Settings


def sides(options: Options) -> Sides:
    """What `--armies`, `--regiments`, `--players` and `--setup` say.

    Raises Complaint, also for an army that is not legal.
    """
    catalogue = catalogue_of(options)
    named = [name.strip() for name in options.armies.split(",")] if options.armies else []
    found = [army_of(name, catalogue) for name in named]
    count = options.regiments or (regiments(found[0], catalogue) if found else 1)
    for name, army in zip(named, found, strict=True):
        _check(name, army, count, catalogue)
    names = [army.name for army in catalogue.armies.values() if len(army.regiments) == count]
    if not found and not names:
        raise Complaint(f"there is no starter army of {count} regiments; name files with --armies")
    settings = settings_with(options, count)
    return Sides(_for_all(found, "armies", options.players) if found else [], names, settings)


def army_of(text: str, catalogue: Catalogue) -> Entry:
    """The army in the file of this name, or the starter army whose name this is, or begins with this in any case.

    Raises Complaint.
    """
    if Path(text).is_file():
        return _army_in(text)
    known = sorted(catalogue.armies)
    found = [name for name in known if name.lower() == text.lower()]
    found = found or [name for name in known if name.lower().startswith(text.lower())]
    if len(found) > 1 and text:
        raise Complaint(f"the army {text!r} may be {' or '.join(found)}")
    if not found or not text:
        raise Complaint(f"there is no army {text!r}, and no such file; there are {', '.join(known)}")
    return Entry(found[0])


def regiments(army: Entry, catalogue: Catalogue) -> int:
    """How many an army has, named or listed."""
    listed = () if isinstance(army.regiments, Sealed) else army.regiments
    known = catalogue.armies.get(str(army.army))
    return len(listed or (known.regiments if known else ()))


def _army_in(path: str) -> Entry:
    try:
        return army_text.read(Path(path).read_text("utf-8"))
    except NotationError as error:
        problem = f"{path}:{error.line}:{error.column}: {error.problem}"
        raise Complaint(f"{problem} (`{called()} army check {path}` tells all)") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise Complaint(f"{path} cannot be read: {fault}") from None


def _check(name: str, army: Entry, count: int, catalogue: Catalogue) -> None:
    """What the server would say, said before it is asked."""
    try:
        entered(catalogue, Settings(regiments=count), army)
    except Illegal as illegal:
        first, *more = illegal.text.splitlines()
        raise Complaint(f"{name}: {first}" + f" (and {len(more)} more)" * bool(more)) from None


def _for_all(names: list[T], what: str, players: int) -> list[T]:
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise Complaint(f"{len(names)} {what} for {players} seats")
    return names
