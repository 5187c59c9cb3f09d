"""The rules of the pit that the worked examples leave out: the turn, the order of a combat, declarations, the end."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_content.rule_register import load_register
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.pit import combat, improvements, turns
from diskwars_engine.rulesets.pit.resolution import Resolution
from diskwars_engine.rulesets.pit.scenario import RING_CELLS, starting_event
from diskwars_protocol.match.tasks import BattleTask, ScenarioArea
from diskwars_protocol.rulesets.pit import checks, position
from diskwars_protocol.rulesets.pit.actions import (
    Attack,
    ChooseCombat,
    ChooseFighter,
    ChooseTarget,
    Concede,
    DeclareAttacks,
    EndPhase,
    Engage,
    Move,
    PitLoadout,
    PitSettings,
)
from diskwars_protocol.rulesets.pit.board import CombatState, PitBoard, fold
from diskwars_protocol.rulesets.pit.events import Check, DefenceRolled, TurnBegan
from diskwars_protocol.rulesets.pit.stats import PitScenario
from tests.engine.rulesets.number_dice import NumberDice
from tests.engine.rulesets.pit.pit_positions import (
    PIT,
    decide,
    duel,
    fighter,
    finish,
    lay_out,
    strike,
    tags,
)
from tests.rows import each_row
from tests.rulesets.matches import played


def refusal(board: PitBoard, action: Any) -> Illegal:
    """Return why an answer to the open question is refused."""
    ((seat, question),) = PIT.questions(board)
    with pytest.raises(Illegal) as refused:
        PIT.decide(board, seat, question, action, NumberDice())
    return refused.value


def tags_of(event: Any) -> str:
    return str(event.__struct_config__.tag)


def question_of(board: PitBoard) -> tuple[int, str]:
    ((seat, question),) = PIT.questions(board)
    return seat, str(question.__struct_config__.tag)


def limits_of(board: PitBoard, number: int) -> Any:
    """Return what is offered to one fighter; None if nothing is."""
    ((seat, question),) = PIT.questions(board)
    options = PIT.options(board, seat, question).parametric
    return next((limits for limits in options if limits.fighter == number), None)


def kept_out(board: PitBoard) -> dict[int, str]:
    """Return the rule that keeps each fighter out."""
    ((seat, question),) = PIT.questions(board)
    return {entry.fighter: f"{entry.rule} {entry.text}" for entry in PIT.unavailable(board, seat, question)}


# ---------------------------------------------------------------- the beginning


def test_order_of_turns_is_rolled_and_equal_dice_roll_again() -> None:
    """A-0: 7, 12, 12: the two twelves roll again, 3 and 9."""
    dice = NumberDice([7, 12, 12, 3, 9])
    board = PIT.start(PitSettings(), [PitLoadout()] * 3, dice).board
    dice.finish()
    assert board.order == (2, 1, 0)


def test_nobody_engages_in_the_first_turn_of_the_match() -> None:
    """A-9: the first question is about moving."""
    board = PIT.start(PitSettings(), [PitLoadout()] * 2, NumberDice([12, 7])).board
    assert (board.round, board.phase, board.is_first_turn) == (1, "move", True)
    board = decide(board, EndPhase())
    assert not board.is_first_turn


@pytest.mark.parametrize(("scenario", "sizes", "losses"), [("the-pit", (5, 5), (3, 3)), ("grave-pit", (5, 7), (3, 4))])
def test_bands_of_both_scenarios_stand_where_they_begin(scenario: Any, sizes: Any, losses: Any) -> None:
    """A-0: five fighters a side, and seven of the dead; A-7: half of them make a side check morale."""
    event = starting_event(PIT.content, PitSettings(scenario), 2)
    cells = [(fighter.seat, fighter.x, fighter.y) for fighter in event.fighters]
    rows = (1, 3, 5, 7, 9, 4, 6)
    assert cells == [(seat, (1, 10)[seat], y) for seat in (0, 1) for y in rows[: sizes[seat]]]
    assert event.rout_losses == losses


@pytest.mark.parametrize("scenario", list(PIT.content.scenarios))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_scenario_has_a_cell_for_everybody(scenario: Any, seats: int) -> None:
    """A-0: nobody is in the cell of another, in a wall or off the field, however many play."""
    event = starting_event(PIT.content, PitSettings(scenario), seats)
    cells = {(one.x, one.y) for one in event.fighters}
    assert len(cells) == len(event.fighters)
    assert all(0 <= x < event.width and 0 <= y < event.height for x, y in cells)
    assert not any(w.x0 <= x <= w.x1 and w.y0 <= y <= w.y1 for w in event.walls for x, y in cells)


@pytest.mark.parametrize("seats", [3, 4])
def test_largest_bands_of_a_pack_have_a_cell_each_on_the_open_square(seats: int) -> None:
    """A-0: a scenario with places for two may have more fighters than two lines of it, and be played by four."""
    places = tuple(tuple((x, y) for y in range(len(RING_CELLS))) for x in (0, 1))
    scenario = PitScenario("host", "Host", (("brawler",) * len(RING_CELLS),), 20, 20, 12, places=places)
    event = starting_event(replace(PIT.content, scenarios={"host": scenario}), PitSettings("host"), seats)
    cells = {(one.x, one.y) for one in event.fighters}
    assert len(cells) == len(event.fighters) == seats * len(RING_CELLS)
    assert all(0 <= x < event.width and 0 <= y < event.height for x, y in cells)


def test_scenario_that_the_pack_does_not_have_is_refused() -> None:
    """A-0: scenarios are content, so the rules know which there are."""
    unknown: Any = "sand-pit"
    with pytest.raises(Illegal) as refused:
        PIT.complete_loadout(PitSettings(unknown), PitLoadout())
    assert (refused.value.code, refused.value.place) == ("bad_settings", "$.settings.scenario")
    assert "the-pit, grave-pit" in refused.value.text
    assert [scenario.id for scenario in PIT.catalogue().scenarios] == list(PIT.content.scenarios)


def test_scenario_says_how_large_the_field_is_and_who_stands_where() -> None:
    """A-0: with more players than it has places for, they stand along the edges, without walls and task."""
    scenario = PIT.content.scenarios["the-gate"]
    event = starting_event(PIT.content, PitSettings("the-gate"), 2)
    assert (event.width, event.height, event.rounds) == (scenario.width, scenario.height, scenario.rounds)
    assert (event.walls, event.task) == (scenario.walls, scenario.task)
    cells = tuple(tuple((one.x, one.y) for one in event.fighters if one.seat == seat) for seat in (0, 1))
    assert cells == scenario.places
    more = starting_event(PIT.content, PitSettings("the-pit"), 3)
    assert (more.width, more.height, more.walls, more.task) == (12, 12, (), None)


def test_nobody_walks_into_a_wall_or_through_it() -> None:
    """A-24: a wall across the whole field leaves one side of it."""
    wall = ScenarioArea(6, 0, 6, 11)
    board = lay_out(fighter(0, 4, 4), fighter(1, 9, 9), phase="move", walls=(wall,))
    cells = {cell for _, cell in turns.moves(board)}
    assert (5, 4) in cells
    assert not any(x >= 6 for x, _ in cells)
    assert any(x > 6 for x, _ in {cell for _, cell in turns.moves(replace(board, walls=()))})
    assert refusal(board, Move(0, 6, 4)).rule == "A-10"
    assert PIT.check(replace(board, walls=(ScenarioArea(4, 4, 4, 4),))) == ["a fighter is in a wall"]


ZONE = ScenarioArea(0, 0, 3, 11)
BREAK = BattleTask("break_through", zone=ZONE, count=2)
RESCUE = BattleTask("rescue", zone=ZONE, piece=1)


@each_row(
    ("task", "states", "phase", "winners"),
    [
        (BREAK, ({"x": 1}, {"x": 2}), "move", (0,)),
        (BREAK, ({"x": 1}, {"x": 5}), "move", None),
        (BREAK, ({"x": 1}, {"x": 2, "status": "dazed"}), "move", None),
        (BREAK, ({"x": 1}, {"x": 2, "y": 9}), "move", None),  # an enemy is beside that one
        (BREAK, ({"x": 1}, {"x": 5}), "over", (1,)),
        (RESCUE, ({"x": 5}, {"x": 2}), "move", (0,)),
        (RESCUE, ({"x": 2}, {"x": 5}), "move", None),
        (RESCUE, ({"x": 2}, {"x": 5, "status": "incapacitated"}), "move", (1,)),
        (BattleTask("last_stand", count=2), ({"x": 5}, {"x": 6}), "over", (0,)),
        (BattleTask("last_stand", count=2), ({"x": 5}, {"x": 6, "status": "incapacitated"}), "move", (1,)),
        (BattleTask("hold", zone=ZONE), ({"x": 1}, {"x": 2, "y": 9}), "over", (0,)),
        (BattleTask("hold", zone=ZONE), ({"x": 1, "status": "stunned"}, {"x": 9}), "over", (1,)),
        (BattleTask("hold", zone=ZONE), ({"x": 1}, {"x": 2}), "move", None),
    ],
)
def test_task_of_a_scenario_decides(task: Any, states: Any, phase: Any, winners: Any) -> None:
    """A-25: the enemy is at 3, 10, in the place of the task."""
    own = [fighter(0, **{"y": 2 + 2 * place, **state}) for place, state in enumerate(states)]
    result = PIT.result(lay_out(*own, fighter(1, 3, 10), phase=phase, task=task))
    if winners is None:
        assert result is None or result.end_reason == "round_limit"
        return
    assert result is not None
    assert result.winners == winners
    assert result.end_reason in ("task_done", "task_failed")
    assert [reason.rule for reason in result.reasons] == ["A-25"]


# ---------------------------------------------------------------- checks


def test_natural_1_fails_with_any_modifier() -> None:
    """A-1: 1 and the pike's 7 do not hit Mel 8."""
    assert tags(strike(duel("pike", melee=8), [1])) == ["melee_rolled", "target_resolved"]


