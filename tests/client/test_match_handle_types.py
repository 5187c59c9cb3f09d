"""Types of `act`: a program that answers with something else than an action does not type-check."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.code_sizes import ROOT

# Without a cache of an earlier check, the client and the protocol are checked too.
pytestmark = pytest.mark.timeout(300)

SAMPLE = """\
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.rulesets.diskwars.actions import LockCard, PassDisk
from diskwars_protocol.rulesets.pit.actions import PitLoadout


async def answer(handle: MatchHandle) -> None:
    decision = handle.open_decisions[0]
    await handle.take_seat(PitLoadout())
    await handle.act(decision, LockCard("charge", ""))
    await handle.act(decision, PassDisk(0))
    await handle.act(decision, (await handle.options(decision)).actions[0])
    await handle.act(None, Resign())
    await handle.act(decision, 42)
    await handle.act(decision, {"type": "resign"})
    await handle.act(42, Resign())
    await handle.take_seat("empire-patrol")
"""
WRONG_LINES = {14: "act", 15: "act", 16: "act", 17: "take_seat"}
ERROR = re.compile(r'sample\.py:(\d+): error: Argument \d to "(\w+)" of "MatchHandle" has incompatible type')


def test_only_actions_type_check_as_answers(tmp_path: Path) -> None:
    sample = tmp_path / "sample.py"
    sample.write_text(SAMPLE)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml"), str(sample)]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    wrong = {int(line): function for line, function in ERROR.findall(checked.stdout)}
    assert wrong == WRONG_LINES, checked.stdout + checked.stderr
    assert checked.stdout.count("error:") == len(WRONG_LINES)
