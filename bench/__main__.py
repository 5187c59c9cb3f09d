"""Which benchmark is asked for? Runs programs by their names, prints their tables, and writes them into a page.

    python -m bench NAME ... | all [--runs N] [--seconds S] [--trial] [--write FILE]

A program is a module of this folder with `tables(effort)`. Must not know what any of them measures.
"""

import argparse
import importlib
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench import page
from bench.tables import TRIAL, USUAL, Effort, Table, machine, markdown, versions
from diskwars_server.__main__ import spare_the_collector

PROGRAMS: tuple[str, ...] = ("overhead", "match", "rivals", "fanout", "rebuild", "rooms", "decide", "fold", "idle")
"""In the order in which `all` runs them."""


def run(name: str, effort: Effort) -> list[Table]:
    """The tables of a program."""
    tables: list[Table] = list(importlib.import_module(f"bench.{name}").tables(effort))
    return tables


def section(name: str, tables: Sequence[Table], seconds: float) -> str:
    """What a page says about a program: where and when it ran, how long that took, and its tables."""
    return "\n".join([f"{machine()}; `{name}` took {seconds:.0f} s.", "", *map(markdown, tables)])


def written(file: Path, found: Mapping[str, str]) -> None:
    """The whole page, with these sections and, of the programs that did not run, those that it has."""
    before = page.sections(file.read_text("utf-8")) if file.exists() else {}
    file.write_text(page.whole(f"{machine()}; {versions()}", {**before, **found}, PROGRAMS), "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench", description="Measure, and print tables.")
    parser.add_argument(
        "names", nargs="+", choices=[*PROGRAMS, "all"], metavar="NAME", help=f"{', '.join(PROGRAMS)}; all"
    )
    parser.add_argument("--runs", type=int, default=USUAL.runs, help=f"figures are medians of so many ({USUAL.runs})")
    parser.add_argument("--seconds", type=float, default=USUAL.seconds, help=f"of each run ({USUAL.seconds})")
    parser.add_argument("--trial", action="store_true", help="tiny numbers: does it run at all?")
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE",
        help="write this page anew, with the sections of programs that did not run",
    )
    options = parser.parse_args(arguments)
    effort = TRIAL if options.trial else Effort(options.runs, options.seconds)
    names = PROGRAMS if "all" in options.names else options.names
    found: dict[str, str] = {}
    start = time.monotonic()
    for name in names:
        importlib.import_module(f"bench.{name}")
        spare_the_collector()  # what is measured in this process is measured as a server would do it
        began = time.monotonic()
        text = section(name, run(name, effort), time.monotonic() - began)
        print(f"## {name}\n\n{text}", flush=True)
        found[name] = text
        if options.write:
            written(options.write, found)
    print(f"{page.bounds(found)}\n\n{len(found)} programs took {time.monotonic() - start:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
