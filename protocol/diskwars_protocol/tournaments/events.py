"""Events of a tournament, and the record that holds those of one act.

An event says what happened: pairings, points, limits. Folding needs no rules of pairing.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, AtLeastOne, AtLeastZero, WholeNumber
from diskwars_protocol.tournaments.options import (
    MAX_ARENA_BOARDS,
    MAX_ENTRANTS,
    MAX_TOURNAMENT_NAME_LENGTH,
    MAX_WAITING,
    TournamentOptions,
)

MAX_HALF_POINTS = 2
"""Of one match: 2 for a win, 1 for a draw."""
MAX_NOTE_LENGTH = 200

TournamentIdText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
EntrantNumber: TypeAlias = Annotated[
    int, Meta(extra_json_schema={"minimum": 1, "maximum": 4 * (MAX_ENTRANTS + MAX_WAITING)})
]
"""The number of an entrant, in the order of entry from 1."""
RoundNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_ARENA_BOARDS})]
BoardNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_ARENA_BOARDS})]
"""The number of a match within its round, from 1."""
HalfPoints: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MAX_HALF_POINTS})]
NoteText: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_NOTE_LENGTH})]
EndedAs: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z][a-z_]{0,63}$"})]
"""The reason why a match ended, an id."""
_PAIR = Meta(extra_json_schema={"minItems": 2, "maxItems": 2})
EntrantPair: TypeAlias = Annotated[tuple[EntrantNumber, ...], _PAIR]
"""Two entrants, in the order of their seats."""
HalfPointPair: TypeAlias = Annotated[tuple[HalfPoints, ...], _PAIR]
StoredBotName: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": BOT_NAME_PATTERN})]
PlaceText: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^([A-Z]|[A-Z][0-9]{1,2}[.][0-9]{1,3})$"})]
"""The place of a match in a bracket: `W1.2` is the second match of the first round of the winners."""

WithdrawalReason: TypeAlias = Literal["left", "removed", "not_checked_in", "no_show"]
DecidedBy: TypeAlias = Literal["match", "no_show", "deadline", "withdrawn", "organiser", "better_seed"]
"""What decided a board: the end of its match, who did not come, the end of the round, a withdrawal before the match,
an organiser, or the seeds after too many draws in an elimination."""
ReplacementReason: TypeAlias = Literal["draw", "never_began"]
Stage: TypeAlias = Literal["main", "final"]


class TournamentOpened(Struct, frozen=True, gc=False, tag="tournament_opened"):
    """The first event. Who opens a tournament is its first organiser."""

    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_TOURNAMENT_NAME_LENGTH})]
    options: TournamentOptions
    organiser: PlayerIdText


class EntrantEntered(Struct, frozen=True, gc=False, omit_defaults=True, tag="entrant_entered"):
    """A player or a bot of the server has entered, or waits for a place.

    An entrant who had withdrawn keeps the number. `from_round` is the first round in which they are paired.
    """

    entrant: EntrantNumber
    player: PlayerIdText | None = None
    bot: StoredBotName | None = None
    is_waiting: bool = False
    from_round: RoundNumber = 1


class EntrantPromoted(Struct, frozen=True, gc=False, tag="entrant_promoted"):
    """An entrant who was waiting has got a place."""

    entrant: EntrantNumber


class EntrantWithdrew(Struct, frozen=True, gc=False, omit_defaults=True, tag="entrant_withdrew"):
    """An entrant is out: they are not paired any more."""

    entrant: EntrantNumber
    reason: WithdrawalReason = "left"


class EntrantCheckedIn(Struct, frozen=True, gc=False, tag="entrant_checked_in"):
    entrant: EntrantNumber


class OrganiserAdded(Struct, frozen=True, gc=False, tag="organiser_added"):
    player: PlayerIdText


class OrganiserRemoved(Struct, frozen=True, gc=False, tag="organiser_removed"):
    player: PlayerIdText


class TournamentStarted(Struct, frozen=True, gc=False, tag="tournament_started"):
    """`seeds` are the entrants in the order of their seeds, the best first; `rounds` those that will be played.

    A format that does not know the number of its rounds beforehand has 0. `ends_ms` is when an arena pairs no more.
    """

    seeds: tuple[EntrantNumber, ...]
    rounds: AtLeastZero = 0
    ends_ms: AtLeastZero | None = None


class FinalBegan(Struct, frozen=True, gc=False, tag="final_began"):
    """The best of the rounds before play an elimination, in the order of their seeds in it."""

    finalists: tuple[EntrantNumber, ...]


class PairedBoard(Struct, frozen=True, gc=False, omit_defaults=True):
    """Two entrants who play each other, in the order of their seats. In a bracket the match has a `place`."""

    entrants: EntrantPair
    match: MatchIdText
    place: PlaceText | None = None


class RoundPaired(Struct, frozen=True, gc=False, omit_defaults=True, tag="round_paired"):
    """A round has begun. Boards are numbered from 1 in this order; `byes` get the points of a win."""

    round: RoundNumber
    boards: tuple[PairedBoard, ...]
    byes: tuple[EntrantNumber, ...] = ()
    stage: Stage = "main"
    no_show_ms: AtLeastZero | None = None
    deadline_ms: AtLeastZero | None = None


class MatchReplaced(Struct, frozen=True, gc=False, tag="match_replaced"):
    """Two entrants play again: their match was drawn in an elimination, or it ended before it began."""

    round: RoundNumber
    board: BoardNumber
    entrants: EntrantPair
    match: MatchIdText
    reason: ReplacementReason
    no_show_ms: AtLeastZero | None = None


class BoardDecided(Struct, frozen=True, gc=False, omit_defaults=True, tag="board_decided"):
    """A match counts. `half_points` and the `scores` of the game are in the order of the board's entrants.

    `ended_as` is the reason why the match ended. Nobody played where `decided_by` is "no_show" or "withdrawn".
    `match` is the one that was looked at.
    """

    round: RoundNumber
    board: BoardNumber
    half_points: HalfPointPair
    decided_by: DecidedBy
    scores: tuple[WholeNumber, ...] = ()
    ended_as: EndedAs | None = None
    note: NoteText | None = None


class RoundEnded(Struct, frozen=True, gc=False, tag="round_ended"):
    round: RoundNumber


class TournamentPaused(Struct, frozen=True, gc=False, tag="tournament_paused"):
    """No round begins and no limit of the tournament runs; matches under way go on."""


class TournamentResumed(Struct, frozen=True, gc=False, tag="tournament_resumed"):
    """`moved_ms` is how much later every limit is that was running."""

    moved_ms: AtLeastZero


class TournamentCancelled(Struct, frozen=True, gc=False, omit_defaults=True, tag="tournament_cancelled"):
    """The tournament is over without a winner.

    With `erases_texts` an operator has done it, also after the end: nobody is shown its name and notes any more.
    """

    note: NoteText | None = None
    erases_texts: bool = False


class TournamentEnded(Struct, frozen=True, gc=False, tag="tournament_ended"):
    """All is played. `ranking` are the entrants in their final order."""

    ranking: tuple[EntrantNumber, ...]


TournamentEvent: TypeAlias = (
    TournamentOpened
    | EntrantEntered
    | EntrantPromoted
    | EntrantWithdrew
    | EntrantCheckedIn
    | OrganiserAdded
    | OrganiserRemoved
    | TournamentStarted
    | FinalBegan
    | RoundPaired
    | MatchReplaced
    | BoardDecided
    | RoundEnded
    | TournamentPaused
    | TournamentResumed
    | TournamentCancelled
    | TournamentEnded
)


class TournamentRecord(Struct, frozen=True, gc=False):
    """One act with all that followed from it. `actor` is a player, or "house" for the server."""

    seq: AtLeastOne
    at_ms: AtLeastZero
    actor: PlayerIdText
    events: tuple[TournamentEvent, ...]
