"""The pit at its limits: the injury chart, wounds, ties, cards, routs and who is left (A-6 to A-17, A-22, A-23)."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.pit import core_content
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.pit import attacks, combat, improvements, turns
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_engine.rulesets.pit.scenario import starting_event
from diskwars_protocol.rulesets.pit import checks, events, odds, position
from diskwars_protocol.rulesets.pit.actions import Attack, Move, PitLoadout, PitSettings
from diskwars_protocol.rulesets.pit.board import CombatState
from diskwars_protocol.rulesets.pit.events import Check
from diskwars_protocol.rulesets.pit.stats import ImprovedStat
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.pit.pit_positions import (
    PIT,
    decide,
    duel,
    fighter,
    lay_out,
    strike,
    tags,
)
from tests.rows import each_row


@each_row(
    ("value", "status"),
    [(1, "dazed"), (14, "dazed"), (15, "stunned"), (17, "stunned"), (18, "incapacitated"), (25, "incapacitated")],
)
def test_the_injury_chart_is_read_by_its_bounds(value: int, status: str) -> None:
    """A-6"""
    assert checks.injury_status(value) == status


@each_row(("injury", "armed"), [(0, True), (2, True), (2, False)])
def test_the_value_for_the_chart_is_the_die_and_the_injury_of_fighter_and_weapon(injury: int, armed: bool) -> None:
    """A-6: without the modifier to hit."""
    board = duel(injury=injury)
    board = replace(board, weapons=tuple(replace(weapon, injury=3) for weapon in board.weapons))
    attack = Attack(1, "dagger" if armed else None)
    value = attacks._injury_value(board, board.fighters[0], attack, Check((15,), 15, 10, True, 4))
    assert value == 15 + injury + 3 * armed


@each_row(
    ("wounds", "values", "dice", "lost", "injured"),
    [
        (1, [15], (), [], 15),
        (1, [12, 18], (), [], 18),
        (2, [15, 12], (1,), [1], 12),
        (3, [15, 12, 18], (1, 2), [1], 12),
        (2, [15], (), [1], None),
    ],
)
def test_of_the_hits_beyond_the_wounds_the_highest_injures(
    wounds: int, values: list[int], dice: tuple[int, ...], lost: list[int], injured: int | None
) -> None:
    """A-16: the last wound is replaced by the injury."""
    resolution = Resolution(duel(target={"wounds": wounds}), NumberDice((*dice, 20, 20)))
    attacks._wound(resolution, 0, resolution.fighter(1), values)
    assert [event.wounds for event in resolution.events if isinstance(event, events.WoundsLost)] == lost
    found = [event for event in resolution.events if isinstance(event, events.FighterInjured)]
    assert [event.value for event in found] == ([] if injured is None else [injured])
    assert [[reason.rule for reason in event.reasons] for event in found] == ([] if injured is None else [["A-6"]])


def test_a_stunned_fighter_is_taken_out_without_a_roll() -> None:
    """A-16, A-6"""
    resolution = strike(duel(target={"status": "stunned"}), ())
    (event,) = [event for event in resolution.events if isinstance(event, events.FighterInjured)]
    assert (event.status, event.value, [reason.rule for reason in event.reasons]) == ("incapacitated", None, ["A-16"])


def test_attacks_are_declared_with_own_weapons_on_enemies_in_contact() -> None:
    """A-15"""
    board = lay_out(fighter(0, 4, 4), fighter(1, 5, 4), fighter(1, 9, 9), combats=((0, 1),))
    with pytest.raises(Illegal) as refused:
        attacks.check_declared(board, board.fighters[0], (0, 1), (Attack(1, "sword"),))
    assert (refused.value.rule, refused.value.place) == ("A-15", "$.action.attacks[0].weapon")
    with pytest.raises(Illegal) as refused:
        attacks.refuse_target(board, board.fighters[0], (0, 1), 2, "$.here")
    assert (refused.value.text, refused.value.place) == (
        "the target is no enemy in contact in this combat",
        "$.here.target",
    )
    with pytest.raises(Illegal) as refused:
        attacks.refuse_target(board, board.fighters[0], (0,), 1, "$.here")
    assert refused.value.text == "the target is no enemy in contact in this combat"


def test_ties_are_broken_by_a_die_each_that_everybody_sees() -> None:
    """A-12, A-0"""
    resolution = Resolution(duel(), NumberDice((5, 9)))
    assert combat._break_tie(resolution, [0, 1]) == [1, 0]
    assert tags(resolution) == ["agility_rolled"]
    resolution = Resolution(duel(), NumberDice((5, 9)))
    assert turns._roll_order(resolution, [0, 1]) == [1, 0]
    assert [type(event) for event in resolution.events] == [events.TurnOrderRolled]


@pytest.mark.parametrize("stat", ["wounds", "attacks"])
def test_a_card_raises_a_figure_by_one(stat: ImprovedStat) -> None:
    """A-17"""
    resolution = Resolution(duel(rank="hero"), NumberDice(()))
    improvements._improve(resolution, resolution.fighter(0), stat)
    (event,) = [event for event in resolution.events if isinstance(event, events.FighterImproved)]
    assert (event.stat, event.value) == (stat, 2)
    assert event.reasons[0].numbers == {"value": 2}


def test_a_band_checks_for_a_rout_at_half_of_its_fighters_rounded_up() -> None:
    """A-7"""
    settings = PitSettings()
    started = starting_event(PIT.content, settings, 2)
    sizes = [sum(fighter.seat == seat for fighter in started.fighters) for seat in range(2)]
    assert started.rout_losses == tuple(-(-size // 2) for size in sizes)


def test_the_hero_with_the_best_morale_checks_for_a_rout() -> None:
    """A-7: the lowest number is the best."""
    board = lay_out(fighter(0, 1, 1, rank="hero", morale=12), fighter(0, 2, 1, rank="hero", morale=8), fighter(1, 9, 9))
    resolution = Resolution(board, NumberDice((20,)))
    turns.check_rout(resolution, 0)
    (event,) = [event for event in resolution.events if isinstance(event, events.MoraleChecked)]
    assert event.reasons[0].numbers["needed"] == 8


@pytest.mark.parametrize(("kind", "rule"), [("routed", "A-7"), ("resigned", "A-22")])
def test_a_side_that_leaves_names_the_rule_by_which_it_does(kind: events.WithdrawalReason, rule: str) -> None:
    """A-7, A-22"""
    board = lay_out(fighter(0, 1, 1), fighter(1, 5, 5), fighter(2, 9, 9))
    resolution = Resolution(board, NumberDice(()))
    turns.withdraw(resolution, 2, kind)
    (event,) = [event for event in resolution.events if isinstance(event, events.SeatWithdrew)]
    assert [reason.rule for reason in event.reasons] == [rule]


@pytest.mark.parametrize(("first", "phase", "rules"), [(True, "move", ["A-9"]), (False, "engage", [])])
def test_only_the_first_turn_has_no_engage_phase_and_says_why(first: bool, phase: str, rules: list[str]) -> None:
    """A-9"""
    resolution = Resolution(
        lay_out(fighter(0, 1, 1), fighter(1, 5, 5), is_first_turn=first, phase="upkeep"), NumberDice(())
    )
    turns.end_upkeep(resolution)
    (event,) = [event for event in resolution.events if isinstance(event, events.PhaseBegan)]
    assert (event.phase, [reason.rule for reason in event.reasons]) == (phase, rules)


def test_the_combats_of_a_turn_are_those_with_a_fighter_of_its_seat() -> None:
    """A-11: not those of two others."""
    board = lay_out(fighter(0, 1, 1), fighter(1, 2, 1), fighter(1, 8, 8), fighter(2, 9, 8), phase="move")
    resolution = Resolution(board, NumberDice(()))
    turns.begin_melee(resolution)
    (event,) = [event for event in resolution.events if isinstance(event, events.CombatsFixed)]
    assert event.combats == ((0, 1),)


def test_the_last_side_with_fighters_wins_at_once() -> None:
    """A-23"""
    result = turns.result(lay_out(fighter(1, 1, 1)))
    assert result is not None
    assert (result.end_reason, result.winners) == ("last_side", (1,))
    assert turns.result(duel()) is None


def test_a_scenario_that_the_pack_does_not_have_is_refused_when_a_loadout_is_checked() -> None:
    """A-0"""
    unknown: Any = "nowhere"
    with pytest.raises(Illegal) as refused:
        PIT.check_loadout(PitSettings(scenario=unknown), PitLoadout())
    assert refused.value.rule == "A-0"


@each_row(("size", "losses"), [(3, 2), (4, 2), (5, 3)])
def test_half_of_a_band_is_rounded_up(size: int, losses: int) -> None:
    """A-7: four fighters check after two losses, as three do."""
    content = core_content()
    scenario = content.scenarios[PitSettings().scenario]
    smaller = replace(scenario, bands=tuple(band[:size] for band in scenario.bands))
    content = replace(content, scenarios={PitSettings().scenario: smaller})
    assert starting_event(content, PitSettings(), 2).rout_losses == (losses, losses)


def test_a_fighter_moves_to_the_cell_that_its_player_names() -> None:
    """A-10"""
    board = lay_out(fighter(0, 0, 0), fighter(1, 9, 9), phase="move")
    after = decide(board, Move(0, 3, 2))
    assert (after.fighters[0].x, after.fighters[0].y) == (3, 2)


def test_a_way_ends_where_there_is_no_further_cell() -> None:
    """A-9: a fighter in a corner behind enemies reaches the one free cell beside it, with any movement."""
    walled = [fighter(1, x, y) for x, y in ((1, 0), (1, 1), (1, 2), (0, 2))]
    board = lay_out(fighter(0, 0, 0, movement=9), *walled, phase="move")
    assert position.reachable_cells(board, board.fighters[0], 9, frozenset()) == {(0, 1)}


def test_of_two_hits_on_two_wounds_one_takes_a_wound_and_one_injures() -> None:
    """A-16: the second hit takes the last wound, which the injury replaces."""
    resolution = Resolution(duel(target={"wounds": 2}), NumberDice((1, 20)))
    attacks._wound(resolution, 0, resolution.fighter(1), [15, 12])
    (lost,) = [event for event in resolution.events if isinstance(event, events.WoundsLost)]
    assert (lost.wounds, lost.reasons[0].numbers) == (1, {"wounds": 1})
    (injured,) = [event for event in resolution.events if isinstance(event, events.FighterInjured)]
    assert injured.value == 12


def test_nothing_declared_takes_nobody_out() -> None:
    """A-16"""
    board = duel()
    assert odds.removal_chance(board, board.fighters[0], board.fighters[1], ()) == 0


def test_slots_are_not_dropped_while_a_fighter_attacks() -> None:
    """A-14: fighter 1 is stunned, but fighter 0 is still at it; without a combat there are no slots."""
    board = duel(target={"status": "stunned"})
    for fought in (CombatState(0, (1,), 0), None):
        resolution = Resolution(replace(board, combats=((0, 1),), combat=fought), NumberDice(()))
        combat.drop_lost_slots(resolution)
        assert resolution.events == []


def test_a_fighter_whose_targets_have_left_loses_its_slot() -> None:
    """A-14: the only enemy in contact has withdrawn before the attack."""
    board = lay_out(fighter(0, 4, 4), fighter(1, 5, 4), fighter(2, 9, 9), combats=((0, 1),))
    gone = replace(board.fighters[1], status="withdrawn")
    board = replace(board, fighters=(board.fighters[0], gone, board.fighters[2]), combat=CombatState(0, (), 0))
    resolution = Resolution(board, NumberDice(()))
    turns.play_on(resolution)
    (lost,) = [event for event in resolution.events if isinstance(event, events.SlotLost)]
    assert (lost.fighter, lost.reasons[0].rule) == (0, "A-14")
