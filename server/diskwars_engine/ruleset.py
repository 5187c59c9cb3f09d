"""The interface between a match and its ruleset."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.match.decisions import Options, Pack, Result, Unavailable
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import MatchId, Seat, Viewer
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.catalogues import LoadoutFault
from diskwars_protocol.records.fairness import DiceKind, Draw

N = TypeVar("N")
A = TypeVar("A")
Q = TypeVar("Q")
E = TypeVar("E")
B = TypeVar("B")
BoardT = TypeVar("BoardT", covariant=True)
QuestionT = TypeVar("QuestionT", covariant=True)


NO_NUMBERS: Mapping[str, int] = MappingProxyType({})


class Illegal(Exception):
    """An action that the rules refuse.

    `code` is one of `messages.REFUSAL_CODES` or of the ruleset's own, `rule` an id of docs/rules.md or empty.
    `numbers` are those of which the text speaks, by name; lengths in micrometres.
    """

    def __init__(
        self, code: str, text: str, rule: str = "", place: str = "", numbers: Mapping[str, int] = NO_NUMBERS
    ) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text
        self.rule = rule
        self.place = place
        self.numbers = dict(numbers)


def check_scenario(scenario: str, found: Collection[str], rule: str) -> None:
    """Check that the packs have a scenario of the settings; `found` are theirs. Raises `Illegal`."""
    if scenario not in found:
        text = f"the pack has no scenario {scenario}; it has {', '.join(found)}"
        raise Illegal("bad_settings", text, rule, "$.settings.scenario")


class UnreadableCursor(Illegal):
    """The board was left by rules whose cursor these cannot read. The match kernel adds which match it is."""

    def __init__(self, text: str) -> None:
        super().__init__("unreadable_cursor", text)


def listed_numbers(name: str, values: Iterable[int]) -> dict[str, int]:
    """Return names for the numbers of a list in the sentence of a refusal: `disk`, `disk_2`, `disk_3`."""
    return {name if place == 1 else f"{name}_{place}": value for place, value in enumerate(values, 1)}


class Dice(Protocol):
    """Chance, and the steps in which it becomes known. What is drawn goes into the event it belongs to."""

    @property
    def match(self) -> MatchId: ...

    @property
    def record(self) -> int:
        """The seq of the record that this decision makes."""

    @property
    def step(self) -> int:
        """The step that draws belong to now."""

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        """`count` dice of `sides` sides; faces from 1."""

    def shuffle(self, count: int, tag: str) -> Draw:
        """Return a new order of `count` things; faces are old places, from 0."""

    def hidden(self, sides: int, tag: str) -> int:
        """0 to sides - 1, known to the server only; moves no public index. Each tag once in a match."""

    def open_seat_nonce(self, seat: Seat, seat_nonce: str) -> SeatNonceOpened:
        """Take a seat's next nonce (empty = none given). Raises `Illegal` when it is not the next of its chain."""

    def begin_step(self) -> StepBegan:
        """Begin the next step with the links opened since the last: from here on nobody can have foreseen a draw."""


class RandomSource(Protocol):
    """A source of random numbers for search, such as `random.Random`. What is drawn from it is never recorded."""

    def randrange(self, stop: int, /) -> int:
        """Return an integer from 0 to `stop` - 1."""


class Outcome(Struct, Generic[BoardT, QuestionT], frozen=True):
    """The consequences of an answer, up to the next question.

    `events` are those of the board, with `SeatNonceOpened` and `StepBegan` in their places. `board` is their fold.
    `questions` are the open ones, as `Ruleset.questions` returns them. `cursor` encodes the remaining tasks of the
    ruleset; None if they have not changed.
    """

    events: list[Any]
    board: BoardT
    questions: tuple[tuple[Seat, QuestionT], ...]
    cursor: str | None = None


class PositionTerms(Struct, frozen=True):
    """The terms under which a position is played on: what a match says around its board.

    `has_known_figures` says that the packs of the match are those of the ruleset, so that its figures can be compared.
    """

    settings: Any
    seat_count: int
    has_known_figures: bool = True


class LoadoutCheck(Struct, frozen=True):
    """Every fault of a loadout; `loadout` is the completed one if there is no fault."""

    loadout: Any = None
    faults: tuple[LoadoutFault, ...] = ()


