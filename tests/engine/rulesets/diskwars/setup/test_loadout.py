"""Loadouts of players (R2), and who sees them when (R2.8, R19.2)."""

from typing import Any

import msgspec
import pytest

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.setup.loadout import resolve_names
from diskwars_protocol.match.ids import ALL, PUBLIC
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import QUICK_SETTINGS, PlayedMatch, player_of

RULES = Diskwars(core_pack())
TWO = a.DiskwarsSettings(setup="quick", regiments=2)
OWN_ARMY = a.Loadout(
    "",
    (
        a.Regiment("karl-franz", ("steam-tank", "marienburg-swordsmen", "marienburg-swordsmen")),
        a.Regiment("luthor-huss", ("talabheim-greatswords", "huntsmen")),
    ),
    ("press-on", "hold-fast", "feint", "all-together"),
)


def loadout_refusal(loadout: a.Loadout, settings: a.DiskwarsSettings = TWO) -> Illegal:
    with pytest.raises(Illegal) as caught:
        RULES.complete_loadout(settings, loadout)
    return caught.value


def test_a_name_that_several_disks_share_is_a_fault_and_one_that_no_disk_has_stays() -> None:
    """R2.1"""
    disks = core_pack().disks
    twin = msgspec.structs.replace(disks["huntsmen"], id="huntsmen-of-old")
    catalogue = msgspec.structs.replace(core_pack(), disks={**disks, twin.id: twin})
    typed = a.Loadout("", (a.Regiment("karl-franz", (twin.name, "Nobodies")),), ())
    found, faults = resolve_names(catalogue, typed)
    assert [(fault.code, fault.rule, fault.place, fault.numbers) for fault in faults] == [
        ("ambiguous_name", "R2.1", ("regiments", 0, "units", 0), {"found": 2})
    ]
    assert found.regiments == typed.regiments


# ---------------------------------------------------------------- entering


def test_r2_6_a_starter_army_is_taken_by_name_and_brings_its_disks_and_its_hand() -> None:
    army = core_pack().armies["chaos-patrol"]
    entered = RULES.complete_loadout(QUICK_SETTINGS, a.Loadout("chaos-patrol"))
    assert entered == a.Loadout("chaos-patrol", army.regiments, army.hand)
    assert RULES.complete_loadout(QUICK_SETTINGS, entered) == entered


def test_r2_1_a_list_of_ones_own_is_taken_as_it_is_if_it_is_legal() -> None:
    assert RULES.complete_loadout(TWO, OWN_ARMY) == OWN_ARMY


def test_an_unknown_army_and_a_foreign_hand_are_refused() -> None:
    unknown = loadout_refusal(a.Loadout("chaos-patrole"))
    assert (unknown.code, unknown.place) == ("unknown_army", "$.action.loadout.army")
    assert unknown.text == 'there is no starter army "chaos-patrole"; did you mean "chaos-patrol"?'
    foreign = loadout_refusal(a.Loadout("chaos-patrol", hand=("feint",)))
    assert (foreign.code, foreign.rule, foreign.place) == ("not_legal", "R2.6", "$.action.loadout.hand")


def test_the_id_of_a_starter_army_is_for_that_army() -> None:
    fault = loadout_refusal(msgspec.structs.replace(OWN_ARMY, army="empire-patrol"))
    assert (fault.code, fault.place) == ("not_legal", "$.action.loadout.army")


def test_r2_1_an_army_has_the_regiments_that_the_match_is_played_with() -> None:
    fault = loadout_refusal(a.Loadout("chaos-patrol"))
    assert (fault.code, fault.rule, fault.place) == ("illegal_army", "R2.1", "$.action.loadout.regiments")
    assert fault.text == "R2.1: 1 regiment, the players agreed on 2; add 1"


def test_one_refusal_lists_every_violation_with_the_place_of_the_first() -> None:
    units = ("steam-tank", "steam-tank", "Orc Boys")
    fault = loadout_refusal(
        a.Loadout("", (a.Regiment("karl-franz", units), a.Regiment("luthor-huss")), ("feint", "feint"))
    )
    assert (fault.code, fault.rule) == ("illegal_army", "R2.1")
    assert fault.place == "$.action.loadout.regiments[0].units[2]"
    assert fault.text.splitlines() == [
        'R2.1: no disk is called "Orc Boys"; did you mean "Orc Boyz"?',
        'R2.4: 1 small disk and 2 medium or large in the regiment of "Karl Franz", which needs at least '
        "one small disk for each larger one; add 1 small or leave out 1 of the others",
        'R2.4: 2 copies of "Steam Tank", at most 1 of a large disk in one regiment; leave out 1',
        'R2.4: 2 elite disks in the regiment of "Karl Franz" ("Steam Tank"), at most 1; leave out 1',
        'R2.6: 2 command cards, the command values together are 4 ("Karl Franz" 2 and "Luthor Huss" 2); add 2',
        'R2.6: 2 cards "Feint", at most 1; leave out 1',
    ]


