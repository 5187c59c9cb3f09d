"""Options of a tournament: its format, its rounds, who may enter, and the template of its matches."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.match_options import Visibility
from diskwars_protocol.schema_types import (
    MAX_INTEGER,
    NO_FIELDS,
    OPAQUE_ID_PATTERN,
    OpenedPacks,
    RawMatchOptions,
    RawSettings,
    RulesetName,
)

MAX_ENTRANTS = 128
MAX_ROUND_ROBIN_ENTRANTS = 32
"""More would be more than 496 matches."""
MAX_ROUNDS = 64
MAX_ARENA_BOARDS = 1_024
MAX_WAITING = 128
MAX_ORGANISERS = 4
MAX_TOURNAMENT_NAME_LENGTH = 80
MAX_ROUND_MINUTES = 90 * 1_440
MAX_NO_SHOW_MINUTES = 14 * 1_440
MAX_CHECK_IN_MINUTES = 1_440
MAX_ARENA_MINUTES = 1_440
MAX_FINALISTS = 16

TournamentFormat: TypeAlias = Literal["round_robin", "swiss", "single_elimination", "double_elimination", "arena"]
TieBreak: TypeAlias = Literal["buchholz", "sonneborn_berger", "direct_encounter", "points_difference"]
Seeding: TypeAlias = Literal["entry", "random"]

TournamentName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_TOURNAMENT_NAME_LENGTH)]


class MatchTemplate(Struct, frozen=True, gc=False, omit_defaults=True):
    """What every match of a tournament is opened with, as `open_match` has it. All of them have two seats."""

    ruleset: RulesetName
    settings: RawSettings = NO_FIELDS
    match_options: RawMatchOptions = NO_FIELDS
    packs: OpenedPacks | None = None


DEFAULT_TIE_BREAKS: tuple[TieBreak, ...] = (
    "buchholz",
    "sonneborn_berger",
    "direct_encounter",
    "points_difference",
)


class TournamentOptions(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the organiser chooses when a tournament is opened.

    `rounds` are those of a Swiss tournament; left out, as many as leave one entrant without a loss. `final_top`: after
    the last round of a Swiss or round-robin tournament this many of the best play an elimination; 0, 2, 4, 8 or 16.
    `entrant_limit`: those who enter after that wait for a place. `visibility` "link": in nobody's list but those of its
    organisers and entrants. `starts_ms`: it starts by itself then; otherwise an organiser starts it.
    `check_in_minutes` before the start entrants can check in; those who have not are out at the start. 0: none.
    `round_minutes`: a round ends at the latest after this time; matches under way then are drawn. `no_show_minutes`:
    a player who is not in the seat and ready in this time after the pairing forfeits the match, and is withdrawn.
    `arena_minutes`: how long an arena pairs those who are free. `pairs_by_hand`: an organiser begins each round.
    `third_place`: the losers of the semi-finals play for it. `club`: only members of this club enter.
    """

    format: TournamentFormat
    template: MatchTemplate
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] | None = None
    final_top: Annotated[int, Meta(ge=0, le=MAX_FINALISTS)] = 0
    entrant_limit: Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] = 64
    visibility: Visibility = "public"
    starts_ms: Annotated[int, Meta(ge=0, le=MAX_INTEGER)] | None = None
    check_in_minutes: Annotated[int, Meta(ge=0, le=MAX_CHECK_IN_MINUTES)] = 0
    round_minutes: Annotated[int, Meta(ge=1, le=MAX_ROUND_MINUTES)] | None = None
    no_show_minutes: Annotated[int, Meta(ge=1, le=MAX_NO_SHOW_MINUTES)] = 10
    arena_minutes: Annotated[int, Meta(ge=1, le=MAX_ARENA_MINUTES)] = 60
    pairs_by_hand: bool = False
    third_place: bool = False
    late_entry: bool = False
    bots: bool = False
    seeding: Seeding = "random"
    tie_breaks: Annotated[tuple[TieBreak, ...], Meta(max_length=4)] = DEFAULT_TIE_BREAKS
    club: Annotated[str, Meta(pattern=OPAQUE_ID_PATTERN)] | None = None
