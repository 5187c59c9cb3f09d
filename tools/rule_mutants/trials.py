"""Trials of mutants inside one run of pytest: each in a forked child, against the tests that name its rules.

The tests are collected once. A child replaces the code of one function, runs the tests, quickest first, and ends at the
first that fails, so that a mutant costs little more than its tests. What is outside of functions needs a new process.
"""

from __future__ import annotations

import functools
import gc
import inspect
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest
from _pytest.runner import runtestprotocol

from diskwars_content import rule_citations
from diskwars_content.rule_register import find_rule_ids
from tests.rows import rows_of
from tools.rule_mutants.attribution import ROOT, Mutant
from tools.rule_mutants.kernel import KERNEL
from tools.rule_mutants.mutations import Mutation
from tools.rule_mutants.results import NO_TEST, NOT_TRIED, UNREACHED, Measured, Results, Trial

SECONDS_PER_TEST = 2.0
"""Tests that take longer than this are not used."""
PROFILED_SECONDS_PER_TEST = 3 * SECONDS_PER_TEST
SECONDS_PER_MUTANT = 20.0
"""CPU time after which a child is ended; a mutant that runs for ever counts as killed."""
MEMORY_LIMIT = 4 * 2**30
DATABASE_FIXTURES = {"postgres_url", "database_url", "open_folder"}
"""Tests that start a PostgreSQL are too slow for this."""


TestName = tuple[str, str]
"""File and name of a test function, as citations have them."""


def place_of(path: str, name: str) -> str:
    return f"{path}:{name}"


def name_of(item: pytest.Item) -> TestName:
    return item.path.relative_to(ROOT).as_posix(), ".".join(item.nodeid.partition("[")[0].split("::")[1:])


@functools.cache
def text_of(item: pytest.Item) -> str:
    return inspect.getsource(getattr(item, "function"))  # noqa: B009  an item that is no function has no source


