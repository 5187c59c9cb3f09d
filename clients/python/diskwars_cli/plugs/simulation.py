"""Simulation of one ruleset: the matches that are played, and the figures counted in them.

The base class suits every ruleset; one with armies, dice and cards of its own extends it.
"""

import errno
import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from typing import Any

from msgspec import Struct

from diskwars_bots.loader import bot_label
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_cli.plugs.match_options import BotMatchFlags, parse_bot_names
from diskwars_cli.plugs.match_setup import MatchSetup, load_ruleset, load_ruleset_to_play
from diskwars_cli.plugs.match_statistics import (
    MatchStatistics,
    StatisticsCollector,
    count_broken_invariants,
    count_crashes,
)
from diskwars_cli.plugs.report import ReportHeading, ReportParts, render_report, seat_parts
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.match_options import DEFAULT_RULESET

DEFAULT_TITLE = "Simulated matches"


class SimulateOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `simulate`. Match n is played with the seed `seed` + n - 1."""

    matches: int = 1
    seed: int = 1
    report: str | None = None
    records: str | None = None
    title: str = DEFAULT_TITLE
    jobs: int | None = None


class MatchJob(Struct, frozen=True):
    """A match to be played; can be sent to another process."""

    ruleset: str
    seed: int
    bots: list[str]
    loadouts: Sequence[Any]
    settings: Any
    packs: tuple[str, ...] = ()


class Simulation:
    """Matches between bots in which every seat brings the default loadout."""

    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup

    def jobs(self, options: BotMatchFlags, seeds: Iterable[int]) -> Iterator[MatchJob]:
        """Yield the match of each seed. Raises CommandError."""
        packs = options.data.packs
        able = load_ruleset_to_play(options.ruleset, packs).seat_counts
        if options.players not in able:
            counts = " or ".join(map(str, able))
            raise CommandError(f"--players: {options.ruleset} is played by {counts}, not by {options.players}")
        bots = parse_bot_names(options)
        _, (loadout, *_) = self._setup.loadouts(options)
        settings = self._setup.settings(options, loadout)
        for seed in seeds:
            yield MatchJob(options.ruleset, seed, bots, [loadout] * options.players, settings, packs)

    def new_collector(self, seed: int) -> StatisticsCollector:
        """Return an empty collector for one match."""
        return StatisticsCollector(seed)

    def summary_lines(self, ended: Sequence[MatchStatistics]) -> list[str]:
        """Return the lines that end the summary of matches that did not crash."""
        return []

    def report_parts(self, options: SimulateOptions, ended: Sequence[MatchStatistics]) -> ReportParts:
        """Return the parts of a report that depend on the ruleset; there is at least one match."""
        return seat_parts(ended, options.players)

    def write_report(self, options: SimulateOptions, file: str, statistics: Sequence[MatchStatistics]) -> None:
        """Write a report in Markdown on all matches. Raises CommandError."""
        ended = [played for played in statistics if not played.crash]
        parts = self.report_parts(options, ended) if ended else ReportParts()
        try:
            Path(file).write_text(render_report(self._heading(options), statistics, parts), "utf-8")
        except OSError as fault:
            raise _unwritable(file, fault.errno or errno.EIO) from None

    def _heading(self, options: SimulateOptions) -> ReportHeading:
        ruleset, names = load_ruleset(options.ruleset, options.data.packs), parse_bot_names(options)
        versions = [
            f"diskwars {version('diskwars')}, rules {ruleset.rules_version} of {options.ruleset}",
            f"Python {python_version()}",
            *(f"pack {pack.id} {pack.version}, {pack.hash}" for pack in ruleset.packs),
            *(f"bot `{name}` {bot_identity(name, options.ruleset)}" for name in dict.fromkeys(names)),
        ]
        labels = tuple(map(bot_label, names))
        return ReportHeading(options.title, self._repeat_command(options), tuple(versions), labels, options.matches)

    def _repeat_command(self, options: SimulateOptions) -> str:
        """Return the command that repeats this run."""
        words = ["diskwars simulate"]
        words += [f"--ruleset {options.ruleset}"] if options.ruleset != DEFAULT_RULESET else []
        words += [f"--matches {options.matches}", f"--seed {options.seed}", f"--players {options.players}"]
        words += [f"--bots {shlex.quote(options.bots or find_bots(options.ruleset).default)}"]
        words += self._setup.repeated_options("simulate", options)
        words += [f"--pack {shlex.quote(pack)}" for pack in options.data.packs]
        words += [f"--option {given}" for given in options.house_rules]
        words += [f"--title {shlex.quote(options.title)}"] if options.title != DEFAULT_TITLE else []
        return " ".join([*words, f"--report {options.report}"])


def check_report_file(file: str) -> None:
    """Check that a report can be written to a file, without touching it. Raises CommandError."""
    path = Path(file)
    if path.is_dir():
        raise _unwritable(file, errno.EISDIR)
    if not path.parent.is_dir():
        raise _unwritable(file, errno.ENOENT)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise _unwritable(file, errno.EACCES)


def _unwritable(file: str, number: int) -> CommandError:
    return CommandError(f"--report: {file} cannot be written: {os.strerror(number)}")


def _bots_of(seats: Sequence[Seat], bots: Sequence[str]) -> list[str]:
    """Return the labels of the bots in these seats, each once."""
    return list(dict.fromkeys(bot_label(bots[seat]) for seat in seats))


def generic_summary_lines(
    statistics: Sequence[MatchStatistics], ended: Sequence[MatchStatistics], bots: Sequence[str]
) -> list[str]:
    """Return the first lines of every summary: faults, length, winners by seat with its bot, and endings."""
    seats = Counter(", ".join([match.winner_label, *_bots_of(match.winners, bots)]) for match in ended)
    reasons = Counter(match.end_reason for match in ended)
    lines = [f"matches {len(statistics)}", f"crashes {count_crashes(statistics)}"]
    lines += [f"invariants broken {count_broken_invariants(statistics)}"]
    if ended:
        lines += [f"events {sum(match.events for match in ended) // len(ended)} per match on average"]
    lines += [f"won by {who}: {count}" for who, count in sorted(seats.items())]
    return lines + [f"ended by {why.replace('_', ' ')}: {count}" for why, count in sorted(reasons.items())]
