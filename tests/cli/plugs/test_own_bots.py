"""A bot of the user that does something wrong outside a league gets one clear line, and delays no other player."""

import asyncio
import inspect
import random
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from diskwars_bots.generic_bot import choose_offered
from diskwars_bots.loader import BotError, load_chooser
from diskwars_bots.search.search_bot import SearchBot
from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.match_options import find_chooser
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.own_bots import OwnBot, limit_own_bot, own_bot_limits, run_chooser
from diskwars_cli.plugs.seeded_match import seeded_match
from diskwars_client.bot_runner import BlamedBot
from diskwars_protocol.match.decisions import Decision, Options
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.cli.command_runner import CommandRunner

HEAD = """\
import os, sys, time
from pathlib import Path
from diskwars_bots.generic_bot import choose_offered

def choose(match, decision, options, rng):
"""
TAIL = "\n    return choose_offered(match, decision, options, rng)\n"
SECONDS = 60.0
HANG = """\
while True:
        try:
            time.sleep(0.01)
        except Exception:
            pass"""
RULES = load_ruleset("regiments", ())


def bot(folder: Path, line: str) -> str:
    (folder / "own.py").write_text(f"{HEAD}    {line}{TAIL}")
    return f"{folder / 'own.py'}:choose"


@cache
def asked(ruleset: str = "regiments", army: tuple[str, ...] = ()) -> tuple[Any, Decision[Any], Options[Any, Any, Any]]:
    """Return the first question of a match with what its seat sees."""
    seen: list[tuple[Any, Decision[Any], Options[Any, Any, Any]]] = []

    def choose(match: Any, decision: Decision[Any], options: Options[Any, Any, Any]) -> Any:
        if match.board is not None:
            seen.append((match, decision, options))
        return choose_offered(match, decision, options, random.Random(1))

    rules = load_ruleset(ruleset, ())
    vocabulary = rules.vocabulary
    local = seeded_match(rules, 1, [vocabulary.loadout(*army), vocabulary.loadout(*army)], vocabulary.settings())
    for _ in local.play([choose, choose]):
        if seen:
            break
    return seen[0]


@pytest.mark.parametrize(
    ("line", "text", "seconds"),
    [
        ("return 1 // 0", "own.py:6: ZeroDivisionError: integer division or modulo by zero", SECONDS),
        ("return None", "own.py:5: choose returned None, which is no action", SECONDS),
        ("sys.exit(3)", "own.py:choose: SystemExit: 3", SECONDS),
        ("print('thinking')", "printed to standard output: 'thinking\\n'; use standard error", SECONDS),
        (HANG, "own.py:choose took longer than 0.2 s for a decision", 0.2),
    ],
)
def test_bot_in_this_process_is_stopped_with_one_line(tmp_path: Path, line: str, text: str, seconds: float) -> None:
    name = bot(tmp_path, line)
    choose = limit_own_bot(load_chooser(name, "regiments"), name, seconds)
    with pytest.raises(BotError) as fault:
        choose(*asked(), random.Random(1))
    assert text in str(fault.value)
    assert "\n" not in str(fault.value)


def test_bot_within_its_limits_answers_and_one_of_the_program_has_none(tmp_path: Path) -> None:
    name = bot(tmp_path, "pass")
    assert limit_own_bot(load_chooser(name, "regiments"), name)(*asked(), random.Random(1)) is not None
    greedy = load_chooser("greedy", "regiments")
    assert limit_own_bot(greedy, "greedy") is greedy


def test_file_that_prints_or_hangs_while_it_is_loaded_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text("print('hello')\ndef choose(match, decision, options, rng): ...\n")
    with pytest.raises(CommandError, match=r"loud.py:choose printed to standard output: 'hello\\n'"):
        find_chooser(f"{tmp_path / 'loud.py'}:choose", "regiments")
    late = pytest.raises(BotError, match=r"^x.py:choose took longer than 0.1 s to be loaded$")
    with late, own_bot_limits("x.py:choose", "to be loaded", 0.1):
        threading.Event().wait()


