"""The rules of close combat that the worked examples leave out: fire, melee and casualties."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.close_quarters import combat
from diskwars_engine.rulesets.close_quarters.resolution import Resolution
from diskwars_protocol.rulesets.close_quarters import checks, position
from diskwars_protocol.rulesets.close_quarters.actions import (
    ChooseUnit,
    ChooseWeapon,
    ConsolidateBy,
    FireAt,
    HoldFire,
    ModelShot,
    PickCasualties,
    Shoot,
    SplitHits,
)
from diskwars_protocol.rulesets.close_quarters.board import CloseQuartersBoard
from tests.engine.rulesets.close_quarters.close_quarters_positions import (
    CLOSE_QUARTERS,
    Squad,
    at_the_end,
    column,
    decide,
    default_of,
    fallen,
    find,
    go_on,
    in_cycle,
    kept_out,
    lay_out,
    options_of,
    outcome,
    question_of,
    refusal,
    rules_of,
    squad,
    status,
    tagged,
    tags,
)
from tests.engine.rulesets.number_dice import NumberDice
from tests.rows import each_row


def after_actions(*squads: Squad, dice: tuple[int, ...] = ()) -> Any:
    """Return what follows when all units of side 0 have acted."""
    board = lay_out(*squads)
    return go_on(replace(board, units=tuple(replace(unit, has_acted=unit.side == 0) for unit in board.units)), dice)


def asked(board: CloseQuartersBoard) -> Any:
    """Return the open question."""
    ((_, question),) = CLOSE_QUARTERS.questions(board)
    return question


# ---------------------------------------------------------------- who is in


@pytest.mark.parametrize(("gap", "is_in"), [(700, True), (701, False)])
def test_units_within_six_inches_of_an_enemy_are_in_combat(gap: int, is_in: bool) -> None:
    """B-6: by any of their models; all in one combat."""
    resolution = after_actions(
        squad(0, (100, 100), (500, 100)),
        squad(1, (500 + gap, 100)),
        squad(0, (100, 1500)),
        squad(1, (800, 1500)),
        squad(0, (2300, 800)),
    )
    assert find(resolution.events, "combat_began").units == ((0, 1, 2, 3) if is_in else (2, 3))


def test_without_units_near_each_other_the_next_turn_begins() -> None:
    """B-6."""
    resolution = after_actions(squad(0, (100, 100)), squad(1, (2300, 100)))
    assert "combat_began" not in tags(resolution.events)
    assert resolution.board.turn == 4


def test_side_whose_turn_it_is_attacks_and_the_roles_swap_each_cycle() -> None:
    """B-6, B-15: attackers consolidate, shoot, fight and consolidate; then the others do."""
    resolution = after_actions(squad(0, (1000, 800)), squad(1, (1300, 800)))
    assert find(resolution.events, "combat_began").attacker == 0
    board = decide(resolution.board, ConsolidateBy("hold"))
    assert board.combat is not None
    assert (board.combat.cycle, board.combat.attacker, question_of(board)) == (1, 0, (0, "consolidation"))
    board = decide(board, ConsolidateBy("hold"))
    assert board.combat is not None
    assert (board.combat.cycle, board.combat.attacker, question_of(board)) == (2, 1, (1, "consolidation"))


def test_with_three_sides_the_attack_passes_to_the_next_that_is_in_the_combat() -> None:
    """B-6: all others defend."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (2300, 1500)), squad(2, (1300, 800)), squad(1, (1300, 1000)))
    resolution = go_on(at_the_end(board, attacker=0))
    assert find(resolution.events, "cycle_began").attacker == 1
    resolution = go_on(at_the_end(board, attacker=0, units=(0, 2)))
    assert find(resolution.events, "cycle_began").attacker == 2
    resolution = go_on(at_the_end(board, attacker=2))
    assert find(resolution.events, "cycle_began").attacker == 0


