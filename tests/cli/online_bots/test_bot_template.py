"""The repository that `bot new` writes: its own test passes, and its entry point names its bot."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from diskwars_bots.loader import load_chooser
from diskwars_cli.console.command import CommandError
from diskwars_cli.online_bots.bot_template import run_new, template_files
from diskwars_protocol.rulesets.registry import RULESETS


def test_written_bot_passes_the_test_that_comes_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "my-archer"
    assert run_new(str(folder), "pit") == 0
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["diskwars.bots"] == {"pit.my_archer": "my_archer.bot:choose"}
    assert load_chooser(f"{folder}/my_archer/bot.py:choose", "pit") is not None
    trial = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "2 passed" in trial.stdout, trial.stdout + trial.stderr
    with pytest.raises(CommandError, match="is not empty"):
        run_new(str(folder), "pit")


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_files_of_every_ruleset_are_python_without_marks(ruleset: str) -> None:
    for path, text in template_files("archer", ruleset).items():
        assert "@" not in text.replace("@@", ""), path
        if path.endswith(".py"):
            compile(text, path, "exec")


@pytest.mark.parametrize(("folder", "ruleset"), [("Archer!", "pit"), ("class", "pit"), ("archer", "chess")])
def test_wrong_names_are_refused_before_anything_is_written(tmp_path: Path, folder: str, ruleset: str) -> None:
    with pytest.raises(CommandError):
        run_new(str(tmp_path / folder), ruleset)
    assert list(tmp_path.iterdir()) == []
