"""Every outcome names the rules that produced it, and each of them is in the register.

`PlayedMatch` checks this for every record of every match that a test plays; here are matches of every kind of setup.
"""

from typing import get_args

import pytest

from diskwars_cli.__main__ import main
from diskwars_protocol.match.decisions import Reason, Result
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.effort import count_of
from tests.engine.played_match import ANNOUNCEMENTS, cited_rules
from tests.engine.rulesets.diskwars.test_invariants_full_matches import begin_full_match, play_step

MATCHES = count_of(9, 3)
"""Of each setup with each number of players: more than fifty in all where all are tried."""


def test_only_announcements_carry_no_reason() -> None:
    every = set(get_args(e.BoardEvent))
    assert {kind for kind in every if "reasons" not in kind.__struct_fields__} == set(ANNOUNCEMENTS)


def test_an_outcome_without_a_reason_or_with_one_that_nobody_knows_is_found() -> None:
    assert cited_rules(e.CardsReturned((Reason("R4.3"),))) == ["R4.3"]
    assert cited_rules(Result("elimination", (0,), (), (Reason("R4.7"),))) == ["R4.7"]
    assert cited_rules(e.RoundBegan(1)) == []
    for event in (e.CardsReturned(), e.CardsReturned((Reason("R99"),)), Result("", (0,))):
        with pytest.raises(AssertionError):
            cited_rules(event)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("setup", ["quick", "full"])
def test_every_rule_that_a_match_names_is_printed_by_the_command(
    setup: str, seats: int, capsys: pytest.CaptureFixture[str]
) -> None:
    named: set[str] = set()
    for seed in range(MATCHES):
        playing = begin_full_match(
            seed + 100 * seats, seats, a.DiskwarsSettings(setup="full" if setup == "full" else "quick", regiments=1)
        )
        while playing.state.status != "ended":
            play_step(playing, 0.001)
        named |= playing.cited_rules
    assert len(named) > 25
    assert main(["rules", *sorted(named)]) == 0
    headings = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("R")}
    assert headings == named
