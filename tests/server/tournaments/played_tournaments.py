"""Tournaments for tests: a state with its records, invented matches, and the acts that change them."""

import random
from collections.abc import Callable, Sequence

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.tournaments.events import TournamentEvent, TournamentRecord
from diskwars_protocol.tournaments.fold import fold_record
from diskwars_protocol.tournaments.options import MatchTemplate, TournamentFormat, TournamentOptions
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard
from diskwars_server.tournaments.rules.entries import enter, enter_bot
from diskwars_server.tournaments.rules.opening import open_tournament
from diskwars_server.tournaments.rules.organising import start
from diskwars_server.tournaments.rules.progress import MatchFacts, open_boards, progress
from diskwars_server.tournaments.rules.rounds import begin_round, wants_round

ORGANISER = PlayerId("olga")
HOUSE = PlayerId("house")
START_MS = 1_000_000
MINUTE_MS = 60_000

WIN, LOSS, DRAW = (0,), (1,), ()

Play = Callable[[TournamentBoard], Sequence[int]]
"""Returns the winning seats of a match."""


def match_id(round_number: int, board: int, attempt: int) -> MatchId:
    return MatchId(f"m{round_number}-{board}-{attempt}")


def keep_order(numbers: list[int]) -> list[int]:
    return numbers


def options_of(format: TournamentFormat, **others: object) -> TournamentOptions:
    plain = TournamentOptions(format, MatchTemplate("pit"), seeding="entry")
    for name, value in others.items():
        plain = _with(plain, name, value)
    return plain


def _with(options: TournamentOptions, name: str, value: object) -> TournamentOptions:
    from msgspec.structs import replace

    return replace(options, **{name: value})


class PlayedTournament:
    """A tournament, and the matches that are invented for it. `now` is its clock."""

    def __init__(self, options: TournamentOptions, entrants: int = 0) -> None:
        self.now = START_MS
        self.records: list[TournamentRecord] = []
        self.matches: dict[str, MatchFacts] = {}
        self._state: Tournament | None = None
        self.apply([open_tournament("Autumn Swiss", options, ORGANISER, self.now)], ORGANISER)
        for number in range(1, entrants + 1):
            self.enter(f"p{number}")

    @property
    def state(self) -> Tournament:
        assert self._state is not None
        return self._state

    def apply(self, events: Sequence[TournamentEvent], actor: PlayerId = HOUSE) -> None:
        """Store what has happened, as a record."""
        if events:
            seq = len(self.records) + 1
            record = TournamentRecord(seq, self.now, actor, tuple(events))
            self.records.append(record)
            self._state = fold_record("t1", self._state, record)

    def enter(self, player: str) -> None:
        self.apply(enter(self.state, PlayerId(player)), PlayerId(player))

    def enter_bot(self, bot: str) -> None:
        self.apply(enter_bot(self.state, bot), ORGANISER)

    def start(self) -> None:
        self.apply(start(self.state, self.now, keep_order), ORGANISER)

    def pair(self) -> None:
        """Begin the next round."""
        self.apply(begin_round(self.state, self.now, match_id))

    def pass_minutes(self, minutes: int) -> None:
        """Let time pass, and note what it changes."""
        self.now += minutes * MINUTE_MS
        self.note()

    def note(self) -> None:
        """Note what has come of the matches."""
        self.apply(progress(self.state, self.matches, self.now, match_id, keep_order))

    def players(self, board: TournamentBoard) -> tuple[str | None, ...]:
        return tuple(self.state.entrant(number).player for number in board.entrants)

    def end_match(
        self, board: TournamentBoard, winners: Sequence[int], scores: tuple[int, ...] = (), reason: str = ""
    ) -> None:
        """Let a match end; winners are seats."""
        result = Result(reason or "resignation", tuple(winners), scores)
        self.matches[board.match] = MatchFacts("ended", True, self.players(board), result=result)

    def sit_down(self, board: TournamentBoard, *came: bool) -> None:
        """Let the players of a match be there, or not, before it begins."""
        self.matches[board.match] = MatchFacts("open", False, self.players(board), came)

    def begin_match(self, board: TournamentBoard) -> None:
        self.matches[board.match] = MatchFacts("running", True, self.players(board))

    def close_match(self, board: TournamentBoard) -> None:
        """Let a match end that has not begun."""
        self.matches[board.match] = MatchFacts("ended", False, result=Result("abandoned"))

    def play_round(self, play: Play) -> None:
        """Play every open match, also those that take the place of drawn ones."""
        while boards := open_boards(self.state):
            for _, board in boards:
                self.end_match(board, play(board))
            self.note()

    def play_to_end(self, play: Play, between: Callable[[], None] = lambda: None) -> None:
        """Play all rounds; what `between` does happens before each but the first."""
        while self.state.status == "running":
            assert wants_round(self.state, self.now)
            self.pair()
            self.play_round(play)
            if self.state.status == "running":
                between()


def better_number_wins(played: PlayedTournament) -> Play:
    """Let the entrant who came first win."""
    return lambda board: (0,) if board.entrants[0] < board.entrants[1] else (1,)


def random_results(rng: random.Random, draws: float = 0.1) -> Play:
    """Let matches end by lot."""
    return lambda board: () if rng.random() < draws else (rng.randrange(2),)