def test_advantage_and_disadvantage_cancel() -> None:
    """A-2: a staggered fighter rolls one die against a dazed one."""
    resolution = strike(duel("dagger", status="staggered", target={"status": "dazed"}), [13])
    assert resolution.events[0].checks[0].faces == (13,)


def test_a_fighter_without_a_weapon_has_disadvantage_unless_it_has_claws() -> None:
    """A-3."""
    assert strike(duel(unarmed=True), [18, 9]).events[0].checks[0].kept == 9
    assert strike(duel(natural_weapons=True), [9]).events[0].checks[0].kept == 9


@each_row(
    ("face", "modifier", "needed", "is_passed"),
    [(10, 2, 12, True), (10, 2, 13, False), (10, -2, 9, False), (2, 0, 2, True), (1, 9, 2, False), (20, -9, 20, True)],
)
def test_check_passes_at_its_target_number(face: int, modifier: int, needed: int, is_passed: bool) -> None:
    """A-1"""
    assert checks.judge((face,), modifier, needed, 0) == Check((face,), face, needed, is_passed, modifier)


@each_row(
    ("figures", "expected"),
    [
        ({"defence": 12, "shield": "shield"}, (12, 4)),
        ({"defence": None, "shield": "shield"}, (17, 0)),
        ({"defence": None, "armour": "light"}, (20, 0)),
        ({"defence": None, "armour": "fine"}, (18, 0)),
        ({"defence": None, "armour": "heavy", "shield": "tower_shield"}, (13, 0)),
        ({"defence": None}, (None, 0)),
    ],
    ids=str,
)
def test_shield_adds_to_the_roll_or_makes_a_defence(figures: dict[str, Any], expected: tuple[int | None, int]) -> None:
    """A-4"""
    board = duel(target=figures)
    assert checks.defence_needed(board, board.fighters[1]) == expected


