"""Tables of figures with bounds, medians, and the machine they come from."""

import math
import os
import platform
import statistics
import time
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

LIBRARIES = ("websockets", "uvloop", "asyncpg", "msgspec", "SQLAlchemy")
CHARTS_FOLDER = "measured"
SUMMARY_PREFIX = "> "  # begins a summary sentence
Cell: TypeAlias = str | int | float


class BenchEffort(Struct, frozen=True):
    """The effort of a run: medians of `runs` runs of `seconds` seconds each; `full` is False for a trial.

    Where `attacks` are named, no others are run.
    """

    runs: int
    seconds: float
    full: bool = True
    attacks: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Describe the effort for readers of the figures."""
        if not self.full:
            return "a trial: its figures mean nothing"
        return f"{'1 run' if self.runs == 1 else f'medians of {self.runs} runs'} of {self.seconds:g} s"

    def sizes(self, sizes: Sequence[int], trial: int) -> list[int]:
        """Return these sizes, or only the size for a trial."""
        return list(sizes) if self.full else [trial]


DEFAULT_EFFORT = BenchEffort(3, 2.0)
TRIAL_EFFORT = BenchEffort(1, 0.2, full=False)


class FigureBound(Struct, frozen=True):
    """A bound on a figure, and the measured value. `side` says on which side of the limit the value must be."""

    label: str
    measured: float
    limit: float
    side: Literal["at least", "at most"] = "at most"
    unit: str = ""

    @property
    def is_met(self) -> bool:
        return self.measured >= self.limit if self.side == "at least" else self.measured <= self.limit

    def text(self) -> str:
        verdict = "met" if self.is_met else "**not met**"
        unit = f" {self.unit}" if self.unit else ""
        measured, limit = format_figure(self.measured), format_figure(self.limit)
        return f"- {self.label}: {measured}{unit}, bound {self.side} {limit}{unit}: {verdict}"


class Chart(Struct, frozen=True):
    """A picture that is written beside the page, as an SVG file of this name in `CHARTS_FOLDER`."""

    name: str
    svg: str

    @property
    def file(self) -> str:
        """The file, as a link of the page."""
        return f"{CHARTS_FOLDER}/{self.name}.svg"


class ResultTable(Struct, frozen=True):
    """Rows of figures under columns that name their units. `notes` explain how to read them.

    `summary` holds sentences for readers who skip the tables. One without columns has only its chart.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    bounds: tuple[FigureBound, ...] = ()
    notes: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    chart: Chart | None = None


def format_figure(figure: Cell) -> str:
    """Format a number with three significant digits; integers and texts are kept as they are."""
    if isinstance(figure, str):
        return figure
    if isinstance(figure, int) or abs(figure) >= 100:
        return f"{figure:,.0f}"
    if figure == 0 or not math.isfinite(figure):
        return str(figure)
    return f"{figure:.{max(0, 2 - math.floor(math.log10(abs(figure))))}f}"


def markdown(table: ResultTable) -> str:
    """Format a table as Markdown that also reads well in a terminal."""
    title, chart = f"### {table.title}", table.chart
    picture = ["", f"![{table.title}]({chart.file})"] if chart else []
    if not table.columns:
        return "\n".join([title, *picture, ""])
    lines = [table.columns, *([format_figure(cell) for cell in row] for row in table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.columns))]
    is_figure = [
        column > 0 and not any(isinstance(row[column], str) for row in table.rows) for column in range(len(widths))
    ]
    texts = [_format_row(line, widths, is_figure) for line in lines]
    rule = "|".join(
        ["", *(f" {'-' * (width - right)}{':' * right} " for width, right in zip(widths, is_figure, strict=True)), ""]
    )
    parts = [title, *picture, "", texts[0], rule, *texts[1:]]
    short = [f"{SUMMARY_PREFIX}{sentence}" for sentence in table.summary]
    for group in (short, [bound.text() for bound in table.bounds], list(table.notes)):
        parts += ["", *group] if group else []
    return "\n".join([*parts, ""])


def _format_row(cells: Sequence[str], widths: Sequence[int], is_figure: Sequence[bool]) -> str:
    padded = [
        cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(cells, widths, is_figure, strict=True)
    ]
    return f"| {' | '.join(padded)} |"


# ---------------------------------------------------------------- statistics of runs


def median(figures: Iterable[float]) -> float:
    """Return the median, NaN if there are no figures."""
    return statistics.median(values) if (values := list(figures)) else math.nan


def percentile(figures: Iterable[float], part: float) -> float:
    """Return the figure below which `part` of all figures are, NaN if there are none."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else math.nan


def median_with_range(figures: Iterable[float]) -> str:
    """Format the median, and the range if there is more than one figure."""
    values = list(figures)
    if len(values) < 2:
        return format_figure(values[0]) if values else "–"
    return f"{format_figure(median(values))} [{format_figure(min(values))}–{format_figure(max(values))}]"


# ---------------------------------------------------------------- machine and date


def machine_text() -> str:
    """Describe date, machine and Python in one line."""
    parts = [
        time.strftime("%Y-%m-%d", time.gmtime()),
        f"{_core_count()} of {_processor_name()}",
        f"{_memory_gib()} GiB",
        platform.system(),
        f"Python {platform.python_version()}",
    ]
    return ", ".join(parts)


def library_versions_text() -> str:
    """List the versions of the installed libraries that influence the figures."""
    versions = {dist.metadata["Name"]: dist.version for dist in metadata.distributions()}
    return ", ".join(f"{name} {versions[name]}" for name in LIBRARIES if name in versions)


def _core_count() -> str:
    """Return the number of cores available to this process, which in a container may be fewer than the machine has."""
    number = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return "1 core" if number == 1 else f"{number} cores"


def _processor_name() -> str:
    named = [line for line in _file_lines("/proc/cpuinfo") if line.startswith("model name")]
    return named[0].partition(":")[2].strip() if named else platform.machine()


def _memory_gib() -> int:
    total = [line for line in _file_lines("/proc/meminfo") if line.startswith("MemTotal")]
    return round(int(total[0].split()[1]) / 2**20) if total else 0


def _file_lines(file: str) -> list[str]:
    try:
        return Path(file).read_text().splitlines()
    except OSError:
        return []