def test_each_attacking_unit_acts_once_in_the_order_that_its_player_likes() -> None:
    """B-6."""
    board = lay_out(
        squad(0, (1000, 600)), squad(0, (1000, 800)), squad(0, (1000, 1000)), squad(1, (1300, 800)), squad(0, (0, 0))
    )
    board = go_on(at_the_end(board, attacker=1, units=(0, 1, 2, 3))).board
    assert question_of(board) == (0, "next_unit")
    assert options_of(board).actions == (ChooseUnit(0), ChooseUnit(1), ChooseUnit(2))
    assert kept_out(board) == [(4, None, "B-6")]
    assert refusal(board, ChooseUnit(4)).text == "it is not in the combat"
    assert default_of(board) == ChooseUnit(0)
    board = decide(decide(board, ChooseUnit(1)), ConsolidateBy("hold"))
    assert options_of(board).actions == (ChooseUnit(0), ChooseUnit(2))
    assert refusal(board, ChooseUnit(1)).text == "it has acted in this cycle already"
    board = decide(decide(board, ChooseUnit(2)), ConsolidateBy("hold"))
    assert question_of(board) == (0, "consolidation")


def test_players_of_the_attacking_side_follow_each_other() -> None:
    """B-0: each chooses among their own units; with one each no question is asked."""
    board = lay_out(
        squad(0, (1000, 600), seat=2), squad(0, (1000, 800)), squad(1, (1300, 800)), squad(0, (1000, 1000), seat=2)
    )
    board = go_on(at_the_end(board, attacker=1)).board
    assert board.combat is not None
    assert (board.combat.unit, question_of(board)) == (1, (0, "consolidation"))
    board = decide(board, ConsolidateBy("hold"))
    assert question_of(board) == (2, "next_unit")
    assert options_of(board).actions == (ChooseUnit(0), ChooseUnit(3))


# ---------------------------------------------------------------- defensive fire


def test_defending_unit_in_combat_fires_at_one_attacking_unit_within_six_inches() -> None:
    """B-7: another attacker that is farther off is none of its targets."""
    resolution = after_actions(
        squad(0, (600, 800)), squad(0, (590, 100)), squad(1, (1300, 800), gun="long-gun"), squad(1, (1200, 100))
    )
    assert question_of(resolution.board) == (1, "defensive_fire")
    assert options_of(resolution.board).actions == (FireAt(0), HoldFire())
    assert kept_out(resolution.board) == [(1, None, "B-7"), (3, None, "B-7")]
    assert refusal(resolution.board, FireAt(1)).numbers == {"target": 1, "inches": 6}
    assert refusal(resolution.board, FireAt(3)).text == "it is no attacking unit in the combat"
    assert default_of(resolution.board) == FireAt(0)


def outside(**figures: Any) -> Any:
    """Return what follows with a unit of side 1 outside the combat: its leader at 2200, 800, another model nearer."""
    return after_actions(
        squad(0, (1000, 800), (900, 800)),
        squad(1, (1300, 800)),
        squad(1, (2200, 800), (2000, 800), gun="long-gun", **figures),
    )


@pytest.mark.parametrize(("awareness", "asked"), [(11, True), (10, False)])
def test_unit_outside_the_combat_fires_within_awareness_of_its_leader(awareness: int, asked: bool) -> None:
    """B-7: 1200 between centres are 11 inches; the other model is nearer, but no leader."""
    resolution = outside(awareness_inches=awareness)
    assert (question_of(resolution.board) == (1, "defensive_fire")) == asked


def test_refusal_of_a_target_outside_the_combat_names_the_awareness_of_the_leader() -> None:
    """B-7: of two attackers one is within Aw 7 of the leader."""
    resolution = after_actions(
        squad(0, (1000, 800)),
        squad(0, (1000, 100)),
        squad(1, (1300, 800)),
        squad(1, (1690, 560), gun="long-gun", awareness_inches=7),
        squad(1, (1300, 100)),
    )
    assert options_of(resolution.board).actions == (FireAt(0), HoldFire())
    refused = refusal(resolution.board, FireAt(1))
    assert (refused.text, refused.numbers["inches"]) == ("no model of it is within awareness of the leader", 7)


def test_without_its_leader_a_unit_outside_the_combat_does_not_fire() -> None:
    """B-7."""
    assert question_of(outside(has_leader=False).board) == (0, "consolidation")


