"""Options of a match besides the settings of its ruleset, as flags of the verb that opens it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, get_args

import click

from diskwars_protocol.match.match_options import (
    DEFAULT_ABANDONED_AFTER_DAYS,
    MAX_ABANDONED_AFTER_DAYS,
    MAX_DECISION_SECONDS,
    MAX_GRACE_SECONDS,
    MAX_INCREMENT_SECONDS,
    MAX_MISSED_LIMIT,
    MIN_DECISION_SECONDS,
    BankClock,
    MatchClock,
    MatchOptions,
    OnMissedLimit,
    PerDecisionClock,
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
    click.option("--club", metavar="CLUB", help="Open the match for the members of your club alone"),
    click.option(
        "--watchers",
        type=click.Choice(get_args(Watchers)),
        default="live",
        help="When spectators may watch: always (live), each round once it is over (round_later), once the match has "
        "ended (after_end), or never (none)",
    ),
    click.option("--rated", is_flag=True, help="Open a rated match: it has no takebacks"),
    click.option("--draws/--no-draws", default=True, help="Let the players agree on a draw"),
    click.option(
        "--takebacks/--no-takebacks",
        default=None,
        help="Let players take back what revealed nothing, or what all agree to  [default: unless rated]",
    ),
    click.option("--pauses/--no-pauses", default=True, help="Let the players agree on a pause"),
    click.option(
        "--decision-seconds",
        type=click.IntRange(MIN_DECISION_SECONDS, MAX_DECISION_SECONDS),
        metavar="N",
        help="Seconds for each decision; then the house answers for the player (default: no limit)",
    ),
    click.option(
        "--bank-seconds",
        type=click.IntRange(MIN_DECISION_SECONDS, MAX_DECISION_SECONDS),
        metavar="N",
        help="Seconds for the whole match of each player, instead of --decision-seconds",
    ),
    click.option(
        "--increment-seconds",
        type=click.IntRange(0, MAX_INCREMENT_SECONDS),
        default=0,
        metavar="N",
        help="Seconds that each answer adds to the bank of its player",
    ),
    click.option(
        "--grace-seconds",
        type=click.IntRange(0, MAX_GRACE_SECONDS),
        metavar="N",
        help="Seconds that a player has at least to reconnect who loses the connection while deciding (default: 30, "
        "and 0 with a clock of a day or more)",
    ),
    click.option(
        "--missed-limit",
        type=click.IntRange(1, MAX_MISSED_LIMIT),
        metavar="N",
        help="Resign for a player whose time runs out N times in a row",
    ),
    click.option(
        "--on-missed-limit",
        type=click.Choice(get_args(OnMissedLimit)),
        default="resign",
        help="What happens then: the house resigns for the player, or a bot plays on until the player is back, as long "
        "as another person plays; against bots alone the house resigns",
    ),
    click.option(
        "--abandoned-after-days",
        type=click.IntRange(0, MAX_ABANDONED_AFTER_DAYS),
        default=DEFAULT_ABANDONED_AFTER_DAYS,
        show_default=True,
        metavar="N",
        help="Without a clock, the server resigns for a player who has not answered for N days; 0: never",
    ),
)


def opening_options(callback: Callback) -> Callback:
    """Add the flags. The callback gets what they say as `opened`."""

    @wraps(callback)
    def with_options(
        *,
        visibility: Visibility,
        club: str | None,
        watchers: Watchers,
        rated: bool,
        draws: bool,
        takebacks: bool | None,
        pauses: bool,
        decision_seconds: int | None,
        bank_seconds: int | None,
        increment_seconds: int,
        grace_seconds: int | None,
        missed_limit: int | None,
        on_missed_limit: OnMissedLimit,
        abandoned_after_days: int,
        **values: Any,
    ) -> int:
        clock = _clock(decision_seconds, bank_seconds, increment_seconds)
        if grace_seconds and clock is None:
            raise click.UsageError("--grace-seconds needs --decision-seconds or --bank-seconds")
        if missed_limit is not None and clock is None:
            raise click.UsageError("--missed-limit needs --decision-seconds or --bank-seconds")
        if on_missed_limit == "bot" and (missed_limit is None or rated):
            raise click.UsageError("--on-missed-limit bot needs --missed-limit, and a match that is not rated")
        if abandoned_after_days != DEFAULT_ABANDONED_AFTER_DAYS and clock is not None:
            raise click.UsageError("--abandoned-after-days is for matches without a clock")
        if takebacks and rated:
            raise click.UsageError("a rated match has no takebacks")
        opened = MatchOptions(
            visibility=visibility if club is None else "link",
            club=club,
            watchers=watchers,
            rated=rated,
            clock=clock,
            draws=draws,
            takebacks=not rated if takebacks is None else takebacks,
            pauses=pauses,
            missed_limit=missed_limit,
            on_missed_limit=on_missed_limit,
            grace_seconds=grace_seconds,
            abandoned_after_days=abandoned_after_days,
        )
        return callback(opened=opened, **values)

    for flag in reversed(_FLAGS):
        with_options = flag(with_options)
    return with_options


def _clock(decision_seconds: int | None, bank_seconds: int | None, increment_seconds: int) -> MatchClock | None:
    if bank_seconds is not None and decision_seconds is not None:
        raise click.UsageError("--decision-seconds and --bank-seconds are two kinds of clocks: choose one")
    if bank_seconds is None and increment_seconds:
        raise click.UsageError("--increment-seconds needs --bank-seconds")
    if bank_seconds is not None:
        return BankClock(bank_seconds, increment_seconds)
    return None if decision_seconds is None else PerDecisionClock(decision_seconds)
