#!/usr/bin/env python3
"""Measure which side of each scenario of a small game wins, for a table of docs/simulation.md.

    python -m tools.scenario_balance regiments --matches 100 --bot search20n
    python -m tools.scenario_balance pit the-gate the-captive

The same bot leads both sides, and a draw counts half. Bots that count simulations repeat.
"""

import argparse
from collections.abc import Sequence

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.odds import wilson_interval
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_content.rulesets import close_quarters, pit, regiments

SCENARIOS = {
    "pit": pit.core_content().scenarios,
    "close_quarters": close_quarters.core_content().scenarios,
    "regiments": regiments.core_content().scenarios,
}
HEAD = """| game | scenario | bot | matches | first side wins | 95 % |
| --- | --- | --- | --: | --: | --: |"""


def wins_of_first_side(game: str, scenario: str, matches: int, seed: int, bot: str) -> float:
    """Return how many matches the first side wins; a draw counts half."""
    rules = load_ruleset(game, ())
    settings = rules.vocabulary.settings(scenario=scenario)
    won = 0.0
    for number in range(seed, seed + matches):
        local = seeded_match(rules, number, [rules.vocabulary.loadout()] * 2, settings)
        for _ in play_bots(local, number, [bot, bot]):
            pass
        result = local.match.result
        winners = () if result is None else result.winners
        won += 0.5 if len(winners) != 1 else float(winners == (0,))
    return won


def row_of(game: str, scenario: str, bot: str, matches: int, won: float) -> str:
    """Return a row of the table."""
    low, high = wilson_interval(won, matches)
    share = f"{100 * won / matches:.1f} %"
    return f"| {game} | {scenario} | `{bot}` | {matches} | {share} | {100 * low:.1f}–{100 * high:.1f} % |"


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=sorted(SCENARIOS))
    parser.add_argument("scenarios", nargs="*", help="all without one")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--bot", default="greedy")
    options = parser.parse_args(words)
    print(HEAD, flush=True)
    for scenario in options.scenarios or SCENARIOS[options.game]:
        won = wins_of_first_side(options.game, scenario, options.matches, options.seed, options.bot)
        print(row_of(options.game, scenario, options.bot, options.matches, won), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
