"""The `puzzle` verb: a position of a played match, and a few answers, of which one wins far more often."""

from datetime import date

import msgspec

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.console import open_console
from diskwars_cli.console.signals import run_async
from diskwars_client.plugs.terminal_ruleset import TerminalRuleset
from diskwars_client.rulesets.registry import find_terminal
from diskwars_client.terminal.console import Console
from diskwars_client.terminal.replay import table_lines
from diskwars_content.puzzles import Puzzle, UnknownPuzzle, load_puzzle, puzzle_ids, puzzle_of_day
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.match.replay import Replay
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.registry import RULESETS

PROMPT = "answer> "


class PosedPuzzle:
    """A puzzle with its position, its question, and its answers in words."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        records = read_file(puzzle.file.encode()).records
        self.replay = Replay(RULESETS[puzzle.ruleset], records, received_as=puzzle.seat)
        self.match = self.replay.state(self.replay.last)
        self.terminal: TerminalRuleset = find_terminal(puzzle.ruleset)
        asked = (decision for decision in self.match.decisions if decision.seat == puzzle.seat)
        self.decision: Decision[object] = next(asked)
        type = RULESETS[puzzle.ruleset].action
        self.actions = tuple(msgspec.json.decode(choice.action, type=type) for choice in puzzle.choices)

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as they are listed among the options of a match."""
        return tuple(
            self.terminal.numbered_options(self.match, self.decision, Options((action,)))[0].text
            for action in self.actions
        )

    def lines(self, console: Console) -> list[str]:
        """Return the position, the question and the numbered answers."""
        ids, seat = puzzle_ids(), seat_letter(self.puzzle.seat)
        place = ids.index(self.puzzle.puzzle) + 1
        return [
            *table_lines(self.replay, self.replay.last, console.screen()),
            "",
            f"puzzle {self.puzzle.puzzle}, {place} of {len(ids)}: what wins most often for seat {seat}?",
            self.terminal.question_text(self.match, self.decision),
            *(f"  {number}  {text}" for number, text in enumerate(self.answers, 1)),
        ]

    def verdict_lines(self, answer: int) -> list[str]:
        """Return what an answer, counted from 1, and all others come to."""
        puzzle, best = self.puzzle, self.puzzle.best
        lines = ["solved" if answer - 1 == best else f"not the best: that is {best + 1}"]
        order = sorted(range(len(puzzle.choices)), key=lambda place: -puzzle.choices[place].wins)
        lines += [
            f"  wins {puzzle.choices[place].wins / 10:3.0f} %  {place + 1}  {self.answers[place]}" for place in order
        ]
        return [
            *lines,
            f"wins: of {puzzle.play_outs:,} play-outs each, in which the roll-out policy plays every seat",
        ]


def run_puzzle(id: str | None, *, lists: bool, today: date | None = None) -> int:
    """Pose a puzzle, that of the day without an id, or list all. Raises CommandError for one that there is not."""
    if lists:
        print("\n".join(puzzle_ids()))
        return 0
    try:
        puzzle = load_puzzle(id or puzzle_of_day(today))
    except UnknownPuzzle:
        ids = puzzle_ids()
        raise CommandError(f'there is no puzzle "{id}"; they are {ids[0]} to {ids[-1]}, see --list') from None
    run_async(_pose(PosedPuzzle(puzzle)))
    return 0


async def _pose(posed: PosedPuzzle) -> None:
    with open_console(bell=False) as console:
        await pose(posed, console)


async def pose(posed: PosedPuzzle, console: Console) -> bool:
    """Ask until there is an answer; return whether it is the best one. False where somebody quits."""
    console.print_line("\n".join(posed.lines(console)))
    count = len(posed.actions)
    while True:
        console.show_prompt(PROMPT)
        line = await console.read_line()
        if line is None or line.strip() in ("quit", "q"):
            return False
        if line.strip() in map(str, range(1, count + 1)):
            break
        console.print_line(f"answer with a number from 1 to {count}, or quit")
    answer = int(line)
    console.print_line("\n".join(posed.verdict_lines(answer)))
    return answer - 1 == posed.puzzle.best
