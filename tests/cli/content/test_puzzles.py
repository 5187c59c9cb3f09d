"""`puzzle` poses a position, takes an answer, and says what each answer comes to."""

from diskwars_cli.content.puzzles import PosedPuzzle, pose
from diskwars_content.puzzles import load_puzzle, puzzle_ids, puzzle_of_day
from tests.cli.command_runner import CommandRunner
from tests.cli.content.test_figures import TypedLines


def posed() -> PosedPuzzle:
    return PosedPuzzle(load_puzzle(puzzle_ids()[0]))


async def test_best_answer_solves_a_puzzle() -> None:
    puzzle = posed()
    console = TypedLines(str(puzzle.puzzle.best + 1))
    assert await pose(puzzle, console)
    said = "\n".join(console.said)
    assert "solved\n" in said
    assert all(f"  {number}  {text}" in said for number, text in enumerate(puzzle.answers, 1))
    assert f"wins {puzzle.puzzle.choices[puzzle.puzzle.best].wins / 10:3.0f} %" in said


async def test_other_answer_names_the_best_one() -> None:
    puzzle = posed()
    other = (puzzle.puzzle.best + 1) % len(puzzle.actions)
    console = TypedLines("0", "a", str(other + 1))
    assert not await pose(puzzle, console)
    said = "\n".join(console.said)
    assert f"not the best: that is {puzzle.puzzle.best + 1}" in said
    assert said.count("answer with a number from 1 to") == 2


async def test_chances_are_not_told_before_there_is_an_answer() -> None:
    console = TypedLines("quit")
    assert not await pose(posed(), console)
    assert "  wins " not in "\n".join(console.said)
    assert not await pose(posed(), TypedLines())


def test_puzzle_of_the_day_is_posed_without_an_id(diskwars: CommandRunner) -> None:
    assert f"puzzle {puzzle_of_day()}, " in "\n".join(diskwars("puzzle").lines)
    assert diskwars("puzzle", "--list").lines == list(puzzle_ids())


def test_unknown_puzzle_is_named(diskwars: CommandRunner) -> None:
    assert diskwars.error_message("puzzle", "chess-01").startswith('there is no puzzle "chess-01"; they are ')