@pytest.mark.parametrize(("printed", "moved"), [(5, 3), (6, 3)])
def test_staggered_fighter_moves_half_as_far_rounded_up(printed: int, moved: int) -> None:
    """A-8"""
    board = lay_out(fighter(0, 0, 0, movement=printed, status="staggered"), fighter(1, 4, 0))
    assert position.movement(board, board.fighters[0]) == moved


def test_a_staggered_target_defends_with_disadvantage() -> None:
    """A-8."""
    resolution = strike(duel("dagger", target={"status": "staggered"}), [15, 19, 4])
    assert resolution.fighter(1).status == "stunned"


@each_row(("armour", "bonus"), [("light", 1), ("heavy", 2), ("fine", 3)])
def test_armour_is_added_to_the_defence(armour: str, bonus: int) -> None:
    """A-4."""
    resolution = strike(duel("dagger", target={"armour": armour}), [14, 18 - bonus])
    assert resolution.fighter(1).status == "ok"


@each_row(("armour", "needed"), [("light", 20), ("heavy", 19), ("fine", 18)])
def test_armour_gives_a_defence_to_one_without_and_adds_nothing_to_the_roll(armour: str, needed: int) -> None:
    """A-4: each point is one "+1"; the first makes Def 20."""
    board = duel("dagger", target={"defence": None, "armour": armour})
    if needed < 20:  # a natural 20 passes in any case
        assert strike(board, [14, needed]).fighter(1).status == "ok"
    resolution = strike(board, [14, needed - 1])
    assert resolution.fighter(1).status == "dazed"
    (check,) = next(event for event in resolution.events if isinstance(event, DefenceRolled)).checks
    assert (check.needed, check.modifier) == (needed, 0)


