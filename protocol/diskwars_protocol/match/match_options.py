"""Options of a match of any ruleset: visibility, spectators, rating, clock."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.records.sealed import always_written
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne

MIN_DECISION_SECONDS = 5
MAX_DECISION_SECONDS = 14 * 86_400
MAX_INCREMENT_SECONDS = 86_400
MAX_MISSED_LIMIT = 100
DEFAULT_GRACE_SECONDS = 30
MAX_GRACE_SECONDS = 300
DEFAULT_ABANDONED_AFTER_DAYS = 14
MAX_ABANDONED_AFTER_DAYS = 365
CORRESPONDENCE_SECONDS = 86_400
"""With a clock of a day or more nobody waits for an answer now, so a lost connection is given no grace."""

Visibility: TypeAlias = Literal["public", "link"]
OnMissedLimit: TypeAlias = Literal["resign", "bot"]
Watchers: TypeAlias = Literal["live", "round_later", "after_end", "none"]

DEFAULT_RULESET = "diskwars"
"""The ruleset of a match that names none."""


class PerDecisionClock(Struct, frozen=True, gc=False, tag="per_decision"):
    """How long a decision may stay open once the match has begun. After that, the house answers it.

    The time of a decision runs from `at_ms` of the record that opened it.
    """

    decision_seconds: Annotated[int, Meta(ge=MIN_DECISION_SECONDS, le=MAX_DECISION_SECONDS)]


class BankClock(Struct, frozen=True, gc=False, omit_defaults=True, tag="bank"):
    """The time that a seat has for the whole match, once it has begun. When it is used up, the house answers.

    It runs while at least one decision of the seat is open. Each answer adds the increment.
    """

    bank_seconds: Annotated[int, Meta(ge=MIN_DECISION_SECONDS, le=MAX_DECISION_SECONDS)]
    increment_seconds: Annotated[int, Meta(ge=0, le=MAX_INCREMENT_SECONDS)] = 0


MatchClock: TypeAlias = PerDecisionClock | BankClock
"""One of the kinds of clocks."""
Pace: TypeAlias = Literal["no_clock", "live", "days"]
"""The pace of a match: without a clock, at one go, or with a clock of a day or more."""


class BranchPoint(Struct, frozen=True, gc=False):
    """The moment from which a branch plays on: the state of `match` after its record `seq`."""

    match: Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
    seq: AtLeastOne


class MatchOptions(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the opener chooses besides the settings of the ruleset.

    `visibility`: a `public` match is in everybody's list; one by `link` only in the lists of its opener and players.
    `watchers`: spectators without a seat are allowed always (`live`), always but see each round once it is over
    (`round_later`), once the match has ended (`after_end`) or never (`none`). Until it begins, everybody with its id
    may see it, to take a seat.
    A `rated` match has no takebacks, and its dice follow from no seed.
    A record holds these; without a clock, `clock` is left out, and what follows is left out at its default.
    `draws`, `takebacks` and `pauses`: what the players may agree on. `missed_limit`: when the house has to answer for a
    seat this many times in a row, it resigns for the seat instead of the last answer. With `on_missed_limit` "bot" it
    gives this answer too and plays on for the seat, in place of its player, as long as other people play.
    `rematch_of` is the match whose players play again, with their seats turned; only the server opens such a match.
    `grace_seconds`: how long the house waits at least for a player who has lost the connection while deciding. Left out
    it is 30, and 0 with a clock of a day or more.
    `branch_of` is the moment of another match from which this one plays on; so does `branch_match` open it.
    `abandoned_after_days`: in a match without a clock, the house leaves the match for a seat that owes an answer for
    this long. 0: the others wait for ever.
    `club` is the club whose members alone see the match, watch it and take seats. Such a match has the `visibility`
    "link" for everybody else.
    """

    visibility: Visibility = always_written("public")
    watchers: Watchers = always_written("live")
    rated: bool = always_written(False)
    clock: MatchClock | None = None
    draws: bool = False
    takebacks: bool = False
    pauses: bool = False
    missed_limit: Annotated[int, Meta(ge=1, le=MAX_MISSED_LIMIT)] | None = None
    on_missed_limit: OnMissedLimit = "resign"
    rematch_of: Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})] | None = None
    branch_of: BranchPoint | None = None
    grace_seconds: Annotated[int, Meta(ge=0, le=MAX_GRACE_SECONDS)] | None = None
    abandoned_after_days: Annotated[int, Meta(ge=0, le=MAX_ABANDONED_AFTER_DAYS)] = DEFAULT_ABANDONED_AFTER_DAYS
    club: Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})] | None = None


def absence_ms(options: MatchOptions) -> int | None:
    """Return how long a seat may owe an answer before the house leaves the match for it; None where it never does."""
    if options.clock is not None or not options.abandoned_after_days:
        return None
    return 86_400_000 * options.abandoned_after_days


def pace_of(clock: MatchClock | None) -> Pace:
    """Return how fast a match with a clock is played."""
    if clock is None:
        return "no_clock"
    seconds = clock.bank_seconds if isinstance(clock, BankClock) else clock.decision_seconds
    return "days" if seconds >= CORRESPONDENCE_SECONDS else "live"


def grace_ms(options: MatchOptions) -> int:
    """Return how long the house waits at least for a player who has lost the connection; 0 where it does not."""
    pace = pace_of(options.clock)
    if options.grace_seconds is not None and pace != "no_clock":
        return 1000 * options.grace_seconds
    return 1000 * DEFAULT_GRACE_SECONDS if pace == "live" else 0


DEFAULT_MATCH_OPTIONS = MatchOptions()
