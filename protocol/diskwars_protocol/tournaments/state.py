"""A tournament as its records fold to. Nothing in it is secret."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, WholeNumber
from diskwars_protocol.tournaments.events import (
    BoardNumber,
    DecidedBy,
    EndedAs,
    EntrantNumber,
    EntrantPair,
    HalfPointPair,
    NoteText,
    PlaceText,
    RoundNumber,
    Stage,
    StoredBotName,
    TournamentIdText,
)
from diskwars_protocol.tournaments.options import MAX_TOURNAMENT_NAME_LENGTH, TournamentOptions

TournamentStatus: TypeAlias = Literal["open", "running", "ended", "cancelled"]
EntrantStatus: TypeAlias = Literal["entered", "waiting", "withdrawn"]


class Entrant(Struct, frozen=True, gc=False, omit_defaults=True):
    """A player or a bot in a tournament. `seed` is 0 until the start, and for late entries their number."""

    number: EntrantNumber
    player: PlayerIdText | None = None
    bot: StoredBotName | None = None
    status: EntrantStatus = "entered"
    checked_in: bool = False
    from_round: RoundNumber = 1
    seed: AtLeastZero = 0


class BoardResult(Struct, frozen=True, gc=False, omit_defaults=True):
    """How a board counts: see `BoardDecided`. `corrected`: an organiser has replaced an earlier result."""

    half_points: HalfPointPair
    decided_by: DecidedBy
    scores: tuple[WholeNumber, ...] = ()
    ended_as: EndedAs | None = None
    note: NoteText | None = None
    corrected: bool = False

    @property
    def is_played(self) -> bool:
        """Whether the two have met: a forfeit is no game."""
        return self.decided_by not in ("no_show", "withdrawn")


class TournamentBoard(Struct, frozen=True, gc=False, omit_defaults=True):
    """One match of a round. `attempt` counts its matches from 1."""

    number: BoardNumber
    entrants: EntrantPair
    match: MatchIdText
    place: PlaceText | None = None
    attempt: AtLeastOne = 1
    no_show_ms: AtLeastZero | None = None
    result: BoardResult | None = None


class TournamentRound(Struct, frozen=True, gc=False, omit_defaults=True):
    """One round: its boards, and who has a bye."""

    number: RoundNumber
    at_ms: AtLeastZero
    boards: tuple[TournamentBoard, ...]
    byes: tuple[EntrantNumber, ...] = ()
    stage: Stage = "main"
    deadline_ms: AtLeastZero | None = None
    is_over: bool = False


class Tournament(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tournament. `seeds` are the entrants by seed, those who came late at the end.

    `round_count` is the number of rounds before a final; 0 where it is not known beforehand. `finalists` play the
    elimination after these, the best first. After an operator has erased its texts (`texts_erased`) no note is shown.
    """

    tournament: TournamentIdText
    name: Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_TOURNAMENT_NAME_LENGTH})]
    options: TournamentOptions
    created_ms: AtLeastZero
    organisers: tuple[PlayerIdText, ...]
    status: TournamentStatus = "open"
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[TournamentRound, ...] = ()
    seeds: tuple[EntrantNumber, ...] = ()
    round_count: AtLeastZero = 0
    finalists: tuple[EntrantNumber, ...] = ()
    paused_ms: AtLeastZero | None = None
    arena_ends_ms: AtLeastZero | None = None
    started_ms: AtLeastZero | None = None
    ended_ms: AtLeastZero | None = None
    ranking: tuple[EntrantNumber, ...] = ()
    note: NoteText | None = None
    seq: AtLeastOne = 1
    at_ms: AtLeastZero = 0
    texts_erased: bool = False

    def entrant(self, number: int) -> Entrant:
        return self.entrants[number - 1]

    def entrant_of(self, player: str) -> Entrant | None:
        """Return the entrant that a player is."""
        return next((entrant for entrant in self.entrants if entrant.player == player), None)

    @property
    def is_arena(self) -> bool:
        return self.options.format == "arena"

    @property
    def is_bracket(self) -> bool:
        return self.options.format in ("single_elimination", "double_elimination")

    @property
    def main_rounds(self) -> tuple[TournamentRound, ...]:
        """The rounds before a final."""
        return tuple(round_ for round_ in self.rounds if round_.stage == "main")


def active_entrants(state: Tournament, from_round: int | None = None) -> list[Entrant]:
    """Return the entrants who have a place, by seed; with a round, those who can be paired in it."""
    order = {number: place for place, number in enumerate(state.seeds)}
    placed = [
        entrant
        for entrant in state.entrants
        if entrant.status == "entered" and (from_round is None or entrant.from_round <= from_round)
    ]
    return sorted(placed, key=lambda entrant: (order.get(entrant.number, len(order)), entrant.number))
