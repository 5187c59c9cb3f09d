"""Options of a match besides the settings of its ruleset, as flags of the verb that opens it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, get_args

import click

from diskwars_protocol.match_options import (
    MAX_DECISION_SECONDS,
    MIN_DECISION_SECONDS,
    MatchClock,
    MatchOptions,
    Visibility,
    Watchers,
)

Callback: TypeAlias = Callable[..., int]

_FLAGS = (
    click.option(
        "--visibility",
        type=click.Choice(get_args(Visibility)),
        default="public",
        help="A match you open is listed for everybody (public), or can be found only by its id (link)",
    ),
    click.option(
        "--watchers",
        type=click.Choice(get_args(Watchers)),
        default="live",
        help="When spectators may watch: always (live), once the match has ended (after_end), or never (none)",
    ),
    click.option("--rated", is_flag=True, help="Open a rated match: it has no takebacks"),
    click.option(
        "--decision-seconds",
        type=click.IntRange(MIN_DECISION_SECONDS, MAX_DECISION_SECONDS),
        metavar="N",
        help="Seconds for each decision; then the house answers for the player (default: no limit)",
    ),
)


def opening_options(callback: Callback) -> Callback:
    """Add the flags. The callback gets what they say as `opened`."""

    @wraps(callback)
    def with_options(
        *, visibility: Visibility, watchers: Watchers, rated: bool, decision_seconds: int | None, **values: Any
    ) -> int:
        clock = None if decision_seconds is None else MatchClock(decision_seconds)
        return callback(opened=MatchOptions(visibility, watchers, rated, clock), **values)

    for flag in reversed(_FLAGS):
        with_options = flag(with_options)
    return with_options
