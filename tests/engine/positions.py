"""How does a test lay a position, let a seat answer with dice of its choice, and look at what came of it?

Given a position as text, when a seat answers, then look at disks by their names. Everything goes through the engine's
own `decide`; nothing is mocked but chance. Must not know any rule.
"""

import ast
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

import diskwars_engine
from diskwars_content import core
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import invariants, options, rounds
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_engine.rulesets.diskwars.questions import asked
from diskwars_protocol import geometry
from diskwars_protocol.fairness import Draw, ScriptedDice
from diskwars_protocol.match import MatchId, Options, Seat, SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board, Disk, fold
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Profile
from diskwars_text.lexer import labels
from diskwars_text.notation import read
from diskwars_text.parser import ground_of, pins_as_they_lie
from tests.engine.played_match import rules_named

FIGURES = Path(__file__).parent / "figures"
SALT = "5a" * 16
HIT, CRITICAL, SCATTER, CHAOS, MISS = 1, 2, 3, 4, 5
"""Faces of the usual battle die (R12.9)."""

Recorded: TypeAlias = e.BoardEvent | SeatNonceOpened | StepBegan
Faces: TypeAlias = int | tuple[int, ...]
K = TypeVar("K")


class Chance:
    """Dice that show what the test says, each throw in its turn. Anything else that is asked for is an error."""

    def __init__(self, script: Iterable[Faces], step: int) -> None:
        self.match = MatchId("table")
        self.step = step
        self._dice = ScriptedDice(script, step)

    def roll(self, kind: str, sides: int, count: int, tag: str) -> Draw:
        return self._dice.roll(kind, sides, count, tag)

    def shuffle(self, count: int, tag: str) -> Draw:
        return self._dice.shuffle(count, tag)

    def hidden(self, sides: int, tag: str) -> int:
        return self._dice.draw_hidden(sides, tag)

    def open_link(self, seat: Seat, link: str) -> SeatNonceOpened:
        return SeatNonceOpened(seat, link)

    def begin_step(self) -> StepBegan:
        self.step += 1
        return StepBegan(self.step, self._dice.begin_step(()), ())

    def finish(self) -> None:
        """Every die of the script was thrown."""
        self._dice.finish()


