"""The option `--learn` of the `rules` verb: the boards of a first match, one after the other."""

from collections.abc import Sequence

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.console import open_console
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs.figures import PlayedLesson
from diskwars_cli.rulesets.registry import LESSONS
from diskwars_client.terminal.console import Console

PROMPT = "board> "
MAIN = "diskwars"
"""The ruleset whose boards are named by their numbers alone."""


def run_lessons(first: str | None) -> int:
    """Play the boards of a game from one on: `3`, `pit` or `pit-2`. Raises CommandError."""
    ruleset, number = parse_board(first or "1")
    boards = _open(ruleset)
    if not 1 <= number <= len(boards):
        known = "1 to 5" + "".join(f", {name}-1 and {name}-2" for name in LESSONS if name != MAIN)
        raise CommandError(f"there is no board {first!r}; they are {known}")
    run_async(_play(boards[number - 1 :], ruleset))
    return 0


def parse_board(first: str) -> tuple[str, int]:
    """Return the ruleset and the number that `3`, `pit` and `pit-2` mean; number 0 where there is no such board."""
    ruleset, _, number = (
        first.rpartition("-") if "-" in first else (("", "", first) if first.isdecimal() else (first, "", "1"))
    )
    is_number = number.isascii() and number.isdecimal() and len(number) < 3 and str(int(number)) == number
    ruleset = ruleset or MAIN
    return (ruleset, int(number)) if is_number and ruleset in LESSONS else (MAIN, 0)


def _open(ruleset: str) -> Sequence[PlayedLesson]:
    """Raises CommandError."""
    try:
        return LESSONS[ruleset]()
    except OSError as fault:
        raise CommandError(f"the boards are not installed: {fault.strerror}") from None


async def _play(boards: Sequence[PlayedLesson], ruleset: str) -> None:
    with open_console(bell=False) as console:
        for board in boards:
            if not await play_board(board, console):
                return
        of_ruleset = "" if ruleset == MAIN else f" --ruleset {ruleset}"
        print_line(f"\nNow play a match with a mild bot: `{program_name()} play --bot mild{of_ruleset}`")


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
