"""The special scenario Strongholds: setup and scoring (R-74)."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack, load_packs
from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup.scenarios import deal
from diskwars_protocol.match.ids import ALL
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from tests.engine.played_match import ARMIES, PlayedMatch, default_action, mixed_action
from tests.rows import each_row

STRONGHOLDS = a.DiskwarsSettings(special_scenario="strongholds", regiments=1)
ID = "strongholds"


def begin_match(seats: int = 2, settings: a.DiskwarsSettings = STRONGHOLDS) -> PlayedMatch:
    """Return all that is asked before deployment cards is answered."""
    playing = PlayedMatch(5, ARMIES[:seats], settings).begin()
    while not playing.board.layout.offered_cards:
        playing.play(default_action, records=1)
    return playing


@each_row("seats", [2, 3, 4])
def test_r_74_nothing_is_drawn_and_it_is_active_and_everybodys_objective(seats: int) -> None:
    """R-74, R3.3.2, R19.6"""
    playing = begin_match(seats)
    assert not any(isinstance(event, se.ScenariosDrawn) for event in playing.events)
    assert playing.board.layout.active_scenario == ID
    assert [side.objective for side in playing.board.sides] == [ID] * seats
    assert [card.id for card in playing.board.layout.scenarios] == [ID]


def test_without_the_option_it_is_in_no_deck() -> None:
    """R-74"""
    playing = begin_match(settings=a.DiskwarsSettings(regiments=1))
    assert any(isinstance(event, se.ScenariosDrawn) for event in playing.events)
    names = [card.id for card in playing.board.layout.scenarios]
    assert ID not in names
    assert len(names) == len(core_pack().scenarios)


def test_without_the_option_every_objective_is_another_scenario_than_the_active_one() -> None:
    """R-74, R3.3.2"""
    board = begin_match(3, a.DiskwarsSettings(regiments=1)).board
    objectives = [side.objective for side in board.sides]
    assert board.layout.active_scenario not in objectives
    assert len(set(objectives)) == 3


def test_a_player_who_has_resigned_gets_no_objective() -> None:
    """R-74, R3.3.2: dealt to the others only."""
    board = begin_match(3).board
    sides = tuple(replace(side, objective=None, eliminated=seat == 1) for seat, side in enumerate(board.sides))
    resolution = Resolution(replace(board, sides=sides), QuickDice(random.Random(1), 3))
    deal(resolution)
    assert [event.seat for event in resolution.events if isinstance(event, se.ObjectiveDealt)] == [
        seat for seat in board.order if seat != 1
    ]


def test_a_match_without_scenario_cards_has_none_of_them() -> None:
    """R-74, R-63: a quick setup."""
    assert PlayedMatch(5, ARMIES[:2]).begin().board.layout.scenarios == ()


@pytest.mark.parametrize("seed", range(3))
def test_a_match_of_it_ends_and_scores_by_its_parts(seed: int) -> None:
    playing = PlayedMatch(seed, ARMIES[: 2 + seed], STRONGHOLDS).begin().play(mixed_action)
    assert playing.rules.ruleset.check(playing.board) == []
    scored = [event for event in playing.events if isinstance(event, e.Scored)]
    parts = {part for event in scored for reason in event.reasons for part in reason.numbers} - {"seat"}
    assert parts <= {"hold_zones", "slay_heroes", "hold_terrain"}
    assert playing.rules.view(playing.state, ALL).result is not None


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (Diskwars(core_pack()), a.DiskwarsSettings(setup="quick", special_scenario="strongholds", regiments=1)),
        (Diskwars(replace(core_pack(), special_scenarios={})), STRONGHOLDS),
    ],
    ids=["in a quick setup", "of no pack"],
)
def test_r_74_it_needs_a_full_set_up_and_a_pack_that_has_it(rules: Diskwars, settings: a.DiskwarsSettings) -> None:
    """R-74"""
    with pytest.raises(Illegal) as refused:
        rules.complete_loadout(settings, a.Loadout("chaos-patrol"))
    assert (refused.value.code, refused.value.rule, refused.value.place) == (
        "bad_settings",
        "R-74",
        "$.settings.special_scenario",
    )


def test_a_file_of_a_players_own_says_it_otherwise(tmp_path: Path) -> None:
    path, head = tmp_path / "mine.toml", 'id = "mine"\nversion = "1"\n'
    path.write_text(head + '[scenarios.Strongholds]\nobjective = [{ type = "survive", points = 1 }]\n')
    catalogue = load_packs(path).catalogue
    assert ID not in catalogue.scenarios
    assert catalogue.special_scenarios["strongholds"].ability == core_pack().special_scenarios["strongholds"].ability
    assert (
        catalogue.special_scenarios["strongholds"].objective != core_pack().special_scenarios["strongholds"].objective
    )
