"""Set up a position, let a seat answer with chosen dice, and inspect the result.

Given a position as text, when a seat answers, then look at disks by their names. Everything goes through the engine's
own `decide`; nothing is mocked but randomness.
"""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

import diskwars_engine
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal, Outcome
from diskwars_engine.rulesets.diskwars import invariants, rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.cursor import encode_cursor
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_protocol import geometry
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.records.fairness import DiceKind, Draw
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, Disk, fold
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Profile
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_text.rulesets.diskwars.lexer import disk_labels
from diskwars_text.rulesets.diskwars.parser import derive_pins, parse_position, terrain_under
from tests.engine.played_match import cited_rules
from tests.engine.scripted_dice import ScriptedDice

FIGURES_FOLDER = Path(__file__).parents[2] / "figures"
SALT = "5a" * 16
HIT, CRITICAL, SCATTER, CHAOS, MISS = 1, 2, 3, 4, 5
"""Faces of the usual battle die (R12.9)."""

RecordedEvent: TypeAlias = e.BoardEvent | SeatNonceOpened | StepBegan
ScriptedFaces: TypeAlias = int | tuple[int, ...]
K = TypeVar("K")


RECORD = 20
"""The seq of every record that a test makes from a position."""


class ScriptedMatchDice:
    """Dice that show what the test says, each throw in its turn. Anything else that is asked for is an error."""

    def __init__(self, script: Iterable[ScriptedFaces], step: int) -> None:
        self.match = MatchId("table")
        self.record = RECORD
        self.step = step
        self._dice = ScriptedDice(script, step)

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        assert sides == 6, "every die of the game has six faces"
        return self._dice.roll(kind, sides, count, tag)

    def shuffle(self, count: int, tag: str) -> Draw:
        return self._dice.shuffle(count, tag)

    def hidden(self, sides: int, tag: str) -> int:
        return self._dice.draw_hidden(sides, tag)

    def open_seat_nonce(self, seat: Seat, seat_nonce: str) -> SeatNonceOpened:
        return SeatNonceOpened(seat, seat_nonce)

    def begin_step(self) -> StepBegan:
        self.step += 1
        return StepBegan(self.step, self._dice.begin_step(()), ())

    def finish(self) -> None:
        """Every die of the script was thrown."""
        self._dice.finish()


def with_tasks(board: Board, *tasks: t.Task) -> Board:
    """Return the board with only these tasks to do."""
    return replace(board, cursor=encode_cursor(tasks))