def test_fire_from_outside_reaches_as_far_as_awareness() -> None:
    """B-8, B-8a: both models fire; only the front one of the target is within range of the nearer of them."""
    resolution = outside(awareness_inches=11, ballistic_skill=3)
    result = outcome(resolution.board, FireAt(0), [4, 4])
    assert [volley.model for volley in find(result.events, "shots_fired").volleys] == [3, 4]
    result = outcome(outside(awareness_inches=11).board, FireAt(0), [1, 6, 1])
    assert find(result.events, "shots_fired").targets[0].eligible == (0, 1)


def test_units_fire_by_number_and_one_that_fell_back_not_at_all() -> None:
    """B-7, B-17."""
    squads = [squad(1, (1300, 600 + 200 * place), gun="long-gun", has_fallen_back=place == 1) for place in range(3)]
    board = lay_out(squad(0, (1000, 800), armour=6), *squads)
    resolution = go_on(replace(board, units=tuple(replace(unit, has_acted=unit.side == 0) for unit in board.units)))
    assert question_of(resolution.board) == (1, "defensive_fire")
    assert kept_out(resolution.board) == [(2, None, "B-17")]
    result = outcome(resolution.board, FireAt(0), [6])
    assert tags(result.events) == ["defensive_fire_declared", "shots_fired"]
    assert asked(result.board).unit == 3
    assert question_of(decide(result.board, HoldFire())) == (0, "consolidation")


def test_reasons_name_the_units_that_give_no_defensive_fire() -> None:
    """B-7."""
    resolution = after_actions(
        squad(0, (1000, 800)),
        squad(1, (1300, 800), gun="long-gun"),
        squad(1, (1300, 1000)),
        squad(1, (1300, 600), gun="long-gun", is_doubled=True),
        squad(1, (2300, 1500), gun="long-gun"),
    )
    ((seat, question),) = CLOSE_QUARTERS.questions(resolution.board)
    found = {entry.unit: entry.text for entry in CLOSE_QUARTERS.unavailable(resolution.board, seat, question)}
    assert found == {
        2: "it has no ranged weapon",
        3: "it moved at the double",
        4: "it has no attacking unit in range",
    }


def test_unit_whose_target_fell_to_others_does_not_fire() -> None:
    """B-7, B-20: no attacker is left in the combat, and it ends."""
    squads = [squad(1, (1300, 800 + 200 * place), gun="long-gun") for place in range(2)]
    resolution = after_actions(squad(0, (1000, 800), armour=0, toughness=0), *squads, squad(0, (100, 100)))
    result = outcome(resolution.board, FireAt(0), [1])
    after = tags(result.events)
    assert after[after.index("models_removed") :][:3] == ["models_removed", "defensive_fire_lost", "combat_ended"]
    assert find(result.events, "combat_ended").reason_kind == "apart"
    assert rules_of(find(result.events, "models_removed")) == ["B-8a"]


@each_row(("gun", "dice"), [("long-gun", 1), ("carbine", 1), ("repeater", 2), ("pistol", 1)])
def test_snap_fire_halves_the_rate_of_fire_but_of_one_handed_weapons(gun: str, dice: int) -> None:
    """B-8: rates 1, 2, 5, and 1 of a one-handed weapon."""
    board = lay_out(squad(0, (1000, 800), gun=gun))
    weapon = board.ranged_weapon(board.units[0])
    assert weapon is not None
    assert checks.snap_dice(weapon) == dice
    assert checks.snap_dice(replace(weapon, one_handed=True)) == weapon.rate_of_fire


def test_dice_of_a_unit_belong_to_its_models_in_their_order() -> None:
    """B-8: two dice each; the first model hits once, the second twice."""
    resolution = after_actions(
        squad(0, (1000, 800), (1000, 860), evasion=3),
        squad(1, (1250, 800), (1250, 860), gun="repeater", ballistic_skill=4),
    )
    fired = find(outcome(resolution.board, FireAt(0), [4, 6, 4, 4, *[6] * 6]).events, "shots_fired")
    assert [(volley.model, volley.dice_count, volley.hits) for volley in fired.volleys] == [(2, 2, 1), (3, 2, 2)]


