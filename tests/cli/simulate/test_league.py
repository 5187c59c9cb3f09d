"""A league plays the same with any number of processes, goes on where it stopped, and refuses what does not belong."""

import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.strength import describe_bot
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.simulate import league, league_processes
from diskwars_cli.simulate.league_charts import ChartRow, rate_chart, rating_chart
from diskwars_cli.simulate.league_match import LeagueTask, PlayedMatch
from diskwars_cli.simulate.league_options import LeagueOptions
from diskwars_cli.simulate.league_plan import LeaguePlan, mirrored_seats, planned_seeds
from diskwars_cli.simulate.league_standings import compute_standings, first_score
from diskwars_cli.simulate.strength import SequentialTest
from tests.cli.command_runner import CommandRunner

QUICK = ("league", "--ruleset", "regiments")
"""Matches of regiments are the shortest."""


def plan(*bots: str, matches: int = 4, players: int = 2, ruleset: str = "pit") -> LeaguePlan:
    options = LeagueOptions(data=DataOptions(), ruleset=ruleset, players=players)
    return LeaguePlan(bots, options, planned_seeds(1, matches, players), 10.0)


def own_bots(folder: Path, *names: str) -> list[str]:
    """Write bots that play like the random one; return their names."""
    for name in names:
        code = "from diskwars_bots.generic_bot import choose_offered as choose\n"
        (folder / f"{name}.py").write_text(code)
    return [f"{folder / name}.py:choose" for name in names]


# ---------------------------------------------------------------- the plan


