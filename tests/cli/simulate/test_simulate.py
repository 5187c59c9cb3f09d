"""A seed determines every simulated match, with any number of players and processes, and faults are reported."""

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.console.progress import Progress
from diskwars_cli.console.signals import Interrupted
from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_cli.plugs.match_statistics import MatchStatistics
from diskwars_cli.plugs.simulation import MatchJob, Simulation
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_cli.simulate import simulate
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.rulesets.diskwars import Diskwars
from tests.cli.command_runner import CommandRunner
from tests.e2e.test_pages import code_block
from tests.server.counting_ruleset import CountingRules

SMALL = ("--regiments", "1", "--setup", "quick")
"""What these tests are about does not depend on how large a match is, and this one takes a fifth of the usual."""


def test_same_seed_prints_the_same_bytes(diskwars: CommandRunner) -> None:
    words = ("simulate", "--ruleset", "diskwars", "--seed", "7", "--matches", "2", "--bots", "greedy,random", *SMALL)
    assert diskwars(*words) == diskwars(*words)


def test_each_match_adds_1_to_the_seed_and_is_another(diskwars: CommandRunner) -> None:
    words = ("simulate", *SMALL, "--bots", "random,greedy", "--seed")
    several = diskwars(*words, "7", "--matches", "3").lines[:3]
    alone = [diskwars(*words, str(seed)).lines[0] for seed in (7, 8, 9)]
    assert several == alone
    assert len({line.partition("  ")[2] for line in several}) == 3


def test_each_match_has_a_line_and_the_totals_add_up(diskwars: CommandRunner) -> None:
    lines = diskwars("simulate", "--seed", "1", "--matches", "6", "--armies", "empire,chaos").lines
    assert all(line.startswith(f"seed {n}  Empire Patrol against Chaos Patrol") for n, line in enumerate(lines[:6], 1))
    assert lines[6:9] == ["matches 6", "crashes 0", "invariants broken 0"]
    won = {army: sum(f"winner {army}" in line for line in lines[:6]) for army in ("Empire Patrol", "Chaos Patrol")}
    assert [line for line in lines if ": won" in line] == [
        f"Chaos Patrol: won {won['Chaos Patrol']} of 6",
        f"Empire Patrol: won {won['Empire Patrol']} of 6",
    ]
    assert {line.partition(":")[0] for line in lines if line.startswith("won by")} <= {
        "won by seat A, greedy bot",
        "won by seat B, greedy bot",
        "won by nobody",
    }
    ended = [line for line in lines if line.startswith("ended by")]
    assert sum(int(line.rpartition(" ")[2]) for line in ended) == 6


def test_army_against_itself_counts_for_both_sides(diskwars: CommandRunner) -> None:
    lines = diskwars("simulate", "--seed", "1", "--armies", "chaos-patrol", "--setup", "quick").lines
    assert lines[-1] == "Chaos Patrol: won 1 of 2"


