"""The examples on the page about bots that play in memory work as they are."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from diskwars_bots.loader import load_chooser
from tests.cli.command_runner import CommandRunner

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLES = DOCS / "examples"
REHEARSAL = EXAMPLES / "rehearsal.py"


def example(first_line: str) -> str:
    """Return the block of Python on the page that begins with this line."""
    blocks = re.findall(r"^```python\n(.*?)^```$", (DOCS / "bots.md").read_text("utf-8"), re.DOTALL | re.MULTILINE)
    (found,) = [block for block in blocks if block.startswith(first_line)]
    return str(found)


def run_python(file: Path, *words: str) -> list[str]:
    done = subprocess.run([sys.executable, str(file), *words], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", ["lookahead.py", "rehearsal.py"])
def test_page_shows_the_example_as_it_is(name: str) -> None:
    assert f"```python\n{(EXAMPLES / name).read_text('utf-8')}```\n" in (DOCS / "bots.md").read_text("utf-8")


def test_diskwars_bot_on_the_page_plays_a_league_to_its_end(diskwars: CommandRunner, tmp_path: Path) -> None:
    """With two boards for each of two answers, to be quick; docs/bots.md says what the whole bot wins."""
    code = example('"""A Diskwars bot that looks ahead')
    quick = code.replace("CANDIDATES = 4 ", "CANDIDATES = 2 ").replace("BOARDS = 6 ", "BOARDS = 2 ")
    assert sum(before != after for before, after in zip(code, quick, strict=True)) == 2
    file, results = tmp_path / "bot.py", tmp_path / "league.jsonl"
    file.write_text(quick)
    words = ("--matches", "2", "--decision-seconds", "600", "--workers", "1", "--results", str(results))
    shown = diskwars("league", f"{file}:choose", "greedy", *words)
    assert (shown.code, shown.err) == (0, "")
    assert f"{file}:choose: no faults" in shown.lines
    played = [line for line in map(json.loads, results.read_text().splitlines()) if line["line"] == "match"]
    assert len(played) == 2
    assert all(match["end_reason"] and match["records"] > 40 for match in played)


@pytest.mark.parametrize("secret", ["no", "yes"])
def test_rehearsing_bot_plays_a_league_without_a_fault(diskwars: CommandRunner, tmp_path: Path, secret: str) -> None:
    """With two rehearsals for each answer, to be quick; docs/bots.md says what the whole bot wins."""
    file = tmp_path / "rehearsal.py"
    code = REHEARSAL.read_text("utf-8")
    quick = code.replace("REHEARSALS = 12 ", "REHEARSALS = 2 ").replace("CANDIDATES = 4\n", "CANDIDATES = 2\n")
    assert len(code) - len(quick) == 1
    file.write_text(quick)
    shown = diskwars(
        "league",
        f"{file}:choose",
        "greedy",
        "--ruleset",
        "regiments",
        "--matches",
        "2",
        "--option",
        f"secret_orders={secret}",
    )
    assert (shown.code, shown.err) == (0, "")
    assert f"{file}:choose: no faults" in shown.lines


@pytest.mark.parametrize("name", ["search_100", "search_300", "search_500", "search_2000"])
def test_search_with_a_budget_of_processor_time_can_be_loaded(name: str) -> None:
    page = (DOCS / "bot-laboratory.md").read_text("utf-8")
    assert f"docs/examples/timed_search.py:{name} greedy --matches 40" in page
    assert callable(load_chooser(f"{DOCS / 'examples' / 'timed_search.py'}:{name}", "diskwars"))


def test_local_match_on_the_page_is_played_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "local.py"
    file.write_text(example("# a match of the pit"))
    first, second = run_python(file), run_python(file)
    assert first == second
    assert re.fullmatch(r"\([01]?,?\) \(\d+, \d+\) \w+", first[0])
    assert first[1].startswith("[('")


def test_script_on_the_page_reads_results_of_a_league(diskwars: CommandRunner, tmp_path: Path) -> None:
    results, file = tmp_path / "league.jsonl", tmp_path / "read.py"
    shown = diskwars("league", "--ruleset", "regiments", "--matches", "12", "--results", str(results))
    file.write_text(example("# what a file of results says"))
    lines = run_python(file, str(results), "greedy")
    assert [line.split(":")[0] for line in lines] == [
        "in seat 0",
        "in seat 1",
        "records, by quarters",
        "one match each",
    ]
    rates = [float(line.split(": ")[1]) for line in lines[:2]]
    row = next(line for line in shown.lines if line.startswith("| greedy"))
    (rate,) = re.findall(r"([0-9.]+) % \|", row)[:1]
    assert abs(float(rate) - 100 * sum(rates) / 2) < 0.11, "each of the two is rounded"
    assert lines[-1].endswith(" of 6 seeds")
