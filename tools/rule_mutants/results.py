"""Stored results of trials, so that a run goes on where the last one ended and repeats only what has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from tools.rule_mutants.mutations import Mutation

TestTexts = Mapping[str, str]
"""The source of each test by its node id."""


class Trial(NamedTuple):
    """The result of a mutant; `killer` is the test that failed first, or what else ended it."""

    outcome: str
    killer: str = ""

    @property
    def is_killed(self) -> bool:
        return self.outcome == "killed"


SURVIVED = Trial("survived")
UNREACHED = Trial("unreached")
"""Tests name the rule, and none of them calls the function."""
NO_TEST = Trial("no test")
NOT_TRIED = Trial("not tried")


class Measured(NamedTuple):
    """A test without a mutant: whether it passes, its CPU time, and the functions of the product that it calls."""

    passed: bool
    seconds: float
    places: frozenset[str]


class Results:
    """A file with a JSON line for each trial and each measured test.

    A killed mutant stays killed while its function and the test that killed it have the same text; any other is found
    again while none of its tests has changed and none was added. What a test calls is measured once. This holds
    for the same `around` only: a digest of what the tests need, see `surroundings`.
    """

    def __init__(self, file: Path, around: str = "") -> None:
        self._file = file
        self._around = around
        self._trials: dict[str, tuple[Trial, str]] = {}
        self._measured: dict[str, Measured] = {}
        for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
            entry = json.loads(line)
            if "mutant" in entry:
                self._trials[entry["mutant"]] = Trial(entry["outcome"], entry["killer"]), entry["proof"]
            else:
                measured = Measured(entry["passed"], entry["seconds"], frozenset(entry["places"]))
                self._measured[entry["test"]] = measured

    def trial(self, mutation: Mutation, tests: TestTexts) -> Trial | None:
        known = self._trials.get(self._mutant_key(mutation))
        return known[0] if known is not None and known[1] == _proof(known[0], tests) else None

    def add_trial(self, mutation: Mutation, tests: TestTexts, trial: Trial) -> None:
        key, proof = self._mutant_key(mutation), _proof(trial, tests)
        self._trials[key] = trial, proof
        self._append({"mutant": key, "outcome": trial.outcome, "killer": trial.killer, "proof": proof})

    def measured(self, test: str, text: str) -> Measured | None:
        return self._measured.get(digest([test, text, self._around]))

    def add_measured(self, test: str, text: str, measured: Measured) -> None:
        key = digest([test, text, self._around])
        self._measured[key] = measured
        entry = {"test": key, "passed": measured.passed, "seconds": measured.seconds}
        self._append({**entry, "places": sorted(measured.places)})

    def _append(self, entry: dict[str, object]) -> None:
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")

    def _mutant_key(self, mutation: Mutation) -> str:
        return digest([mutation.id, mutation.around, self._around])


def surroundings(root: Path) -> str:
    """Return a digest of the packs and of the files that tests share: a change there can change any result."""
    packs = sorted((root / "server" / "diskwars_content").rglob("*.toml"))
    shared = [file for file in sorted((root / "tests").rglob("*.py")) if not file.name.startswith("test_")]
    return digest([part for file in [*packs, *shared] for part in (file.name, file.read_text("utf-8"))])


def _proof(trial: Trial, tests: TestTexts) -> str:
    """Return what has to be unchanged for a result to hold."""
    if trial.is_killed:
        return digest([tests[trial.killer]]) if trial.killer in tests else ""
    return digest([part for test in sorted(tests.items()) for part in test])


def digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
