"""A row of a list of matches names the players and says how it ended; on a terminal it keeps to the columns."""

import io
import sys
import time

import pytest
from msgspec.structs import replace

from diskwars_cli.console.output import print_table
from diskwars_cli.look_back.match_rows import HEADINGS, match_row, players_of
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.match_summary import MatchOptionsSummary, MatchSummary, SeatSummary

ANN, BOT = SeatSummary(PlayerId("p1")), SeatSummary(PlayerId("bot:greedy"), "greedy")
NAMES = {"p1": "Ann"}
RUNNING = MatchSummary(
    match=MatchId("nsmprmk9ipix"),
    ruleset="diskwars",
    status="running",
    seats=(ANN, BOT),
    created_ms=int(time.time() * 1000),
    updated_ms=0,
    match_options=MatchOptionsSummary(),
)
ENDED = replace(RUNNING, status="ended", result=Result("victory_points", (1,), (5, 12)))


@pytest.mark.parametrize(
    ("summary", "text"),
    [
        (RUNNING, "running: Ann against bot greedy"),
        (replace(RUNNING, deciding=(0,), watchers=2), "running: Ann against bot greedy; Ann to decide; 2 watching"),
        (replace(RUNNING, status="open", seats=(ANN, SeatSummary())), "open: Ann against a free seat"),
        (replace(RUNNING, is_locked=True), "running: Ann against bot greedy; locked"),
        (ENDED, "bot greedy beat Ann, 12 to 5 (victory points)"),
        (
            replace(ENDED, ruleset="regiments", result=Result("round_limit", (1,), (950, 1950))),
            "bot greedy beat Ann, 1.95 to 0.95 (round limit)",
        ),
        (replace(ENDED, ruleset="unheard of"), "bot greedy beat Ann, 12 to 5 (victory points)"),
        (replace(ENDED, result=Result("resignation", (0,))), "Ann beat bot greedy (resignation)"),
        (replace(ENDED, result=Result("abandoned")), "Ann against bot greedy: nobody won (abandoned)"),
        (
            replace(ENDED, seats=(SeatSummary(), SeatSummary()), imported=True),
            "seat B beat seat A, 12 to 5 (victory points); imported",
        ),
        (
            replace(ENDED, seats=(ANN, BOT, BOT), result=Result("victory_points", (0,), (20, 18, 0))),
            "Ann beat bot greedy and bot greedy, 20 to 18 and 0 (victory points)",
        ),
        (
            replace(ENDED, seats=(ANN, BOT, ANN, BOT), result=Result("victory_points", (0, 2), (12, 2, 12, 2))),
            "Ann and Ann beat bot greedy and bot greedy, 12 and 12 to 2 and 2 (victory points)",
        ),
        (replace(ENDED, seats=(SeatSummary(PlayerId("p9")), BOT)), "bot greedy beat seat A, 12 to 5 (victory points)"),
    ],
)
def test_row_says_who_plays_and_how_it_ended(summary: MatchSummary, text: str) -> None:
    assert match_row(summary, NAMES)[-1] == text


def test_names_are_wanted_of_people_only_and_once() -> None:
    assert players_of([RUNNING, ENDED, replace(RUNNING, seats=(SeatSummary(), SeatSummary()))]) == ["p1"]


def test_old_match_has_its_year_and_a_new_one_its_time() -> None:
    assert match_row(replace(RUNNING, created_ms=10**12), NAMES)[1].endswith(" 2001")
    assert ":" in match_row(RUNNING, NAMES)[1]


def test_row_says_what_is_not_usual() -> None:
    summary = replace(RUNNING, settings={"regiments": 2}, match_options=MatchOptionsSummary(rated=True))
    assert "; regiments 2, rated" in match_row(summary, NAMES)[3]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("is_terminal", [True, False])
def test_long_row_goes_on_below_its_last_column_on_a_terminal_only(
    is_terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    long = {"p1": "Ann with a long name that fills one whole column"}
    print_table(HEADINGS, [match_row(replace(ENDED, ruleset="close_quarters"), long)])
    lines = out.getvalue().splitlines()
    if not is_terminal:
        assert len(lines) == 2
        return
    assert max(map(len, lines)) <= 80
    start = lines[0].index("players")
    first, *rest = lines[1:]
    assert rest
    assert all(line.startswith(" " * start) for line in rest)
    assert " ".join([first[start:], *(line.strip() for line in rest)]).startswith("bot greedy beat Ann with a long")