def test_only_models_in_range_fire_and_only_those_in_their_range_can_fall() -> None:
    """B-8, B-8a, B-1: BS 4 against Ev 3 needs 4; the strength is the weapon's, not the model's."""
    resolution = after_actions(
        squad(0, (1000, 800), (600, 800), evasion=3),
        squad(1, (1300, 800), (1900, 800), gun="carbine", ballistic_skill=4, strength=1),
    )
    result = outcome(resolution.board, FireAt(0), [4, 6, 4, 1, 1])
    fired = find(result.events, "shots_fired")
    assert [(volley.model, volley.dice_count, volley.needed, volley.hits) for volley in fired.volleys] == [(2, 1, 4, 1)]
    assert fired.targets[0].eligible == (0, 1)
    assert [(hit.strength, hit.armour_piercing) for hit in fired.targets[0].hits] == [(4, 3)]
    resolution = after_actions(squad(0, (1000, 800), (500, 800)), squad(1, (1300, 800), gun="carbine"))
    result = outcome(resolution.board, FireAt(0), [3, 6, 4])
    assert find(result.events, "shots_fired").targets[0].eligible == (0,)
    assert fallen(result.board) == [0]


def test_suppressed_unit_that_passes_fires_and_keeps_its_markers() -> None:
    """B-7."""
    resolution = after_actions(squad(0, (1000, 800)), squad(1, (1300, 800), gun="carbine", markers=2))
    result = outcome(resolution.board, FireAt(0), [6, 3, 6])
    assert tags(result.events)[:3] == ["defensive_fire_declared", "leadership_tested", "shots_fired"]
    assert rules_of(find(result.events, "leadership_tested")) == ["B-7", "B-3"]
    assert status(result.board, 1) == (2, 0)


# ---------------------------------------------------------------- shooting in a cycle


def shooting(**target: Any) -> CloseQuartersBoard:
    """Return a board on which unit 0 shoots: one of its three models touches an enemy of unit 1.

    Unit 1 has models at 1100 (engaged), 1250 and 1750; unit 2 is above.
    """
    board = lay_out(
        squad(0, (1000, 800), (900, 680), (900, 920), gun="pistol", ballistic_skill=3),
        squad(1, (1100, 800), (1250, 680), (1750, 920), **target),
        squad(1, (1100, 1400), **target),
    )
    return in_cycle(board)


def test_models_that_touch_nobody_fire_at_units_with_such_models_in_range() -> None:
    """B-9: model 2 is nearer to unit 2 than 6 inches, model 1 is not."""
    board = shooting()
    shooters = options_of(board).parametric[0].shooters
    assert [(shooter.model, shooter.targets) for shooter in shooters] == [(1, (1,)), (2, (1, 2))]
    assert kept_out(board) == [(0, 0, "B-9")]
    assert refusal(board, Shoot((ModelShot(0, 1),))).text == "it touches an enemy"
    assert refusal(board, Shoot((ModelShot(1, 2),))).place == "$.action.shots[0].target"
    assert refusal(board, Shoot((ModelShot(3, 1),))).text == "it is no model of this unit on the table"
    assert refusal(board, Shoot((ModelShot(1, 1), ModelShot(1, 1)))).place == "$.action.shots[1]"
    assert default_of(board) == Shoot((ModelShot(1, 1), ModelShot(2, 1)))