async def test_bot_in_a_process_of_its_own_is_blamed_and_replaced(tmp_path: Path) -> None:
    """Each call does something else wrong; the number of the call is kept in a file, because one ends the process."""
    wrongs = ["1 // 0", "print('thinking')", "os._exit(3)", "time.sleep(3600)", "None"]
    counter = tmp_path / "calls"
    counter.write_text("0")
    line = (
        f"calls = Path({str(counter)!r}); number = int(calls.read_text()); calls.write_text(str(number + 1))\n"
        f"    if number < {len(wrongs)}: eval({wrongs!r}[number])"
    )
    bot_process = OwnBot(bot(tmp_path, line), RULES.vocabulary, seconds=5)
    said = []
    try:
        async with asyncio.timeout(SECONDS):
            for _ in wrongs[:-1]:
                with pytest.raises(BotError) as fault:
                    await bot_process(*asked(), random.Random(1))
                said.append(str(fault.value))
            assert await bot_process(*asked(), random.Random(1)) is not None, "a new process plays on"
    finally:
        await bot_process.stop()
    expected = ["ZeroDivisionError", "printed to standard output", "its process failed", "it thought longer than 5 s"]
    assert all(text in line and "own.py" in line for text, line in zip(expected, said, strict=True)), said


async def test_searching_bot_thinks_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("thinks in this process")

    monkeypatch.setattr(SearchBot, "__call__", fail)
    async with asyncio.timeout(SECONDS), run_chooser("fair", DISKWARS) as chooser:
        thinking = chooser(*asked("diskwars", ("reikland-host",)), random.Random(1))
        assert inspect.isawaitable(thinking)
        assert isinstance(await thinking, Struct)


async def test_bot_of_the_program_that_takes_too_long_is_named() -> None:
    bot_process = OwnBot("hard", DISKWARS, seconds=0)
    async with asyncio.timeout(SECONDS):
        with pytest.raises(BotError, match=r"^hard: it thought longer than 0 s$"):
            await bot_process(*asked("diskwars", ("reikland-host",)), random.Random(1))
    await bot_process.stop()


async def test_quick_bot_answers_at_once() -> None:
    async with run_chooser("greedy", RULES.vocabulary) as chooser:
        assert chooser is load_chooser("greedy", "regiments")


def test_bot_that_catches_every_interruption_ends_its_process_with_one_line(tmp_path: Path) -> None:
    name = f"{tmp_path / 'own.py'}:choose"
    code = (
        "from diskwars_cli.plugs import own_bots; own_bots.AGAIN_SECONDS = 0.05; import time\n"
        f"with own_bots.own_bot_limits({name!r}, 'for a decision', 0.1):\n"
        "    while True:\n        try: time.sleep(3600)\n        except: pass"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert ended.returncode == 2
    assert ended.stderr == f"diskwars: {name} took longer than 0.1 s for a decision, and catches what interrupts it\n"


def test_refused_answer_of_a_bot_within_limits_is_blamed_on_its_file(tmp_path: Path) -> None:
    name = bot(tmp_path, "pass")
    limited: Any = limit_own_bot(load_chooser(name, "regiments"), name)
    assert isinstance(limited, BlamedBot)
    assert "own.py:5: choose answered " in str(limited.refused(asked()[2].actions[0], "not now"))


def test_refused_answer_is_blamed_on_the_file() -> None:
    bot_process = OwnBot("my.py:choose", RULES.vocabulary)
    assert isinstance(bot_process, BlamedBot)
    action = asked()[2].actions[0]
    text = str(bot_process.refused(action, "not now"))
    assert text.startswith("my.py:choose answered ")
    assert text.endswith(", which is refused: not now")


def test_simulation_counts_a_bot_that_prints_as_a_crash(diskwars: CommandRunner, tmp_path: Path) -> None:
    name = bot(tmp_path, "print('thinking')")
    shown = diskwars("simulate", "--ruleset", "regiments", "--bots", f"{name},random")
    assert shown.code == 1
    (line,) = [line for line in shown.lines if line.startswith("seed 1  ")]
    assert "own.py:choose printed to standard output: 'thinking\\n'; use standard error" in line
