"""The `luck` verb: what each player rolled in a match, what was to be expected, and how lucky that was."""

from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_table
from diskwars_cli.look_back.replay_sources import run_on_replay
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.rulesets.registry import find_terminal
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.match.luck import LuckLine, luck_report
from diskwars_protocol.match.replay import Replay

COLUMNS = ("seat", "player", "roll", "rolls", "expected", "rolled", "luck")
NOTE = "luck: how often chance alone does worse than this, equal results counted half; 50 % is the middle"


def run_luck(match: str | None, *, file: str | None, url: str | None, data: DataOptions) -> int:
    return run_on_replay(match, file=file, url=url, data=data, job=_print_report)


async def _print_report(replay: Replay) -> None:
    """Print the report. Raises CommandError where nothing was rolled."""
    lines = luck_report(replay)
    if not lines:
        raise CommandError("nothing was rolled in this match yet")
    firsts = {line.seat: line for line in reversed(lines)}
    print_table(COLUMNS, [_row(replay, line, line is firsts[line.seat]) for line in lines])
    print(NOTE)


def _row(replay: Replay, line: LuckLine, is_first: bool) -> tuple[str, ...]:
    end = replay.state(replay.last)
    return (
        seat_letter(line.seat),
        find_terminal(end.ruleset).seat_name(end, line.seat) if is_first else "",
        "all tests" if line.kind is None else line.kind.replace("_", " "),
        str(line.rolls),
        f"{float(line.expected):.1f}",
        str(line.rolled),
        f"{float(line.percentile):.0%}",
    )
