"""Which benchmark is asked for? Runs programs by their names, prints their tables, and writes them into a page.

    python -m bench NAME ... | all [--runs N] [--seconds S] [--trial] [--write FILE]

A program is a module of this folder with `tables(effort)`. Must not know what any of them measures.
"""

import argparse
import importlib
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.tables import TRIAL, USUAL, Effort, Table, machine, markdown

PROGRAMS: tuple[str, ...] = ("overhead", "match", "rivals", "fanout", "rebuild", "rooms", "decide", "fold", "idle")
"""In the order in which `all` runs them."""


def run(name: str, effort: Effort) -> list[Table]:
    """The tables of a program."""
    tables: list[Table] = list(importlib.import_module(f"bench.{name}").tables(effort))
    return tables


def section(name: str, tables: Sequence[Table], seconds: float) -> str:
    """What a page says about a program: where and when it ran, and its tables."""
    return "\n".join([f"{machine()}; {seconds:.0f} s.", "", *map(markdown, tables)])


def written(page: str, name: str, text: str) -> str:
    """The page with this in its section of that name; a section that is not there yet is put at the end."""
    first, last = f"<!-- bench {name} -->", f"<!-- end of {name} -->"
    block = f"{first}\n{text.rstrip()}\n{last}"
    pattern = re.compile(re.escape(first) + r".*?" + re.escape(last), re.DOTALL)
    if pattern.search(page):
        return pattern.sub(lambda _: block, page)
    return f"{page.rstrip()}\n\n## {name}\n\n{block}\n".lstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev bench", description="Measure, and print tables.")
    parser.add_argument(
        "names", nargs="+", choices=[*PROGRAMS, "all"], metavar="NAME", help=f"{', '.join(PROGRAMS)}; all"
    )
    parser.add_argument("--runs", type=int, default=USUAL.runs, help=f"figures are medians of so many ({USUAL.runs})")
    parser.add_argument("--seconds", type=float, default=USUAL.seconds, help=f"of each run ({USUAL.seconds})")
    parser.add_argument("--trial", action="store_true", help="tiny numbers: does it run at all?")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into their sections of this page")
    options = parser.parse_args(arguments)
    effort = TRIAL if options.trial else Effort(options.runs, options.seconds)
    names = PROGRAMS if "all" in options.names else options.names
    for name in names:
        began = time.monotonic()
        text = section(name, run(name, effort), time.monotonic() - began)
        print(f"## {name}\n\n{text}", flush=True)
        if options.write:
            page = options.write.read_text("utf-8") if options.write.exists() else ""
            options.write.write_text(written(page, name, text), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