def test_by_default_everybody_fires_at_the_nearest_model_that_can_be_hit() -> None:
    """B-9: the nearest of unit 1 touches a friend of the firer; its next one is farther away than unit 2."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1000), gun="pistol"),
        squad(1, (1100, 800), (1500, 1000)),
        squad(1, (1400, 1000)),
    )
    assert default_of(in_cycle(board)) == Shoot((ModelShot(1, 2),))


def test_models_of_a_unit_fire_at_different_units() -> None:
    """B-9: all hit dice first, then the units by number."""
    result = outcome(shooting(), Shoot((ModelShot(2, 2), ModelShot(1, 1))), [3, 3, 1, 1, 6])
    fired = find(result.events, "shots_fired")
    assert [(volley.model, volley.target) for volley in fired.volleys] == [(1, 1), (2, 2)]
    assert [event.unit for event in tagged(result.events, "saves_rolled")] == [1, 2]


def test_only_models_that_touch_nobody_and_are_near_a_firer_can_fall() -> None:
    """B-9: of unit 1 one model is engaged and one out of range; a second casualty is lost without a marker."""
    result = outcome(shooting(armour=0, toughness=0), Shoot((ModelShot(1, 1), ModelShot(2, 1))), [1, 1, 6])
    assert find(result.events, "shots_fired").targets[0].eligible == (4,)
    assert fallen(result.board)[:1] == [4]
    assert rules_of(find(result.events, "models_removed")) == ["B-9"]
    assert find(result.events, "kills_rolled").killing == (0, 1)
    assert status(result.board, 1) == (1, 2)


def test_casualties_are_near_a_model_that_fired_at_their_unit() -> None:
    """B-9: model 2 of the other flank fires at another unit, so that model 5 near it is safe."""
    board = lay_out(
        squad(0, (1000, 200), (1000, 1000), gun="pistol"),
        squad(1, (1300, 200), (1300, 950), armour=0, toughness=0),
        squad(1, (1300, 1100)),
    )
    result = outcome(in_cycle(board), Shoot((ModelShot(0, 1), ModelShot(1, 2))), [1, 6])
    assert find(result.events, "shots_fired").targets[0].eligible == (2,)


@pytest.mark.parametrize(("gap", "is_near"), [(700, True), (701, False)])
def test_free_models_fire_up_to_six_inches(gap: int, is_near: bool) -> None:
    """B-9: between centres, 700."""
    board = in_cycle(lay_out(squad(0, (1000, 800), gun="pistol"), squad(1, (1000 + gap, 800))))
    assert (question_of(board) == (0, "shooting")) == is_near


def test_a_unit_may_hold_its_fire() -> None:
    """B-9."""
    result = outcome(shooting(), Shoot(()), [6])
    assert find(result.events, "shots_fired").dice is None
    assert "melee_rolled" in tags(result.events)


def test_units_that_fell_back_are_no_targets() -> None:
    """B-17."""
    board = lay_out(
        squad(0, (1000, 800), gun="pistol"), squad(1, (1300, 800), has_fallen_back=True), squad(1, (1300, 900))
    )
    board = in_cycle(board, units=(0, 2))
    assert options_of(board).parametric[0].shooters[0].targets == (2,)
    near = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), has_fallen_back=True))
    assert not position.is_engaged(near, near.models[0])


def test_contact_with_a_unit_that_fell_back_does_not_count() -> None:
    """B-10, B-13, B-17: its WS 6 is not the one that counts, its model cannot fall, and alone it engages nobody."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1000), gun="pistol"),
        squad(1, (1100, 800), (1100, 1000), weapon_skill=6, has_fallen_back=True),
        squad(1, (900, 800), weapon_skill=4),
    )
    resolution = Resolution(in_cycle(board, units=(0, 2), step="fight"), NumberDice([3]))
    combat.fight(resolution, 0)
    (assault,) = find(resolution.events, "melee_rolled").assaults
    assert (assault.model, assault.touched, assault.needed, assault.hits) == (0, (4,), 3, 1)
    (target,) = find(resolution.events, "melee_rolled").targets
    assert (target.unit, target.eligible) == (2, (4,))
    # model 1 touches a model that fell back, and may fire
    assert [model.id for model, _ in position.shooting_targets(in_cycle(board, units=(0, 2)), 0)] == []
    free = replace(board, models=(*board.models[:4], replace(board.models[4], x=700)))
    assert [model.id for model, _ in position.shooting_targets(in_cycle(free, units=(0, 2)), 0)] == [0, 1]


# ---------------------------------------------------------------- melee


def test_every_engaged_model_rolls_its_dice_against_the_best_skill_that_it_touches() -> None:
    """B-10: WS 3 of the model touched on one side, 6 on the other; the free model does not fight."""
    board = lay_out(
        squad(0, (1000, 800), (500, 800), arms=("two-blades",), weapon_skill=4),
        squad(1, (1100, 800), weapon_skill=3),
        squad(1, (900, 800), weapon_skill=6),
    )
    rolled = find(go_on(in_cycle(board, step="melee"), [6, 6]).events, "melee_rolled")
    assert [(assault.model, assault.dice_count, assault.needed, assault.touched) for assault in rolled.assaults] == [
        (0, 2, 1, (2, 3))
    ]


