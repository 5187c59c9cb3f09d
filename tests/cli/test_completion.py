"""Tests of shell completion: scripts, their installation, and values of options."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from diskwars_cli.completion import COMPLETE_VARIABLE, SHELLS
from tests.cli.command_runner import CommandRunner
from tests.rows import each_row


def completion_variables(*words: str) -> dict[str, str]:
    """Return what bash sets to have the last of these words completed."""
    return {
        "COMP_WORDS": " ".join(["diskwars", *words]),
        "COMP_CWORD": str(len(words)),
        COMPLETE_VARIABLE: "bash_complete",
    }


def offered_words(output: str) -> list[str]:
    return [line.partition(",")[2] for line in output.splitlines()]


@each_row(
    ("words", "offered"),
    [
        (("re",), ["replay", "review", "restore"]),
        (("simulate", "--pair"), ["--pairings"]),
        (("simulate", "--setup", ""), ["quick", "full"]),
        (("simulate", "--bots", "greedy,ra"), ["greedy,random"]),
        (("simulate", "--option", "pins="), ["pins=strict", "pins=contact"]),
        (("simulate", "--ruleset", "pit", "--option", "scenario=the-p"), ["scenario=the-pit"]),
        (("simulate", "--ruleset", "p"), ["pit"]),
        (("simulate", "--ruleset", "pit", "--se"), ["--seed"]),
        (("simulate", "--se"), ["--seed", "--setup"]),
        (("play", "--bot", "g"), ["greedy"]),
        (("play", "--army", "empire"), ["Empire Patrol"]),
        (("army", "show", "chaos\\ p"), ["Chaos Patrol"]),
    ],
    ids=str,
)
def test_verbs_options_and_values_are_completed(
    diskwars: CommandRunner, words: tuple[str, ...], offered: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in completion_variables(*words).items():
            patch.setenv(name, value)
        result = diskwars()
    assert (result.code, offered_words(result.out), result.err) == (0, offered, "")


def test_the_program_itself_completes_for_its_shell() -> None:
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **completion_variables("re")}
    command = [sys.executable, "-m", "diskwars_cli"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, offered_words(done.stdout), done.stderr) == (0, ["replay", "review", "restore"], "")


@pytest.mark.parametrize("shell", SHELLS)
def test_script_of_each_shell_is_printed(diskwars: CommandRunner, shell: str) -> None:
    result = diskwars("--show-completion", shell)
    assert result.code == 0
    assert COMPLETE_VARIABLE in result.out


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", ".local/share/bash-completion/completions/diskwars"),
        ("zsh", ".zfunc/_diskwars"),
        ("fish", ".config/fish/completions/diskwars.fish"),
    ],
)
def test_script_is_installed_where_the_shell_looks_for_it(
    diskwars: CommandRunner, shell: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    result = diskwars("--install-completion")
    assert result.code == 0
    assert str(tmp_path / file) in result.out
    assert COMPLETE_VARIABLE in (tmp_path / file).read_text()


def test_unknown_shell_is_named(diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert diskwars.error_message("--install-completion").startswith("no completion for the shell 'tcsh'")