def test_the_melee_modifier_of_a_weapon_does_not_count_in_its_injury() -> None:
    """A-6: 9 and 5 of the great sword hit, and 9 and 3 daze; 17 would stun."""
    assert strike(duel("great-sword"), [9, 2]).fighter(1).status == "dazed"


def test_injury_values_above_20_read_as_20() -> None:
    """A-6: 19 and the great hammer's 7."""
    assert strike(duel("great-hammer"), [19, 2]).fighter(1).status == "incapacitated"


# ---------------------------------------------------------------- upkeep


def routed(dice: list[int], **figures: Any) -> Resolution:
    """Begin the turn of a side that has lost as much as it may."""
    board = lay_out(fighter(0, 1, 1, **figures), fighter(1, 10, 10), fighter(1, 10, 8), phase="upkeep")
    resolution = Resolution(replace(board, seats=(replace(board.seats[0], losses=1), board.seats[1])), NumberDice(dice))
    turns.check_rout(resolution, 0)
    finish(resolution)
    return resolution


def test_rout_check_takes_the_best_morale_of_heroes_who_are_down_too() -> None:
    """A-7: a stunned leader with Mrl 7 passes with 7, and may concede."""
    resolution = routed([7], rank="leader", morale=7, status="stunned")
    assert question_of(resolution.board) == (0, "concession")
    assert PIT.result(decide(resolution.board, Concede(True))) is not None
    assert PIT.result(decide(resolution.board, Concede(False))) is None


def test_failed_rout_check_takes_the_side_off_the_field() -> None:
    """A-7."""
    board = routed([6], rank="hero", morale=7).board
    assert board.seats[0].withdrawn
    result = PIT.result(board)
    assert result is not None
    assert (result.winners, result.end_reason) == ((1,), "last_side")


def test_side_without_heroes_is_routed_without_a_die() -> None:
    """A-7."""
    assert tags(routed([]))[:2] == ["morale_checked", "seat_withdrew"]


# ---------------------------------------------------------------- engaging and moving


def test_engaging_goes_one_and_a_half_times_as_far() -> None:
    """A-9: with Mov 5 seven cells, to the cells beside an enemy and no others."""
    board = lay_out(fighter(0, 0, 0, movement=5), fighter(1, 8, 0), fighter(0, 8, 3), phase="engage")
    cells = {(cell.x, cell.y) for cell in limits_of(board, 0).cells}
    assert cells == {(7, 0), (7, 1)}
    assert refusal(board, Engage(0, 6, 0)).rule == "A-9"
    after = decide(board, Engage(0, 7, 1))
    assert (after.fighters[0].x, after.fighters[0].y) == (7, 1)


def test_a_staggered_fighter_engages_one_and_a_half_times_its_halved_movement() -> None:
    """A-9, A-8: Mov 5 is halved to 3 first, which makes four cells; half of seven would be three."""
    board = lay_out(
        fighter(0, 0, 0, movement=5, status="staggered"), fighter(1, 5, 0), fighter(0, 11, 11), phase="engage"
    )
    cells = {(cell.x, cell.y) for cell in limits_of(board, 0).cells}
    assert cells == {(4, 0), (4, 1)}


