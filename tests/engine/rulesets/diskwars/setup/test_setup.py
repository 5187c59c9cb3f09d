"""A match until its first round: initiative, first player, deployment (R3)."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import setup
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import QUICK_SETTINGS
from tests.engine.rulesets.diskwars.positions import ScriptedFaces, ScriptedMatchDice, ScriptedPosition
from tests.engine.rulesets.diskwars.setup_positions import with_unspent_points

ARMIES = ("chaos-patrol", "empire-patrol")
INCH = 25400


def rules(*spare: int) -> Diskwars:
    """Return the core pack, its armies with these unspent points by seat."""
    return Diskwars(with_unspent_points(core_pack(), ARMIES, spare or (0, 0)))


def start_setup(dice: Sequence[ScriptedFaces], *spare: int) -> ScriptedPosition:
    """Both armies have rolled for initiative."""
    chance = ScriptedMatchDice(dice, 1)
    outcome = rules(*spare).start(QUICK_SETTINGS, [a.Loadout(name) for name in ARMIES], chance)
    chance.finish()
    return ScriptedPosition(outcome.board, tuple(outcome.events))


def deploying_position() -> ScriptedPosition:
    """Seat 0 is first player, so seat 1 deploys first."""
    return start_setup([(6, 1)]).answer(a.ChooseFirstPlayer(0))


def example_action(table: ScriptedPosition) -> a.Deploy:
    action = table.options().parametric[0].example
    assert isinstance(action, a.Deploy)
    return action


# ---------------------------------------------------------------- what is on the table


def test_every_figure_in_use_is_in_the_first_event() -> None:
    """R2.8: the armies are open; so are the field, the die, all cards and the zones."""
    table = start_setup([(6, 1)])
    first = table.events[0]
    assert isinstance(first, e.MatchStarted)
    catalogue = core_pack()
    assert (first.field, first.battle_die) == (catalogue.field, catalogue.battle_die)
    for seat, name in enumerate(ARMIES):
        own = [first.profiles[owned.profile] for owned in first.disks if owned.seat == seat]
        assert own == [catalogue.disks[disk] for disk in catalogue.armies[name].disks]


def test_two_players_have_opposite_edges_and_zones_as_deep_as_medium_range() -> None:
    """R3.1, R3.4.2"""
    near, far = start_setup([(6, 1)]).board.zones
    assert near.x0 == far.x0 == 6 * INCH
    assert near.x1 == far.x1 == 30 * INCH
    assert (near.seat, near.y0, near.y1) == (0, 0, 6 * INCH)
    assert (far.seat, far.y0, far.y1) == (1, 30 * INCH, 36 * INCH)


def test_a_hand_holds_the_cards_of_its_army() -> None:
    """R2.6"""
    table = start_setup([(6, 1)])
    for side, name in zip(table.board.sides, ARMIES, strict=True):
        assert (side.hand, side.card_count) == (core_pack().armies[name].hand, 2)


# ---------------------------------------------------------------- initiative


def test_unspent_points_are_added_to_the_roll() -> None:
    """R3.2: 2 and 5 are more than 6."""
    table = start_setup([(6, 2)], 0, 5)
    assert table.open_questions == ((1, a.FirstPlayerQuestion()),)
    (event,) = table.events_of_type(e.InitiativeRolled)
    assert event.rolls == (e.InitiativeRoll(0, 6, 0), e.InitiativeRoll(1, 2, 5))
    assert (event.dice.results, event.highest) == ((6, 2), (1,))


def test_those_who_tie_roll_again() -> None:
    """R3.2"""
    table = start_setup([(3, 1), (4, 2), (2, 5)], 0, 2)
    assert [roll.highest for roll in table.events_of_type(e.InitiativeRolled)] == [(0, 1), (0, 1), (1,)]


def test_only_those_who_tie_for_the_highest_roll_again() -> None:
    """R3.2, R-69: of three, the one who is behind does not."""
    chance = ScriptedMatchDice([(3, 4, 1), (2, 3), (6, 1)], 1)
    resolution = Resolution(start_setup([(6, 1)]).board, chance)
    assert setup._roll_initiative(resolution, [2, 1, 0]) == 0
    rolled = [event for event in resolution.events if isinstance(event, e.InitiativeRolled)]
    assert [tuple(roll.seat for roll in event.rolls) for event in rolled] == [
        (0, 1, 2),
        (0, 1),
        (0, 1),
    ]


@pytest.mark.parametrize("first", [0, 1])
def test_the_winner_of_the_roll_says_who_is_first_and_the_last_player_deploys_first(first: int) -> None:
    """R3.2, R3.6, R19.4, R19.9"""
    table = start_setup([(1, 6)]).answer(a.ChooseFirstPlayer(first), seat=1)
    assert table.board.order == (first, 1 - first)
    assert table.tasks == (t.DeploymentTask((1 - first, first)), t.SetupStepTask("scouts"), t.RoundTask(1))
    assert table.open_questions[0][0] == 1 - first
    table = table.answer(example_action(table))
    assert table.open_questions[0][0] == first


# ---------------------------------------------------------------- deployment


def test_a_zone_takes_as_many_disks_as_its_value_and_the_rest_is_the_reserve() -> None:
    """R3.6, R3.6.5: six disks, five of them on the field."""
    table = deploying_position()
    assert table.question(a.DeploymentQuestion).zone_limits == (a.ZoneLimit(1, 5),)
    table = table.answer(example_action(table))
    places = [disk.place for disk in table.board.disks if disk.seat == 1]
    assert (places.count("battlefield"), places.count("reserve")) == (5, 1)


@pytest.mark.parametrize("left_out", [1, 2])
def test_too_few_disks_are_refused(left_out: int) -> None:
    """R3.6"""
    table = deploying_position()
    refusal = table.expect_illegal(a.Deploy(example_action(table).disks[:-left_out]))
    assert (refusal.code, refusal.rule, refusal.place) == ("wrong_count", "R3.6", "$.action.disks")


def test_too_many_disks_are_refused() -> None:
    """R3.6"""
    table = deploying_position()
    placings = example_action(table).disks
    spare = (
        {disk.id for disk in table.board.disks if disk.seat == 1} - {placement.disk for placement in placings}
    ).pop()
    refusal = table.expect_illegal(a.Deploy((*placings, a.Placement(spare, 18 * INCH, 33 * INCH))))
    assert (refusal.code, refusal.rule) == ("wrong_count", "R3.6")


def test_an_army_smaller_than_the_value_of_its_zone_is_deployed_whole() -> None:
    """R3.6.1"""
    table = deploying_position()
    disks = tuple(
        replace(disk, place="casualty") if disk.seat == 1 and disk.id > 8 else disk for disk in table.board.disks
    )
    table = ScriptedPosition(replace(table.board, disks=disks))
    assert table.question(a.DeploymentQuestion) == a.DeploymentQuestion((a.ZoneLimit(1, 5),), 3)
    assert len(example_action(table).disks) == 3
    assert len(table.answer(example_action(table)).events_of_type(e.DisksDeployed)) == 1


def test_disks_may_be_placed_on_own_disks_and_the_later_lies_higher() -> None:
    """R3.6.2, R3.6.6: they pin each other, and nothing is triggered."""
    table = deploying_position()
    placings = tuple(a.Placement(disk.disk, 18 * INCH, 33 * INCH) for disk in example_action(table).disks)
    table = table.answer(a.Deploy(placings))
    heights = [table.board.disks[placement.disk].z for placement in placings]
    assert heights == sorted(heights)
    (event,) = table.events_of_type(e.DisksDeployed)
    assert set(event.pins_gained) == {e.Pin(upper.disk, lower.disk) for lower, upper in pairwise(placings)}
    assert table.event_names() == ["DisksDeployed"]


def test_every_hero_has_to_be_deployed() -> None:
    """R3.6.4"""
    table = deploying_position()
    placings = example_action(table).disks
    hero = next(n for n, placement in enumerate(placings) if table.board.profile(placement.disk).kind == "hero")
    spare = (
        {disk.id for disk in table.board.disks if disk.seat == 1} - {placement.disk for placement in placings}
    ).pop()
    swapped = [*placings[:hero], a.Placement(spare, 18 * INCH, 33 * INCH), *placings[hero + 1 :]]
    refusal = table.expect_illegal(a.Deploy(tuple(swapped)))
    assert (refusal.code, refusal.rule, refusal.place) == ("not_legal", "R3.6.4", "$.action.disks")


def test_a_disk_lies_wholly_inside_an_own_zone() -> None:
    """R3.6: in the field but half out of the zone, and in the enemy's zone."""
    table = deploying_position()
    placings = example_action(table).disks
    for x, y in ((18 * INCH, 30 * INCH), (18 * INCH, 3 * INCH), (3 * INCH, 33 * INCH)):
        moved = (a.Placement(placings[0].disk, x, y), *placings[1:])
        refusal = table.expect_illegal(a.Deploy(moved))
        assert (refusal.code, refusal.rule, refusal.place) == ("outside_zone", "R3.6", "$.action.disks[0]")


