"""What becomes of a match whose content packs are not here any more?

Folding needs none. Until it begins a match waits for the figures that it was opened with; afterwards it has them.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_content import core, expansion, together
from diskwars_engine.match import Command, MatchRules
from diskwars_engine.ruleset import Illegal
from diskwars_protocol import match as m
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import RULES, Playing, by_default, player, rules_of

WIDE = rules_of(together(core(), expansion()))
BARE = rules_of(replace(core(), pack=replace(core().pack, hash="f" * 64)))


def taking(playing: Playing, seat: int) -> Command[Any]:
    decision = next(one for one in playing.state.decisions if one.seat == seat)
    action = m.TakeSeat(playing.chains[seat].head.hex(), a.Entry("Chaos Patrol"))
    return Command(player(seat), decision.id, action, 0)


def refused(rules: MatchRules[Any, Any, Any, Any, Any, Any], playing: Playing, command: Command[Any]) -> Illegal:
    with pytest.raises(Illegal) as caught:
        rules.decide(playing.state, len(playing.events), command, playing.secrets)
    assert caught.value.code == "missing_pack"
    return caught.value


def test_the_first_record_names_the_packs() -> None:
    assert Playing(1, rules=WIDE).state.packs == (core().pack, expansion().pack)


def test_nobody_sits_down_to_a_match_whose_pack_is_not_here_and_is_told_which() -> None:
    playing = Playing(1, rules=WIDE)
    pack = expansion().pack
    said = refused(RULES, playing, taking(playing, 0))
    assert said.text.endswith(f"the server does not have {pack.name} {pack.version} ({pack.hash[:12]})")


def test_nor_to_one_that_was_opened_without_a_pack_that_is_here_now() -> None:
    playing = Playing(1)
    assert "it is played without diskwars/expansion" in refused(WIDE, playing, taking(playing, 0)).text


def test_a_match_does_not_begin_with_other_figures_than_its_players_sat_down_to() -> None:
    playing = Playing(1)
    for seat, army in enumerate(playing.armies):
        playing.take(seat, a.Entry(army))
    first, second = playing.state.decisions
    playing.answer(first, m.Ready(playing.link(0)))
    command: Command[Any] = Command(player(1), second.id, m.Ready(playing.link(1)), 0)
    assert "the server does not have diskwars/core" in refused(BARE, playing, command).text
    assert RULES.decide(playing.state, len(playing.events), command, playing.secrets)


def test_one_may_always_leave_such_a_match() -> None:
    playing = Playing(1, rules=WIDE)
    playing.take(0, a.Entry("Chaos Patrol"))
    leaving: Command[Any] = Command(player(0), m.DecisionId(""), m.Resign(), 0)
    assert isinstance(RULES.decide(playing.state, len(playing.events), leaving, playing.secrets)[-1], m.MatchEnded)


def test_a_match_that_has_begun_folds_and_goes_on_without_its_pack() -> None:
    playing = Playing(1, rules=WIDE).begin().play(by_default, 10)
    assert BARE.fold_all(playing.events) == playing.state
    playing.rules = BARE
    playing.play(by_default)
    assert playing.state.status == "ended"


def test_a_match_that_names_no_packs_is_of_a_time_before_they_were_named_and_goes_on() -> None:
    playing = Playing(1)
    playing.state = replace(playing.state, packs=())
    assert BARE.decide(playing.state, len(playing.events), taking(playing, 0), playing.secrets)