def test_paths_lead_past_friends_who_are_free_and_never_past_enemies() -> None:
    """A-9: a row of others closes the way of a fighter in the corner, unless they are friends who stand free."""
    wall = [(1, 0), (1, 1), (0, 1)]

    def cells(seat: int, **state: Any) -> set[tuple[int, int]]:
        board = lay_out(fighter(0, 0, 0), *(fighter(seat, x, y, **state) for x, y in wall), fighter(1, 11, 11))
        return position.reachable_cells(board, board.fighters[0], 2, position.cells_beside_enemies(board, 0))

    assert (2, 2) in cells(0)
    assert cells(0, status="dazed") == set()
    assert cells(1) == set()


def test_nobody_engages_who_is_down_or_held_or_out_of_reach() -> None:
    """A-9: and each for its own reason."""
    board = lay_out(
        fighter(0, 0, 0, movement=1),
        fighter(0, 4, 4),
        fighter(0, 8, 8, status="dazed"),
        fighter(0, 6, 8),
        fighter(1, 5, 4),
        phase="engage",
    )
    reasons = kept_out(board)
    assert reasons == {
        0: "A-9 it reaches no enemy",
        1: "A-9 it is engaged already",
        2: "A-9 a dazed or stunned fighter does not engage",
    }
    assert refusal(board, Engage(2, 6, 4)).text == "a dazed or stunned fighter does not engage"


def test_moves_end_beside_no_enemy_and_staggered_fighters_go_half_as_far() -> None:
    """A-8, A-10: Mov 5 becomes 3."""
    board = lay_out(fighter(0, 0, 0, movement=5, status="staggered"), fighter(1, 4, 0), phase="move")
    cells = {(cell.x, cell.y) for cell in limits_of(board, 0).cells}
    assert (2, 3) in cells
    assert (3, 3) in cells
    assert (4, 0) not in cells
    assert not {(3, 0), (3, 1)} & cells
    assert refusal(board, Move(0, 3, 0)).rule == "A-10"


def test_dazed_fighter_steps_away_only_if_each_enemy_is_held_by_another() -> None:
    """A-10."""
    alone = lay_out(fighter(0, 4, 4, status="dazed"), fighter(1, 5, 4), fighter(0, 0, 0), phase="move")
    assert limits_of(alone, 0) is None
    assert kept_out(alone)[0] == "A-10 an enemy that touches it has no other target"
    helped = lay_out(fighter(0, 4, 4, status="dazed"), fighter(1, 5, 4), fighter(0, 6, 4), phase="move")
    cells = {(cell.x, cell.y) for cell in limits_of(helped, 0).cells}
    assert cells == {(3, 3), (3, 4), (3, 5)}
    for status in ("dazed", "stunned"):  # a friend that is down holds nobody
        friend = fighter(0, 6, 4, status=status)
        down = lay_out(fighter(0, 4, 4, status="dazed"), fighter(1, 5, 4), friend, fighter(0, 0, 0), phase="move")
        assert limits_of(down, 0) is None, status


def test_dazed_fighter_held_by_one_enemy_alone_stays_even_if_another_holds_the_friend() -> None:
    """A-10: each enemy has to touch another; of two enemies one does."""
    friend, bystander = fighter(0, 6, 3), fighter(0, 0, 0)
    board = lay_out(
        fighter(0, 4, 4, status="dazed"), fighter(1, 5, 4), fighter(1, 5, 5), friend, bystander, phase="move"
    )
    assert limits_of(board, 0) is None


def test_fighter_that_has_acted_neither_engages_nor_moves_again() -> None:
    """A-9, A-10: also one that touches nobody and reaches an enemy."""
    for phase in ("engage", "move"):
        board = lay_out(fighter(0, 0, 0, has_acted=True), fighter(1, 4, 0), fighter(0, 0, 2), phase=phase)
        assert limits_of(board, 0) is None, phase
        assert limits_of(board, 2) is not None, phase


def test_only_the_staggered_of_the_seat_whose_turn_ends_are_well_again() -> None:
    """A-8: at the end of their own turn, not of another's."""
    board = lay_out(
        fighter(0, 0, 0, status="staggered"), fighter(1, 9, 9, status="staggered"), fighter(1, 9, 0), phase="move"
    )
    after = decide(board, EndPhase())
    assert [member.status for member in after.fighters] == ["ok", "staggered", "ok"]


