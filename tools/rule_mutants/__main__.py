"""The command: try the mutants of the rules, print the survivors, write the page."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from datetime import date
from pathlib import Path

import pytest

from diskwars_content import rule_citations
from tests.effort import EFFORT_VARIABLE
from tools.rule_mutants import report
from tools.rule_mutants.attribution import ROOT, Mutant, find_mutants
from tools.rule_mutants.kernel import KERNEL
from tools.rule_mutants.results import Results, surroundings
from tools.rule_mutants.trials import Trials

RESULTS = ROOT / ".mutants.jsonl"
PAGE = ROOT / "docs" / "mutants.md"


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    os.environ[EFFORT_VARIABLE] = "whole"
    mutants = find_mutants()
    if fault := find_fault(mutants, options):
        print(fault, file=sys.stderr)
        return 2
    chosen = choose(mutants, options)
    if options.list:
        print("\n".join(report.line(mutant) for mutant in chosen))
        return 0
    trials = Trials(chosen, Results(options.results, surroundings(ROOT)), is_known_only=options.known)
    run(trials, options.tests)
    print(report.summary(trials.tried))
    if options.write:
        if len(chosen) < len(mutants) or options.tests:
            print("the page needs all mutants and tests: leave out what restricts them", file=sys.stderr)
            return 2
        PAGE.write_text(report.page(trials.tried, date.today().isoformat()), "utf-8")
    return 1 if report.unexplained(trials.tried) else 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev mutants", description=__doc__)
    parser.add_argument("--rule", action="append", metavar="ID", help="only mutants of this rule (repeatable)")
    parser.add_argument("--mutant", action="append", metavar="ID", help="only this mutant (repeatable)")
    parser.add_argument("--file", metavar="PART", help="only files whose path contains this")
    parser.add_argument("--kind", action="append", metavar="KIND", help="only mutants of this kind (repeatable)")
    parser.add_argument("--sample", type=positive, metavar="N", help="only N mutants, drawn with a fixed seed")
    parser.add_argument("--tests", action="append", metavar="PATH", help="only tests of this file (repeatable)")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--known", action="store_true", help="print stored results and try none")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FILE", help="where results are kept")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(ROOT)}")
    return parser.parse_args(arguments)


def find_fault(mutants: list[Mutant], options: argparse.Namespace) -> str:
    """Return what is wrong with names that restrict the mutants and tests: a slip would read as "all killed"."""
    rules = {rule for mutant in mutants for rule in mutant.rules}
    known: tuple[tuple[str, list[str] | None, set[str]], ...] = (
        ("rule has mutants", options.rule, rules),
        ("mutant has the id", options.mutant, {mutant.mutation.id for mutant in mutants}),
        ("mutant is of the kind", options.kind, {mutant.mutation.kind for mutant in mutants}),
    )
    faults = [
        f"no {what}: {name}" for what, names, known_names in known for name in names or () if name not in known_names
    ]
    if options.file and not any(options.file in mutant.mutation.path for mutant in mutants):
        faults.append(f"no file with mutants has this in its path: {options.file}")
    faults += [f"no such file: {path}" for path in options.tests or () if not (ROOT / path.partition("::")[0]).exists()]
    return "\n".join(faults)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is less than 1")
    return number


def choose(mutants: list[Mutant], options: argparse.Namespace) -> list[Mutant]:
    chosen = [
        mutant
        for mutant in mutants
        if (not options.rule or mutant.rules & set(options.rule))
        and (not options.mutant or mutant.mutation.id in options.mutant)
        and (not options.kind or mutant.mutation.kind in options.kind)
        and (not options.file or options.file in mutant.mutation.path)
    ]
    if options.sample is not None and options.sample < len(chosen):
        chosen = sorted(random.Random(0).sample(chosen, options.sample))
    return chosen


def run(trials: Trials, files: list[str] | None) -> None:
    """Collect the tests that name a rule and try the mutants in the same process."""
    of_rules = {citation.path for citation in rule_citations.citations_in_tests()}
    files = files or sorted(of_rules.union(*(part.tests for part in KERNEL.values())))
    os.chdir(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        # Hypothesis must not store the examples that kill mutants; each test ends by the limits of its child.
        os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = folder
        plain = ["-qq", "-p", "no:cacheprovider", "-p", "no:xdist", "-o", "timeout=0"]
        pytest.main([*plain, *files], plugins=[trials])


if __name__ == "__main__":
    sys.exit(main())
