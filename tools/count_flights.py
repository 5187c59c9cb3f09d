#!/usr/bin/env python3
"""Count what becomes of units of regiments that break: a table for docs/simulation.md.

python -m tools.count_flights field-trial the-plain --matches 200
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from diskwars_protocol.rulesets.regiments.events import FlightBegan, UnitRallied, UnitRouted

COLUMNS = ("broke", "rallied", "left_the_field", "rout_test")
HEAD = """| scenario | matches | units that broke | rallied | share | left the field | lost by a rout test |
| --- | --: | --: | --: | --: | --: | --: |"""


def count_events(events: Iterable[Any]) -> Counter[str]:
    """Count flights that began, those of units that were fleeing already aside, and how they ended."""
    counts: Counter[str] = Counter()
    for event in events:
        match event:
            case FlightBegan(reason_kind=kind) if kind != "still_fleeing":
                counts["broke"] += 1
            case UnitRallied():
                counts["rallied"] += 1
            case UnitRouted(reason_kind=kind):
                counts[kind] += 1
            case _:
                pass
    return counts


def count_flights(scenario: str, matches: int, seed: int, bot: str) -> Counter[str]:
    """Count the flights of several matches of a bot against itself."""
    rules = load_ruleset("regiments", ())
    counts: Counter[str] = Counter()
    for number in range(seed, seed + matches):
        loadouts = [rules.vocabulary.loadout()] * 2
        local = seeded_match(rules, number, loadouts, RegimentsSettings(scenario))
        for record in play_bots(local, number, [bot, bot]):
            counts += count_events(record.events)
    return counts


def row_of(scenario: str, matches: int, counts: Counter[str]) -> str:
    """Return a row of the table."""
    broke, rallied, left, lost = (counts[column] for column in COLUMNS)
    share = f"{100 * rallied / broke:.1f} %" if broke else "–"
    return f"| {scenario} | {matches} | {broke} | {rallied} | {share} | {left} | {lost} |"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="greedy")
    options = parser.parse_args(words)
    print(HEAD)
    for scenario in options.scenarios:
        print(row_of(scenario, options.matches, count_flights(scenario, options.matches, options.seed, options.bot)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
