"""Match options that contradict each other: no match is opened with them."""

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.match_options import DEFAULT_ABANDONED_AFTER_DAYS, MatchOptions


def check_options(options: MatchOptions) -> None:
    """Raise `Illegal` for options of which one excludes another."""
    if options.rated and options.takebacks:
        raise Illegal("bad_match_options", "a rated match has no takebacks", place="$.match_options.takebacks")
    if options.rated and options.branch_of is not None:
        raise Illegal("bad_match_options", "no branch is rated", place="$.match_options.rated")
    if options.on_missed_limit == "bot" and options.missed_limit is None:
        problem = "without a limit of missed answers, nobody is replaced"
        raise Illegal("bad_match_options", problem, place="$.match_options.on_missed_limit")
    if options.on_missed_limit == "bot" and options.rated:
        problem = "no bot takes over a seat in a rated match"
        raise Illegal("bad_match_options", problem, place="$.match_options.on_missed_limit")
    if options.grace_seconds and options.clock is None:
        problem = "without a clock, nobody needs more time"
        raise Illegal("bad_match_options", problem, place="$.match_options.grace_seconds")
    if options.missed_limit is not None and options.clock is None:
        problem = "without a clock, no answer is missed"
        raise Illegal("bad_match_options", problem, place="$.match_options.missed_limit")
    if options.abandoned_after_days != DEFAULT_ABANDONED_AFTER_DAYS and options.clock is not None:
        problem = "with a clock, the house answers when the time is up"
        raise Illegal("bad_match_options", problem, place="$.match_options.abandoned_after_days")