def test_reason_why_a_stunned_fighter_does_not_move_is_listed() -> None:
    """A-10."""
    board = lay_out(fighter(0, 4, 4, status="stunned"), fighter(1, 9, 9), fighter(0, 0, 0), phase="move")
    assert kept_out(board)[0] == "A-10 a stunned fighter does not move"


# ---------------------------------------------------------------- melee


def two_combats() -> PitBoard:
    return lay_out(fighter(0, 1, 1), fighter(0, 8, 8), fighter(1, 2, 1), fighter(1, 9, 9), phase="move")


def test_combats_are_fixed_and_fought_in_the_order_that_the_player_likes() -> None:
    """A-11: everybody misses with a 1; the second combat is chosen first."""
    resolution = Resolution(two_combats(), NumberDice())
    turns.begin_melee(resolution)
    assert resolution.board.combats == ((0, 2), (1, 3))
    assert refusal(resolution.board, ChooseCombat(2)).rule == "A-11"
    after = decide(resolution.board, ChooseCombat(1), [9, 3, 1, 1, 9, 3, 1, 1])
    assert after.seat == 1


def test_those_who_engaged_strike_first_then_the_lowest_agility() -> None:
    """A-12: of the others 8 comes before 10; two tens roll, and roll again when equal."""
    board = lay_out(
        fighter(0, 4, 4, has_engaged=True, agility=15),
        fighter(1, 5, 4, agility=10),
        fighter(1, 4, 5, agility=8),
        fighter(1, 3, 4, agility=10),
        fighter(1, 3, 3, agility=1, status="dazed"),
        combats=((0, 1, 2, 3, 4),),
    )
    resolution = Resolution(board, NumberDice([6, 6, 2, 11]))
    combat.begin(resolution, 0)
    finish(resolution)
    assert resolution.board.combat is not None
    assert resolution.board.combat.waiting == (0, 2, 3, 1)


def test_the_order_of_a_combat_follows_the_agility_in_force() -> None:
    """A-12, A-17: of 10 and a printed 12 that a card has improved to 8, the improved one is first."""
    board = lay_out(fighter(0, 4, 4, agility=10), fighter(1, 5, 4, agility=12), combats=((0, 1),))
    improved = replace(board.fighters[1], agility=8)
    resolution = Resolution(replace(board, fighters=(board.fighters[0], improved)), NumberDice())
    combat.begin(resolution, 0)
    assert resolution.board.combat is not None
    assert resolution.board.combat.waiting == (1, 0)


def test_slots_in_a_row_are_taken_in_the_order_that_their_owner_likes() -> None:
    """A-13: fighter 2 attacks before fighter 0; fighter 1, of the other seat, has no say."""
    board = lay_out(fighter(0, 4, 4), fighter(1, 5, 4), fighter(0, 6, 4), combats=((0, 1, 2),))
    board = replace(board, combat=CombatState(0, (0, 2, 1)))
    assert question_of(board) == (0, "fighter")
    assert refusal(board, ChooseFighter(1)).rule == "A-13"
    after = decide(board, ChooseFighter(2), [16, 3])
    assert after.fighters[1].status == "incapacitated"
    assert after.cards_left != board.cards_left


def test_a_fighter_that_is_stunned_before_its_slot_loses_it() -> None:
    """A-14: and stays a target; the combat is over without another die."""
    board = lay_out(fighter(0, 4, 4), fighter(1, 5, 4), fighter(1, 9, 9, rank="leader"), combats=((0, 1),))
    board = replace(board, combat=CombatState(0, (0, 1)))
    resolution = Resolution(board, NumberDice([16, 3]))
    turns.play_on(resolution)
    finish(resolution)
    assert resolution.fighter(1).status in ("stunned", "dazed")  # its own upkeep comes next
    assert "slot_lost" in tags(resolution)


def test_attacks_are_declared_with_each_of_two_weapons() -> None:
    """A-15: Atk 1 and two weapons make two attacks, with the sword and the hammer."""
    board = lay_out(
        fighter(0, 4, 4, "sword", "hammer"),
        fighter(1, 5, 4),
        fighter(1, 9, 9),
        combats=((0, 1),),
        combat=CombatState(0, (), 0),
    )
    assert refusal(board, DeclareAttacks((Attack(1, "sword"),))).numbers == {"attacks": 1, "wanted": 2}
    assert refusal(board, DeclareAttacks((Attack(1, "sword"), Attack(1, "sword")))).rule == "A-15"
    assert refusal(board, DeclareAttacks((Attack(1, "sword"), Attack(1, "pike")))).rule == "A-15"
    after = decide(board, DeclareAttacks((Attack(1, "hammer"), Attack(1, "sword"))), [2, 3])
    assert after.fighters[1].status == "ok"