class OpenInformation:
    """Mixin for a ruleset without secrets: everybody may know everything."""

    def view(self, board: B, viewer: Viewer) -> B:
        return board

    def determinize(self, board: B, viewer: Viewer, rng: RandomSource) -> B:
        return board

    def redact(self, event: E, viewer: Viewer) -> E | None:
        return event

    def redact_loadout(self, loadout: N, seat: Seat, viewer: Viewer) -> N:
        return loadout

    def redact_action(self, action: A, seat: Seat, viewer: Viewer) -> A:
        return action


class Ruleset(Protocol[A, Q, B]):
    """The rules of one game. Pure: no I/O, no clock, no randomness of its own, no state outside the board.

    Settings, loadouts and events are `Any` here: a ruleset names its own types, which its vocabulary decodes.
    """

    @property
    def vocabulary(self) -> AnyVocabulary:
        """The types and the fold of this ruleset's records, and its name."""

    @property
    def rules_version(self) -> int:
        """The version of these rules, from 1: one more whenever they decide anything differently."""

    @property
    def seat_counts(self) -> Sequence[int]:
        """The numbers of players that may play."""

    @property
    def packs(self) -> Sequence[Pack]:
        """The content packs whose figures a match opened now will use."""

    @property
    def pack_names(self) -> Mapping[str, str]:
        """The names of packs for players, by id; a pack without an entry is called by its id."""

    def complete_loadout(self, settings: Any, loadout: Any) -> Any:
        """Return the loadout made complete. Raises `Illegal` for one that cannot be played."""

    def catalogue(self) -> CatalogueHead:
        """All content and all options, for clients. The same for the life of the process."""

    def check_loadout(self, settings: Any, loadout: Any) -> LoadoutCheck:
        """Every fault of what a player would bring. Raises `Illegal` for settings that cannot be played."""

    def start(self, settings: Any, loadouts: Sequence[Any], dice: Dice) -> Outcome[B, Q]:
        """Begin a match, and play it up to the first question."""

    def questions(self, board: B) -> tuple[tuple[Seat, Q], ...]:
        """Return the open questions and their seats: several if choices are simultaneous, none if the game is over."""

    def options(self, board: B, seat: Seat, question: Q) -> Options[A, Any, Any]:
        """Return legal answers: complete ones, or limits with an example. Only `decide` settles what is legal."""

    def unavailable(self, board: B, seat: Seat, question: Q) -> tuple[Unavailable, ...]:
        """Return what is not among the options, and what keeps it out. Shows nothing that the seat may not know."""

    def default(self, board: B, seat: Seat, question: Q, dice: Dice) -> A:
        """Return a legal answer, for time-outs, simple bots and fuzzing. Draws hidden only."""

    def decide(self, board: B, seat: Seat, question: Q, action: A, dice: Dice) -> Outcome[B, Q]:
        """Return the outcome of an answer. Raises `Illegal`; the given board does not change."""

    def resign(self, board: B, seat: Seat, dice: Dice) -> Outcome[B, Q]:
        """Let a seat leave the game, and play on up to the next question, as `decide` does. Raises `Illegal`."""

    def view(self, board: B, viewer: Viewer) -> B:
        """Return the board as the viewer may know it."""

    def determinize(self, board: B, viewer: Viewer, rng: RandomSource) -> B:
        """Return a complete board that could be the true one. `board` is what the viewer sees.

        Hidden values are drawn at random from the possible ones. The `view` of the result is `board` again.
        """

    def redact(self, event: Any, viewer: Viewer) -> Any:
        """The event with what the viewer may not know replaced by `HIDDEN`, or None if it is hidden as a whole.

        The event itself when nothing is hidden. Nobody sees less than `PUBLIC`; an event that is None for `PUBLIC` is
        seen whole by a seat, or not at all.
        """

    def redact_loadout(self, loadout: Any, seat: Seat, viewer: Viewer) -> Any:
        """Return what a viewer may know of what `seat` brought."""

    def redact_action(self, action: A, seat: Seat, viewer: Viewer) -> A:
        """Return what a viewer may know of an answer of `seat`."""

    def result(self, board: B) -> Result | None:
        """Return the winners and the reason, once the game is over."""

    def check(self, board: B) -> list[str]:
        """Broken invariants, in words, of a board that these rules have made."""

    def check_position(self, board: B, terms: PositionTerms) -> list[str]:
        """Return why no match under these terms can have come to a board, beginning with a place; empty if one can.

        Content, scenario and settings say what does not change in a match, the rules what does. The board may be
        anything that decodes: LookupError, ValueError and TypeError say that it contradicts itself.
        """


AnyRuleset: TypeAlias = Ruleset[Any, Any, Any]
