"""Matches whose content packs are missing.

Folding needs none. Until it begins, a match needs the figures that it was opened with; afterwards it contains them.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import combine_packs, core_pack, expansion_pack
from diskwars_engine.match import Command, MatchRules
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Ready, Resign, TakeSeat
from diskwars_protocol.match.events import SeatTaken
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.engine.played_match import RULES, PlayedMatch, build_rules, default_action, player_of

ALL_PACKS = build_rules(combine_packs(core_pack(), expansion_pack()))
CORE_ONLY = build_rules(replace(core_pack(), pack=replace(core_pack().pack, hash="f" * 64)))


def take_seat_command(playing: PlayedMatch, seat: int) -> Command[Any]:
    decision = next(decision for decision in playing.state.decisions if decision.seat == seat)
    action = TakeSeat(playing.chains[seat].head.hex(), a.Loadout("chaos-patrol"))
    return Command(player_of(seat), decision.id, action, 0)


def command_refusal(rules: MatchRules[Any, Any, Any], playing: PlayedMatch, command: Command[Any]) -> Illegal:
    with pytest.raises(Illegal) as caught:
        rules.decide(playing.state, len(playing.bodies), command, playing.secrets)
    assert caught.value.code == "missing_pack"
    return caught.value


def test_the_first_record_names_the_packs() -> None:
    assert PlayedMatch(1, rules=ALL_PACKS).state.packs == (core_pack().pack, expansion_pack().pack)


def test_match_with_a_missing_pack_refuses_players_and_names_the_pack() -> None:
    playing = PlayedMatch(1, rules=ALL_PACKS)
    pack = expansion_pack().pack
    said = command_refusal(RULES, playing, take_seat_command(playing, 0))
    assert said.text.endswith(f"the server does not have {pack.id} {pack.version} ({pack.hash[:12]})")


def test_match_begins_with_the_same_figures_under_corrected_names() -> None:
    core = core_pack()
    disks = {id: replace(disk, name=f"{disk.name}!") for id, disk in core.disks.items()}
    corrected = build_rules(replace(core, pack=replace(core.pack, version="1.1"), disks=disks))
    playing = PlayedMatch(1)
    proposal = corrected.decide(playing.state, len(playing.bodies), take_seat_command(playing, 0), playing.secrets)
    assert any(isinstance(event, SeatTaken) for event in proposal.body.events)


def test_nor_to_one_that_was_opened_without_a_pack_that_is_here_now() -> None:
    playing = PlayedMatch(1)
    assert (
        "it is played without diskwars/expansion"
        in command_refusal(ALL_PACKS, playing, take_seat_command(playing, 0)).text
    )


def test_a_match_does_not_begin_with_other_figures_than_its_players_sat_down_to() -> None:
    playing = PlayedMatch(1)
    for seat, army in enumerate(playing.armies):
        playing.take_seat(seat, a.Loadout(army))
    first, second = playing.state.decisions
    playing.answer(first, Ready(playing.next_seat_link(0)))
    command: Command[Any] = Command(player_of(1), second.id, Ready(playing.next_seat_link(1)), 0)
    assert "the server does not have diskwars/core" in command_refusal(CORE_ONLY, playing, command).text
    assert RULES.decide(playing.state, len(playing.bodies), command, playing.secrets).match.status == "running"


def test_one_may_always_leave_such_a_match() -> None:
    playing = PlayedMatch(1, rules=ALL_PACKS)
    playing.take_seat(0, a.Loadout("chaos-patrol"))
    leaving: Command[Any] = Command(player_of(0), None, Resign(), 0)
    assert RULES.decide(playing.state, len(playing.bodies), leaving, playing.secrets).match.status == "ended"


def test_a_match_that_has_begun_folds_and_goes_on_without_its_pack() -> None:
    playing = PlayedMatch(1, rules=ALL_PACKS).begin().play(default_action, 10)
    assert CORE_ONLY.fold_log(playing.bodies) == playing.state
    playing.rules = CORE_ONLY
    playing.play(default_action)
    assert playing.state.status == "ended"


def test_a_match_that_names_no_packs_is_of_a_time_before_they_were_named_and_goes_on() -> None:
    playing = PlayedMatch(1)
    playing.state = replace(playing.state, packs=())
    command = take_seat_command(playing, 0)
    assert CORE_ONLY.decide(playing.state, len(playing.bodies), command, playing.secrets).body.decisions
