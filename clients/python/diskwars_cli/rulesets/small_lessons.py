"""The boards of the smaller games in a terminal: two for each, on which one thing is tried in vain and one is done."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.plugs.lesson_steps import LessonSteps, LessonTexts
from diskwars_client.plugs.terminal_ruleset import OrderError, check_order_size
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal_pages import Screen
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import BranchBegan, MatchOpened, Position, PositionSet
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId, Seat
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import AnyMatch, RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.rulesets.registry import RULESETS

BOARD_FOLDERS = (
    Path(__file__).parents[1] / "small_lessons",
    Path(__file__).parents[3] / "web" / "src" / "rulesets" / "small" / "lessons" / "boards",
)
"""In an installed package, and in a clone, where the page has them."""
NO_HASH = "0" * 64

SMALL_LESSONS: dict[str, tuple[LessonTexts, ...]] = {
    "pit": (
        LessonTexts(
            "Run at one",
            "First try the Bulwark, who touches an enemy",
            "engage A2 5 7",
            "The Bulwark is engaged: a fighter beside an enemy does not run.",
            "Now let your Captain run to a cell beside the Rider",
            "engage A1 7 4",
            "Fighters in neighbouring cells touch, diagonally too, and those who touch fight. Who ran strikes first.",
        ),
        LessonTexts(
            "Strike",
            "First try to strike the Rider, who stands apart",
            "attack Rider",
            "The Rider is in no cell beside your Brawler.",
            "Now strike the Twin-blade with both attacks",
            "attack Twin-blade",
            "A d20 of at least Mel hits, one of at least Def saves. A hit of 18 or more that is not saved takes out.",
        ),
    ),
    "close_quarters": (
        LessonTexts(
            "Come close",
            "First try to run up to the enemy Guards",
            "advance 6 0",
            "Nobody ends a move within an inch of an enemy.",
            "Now advance by 2 inches",
            "advance 2 0",
            "Squads within 6 inches of each other fight, right after the moves. Those who are attacked may fire first.",
        ),
        LessonTexts(
            "Fire",
            "First try to fire at the enemy Raiders, far off",
            "fire K1 at M",
            "In close combat, fire reaches 6 inches. The Raiders are farther off.",
            "Now let the whole squad fire at the enemy Guards",
            "1",
            "Low dice succeed in this game. A first save that fails, or a sixth hit, is a marker: squads with markers "
            "may lose their nerve.",
        ),
    ),
    "regiments": (
        LessonTexts(
            "March",
            "First try to charge the enemy Foot, far off",
            "charge B1",
            "A charge reaches as many cells as M says: 4 for your Foot.",
            "Now march 2 cells: a march is half of M",
            "march forward forward",
            "Units act by speed, the fastest first. A march is half of M; a charge may be the whole of M.",
        ),
        LessonTexts(
            "Charge",
            "First try to charge the enemy Stout, behind your Horse",
            "charge B2",
            "A unit charges only what is in front of it.",
            "Now charge the enemy Foot, who show you their flank",
            "charge B1",
            "Wounds, ranks and the flank were counted. The Foot lost by 2, failed its test on a d12, and fled.",
        ),
    ),
}


class _SmallRefusal(Struct, frozen=True):
    tried: Any
    rule: str = ""


class _SmallAnswer(Struct, frozen=True):
    action: Any
    events: Any


class _SmallLessonFile(Struct, frozen=True):
    ruleset: str
    refusal: _SmallRefusal
    done: int
    board: Any
    seat: Seat
    question: Any
    options: Any
    answers: tuple[_SmallAnswer, ...]


class SmallLessonPlay(LessonSteps):
    """One board of a smaller game while it is played."""

    def __init__(self, number: int, count: int, texts: LessonTexts, file: _SmallLessonFile) -> None:
        super().__init__(f"Board {number} of {count}", texts, file.refusal.rule)
        self._vocabulary = RULESETS[file.ruleset]
        self._terminal = find_terminal(file.ruleset)
        self._wanted = file.done
        self._tried: Any = msgspec.convert(file.refusal.tried, self._vocabulary.action)
        actions = msgspec.convert([answer.action for answer in file.answers], list[self._vocabulary.action])  # type: ignore[name-defined]
        self._answers = list(zip(actions, (answer.events for answer in file.answers), strict=True))
        self._match = _opened(self._vocabulary, file.board)
        self._decision: Decision[Any] = Decision(
            DecisionId("1.0"), file.seat, msgspec.convert(file.question, self._vocabulary.question)
        )
        options = msgspec.convert(file.options, self._vocabulary.options)
        self._offered = self._terminal.numbered_options(self._match, self._decision, options)

    def table_text(self, screen: Screen | None) -> str:
        return self._terminal.table_text(self._match, screen)

    def answer_lines(self) -> list[str]:
        return self._terminal.option_lines(self._match, self._decision, self._offered)

    def is_tried(self, line: str) -> bool:
        try:
            action = self._parse(line)
        except OrderError:
            return False
        return action == self._tried or _targets(action) == _targets(self._tried) != set()

    def answer(self, line: str, screen: Screen | None) -> tuple[list[str], bool]:
        try:
            action = self._parse(line)
        except OrderError as unclear:
            return [str(unclear)], False
        found = next((number for number, (known, _) in enumerate(self._answers) if known == action), None)
        return ([], False) if found is None else (self._take(found), True)

    def show_wanted(self) -> list[str]:
        return self._take(self._wanted)

    def _parse(self, line: str) -> Any:
        """Raises OrderError."""
        check_order_size(line)
        return self._terminal.parse_order(line, self._match, self._decision, self._offered)

    def _take(self, number: int) -> list[str]:
        action, raw = self._answers[number]
        events = tuple(msgspec.convert(event, self._vocabulary.event) for event in raw)
        record: RecordBody[Any, Any, Any] = RecordBody(
            at_ms=0, seat=self._decision.seat, decision=self._decision.id, action=action, events=events
        )
        told = self._terminal.narrate(self._match, record)
        for event in events:
            self._match = self._vocabulary.fold_event(self._match, event)
        return told


def _targets(action: Any) -> set[int]:
    """Return at whom models fire; nobody where an action is no fire."""
    return {shot.target for shot in getattr(action, "shots", ())}


def _opened(vocabulary: AnyVocabulary, board: Any) -> AnyMatch:
    """Return a match that begins at a position, as a branch does."""
    opening: Sequence[object] = (
        MatchOpened(
            match=MatchId("board"),
            ruleset=vocabulary.name,
            rules_version=1,
            settings=vocabulary.settings(),
            seat_count=2,
            anchor=NO_HASH,
            deal_commitment=NO_HASH,
            opener=PlayerId("reader"),
            match_options=MatchOptions(),
        ),
        PositionSet(Position(msgspec.convert(board, vocabulary.board))),
        BranchBegan(),
    )
    match = None
    for event in opening:
        match = vocabulary.fold_event(match, event)
    assert match is not None
    seats = tuple(replace(seat, player=PlayerId(f"player-{n}")) for n, seat in enumerate(match.seats))
    return replace(match, seats=seats)


def open_small_lessons(ruleset: str) -> tuple[SmallLessonPlay, ...]:
    """Return the boards of a smaller game in their order. Raises OSError where their files are missing."""
    texts = SMALL_LESSONS[ruleset]
    return tuple(
        SmallLessonPlay(number, len(texts), of_board, _read(f"{ruleset}-{number}"))
        for number, of_board in enumerate(texts, 1)
    )


def _read(id: str) -> _SmallLessonFile:
    paths = [folder / f"{id}.json" for folder in BOARD_FOLDERS]
    path = next((path for path in paths if path.is_file()), paths[0])
    return msgspec.json.decode(path.read_bytes(), type=_SmallLessonFile)
