"""The Node program of this folder: written from docs/ and the schema alone, it shares code with the page only."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from diskwars_protocol.records.canonical import encode_canonical

Json: TypeAlias = Any  # what json.loads gives

PROGRAM = Path(__file__).parent / "node" / "main.mjs"
NODE = shutil.which("node")
OLDEST_NODE = 20
TIMEOUT_SECONDS = 50


def node() -> str:
    """Return the path of node; skip where there is none, or an old one."""
    if NODE is None:
        pytest.skip("needs node, which is not installed")
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, timeout=30, check=True).stdout
    if int(version.strip().lstrip("v").partition(".")[0]) < OLDEST_NODE:
        pytest.skip(f"needs node {OLDEST_NODE} or newer, not {version.strip()}")
    return NODE


def same_states(theirs: Json, ours: object) -> bool:
    """Return whether two states of a match are the same canonical JSON."""
    return encode_canonical(theirs) == encode_canonical(ours)


def run_node(verb: str, *args: object) -> Json:
    """Run one verb of the program and return the JSON that it prints."""
    command = [node(), str(PROGRAM), verb, *map(str, args)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)
