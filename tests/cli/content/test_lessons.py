"""`rules --learn` plays the boards of a first match, one after the other."""

from diskwars_cli.content.lessons import parse_board, play_board
from diskwars_cli.rulesets.diskwars.lesson_boards import LESSONS, open_lessons
from tests.cli.command_runner import CommandRunner
from tests.cli.content.test_figures import TypedLines
from tests.rows import each_row


async def test_board_is_played_until_it_is_done() -> None:
    texts = LESSONS["turn"]
    console = TypedLines(texts.tried_order, "map", texts.wanted_order)
    assert await play_board(open_lessons()[0], console)
    assert texts.done in "\n".join(console.said)


async def test_board_ends_where_somebody_quits_or_the_input_ends() -> None:
    assert not await play_board(open_lessons()[0], TypedLines("quit"))
    assert not await play_board(open_lessons()[0], TypedLines())


@each_row("id", ["0", "6", "01", "x", "pit-3", "chess-1", "pit-x"])
def test_unknown_board_is_named(diskwars: CommandRunner, id: str) -> None:
    message = diskwars.error_message("rules", "--learn", id)
    assert message.startswith(f"there is no board {id!r}; they are 1 to 5, pit-1 and pit-2, ")


@each_row(
    ("name", "ruleset", "number"),
    [("3", "diskwars", 3), ("pit", "pit", 1), ("close_quarters-2", "close_quarters", 2), ("diskwars", "diskwars", 1)],
)
def test_boards_of_a_smaller_game_are_named_by_it(name: str, ruleset: str, number: int) -> None:
    assert parse_board(name) == (ruleset, number)


def test_boards_and_figures_are_not_asked_for_together(diskwars: CommandRunner) -> None:
    assert "takes one ID at most" in diskwars.error_message("rules", "--learn", "--play")
