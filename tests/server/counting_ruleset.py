"""The smallest ruleset with every kind of secret.

Two seats choose a number in secret each round; both are revealed, and a die is added. A hint goes to one seat alone, so
the other gets a sealed element. After the last round the higher sum wins. A note of "crash" makes the rules fail.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal, LoadoutCheck, Outcome, PositionTerms, RandomSource
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat, UnpromptedAction
from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.match.decisions import Options, Pack, Result, Unavailable
from diskwars_protocol.match.events import MATCH_EVENT_TYPES
from diskwars_protocol.match.history_facts import HistoryFacts
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.vocabulary import AnyVocabulary, Vocabulary
from diskwars_protocol.messages.catalogues import LoadoutFault
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import HIDDEN, Sealed, always_written


class CountingSettings(Struct, frozen=True, omit_defaults=True):
    rounds: int = always_written(2)


class CountingLoadout(Struct, frozen=True, omit_defaults=True):
    """`lucky` is the own secret."""

    name: str = ""
    lucky: int | Sealed = always_written(0)


class NumberQuestion(Struct, frozen=True, tag="ask_number"):
    round: int


class ChooseNumber(Struct, frozen=True, omit_defaults=True, tag="choose"):
    number: int | Sealed
    seat_nonce: str | Sealed = always_written("")
    note: str = ""


def with_seat_nonce(action: "Action", salt: Callable[[], str], seat_nonce: Callable[[], str]) -> "Action":
    return replace(action, seat_nonce=seat_nonce()) if isinstance(action, ChooseNumber) else action


Action: TypeAlias = TakeSeat[CountingLoadout] | Ready | UnpromptedAction | ChooseNumber
Question: TypeAlias = SeatQuestion | ReadyQuestion | NumberQuestion


class CountingStarted(Struct, frozen=True, tag="started"):
    rounds: int


class NumberChosen(Struct, frozen=True, tag="chosen"):
    seat: int
    number: int | Sealed
    note: str


class HintGiven(Struct, frozen=True, tag="hinted"):
    """For the seat alone."""

    seat: int
    hint: str


class NumbersRevealed(Struct, frozen=True, tag="revealed"):
    numbers: tuple[int, ...]
    dice: Draw


class SeatLeft(Struct, frozen=True, tag="left"):
    seat: int


BoardEvent: TypeAlias = CountingStarted | NumberChosen | HintGiven | NumbersRevealed | SeatLeft


class CountingUnavailable(Unavailable, frozen=True):
    """A reason why a number is not among the options."""

    number: int = 0


class CountingBoard(Struct, frozen=True):
    rounds: int
    round: int = 1
    chosen: tuple[int | Sealed | None, ...] = (None, None)
    hints: tuple[str, ...] = ("", "")
    sums: tuple[int, ...] = (0, 0)
    left: int | None = None


def _replace_at(values: tuple[Any, ...], seat: int, value: object) -> tuple[Any, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


class CountingCatalogue(CatalogueHead, frozen=True):
    pass


MAX_LUCKY = 7


def fold(board: CountingBoard | None, event: BoardEvent) -> CountingBoard:
    if isinstance(event, CountingStarted):
        return CountingBoard(event.rounds)
    assert board is not None
    match event:
        case NumberChosen():
            number = HIDDEN if isinstance(event.number, Sealed) else event.number  # a state knows no digests
            return replace(board, chosen=_replace_at(board.chosen, event.seat, number))
        case HintGiven():
            return replace(board, hints=_replace_at(board.hints, event.seat, event.hint))
        case NumbersRevealed():
            sums = tuple(map(sum, zip(board.sums, event.numbers, event.dice.results, strict=True)))
            return replace(board, round=board.round + 1, chosen=(None, None), sums=sums)
        case SeatLeft():
            return replace(board, left=event.seat)


class CountingRules:
    vocabulary: AnyVocabulary = Vocabulary(
        "counting",
        settings=CountingSettings,
        loadout=CountingLoadout,
        action=Action,
        question=Question,
        event=BoardEvent,
        board=CountingBoard,
        catalogue=CountingCatalogue,
        end_reasons=("elimination", "points"),
        last_side_reasons=("elimination",),
        loadout_fault_codes=("too_lucky",),
        fold_board=fold,
        with_secrets=with_seat_nonce,
        history_facts=HistoryFacts({CountingStarted: "round", NumbersRevealed: "round"}),
    )
    seat_counts: Sequence[int] = (2,)
    rules_version = 1
    packs: Sequence[Pack] = ()
    pack_names: Mapping[str, str] = {}

    def complete_loadout(self, settings: CountingSettings, loadout: CountingLoadout) -> CountingLoadout:
        return loadout

    def catalogue(self) -> CountingCatalogue:
        return CountingCatalogue((), ruleset_settings(CountingSettings))

    def check_loadout(self, settings: CountingSettings, loadout: CountingLoadout) -> LoadoutCheck:
        if isinstance(loadout.lucky, int) and loadout.lucky > MAX_LUCKY:
            numbers = {"found": loadout.lucky, "most": MAX_LUCKY}
            return LoadoutCheck(faults=(LoadoutFault("too_lucky", "too lucky", "N2", "$.lucky", "less", numbers),))
        return LoadoutCheck(self.complete_loadout(settings, loadout))

    def start(
        self, settings: CountingSettings, entries: Sequence[CountingLoadout], dice: Dice
    ) -> Outcome[CountingBoard, Question]:
        return _outcome(self, None, [CountingStarted(settings.rounds)])

    def questions(self, board: CountingBoard) -> tuple[tuple[int, Question], ...]:
        if self.result(board) is not None:
            return ()
        return tuple((seat, NumberQuestion(board.round)) for seat in (0, 1) if board.chosen[seat] is None)

    def options(self, board: CountingBoard, seat: int, ask: Question) -> Options[Action, Any, Any]:
        if board.hints[seat] == "crash options":
            raise RuntimeError(f"the secret is {board.hints[seat]}")
        return Options(tuple(ChooseNumber(number) for number in range(1, 7)))

    def unavailable(self, board: CountingBoard, seat: int, ask: Question) -> tuple[Unavailable, ...]:
        return (CountingUnavailable("not_legal", "the number is 1 to 6", "N1", number=7),)

    def default(self, board: CountingBoard, seat: int, ask: Question, dice: Dice) -> Action:
        return ChooseNumber(1 + dice.hidden(6, f"number {board.round} {seat}"))

    def decide(
        self, board: CountingBoard, seat: int, ask: Question, action: Action, dice: Dice
    ) -> Outcome[CountingBoard, Question]:
        if not isinstance(action, ChooseNumber) or not isinstance(action.number, int):
            raise Illegal("wrong_action", "a number is asked for", place="$.action")
        if not 1 <= action.number <= 6:
            raise Illegal("not_legal", "the number is 1 to 6", "N1", "$.action.number")
        if action.note == "crash":
            raise RuntimeError(f"the secret is {action.number}")
        events: list[Any] = [
            dice.open_seat_nonce(seat, str(action.seat_nonce)),
            NumberChosen(seat, action.number, action.note),
            HintGiven(seat, action.note or "well chosen"),
        ]
        other = board.chosen[1 - seat]
        if isinstance(other, int):
            numbers = (action.number, other) if seat == 0 else (other, action.number)
            events += [
                dice.begin_step(),
                NumbersRevealed(numbers, dice.roll("number_dice", 6, 2, f"round {board.round}")),
            ]
        return _outcome(self, board, events)

    def resign(self, board: CountingBoard, seat: int, dice: Dice) -> Outcome[CountingBoard, Question]:
        return _outcome(self, board, [SeatLeft(seat)])

    def view(self, board: CountingBoard, viewer: int) -> CountingBoard:
        others = [seat for seat in (0, 1) if seat != viewer]
        for seat in others:
            hidden = None if board.chosen[seat] is None else HIDDEN
            board = replace(
                board, chosen=_replace_at(board.chosen, seat, hidden), hints=_replace_at(board.hints, seat, "")
            )
        return board

    def determinize(self, board: CountingBoard, viewer: int, rng: RandomSource) -> CountingBoard:
        chosen = tuple(1 + rng.randrange(6) if number == HIDDEN else number for number in board.chosen)
        return replace(board, chosen=chosen)

    def redact(self, event: BoardEvent, viewer: int) -> BoardEvent | None:
        match event:
            case NumberChosen():
                return event if event.seat == viewer else replace(event, number=HIDDEN)
            case HintGiven():
                return event if event.seat == viewer else None
            case _:
                return event

    def redact_loadout(self, loadout: CountingLoadout, seat: int, viewer: int) -> CountingLoadout:
        return loadout if seat == viewer else replace(loadout, lucky=HIDDEN)

    def redact_action(self, action: Action, seat: int, viewer: int) -> Action:
        return replace(action, number=HIDDEN, seat_nonce=HIDDEN) if isinstance(action, ChooseNumber) else action

    def result(self, board: CountingBoard) -> Result | None:
        if board.left is not None:
            return Result("elimination", (1 - board.left,), board.sums)
        if board.round <= board.rounds:
            return None
        best = [seat for seat in (0, 1) if board.sums[seat] == max(board.sums)]
        return Result("points", tuple(best) if len(best) == 1 else (), board.sums)

    def check(self, board: CountingBoard) -> list[str]:
        return []

    def check_position(self, board: CountingBoard, terms: PositionTerms) -> list[str]:
        return []


def _outcome(
    ruleset: CountingRules, board: CountingBoard | None, events: list[Any]
) -> Outcome[CountingBoard, Question]:
    """Return an outcome from its events alone."""
    for event in events:
        if type(event) not in MATCH_EVENT_TYPES:
            board = fold(board, event)
    assert board is not None
    return Outcome(events, board, ruleset.questions(board))
