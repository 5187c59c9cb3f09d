"""Matches that play on from a moment of another match, for golden match files."""

import random
from collections.abc import Callable
from typing import Any

from diskwars_engine.branches import branch_start
from diskwars_engine.local import LocalMatch
from diskwars_engine.match import AnyRules, MatchOpening
from diskwars_protocol.match.ids import MatchId, Viewer
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions
from diskwars_protocol.match.state import AnyMatch
from tests.golden import bot_matches
from tests.golden.agreement_matches import opened
from tests.golden.bot_matches import BotMatch, resign

RECORDS = 12
"""Records of a branch that its bots make before it is resigned."""
RECORDS_BEFORE = 10
"""Records of the parent before the branch at least."""


def play_branch(
    rules: AnyRules,
    name: str,
    settings: Any,
    loadouts: tuple[Any, ...],
    is_moment: Callable[[AnyMatch], bool],
    viewer: Viewer = 0,
) -> BotMatch:
    """Return a branch of a match after a moment, opened by somebody who sees that match as `viewer` does."""
    parent = opened(rules, f"{name}-parent", settings, loadouts)
    while len(parent.records) < RECORDS_BEFORE or not is_moment(parent.match):
        bot_matches.play(parent, 1, records=1)
    seq, like = len(parent.records), opened(rules, name, settings, loadouts)
    start = branch_start(rules.ruleset, parent.match, viewer, random.Random(1))
    options = MatchOptions(branch_of=BranchPoint(parent.match.match, seq))
    opening = MatchOpening(MatchId(name), settings, len(loadouts), like.seats[0].player, 0, True, options, start)
    branch = LocalMatch(rules, opening, like.secrets, like.seats)
    list(branch.begin())
    bot_matches.play(branch, 2, records=RECORDS)
    if not branch.is_over:
        resign(branch, 1)
    return branch
