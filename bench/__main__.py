"""Command line of the benchmarks: run programs by name, print their tables, write them into a page.

    python -m bench NAME ... | all [--runs N] [--seconds S] [--trial] [--attack NAME] [--write FILE]
    python -m bench against REV [--pairs N] [--seconds S] [--matches N] [--write FILE]

A program is a module of `bench.programs` with `tables(effort)`.
"""

import argparse
import ast
import contextlib
import importlib
import math
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench import result_page
from bench.measured_code import commit_text
from bench.measuring.tables import (
    DEFAULT_EFFORT,
    TRIAL_EFFORT,
    BenchEffort,
    ResultTable,
    library_versions_text,
    machine_text,
    markdown,
)
from diskwars_cli.console.signals import EXIT_INTERRUPTED, check_stop, handle_stop_signals
from diskwars_protocol.suggestions import json_quote, suggest

PROGRAMS: tuple[str, ...] = (
    "overhead",
    "match",
    "workers",
    "rivals",
    "fanout",
    "joins",
    "rebuild",
    "stages",
    "decide",
    "calls",
    "bots",
    "rulesets",
    "steps",
    "fold",
    "replay",
    "idle",
    "rest",
    "opening",
    "pages",
)
"""The programs, in the order in which `all` runs them."""
OTHER_PROGRAMS = ("attacks", "inputs", "crowd")
"""Programs with a page of their own, which `all` leaves out."""
ALL_PROGRAMS = (*PROGRAMS, *OTHER_PROGRAMS)
PAGE_SECTIONS = (*PROGRAMS, "against")
"""The sections of the page, in their order."""


def run_program(name: str, effort: BenchEffort) -> list[ResultTable]:
    """Run a program and return its tables; those of a trial without bounds and summaries, which would be untrue."""
    tables: list[ResultTable] = list(importlib.import_module(f"bench.programs.{name}").tables(effort))
    return tables if effort.full else [replace(table, bounds=(), summary=()) for table in tables]


def format_section(name: str, tables: Sequence[ResultTable], effort: BenchEffort, seconds: float) -> str:
    """Format the section of a program: machine, date, commit, effort, duration and tables."""
    facts = "; ".join(filter(None, (machine_text(), commit_text(), str(effort), f"`{name}` took {seconds:.0f} s.")))
    return "\n".join([facts, "", *map(markdown, tables)])


def write_page(file: Path, sections: Mapping[str, str]) -> None:
    """Write the whole page: these sections, and the old ones of programs that did not run."""
    old = file.read_text("utf-8") if file.exists() else ""
    if old and not old.startswith(result_page.PAGE_TITLE):
        file.write_text(result_page.replace_sections(old, sections), "utf-8")
        return
    old_sections = result_page.read_sections(old)
    file.write_text(
        result_page.render_page(
            f"{machine_text()}; {library_versions_text()}", {**old_sections, **sections}, PAGE_SECTIONS
        ),
        "utf-8",
    )


def write_charts(page: Path, tables: Iterable[ResultTable]) -> None:
    """Write the pictures of the tables beside their page."""
    for chart in (table.chart for table in tables if table.chart):
        file = page.parent / chart.file
        file.parent.mkdir(exist_ok=True)
        file.write_text(chart.svg, "utf-8")


# ---------------------------------------------------------------- options


class BenchOptions(argparse.Namespace):
    """The options as parsed by argparse."""

    names: list[str]
    runs: int | None
    seconds: float | None
    trial: bool
    attack: list[str] | None
    write: Path | None


