"""The sampler writes the stacks of a module that is at work between two signals."""

import json
import subprocess
import sys
from pathlib import Path

from bench.measuring import stack_sampler

BUSY = """
import os, signal, time

def work():
    sum(range(200_000))

os.kill(os.getpid(), signal.SIGUSR2)
until = time.process_time() + 0.1
while time.process_time() < until:
    work()
os.kill(os.getpid(), signal.SIGUSR2)
"""


def test_stacks_of_a_busy_module_are_written(tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(BUSY)
    command = [sys.executable, stack_sampler.__file__, str(tmp_path / "stacks.json"), "busy"]
    subprocess.run(command, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, check=True, timeout=30)
    stacks = json.loads((tmp_path / "stacks.json").read_text())
    assert any("busy.work" in names for names, _ in stacks)
    assert sum(count for _, count in stacks) >= 5