class Trials:
    """A plugin for pytest that tries mutants in place of running the tests once."""

    def __init__(self, mutants: list[Mutant], results: Results, *, is_known_only: bool) -> None:
        self._mutants = mutants
        self._results = results
        self._is_known_only = is_known_only
        self.tried: list[tuple[Mutant, Trial]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = items_by_rule(session.items)
        begin = time.monotonic()
        for number, mutant in enumerate(self._mutants, 1):
            chosen = {item.nodeid: item for rule in mutant.rules for item in items.get(rule, ())}
            trial = self._try(mutant.mutation, list(chosen.values()))
            self.tried.append((mutant, trial))
            progress = f"{number}/{len(self._mutants)}, {time.monotonic() - begin:.0f} s"
            if sys.stderr.isatty():
                print(f"\r{progress}", end="", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return True

    def _try(self, mutation: Mutation, items: list[pytest.Item]) -> Trial:
        texts = {item.nodeid: text_of(item) for item in items}
        trial = self._results.trial(mutation, texts)
        if trial is not None:
            return trial
        if self._is_known_only:
            return NOT_TRIED
        trial = self._try_anew(mutation, items) if items else NO_TEST
        self._results.add_trial(mutation, texts, trial)
        return trial

    def _try_anew(self, mutation: Mutation, items: list[pytest.Item]) -> Trial:
        place = place_of(mutation.path, mutation.name)
        useful = []
        for item in items:
            measured = self._measured(item)
            calls = mutation.is_table or place in measured.places
            if calls and measured.passed and measured.seconds < SECONDS_PER_TEST:
                useful.append((measured.seconds, item.nodeid, item))
        chosen = [item for *_, item in sorted(useful, key=lambda timing: timing[:2])]
        if not chosen:
            return UNREACHED
        source = (ROOT / mutation.path).read_text("utf-8")
        trial = None if mutation.is_table else try_in_child(mutation, mutation.apply(source), chosen)
        return trial or try_in_new_process(mutation, chosen)

    def _measured(self, item: pytest.Item) -> Measured:
        known = self._results.measured(item.nodeid, text_of(item))
        if known is None:
            known = measure(item)
            self._results.add_measured(item.nodeid, text_of(item), known)
        return known


def items_by_rule(items: list[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Return the tests that name each rule, in their text or their parameters; for the kernel, those of its files."""
    rules_of_test: dict[TestName, set[str]] = {}
    for citation in rule_citations.citations_in_tests():
        rules_of_test.setdefault((citation.path, citation.name), set()).add(citation.id)
    items_of_rule: dict[str, list[pytest.Item]] = {}
    for item in items:
        if DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
            continue
        parameters = repr(rows_of(getattr(item, "function", None)))
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            parameters += repr(item.callspec.params)
        for rule in rules_of_test.get(name_of(item), set()) | set(find_rule_ids(parameters)):
            items_of_rule.setdefault(rule, []).append(item)
        for part, (_, _, files) in KERNEL.items():
            if name_of(item)[0] in files:
                items_of_rule.setdefault(part, []).append(item)
    return items_of_rule


# --- children


def in_child(work: Callable[[], str], seconds: float) -> str:
    """Return the text that a function returns in a forked child; empty if it ended in another way, as by its limit."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            _limit_child(seconds)
            text = work()
            with os.fdopen(writer, "w") as stream:
                stream.write(text)
        finally:
            os._exit(0)  # after an error as well: a child must not go on with the trials of its parent
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    os.waitpid(child, 0)
    return text


def _limit_child(seconds: float) -> None:
    quiet = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(quiet, descriptor)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    # CPU time does not depend on what else the machine does; the alarm ends a child that only waits.
    for kind, limit in ((signal.SIGPROF, seconds), (signal.SIGALRM, 10 * seconds)):
        signal.signal(kind, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF if kind == signal.SIGPROF else signal.ITIMER_REAL, limit)


def has_passed(item: pytest.Item) -> bool:
    return not any(report.failed for report in runtestprotocol(item, nextitem=None, log=False))


def measure(item: pytest.Item) -> Measured:
    """Run a test in a child without a mutant."""

    def work() -> str:
        clear_caches()
        called: set[CodeType] = set()
        sys.setprofile(lambda frame, event, argument: called.add(frame.f_code) if event == "call" else None)
        begin = time.process_time()
        passed = has_passed(item)
        seconds = time.process_time() - begin
        sys.setprofile(None)
        return json.dumps([passed, round(seconds, 3), *sorted(set(_places(called)))])

    answer = in_child(work, PROFILED_SECONDS_PER_TEST)
    if not answer:
        return Measured(False, PROFILED_SECONDS_PER_TEST, frozenset())
    passed, seconds, *places = json.loads(answer)
    return Measured(passed, seconds, frozenset(places))


def _places(called: set[CodeType]) -> Iterator[str]:
    for code in called:
        if code.co_filename.startswith(str(ROOT)):
            path = Path(code.co_filename).relative_to(ROOT).as_posix()
            yield place_of(path, code.co_qualname.split(".<locals>")[0])


def try_in_child(mutation: Mutation, mutated: str, items: list[pytest.Item]) -> Trial | None:
    """Return the result of a mutant, or None if its function cannot be replaced in a loaded module."""

    def work() -> str:
        if not replace_function(mutation, mutated):
            return "null"
        clear_caches()
        killer = next((item.nodeid for item in items if not has_passed(item)), "")
        return json.dumps(["killed" if killer else "survived", killer])

    answer = in_child(work, SECONDS_PER_MUTANT)
    result = json.loads(answer or '["killed", "ended by its limit"]')
    return Trial(*result) if result else None


def try_in_new_process(mutation: Mutation, items: list[pytest.Item]) -> Trial:
    """Try a mutant of a table: modules that import it hold its value, so they are imported again."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-p",
        "tools.rule_mutants.mutated_import",
    ]
    environment = {**os.environ, "DISKWARS_MUTANT": json.dumps(mutation)}
    try:
        ended = subprocess.run(
            [*command, *(item.nodeid for item in items)],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=5 * SECONDS_PER_MUTANT,
        )
    except subprocess.TimeoutExpired:
        return Trial("killed", "ended by its limit")
    failed = [line.split()[1] for line in ended.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return Trial("killed" if ended.returncode else "survived", failed[0] if failed else "import")


# --- the change itself


def replace_function(mutation: Mutation, mutated: str) -> bool:
    """Give the function of a mutation, wherever it is referred to, its mutated code."""
    file = str(ROOT / mutation.path)
    module = next((module for module in list(sys.modules.values()) if getattr(module, "__file__", None) == file), None)
    function = _find_function(module, mutation.name) if module else None
    code = next((code for code in _codes(compile(mutated, file, "exec")) if code.co_qualname == mutation.name), None)
    if function is None or code is None:
        return False
    if len(code.co_freevars) != len(function.__code__.co_freevars):  # a method that calls super() no more
        return False
    function.__code__ = code
    return True


def _find_function(module: ModuleType, name: str) -> FunctionType | None:
    value: object = module
    for part in name.split("."):
        value = getattr(value, part, None)
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value)
    while hasattr(value, "__wrapped__"):
        value = value.__wrapped__
    return value if isinstance(value, FunctionType) else None


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def clear_caches() -> None:
    """Forget what the unchanged functions returned. Packs stay: they are data, and take longest to load."""
    for cache in _caches():
        cache.cache_clear()


@functools.cache
def _caches() -> list[functools._lru_cache_wrapper[object]]:
    wrappers = [wrapper for wrapper in gc.get_objects() if isinstance(wrapper, functools._lru_cache_wrapper)]
    return [wrapper for wrapper in wrappers if wrapper.__module__.startswith(("diskwars_engine", "diskwars_protocol"))]
