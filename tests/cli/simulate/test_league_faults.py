"""A bot of the user that does something wrong loses that match, with a clear line, and nothing else is lost."""

import re
from pathlib import Path

import pytest

from diskwars_cli.simulate.league_match import Fault, PlayedMatch
from diskwars_cli.simulate.league_standings import MAX_LOST_PROCESSES, compute_standings
from tests.cli.command_runner import CommandResult, CommandRunner
from tests.cli.simulate.test_league import QUICK, plan

HEAD = """\
import os, sys, time
from diskwars_bots.generic_bot import choose_offered

def choose(match, decision, options, rng):
    if match.board is not None and decision.seat == 0:
"""
"""A bot plays like the random one in the second seat, and does something wrong in the first."""
TAIL = "\n    return choose_offered(match, decision, options, rng)\n"


def bot(folder: Path, line: str, name: str = "own") -> str:
    (folder / f"{name}.py").write_text(f"{HEAD}        {line}{TAIL}")
    return f"{folder / name}.py:choose"


def play(diskwars: CommandRunner, *words: str, seconds: str = "10") -> CommandResult:
    return diskwars(*QUICK, *words, "--matches", "4", "--decision-seconds", seconds)


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("return 1 // 0", "raised", "own.py:6: ZeroDivisionError: integer division or modulo by zero"),
        ("sys.exit(3)", "raised", "own.py:choose: SystemExit: 3"),
        ("raise KeyboardInterrupt", "raised", "own.py:choose: KeyboardInterrupt:"),
        ("return None", "no action", "own.py:4: choose returned None, which is no action"),
        ("return options.actions[0].__class__", "no action", "which is no action"),
        ("return match", "no action", "which is no action of regiments: "),
        (
            "from diskwars_protocol.match.actions import Ready; return Ready()",
            "illegal",
            "answered ready, which is refused: ",
        ),
        ("print('thinking')", "printed", "printed to standard output: 'thinking\\n'; use standard error"),
        ("os.system('echo child')", "printed", "printed to standard output: 'child\\n'; use standard error"),
        ("print('x' * 200_000)", "printed", "printed to standard output: 'xxxxx"),
        ("input()", "raised", "EOFError"),
        ("time.sleep(0.35)", "slow", "took longer than 0.3 s for a decision"),
    ],
)
def test_match_is_lost_and_the_line_says_why(
    diskwars: CommandRunner, tmp_path: Path, line: str, kind: str, text: str
) -> None:
    name = bot(tmp_path, line)
    shown = play(diskwars, name, "random", seconds="0.3" if kind == "slow" else "10")
    assert shown.code == 1
    assert f"{name}: 2 {kind}" in shown.lines
    assert "random: no faults" in shown.lines
    faults = [line for line in shown.lines if line.startswith("  seed ")]
    assert [line.split(":")[0] for line in faults] == ["  seed 1", "  seed 2"]
    assert all(text in line for line in faults), faults
    assert len(shown.err.splitlines()) == 1
    assert shown.err.startswith(f"{name} has lost a match by a fault: ")
    assert shown.lines[0].startswith("league of regiments: 4 matches;")


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        ("while True: pass", "slow", "took longer than 0.3 s for a decision"),
        ("os._exit(7)", "died", "ended its process (exit code 7)"),
        ("os.kill(os.getpid(), 9)", "died", "ended its process (SIGKILL)"),
        ("import signal; signal.pthread_sigmask(0, range(1, 32)); time.sleep(60)", "slow", "took longer than 0.3 s"),
    ],
)
def test_process_that_hangs_or_ends_is_replaced(
    diskwars: CommandRunner, tmp_path: Path, line: str, kind: str, text: str
) -> None:
    name = bot(tmp_path, line)
    shown = play(diskwars, name, "random", "--workers", "2", seconds="0.3")
    assert shown.code == 1
    assert f"{name}: 2 {kind}" in shown.lines
    assert all(text in line for line in shown.lines if line.startswith("  seed "))
    assert shown.lines[0].startswith("league of regiments: 4 matches;")


