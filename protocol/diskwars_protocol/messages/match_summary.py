"""Summaries of matches in lists: nothing in one that a reader does not know may hide the rest of the list.

Part of the messages of `messages.py`.
"""

from typing import Annotated, TypeAlias, get_args

from msgspec import Meta, Struct

from diskwars_protocol.clubs.events import ClubIdText
from diskwars_protocol.identifiers import OptionalIdText
from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText, Seat
from diskwars_protocol.match.match_options import (
    DEFAULT_ABANDONED_AFTER_DAYS,
    BranchPoint,
    OnMissedLimit,
    Visibility,
    Watchers,
)
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, FieldName, PackId, RulesetName

BotText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": BOT_NAME_PATTERN})]
"""The name of a bot, from a server: readers take any."""

# The schema has the values of this version; readers take any text.
MatchStatusText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(MatchStatus))})]
VisibilityText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Visibility))})]
ClockText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": ["per_decision", "bank"]})]
OnMissedLimitText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(OnMissedLimit))})]
WatchersText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(Watchers))})]


class SeatSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the lobby shows of a seat. `player` is the opaque id of who sits there, None for a free seat.

    `bot` is the name of the bot of the server that sits there, None for a person. `is_bot`: the player has the account
    of a bot that somebody keeps online.
    """

    player: PlayerIdText | None = None
    bot: BotText | None = None
    is_bot: bool = False


class ClockSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the lobby shows of a clock: the fields of its kind. Readers take kinds that they do not know."""

    type: ClockText
    decision_seconds: AtLeastOne | None = None
    bank_seconds: AtLeastOne | None = None
    increment_seconds: AtLeastZero = 0


class MatchOptionsSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the lobby shows of a `MatchOptions`. Readers take any text, for a later server may have added values."""

    visibility: VisibilityText = "public"
    watchers: WatchersText = "live"
    rated: bool = False
    clock: ClockSummary | None = None
    draws: bool = False
    takebacks: bool = False
    pauses: bool = False
    missed_limit: AtLeastOne | None = None
    on_missed_limit: OnMissedLimitText = "resign"
    rematch_of: MatchIdText | None = None
    branch_of: BranchPoint | None = None
    grace_seconds: AtLeastZero | None = None
    abandoned_after_days: AtLeastZero = DEFAULT_ABANDONED_AFTER_DAYS
    club: ClubIdText | None = None


class MatchSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the lobby shows of a match: nothing in it that a reader does not know may hide the rest of the list.

    `result` is that of the last record, without its reasons; None before the end. Others than its opener and players
    have to enter an `is_locked` match before they may watch it. Only an ended match has `armies`, the ids of those that
    have one by seat, and `records`, the number of its records. `deciding` are the seats for whose players a match
    waits; where watchers are not allowed live, only those who sit in it see that. `imported`: it came as a match file,
    and was played elsewhere; its seats are shown as empty, for ids of players in a file prove nothing here. `rematch`
    is the match that followed, in lists of one's own matches. `watchers` is how many people without a seat watched it
    when the list was made; a change of it alone is not sent to those who follow a list. `settings` are those of the
    ruleset that differ from its catalogue, `packs` the packs beside its core; an imported match shows them too.
    """

    match: MatchIdText
    ruleset: RulesetName
    status: MatchStatusText
    seats: tuple[SeatSummary, ...]
    created_ms: AtLeastZero
    updated_ms: AtLeastZero
    match_options: MatchOptionsSummary
    result: Result | None = None
    is_locked: bool = False
    armies: tuple[OptionalIdText, ...] = ()
    records: AtLeastZero = 0
    deciding: tuple[Seat, ...] = ()
    imported: bool = False
    rematch: MatchIdText | None = None
    watchers: AtLeastZero = 0
    settings: dict[FieldName, SettingValue] = {}
    packs: tuple[PackId, ...] = ()