def test_declared_targets_are_resolved_in_the_order_that_the_attacker_likes() -> None:
    """A-16: the second target first."""
    board = lay_out(fighter(0, 4, 4, attacks=2), fighter(1, 5, 4), fighter(1, 4, 5), combats=((0, 1, 2),))
    board = replace(board, combat=CombatState(0, (), 0))
    board = decide(board, DeclareAttacks((Attack(1, "dagger"), Attack(2, "dagger"))))
    assert question_of(board) == (0, "target")
    assert refusal(board, ChooseTarget(0)).rule == "A-16"
    after = decide(board, ChooseTarget(2), [16, 3, 1])
    assert [fighter.status for fighter in after.fighters] == ["ok", "ok", "dazed"]  # stunned, and then its own upkeep


def test_fewer_hits_than_wounds_only_take_wounds() -> None:
    """A-16."""
    resolution = strike(duel("dagger", target={"wounds": 2}), [16, 3])
    assert (resolution.fighter(1).wounds, resolution.fighter(1).status) == (1, "ok")


# ---------------------------------------------------------------- improvements


def hero(card: int, *more: int, **figures: Any) -> Resolution:
    """Let a hero take out a stunned enemy and draw this card of a full deck."""
    return strike(duel("dagger", rank="hero", target={"status": "stunned"}, **figures), [card, *more])


def test_gained_wounds_count_from_the_next_combat() -> None:
    """A-17: in the combat in which it is gained, a wound does not protect yet."""
    resolution = hero(1)
    assert (resolution.fighter(0).wounds, resolution.fighter(0).new_wounds) == (1, 1)
    combat.begin(resolution, 0)
    assert (resolution.fighter(0).wounds, resolution.fighter(0).new_wounds) == (2, 0)


def drawn(resolution: Resolution) -> list[tuple[str, int]]:
    """Return the cards that were drawn, and of how many each was one."""
    events = [event for event in resolution.events if tags_of(event) == "improvement_drawn"]
    return [(event.card, event.reasons[0].numbers["cards"]) for event in events]


def test_cards_that_do_nothing_for_a_fighter_are_not_drawn() -> None:
    """A-17: three cards of 20 are skills; Atk 3 and a missing Def take one more and two more out."""
    assert drawn(hero(1)) == [("toughness", 17)]
    assert drawn(hero(2, attacks=3)) == [("precision", 16)]
    assert drawn(hero(5, 3, defence=None)) == [("practice", 15)]
    assert improvements.is_at_cap(duel(melee=5).fighters[0], "melee")


@pytest.mark.parametrize(("victim", "cards"), [("henchman", 1), ("hero", 3), ("leader", 4)])
def test_henchman_is_promoted_by_one_of_the_cards_that_do_it(victim: str, cards: int) -> None:
    """A-17: from then on it is a hero, also for a rout check (A-7), and draws as one."""
    board = duel("dagger", target={"status": "stunned", "rank": victim})
    resolution = strike(board, [1] if cards > 1 else [])
    assert resolution.fighter(0).promoted
    assert drawn(resolution) == [("toughness", cards)]
    assert resolution.board.rank(resolution.fighter(0)) == "hero"
    again = strike(duel("dagger", promoted=True, target={"status": "stunned", "rank": victim}), [1])
    assert drawn(again) == [("toughness", 17)]


def test_hero_of_its_own_making_checks_the_morale_of_its_side() -> None:
    """A-7, A-17: a side of henchmen alone fails at once, and one with a promoted henchman rolls."""
    board = lay_out(fighter(0, 1, 1, morale=8, promoted=True), fighter(1, 9, 9))
    resolution = Resolution(board, NumberDice((20,)))
    turns.check_rout(resolution, 0)
    assert resolution.board.may_concede
    plain = Resolution(lay_out(fighter(0, 1, 1, morale=8), fighter(1, 9, 9)), NumberDice(()))
    turns.check_rout(plain, 0)
    assert not plain.board.may_concede


