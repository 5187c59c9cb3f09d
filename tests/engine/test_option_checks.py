"""Options of a match that exclude each other: each pair is refused at its place, and each alone is accepted."""

import pytest

from diskwars_engine.option_checks import check_options
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.match_options import BankClock, BranchPoint, MatchOptions, PerDecisionClock
from tests.rows import each_row

CLOCK = PerDecisionClock(30)
ORIGIN = BranchPoint("parent", 7)


@each_row(
    ("options", "place", "text"),
    [
        (MatchOptions(rated=True, takebacks=True), "takebacks", "a rated match has no takebacks"),
        (MatchOptions(rated=True, branch_of=ORIGIN), "rated", "no branch is rated"),
        (MatchOptions(on_missed_limit="bot", clock=CLOCK), "on_missed_limit", "without a limit of missed answers"),
        (
            MatchOptions(on_missed_limit="bot", missed_limit=2, clock=CLOCK, rated=True),
            "on_missed_limit",
            "no bot takes over a seat in a rated match",
        ),
        (MatchOptions(grace_seconds=30), "grace_seconds", "without a clock, nobody needs more time"),
        (MatchOptions(missed_limit=1), "missed_limit", "without a clock, no answer is missed"),
        (MatchOptions(abandoned_after_days=3, clock=CLOCK), "abandoned_after_days", "with a clock, the house answers"),
        (MatchOptions(abandoned_after_days=0, clock=CLOCK), "abandoned_after_days", "with a clock"),
    ],
)
def test_options_that_exclude_each_other_are_refused_where_the_second_stands(
    options: MatchOptions, place: str, text: str
) -> None:
    with pytest.raises(Illegal, match=text) as refusal:
        check_options(options)
    assert (refusal.value.code, refusal.value.place) == ("bad_match_options", f"$.match_options.{place}")


@each_row(
    "options",
    [
        MatchOptions(),
        MatchOptions(rated=True),
        MatchOptions(takebacks=True),
        MatchOptions(branch_of=ORIGIN),
        MatchOptions(branch_of=ORIGIN, takebacks=True),
        MatchOptions(rated=True, clock=CLOCK, missed_limit=2),
        MatchOptions(missed_limit=2, clock=CLOCK),
        MatchOptions(on_missed_limit="bot", missed_limit=2, clock=CLOCK),
        MatchOptions(on_missed_limit="bot", missed_limit=2, clock=CLOCK, takebacks=True),
        MatchOptions(grace_seconds=30, clock=BankClock(60, 0)),
        MatchOptions(grace_seconds=30, clock=CLOCK, rated=True),
        MatchOptions(grace_seconds=0),
        MatchOptions(abandoned_after_days=3),
        MatchOptions(abandoned_after_days=0, rated=True),
        MatchOptions(clock=CLOCK),
    ],
)
def test_options_of_which_none_excludes_another_are_accepted(options: MatchOptions) -> None:
    check_options(options)