def test_nobody_can_lie_on_an_enemy_at_deployment() -> None:
    """R3.6.3: zones of enemies do not meet, so a place in the own zone never overlaps an enemy."""
    table = deploying_position()
    near, far = table.board.zones
    assert near.y1 + 2 * 38100 < far.y0


def test_when_all_have_deployed_round_1_begins_with_the_choice_of_cards() -> None:
    """R3.7, R4.1"""
    table = deploying_position()
    table = table.answer(example_action(table))
    table = table.answer(example_action(table))
    assert table.event_names() == ["DisksDeployed", "RoundBegan", "PhaseBegan"]
    assert (table.board.round, table.board.phase) == (1, "activation")
    assert [type(ask) for _, ask in table.open_questions] == [a.CommandCardQuestion, a.CommandCardQuestion]


def test_a_game_that_begins_is_to_have_five_rounds() -> None:
    """R4.1"""
    assert deploying_position().board.rounds == 5


def test_the_ready_made_deployment_stands_side_by_side_in_the_front_of_the_zone() -> None:
    """R3.6: no disk is on another, and no player has to flip through their own zone first."""
    table = deploying_position()
    for _ in range(2):
        (seat, ask), placings = table.open_questions[0], example_action(table).disks
        assert isinstance(ask, a.DeploymentQuestion)
        zone = table.board.zones[ask.zone_limits[0].zone]
        for placement in placings:
            radius = table.board.profile(placement.disk).radius
            assert placement.y == (zone.y1 - radius if seat == 0 else zone.y0 + radius)
        table = table.answer(a.Deploy(placings))
    assert table.pins == set()


def test_on_a_narrow_field_the_ready_made_deployment_still_lies_in_the_zone() -> None:
    """R3.6.2: disks may lie on each other."""
    table = deploying_position()
    zones = tuple(replace(zone, x0=12 * INCH, x1=15 * INCH) for zone in table.board.zones)
    table = ScriptedPosition(replace(table.board, zones=zones))
    (option,) = table.options().parametric
    (deployed,) = table.answer(example_action(table)).events_of_type(e.DisksDeployed)
    assert option.pins == tuple(sorted({pin.bottom for pin in deployed.pins_gained})) != ()
    assert set(option.pins) <= set(option.covers) < set(option.disks)


def test_the_ready_made_deployment_says_that_it_covers_nothing_where_there_is_room() -> None:
    """R3.6.2"""
    (option,) = deploying_position().options().parametric
    assert (option.covers, option.pins) == ((), ())
