"""Tables of what a run of the tests takes: by kind of work, by file, by fixture."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from tools.suite_times.recorder import ProcessTimes, TestTime

FILES_SHOWN, FIXTURES_SHOWN = 25, 10
BEGIN, END = "<!-- suite times -->\n", "<!-- end of suite times -->"


def read_times(folder: Path) -> list[ProcessTimes]:
    """Return what each process that ran tests has written; the one that hands them out ran none."""
    read = [msgspec.json.decode(file.read_bytes(), type=ProcessTimes) for file in sorted(folder.glob("*.json"))]
    return [process for process in read if process.tests]


def cpu_of(test: TestTime) -> float:
    return test.own_cpu + sum(test.programs.values())


def format_times(processes: Sequence[ProcessTimes]) -> str:
    """Return the tables as Markdown."""
    tests = [test for process in processes for test in process.tests]
    parts = (_kinds(processes, tests), _files(tests), _fixtures(processes))
    count = f"{len(tests):,} tests in {len(processes)} processes; seconds of CPU."
    return "\n\n".join([count, *("\n".join(part) for part in parts)]) + "\n"


def _kinds(processes: Sequence[ProcessTimes], tests: Sequence[TestTime]) -> list[str]:
    collecting = sum(process.collecting_cpu for process in processes)
    in_tests = sum(test.own_cpu for test in tests)
    between = sum(process.own_cpu for process in processes) - collecting - in_tests
    kinds = {"Python of the tests": in_tests, "collecting": collecting, "pytest between tests": between}
    for process in processes:
        for kind, cpu in process.programs.items():
            kinds[kind] = kinds.get(kind, 0.0) + cpu
    total = sum(kinds.values()) or 1.0
    rows = [(kind, f"{cpu:.0f}", f"{cpu / total:.0%}") for kind, cpu in _largest(kinds) if cpu >= 0.5]
    return _table(("kind of work", "CPU, s", "share"), [*rows, ("all", f"{total:.0f}", "")])


def _files(tests: Sequence[TestTime]) -> list[str]:
    cpu: defaultdict[str, float] = defaultdict(float)
    seconds: defaultdict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    for test in tests:
        cpu[test.file] += cpu_of(test)
        seconds[test.file] += sum(test.seconds.values())
        counts[test.file] += 1
    rows = [
        (f"`{file.removeprefix('tests/')}`", str(counts[file]), f"{used:.1f}", f"{seconds[file]:.1f}")
        for file, used in _largest(cpu)[:FILES_SHOWN]
    ]
    return _table(("file in `tests/`", "tests", "CPU, s", "wall, s"), rows)


def _fixtures(processes: Sequence[ProcessTimes]) -> list[str]:
    count: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    own: defaultdict[str, float] = defaultdict(float)
    for process in processes:
        for name, fixture in process.fixtures.items():
            count[name] += fixture.count
            seconds[name] += fixture.seconds
            own[name] += fixture.own_cpu
    rows = [
        (f"`{name}`", str(count[name]), f"{own[name]:.1f}", f"{wall:.1f}")
        for name, wall in _largest(seconds)[:FIXTURES_SHOWN]
    ]
    return _table(("fixture", "setups", "own CPU, s", "wall, s"), rows)


def _largest(figures: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(figures.items(), key=lambda figure: -figure[1])


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(row)} |" for row in (columns, *rows)]
    rule = "|".join(["", "---", *["--:"] * (len(columns) - 1), ""])
    return [lines[0], rule, *lines[1:]]


def replace_tables(page: str, tables: str) -> str:
    """Put the tables into the page, between its marks. Raises ValueError where it has none."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no place for the tables: {BEGIN.strip()} … {END}")
    return f"{before}{begin}\n{tables}\n{end}{after}"
