"""The `review` verb prints where the search would have done otherwise."""

import re

from tests.cli.command_runner import CommandRunner
from tests.cli.conftest import ENDED_MATCH
from tests.golden.write_files import FOLDER, SUFFIX

QUICK = ("--simulations", "20", "--play-outs", "40", "--decisions", "8", "--seed", "3")


def golden(name: str) -> str:
    return str(FOLDER / f"{name}{SUFFIX}")


def test_review_of_a_file_shows_both_answers_and_how_to_see_the_position(diskwars: CommandRunner) -> None:
    file = golden("pit-counted")
    result = diskwars("review", "--file", file, *QUICK, "--moments", "1")
    heading, _, question, done, search, gain, seen, _, note = result.lines
    assert (result.code, heading) == (0, "seat A: where the search would have done otherwise")
    seq = re.match(r"record (\d+): seat A: ", question)
    assert seq
    assert re.match(r"  done    wins +\d+%  \S", done)
    assert re.match(r"  search  wins +\d+%  \S", search)
    assert re.match(r"  gain    \d+ ± \d+ percentage points", gain)
    assert seen == f"  seen by diskwars replay --file {file} --at {int(seq[1]) - 1} --as a"
    assert note.startswith("wins: of 40 play-outs each")
    assert diskwars(*seen.removeprefix("  seen by diskwars ").split()).code == 0


def test_review_says_where_nothing_is_clearly_better(diskwars: CommandRunner) -> None:
    result = diskwars("review", "--file", golden("regiments-counted"), "--seat", "b", *QUICK[:-4], "--decisions", "1")
    assert (result.code, result.lines) == (0, ["seat B: the search found nothing that is clearly better"])


def test_review_of_a_stored_match(diskwars: CommandRunner, archive_url: str) -> None:
    effort = ("--simulations", "2", "--play-outs", "10", "--decisions", "2")
    result = diskwars("review", ENDED_MATCH, "--database-url", archive_url, *effort)
    assert (result.code, result.lines[0][:7]) == (0, "seat A:")


def test_match_without_the_seat_is_refused(diskwars: CommandRunner) -> None:
    assert diskwars.error_message("review", "--file", golden("pit-counted"), "--seat", "c") == "the match has no seat c"
    assert diskwars.error_message("review") == "name either a MATCH or --file FILE"