def test_fighter_for_whom_no_card_does_anything_draws_none() -> None:
    """A-17: every figure is at its end."""
    best = {"attacks": 3, "wounds": 3, "pierce": 5, "injury": 5, "defence": None, "melee": 5, "agility": 5, "morale": 5}
    assert drawn(strike(duel("dagger", rank="hero", target={"status": "stunned"}, **best), [])) == []


def test_an_empty_deck_is_shuffled_again() -> None:
    """A-17."""
    board = duel("dagger", target={"status": "stunned"})
    resolution = strike(replace(board, cards_left=(0,) * len(board.deck)), [])
    assert sum(resolution.board.cards_left) == 19


# ---------------------------------------------------------------- the end


def test_resignation_in_the_midst_of_a_combat_drops_attacks_on_the_side_that_left() -> None:
    """A-22: of three sides one goes; its fighters leave, and the combat goes on without them."""
    board = lay_out(
        fighter(0, 4, 4, attacks=2), fighter(1, 5, 4), fighter(2, 4, 5), fighter(2, 9, 9), combats=((0, 1, 2),)
    )
    board = replace(board, combat=CombatState(0, (), 0, (Attack(1, "dagger"), Attack(2, "dagger"))))
    dice = NumberDice([1])
    after = PIT.resign(board, 1, dice).board
    dice.finish()
    assert after.fighters[1].status == "withdrawn"
    assert [state.withdrawn for state in after.seats] == [False, True, False]
    with pytest.raises(Illegal, match="out of the game already"):
        PIT.resign(after, 1, NumberDice())


def test_after_the_last_round_fighters_count_then_wounds_then_nothing() -> None:
    """A-23."""

    def winners(*fighters: Any) -> tuple[tuple[int, ...], str]:
        result = PIT.result(lay_out(*fighters, phase="over"))
        assert result is not None
        return result.winners, result.end_reason

    assert winners(fighter(0, 1, 1), fighter(1, 5, 5), fighter(1, 9, 9)) == ((1,), "round_limit")
    assert winners(fighter(0, 1, 1, wounds=2), fighter(1, 5, 5)) == ((0,), "round_limit")
    assert winners(fighter(0, 1, 1), fighter(1, 5, 5)) == ((), "round_limit")


def test_match_ends_after_twelve_rounds() -> None:
    """A-23: nobody ever engages."""
    board = PIT.start(PitSettings(), [PitLoadout()] * 2, NumberDice([12, 7])).board
    decisions = 0
    while PIT.questions(board):
        board, decisions = decide(board, EndPhase()), decisions + 1
    assert (board.round, board.phase) == (12, "over")
    assert decisions >= 24


# ---------------------------------------------------------------- reasons


@pytest.mark.parametrize("players", [2, 4])
def test_every_outcome_names_rules_of_the_register(players: int) -> None:
    """Announcements have no reasons; all others have some, and each of them is in docs/rules-pit.md."""
    register = load_register().rules
    match = played("pit", players, 1)
    for body in match.bodies:
        for event in body.events:
            for reason in getattr(event, "reasons", ()):
                assert reason.rule in register
    assert match.bodies[-1].result is not None
    assert [reason.rule for reason in match.bodies[-1].result.reasons] == ["A-23"]


def test_folding_needs_a_beginning_and_only_one() -> None:
    event = starting_event(PIT.content, PitSettings(), 2)
    with pytest.raises(ValueError, match="has begun already"):
        fold(fold(None, event), event)
    with pytest.raises(ValueError, match="begins with match_started"):
        fold(None, TurnBegan(0))


@pytest.mark.parametrize(("status", "moves"), [("dazed", False), ("stunned", False), ("ok", True), ("staggered", True)])
def test_dazed_fighter_leaves_an_enemy_only_to_a_friend_who_is_up(status: str, moves: bool) -> None:
    """A-10: beside the enemy stands the other fighter, on the far side."""
    board = lay_out(fighter(0, 4, 4, status="dazed"), fighter(1, 5, 4), fighter(0, 6, 4, status=status), phase="move")
    assert turns.may_move(board, board.fighters[0]) == moves
    assert any(mover.id == 0 for mover, _ in turns.moves(board)) == moves
