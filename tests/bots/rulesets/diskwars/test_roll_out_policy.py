"""Roll-outs of Diskwars: the policy answers what is offered, the same again, and knows what its seat may know."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_bots.rulesets.diskwars.roll_out_policy import RollOutPolicy
from diskwars_bots.rulesets.diskwars.roll_out_position import MatchMemory
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules
from diskwars_bots.search.simulation import simulate
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import areas, position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from tests.rows import each_row

WANDERING = 6
"""One answer of this many is any legal one: roll-outs begin in positions that no bot would have come to."""
RULES = diskwars_rules()


class Seen(Struct):
    """All that a bot reads of a match."""

    board: Board


class OpenQuestion(Struct, frozen=True):
    """A question to a seat on a board with nothing hidden."""

    board: Board
    seat: Seat
    question: a.Question

    def options(self) -> DiskwarsOptions:
        options: DiskwarsOptions = RULES.options(self.board, self.seat, self.question)
        return options

    def answered(self, action: a.Action, rng: random.Random, dice: QuickDice) -> Board:
        whole = RULES.vocabulary.with_secrets(action, lambda: rng.randbytes(16).hex(), lambda: "")
        board: Board = RULES.decide(self.board, self.seat, self.question, whole, dice).board
        return board


def starter_armies() -> list[str]:
    return sorted(RULES.content.armies)  # type: ignore[attr-defined]


def rounds_of_armies(players: int) -> list[list[str]]:
    """Return armies for matches in which each starter army takes part."""
    armies = starter_armies()
    return [(armies + armies)[first : first + players] for first in range(0, len(armies), players)]


def open_questions(
    armies: Sequence[str], seed: int, setup: Literal["quick", "full"] = "full"
) -> Iterator[tuple[OpenQuestion, a.Action]]:
    """Play a match with the policy for every seat; yield each question after the setup and the policy's answer."""
    rng = random.Random(seed)
    dice = QuickDice(rng, len(armies))
    regiments = 1 if armies[0].endswith("patrol") else 2
    settings = a.DiskwarsSettings(setup=setup, regiments=regiments)
    board = RULES.start(settings, [a.Loadout(army) for army in armies], dice).board
    policy: RollOutPolicy | None = None
    while asked := RULES.questions(board):
        now = OpenQuestion(board, *asked[0])
        decision = Decision(DecisionId("1.0"), now.seat, now.question)
        seen = Seen(RULES.view(board, now.seat))
        if board.phase == "setup":
            action = DISKWARS_GAME.choose_unsearched(seen, decision, now.options(), rng)  # type: ignore[arg-type]
        else:
            policy = policy or RollOutPolicy(RULES.options, MatchMemory(board))
            action = policy.choose(board, now.seat, now.question, rng)
            action = RULES.default(board, now.seat, now.question, dice) if action is None else action
            yield now, action
            if rng.randrange(WANDERING) == 0:
                action = choose_random(seen, decision, now.options(), rng)  # type: ignore[arg-type]
        board = now.answered(action, rng, dice)


def is_offered(now: OpenQuestion, action: a.Action) -> bool:
    """Return whether an action is one of the options, or within the limits of one."""
    options = now.options()
    if action in options.actions or any(option.example == action for option in options.parametric):
        return True
    offered = [option for option in options.parametric if option.disk == getattr(action, "disk", None)]
    if isinstance(action, a.Reinforce):
        spots = [option.areas for option in offered]
        return any(areas.is_disk_in_any_area(now.board, action.disk, action.x, action.y, spot) for spot in spots)
    if not isinstance(action, a.MoveDisk) or not offered or len(action.path) > offered[0].flips:
        return False
    disk = now.board.disks[action.disk]
    x, y = disk.x, disk.y
    for dx, dy in action.path:
        x, y = x + dx, y + dy
        if not (geometry.is_flip(dx, dy, offered[0].length) and position.is_on_field(now.board, disk.id, x, y)):
            return False
    return True


@each_row("players", [2, 3, 4])
def test_policy_plays_only_what_is_offered(players: int) -> None:
    kinds: set[type] = set()
    for seed, armies in enumerate(rounds_of_armies(players)):
        for now, action in open_questions(armies, seed, "quick" if seed % 3 == 2 else "full"):
            assert is_offered(now, action), (armies, seed, now.question, action)
            kinds.add(type(action))
    assert {a.MoveDisk, a.Shoot, a.Focus, a.UseAbility, a.Reinforce, a.LockCard, a.ChooseTargets} <= kinds


@cache
def questions_of_a_match() -> list[OpenQuestion]:
    return [now for now, _ in open_questions(("reikland-host", "changer-host"), 7)]


def test_policy_answers_the_same_whatever_it_has_seen_before() -> None:
    """What is kept saves time: in a search, and from one decision to the next, it must not change an answer."""
    warm = MatchMemory(questions_of_a_match()[0].board)
    for now in questions_of_a_match()[::9]:
        for seed in range(3):
            ends = [
                simulate(
                    DISKWARS_GAME,
                    now.board,
                    now.seat,
                    RULES.default(now.board, now.seat, now.question, QuickDice(random.Random(1), 2)),
                    random.Random(seed),
                    lambda: False,
                    policy=RollOutPolicy(RULES.options, memory),
                )
                for memory in (MatchMemory(now.board), warm)
            ]
            assert ends[0] == ends[1]


def test_answer_does_not_depend_on_what_other_seats_hold() -> None:
    checked = 0
    for now in questions_of_a_match():
        others = [side.seat for side in now.board.sides if side.seat != now.seat]
        answers = set()
        for seed in range(3):
            hidden = RULES.determinize(RULES.view(now.board, now.seat), now.seat, random.Random(seed))
            sides = tuple(
                replace(side, hand=(), objective=None) if side.seat in others and seed == 2 else side
                for side in hidden.sides
            )
            policy = RollOutPolicy(RULES.options, MatchMemory(hidden))
            board = replace(hidden, sides=sides)
            answers.add(repr(policy.choose(board, now.seat, now.question, random.Random(3))))
        assert len(answers) == 1, (now.question, answers)
        checked += 1
    assert checked > 40
