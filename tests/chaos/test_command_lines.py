"""The chaos programs refuse what they do not understand, and their exit codes say whether something was lost."""

import contextlib
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from tests.chaos import full_disk, fuzz_frames, kill_nodes, kill_notices, kill_processes, return_after_kill


@pytest.mark.parametrize(
    ("program", "words", "said"),
    [
        (kill_processes, ["folder", "server", "1"], "invalid choice: 'server'"),
        (kill_processes, ["folder", "both", "0"], "0 is less than 1"),
        (kill_processes, ["folder"], "the following arguments are required: kind, ROUNDS"),
        (kill_nodes, ["folder", "1", "nodes", "node"], "no trouble is called nodes"),
        (kill_nodes, ["folder", "-1"], "-1"),
        (full_disk, ["folder", "0"], "0 is less than 1"),
        (return_after_kill, ["folder", "500", "0"], "0 is less than 1"),
        (kill_notices, ["folder", "500"], "the following arguments are required: KILLS"),
        (fuzz_frames, ["0"], "0 is less than 1"),
        (fuzz_frames, ["many"], "invalid positive value: 'many'"),
    ],
)
def test_wrong_words_are_refused(
    program: ModuleType,
    words: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(program, "run", None)
    with pytest.raises(SystemExit) as end:
        program.main(words)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "program", [full_disk, fuzz_frames, kill_nodes, kill_notices, kill_processes, return_after_kill]
)
def test_help_says_what_a_program_does(program: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        program.main(["--help"])
    assert end.value.code == 0
    assert str(program.__doc__).splitlines()[0] in capsys.readouterr().out


@pytest.mark.parametrize("lost", [0, 1])
@pytest.mark.parametrize(
    ("program", "report"),
    [
        (kill_processes, kill_processes.KillReport((0.1,), 3, 0, 0)),
        (kill_nodes, kill_nodes.NodesReport({"node": [0.1]}, {"node": []}, 3, 0, 0, 0)),
        (full_disk, full_disk.FullDiskReport((0.1,), 3, 0, 0, "")),
        (kill_notices, kill_notices.NoticesReport(3, 3, 0, 0, 0, 1.0)),
    ],
)
def test_exit_code_says_whether_an_action_was_lost(
    program: ModuleType, report: Any, lost: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(*arguments: object, **options: object) -> Any:
        return replace(report, lost=lost)

    monkeypatch.setattr(program, "run", run)
    monkeypatch.setattr(full_disk, "small_disk", contextlib.nullcontext)
    kinds = {kill_processes: ["both"], kill_notices: ["9"]}.get(program, [])
    assert program.main(["folder", *kinds, "1"]) == lost