@pytest.mark.parametrize("players", [2, 3, 4])
def test_bots_of_a_pair_sit_in_each_seat_equally_often(players: int) -> None:
    seatings = mirrored_seats(players)
    assert len(set(seatings)) == len(seatings)
    for seat in range(players):
        assert Counter(line[seat] for line in seatings) == {0: len(seatings) // 2, 1: len(seatings) // 2}


def test_each_pair_plays_each_seed_from_every_seat_with_the_same_armies() -> None:
    league = plan("greedy", "random", ruleset="diskwars")
    assert [(match.seed, match.seats) for match in league] == [(1, (0, 1)), (1, (1, 0)), (2, (0, 1)), (2, (1, 0))]
    jobs = [league.job(match) for match in league]
    assert [job.bots for job in jobs[:2]] == [["greedy", "random"], ["random", "greedy"]]
    assert jobs[0].loadouts == jobs[1].loadouts != jobs[2].loadouts
    assert [league.find(match.seed, league.names(match)) for match in league] == list(league)
    assert league.find(3, ("greedy", "random")) is None
    assert league.find(1, ("greedy", "greedy")) is None


def test_matches_are_rounded_up_to_whole_rounds_of_the_seats() -> None:
    assert [len(planned_seeds(7, matches, 2)) for matches in (1, 2, 3)] == [1, 1, 2]
    assert planned_seeds(7, 12, 3) == range(7, 9)


def test_score_is_the_share_of_the_winning_seats() -> None:
    match = plan("greedy", "random", players=4).match(0)
    assert match.seats == (0, 0, 1, 1)
    assert [first_score(match, PlayedMatch(winners=seats)) for seats in ((0,), (2,), (0, 3), ())] == [1, 0, 0.5, 0.5]


def test_sequential_test_looks_at_pairs_in_order_and_stops_at_the_first_gap() -> None:
    league, test = plan("greedy", "random", matches=400), SequentialTest(0, 300)
    won = {match.number: PlayedMatch(winners=(match.seats.index(0),)) for match in league}
    standings = compute_standings(league, won, test)
    decided = standings.matches
    assert (standings.verdict, standings.pair_counts) == ("elo1", [0, 0, 0, 0, decided // 2])
    assert decided < 400
    del won[3]
    gap = compute_standings(league, won, test)
    assert (gap.verdict, gap.matches, gap.pair_counts) == ("open", 3, [0, 0, 0, 0, 1])


# ---------------------------------------------------------------- playing


def test_number_of_processes_changes_nothing(diskwars: CommandRunner, tmp_path: Path) -> None:
    words = (*QUICK, "--matches", "8", "--report", str(tmp_path / "r.md"))
    results = []
    for workers in ("1", "3"):
        shown = diskwars(*words, "--workers", workers)
        assert shown.code == 0, shown.err
        results.append((shown, *(file.read_bytes() for file in sorted(tmp_path.glob("r*")))))
    assert results[0] == results[1]
    assert [file.name for file in sorted(tmp_path.glob("r*"))] == ["r-elo.svg", "r-rates.svg", "r.md"]


def test_table_adds_up(diskwars: CommandRunner) -> None:
    shown = diskwars(*QUICK, "--matches", "7")
    assert shown.lines[0] == "league of regiments: 8 matches; seeds 1 to 4, each from every seat"
    rows = [re.split(r" *\| *", line.strip("| ")) for line in shown.lines if re.match(r"\| (greedy|random) ", line)]
    greedy, random = sorted(rows)
    assert [greedy[1:5], random[1:5]] == [["8", *greedy[2:5]], ["8", *reversed(greedy[2:5])]]
    assert sum(map(int, greedy[2:5])) == 8
    assert float(greedy[5][:-2]) + float(random[5][:-2]) == 100
    assert greedy[7:9] == ["0", "anchor"]
    assert sorted(shown.lines[-2:]) == ["greedy: no faults", "random: no faults"]


@pytest.mark.parametrize("players", ["3", "4"])
def test_more_seats_are_rotated(diskwars: CommandRunner, tmp_path: Path, players: str) -> None:
    file = tmp_path / "r.jsonl"
    shown = diskwars(
        "league", "--ruleset", "pit", "--players", players, "--matches", "2", "--results", str(file), "--times"
    )
    assert shown.code == 0, shown.err
    lines = [json.loads(line) for line in file.read_text().splitlines()][1:]
    assert len(lines) == len(mirrored_seats(int(players)))
    assert len({tuple(line["bots"]) for line in lines}) == len(lines)
    assert "| longest ms |" in shown.out


def test_three_bots_meet_each_other(diskwars: CommandRunner, tmp_path: Path) -> None:
    names = [*own_bots(tmp_path, "one"), "greedy", "random"]
    shown = diskwars(*QUICK, *names, "--matches", "2", "--report", str(tmp_path / "r.md"))
    assert shown.code == 0, shown.err
    text = (tmp_path / "r.md").read_text()
    assert "6 matches of regiments, produced by" in text
    rows = [line.split("|") for line in text.split("## Pairs")[1].split("## ")[0].splitlines() if line.startswith("| ")]
    assert [(one.strip(), other.strip()) for _, one, other, *_ in rows[1:] if "---" not in one] == [
        (names[0], "greedy"),
        (names[0], "random"),
        ("greedy", "random"),
    ]


def test_help_says_how_each_bot_plays_and_what_it_has_won(diskwars: CommandRunner) -> None:
    shown = " ".join(diskwars("league", "--ruleset", "pit", "--help").out.split())
    for bot in find_bots("pit").choosers:
        assert f"{bot} {describe_bot('pit', bot)}" in shown


def test_report_says_how_often_each_bot_did_what(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "r.md"
    words = ("league", "greedy", "hold", "--ruleset", "regiments", "--matches", "4", "--report", str(file))
    assert diskwars(*words).code == 0
    section = file.read_text("utf-8").partition("## Deeds")[2].partition("\n## ")[0]
    rows = [re.split(r" *\| *", line.strip("| ")) for line in section.splitlines() if line.startswith("| ")]
    (*_, first, second), _, *deeds = rows
    counts = {(row[0], bot): text for row in deeds for bot, text in zip((first, second), row[2:], strict=True)}
    assert [row[0] for row in deeds] == ["hold", "march", "reform", "charge", "fight", "retreat", "lock_orders"]
    assert counts["hold", "hold"].endswith("(100 %)")
    assert counts["march", "hold"] == counts["charge", "hold"] == counts["lock_orders", "greedy"] == "0"
    assert int(counts["march", "greedy"].split()[0]) >= 4
    assert {row[0]: row[1] for row in deeds}["charge"] == "C-26"
    assert "- `lock_orders`: asked only with the option `secret_orders`" in section


def test_command_in_the_report_repeats_it(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "r.md"
    words = ("league", "greedy", "random", "--setup", "quick", "--option", "pins=contact", "--matches", "2")
    assert diskwars(*words, "--title", "Two matches", "--report", str(file)).code == 0
    first = file.read_text()
    command = next(line for line in first.splitlines() if line.startswith("    diskwars "))
    assert first.startswith("# Two matches\n")
    assert diskwars(*shlex.split(command)[1:]).code == 0
    assert file.read_text() == first
    assert "--setup quick --option pins=contact" in command


def test_sequential_test_stops_as_soon_as_it_knows(diskwars: CommandRunner, tmp_path: Path) -> None:
    words = (*QUICK, "greedy", "random", "--sprt", "0,200", "--matches", "400")
    shown = [diskwars(*words, "--workers", workers) for workers in ("1", "2")]
    assert shown[0] == shown[1]
    assert shown[0].lines[-1].startswith("greedy against random: +200 Elo is accepted, 0 rejected")
    assert int(shown[0].lines[0].split()[3]) < 100
    file = str(tmp_path / "r.jsonl")
    worse = diskwars(*QUICK, "random", "greedy", "--sprt", "0,200", "--matches", "2", "--results", file)
    assert "random against greedy: not decided between 0 and +200 Elo" in worse.lines[-1]
    worse = diskwars(*QUICK, "random", "greedy", "--sprt", "0,200", "--matches", "400", "--results", file)
    assert "random against greedy: 0 Elo is accepted, +200 rejected" in worse.lines[-1]


# ---------------------------------------------------------------- resuming


def test_league_goes_on_with_the_results_of_its_file(
    diskwars: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "r.jsonl"
    words = (*QUICK, "--matches", "8")
    whole = diskwars(*words)
    assert diskwars(*words, "--results", str(file)) == whole
    lines = file.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    # As `kill -9` leaves it: some matches, and a line that was not finished.
    file.write_bytes(b"".join(lines[:4]) + lines[4][:50])
    played: list[int] = []
    run = league_processes.run_tasks

    def counted(tasks: object, processes: int) -> object:
        for task, result in run(tasks, processes):  # type: ignore[arg-type]
            played.extend([task.number] if isinstance(task, LeagueTask) else [])
            yield task, result

    monkeypatch.setattr(league, "run_tasks", counted)
    assert diskwars("league", "--resume", str(file)) == whole
    assert len(played) == 5
    assert diskwars(*words, "--results", str(file)) == whole
    assert len(played) == 5
    assert all(json.loads(line)["line"] in ("league", "match") for line in file.read_text().splitlines())


def test_more_matches_and_bots_can_be_added_to_a_file(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = str(tmp_path / "r.jsonl")
    assert diskwars(*QUICK, "greedy", "random", "--matches", "4", "--results", file).code == 0
    own = own_bots(tmp_path, "own")
    longer = (*QUICK, "greedy", "random", *own, "--matches", "6")
    assert diskwars(*longer, "--results", file) == diskwars(*longer)
    assert diskwars("league", "--resume", file) == diskwars(*longer)
    message = diskwars.error_message(*QUICK, "greedy", "random", "--matches", "4", "--results", file)
    assert "is not a match of this league" in message


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (("--decision-seconds", "5"), "played with decision seconds 10.0, and now it is 5.0"),
        (("--option", "pins=contact"), 'played with settings {"'),
        (("--armies", "reikland,everchosen"), "played with other armies"),
    ],
)
def test_results_of_other_settings_are_refused(
    diskwars: CommandRunner, tmp_path: Path, options: tuple[str, ...], difference: str
) -> None:
    file = str(tmp_path / "r.jsonl")
    words = ("league", "greedy", "random", "--setup", "quick", "--matches", "2", "--results", file)
    assert diskwars(*words).code == 0
    message = diskwars.error_message(*words, *options)
    assert message.startswith(f"{file}:2: {difference}")
    assert message.endswith("; name another file to begin a new league")


def test_results_of_another_version_are_refused(
    diskwars: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "r.jsonl"
    (own,) = own_bots(tmp_path, "own")
    words = (*QUICK, own, "random", "--matches", "2", "--results", str(file))
    assert diskwars(*words).code == 0
    monkeypatch.setattr(type(load_ruleset("regiments", ())), "rules_version", 77)
    assert re.search(r"r.jsonl:2: played with rules \d+, and now it is 77;", diskwars.error_message(*words))
    monkeypatch.undo()
    with (tmp_path / "own.py").open("a") as code:
        code.write("ANOTHER = 1\n")
    assert f"r.jsonl:2: played with another version of {own};" in diskwars.error_message(*words)


def test_file_that_is_no_league_is_refused(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text("a shopping list\n")
    assert f"{file}:1 is no line of a league" in diskwars.error_message(*QUICK, "--results", str(file))
    assert file.read_text() == "a shopping list\n"
    assert "does not say which league" in diskwars.error_message("league", "--resume", str(file))
    missing = str(tmp_path / "missing")
    assert "No such file" in diskwars.error_message("league", "--resume", missing)
    assert "Is a directory" in diskwars.error_message(*QUICK, "--results", str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [
        b"a shopping list without an end",
        b"{",
        b'{"line":"note","text":"not ours"}',
        b'{"line":"match","padding":"' + b"x" * 1_100_000 + b'"}\n{"line":"league"}\n',
        b'{"line":"match","padding":"' + b"x" * 1_100_000,
        b"x" * 1_048_576 + b"\nand more\n",
    ],
    ids=["no end", "brace", "other lines", "long line", "long last line", "just as long"],
)
def test_file_of_something_else_stays_as_it_is(diskwars: CommandRunner, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "notes.txt"
    file.write_bytes(content)
    assert f"{file}:1 is no line of a league" in diskwars.error_message(*QUICK, "--results", str(file))
    assert file.read_bytes() == content


@pytest.mark.parametrize("rest", [b"and my notes", b'{"li', b'{"line":"match","see'])
def test_only_a_torn_line_of_a_league_is_cut_off(diskwars: CommandRunner, tmp_path: Path, rest: bytes) -> None:
    file = tmp_path / "r.jsonl"
    words = (*QUICK, "greedy", "random", "--matches", "2", "--results", str(file))
    assert diskwars(*words).code == 0
    whole = file.read_bytes()
    file.write_bytes(whole + rest)
    if rest.startswith(b"{"):
        assert diskwars(*words).code == 0
        assert file.read_bytes().startswith(whole)
        assert all(json.loads(line) for line in file.read_bytes().splitlines())
    else:
        assert "is no line of a league" in diskwars.error_message(*words)
        assert file.read_bytes() == whole + rest


def test_file_is_used_by_one_league_at_a_time(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    with file.open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "is in use by another league" in diskwars.error_message(*QUICK, "--results", str(file))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("greedy",), "a league has 2 to 32 bots, not 1"),
        (("greedy", "greedy"), "greedy is named twice"),
        (("greedy", "clever"), "there is no bot 'clever'; there are fair, greedy, hard, mild, random, search"),
        (("greedy", "nowhere.py:choose"), "nowhere.py:choose: No such file"),
        (("--sprt", "5"), "--sprt 5: expected two differences in Elo, such as 0,20"),
        (("--sprt", "5,0"), "the first has to be less than the second"),
        (("--sprt", "0,5", "--players", "3"), "--sprt compares two bots in matches of two players"),
        (("--matches", "9999999"), "matches are more than the 1,000,000 that a league may have"),
        (("--resume", "r.jsonl", "--matches", "4"), "leave out --matches"),
        (("--resume", "r.jsonl", "greedy", "random"), "leave out the bots"),
        (("--resume", "r.jsonl", "--times"), "leave out --times"),
        (("--resume", "r.jsonl", "--results", "other.jsonl"), "--resume goes without --results"),
        (("--report", "nowhere/r.md"), "--report: nowhere/r.md cannot be written"),
    ],
)
def test_options_with_which_nothing_can_be_played_are_refused(
    diskwars: CommandRunner, words: tuple[str, ...], message: str
) -> None:
    assert message in diskwars.error_message("league", *words)


# ---------------------------------------------------------------- stopping


def test_ctrl_c_ends_a_league_that_then_goes_on(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    words = [*QUICK, "--matches", "2000", "--workers", "2", "--results", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-m", "diskwars_cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process as running:
        ends_at = time.monotonic() + 40
        while not (file.exists() and file.read_bytes().count(b"\n") > 4):
            assert time.monotonic() < ends_at
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        shown, errors = running.communicate(timeout=45)
    assert running.returncode == 130
    count = file.read_bytes().count(b'{"line":"match"')
    expected = f"stopped after {count} of 2,000 matches; go on with: diskwars league --resume {file}\n"
    assert errors == expected
    assert shown.startswith(f"league of regiments: {count} matches;")
    assert not processes_of(process.pid)


def processes_of(pid: int) -> list[str]:
    """Return the processes that this one has left behind."""
    listed = subprocess.run(["ps", "-A", "-o", "ppid=,args="], capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if line.split()[0] == str(pid)]


def test_processes_end_with_the_league_when_it_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    words = [*QUICK, "--matches", "2000", "--workers", "1", "--results", str(file)]
    with subprocess.Popen([sys.executable, "-m", "diskwars_cli", *words], start_new_session=True) as running:
        ends_at = time.monotonic() + 40
        while not (file.exists() and b'"match"' in file.read_bytes()):
            assert time.monotonic() < ends_at
            time.sleep(0.05)
        children = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
        processes = [
            int(pid) for pid, parent in map(str.split, children.stdout.splitlines()) if parent == str(running.pid)
        ]
        running.kill()
    assert len(processes) == 1
    while is_alive(processes[0]):
        assert time.monotonic() < ends_at + 20
        time.sleep(0.1)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return b"Z" not in Path(f"/proc/{pid}/stat").read_bytes().split(b") ")[-1][:1] if sys.platform == "linux" else True


# ---------------------------------------------------------------- charts


def test_charts_are_svg_with_a_row_for_each_bot() -> None:
    rows = [ChartRow("a<b", 97.5, 90, 99, "97.5 %"), ChartRow("x" * 40, 2.5, 1, 10, "2.5 %")]
    for text in (rate_chart(rows), rating_chart(rows), rating_chart([])):
        root = ElementTree.fromstring(text)
        assert root.tag.endswith("svg")
        assert "prefers-color-scheme:dark" in text
    assert "a&lt;b" in rate_chart(rows)
    assert "…" + "x" * 23 in rate_chart(rows)


def test_chart_of_ratings_has_room_for_every_interval() -> None:
    rows = [ChartRow("anchor", 0, 0, 0, "0"), ChartRow("weak", -921, -1404, -438, "-921")]
    xs = [float(x) for x in re.findall(r'd="M([\d.-]+) ', rating_chart(rows))]
    assert all(170 <= x <= 556 for x in xs)
