"""The `review` verb: at which moments of a match the search would have done otherwise, and by how much."""

from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.review import Lesson, ReviewEffort, review
from diskwars_cli.console.command import CommandError
from diskwars_cli.look_back.replay_sources import run_on_replay
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.plugs.terminal_ruleset import TerminalRuleset
from diskwars_client.rulesets.registry import find_terminal
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import SEAT_LETTERS, Seat, seat_letter
from diskwars_protocol.match.replay import Replay, ReplayError
from diskwars_protocol.match.state import AnyMatch


def run_review(
    match: str | None, effort: ReviewEffort, *, seat: str, file: str | None, url: str | None, data: DataOptions
) -> int:
    reviewed = SEAT_LETTERS.index(seat.upper())

    async def job(replay: Replay) -> None:
        place = f"--file {file} --at" if file is not None else f"{replay.match} --at"
        _print_review(replay, reviewed, effort, place)

    return run_on_replay(match, file=file, url=url, data=data, job=job)


def _print_review(replay: Replay, seat: Seat, effort: ReviewEffort, place: str) -> None:
    """Print what the search would have done; `place` is how `replay` names the match.

    Raises CommandError for a match or a seat that cannot be reviewed.
    """
    end = replay.state(replay.last)
    game = find_bots(end.ruleset).game
    if game is None:
        raise CommandError(f"there is no search for {end.ruleset}")
    try:
        lessons = review(game, replay, seat, effort)
    except ReplayError as fault:
        raise CommandError(str(fault)) from None
    terminal, letter = find_terminal(end.ruleset), seat_letter(seat)
    if not lessons:
        print(f"seat {letter}: the search found nothing that is clearly better")
        return
    print(f"seat {letter}: where the search would have done otherwise")
    for lesson in lessons:
        position = f"diskwars replay {place} {lesson.seq - 1} --as {letter.lower()}"
        print("\n".join(["", *_lesson_lines(terminal, replay.state(lesson.seq - 1), lesson), f"  seen by {position}"]))
    print(
        f"\nwins: of {effort.play_outs} play-outs each, in which the roll-out policy plays every seat;"
        " ± is one standard error"
    )


def _lesson_lines(terminal: TerminalRuleset, before: AnyMatch, lesson: Lesson) -> list[str]:
    done, better = (_deed_text(terminal, before, lesson, action) for action in (lesson.done, lesson.better))
    return [
        f"record {lesson.seq}: {terminal.question_text(before, lesson.decision)}",
        f"  done    wins {lesson.chance:4.0%}  {done}",
        f"  search  wins {lesson.better_chance:4.0%}  {better}",
        f"  gain    {100 * lesson.gain:.0f} ± {100 * lesson.error:.0f} percentage points",
    ]


def _deed_text(terminal: TerminalRuleset, before: AnyMatch, lesson: Lesson, action: object) -> str:
    """Return an answer as it is listed among the options."""
    return terminal.numbered_options(before, lesson.decision, Options((action,)))[0].text