def test_a_die_hits_if_it_is_at_most_what_is_needed() -> None:
    """B-10, B-8: 3 hits and 4 does not; two dice for each model in melee, one in fire."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1000), arms=("two-blades",)), squad(1, (1100, 800), (1100, 1000), armour=6)
    )
    rolled = find(go_on(in_cycle(board, step="melee"), [3, 4, 3, 3, 1, 1, 1]).events, "melee_rolled")
    assert [(assault.dice_count, assault.needed, assault.hits) for assault in rolled.assaults] == [(2, 3, 1), (2, 3, 2)]
    board = lay_out(squad(0, *column(1000, 800, 3), gun="pistol"), squad(1, *column(1300, 800, 3), armour=6))
    result = outcome(in_cycle(board), options_of(in_cycle(board)).actions[0], [3, 4, 3, 1, 1])
    assert [(volley.dice_count, volley.hits) for volley in find(result.events, "shots_fired").volleys] == [
        (1, 1),
        (1, 0),
        (1, 1),
    ]


def choosing() -> CloseQuartersBoard:
    """Return a board on which the two models of unit 0 have to choose weapons."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1000), arms=("blade", "axe"), weapon_skill=4, strength=3),
        squad(1, (1100, 800), (1100, 1000), weapon_skill=4, armour=6),
    )
    return in_cycle(board, step="melee")


def test_each_engaged_model_chooses_its_weapon() -> None:
    """B-10, B-12: the axe adds 1 to WS and 2 to Str, the blade nothing."""
    board = choosing()
    assert question_of(board) == (0, "weapon")
    assert options_of(board).actions == (ChooseWeapon("blade"), ChooseWeapon("axe"))
    assert refusal(board, ChooseWeapon("two-blades")).place == "$.action.weapon"
    board = decide(board, ChooseWeapon("axe"))
    assert asked(board).model == 1
    result = outcome(board, ChooseWeapon("blade"), [1, 1, 1, 1])
    rolled = find(result.events, "melee_rolled")
    assert [(assault.weapon, assault.needed) for assault in rolled.assaults] == [("axe", 4), ("blade", 3)]
    assert [(hit.strength, hit.armour_piercing) for hit in rolled.targets[0].hits] == [(5, 4), (3, 2)]
    assert find(result.events, "saves_rolled").needed == (5, 5)


def test_leader_has_weapons_of_its_own() -> None:
    """B-10."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1000), arms=("blade",), leader_arms=("two-blades",)),
        squad(1, (1100, 800), (1100, 1000)),
    )
    rolled = find(go_on(in_cycle(board, step="melee"), [6, 6, 6]).events, "melee_rolled")
    assert [assault.weapon for assault in rolled.assaults] == ["two-blades", "blade"]


def test_unit_without_armour_saves_nothing_and_rolls_nothing() -> None:
    """B-12, B-2: one hit, no save, one die of toughness."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), (1500, 800), armour=0))
    resolution = go_on(in_cycle(board, step="melee"), [1, 3])
    saves = find(resolution.events, "saves_rolled")
    assert (saves.dice, saves.needed) == (None, (0,))
    assert fallen(resolution.board) == [1]


def test_a_save_succeeds_if_it_is_at_most_what_is_needed() -> None:
    """B-12: Ar 4 against AP 2 needs 5."""
    board = lay_out(squad(0, (1000, 800), arms=("two-blades",)), squad(1, (1100, 800), (1500, 800)))
    saves = find(go_on(in_cycle(board, step="melee"), [1, 1, 5, 6, 6]).events, "saves_rolled")
    assert (saves.needed, saves.failed) == ((5, 5), (1,))


def test_casualties_of_melee_touch_the_unit_that_fights() -> None:
    """B-13: a model that touches another of our units does not fall, nor one that touches nobody."""
    board = lay_out(
        squad(0, (1000, 800), arms=("two-blades",)),
        squad(1, (1100, 800), (1300, 800), (1500, 800), armour=0, toughness=0),
        squad(0, (1400, 800)),
    )
    resolution = go_on(in_cycle(board, step="melee"), [1, 1])
    assert fallen(resolution.board) == [1]
    assert status(resolution.board, 1) == (2, 2)
    assert [rules_of(event)[0] for event in tagged(resolution.events, "markers_changed")] == ["B-5", "B-13"]