class Table(Struct, frozen=True):
    """A position, what the last answer recorded, and the step of the dice."""

    board: Board
    events: tuple[Recorded, ...] = ()
    step: int = 1

    # ---- given

    def plays(self, seat: Seat, card: str = "Press On", left: int = 3, then: tuple[e.Work, ...] = ()) -> "Table":
        """It is the turn of a card that this seat has revealed; `then` comes after the card is discarded."""
        sides = [replace(s, revealed=card) if s.seat == seat else s for s in self.board.sides]
        ability = any(one.when == "battle" for one in self.board.card(card).abilities)
        turn = e.CardTurn(seat, card, left, ability, begun=True)
        board = replace(self.board, sides=tuple(sides), playing=seat, phase="activation")
        return Table(replace(board, work=(turn, e.DiscardCards(), *then)))

    def fights(self, *dice: Faces, then: tuple[e.Work, ...] = ()) -> "Table":
        """The melee phase begins, and goes on until somebody is asked or it is over."""
        before = Table(replace(self.board, phase="activation"))
        return before.works(e.PhaseWork("melee"), *then, dice=dice)

    def works(self, *work: e.Work, dice: Iterable[Faces] = ()) -> "Table":
        """The engine has this to do."""
        chance = Chance(dice, self.step)
        play = Play(replace(self.board, work=()), chance)
        play.push(*work)
        rounds.run(play)
        chance.finish()
        return Table(replace(self.board, work=()))._after(play.finish())

    def changed(self, name: str, **changes: object) -> "Table":
        """The position with one disk otherwise; the pins, and the ground it lies on, are found anew."""
        number = self.number(name)
        disks = [replace(d, **changes) if d.id == number else d for d in self.board.disks]
        disks[number] = replace(disks[number], ground=ground_of(self.board, disks[number]))
        board = replace(self.board, disks=tuple(disks))
        height = max(board.height, *(disk.z for disk in disks))
        return Table(replace(board, pins=pins_as_they_lie(board), height=height))

    def holding(self, seat: Seat, *cards: str) -> "Table":
        """The position with these cards in the hand of a seat."""
        sides = [replace(s, hand=cards, cards=len(cards)) if s.seat == seat else s for s in self.board.sides]
        return Table(replace(self.board, sides=tuple(sides)))

    # ---- when

    def answer(self, action: a.Action, *dice: Faces, seat: Seat | None = None) -> "Table":
        """A seat answers; without `seat` it is the only one that is asked."""
        seat, ask = self._asked(seat)
        chance = Chance(dice, self.step)
        outcome = rounds.decide(self.board, seat, ask, action, chance)
        chance.finish()
        after = self._after(outcome.events)
        assert after.board == outcome.board, "the board handed on is what the events fold to"
        return after

    def refuse(self, action: a.Action, seat: Seat | None = None) -> Illegal:
        """A seat answers, and is refused without a die thrown or anything changed."""
        seat, ask = self._asked(seat)
        before = msgspec.json.encode(self.board)
        with pytest.raises(Illegal) as refusal:
            rounds.decide(self.board, seat, ask, action, Chance((), self.step))
        assert msgspec.json.encode(self.board) == before
        return refusal.value

    def _asked(self, seat: Seat | None) -> tuple[Seat, a.BoardQuestion]:
        found = [one for one in self.asks if seat in (None, one[0])]
        assert len(found) == 1, f"asked are {self.asks}"
        return found[0]

    def _after(self, events: Iterable[Recorded]) -> "Table":
        board, step, recorded = self.board, self.step, tuple(events)
        for event in recorded:
            rules_named(event)  # every outcome says why
            if isinstance(event, StepBegan):
                step = event.step
            elif not isinstance(event, SeatNonceOpened):
                board = fold(board, event)
        assert invariants.check(board) == []
        return Table(board, recorded, step)

    def moves(self, name: str, *degrees: int, end: bool = True) -> a.MoveDisk:
        """Flips of a disk, each in a direction: 0 is to the right, 90 up, in steps of 5."""
        number = self.number(name)
        diameter = 2 * self.board.profile(number).radius
        return a.MoveDisk(number, tuple(geometry.flip_at(degree // 5, diameter) for degree in degrees), end)

    def shoots(self, name: str, target: str, shot: int = 0) -> a.Shoot:
        return a.Shoot(self.number(name), self.number(target), shot)

    def focuses(self, name: str, target: str | None = None, ability: int = 0) -> a.Focus:
        return a.Focus(self.number(name), None if target is None else self.number(target), ability)

    def uses(self, name: str, target: str | None = None) -> a.UseAbility:
        return a.UseAbility(self.number(name), None if target is None else self.number(target))

    def passes(self, name: str) -> a.PassDisk:
        return a.PassDisk(self.number(name))

    def strikes(self, **targets: str) -> a.ChooseTargets:
        """Melee targets by name, `_` standing for a space."""
        pairs = {self.number(disk.replace("_", " ")): self.number(target) for disk, target in targets.items()}
        return a.ChooseTargets(tuple(sorted(pairs.items())))

    def picks(self, *members: str) -> a.ChooseEngagement:
        """The engagement that has these attackers."""
        return a.ChooseEngagement(self.engagement(*members))

    # ---- then

    @property
    def asks(self) -> tuple[tuple[Seat, a.BoardQuestion], ...]:
        """Who is asked what."""
        return asked(self.board, self.board.work[0]) if self.board.work else ()

    def ask(self, kind: type[K]) -> K:
        """The only open question, which is of this kind."""
        _, ask = self._asked(None)
        assert isinstance(ask, kind), f"asked is {ask}"
        return ask

    def options(self, seat: Seat | None = None) -> Options[a.Action]:
        seat, ask = self._asked(seat)
        return options.options(self.board, seat, ask)

    def number(self, name: str) -> a.DiskId:
        return labels(self.board).index(name)

    def name(self, number: a.DiskId) -> str:
        return labels(self.board)[number]

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
        """The number of the engagement that has exactly these attackers."""
        wanted = tuple(sorted(map(self.number, attackers)))
        found = [n for n, one in enumerate(self.board.engagements) if one.attackers == wanted]
        assert len(found) == 1, f"engagements are {self.engagements}"
        return found[0]

    def all(self, kind: type[K]) -> list[K]:
        """What was recorded of one kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    def kinds(self, *left_out: type[Recorded]) -> list[str]:
        """The names of all that was recorded, in order."""
        return [type(event).__name__ for event in self.events if not isinstance(event, left_out)]


def lay(text: str, profiles: Iterable[Profile] = (), cards: Iterable[CommandCard] = ()) -> Table:
    """The position of a text, which may name what is in the core pack or print its own. All cards are known."""
    catalogue = core()
    disks = {**catalogue.disks, **{profile.name: profile for profile in profiles}}
    known = {**catalogue.cards, **{card.name: card for card in cards}}
    board = read(text, disks, known)
    own = {card.name for card in board.cards}
    return Table(replace(board, cards=(*board.cards, *(card for name, card in known.items() if name not in own))))


def figure_text(name: str) -> str:
    return (FIGURES / f"{name}.txt").read_text("utf-8")


def figure(name: str, *changes: tuple[str, str]) -> Table:
    """A worked example, or a variant of it: each change replaces a piece of its text."""
    text = figure_text(name)
    for old, new in changes:
        assert old in text, f"{old!r} is not in {name}"
        text = text.replace(old, new)
    return lay(text)


# ---------------------------------------------------------------- what is refused


class Refused(NamedTuple):
    """What a refusal has to say."""

    code: str
    rule: str = ""
    place: str = ""


def refusals_in(*places: str) -> set[tuple[str, str]]:
    """Every (code, rule) that stands in a call of `Illegal` in these files and folders of the engine.

    Where the rule is worked out it cannot be read off; those calls are left out.
    """
    engine = Path(diskwars_engine.__file__).parent
    files = {file for place in places for file in (engine / place, *(engine / place).glob("*.py")) if file.is_file()}
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Illegal":
                code, _, *rest = node.args
                if not rest or isinstance(rest[0], ast.Constant):
                    found.add((_text(code), _text(rest[0]) if rest else ""))
    return found


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""