def test_bot_that_loses_five_processes_is_out(diskwars: CommandRunner, tmp_path: Path) -> None:
    name = bot(tmp_path, "os._exit(7)")
    words = (*QUICK, name, "greedy", "random", "--matches", "20", "--results", str(tmp_path / "r.jsonl"))
    shown = [diskwars(*words, "--workers", workers) for workers in ("1", "1")]
    assert shown[0].out == shown[1].out  # the second run reads the results of the first
    assert f"{name}: 5 died; out after 5 lost workers" in shown[0].lines
    # Seeds 1 and 2 against both, seed 3 against the first of them; the pair without it plays all of its matches.
    row = next(line for line in shown[0].lines if line.startswith("| greedy ") and " random " in line)
    assert re.split(r" *\| *", row)[3] == "20"
    assert diskwars(*words[:-2], "--workers", "3").out == shown[0].out


def test_results_after_the_fifth_lost_process_do_not_count() -> None:
    """With several processes, more matches of the bot may have been under way."""
    league = plan("random", "greedy", matches=40)
    lost = {
        match.number: PlayedMatch(fault=Fault(match.seats.index(0), "slow", "hangs", lost_process=True))
        for match in league
    }
    standings = compute_standings(league, lost, None)
    assert standings.bots[0].lost_processes == MAX_LOST_PROCESSES == standings.matches == standings.bots[1].won


def test_fault_in_the_middle_seat_is_that_bots(diskwars: CommandRunner, tmp_path: Path) -> None:
    name = bot(tmp_path, "return 1 // 0")
    shown = diskwars("league", "--ruleset", "pit", "--players", "3", name, "random", "--matches", "6")
    assert f"{name}: 3 raised" in shown.lines
    assert shown.lines[0].startswith("league of pit: 6 matches;")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("def other(): pass\n", "has no function 'choose'; it has other"),
        ("choose = 5\n", "has no function 'choose'; it has none"),
        ("def choose(:\n", "own.py:1: SyntaxError: invalid syntax"),
        ("import nowhere\n", "own.py:1: ModuleNotFoundError: No module named 'nowhere'"),
        ("print('hello')\nchoose = print\n", "printed to standard output while it was loaded: 'hello\\n'"),
        ("import sys; sys.exit(2)\n", "own.py:choose: SystemExit: 2"),
        ("import os; os._exit(2)\n", "own.py:choose ended the process that loaded it (exit code 2)"),
    ],
)
def test_bot_that_cannot_be_loaded_is_refused_before_any_match(
    diskwars: CommandRunner, tmp_path: Path, code: str, message: str
) -> None:
    file = tmp_path / "own.py"
    file.write_text(code)
    results = tmp_path / "r.jsonl"
    assert message in diskwars.error_message(*QUICK, f"{file}:choose", "random", "--results", str(results))
    assert b'"match"' not in results.read_bytes()


def test_bot_that_hangs_while_it_is_loaded_is_refused(
    diskwars: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diskwars_cli.simulate.league.LOAD_SECONDS", 0.3)
    (tmp_path / "own.py").write_text("while True: pass\n")
    message = diskwars.error_message(*QUICK, f"{tmp_path}/own.py:choose", "random", "--decision-seconds", "0.1")
    assert message == f"{tmp_path}/own.py:choose could not be loaded within 0.3 s"


def test_bot_whose_file_changes_meanwhile_stops_the_league(diskwars: CommandRunner, tmp_path: Path) -> None:
    """Its results would be those of two bots."""
    name = bot(tmp_path, "open(__file__, 'a').write('pass\\n')")
    assert f"{name} has changed since the league began" in diskwars.error_message(*QUICK, name, "random")


def test_crash_of_the_program_counts_for_nobody(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from diskwars_engine.rulesets.regiments import Regiments

    decide = Regiments.decide

    def broken(rules: Regiments, board: object, seat: int, *rest: object) -> object:
        return 1 // 0 if seat else decide(rules, board, seat, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Regiments, "decide", broken)
    shown = diskwars(*QUICK, "--matches", "2", "--results", str(tmp_path / "r.jsonl"))
    assert shown.code == 1
    assert "crashes of the program: 2" in shown.lines
    assert any("ZeroDivisionError" in line for line in shown.lines)
    assert shown.lines[0].startswith("league of regiments: 0 matches;")
