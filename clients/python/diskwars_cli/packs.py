"""How does one look at content packs from the command line, and begin a file of one's own?

Must not know what makes a pack sound, nor how one is written.
"""

from collections.abc import Mapping
from pathlib import Path

from diskwars_cli.command import Complaint, Options, Verbs, called
from diskwars_cli.match_options import add_packs, packs_of
from diskwars_content import PackError, core, expansion, override_template, played_with
from diskwars_content import check as faults_of
from diskwars_content.override_loader import Own, toml_place
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue

FAULTY = 1


def add(verbs: Verbs) -> None:
    says = "List the packs that come with the server, check one, or begin a file of your own."
    parser = verbs.add("packs", says, run)
    parser.add_argument(
        "what", nargs="?", choices=["list", "check", "new"], help="list those that are here, check PATH, or write PATH"
    )
    parser.add_argument("path", nargs="?", metavar="PATH", help="the folder of a pack, or a file of your own")
    parser.add_argument("--all", action="store_true", help="new: every figure that is ours, to be written over")
    add_packs(parser)


def run(options: Options) -> int:
    if (options.what in ("check", "new")) != (options.path is not None):
        raise Complaint("say `packs`, `packs check PATH`, or `packs new FILE`")
    match options.what:
        case "check":
            return check(Path(options.path), packs_of(options))
        case "new":
            return begin(Path(options.path), packs_of(options), options.all)
        case _:
            return show(packs_of(options))


def _found(packs: tuple[str | Path, ...]) -> Own:
    try:
        return played_with(*packs)
    except PackError as fault:
        raise Complaint(str(fault)) from None


# ---------------------------------------------------------------- list


def show(packs: tuple[str, ...]) -> int:
    """Those that come with the server, and those that are named besides."""
    found = _found(packs)
    print("\n".join(["always played:", *_shown(core()), "played with `--pack expansion`:", *_shown(expansion())]))
    named = [pack for pack in found.catalogue.others if pack != expansion().pack]
    if named:
        print("\n".join(["named here:", *(f"  {pack.name} {pack.version}  {pack.hash}" for pack in named)]))
    return 0


def _shown(catalogue: Catalogue) -> list[str]:
    counts: dict[str, Mapping[str, object]] = {
        "disks": catalogue.disks,
        "command cards": catalogue.cards,
        "scenarios": catalogue.scenarios,
        "deployment cards": catalogue.deployments,
        "pieces of terrain": catalogue.terrain,
        "starter armies": catalogue.armies,
    }
    lines = [f"  {catalogue.pack.name} {catalogue.pack.version}  {catalogue.pack.hash}"]
    return [*lines, "    " + ", ".join(f"{len(found)} {what}" for what, found in counts.items() if found)]


# ---------------------------------------------------------------- check


def check(path: Path, packs: tuple[str, ...]) -> int:
    """Every fault, or what a sound file changes."""
    if not path.exists():
        raise Complaint(f"there is no {path}")
    beneath = [pack for pack in packs if Path(pack) != path]
    try:
        faults = faults_of(path, beneath)
    except PackError as fault:
        raise Complaint(str(fault)) from None
    if faults:
        print("\n".join([*faults, f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}"]))
        return FAULTY
    lines = [] if path.is_dir() else _changes(_found((*beneath, path)))
    print("\n".join([*lines, f"{path}: sound"]))
    return 0


def _changes(own: Own) -> list[str]:
    """What is the file's own, and which starter armies it makes illegal."""
    lines = [f"{toml_place(place).removeprefix('$.')}: {', '.join(given)}" for place, given in own.given.items()]
    return lines + [f"starter army {name} is left out: {why}" for name, why in own.dropped.items()]


# ---------------------------------------------------------------- new


def begin(path: Path, packs: tuple[str, ...], all_of_them: bool) -> int:
    """Writes a file that says nothing yet, and nothing over."""
    path = path if path.suffix == ".toml" else path.with_name(path.name + ".toml")
    text = (
        override_template.all_figures(path.stem, _found(packs).tables)
        if all_of_them
        else override_template.sheet(path.stem)
    )
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Complaint(f"{path} is there already") from None
    except OSError as fault:
        raise Complaint(f"{path} cannot be written: {fault.strerror}") from None
    print(f"{path} is written; `{called()} packs check {path}` says whether it is sound")
    return 0
