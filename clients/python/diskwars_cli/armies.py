"""How does one build an army at a command line: is it legal, how is it written, which starter armies are there?

Must not know the rules of army building, nor how a text is read.
"""

import sys
from pathlib import Path

from diskwars_cli.command import Complaint, Options, Verbs
from diskwars_cli.match_options import add_packs, army_of, catalogue_of
from diskwars_engine.rulesets.diskwars.army_rules import army_faults
from diskwars_engine.rulesets.diskwars.catalogue import Army, Catalogue, unspent
from diskwars_engine.rulesets.diskwars.loadout import army_of as complete
from diskwars_protocol.rulesets.diskwars.actions import Entry
from diskwars_text import army_text
from diskwars_text.army_text import ArmyText
from diskwars_text.lexer import NotationError

FAULTY = 1


def add(verbs: Verbs) -> None:
    parser = verbs.add("army", "Check the armies of a file, write an army as text, or list the starter armies.", run)
    parser.add_argument("what", choices=["check", "show", "list"], help="check FILE, show NAME (or FILE), or list")
    parser.add_argument("which", nargs="?", metavar="FILE or NAME", help="a file of armies (- is standard input)")
    parser.add_argument("--regiments", type=int, choices=[1, 2, 3], help="check: how many each army has to have")
    parser.add_argument("--line", action="store_true", help="show: in one line")
    add_packs(parser)


def run(options: Options) -> int:
    if (options.what == "list") != (options.which is None):
        raise Complaint("say `army check FILE`, `army show NAME`, or `army list`")
    match options.what:
        case "check":
            return check(options.which, catalogue_of(options), options.regiments)
        case "show":
            catalogue = catalogue_of(options)
            return show(complete(catalogue, army_of(options.which, catalogue)), options.line)
        case _:
            return list_all(catalogue_of(options))


# ---------------------------------------------------------------- check


def check(file: str, catalogue: Catalogue, regiments: int | None) -> int:
    """Every fault of every army of a file, with its place there."""
    armies, errors = army_text.read_all(_text(file))
    if not armies and not errors:
        raise Complaint(f"{file}: no army here")
    faulty = 0
    for number, army in enumerate(armies):
        end = armies[number + 1].place(())[0] if number + 1 < len(armies) else sys.maxsize
        begin = army.place(())[0] if number else 0
        lines = _faults(army, [error for error in errors if begin <= error.line < end], catalogue, regiments)
        faulty += bool(lines)
        print("\n".join([_head(army, lines, catalogue), *lines]))
    if not armies:
        print("\n".join([f"{file}: no army can be read", *map(_line_of_error, errors)]))
    else:
        print(f"{_count(len(armies), 'army')}, {faulty or 'none'} with faults")
    return FAULTY if faulty or errors else 0


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text("utf-8")
    except OSError as fault:
        raise Complaint(f"{file} cannot be read: {fault.strerror}") from None
    except UnicodeDecodeError as fault:
        raise Complaint(f"{file} cannot be read: {fault}") from None


def _faults(army: ArmyText, errors: list[NotationError], catalogue: Catalogue, regiments: int | None) -> list[str]:
    """What cannot be read comes first: it may be what makes the rest wrong."""
    found = army_faults(_army(army.entry), catalogue.disks, catalogue.cards, regiments)
    return [*map(_line_of_error, errors), *(_line(*army.place(fault.place), str(fault)) for fault in found)]


def _line(line: int, column: int, text: str) -> str:
    return f"  {line}:{column}: {text}"


def _line_of_error(error: NotationError) -> str:
    return _line(error.line, error.column, error.problem)


def _head(army: ArmyText, faults: list[str], catalogue: Catalogue) -> str:
    name = army.entry.army or f"army of line {army.place(())[0]}"
    if faults:
        return f"{name}: {_count(len(faults), 'fault')}"
    return f"{name}: legal, {_sum(_army(army.entry), catalogue)}"


def _army(entry: Entry) -> Army:
    """Nothing that is read from a text is sealed."""
    assert isinstance(entry.army, str)
    assert isinstance(entry.regiments, tuple)
    assert isinstance(entry.hand, tuple)
    return Army(entry.army, entry.regiments, entry.hand)


# ---------------------------------------------------------------- show and list


def show(army: Army, in_one_line: bool) -> int:
    print(army_text.write(Entry(army.name, army.regiments, army.hand), in_one_line).rstrip())
    return 0


def list_all(catalogue: Catalogue) -> int:
    armies = catalogue.armies.values()
    width = max(len(army.name) for army in armies)
    for army in sorted(armies, key=lambda army: (len(army.regiments), army.name)):
        heroes = " and ".join(regiment.hero for regiment in army.regiments)
        print(f"{army.name:<{width}}  {heroes}: {_sum(army, catalogue)}")
    return 0


def _sum(army: Army, catalogue: Catalogue) -> str:
    """`2 regiments, 11 disks, 1 point unspent`."""
    left = unspent(army, catalogue.disks)
    parts = [(len(army.regiments), "regiment"), (len(army.disks), "disk"), (left, "point")]
    return ", ".join(_count(number, noun) for number, noun in parts) + " unspent"


def _count(number: int, noun: str) -> str:
    many = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else many}"