def test_flood_of_unknown_names_is_reported_in_part() -> None:
    units = [tuple(f"nobody {n} {m}" for m in range(40)) for n in range(6)]
    fault = loadout_refusal(a.Loadout("", tuple(a.Regiment("karl-franz", names) for names in units)))
    *_, last = fault.text.splitlines()
    assert (len(fault.text.splitlines()), last) == (41, "and 203 more")


def test_a_sealed_army_is_no_army() -> None:
    assert loadout_refusal(a.Loadout(HIDDEN, HIDDEN, HIDDEN)).code == "bad_action"


@pytest.mark.parametrize("regiments", [0, 4])
def test_r2_1_a_match_is_played_with_one_to_three_regiments(regiments: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"regiments": regiments}, a.DiskwarsSettings)


# ---------------------------------------------------------------- who sees it


def test_r19_2_nobody_else_sees_anything_of_an_army_before_all_have_theirs() -> None:
    """R19.2"""
    playing = PlayedMatch(1)
    body = playing.take_seat(0, a.Loadout("chaos-patrol"))
    (taken,) = body.events
    for viewer in (1, PUBLIC):
        assert playing.rules.redact(taken, viewer).loadout == a.Loadout(HIDDEN, HIDDEN, HIDDEN)
        assert _entry_of(playing.rules.redact_body(body, viewer).action) == a.Loadout(HIDDEN, HIDDEN, HIDDEN)
        seen = playing.rules.view(playing.state, viewer).seats[0]
        assert (seen.loadout, seen.player) == (a.Loadout(HIDDEN, HIDDEN, HIDDEN), player_of(0))
    for viewer in (0, ALL):
        assert playing.rules.redact(taken, viewer) == taken
    other = PlayedMatch(1)
    (another,) = other.take_seat(0, a.Loadout("high-elf-patrol")).events
    assert playing.rules.redact(taken, 1) == playing.rules.redact(another, 1)


def _entry_of(action: Any) -> a.Loadout:
    loadout: a.Loadout = action.loadout
    return loadout


def test_r2_8_armies_are_open_from_the_start_of_the_match_and_hands_are_not() -> None:
    playing = PlayedMatch(1, ("chaos-patrol", "empire-patrol")).begin()
    started = next(event for event in playing.events if isinstance(event, e.MatchStarted))
    assert started.armies == (
        e.ArmyIdentity("Chaos Patrol", "chaos-patrol"),
        e.ArmyIdentity("Empire Patrol", "empire-patrol"),
    )
    for seat, army in enumerate(started.armies):
        own = [started.profiles[disk.profile].id for disk in started.disks if disk.seat == seat]
        assert own == list(core_pack().armies[army.id or ""].disks)
    for viewer in (0, 1, PUBLIC):
        assert playing.rules.redact(started, viewer) == started
        board = playing.rules.view(playing.state, viewer).board
        assert board is not None
        assert [side.army for side in board.sides] == list(started.armies)
        assert [side.hand == HIDDEN for side in board.sides] == [viewer != 0, viewer != 1]


def test_r3_2_points_unspent_by_all_heroes_together_help_at_initiative() -> None:
    playing = PlayedMatch(1, settings=TWO)
    playing.take_seat(0, OWN_ARMY)
    playing.take_seat(1, OWN_ARMY)
    playing.make_ready()
    rolls = [event for event in playing.events if isinstance(event, e.InitiativeRolled)]
    assert [roll.unspent for roll in rolls[0].rolls] == [33 - 23 + 31 - 16] * 2


def test_r_35_a_zone_of_the_quick_set_up_takes_five_disks_and_four_more_for_a_second_regiment() -> None:
    """R-35"""
    playing = PlayedMatch(1, settings=TWO)
    playing.take_seat(0, OWN_ARMY)
    playing.take_seat(1, OWN_ARMY)
    playing.make_ready()
    assert [zone.value for zone in playing.board.zones] == [9, 9]
