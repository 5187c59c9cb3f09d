"""Options of a match of any ruleset: visibility, spectators, rating, clock."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.sealed import always_written

MIN_DECISION_SECONDS = 5
MAX_DECISION_SECONDS = 14 * 86_400

Visibility: TypeAlias = Literal["public", "link"]
Watchers: TypeAlias = Literal["live", "after_end", "none"]

DEFAULT_RULESET = "diskwars"
"""The ruleset of a match that names none."""


class PerDecisionClock(Struct, frozen=True, gc=False, tag="per_decision"):
    """How long a decision may stay open once the match has begun. After that, the house answers it.

    The time of a decision runs from `at_ms` of the record that opened it.
    """

    decision_seconds: Annotated[int, Meta(ge=MIN_DECISION_SECONDS, le=MAX_DECISION_SECONDS)]


MatchClock: TypeAlias = PerDecisionClock
"""One of the kinds of clocks, of which there is one so far."""


class MatchOptions(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the opener chooses besides the settings of the ruleset.

    `visibility`: a `public` match is in everybody's list; one by `link` only in the lists of its opener and players.
    `watchers`: spectators without a seat are allowed always (`live`), once the match has ended (`after_end`) or never
    (`none`). Until it begins, everybody with its id may see it, to take a seat.
    A `rated` match has no takebacks, and its dice follow from no seed.
    A record holds all of them; without a clock, `clock` is left out.
    """

    visibility: Visibility = always_written("public")
    watchers: Watchers = always_written("live")
    rated: bool = always_written(False)
    clock: MatchClock | None = None


DEFAULT_MATCH_OPTIONS = MatchOptions()
