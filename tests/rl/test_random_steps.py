"""Steps at random, as the command plays them; it is run with 100,000 for docs/research.md."""

import sys

import pytest

from diskwars_rl import random_steps
from diskwars_rl.aec_environment import AecEnvironment
from diskwars_rl.random_steps import play_random_steps
from diskwars_rl.rulesets.registry import RESEARCH
from tests.effort import count_of


@pytest.mark.parametrize("actions", ["deeds", "factored"])
@pytest.mark.parametrize("ruleset", RESEARCH)
def test_steps_at_random_stay_in_the_space(ruleset: str, actions: str) -> None:
    env = AecEnvironment(ruleset, actions="factored" if actions == "factored" else "deeds")
    counts = play_random_steps(env, count_of(1_000, 250), 1)
    assert counts.steps >= 250
    assert counts.matches >= 1
    assert (counts.outside_space, counts.full_deeds, counts.truncated) == (0, 0, 0)
    assert counts.refused == 0 or actions == "factored"


def test_command_prints_what_was_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["random_steps", "--ruleset", "pit", "--steps", "30", "--seed", "2"])
    random_steps.main()
    printed = capsys.readouterr().out
    assert printed.startswith("pit deeds: ")
    assert "refused 0, outside the space 0, deeds full 0, truncated 0" in printed
