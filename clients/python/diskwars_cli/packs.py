"""How does one look at content packs from the command line? Must not know what makes a pack sound."""

from pathlib import Path

from diskwars_cli.verb import Complaint, Options, Verbs

FAULTY = 1


def add(verbs: Verbs) -> None:
    parser = verbs.add("packs", "List the packs that come with the server, or check one.", run)
    parser.add_argument(
        "what", nargs="?", choices=["list", "check"], help="list those that are here, or check the one in PATH"
    )
    parser.add_argument("path", nargs="?", metavar="PATH", help="the folder of a pack")


def run(options: Options) -> int:
    if options.what is None or (options.what == "check") != (options.path is not None):
        raise Complaint("say `packs list`, or `packs check PATH`")
    return check(Path(options.path)) if options.path else show()


def show() -> int:
    from diskwars_content import core

    catalogue = core()
    pack = catalogue.pack
    print(f"{pack.name} {pack.version}  {pack.hash}")
    print(f"  {len(catalogue.disks)} disks, {len(catalogue.cards)} command cards")
    for army in catalogue.armies.values():
        print(f"  {army.name}: {', '.join(army.disks)}; {', '.join(army.hand)}")
    return 0


def check(path: Path) -> int:
    from diskwars_content import check as faults_of

    if not path.is_dir():
        raise Complaint(f"{path} is no folder")
    faults = faults_of(path)
    for fault in faults:
        print(fault)
    print(f"{path}: {len(faults)} fault{'s' if len(faults) > 1 else ''}" if faults else f"{path}: sound")
    return FAULTY if faults else 0