def test_models_in_contact_by_the_tolerance_can_fall() -> None:
    """B-13, B-24: 104 between centres is contact."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1104, 800), (1300, 800), armour=0, toughness=0))
    assert fallen(go_on(in_cycle(board, step="melee"), [1]).board) == [1]


def test_as_many_casualties_as_models_in_contact_give_no_further_marker() -> None:
    """B-13."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), (1300, 800), armour=0, toughness=0))
    assert status(go_on(in_cycle(board, step="melee"), [1]).board, 1) == (1, 1)


# ---------------------------------------------------------------- mixed pools


def test_hits_of_a_model_that_touches_two_units_are_spread_over_what_it_touches() -> None:
    """B-11: two hits, one for each; the hits of the other model are not pooled."""
    board = lay_out(
        squad(0, (1000, 800), (1100, 900), arms=("two-blades",)),
        squad(1, (1100, 800), (1500, 300)),
        squad(1, (900, 800), (1500, 1300)),
    )
    resolution = go_on(in_cycle(board, step="melee"), [1, 1, 1, 6, 1, 1, 1])
    rolled = find(resolution.events, "melee_rolled")
    assert [(pool.models, len(pool.hits)) for pool in rolled.pools] == [((2, 4), 2)]
    assert [(target.unit, len(target.hits)) for target in rolled.targets] == [(1, 1)]
    shared = find(resolution.events, "hits_split")
    assert [(target.unit, [hit.model for hit in target.hits]) for target in shared.targets] == [(1, [0, 1]), (2, [0])]
    assert rules_of(shared) == ["B-11"]


def test_defender_says_who_takes_the_hit_that_is_left() -> None:
    """B-11: one hit over two models."""
    board = lay_out(squad(0, (1000, 800)), squad(1, (1100, 800), (1500, 300)), squad(1, (900, 800), seat=3))
    board = go_on(in_cycle(board, step="melee"), [1]).board
    assert question_of(board) == (1, "hit_split")
    limits = options_of(board).parametric[0]
    assert (limits.models, limits.least, limits.most) == ((1, 3), 1, 1)
    assert default_of(board) == SplitHits((1,))
    for models, text in (
        ((2,), "this model cannot be picked"),
        ((1, 1), "this model is named twice"),
        ((1, 3), "1 models are to be picked"),
        ((), "1 models are to be picked"),
    ):
        assert refusal(board, SplitHits(models)).text == text
    result = outcome(board, SplitHits((3,)), [6, 6])
    assert [target.unit for target in find(result.events, "hits_split").targets] == [2]


def test_pools_are_apart_for_models_that_touch_other_units() -> None:
    """B-11: two pools, each over what its own models touch."""
    board = lay_out(
        squad(0, (1000, 800), (1000, 1200), arms=("two-blades",)),
        squad(1, (1100, 800), (1100, 1200)),
        squad(1, (900, 800)),
        squad(1, (900, 1200)),
    )
    resolution = go_on(in_cycle(board, step="melee"), [1, 1, 1, 1, *[1] * 4])
    pools = find(resolution.events, "melee_rolled").pools
    assert [(pool.models, {hit.model for hit in pool.hits}) for pool in pools] == [((2, 4), {0}), ((3, 5), {1})]
    assert [event.unit for event in tagged(resolution.events, "hits_counted")] == [1, 2, 3]


def test_no_model_takes_two_hits_more_than_another() -> None:
    """B-11: five hits over two models: three and two; earlier hits go to lower numbers."""
    board = lay_out(
        squad(0, (1000, 800), (1100, 900), leader_arms=("two-blades",)),
        squad(1, (1100, 800)),
        squad(1, (1000, 900)),
    )
    board = in_cycle(board, step="melee")
    after = go_on(board, [1, 1, 1]).board
    limits = options_of(after).parametric[0]
    assert (limits.models, limits.least) == ((2, 3), 1)
    result = outcome(after, SplitHits((3,)), [1, 1, 1])
    targets = find(result.events, "hits_split").targets
    assert [(target.unit, [hit.model for hit in target.hits]) for target in targets] == [(1, [0]), (2, [0, 1])]