class ScriptedPosition(Struct, frozen=True):
    """A position, what the last answer recorded, and the step of the dice."""

    board: Board
    events: tuple[RecordedEvent, ...] = ()
    step: int = 1

    @property
    def tasks(self) -> tuple[t.Task, ...]:
        """The tasks that are still to be done, next first."""
        return rounds.tasks_of(self.board)

    # ---- given

    def with_card_turn(
        self, seat: Seat, card: str = "press-on", left: int = 3, then: tuple[t.Task, ...] = ()
    ) -> "ScriptedPosition":
        """It is the turn of a card that this seat has revealed; `then` comes after the card is discarded."""
        sides = [replace(s, revealed_card=card) if s.seat == seat else s for s in self.board.sides]
        ability = any(ability.timing == "battle" for ability in self.board.card(card).abilities)
        turn = t.CommandCardTask(seat, card, left, ability, begun=True)
        board = replace(self.board, sides=tuple(sides), active_seat=seat, phase="activation")
        return ScriptedPosition(with_tasks(board, turn, t.DiscardCardsTask(), *then))

    def start_melee(self, *dice: ScriptedFaces, then: tuple[t.Task, ...] = ()) -> "ScriptedPosition":
        """Return the melee phase begins, and goes on until somebody is asked or it is over."""
        before = ScriptedPosition(replace(self.board, phase="activation"))
        return before.run_tasks(t.MeleePhaseTask(), *then, dice=dice)

    def run_tasks(self, *work: t.Task, dice: Iterable[ScriptedFaces] = ()) -> "ScriptedPosition":
        """The engine has this to do."""
        chance = ScriptedMatchDice(dice, self.step)
        resolution = Resolution(with_tasks(self.board), chance, work)
        rounds.run(resolution)
        chance.finish()
        return ScriptedPosition(with_tasks(self.board)).after(resolution.finish())

    def with_disk(self, name: str, **changes: object) -> "ScriptedPosition":
        """Return the position with one disk changed; its pins and terrain are computed again."""
        number = self.number(name)
        disks = [replace(d, **changes) if d.id == number else d for d in self.board.disks]
        disks[number] = replace(disks[number], terrain=terrain_under(self.board, disks[number]))
        board = replace(self.board, disks=tuple(disks))
        height = max(board.top_z, *(disk.z for disk in disks))
        return ScriptedPosition(replace(board, pins=derive_pins(board), top_z=height))

    def with_hand(self, seat: Seat, *cards: str) -> "ScriptedPosition":
        """Return the position with these cards in the hand of a seat."""
        sides = [replace(s, hand=cards, card_count=len(cards)) if s.seat == seat else s for s in self.board.sides]
        return ScriptedPosition(replace(self.board, sides=tuple(sides)))

    # ---- when

    def answer(self, action: a.Action, *dice: ScriptedFaces, seat: Seat | None = None) -> "ScriptedPosition":
        """Return a seat answers; without `seat` it is the only one that is asked."""
        seat, ask = self._open_question(seat)
        chance = ScriptedMatchDice(dice, self.step)
        outcome = rounds.decide(self.board, seat, ask, action, chance)
        chance.finish()
        after = self.after(outcome)
        assert after.board == outcome.board, "the board handed on is what the events fold to"
        return after

    def expect_illegal(self, action: a.Action, seat: Seat | None = None) -> Illegal:
        """Return a seat answers, and is refused without a die thrown or anything changed."""
        seat, ask = self._open_question(seat)
        before = msgspec.json.encode(self.board)
        with pytest.raises(Illegal) as refusal:
            rounds.decide(self.board, seat, ask, action, ScriptedMatchDice((), self.step))
        assert msgspec.json.encode(self.board) == before
        return refusal.value

    def _open_question(self, seat: Seat | None) -> tuple[Seat, a.BoardQuestion]:
        found = [question for question in self.open_questions if seat in (None, question[0])]
        assert len(found) == 1, f"asked are {self.open_questions}"
        return found[0]

    def after(self, outcome: Outcome[Board, Any]) -> "ScriptedPosition":
        """The position to which what was recorded folds."""
        board, step, recorded = self.board, self.step, tuple(outcome.events)
        for event in recorded:
            cited_rules(event)  # every outcome says why
            if isinstance(event, StepBegan):
                step = event.step
            elif not isinstance(event, SeatNonceOpened):
                board = fold(board, event)
        if outcome.cursor is not None:
            board = DISKWARS.set_cursor(board, outcome.cursor)
        assert invariants.check(board) == []
        return ScriptedPosition(board, recorded, step)

    def move_action(self, name: str, *degrees: int, end: bool = True) -> a.MoveDisk:
        """Flips of a disk, each in a direction: 0 is to the right, 90 up, in steps of 5."""
        number = self.number(name)
        diameter = 2 * self.board.profile(number).radius
        return a.MoveDisk(number, tuple(geometry.flip_at(degree // 5, diameter) for degree in degrees), end)

    def shoot_action(self, name: str, target: str, shot: int = 0) -> a.Shoot:
        return a.Shoot(self.number(name), self.number(target), shot)

    def focus_action(self, name: str, target: str | None = None, ability: int = 0) -> a.Focus:
        return a.Focus(self.number(name), None if target is None else self.number(target), ability)

    def ability_action(self, name: str, target: str | None = None) -> a.UseAbility:
        return a.UseAbility(self.number(name), None if target is None else self.number(target))

    def pass_action(self, name: str) -> a.PassDisk:
        return a.PassDisk(self.number(name))

    def targets_action(self, **targets: str) -> a.ChooseTargets:
        """Melee targets by name, `_` standing for a space."""
        pairs = {self.number(disk.replace("_", " ")): self.number(target) for disk, target in targets.items()}
        return a.ChooseTargets(tuple(a.MeleeTarget(*pair) for pair in sorted(pairs.items())))

    def engagement_action(self, *members: str) -> a.ChooseEngagement:
        """Return the engagement that has these attackers."""
        return a.ChooseEngagement(self.engagement(*members))

    # ---- then

    @property
    def open_questions(self) -> tuple[tuple[Seat, a.BoardQuestion], ...]:
        """The open questions."""
        return rounds.open_questions(self.board)

    def question(self, kind: type[K]) -> K:
        """Return the only open question, which is of this kind."""
        _, ask = self._open_question(None)
        assert isinstance(ask, kind), f"asked is {ask}"
        return ask

    def options(self, seat: Seat | None = None) -> DiskwarsOptions:
        seat, ask = self._open_question(seat)
        return rounds.options(self.board, seat, ask)

    def number(self, name: str) -> a.DiskId:
        return disk_labels(self.board).index(name)

    def name(self, number: a.DiskId | None) -> str:
        assert number is not None
        return disk_labels(self.board)[number]

    def disk(self, name: str) -> Disk:
        return self.board.disks[self.number(name)]

    def damage(self, *names: str) -> tuple[int, ...]:
        return tuple(self.disk(name).damage for name in names)

    def is_fielded(self, name: str) -> bool:
        return self.disk(name).place == "battlefield"

    @property
    def pins(self) -> set[str]:
        """As `top>bottom`."""
        return {f"{self.name(top)}>{self.name(bottom)}" for top, bottom in self.board.pins}

    @property
    def engagements(self) -> set[str]:
        """As `attackers | defenders`, by name."""
        return {self.members(number) for number in range(len(self.board.engagements))}

    def members(self, number: int) -> str:
        one = self.board.engagements[number]
        parts = (", ".join(sorted(map(self.name, disks))) for disks in (one.attackers, one.defenders))
        return " | ".join(parts)

    def engagement(self, *attackers: str) -> int:
        """Return the number of the engagement that has exactly these attackers."""
        wanted = tuple(sorted(map(self.number, attackers)))
        numbers = [n for n, engagement in enumerate(self.board.engagements) if engagement.attackers == wanted]
        assert len(numbers) == 1, f"engagements are {self.engagements}"
        return numbers[0]

    def events_of_type(self, kind: type[K]) -> list[K]:
        """Return what was recorded of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def event_names(self, *left_out: type[RecordedEvent]) -> list[str]:
        """Return the names of all that was recorded, in order."""
        return [type(event).__name__ for event in self.events if not isinstance(event, left_out)]


def scripted_position(
    text: str, profiles: Iterable[Profile] = (), cards: Iterable[CommandCard] = ()
) -> ScriptedPosition:
    """Return the position of a text, which may name what is in the core pack or print its own. All cards are known."""
    catalogue = core_pack()
    disks = {**catalogue.disks, **{profile.id: profile for profile in profiles}}
    known = {**catalogue.cards, **{card.id: card for card in cards}}
    board = parse_position(text, disks, known)
    own = {card.id for card in board.cards}
    return ScriptedPosition(
        replace(board, cards=(*board.cards, *(card for id, card in known.items() if id not in own)))
    )


def read_figure(name: str) -> str:
    return (FIGURES_FOLDER / f"{name}.txt").read_text("utf-8")


def figure_position(name: str, *changes: tuple[str, str]) -> ScriptedPosition:
    """Return a worked example, or a variant of it: each change replaces a piece of its text."""
    text = read_figure(name)
    for old, new in changes:
        assert old in text, f"{old!r} is not in {name}"
        text = text.replace(old, new)
    return scripted_position(text)


# ---------------------------------------------------------------- what is refused


class ExpectedRefusal(NamedTuple):
    """The code, rule and place that a refusal has to have."""

    code: str
    rule: str = ""
    place: str = ""


def find_refusals(*places: str) -> set[tuple[str, str]]:
    """Return every (code, rule) in a call of `Illegal` in these files and folders of the engine.

    Where the rule is worked out it cannot be read off; those calls are left out.
    """
    engine = Path(diskwars_engine.__file__).parent
    assert all((engine / place).exists() for place in places), places
    files = {file for place in places for file in (engine / place, *(engine / place).rglob("*.py")) if file.is_file()}
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Illegal":
                code, _, *rest = node.args
                if not rest or isinstance(rest[0], ast.Constant):
                    found.add((_constant_text(code), _constant_text(rest[0]) if rest else ""))
    return found


def _constant_text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""