@pytest.mark.parametrize("players", ["3", "4"])
def test_three_and_four_players_play_a_full_setup(diskwars: CommandRunner, players: str) -> None:
    line = diskwars("simulate", "--seed", "1", "--players", players, "--setup", "full").lines[0]
    assert line.count(" against ") == int(players) - 1


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", ["pit", "counting"])
def test_report_of_another_ruleset_needs_no_code_of_its_own(diskwars: CommandRunner, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report.md"
    words = ("simulate", "--ruleset", name, "--matches", "4", "--players", "2", "--report", str(file))
    assert diskwars(*words, "--title", "Four matches").code == 0
    text, bot = file.read_text("utf-8"), find_bots(name).default
    assert text.startswith("# Four matches\n")
    command = f"diskwars simulate --ruleset {name} --matches 4 --seed 1 --players 2 --bots {bot} --title 'Four matches'"
    assert f"    {command} --report {file}\n" in text
    assert all(f"\n## {title}\n" in text for title in ("Summary", "Faults", "Wins by seat", "Length of a match"))
    first = file.read_bytes()
    assert diskwars(*shlex.split(command)[1:], "--report", str(file)).code == 0
    assert file.read_bytes() == first


def test_command_in_a_report_repeats_the_options_of_the_ruleset(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    options = ("--armies", "empire,chaos", "--setup", "quick", "--option", "pins=contact", "--bots", "random,greedy")
    diskwars("simulate", "--matches", "2", *options, "--report", str(file))
    written = next(line for line in file.read_text("utf-8").splitlines() if line.startswith("    diskwars "))
    first = file.read_bytes()
    assert diskwars(*shlex.split(written)[1:]).code == 0
    assert file.read_bytes() == first
    assert {" ".join(pair) for pair in zip(options[::2], options[1::2], strict=True)} <= {
        " ".join(pair) for pair in pairwise(shlex.split(written))
    }


def test_number_of_processes_does_not_change_the_output(diskwars: CommandRunner, tmp_path: Path) -> None:
    words = ("simulate", "--matches", "6", "--bots", "random,greedy", *SMALL, "--report", str(tmp_path / "report.md"))
    results, reports = [], []
    for jobs in ("1", "2"):
        results.append(diskwars(*words, "--jobs", jobs))
        reports.append((tmp_path / "report.md").read_bytes())
    assert results[0] == results[1]
    assert reports[0] == reports[1]
    assert b"6 matches" in reports[0]


def test_pairings_play_each_pair_on_either_seat(diskwars: CommandRunner) -> None:
    lines = diskwars(
        "simulate", "--matches", "12", "--pairings", "--regiments", "1", "--setup", "quick", "--bots", "random"
    ).lines[:12]
    pairs = [tuple(line.split("  ")[1].split(" against ")) for line in lines]
    assert len(set(pairs)) == 12
    assert {pair[::-1] for pair in pairs} == set(pairs)


def test_pairings_need_two_players(diskwars: CommandRunner) -> None:
    assert "two players" in diskwars.error_message("simulate", "--pairings", "--players", "3")


def test_report_is_the_same_in_every_process(tmp_path: Path) -> None:
    """Nothing of a process gets into it, such as the order of sets; the sizes of records count their content only."""
    file = tmp_path / "report.md"
    words = ["simulate", "--matches", "2", "--seed", "5", *SMALL, "--report", str(file)]
    reports = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-m", "diskwars_cli", *words], env=environment, check=True, capture_output=True)
        reports.append(file.read_bytes())
    assert reports[0] == reports[1]
    assert b"| bytes " in reports[0]


def test_report_names_program_rules_and_bots_and_is_else_the_same_under_every_version_of_the_rules(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words = ("simulate", "--matches", "1", "--seed", "5", *SMALL, "--report", str(tmp_path / "report.md"))
    reports = []
    for rules in (1, 234):
        monkeypatch.setattr(Diskwars, "rules_version", rules)
        diskwars(*words, "--bots", "random,greedy")
        report = (tmp_path / "report.md").read_text("utf-8")
        assert f"- diskwars {version('diskwars')}, rules {rules} of diskwars\n" in report
        reports.append(report.replace(f"rules {rules} of", "rules of"))
    assert reports[0] == reports[1]
    for bot in ("random", "greedy"):
        assert f"- bot `{bot}` {bot_identity(bot, 'diskwars')}\n" in reports[0]


@pytest.mark.parametrize(
    ("file", "reason"), [("nowhere/report.md", "No such file or directory"), ("folder", "Is a directory")]
)
def test_report_that_cannot_be_written_is_refused_before_any_match(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: str, reason: str
) -> None:
    (tmp_path / "folder").mkdir()
    played: list[MatchJob] = []
    monkeypatch.setattr(simulate, "simulate_match", played.append)
    message = diskwars.error_message("simulate", "--report", str(tmp_path / file))
    assert message == f"--report: {tmp_path / file} cannot be written: {reason}"
    assert played == []


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy ruleset of the tests; nothing else is needed to simulate it."""
    monkeypatch.setitem(RULESETS, "counting", lambda packs: CountingRules())


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_another_ruleset_is_simulated_by_registration(diskwars: CommandRunner, jobs: str) -> None:
    words = ("simulate", "--ruleset", "counting", "--seed", "3", "--matches", "20")
    result = diskwars(*words, "--jobs", jobs)
    assert result.code == 0
    assert [line.partition("  ")[0] for line in result.lines[:20]] == [f"seed {n}" for n in range(3, 23)]
    assert result.lines[20:24] == ["matches 20", "crashes 0", "invariants broken 0", "events 26 per match on average"]
    won = {line.partition(":")[0]: int(line.rpartition(" ")[2]) for line in result.lines if line.startswith("won by")}
    assert sum(won.values()) == 20
    assert {"won by seat A, random bot", "won by seat B, random bot"} <= set(won)
    assert result.lines[-1] == "ended by points: 20"
    assert diskwars(*words, "--jobs", jobs) == result


@pytest.mark.usefixtures("counting")
def test_crash_and_broken_invariant_of_another_ruleset_are_counted(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("simulate", "--ruleset", "counting")
    monkeypatch.setattr(CountingRules, "check", lambda rules, board: ["sums are askew"] if board.round == 3 else [])
    broken = diskwars(*words)
    assert (broken.code, broken.lines[2:4]) == (1, ["crashes 0", "invariants broken 1"])
    monkeypatch.setattr(CountingRules, "options", lambda *_: 1 // 0)
    crashed = diskwars(*words)
    assert (crashed.code, crashed.lines[2]) == (1, "crashes 1")
    assert "ZeroDivisionError" in crashed.lines[0]


@pytest.mark.usefixtures("counting")
def test_unknown_ruleset_and_options_of_another_are_refused(diskwars: CommandRunner) -> None:
    assert "no ruleset 'diskwar'; did you mean \"diskwars\"?" in diskwars.error_message(
        "simulate", "--ruleset", "diskwar"
    )
    toy = ("simulate", "--ruleset", "counting")
    for flag, value in (("--armies", "chaos"), ("--setup", "quick")):
        assert f"{flag} is an option of diskwars, not of counting" in diskwars.error_message(*toy, flag, value)
    wrong_option = diskwars.error_message(*toy, "--option", "rounds=many")
    assert wrong_option == "--option rounds=many: expected rounds 2 or any number"
    assert "counting is played by 2, not by 3" in diskwars.error_message(*toy, "--players", "3")
    assert "there are random" in diskwars.error_message("simulate", "--ruleset", "counting", "--bots", "greedy")


def test_crash_is_counted_and_the_other_matches_go_on(diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BOTS, "random", lambda *_: 1 // 0)
    result = diskwars("simulate", "--matches", "2", "--bots", "random")
    assert result.code == 1
    assert "ZeroDivisionError" in result.lines[0]
    assert "crashes 2" in result.lines


def test_interrupted_run_reports_the_matches_played(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    play = simulate.simulate_match

    def until_the_third(job: MatchJob) -> MatchStatistics:
        if job.seed == 3:
            raise KeyboardInterrupt
        return play(job)

    monkeypatch.setattr(simulate, "simulate_match", until_the_third)
    result = diskwars("simulate", "--matches", "9", "--bots", "random", *SMALL, "--report", str(tmp_path / "report.md"))
    assert result.code == 130
    assert "matches 2" in result.lines
    assert result.err == "stopped after 2 of 9 matches\n"
    assert "2 matches of 9, then the run was stopped" in (tmp_path / "report.md").read_text("utf-8")


def test_run_stopped_before_its_first_match_ends_quietly(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: MatchJob) -> MatchStatistics:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "simulate_match", stop)
    result = diskwars("simulate")
    assert (result.code, result.out, result.err) == (130, "", "")


def test_stop_signal_during_an_import_ends_the_run_before_its_first_match(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = find_simulation
    played: list[MatchJob] = []

    def find_interrupted(ruleset: str) -> Simulation:
        with contextlib.suppress(Interrupted):  # as an import does
            signal.raise_signal(signal.SIGINT)
        return find(ruleset)

    monkeypatch.setattr(simulate, "find_simulation", find_interrupted)
    monkeypatch.setattr(simulate, "simulate_match", played.append)
    result = diskwars("simulate", "--matches", "9")
    assert (result.code, result.out, result.err) == (130, "", "")
    assert played == []


def test_interrupt_during_output_waits_until_the_match_is_counted(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stopped(Progress):
        def clear(self) -> None:
            super().clear()
            if not self.is_stopped:
                self.is_stopped = True
                signal.raise_signal(signal.SIGINT)

        is_stopped = False

    monkeypatch.setattr(simulate, "Progress", Stopped)
    result = diskwars("simulate", "--matches", "9", "--bots", "random", *SMALL)
    assert result.code == 130
    assert [line for line in result.lines if line.startswith("seed ")] == [result.lines[0]]
    assert "matches 1" in result.lines
    assert result.err.endswith("stopped after 1 of 9 matches\n")


def test_ctrl_c_ends_all_processes_with_the_totals_so_far() -> None:
    words = ["simulate", "--matches", "4000", "--bots", "random", "--setup", "quick", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "diskwars_cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith("seed 1  ")
        os.killpg(running.pid, signal.SIGINT)
        assert running.stderr is not None
        results, errors = running.stdout.read(), running.stderr.read()
    assert running.returncode == 130
    count = 1 + sum(line.startswith("seed ") for line in results.splitlines())
    assert f"matches {count}" in results.splitlines()
    assert errors == f"stopped after {count:,} of 4,000 matches\n"


def test_broken_invariant_is_counted(diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Diskwars, "check", lambda *_: ["askew"])
    result = diskwars("simulate", *SMALL)
    assert result.code == 1
    assert "crashes 0" in result.lines
    assert "invariants broken 0" not in result.lines


def test_users_bot_plays_against_a_built_in_one(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "archer.py"
    file.write_text(code_block("bots.md", "python"))
    words = ("simulate", "--seed", "1", "--matches", "2", *SMALL, "--bot", f"{file}:choose,greedy")
    result = diskwars(*words)
    assert result.code == 0
    assert diskwars(*words) == result


def test_users_bot_plays_in_several_processes(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "first.py"
    file.write_text("from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy as choose\n")
    words = ("simulate", "--seed", "1", "--matches", "4", *SMALL, "--jobs", "2")
    built_in = diskwars(*words, "--bot", "greedy").out.replace("greedy bot", "first bot")
    assert diskwars(*words, "--bot", f"{file}:choose").out == built_in


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("return match.nothing", "bot.py:2: AttributeError: 'Match' object has no attribute 'nothing'"),
        ("return Ready()", "bot.py:1: choose answered ready, which is refused: wrong_action"),
    ],
)
def test_error_of_a_users_bot_names_file_and_line(
    diskwars: CommandRunner, tmp_path: Path, body: str, error: str
) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        f"def choose(match, decision, options, rng):\n    {body}\n\nfrom diskwars_protocol.match.actions import Ready\n"
    )
    result = diskwars("simulate", "--seed", "1", *SMALL, "--bot", f"{file}:choose")
    assert result.code == 1
    assert f"{tmp_path}/{error}" in result.lines[0]


def test_process_that_dies_ends_the_run_with_what_was_played(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "leaver.py"
    file.write_text("import os\n\n\ndef choose(match, decision, options, rng):\n    os._exit(4)\n")
    words = ("simulate", "--ruleset", "pit", "--matches", "20", "--jobs", "2", "--bots", f"{file}:choose,greedy")
    result = diskwars(*words)
    assert result.code == 1
    assert "a process that played matches has ended" in result.err


def test_missing_bot_file_is_an_error(diskwars: CommandRunner) -> None:
    result = diskwars.error_message("simulate", "--bot", "no_bot.py:choose")
    assert result == "there is no file no_bot.py"