def parse_options(arguments: Sequence[str] | None) -> tuple[list[str], BenchEffort, Path | None]:
    """Parse the command line into programs, effort and page. Exits on an error, before anything is measured."""
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        usage="%(prog)s NAME ... [--runs N] [--seconds S] [--trial] [--attack NAME] [--write FILE]\n"
        "       %(prog)s against REV [--pairs N] [--seconds S] [--matches N] [--write FILE]",
        description="Measure, and print tables.",
        epilog="\n".join(
            ["programs:", *map(_program_summary, ALL_PROGRAMS), f"  {'all':<10}all but {' and '.join(OTHER_PROGRAMS)}"]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="+", type=_parse_name, metavar="NAME", help="a program, or all")
    parser.add_argument(
        "--runs",
        type=_parse_runs,
        metavar="N",
        help=f"number of runs that each figure is a median of ({DEFAULT_EFFORT.runs})",
    )
    parser.add_argument("--seconds", type=_parse_seconds, metavar="S", help=f"of each run ({DEFAULT_EFFORT.seconds:g})")
    parser.add_argument("--trial", action="store_true", help="tiny numbers: does it run at all?")
    help_text = "of `attacks`, only this one (repeatable)"
    parser.add_argument("--attack", type=_parse_attack, action="append", metavar="NAME", help=help_text)
    more = "update this page; sections of programs that did not run stay"
    parser.add_argument("--write", type=_parse_page, metavar="FILE", help=more)
    options = parser.parse_args(arguments, BenchOptions())
    if options.trial and (options.runs is not None or options.seconds is not None):
        parser.error("a trial has its own numbers: --trial goes with neither --runs nor --seconds")
    if options.trial and options.write:
        parser.error("a trial's figures mean nothing: --trial does not go with --write")
    if options.attack and (options.names != ["attacks"] or options.write):
        parser.error("--attack goes with the program `attacks` alone, and not with --write")
    effort = (
        TRIAL_EFFORT
        if options.trial
        else BenchEffort(options.runs or DEFAULT_EFFORT.runs, options.seconds or DEFAULT_EFFORT.seconds)
    )
    effort = replace(effort, attacks=tuple(options.attack or ()))
    names = PROGRAMS if "all" in options.names else dict.fromkeys(options.names)
    return list(names), effort, options.write


def _program_summary(name: str) -> str:
    """Return a line of help for a program: its name and the first line of its docstring."""
    text = ast.get_docstring(ast.parse((result_page.FOLDER / "programs" / f"{name}.py").read_text("utf-8"))) or ""
    return f"  {name:<10}{text.splitlines()[0]}"


def _parse_name(text: str) -> str:
    known = (*ALL_PROGRAMS, "all")
    if text not in known:
        raise argparse.ArgumentTypeError(f"there is no program {json_quote(text)}{suggest(text, known)}")
    return text


def _parse_attack(text: str) -> str:
    from bench.load.attackers import ATTACKS  # imported late: it takes long

    if text not in ATTACKS:
        raise argparse.ArgumentTypeError(f"there is no attack {json_quote(text)}; there are {', '.join(ATTACKS)}")
    return text


def _parse_runs(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{json_quote(text)} is not a whole number above 0")
    return int(text)


def _parse_seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(seconds := float(text)) and seconds > 0:
            return seconds
    raise argparse.ArgumentTypeError(f"{json_quote(text)} is not a number of seconds above 0")


def _parse_page(text: str) -> Path:
    file = Path(text)
    try:
        refused = result_page.reason_not_writable(file)
    except OSError as error:  # a name that is too long
        refused = f"{file} cannot be written: {error.strerror}"
    if refused:
        raise argparse.ArgumentTypeError(refused)
    return file


# ---------------------------------------------------------------- measuring


def _run_programs(names: Sequence[str], effort: BenchEffort, file: Path | None) -> Iterator[tuple[str, str]]:
    """Yield each program's name and section as soon as it is measured and written."""
    from diskwars_server.app import tune_garbage_collector  # imported late: it takes long, and Ctrl-C is handled now

    sections: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        if sys.stderr.isatty():
            print(f"{number} of {len(names)}: {name} …", file=sys.stderr, flush=True)
        importlib.import_module(f"bench.programs.{name}")
        tune_garbage_collector()  # as the server does, for programs that measure in this process
        began = time.monotonic()
        tables = run_program(name, effort)
        sections[name] = format_section(name, tables, effort, time.monotonic() - began)
        if file:
            write_page(file, sections)
            write_charts(file, tables)
        yield name, sections[name]
        check_stop()


def main(arguments: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["against"]:
        from bench import against  # imported late: it takes long

        code, section, page = against.run(words[1:])
        if page is not None:
            write_page(page, {"against": section})
        return code
    names, effort, file = parse_options(words)
    sections: dict[str, str] = {}
    began, code = time.monotonic(), 0
    try:
        with handle_stop_signals():
            for name, text in _run_programs(names, effort, file):
                sections[name] = text
                print(f"## {name}\n\n{text}", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; measured so far: {', '.join(sections) or 'nothing'}", file=sys.stderr, flush=True)
        code = EXIT_INTERRUPTED
    if bounds := result_page.bounds_section(sections):
        print(bounds + "\n")
    if not code:
        programs = "1 program" if len(sections) == 1 else f"{len(sections)} programs"
        print(f"{programs} took {time.monotonic() - began:.0f} s.")
    return code


if __name__ == "__main__":
    sys.exit(main())
