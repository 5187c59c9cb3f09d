"""Shots, damage, engagements and triggers in detail: what is recorded, explained and left out (R6, R11 to R15)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import damage, engagements, melee, rounds, scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.damage import DiskHit
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import Engagement, Link
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from tests.engine.rulesets.diskwars.positions import (
    CHAOS,
    HIT,
    MISS,
    SCATTER,
    ScriptedMatchDice,
    ScriptedPosition,
    scripted_position,
    with_tasks,
)
from tests.engine.rulesets.diskwars.rules.test_abilities import goblin_position
from tests.engine.rulesets.diskwars.rules.test_multiplayer import resign_seat
from tests.engine.rulesets.diskwars.setup_positions import SCENARIOS
from tests.rows import each_row

FAR = "\nB Sun Dragon (30, 30)\n"
WALL = "disk Wall: small, M4 S2 C1 T9\n"


def explained(table: ScriptedPosition) -> list[DiskwarsUnavailable]:
    seat, question = table.open_questions[0]
    return list(rounds.unavailable(table.board, seat, question))


def play_on(board: Board, *dice: int) -> Resolution:
    return Resolution(board, ScriptedMatchDice(dice, 1))


# ---------------------------------------------------------------- shots

BOWS = "disk Bows: small, M5 T9, shot 2 dice strength 2 physical to medium\n"
LINE = BOWS + WALL + "A Bows (10, 10)\nB Wall (14, 10)\n"


def test_an_attack_without_scatter_strikes_its_target_with_its_strength_and_the_bonus_of_the_card() -> None:
    """R12.3, R7.8"""
    table = scripted_position(LINE + FAR).with_card_turn(0, "aimed-volley")
    table = table.answer(table.shoot_action("Bows", "Wall"), (HIT, MISS))
    (fired,) = table.events_of_type(e.ShotFired)
    assert (fired.attack.strength, fired.dice.results, fired.dice.size) == (3, (HIT, MISS), 6)
    assert table.damage("Wall") == (3,)


def test_scatter_without_a_disk_near_the_target_has_no_effect_and_the_other_dice_have_theirs() -> None:
    """R12.3"""
    table = scripted_position(LINE + FAR).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Wall"), (SCATTER, HIT))
    (scattered,) = table.events_of_type(e.ShotScattered)
    assert (scattered.disk, scattered.dice) == (None, None)
    assert table.damage("Wall") == (2,)


def test_scatter_is_rolled_again_at_once_where_one_disk_is_nearest() -> None:
    """R12.3: no question is asked; a second scatter is ignored."""
    table = scripted_position(LINE + "disk Near: small, T9\nB Near (14, 13)\n" + FAR).with_card_turn(0)
    after = table.answer(table.shoot_action("Bows", "Wall"), (SCATTER, SCATTER), (HIT, SCATTER))
    (scattered,) = after.events_of_type(e.ShotScattered)
    assert (scattered.disk, scattered.dice and scattered.dice.size) == (2, 6)
    assert after.damage("Wall", "Near") == (0, 2)


BURNER = "disk Burner: small, shot 2 dice strength 3 physical to long, passive damage_around 5 arcane short\n" + WALL


@each_row(
    ("faces", "again", "damage"),
    [((HIT, MISS), None, (3, 5, 5)), ((SCATTER, MISS), (HIT,), (0, 3, 0)), ((MISS, MISS), None, (0, 0, 0))],
)
def test_a_splash_comes_with_an_attack_that_strikes_its_target_and_with_no_other(
    faces: tuple[int, ...], again: tuple[int, ...] | None, damage: tuple[int, ...]
) -> None:
    """R12.4, R12.5, R-47"""
    text = BURNER + "disk Near: small, T9\ndisk Next: small, T9\nA Burner (10, 10)\nB Wall (16, 10)\nB Near (16, 12)\n"
    table = scripted_position(text + "B Next (16, 7)" + FAR).with_card_turn(0)
    table = table.answer(table.shoot_action("Burner", "Wall"), faces, *([again] if again else []))
    assert table.damage("Wall", "Near", "Next") == damage


# ---------------------------------------------------------------- abilities


def test_a_target_on_the_wrong_side_is_refused_by_naming_its_side() -> None:
    """R11.1, R8.1.2: an effect that helps needs a friend, one that harms an enemy."""
    text = "disk Saint: small, focus empower medium\ndisk Witch: small, focus deal_damage 2 arcane medium\n" + WALL
    table = scripted_position(text + "A Saint (10, 10)\nA Witch (10, 13)\nB Wall (13, 12)" + FAR).with_card_turn(0)
    refused = table.expect_illegal(table.focus_action("Saint", "Wall"))
    assert (refused.code, refused.text) == ("bad_target", "disk 2 is an enemy of disk 0")
    refused = table.expect_illegal(table.focus_action("Witch", "Saint"))
    assert (refused.code, refused.text) == ("bad_target", "disk 0 is no enemy of disk 1")
    assert table.damage("Wall") == (0,)
    assert table.answer(table.focus_action("Witch", "Wall")).damage("Wall") == (2,)
    assert a.Focus(1, 2, 0) in table.options().actions


def test_an_effect_for_a_kind_is_aimed_at_that_kind_only() -> None:
    """R16.10"""
    text = "disk Saint: small, focus empower medium Undead\ndisk Bones: small, trait Undead\n" + WALL
    table = scripted_position(text + "A Saint (10, 10)\nA Bones (13, 10)\nA Wall (10, 13)" + FAR).with_card_turn(0)
    refused = table.expect_illegal(table.focus_action("Saint", "Wall"))
    assert (refused.code, refused.rule, refused.text) == ("bad_target", "R16.10", "disk 2 is no Undead")
    assert table.answer(table.focus_action("Saint", "Bones")).disk("Bones").empowered


def test_harm_for_one_target_reaches_that_target_and_nobody_near_it() -> None:
    """R11.1, R16.10"""
    text = "disk Witch: small, focus deal_damage 2 arcane medium\ndisk Near: small, T9\n" + WALL
    table = scripted_position(text + "A Witch (10, 10)\nB Wall (13, 10)\nB Near (13, 12)" + FAR).with_card_turn(0)
    assert table.answer(table.focus_action("Witch", "Wall")).damage("Wall", "Near") == (2, 0)


@pytest.mark.parametrize(("face", "own"), [(CHAOS, True), (HIT, False)])
def test_an_unstable_card_helps_its_target_and_on_chaos_its_user_too(face: int, own: bool) -> None:
    """R7.15"""
    text = "card Wild: steady 2, battle empower medium unstable\n" + WALL + "A Orc Boyz (10, 10)\nA Wall (13, 10)"
    table = scripted_position(text + FAR).with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Orc Boyz", "Wall"), (face,))
    assert (table.disk("Wall").empowered, table.disk("Orc Boyz").empowered) == (True, own)


def test_a_token_is_put_on_and_taken_off_where_that_changes_something() -> None:
    """R1.3: as with empowerment, of which a disk has at most one."""
    table = scripted_position("A Big Boss (10, 10)\nA Orc Boyz (13, 10) activated" + FAR).with_card_turn(0)
    after = table.answer(table.focus_action("Big Boss", "Orc Boyz"))
    (event,) = after.events_of_type(e.ActivationTokenChanged)
    assert (event.disk, event.activated) == (1, False)


# ---------------------------------------------------------------- damage


def test_hits_on_a_disk_that_has_left_deal_nothing() -> None:
    """R13.2, R13.3, R13.4, R-75"""
    table = scripted_position(WALL + "A Wall (10, 10)\nB reserve: Orc Boyz" + FAR)
    resolution = play_on(table.board)
    damage.strike(
        resolution, [DiskHit(table.number("Orc Boyz"), 3, "physical"), DiskHit(0, 2, "physical")], (Reason("R12.4"),)
    )
    assert [(event.disk, event.dealt) for event in resolution.events if isinstance(event, e.DamageDealt)] == [(0, 2)]


def test_damage_in_melee_names_the_disks_that_struck() -> None:
    """R13.2, R13.3, R13.4, R-75: all blows of a step on one disk are one instance."""
    text = WALL + "A Wall (10, 10)\nB Wall (9.1, 10) z5\nB Wall (10.9, 10) z6" + FAR
    table = scripted_position(text).start_melee()
    while table.open_questions:
        table = table.answer(table.options().actions[0])
    struck = {event.disk: event.sources for event in table.events_of_type(e.DamageDealt)}
    assert struck == {0: (1, 2), 1: (0,)}


def test_an_instance_of_several_types_is_reduced_type_by_type_and_wounds_once() -> None:
    """R13.3.3, R13.4"""
    table = scripted_position("disk Tough: small, T5 St1, Resistant (physical)\nA Tough (10, 10)" + FAR)
    resolution = play_on(table.board)
    damage.strike(resolution, [DiskHit(0, 5, "physical"), DiskHit(0, 3, "arcane")], (Reason("R12.4"),))
    taken = [(event.damage_type, event.taken) for event in resolution.events if isinstance(event, e.DamageDealt)]
    assert sorted(taken) == [("arcane", 3), ("physical", 3)]
    assert (resolution.board.disks[0].wounds, resolution.board.disks[0].damage) == (1, 0)


def test_one_damage_on_a_toughness_of_one_is_a_wound() -> None:
    """R13.4"""
    resolution = play_on(scripted_position("disk Weak: small, T1 St1\nA Weak (10, 10)" + FAR).board)
    damage.strike(resolution, [DiskHit(0, 1, "physical")], (Reason("R12.4"),))
    assert (resolution.board.disks[0].wounds, resolution.board.disks[0].damage) == (1, 0)


def test_when_the_bearer_of_an_aura_dies_in_the_middle_of_a_landing_its_friends_are_tested_at_once() -> None:
    """R-45, R13.4: the Impact comes in a task of its own."""
    rider = "B Rider (10, 13.2)\ndisk Rider: small, M4 S1 T9, Impact 20\n"
    before = goblin_position(rider).with_disk("Grom the Paunch", wounds=1).with_card_turn(1)
    table = before.answer(before.move_action("Rider", 270))
    assert not table.is_fielded("Grom the Paunch")
    assert (table.is_fielded("Night Goblins"), table.disk("Boss").wounds) == (False, 1)


def test_a_bearer_who_walks_off_flip_by_flip_leaves_its_friends_to_their_wounds_before_the_next_question() -> None:
    """R-45"""
    before = goblin_position().with_card_turn(0)
    table = before.answer(before.move_action("Grom the Paunch", 180, 180, end=False))
    table.question(a.ContinuationQuestion)
    assert not table.is_fielded("Night Goblins")


# ---------------------------------------------------------------- triggers


def test_triggers_are_put_in_order_once() -> None:
    """R-20, R-32, R6.6, R19.19: and each is an instance of its own."""
    text = "disk Thorn: small, T9, engage deal_damage_near 1 physical short\ndisk Rider: medium, M4 T9\n"
    text += "A Rider (10, 10)\nB Thorn (12.25, 11.5)\nB Thorn (12.25, 8.5)\nB Thorn (14, 10)" + FAR
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Rider", 0))
    assert len(table.question(a.TriggerOrderQuestion).triggers) == 3
    table = table.answer(a.OrderTriggers((2, 0, 1)))
    assert [event.trigger.disk for event in table.events_of_type(e.TriggerResolved)] == [3, 1, 2]
    assert table.damage("Rider") == (3,)


def test_a_disk_that_has_left_triggers_nothing() -> None:
    """R8.5.3"""
    text = "disk Saint: small T9, engage deal_damage_near 1 untyped short\n" + WALL
    table = scripted_position(text + "A Wall (10, 10)\nA reserve: Saint\nB Wall (12, 10)" + FAR)
    trigger = a.Trigger(table.number("Saint"), table.number("Wall#2"), 0)
    assert table.run_tasks(t.EngageAbilityTask(trigger)).events_of_type(e.TriggerResolved) == []


BLESSED = "disk Saint: small T9 M4, engage empower medium\n" + WALL


def test_an_ability_with_one_target_is_used_on_it_and_with_two_its_controller_is_asked() -> None:
    """R19.20: with those explained that it cannot be aimed at."""
    landing = "A Saint (10, 10)\nB Wall (13, 10)\n"
    one = scripted_position(BLESSED + landing + "A Orc Boyz (10, 13) empowered" + FAR).with_card_turn(0)
    one = one.answer(one.move_action("Saint", 0))
    assert one.disk("Saint").empowered
    assert not any(isinstance(question, a.EngageAbilityQuestion) for _, question in one.open_questions)
    text = BLESSED + landing + "A Orc Boyz (10, 13)\nA Big Boss (12, 14) empowered" + FAR
    two = scripted_position(text).with_card_turn(0)
    two = two.answer(two.move_action("Saint", 0))
    assert two.question(a.EngageAbilityQuestion).candidates == (0, two.number("Orc Boyz"))
    assert [(explanation.target, explanation.code, explanation.rule) for explanation in explained(two)] == [
        (two.number("Big Boss"), "bad_target", "R1.3")
    ]


def test_an_optional_ability_against_the_engaged_enemy_names_no_target() -> None:
    """R19.20"""
    text = "disk Saint: small T9 M4, engage deal_damage 1 true short may\n" + WALL
    table = scripted_position(text + "A Saint (10, 10)\nB Wall (12, 10)" + FAR).with_card_turn(0)
    table = table.answer(table.move_action("Saint", 0))
    question = table.question(a.EngageAbilityQuestion)
    assert (question.candidates, question.optional) == ((), True)
    assert table.expect_illegal(a.UseEngageAbility(1)).rule == "R19.20"
    assert explained(table) == []
    assert table.answer(a.UseEngageAbility()).damage("Wall") == (1,)
    assert table.answer(a.UseEngageAbility(use=False)).damage("Wall") == (0,)


# ---------------------------------------------------------------- engagements


def test_layers_go_by_the_deepest_enemy_above() -> None:
    """R-16, R15.1.4: disk 2 is pinned by the top disk and by one below it."""
    links = [Link(0, 1), Link(0, 2), Link(1, 2), Link(1, 3), Link(2, 3)]
    layers = [tuple(engagement.links) for engagement in engagements.partition(links)]
    assert layers == [(Link(0, 1), Link(0, 2)), (Link(1, 2), Link(1, 3)), (Link(2, 3),)]


def test_a_disk_strikes_back_once_as_a_defender_whatever_it_does_as_an_attacker() -> None:
    """R-16"""
    board = scripted_position(WALL + "A Wall (10, 10)\nB Wall (11, 10)\nA Wall (20, 10)" + FAR).board
    first = Engagement((0,), (1,), (Link(0, 1),), (0, 1), True)
    second = Engagement((1,), (2,), (Link(1, 2),), (1,), True)
    fought = replace(board, engagements=(first, second))
    assert [melee._has_struck_back(fought, disk) for disk in (0, 1, 2)] == [False, True, False]


def test_each_engagement_that_may_be_picked_is_named_once() -> None:
    """R15.2, R15.2.2: of a chain of three the first, of two chains both."""

    def engagement(attacker: int, defender: int) -> Engagement:
        return Engagement((attacker,), (defender,), (Link(attacker, defender),))

    chain = [engagement(0, 1), engagement(1, 2), engagement(2, 3)]
    assert engagements.legal_engagements(chain, lambda disk: True, {1, 2, 3}) == (0,)
    assert engagements.legal_engagements(chain[::-1], lambda disk: True, {1, 2, 3}) == (2,)
    two = [*chain, engagement(4, 5)]
    assert engagements.legal_engagements(two, lambda disk: True, {1, 2, 3, 5}) == (0, 3)


def test_the_only_engagement_that_may_be_picked_begins_unasked_and_the_phase_goes_on_to_its_end() -> None:
    """R15.2, R15.3, R15.2.4"""
    text = WALL + "A Wall (10, 10)\nB Wall (10.9, 10)\nA Wall (11.8, 10)" + FAR
    table = scripted_position(text).start_melee(then=(t.EndPhaseTask(),))
    assert table.open_questions == ()
    assert [event.engagement for event in table.events_of_type(e.EngagementBegan)] in ([0, 1], [1, 0])
    assert [event.dropped for event in table.events_of_type(e.EngagementEnded)] == [False, False]
    assert [event.phase for event in table.events_of_type(e.PhaseBegan)] == ["melee", "end"]


def test_a_phase_without_engagements_is_over() -> None:
    """R15.2"""
    table = scripted_position(WALL + "A Wall (10, 10)" + FAR).start_melee()
    assert (table.open_questions, table.events_of_type(e.EngagementBegan)) == ((), [])


def test_a_swift_step_says_why_it_is_early_and_a_normal_one_does_not() -> None:
    """R14.1"""
    text = "disk Quick: small, S2 C1 T9, Swift (strength)\n" + WALL + "A Quick (10, 10)\nB Wall (9.5, 10) z0" + FAR
    table = scripted_position(text).start_melee()
    steps = {event.speed: [reason.rule for reason in event.reasons] for event in table.events_of_type(e.BlowsStruck)}
    assert steps == {"swift": ["R15.3.3", "R14.1"], "normal": ["R15.3.3"]}


@each_row("role", ["attacker", "defender"])
@each_row(("lost", "rule"), [("link", "R15.4.1"), ("pin", "R15.4.2")])
def test_enemies_that_cannot_be_struck_are_explained(role: str, lost: str, rule: str) -> None:
    """R15.4, R15.4.1, R15.4.2: pinned but not linked when the phase began, or linked and not pinned any more."""
    lone = f"A Hub (10, 10) z{9 if role == 'attacker' else 1}"
    places = enumerate(((8.6, 10), (11.4, 10), (10, 11.9)), 3)
    others = "".join(f"B Wall ({x}, {y}) z{height}\n" for height, (x, y) in places)
    table = scripted_position(f"disk Hub: large, M3 S2 C1 T9\n{WALL}{lone}\n{others}C Wall (30, 30)").start_melee()
    while not any(
        question.role == role for _, question in table.open_questions if isinstance(question, a.MeleeTargetsQuestion)
    ):
        table = table.answer(table.options().actions[0])
    question = table.question(a.MeleeTargetsQuestion)
    assert [len(choice.targets) for choice in question.choices] == [3]
    hub, enemy = question.choices[0].disk, question.choices[0].targets[-1]
    board, (fought,) = table.board, table.board.engagements
    if lost == "link":
        links = tuple(link for link in fought.links if enemy not in link)
        board = replace(board, engagements=(replace(fought, links=links),))
    else:
        board = replace(board, pins=tuple(pin for pin in board.pins if enemy not in pin))
    changed = ScriptedPosition(board)
    assert [choice.targets for choice in changed.question(a.MeleeTargetsQuestion).choices] == [
        question.choices[0].targets[:-1]
    ]
    (entry,) = explained(changed)
    assert (entry.disk, entry.target, entry.code, entry.rule) == (hub, enemy, "not_legal", rule)
    assert explained(table) == []


GOD = "card Blood: steady 2, battle fight_engagement\n" + WALL


def test_an_embattled_disk_may_fight_in_either_of_its_engagements_and_the_others_are_explained() -> None:
    """R15.5, R19.22"""
    text = GOD + "B Wall (9.1, 10) z1\nA Orc Boyz (10, 10) z2\nB Wall (10.9, 10) z3\nA Wall (20, 10)\nB Wall (20.9, 10)"
    table = scripted_position(text + FAR).with_card_turn(0, "blood")
    table = table.answer(table.ability_action("Orc Boyz"))
    question = table.question(a.EngagementQuestion)
    assert len(question.engagements) == 2
    (other,) = set(range(3)) - set(question.engagements)
    (entry,) = explained(table)
    assert (entry.code, entry.rule, entry.numbers) == ("not_legal", "R15.5", {"engagement": other})


def test_a_disk_in_one_engagement_fights_it_unasked() -> None:
    """R15.5, R19.22"""
    text = GOD + "A Orc Boyz (10, 10) z2\nB Wall (10.9, 10) z1\nA Wall (20, 10)\nB Wall (20.9, 10)" + FAR
    table = scripted_position(text).with_card_turn(0, "blood")
    table = table.answer(table.ability_action("Orc Boyz"))
    assert len(table.events_of_type(e.BlowsStruck)) == 1
    assert not any(isinstance(question, a.EngagementQuestion) for _, question in table.open_questions)


# ---------------------------------------------------------------- rounds


def test_after_the_cards_that_a_leaver_has_revealed_the_others_choose_again() -> None:
    """R-60, R7.1"""
    text = "order A B C\nA Orc Boyz (10, 10)\nB Big Boss (20, 10)\nC Maiden Guard (20, 20)\n"
    table = scripted_position(text).with_hand(0, "press-on", "feint").with_hand(1, "hold-fast", "all-together")
    table = table.with_hand(2, "double-time").run_tasks(t.ActivationPhaseTask(), t.MeleePhaseTask())
    table = table.answer(a.LockCard("press-on", "5a" * 16), seat=0).answer(a.LockCard("hold-fast", "5b" * 16), seat=1)
    table = resign_seat(table, 2)
    assert len(table.events_of_type(e.CardsRevealed)) == 1
    table = table.answer(a.EndCard()).answer(a.EndCard())
    assert table.open_questions == ((0, a.CommandCardQuestion()), (1, a.CommandCardQuestion()))


def test_the_end_phase_begins_with_its_own_event() -> None:
    """R4.2, R4.3, R4.4, R13.6"""
    table = scripted_position(WALL + "A Wall (10, 10) damage 2" + FAR).run_tasks(t.EndPhaseTask())
    assert [event.phase for event in table.events_of_type(e.PhaseBegan)] == ["end"]
    assert table.event_names()[0] == "PhaseBegan"
    assert table.damage("Wall") == (0,)


def test_the_objective_of_a_player_who_is_out_is_not_revealed() -> None:
    """R4.11, R4.12, R19.24"""
    board = scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)\nC Big Boss (20, 20)").board
    resolution = play_on(with_objectives(board))
    scoring.score(resolution)
    (event,) = [event for event in resolution.events if isinstance(event, se.ObjectivesRevealed)]
    assert [objective.seat for objective in event.objectives] == [0, 2]


def with_objectives(board: Board) -> Board:
    """Return the board with an objective for each seat, of which the second is out."""
    layout = replace(board.layout, scenarios=tuple(SCENARIOS), active_scenario="s5")
    sides = [replace(side, objective=f"s{side.seat}", eliminated=side.seat == 1) for side in board.sides]
    return with_tasks(replace(board, layout=layout, sides=tuple(sides)))
