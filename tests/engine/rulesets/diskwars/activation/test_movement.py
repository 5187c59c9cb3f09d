"""Activated disks and the effects of landings (R5.2, R8)."""

import math

import pytest
from msgspec.structs import replace

from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.positions import CRITICAL, HIT, MISS, scripted_position
from tests.rows import each_row

FAR = "\nB Sun Dragon (33, 33)\n"

# ---------------------------------------------------------------- flips and paths


def test_a_flip_moves_the_centre_by_one_diameter_in_any_direction() -> None:
    """R5.2, R-07"""
    for degrees in range(0, 360, 5):
        table = scripted_position("A Big Boss (10, 10)" + FAR).with_card_turn(0)
        before = table.disk("Big Boss")
        after = table.answer(table.move_action("Big Boss", degrees)).disk("Big Boss")
        length = (after.x - before.x) ** 2 + (after.y - before.y) ** 2
        assert abs(length - 44450**2) <= 2 * 44450


def test_a_path_is_carried_out_whole_where_nothing_follows_from_it() -> None:
    """R8.4, R19.13"""
    table = scripted_position("A Big Boss (10, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0, 0, 0, 90, 90))
    assert len(table.events_of_type(e.DiskFlipped)) == 5
    assert (table.disk("Big Boss").x, table.disk("Big Boss").y) == (387350, 342900)
    assert table.disk("Big Boss").activated


def test_a_landing_on_a_friend_does_not_end_the_move_but_its_player_is_asked_how_it_goes_on() -> None:
    """R8.5.5, R19.13: the path is carried out until the first flip that pins."""
    table = scripted_position("A Big Boss (10, 10)\nA Orc Boyz (13.2, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0, 0, 0))
    assert table.pins == {"Big Boss>Orc Boyz"}
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(table.number("Big Boss"), 4, ("move",))
    table = table.answer(table.move_action("Big Boss", 90, 90))
    assert table.disk("Big Boss").activated


def over_own_disks(action: a.MoveDisk) -> a.MoveDisk:
    return replace(action, over_own_disks=True)


def test_a_path_goes_on_over_own_disks_if_its_player_says_so() -> None:
    """R-76, R8.5.5: nothing is rolled on Orc Boyz and Night Goblins, so no question is asked between the flips."""
    text = "A Big Boss (10, 10)\nA Orc Boyz (12.2, 10)\nA Night Goblins (14.2, 10)"
    table = scripted_position(text + FAR).with_card_turn(0)
    table = table.answer(over_own_disks(table.move_action("Big Boss", 0, 0, 90, 90)))
    gained = [[table.name(pin.bottom) for pin in flip.pins_gained] for flip in table.events_of_type(e.DiskFlipped)]
    assert gained == [["Orc Boyz"], ["Orc Boyz", "Night Goblins"], [], []]
    assert table.pins == set()
    assert table.disk("Big Boss").activated


def test_a_path_over_own_disks_stops_on_an_enemy() -> None:
    """R-76, R8.5.5: also where it lands on an own disk at the same time."""
    text = "A Big Boss (10, 10)\nA Own (12, 10.9)\nB Foe (12, 9)\ndisk Own:\ndisk Foe:\n"
    table = scripted_position(text + FAR).with_card_turn(0)
    table = table.answer(over_own_disks(table.move_action("Big Boss", 0, 0, 0)))
    assert table.pins == {"Big Boss>Own", "Big Boss>Foe"}
    assert table.disk("Big Boss").activated


def test_a_path_over_own_disks_stops_where_something_is_rolled() -> None:
    """R-76, R-10: Impact on a friend rolls, and its player decides again."""
    table = scripted_position("A Bloodcrushers (10, 10)\nA Plaguebearers (13, 10)" + FAR).with_card_turn(0)
    table = table.answer(over_own_disks(table.move_action("Bloodcrushers", 0, 0, 0)), 2)
    assert table.question(a.ContinuationQuestion).flips_left == 3


def test_a_move_whose_last_flip_lands_on_a_friend_is_over_if_its_player_says_so() -> None:
    """R19.13: nothing of the path was dropped, so no question is asked."""
    table = scripted_position("A Big Boss (10, 10)\nA Orc Boyz (13.2, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0))
    assert table.disk("Big Boss").activated


def test_nothing_is_swept_on_the_way() -> None:
    """R5.2: an enemy jumped over is neither pinned nor engaged."""
    table = scripted_position("A Sky Cutter (10, 10)\nB Big Boss (13.375, 11.8)\nB Sun Dragon (33, 33)").with_card_turn(
        0
    )
    table = table.answer(table.move_action("Sky Cutter", 0, 0))
    assert table.pins == set()


def test_a_landing_on_an_enemy_ends_the_move_and_the_rest_of_the_path_is_dropped() -> None:
    """R8.5.5"""
    table = scripted_position("A Big Boss (10, 10)\nB Orc Boyz (12.5, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0, 0, 0))
    assert len(table.events_of_type(e.DiskFlipped)) == 1
    assert table.pins == {"Big Boss>Orc Boyz"}
    assert table.disk("Big Boss").activated


def test_a_landing_on_an_enemy_ends_the_move_also_when_that_enemy_dies_of_it() -> None:
    """R8.5.5"""
    table = scripted_position("A Steam Tank (10, 10)\nB Night Goblins (14, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Steam Tank", 0, 0, end=False))
    assert not table.is_fielded("Night Goblins")
    assert len(table.events_of_type(e.DiskFlipped)) == 1
    assert "move" not in [
        word for _, ask in table.open_questions if isinstance(ask, a.ContinuationQuestion) for word in ask.allowed
    ]


def test_a_path_stops_where_something_has_to_be_settled_and_the_seat_is_asked_again() -> None:
    """R19.13: Impact on a friend is something; the flips that are left are not lost."""
    table = scripted_position("A Bloodcrushers (10, 10)\nA Plaguebearers (13, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Bloodcrushers", 0, 0, 0), 2)
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(table.number("Bloodcrushers"), 3, ("move",))
    table = table.answer(table.move_action("Bloodcrushers", 90))
    assert table.disk("Bloodcrushers").activated


def test_a_move_can_be_broken_off_and_taken_up_again() -> None:
    """R8.4: direction is chosen separately for each flip."""
    table = scripted_position("A Big Boss (10, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0, end=False))
    assert table.question(a.ContinuationQuestion).flips_left == 4
    assert not table.disk("Big Boss").activated
    table = table.answer(table.pass_action("Big Boss"))
    assert table.disk("Big Boss").activated


@each_row(("degrees", "x", "y"), [(180, 3, 2), (0, -3, 2), (270, 2, 3), (90, 2, -3)])
def test_a_landing_may_touch_the_edge_of_the_field_and_not_reach_a_micrometre_beyond(
    degrees: int, x: int, y: int
) -> None:
    """R8.4, R-06: wholly inside. Places are counted in radii, from the far edge where negative."""
    radius, field = 22225, 914400
    places = [field + n * radius if n < 0 else n * radius for n in (x, y)]
    outward = {180: (-1, 0), 0: (1, 0), 270: (0, -1), 90: (0, 1)}[degrees]
    table = scripted_position(f"A Big Boss ({places[0]}um, {places[1]}um)" + FAR).with_card_turn(0)
    landed = table.answer(table.move_action("Big Boss", degrees)).disk("Big Boss")
    assert radius in (landed.x, landed.y, field - landed.x, field - landed.y)
    beyond = [place + step for place, step in zip(places, outward, strict=True)]
    table = scripted_position(f"A Big Boss ({beyond[0]}um, {beyond[1]}um)" + FAR).with_card_turn(0)
    refusal = table.expect_illegal(table.move_action("Big Boss", degrees))
    assert (refusal.code, refusal.rule) == ("off_field", "R8.4")


def test_the_moves_of_every_disk_that_can_be_activated_are_offered() -> None:
    """R19.13: a plan says how many flips of what length, and so does that of a move under way."""
    text = "A Big Boss (10, 10)\nA Orc Boyz (20, 20) activated\nA Bloodcrushers (26, 10)\nA reserve: Wolf Riders"
    table = scripted_position(text + FAR).with_card_turn(0)
    assert {(table.name(plan.disk), plan.flips, plan.length) for plan in table.options().parametric} == {
        ("Big Boss", 5, 44450),
        ("Bloodcrushers", 4, 57150),
    }
    passes = {table.name(action.disk) for action in table.options().actions if isinstance(action, a.PassDisk)}
    assert passes == {"Big Boss", "Bloodcrushers"}
    table = table.answer(table.move_action("Big Boss", 0, 0, end=False))
    assert [(table.name(plan.disk), plan.flips, plan.length) for plan in table.options().parametric] == [
        ("Big Boss", 3, 44450)
    ]
    assert table.options().actions == (table.pass_action("Big Boss"),)


def test_a_landing_lies_on_top_of_all_it_overlaps() -> None:
    """R5.6, R-08"""
    table = scripted_position("A Big Boss (10, 10)\nB Orc Boyz (12, 10)\nB Militia Archers (12.5, 10)").with_card_turn(
        0
    )
    table = table.answer(table.move_action("Big Boss", 0))
    assert table.disk("Big Boss").z == max(disk.z for disk in table.board.disks) == table.board.top_z
    assert table.pins == {"Big Boss>Militia Archers", "Militia Archers>Orc Boyz"}


def test_a_disk_that_pins_an_enemy_from_before_may_move_away() -> None:
    """R8.10"""
    table = scripted_position("B Orc Boyz (10, 10)\nA Big Boss (10.5, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Big Boss", 0, 0))
    assert table.pins == set()
    assert len(table.events_of_type(e.DiskFlipped)) == 2


def test_a_disk_gets_its_token_after_the_action() -> None:
    """R7.13"""
    table = scripted_position("A Big Boss (10, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.pass_action("Big Boss"))
    assert table.event_names() == ["ActivationBegan", "ActivationEnded", "CardsDiscarded"]
    assert table.disk("Big Boss").activated


# ---------------------------------------------------------------- Impact


def test_impact_hits_every_disk_pinned_own_ones_too_with_one_amount() -> None:
    """R8.5.2, R-10, R-65"""
    table = scripted_position(
        "A Bloodcrushers (10, 10)\nA Plaguebearers (13, 11)\nB Sun Dragon (13, 8.2)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Bloodcrushers", 0), 4)
    assert table.damage("Plaguebearers", "Sun Dragon", "Bloodcrushers") == (4, 4, 0)
    assert len(table.events_of_type(e.ImpactRolled)) == 1


def test_impact_spares_what_lies_deeper_in_the_stack() -> None:
    """R8.5.2, R6.1: overlapped, but not pinned."""
    table = scripted_position(
        "A Bloodcrushers (9, 10)\nB Sun Dragon (12.25, 10)\nB Maiden Guard (12.25, 10)"
    ).with_card_turn(0)
    table = table.answer(table.move_action("Bloodcrushers", 0), 4)
    assert table.damage("Maiden Guard", "Sun Dragon") == (4, 0)


def test_impact_comes_again_with_every_landing_on_the_same_enemy() -> None:
    """R6.8"""
    table = scripted_position("B Sun Dragon (10, 10)\nA Knights Panther (11.1, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Knights Panther", 180))
    assert table.pins == {"Knights Panther>Sun Dragon"}
    assert table.damage("Sun Dragon") == (2,)


def test_impact_is_before_engage_abilities_and_both_are_fixed_at_the_landing() -> None:
    """R8.5.3, R-19: the Goblins that Impact kills still count as engaged, so the Maiden Guard takes 1 for them."""
    text = "A Archaon (10, 10)\nB Night Goblins (12.2, 10)\nB Maiden Guard (15.5, 10)"
    table = scripted_position(text.replace("Night Goblins", "Chaff") + "\ndisk Chaff: small T2" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Archaon", 0))
    assert not table.is_fielded("Chaff")
    assert table.damage("Maiden Guard") == (1,)
    kinds = table.event_names()
    assert kinds.index("ImpactRolled") < kinds.index("DisksRemoved") < kinds.index("TriggerResolved")


def test_an_engage_ability_on_an_enemy_that_impact_has_killed_has_nothing_to_do() -> None:
    """R8.5.3: no die is rolled for it."""
    table = scripted_position(
        "disk Prince: medium, Impact 3, engage roll_wound 4\nA Prince (10, 10)\nB Night Goblins (12.2, 10)" + FAR
    )
    table = table.with_card_turn(0).answer(table.move_action("Prince", 0))
    assert not table.is_fielded("Night Goblins")
    assert table.events_of_type(e.TriggerResolved) == []


def test_a_disk_that_dies_of_its_landing_gets_no_token_and_has_nothing_more_to_do() -> None:
    """R7.13: Archaon's ability kills the Goblin that lands on him."""
    goblin = "disk Snotling: small M5 T1, Mobile, shot 1 dice strength 1 physical to long\n"
    table = scripted_position(goblin + "A Snotling (10, 10)\nA Orc Boyz (30, 3)\nB Archaon (12.5, 10)").with_card_turn(
        0
    )
    table = table.answer(table.move_action("Snotling", 0, 0))
    assert not table.is_fielded("Snotling")
    assert [event.activated for event in table.events_of_type(e.ActivationEnded)] == [False]
    assert isinstance(table.open_questions[0][1], a.ActivationQuestion)


# ---------------------------------------------------------------- one action, and Mobile


def test_without_mobile_a_disk_has_one_action() -> None:
    """R8.1: after a flip it may flip on, but neither shoot nor use a focus ability; after a shot it is done."""
    wizard = "disk Wizard: small M5, Magic 3, shot 2 dice strength 2 physical to long\n"
    table = scripted_position(wizard + "A Wizard (10, 10)\nB Sun Dragon (14, 14)").with_card_turn(0)
    moved = table.answer(table.move_action("Wizard", 0, end=False))
    for action in (moved.shoot_action("Wizard", "Sun Dragon"), moved.focus_action("Wizard", "Sun Dragon")):
        refusal = moved.expect_illegal(action)
        assert (refusal.code, refusal.rule) == ("wrong_action", "R8.1")
    assert table.answer(table.shoot_action("Wizard", "Sun Dragon"), (MISS, MISS)).disk("Wizard").activated
    assert table.answer(table.focus_action("Wizard", "Sun Dragon")).disk("Wizard").activated


MOBILE = "disk Rider: small M5, Mobile, Magic 3, shot 1 dice strength 2 physical to long\n"


@pytest.mark.parametrize("second", ["shot", "focus"])
def test_a_mobile_disk_may_shoot_or_focus_before_the_move(second: str) -> None:
    """R8.2, R19.14"""
    table = scripted_position(MOBILE + "A Rider (10, 10)\nB Sun Dragon (14, 14)").with_card_turn(0)
    if second == "shot":
        table = table.answer(table.shoot_action("Rider", "Sun Dragon"), (HIT,))
    else:
        table = table.answer(table.focus_action("Rider", "Sun Dragon"))
    assert table.question(a.ContinuationQuestion).allowed == ("move",)
    for action in (table.shoot_action("Rider", "Sun Dragon"), table.focus_action("Rider", "Sun Dragon")):
        refusal = table.expect_illegal(action)
        assert (refusal.code, refusal.rule, refusal.place) == ("wrong_action", "R8.2", "$.action")
    table = table.answer(table.move_action("Rider", 0, 0))
    assert table.disk("Rider").activated


@pytest.mark.parametrize("second", ["shot", "focus"])
def test_a_mobile_disk_may_shoot_or_focus_after_the_move_and_then_moves_no_more(second: str) -> None:
    """R8.2, R19.14"""
    table = scripted_position(MOBILE + "A Rider (10, 10)\nB Sun Dragon (14, 14)").with_card_turn(0)
    table = table.answer(table.move_action("Rider", 0, end=False))
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(
        table.number("Rider"), 4, ("move", "shoot", "focus")
    )
    if second == "shot":
        table = table.answer(table.shoot_action("Rider", "Sun Dragon"), (CRITICAL,))
    else:
        table = table.answer(table.focus_action("Rider", "Sun Dragon"))
    assert table.disk("Rider").activated
    assert table.open_questions == ()


def test_a_mobile_disk_that_landed_on_an_enemy_may_shoot_but_not_move_on() -> None:
    """R8.2, R8.5.5"""
    table = scripted_position(MOBILE + "A Rider (10, 10)\nB Sun Dragon (13, 10)").with_card_turn(0)
    table = table.answer(table.move_action("Rider", 0, 0))
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(
        table.number("Rider"), 0, ("shoot", "focus")
    )
    refusal = table.expect_illegal(table.move_action("Rider", 180))
    assert (refusal.code, refusal.rule, refusal.place) == ("wrong_action", "R8.5.5", "$.action")
    table = table.answer(table.shoot_action("Rider", "Sun Dragon"), (HIT,))
    assert table.damage("Sun Dragon") == (2,)


def test_a_mobile_disk_with_nobody_in_range_is_not_asked_for_its_shot() -> None:
    """R19.25"""
    table = scripted_position("A Wolf Riders (10, 10)\nB Sun Dragon (33, 33)").with_card_turn(0)
    table = table.answer(table.move_action("Wolf Riders", 0, 0, 0, 0, end=False))
    assert table.question(a.ContinuationQuestion) == a.ContinuationQuestion(0, 1, ("move",))
    assert table.answer(table.move_action("Wolf Riders", 90, end=False)).disk("Wolf Riders").activated


def test_a_mobile_disk_that_says_its_move_is_the_end_is_not_asked_again() -> None:
    """R8.2, R19.14: nobody has to use both."""
    table = scripted_position(MOBILE + "A Rider (10, 10)\nB Sun Dragon (14, 14)").with_card_turn(0)
    table = table.answer(table.move_action("Rider", 0))
    assert table.disk("Rider").activated


# ---------------------------------------------------------------- Magic


def test_magic_deals_arcane_damage_without_dice_and_is_no_ranged_attack() -> None:
    """R8.3: a disk immune to ranged attacks is no harder to hit."""
    table = scripted_position(
        "A High Mage (10, 10)\nB Ghost (16, 10)\ndisk Ghost: small T5, Immune (ranged)"
    ).with_card_turn(0)
    table = table.answer(table.focus_action("High Mage", "Ghost"))
    assert [(hit.dealt, hit.damage_type) for hit in table.events_of_type(e.DamageDealt)] == [(3, "arcane")]
    assert table.events_of_type(e.ShotFired) == []


def test_magic_reaches_as_far_as_medium_range() -> None:
    """R8.3, R5.5: 6 inches between the rims, not a micrometre more."""
    text = "A High Mage (10, 10)\nB Plaguebearers ({x}um, 10)" + FAR
    reach = 254000 + 44450 + 152400
    table = scripted_position(text.format(x=reach)).with_card_turn(0)
    assert table.answer(table.focus_action("High Mage", "Plaguebearers")).damage("Plaguebearers") == (3,)
    table = scripted_position(text.format(x=reach + 1)).with_card_turn(0)
    refusal = table.expect_illegal(table.focus_action("High Mage", "Plaguebearers"))
    assert (refusal.code, refusal.rule) == ("out_of_range", "R8.3")


def test_a_printed_focus_ability_comes_after_magic() -> None:
    """R8.1.2, R8.3: ability 0 is Magic, ability 1 what is printed."""
    text = "disk Witch: small, Magic 2, focus deal_damage_near 1 true short\nA Witch (10, 10)\nB Sun Dragon (14, 10)"
    table = scripted_position(text).with_card_turn(0)
    assert table.answer(table.focus_action("Witch", "Sun Dragon")).damage("Sun Dragon") == (2,)
    assert table.answer(table.focus_action("Witch", ability=1)).damage("Sun Dragon") == (1,)


def test_a_focus_ability_may_heal_its_user_of_an_activation_or_empower_it() -> None:
    """R7.14: a disk may be the target of its own ability."""
    text = "disk Banner: small, focus empower short\nA Banner (10, 10)\nA Orc Boyz (13, 10)" + FAR
    table = scripted_position(text).with_card_turn(0)
    assert {action.target for action in table.options().actions if isinstance(action, a.Focus)} == {0, 1}
    assert table.answer(table.focus_action("Banner", "Banner")).disk("Banner").empowered


def test_printed_focus_ability_is_explained_and_refused_by_its_own_rule() -> None:
    """R8.1.2: it is the disk's text, not Magic."""
    table = scripted_position(
        "A Big Boss (10, 10)\nA Orc Boyz (13, 10) activated\nA Arrer Boyz (7, 10)" + FAR
    ).with_card_turn(0)
    refusal = table.expect_illegal(table.focus_action("Big Boss"))
    assert (refusal.code, refusal.rule, refusal.place) == ("bad_target", "R8.1.2", "$.action.target")
    refusal = table.expect_illegal(table.focus_action("Big Boss", "Arrer Boyz"))
    assert (refusal.code, refusal.rule, refusal.place) == ("bad_target", "R16.10", "$.action.target")
    table = table.answer(table.focus_action("Big Boss", "Orc Boyz"))
    assert [event.reasons[0].rule for event in table.events_of_type(e.AbilityUsed)] == ["R8.1.2"]


def test_a_disk_without_movement_is_offered_no_move() -> None:
    """R8.4: it may still shoot or pass."""
    table = scripted_position(
        "disk Tower: large M0, shot 1 dice strength 1 physical to long\nA Tower (10, 10)\nB Sun Dragon (16, 10)"
    )
    table = table.with_card_turn(0)
    assert table.options().parametric == ()
    assert {type(action) for action in table.options().actions} == {a.EndCard, a.PassDisk, a.Shoot}
    assert table.expect_illegal(table.move_action("Tower", 0)).code == "too_many_flips"


# ---------------------------------------------------------------- the four actions, whole numbers

ACTOR = "disk Actor: small M5, Magic 3, shot 1 dice strength 2 physical to long\n"


@each_row("kind", ["move", "focus", "shoot", "pass"])
def test_an_activated_disk_moves_focuses_shoots_or_passes_and_has_had_its_action(kind: str) -> None:
    """R8.1, R8.1.1 to R8.1.4: each of them is offered, does what it says, and is the one action there is."""
    table = scripted_position(ACTOR + "A Actor (10, 10)\nA Orc Boyz (3, 3)\nB Sun Dragon (14, 14)").with_card_turn(0)
    ways: dict[str, tuple[a.Action, tuple[tuple[int, ...], ...]]] = {
        "move": (table.move_action("Actor", 0), ()),
        "focus": (table.focus_action("Actor", "Sun Dragon"), ()),
        "shoot": (table.shoot_action("Actor", "Sun Dragon"), ((HIT,),)),
        "pass": (table.pass_action("Actor"), ()),
    }
    action, dice = ways[kind]
    offered = table.options()
    assert action in offered.actions or (kind == "move" and any(plan.disk == 0 for plan in offered.parametric))
    done = table.answer(action, *dice)
    assert done.disk("Actor").activated
    assert done.damage("Sun Dragon") == ({"focus": 3, "shoot": 2}.get(kind, 0),)
    assert (done.disk("Actor").x != table.disk("Actor").x) == (kind == "move")
    for other, _ in ways.values():
        assert done.expect_illegal(other).code == "disk_activated"


def test_a_landing_is_fixed_in_whole_micrometres_and_pins_are_asked_of_those() -> None:
    """R1.7: by the true length of the flip the disks would lie a fraction of a micrometre too far apart to overlap."""
    flip = geometry.flip_at(1, 44450)
    reach = 2 * 22225 - geometry.OVERLAP_TOLERANCE_UM
    text = f"A Orc Boyz (10, 10)\nA Black Orcs (3, 3)\nB Big Boss ({254000 + flip[0] + reach}um, {254000 + flip[1]}um)"
    exact = 44450 * math.cos(math.radians(5)), 44450 * math.sin(math.radians(5))
    assert math.hypot(flip[0] + reach - exact[0], flip[1] - exact[1]) > reach
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Orc Boyz", 5))
    assert (table.disk("Orc Boyz").x, table.disk("Orc Boyz").y) == (254000 + flip[0], 254000 + flip[1])
    assert table.pins == {"Orc Boyz>Big Boss"}
