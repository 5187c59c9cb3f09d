"""`rules --learn` plays the boards of a first match, one after the other."""

from diskwars_cli.content.lessons import play_board
from diskwars_cli.rulesets.diskwars.lesson_boards import LESSONS, open_lessons
from tests.cli.command_runner import CommandRunner
from tests.cli.content.test_figures import TypedLines


async def test_board_is_played_until_it_is_done() -> None:
    texts = LESSONS["turn"]
    console = TypedLines(texts.tried_order, "map", texts.wanted_order)
    assert await play_board(open_lessons()[0], console)
    assert texts.done in "\n".join(console.said)


async def test_board_ends_where_somebody_quits_or_the_input_ends() -> None:
    assert not await play_board(open_lessons()[0], TypedLines("quit"))
    assert not await play_board(open_lessons()[0], TypedLines())


def test_unknown_board_is_named(diskwars: CommandRunner) -> None:
    assert diskwars.error_message("rules", "--learn", "6") == "there is no board '6'; they are 1 to 5"
    assert diskwars.error_message("rules", "--learn", "x") == "there is no board 'x'; they are 1 to 5"
    assert "takes one ID at most" in diskwars.error_message("rules", "--learn", "--play")
