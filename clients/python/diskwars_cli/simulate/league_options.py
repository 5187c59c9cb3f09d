"""Options of a league, complete with defaults and with what the file of a stopped one says."""

import re
import shlex

from msgspec.structs import replace

from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.rulesets.registry import find_setup
from diskwars_cli.simulate.league_plan import planned_seeds
from diskwars_cli.simulate.league_results import LeagueLine, read_league
from diskwars_cli.simulate.strength import SequentialTest
from diskwars_protocol.match.match_options import DEFAULT_RULESET

DEFAULT_MATCHES = 100
DEFAULT_SPRT_MATCHES = 20_000
"""Matches that a sequential test may take."""
DEFAULT_DECISION_SECONDS = 10.0
DEFAULT_TITLE = "League"
SPRT_TEXT = re.compile(r"([+-]?\d+(?:\.\d+)?),([+-]?\d+(?:\.\d+)?)")
MAX_SPRT_ELO = 1000


class LeagueOptions(BotMatchFlags, frozen=True, kw_only=True):
    """Options of `league`. `matches` is how many each pair plays at least, None for the default."""

    names: tuple[str, ...] = ()
    matches: int | None = None
    seed: int = 1
    sprt: str = ""
    decision_seconds: float = DEFAULT_DECISION_SECONDS
    results: str = ""
    resume: str = ""
    report: str = ""
    title: str = DEFAULT_TITLE
    workers: int | None = None
    with_times: bool = False


def completed_options(options: LeagueOptions) -> LeagueOptions:
    """Return the options with those of the file that `--resume` names, and with defaults. Raises CommandError."""
    if options.resume:
        return _resumed(options)
    names = options.names or (find_bots(options.ruleset).default, "random")
    default = DEFAULT_SPRT_MATCHES if options.sprt else DEFAULT_MATCHES
    return replace(options, names=names, matches=options.matches or default)


def _resumed(options: LeagueOptions) -> LeagueOptions:
    fresh = LeagueOptions(data=options.data)
    for name in LEAGUE_FIELDS:
        if getattr(options, name) != getattr(fresh, name):
            what = FLAGS.get(name, f"--{name.replace('_', '-')}")
            raise CommandError(f"--resume takes bots and options from {options.resume}: leave out {what}")
    if options.results:
        raise CommandError("--resume goes without --results: results go to the same file")
    line = read_league(options.resume)
    if options.data.packs and list(options.data.packs) != line.packs:
        raise CommandError(f"--resume takes packs from {options.resume}: leave out --pack")
    return replace(
        options,
        names=tuple(line.bots),
        ruleset=line.ruleset,
        players=line.players,
        matches=line.matches,
        seed=line.seed,
        decision_seconds=line.decision_seconds,
        sprt=line.sprt,
        with_times=line.with_times,
        house_rules=tuple(line.house_rules),
        ruleset_values=line.ruleset_values,
        data=replace(options.data, packs=tuple(line.packs)),
        results=options.resume,
    )


LEAGUE_FIELDS = (
    "names",
    "ruleset",
    "players",
    "matches",
    "seed",
    "decision_seconds",
    "sprt",
    "with_times",
    "house_rules",
    "ruleset_values",
)
"""The options that belong to a league; the others say how it is run this time."""
FLAGS = {
    "names": "the bots",
    "with_times": "--times",
    "house_rules": "--option",
    "ruleset_values": "the options of the ruleset",
}
"""Options whose field has another name, as the user calls them."""


def league_line(options: LeagueOptions) -> LeagueLine:
    assert options.matches is not None
    return LeagueLine(
        bots=list(options.names),
        ruleset=options.ruleset,
        players=options.players,
        matches=options.matches,
        seed=options.seed,
        decision_seconds=options.decision_seconds,
        sprt=options.sprt,
        with_times=options.with_times,
        house_rules=list(options.house_rules),
        ruleset_values=dict(options.ruleset_values),
        packs=list(options.data.packs),
    )


def league_seeds(options: LeagueOptions) -> range:
    assert options.matches is not None
    return planned_seeds(options.seed, options.matches, options.players)


def parse_test(options: LeagueOptions) -> SequentialTest | None:
    """Return the sequential test that the options ask for. Raises CommandError."""
    if not options.sprt:
        return None
    words = SPRT_TEXT.fullmatch(options.sprt.replace(" ", ""))
    if words is None:
        raise CommandError(f"--sprt {options.sprt}: expected two differences in Elo, such as 0,20")
    test = SequentialTest(float(words[1]), float(words[2]))
    if not -MAX_SPRT_ELO <= test.elo0 < test.elo1 <= MAX_SPRT_ELO:
        raise CommandError(
            f"--sprt {options.sprt}: the first has to be less than the second, both within ±{MAX_SPRT_ELO}"
        )
    if len(options.names) != 2 or options.players != 2:
        raise CommandError("--sprt compares two bots in matches of two players")
    return test


def repeat_command(options: LeagueOptions) -> str:
    """Return the command that repeats a league and its report."""
    words = ["diskwars league", *map(shlex.quote, options.names)]
    words += [f"--ruleset {options.ruleset}"] if options.ruleset != DEFAULT_RULESET else []
    words += [f"--players {options.players}"] if options.players != 2 else []
    words += [f"--matches {options.matches}", f"--seed {options.seed}"]
    words += [f"--sprt={options.sprt}"] if options.sprt else []
    if options.decision_seconds != DEFAULT_DECISION_SECONDS:
        words += [f"--decision-seconds {options.decision_seconds:g}"]
    words += find_setup(options.ruleset).repeated_options("league", options)
    words += [f"--pack {shlex.quote(pack)}" for pack in options.data.packs]
    words += [f"--option {given}" for given in options.house_rules]
    words += [f"--title {shlex.quote(options.title)}"] if options.title != DEFAULT_TITLE else []
    words += ["--times"] if options.with_times else []
    return " ".join([*words, f"--report {options.report}"])
