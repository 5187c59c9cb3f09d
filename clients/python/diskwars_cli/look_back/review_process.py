"""A process that reviews an ended match for a server: its file comes in by standard input, the moments go out.

It ends when its parent dies, and when it takes longer than it may.
"""

import contextlib
import signal
import sys
from collections.abc import Sequence

import msgspec

from diskwars_bots.process_limits import limit_process, take_standard_output
from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.review import Lesson, ReviewEffort, review
from diskwars_client.replays import replay_file
from diskwars_protocol.messages.file_verdicts import ReviewResult
from diskwars_protocol.messages.reviews import PER_MILLE, ReviewedMoment

SERVER_EFFORT = ReviewEffort(simulations=24, play_outs=40, decisions=30)
"""Less than `review` has in a terminal: others wait for the same process, which goes behind everything else."""
_JSON = msgspec.json.Encoder()


def review_file(raw: bytes, seat: int, effort: ReviewEffort = SERVER_EFFORT) -> ReviewResult:
    """Return the moments of a match file at which the search would have done something else than a seat.

    Raises BadRecord, NewerFormat, UnknownRuleset and ReplayError.
    """
    replay = replay_file(raw)
    game = find_bots(replay.state(replay.last).ruleset).game
    if game is None:
        return ReviewResult(fault="there is no search for the ruleset")
    return ReviewResult(tuple(_moment(lesson) for lesson in review(game, replay, seat, effort)), effort.play_outs)


def _moment(lesson: Lesson) -> ReviewedMoment:
    done, better = (msgspec.Raw(_JSON.encode(action)) for action in (lesson.done, lesson.better))
    chances = (round(PER_MILLE * part) for part in (lesson.chance, lesson.better_chance, min(1.0, lesson.error)))
    return ReviewedMoment(lesson.seq, done, better, *chances)


def main(arguments: Sequence[str]) -> None:
    """Review the file on standard input: the arguments are the seat, and how many seconds it may take."""
    seat, seconds = arguments
    limit_process()
    # Without a handler the signal ends the process, also while no parent is left.
    signal.setitimer(signal.ITIMER_REAL, int(seconds))
    with take_standard_output() as results, contextlib.suppress(BrokenPipeError):
        try:
            result = review_file(sys.stdin.buffer.read(), int(seat))
        except Exception as fault:  # its words may hold hidden cards
            result = ReviewResult(fault=type(fault).__name__)
        results.write(_JSON.encode(result))


if __name__ == "__main__":
    main(sys.argv[1:])
