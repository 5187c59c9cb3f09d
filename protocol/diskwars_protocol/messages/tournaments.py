"""Messages about tournaments: open one, list, show and follow them, and act in one."""

from typing import Annotated, TypeAlias, get_args

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText, Seat
from diskwars_protocol.messages.lists import ListPage, PlayerName
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne, AtLeastZero, CommandId, RulesetName
from diskwars_protocol.tournaments.brackets import BracketPlace
from diskwars_protocol.tournaments.events import MAX_HALF_POINTS, MAX_NOTE_LENGTH, EntrantNumber, TournamentIdText
from diskwars_protocol.tournaments.options import (
    MAX_ARENA_BOARDS,
    MAX_TOURNAMENT_NAME_LENGTH,
    TournamentFormat,
    TournamentName,
)
from diskwars_protocol.tournaments.standings import StandingsRow
from diskwars_protocol.tournaments.state import Tournament, TournamentStatus

MAX_LISTED_TOURNAMENTS = 50
MAX_ENTRANT_NUMBER = 1_024

RawTournamentOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "TournamentOptions"})]
TournamentId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
ActedEntrant: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_ENTRANT_NUMBER)]
ActedBoard: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_ARENA_BOARDS)]
GivenHalfPoints: TypeAlias = Annotated[int, Meta(ge=0, le=MAX_HALF_POINTS)]
GivenNote: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_NOTE_LENGTH)]

# The schema has the values of this version; readers of lists take any text.
TournamentStatusText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(TournamentStatus))})]
TournamentFormatText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(TournamentFormat))})]


# ---------------------------------------------------------------- acts


class EnterAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="enter"):
    """Enter, also after a withdrawal."""


class EnterBotAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="enter_bot"):
    """Let a bot of the server in, as an organiser."""

    bot: Annotated[str, Meta(pattern=BOT_NAME_PATTERN)]


class WithdrawAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="withdraw"):
    """Withdraw, or as an organiser remove an entrant."""

    entrant: ActedEntrant | None = None


class CheckInAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="check_in"):
    """Say that one is there before the start, or as an organiser that an entrant is."""

    entrant: ActedEntrant | None = None


class StartAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="start"):
    """Start the tournament."""


class PairRoundAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="pair_round"):
    """Begin the next round, in a tournament whose rounds are begun by hand."""


class PauseAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="pause"):
    """Let no round begin and no limit run."""


class ResumeAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="resume"):
    """End a pause."""


class CancelAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="cancel"):
    """End the tournament without a winner."""

    note: GivenNote | None = None


class CorrectResultAct(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="correct_result"
):
    """Decide a match, or replace its result: 2 half points for a win, 1 each for a draw, 0 each if both forfeit."""

    round: ActedBoard
    board: ActedBoard
    half_points: Annotated[tuple[GivenHalfPoints, ...], Meta(min_length=2, max_length=2)]
    note: GivenNote | None = None


class AddOrganiserAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="add_organiser"):
    """Let the player of an account organise too."""

    name: PlayerName


class RemoveOrganiserAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="remove_organiser"):
    """Let an organiser go. Who opened the tournament stays."""

    name: PlayerName


TournamentAct: TypeAlias = (
    EnterAct
    | EnterBotAct
    | WithdrawAct
    | CheckInAct
    | StartAct
    | PairRoundAct
    | PauseAct
    | ResumeAct
    | CancelAct
    | CorrectResultAct
    | AddOrganiserAct
    | RemoveOrganiserAct
)

# ---------------------------------------------------------------- from a client


class OpenTournament(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="open_tournament"):
    """Open a tournament, whose first organiser one is. Players with an account can."""

    id: CommandId
    name: TournamentName
    options: RawTournamentOptions


class ListTournaments(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="list_tournaments"
):
    """Request one page of the tournaments that are open or running, or of those that are `over`, the newest first.

    `mine`: those that one organises or has entered. `club`: those of this club, `clubs`: those of all clubs that one is
    in, also where they are by link.
    """

    id: CommandId
    over: bool = False
    mine: bool = False
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_TOURNAMENTS)] = MAX_LISTED_TOURNAMENTS
    club: TournamentId | None = None
    clubs: bool = False


class GetTournament(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_tournament"
):
    """Request a tournament as it is. Who knows its id may see it.

    With `follow` this connection gets every change from then on (`TournamentChanged`), in the place of those of
    the tournament that it followed before.
    """

    id: CommandId
    tournament: TournamentId
    follow: bool = False


class ActInTournament(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="act_in_tournament"):
    """Do something in a tournament. What has been done already is done no second time."""

    id: CommandId
    tournament: TournamentId
    act: TournamentAct


TournamentRequest: TypeAlias = OpenTournament | ListTournaments | GetTournament | ActInTournament

# ---------------------------------------------------------------- from the server


class TournamentSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a list shows of a tournament. `rounds` have begun, of `round_count`; 0 where that is not known.

    `winner` is a player, `winner_bot` a bot.
    """

    tournament: TournamentIdText
    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_TOURNAMENT_NAME_LENGTH})]
    status: TournamentStatusText
    format: TournamentFormatText
    ruleset: RulesetName
    organiser: PlayerIdText
    entrants: AtLeastZero
    entrant_limit: AtLeastZero
    created_ms: AtLeastZero
    rounds: AtLeastZero = 0
    round_count: AtLeastZero = 0
    starts_ms: AtLeastZero | None = None
    is_paused: bool = False
    is_mine: bool = False
    winner: PlayerIdText | None = None
    winner_bot: Annotated[str, Meta(extra_json_schema={"pattern": BOT_NAME_PATTERN})] | None = None
    club: TournamentIdText | None = None


class TournamentList(Struct, frozen=True, gc=False, omit_defaults=True, tag="tournament_list"):
    """One page, the newest first. `next_page` is what a request for the page after it names; None on the last."""

    id: CommandId
    tournaments: tuple[TournamentSummary, ...]
    next_page: ListPage | None = None


class TournamentView(Struct, frozen=True, gc=False, omit_defaults=True, tag="tournament_view"):
    """A tournament as it is, with what follows from it: the table, and the bracket if it has one.

    `begun` are the matches of its open boards that have begun. `entrant` is the one that the player is.
    """

    id: CommandId
    tournament: Tournament
    standings: tuple[StandingsRow, ...] = ()
    bracket: tuple[BracketPlace, ...] = ()
    begun: tuple[MatchIdText, ...] = ()
    entrant: EntrantNumber | None = None
    is_organiser: bool = False


class TournamentChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="tournament_changed"):
    """A tournament has a new record. It comes to connections that follow it, and to entrants who were paired.

    To these it says which match they have, and in which seat.
    """

    tournament: TournamentIdText
    seq: AtLeastOne
    match: MatchIdText | None = None
    seat: Seat | None = None


TournamentResponse: TypeAlias = TournamentList | TournamentView

REQUESTS: dict[type[Struct], type[Struct]] = {
    OpenTournament: TournamentView,
    ListTournaments: TournamentList,
    GetTournament: TournamentView,
    ActInTournament: TournamentView,
}
"""By request, the response that answers it."""
