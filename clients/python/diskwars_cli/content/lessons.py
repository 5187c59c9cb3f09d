"""The option `--learn` of the `rules` verb: the boards of a first match, one after the other."""

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.console import open_console
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs.figures import PlayedLesson
from diskwars_cli.rulesets.registry import FIGURES
from diskwars_client.terminal.console import Console

PROMPT = "board> "


def run_lessons(first: str | None) -> int:
    """Play the boards from this one on. Raises CommandError."""
    try:
        boards = [board for figures in FIGURES.values() for board in figures.open_lessons()]
    except OSError as fault:
        raise CommandError(f"the boards are not installed: {fault.strerror}") from None
    number = int(first) if first and first.isascii() and first.isdecimal() and len(first) < 3 else 1
    if (first is not None and str(number) != first) or not 1 <= number <= len(boards):
        raise CommandError(f"there is no board {first!r}; they are 1 to {len(boards)}")
    run_async(_play(boards[number - 1 :]))
    return 0


async def _play(boards: list[PlayedLesson]) -> None:
    with open_console(bell=False) as console:
        for board in boards:
            if not await play_board(board, console):
                return
        print_line(f"\nNow play a match with a mild bot: `{program_name()} play --bot mild`")


async def play_board(board: PlayedLesson, console: Console) -> bool:
    """Let somebody play one board; return False where they quit or their input ends."""
    console.print_line("\n".join(board.opening_lines(console.screen())))
    while not board.is_done:
        console.show_prompt(PROMPT)
        line = await console.read_line()
        if line is None or line.strip() in ("quit", "q"):
            return False
        console.print_line("\n".join(board.follow(line.strip(), console.screen())))
    console.print_line("")
    return True
