"""Command line of the benchmarks: run programs by name, print their tables, write them into a page.

    python -m bench NAME ... | all [--runs N] [--seconds S] [--trial] [--write FILE]

A program is a module of this folder with `tables(effort)`.
"""

import argparse
import ast
import contextlib
import importlib
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from bench import result_page
from bench.tables import (
    DEFAULT_EFFORT,
    TRIAL_EFFORT,
    BenchEffort,
    ResultTable,
    library_versions_text,
    machine_text,
    markdown,
)
from diskwars_cli.signals import EXIT_INTERRUPTED, check_stop, handle_stop_signals
from diskwars_protocol.suggestions import json_quote, suggest

PROGRAMS: tuple[str, ...] = (
    "overhead",
    "match",
    "rivals",
    "fanout",
    "joins",
    "rebuild",
    "stages",
    "decide",
    "fold",
    "idle",
    "opening",
)
"""In the order in which `all` runs them."""


def run_program(name: str, effort: BenchEffort) -> list[ResultTable]:
    """Return the tables of a program. A trial promises nothing: bounds and sentences would not be true of its sizes."""
    tables: list[ResultTable] = list(importlib.import_module(f"bench.{name}").tables(effort))
    return tables if effort.full else [replace(table, bounds=(), summary=()) for table in tables]


def format_section(name: str, tables: Sequence[ResultTable], effort: BenchEffort, seconds: float) -> str:
    """What a page says about a program: where, when and how hard it measured, how long that took, and its tables."""
    return "\n".join([f"{machine_text()}; {effort}; `{name}` took {seconds:.0f} s.", "", *map(markdown, tables)])


def write_page(file: Path, found: Mapping[str, str]) -> None:
    """The whole page, with these sections and, of the programs that did not run, those that it has."""
    before = result_page.read_sections(file.read_text("utf-8")) if file.exists() else {}
    file.write_text(
        result_page.render_page(f"{machine_text()}; {library_versions_text()}", {**before, **found}, PROGRAMS), "utf-8"
    )


# ---------------------------------------------------------------- what is asked


class BenchOptions(argparse.Namespace):
    """The options, as they are given."""

    names: list[str]
    runs: int | None
    seconds: float | None
    trial: bool
    write: Path | None


def parse_options(arguments: Sequence[str] | None) -> tuple[list[str], BenchEffort, Path | None]:
    """Return which programs, how hard, and the page. What makes no sense ends here, before anything is measured."""
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        usage="%(prog)s NAME ... [--runs N] [--seconds S] [--trial] [--write FILE]",
        description="Measure, and print tables.",
        epilog="\n".join(["programs:", *map(_program_summary, PROGRAMS), f"  {'all':<10}every one of them"]),
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
    more = "update this page; sections of programs that did not run stay"
    parser.add_argument("--write", type=_parse_page, metavar="FILE", help=more)
    given = parser.parse_args(arguments, BenchOptions())
    if given.trial and (given.runs is not None or given.seconds is not None):
        parser.error("a trial has its own numbers: --trial goes with neither --runs nor --seconds")
    if given.trial and given.write:
        parser.error("a trial's figures mean nothing: --trial does not go with --write")
    effort = (
        TRIAL_EFFORT
        if given.trial
        else BenchEffort(given.runs or DEFAULT_EFFORT.runs, given.seconds or DEFAULT_EFFORT.seconds)
    )
    names = PROGRAMS if "all" in given.names else dict.fromkeys(given.names)
    return list(names), effort, given.write


def _program_summary(name: str) -> str:
    """Return the first line of a program's docstring."""
    text = ast.get_docstring(ast.parse((result_page.FOLDER / f"{name}.py").read_text("utf-8"))) or ""
    return f"  {name:<10}{text.splitlines()[0]}"


def _parse_name(text: str) -> str:
    if text not in (*PROGRAMS, "all"):
        raise argparse.ArgumentTypeError(f"there is no program {json_quote(text)}{suggest(text, (*PROGRAMS, 'all'))}")
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
    """Yield each program and its section, as soon as it is measured and written."""
    from diskwars_server.app import tune_garbage_collector  # takes its time: not before Ctrl-C is understood

    found: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        if sys.stderr.isatty():
            print(f"{number} of {len(names)}: {name} …", file=sys.stderr, flush=True)
        importlib.import_module(f"bench.{name}")
        tune_garbage_collector()  # what is measured in this process is measured as a server would do it
        began = time.monotonic()
        tables = run_program(name, effort)
        found[name] = format_section(name, tables, effort, time.monotonic() - began)
        if file:
            write_page(file, found)
        yield name, found[name]
        check_stop()


def main(arguments: Sequence[str] | None = None) -> int:
    names, effort, file = parse_options(arguments)
    found: dict[str, str] = {}
    began, code = time.monotonic(), 0
    try:
        with handle_stop_signals():
            for name, text in _run_programs(names, effort, file):
                found[name] = text
                print(f"## {name}\n\n{text}", flush=True)
    except KeyboardInterrupt:
        print(f"stopped; measured so far: {', '.join(found) or 'nothing'}", file=sys.stderr, flush=True)
        code = EXIT_INTERRUPTED
    if bounds := result_page.bounds_section(found):
        print(bounds + "\n")
    if not code:
        programs = "1 program" if len(found) == 1 else f"{len(found)} programs"
        print(f"{programs} took {time.monotonic() - began:.0f} s.")
    return code


if __name__ == "__main__":
    sys.exit(main())