# ---------------------------------------------------------------- allocation


def losing(count: int, eligible: int, *dice: int, has_leader: bool = True) -> CloseQuartersBoard:
    """Return the board after `count` casualties among `eligible` models that touch a big blade, with these dice."""
    ring = [(1100, 800), (1000, 900), (900, 800), (1000, 700)][:eligible]
    board = lay_out(
        squad(0, (1000, 800), arms=("two-blades",) if count == 2 else ("blade",)),
        squad(1, *ring, (1500, 300), armour=0, toughness=0, has_leader=has_leader),
    )
    return go_on(in_cycle(board, step="melee"), [*[1] * count, *dice]).board


def test_models_out_of_contact_are_no_casualties_of_melee() -> None:
    """B-13, B-14: the fifth model of the unit is not offered."""
    board = losing(1, 4, 1, 1)
    assert question_of(board) == (1, "casualties")
    assert options_of(board).parametric[0].models == (1, 2, 3, 4)
    assert kept_out(board) == [(1, 5, "B-13")]
    assert refusal(board, PickCasualties((5,))).rule == "B-13"
    assert refusal(board, PickCasualties((2, 3))).numbers == {"models": 2, "least": 1, "most": 1}
    assert refusal(board, PickCasualties(())).place == "$.action.models"
    assert default_of(board) == PickCasualties((4,))


def test_models_that_no_firer_has_in_range_are_no_casualties() -> None:
    """B-9, B-14: of three models in range one falls, and the fourth is not offered."""
    board = lay_out(
        squad(0, (1000, 800), gun="pistol"),
        squad(1, (1300, 680), (1300, 800), (1300, 920), (1900, 800), armour=0, toughness=0),
    )
    board = outcome(in_cycle(board), Shoot((ModelShot(0, 1),)), [1, 1, 1]).board
    assert kept_out(board) == [(1, 4, "B-9")]
    assert refusal(board, PickCasualties((4,))).rule == "B-9"


def test_models_out_of_range_of_defensive_fire_are_no_casualties() -> None:
    """B-8a, B-14."""
    resolution = after_actions(
        squad(0, (1000, 680), (1000, 800), (400, 800), armour=0, toughness=0), squad(1, (1300, 800), gun="pistol")
    )
    board = outcome(resolution.board, FireAt(0), [1, 1, 1]).board
    assert kept_out(board) == [(0, 2, "B-8a")]
    assert refusal(board, PickCasualties((2,))).text == "no model that fired could hit it"


def test_leader_falls_last_by_default() -> None:
    """B-14: of two, the leader and another, the other."""
    assert default_of(losing(1, 2, 1, 1)) == PickCasualties((2,))
    assert fallen(losing(2, 2)) == [1, 2]


def test_one_six_with_one_model_beside_the_leader_leaves_no_choice() -> None:
    """B-14: the attacker picks the only one that is no leader, and no question is asked."""
    board = losing(1, 2, 6, 3)
    assert fallen(board) == [2]


def test_two_sixes_for_one_casualty_take_the_leader_or_one_other() -> None:
    """B-14: never more than fall; by default the leader."""
    board = losing(1, 3, 6, 6)
    limits = options_of(board).parametric[0]
    assert (limits.leader, limits.models, limits.most) == (1, (2, 3), 1)
    assert default_of(board) == PickCasualties((1,))
    assert refusal(board, PickCasualties((2, 3))).rule == "B-14"
    assert fallen(decide(board, PickCasualties((1,)))) == [1]


def test_after_two_sixes_without_a_leader_up_to_two_are_picked() -> None:
    """B-14: one is enough, then the defender picks the other."""
    board = losing(2, 4, 6, 6, has_leader=False)
    limits = options_of(board).parametric[0]
    assert (limits.leader, limits.least, limits.most) == (None, 1, 2)
    assert default_of(board) == PickCasualties((1, 2))
    after = decide(board, PickCasualties((3,)))
    assert question_of(after) == (1, "casualties")
    assert kept_out(after) == [(1, 3, "B-14"), (1, 5, "B-13")]
    assert refusal(after, PickCasualties((3,))).text == "it falls already"
    assert refusal(after, PickCasualties((1, 1))).place == "$.action.models[1]"
