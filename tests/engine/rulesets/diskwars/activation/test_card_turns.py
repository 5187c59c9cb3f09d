"""The turn of a command card in detail: what is asked, offered, explained and refused (R7, R8, R16.3)."""

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import activation, command_cards
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from tests.engine.rulesets.diskwars.activation.test_command_cards import both_lock, lock_action
from tests.engine.rulesets.diskwars.positions import SALT, ScriptedPosition, scripted_position
from tests.rows import each_row

FAR = "\nB Sun Dragon (30, 30)\n"
STORM = "card Storm: steady 2, battle deal_damage_near 2 untyped short\n"
CASTER = "A Stone Fangz Shaman (10, 10)\nA Orc Boyz (6, 10)\nB Sun Dragon (14, 10)\nB Black Orcs (17, 10)\n"
BOWS = "disk Bows: small, M5 T9, shot 2 dice strength 2 physical to medium\n"
CART = "disk Cart: small, M1 T9; Mobile, Magic 2, shot 1 dice strength 2 physical to long\n"


def explained(table: ScriptedPosition, action: str | None = None) -> list[DiskwarsUnavailable]:
    seat, question = table.open_questions[0]
    entries = rounds.unavailable(table.board, seat, question)
    return [entry for entry in entries if action is None or entry.action == action]


def brief(found: list[DiskwarsUnavailable]) -> list[tuple[int | None, int | None, str, str]]:
    return [(entry.disk, entry.target, entry.code, entry.rule) for entry in found]


# ---------------------------------------------------------------- what the card asks


def test_a_card_begins_when_its_turn_comes_and_then_asks_its_player() -> None:
    """R7.7, R19.12"""
    table = scripted_position("A Orc Boyz (10, 10)" + FAR).run_tasks(t.CommandCardTask(0, "press-on", 1, False))
    assert table.events_of_type(e.CardBegan) == [e.CardBegan(0, "press-on")]
    assert table.open_questions == ((0, a.ActivationQuestion("press-on", 1, False)),)


def test_a_card_without_an_activation_and_an_ability_asks_nothing() -> None:
    """R19.12, R7.11"""
    table = scripted_position("A Orc Boyz (10, 10)" + FAR).run_tasks(t.CommandCardTask(0, "press-on", 0, False))
    assert table.events_of_type(e.CardBegan) == [e.CardBegan(0, "press-on")]
    assert table.open_questions == ()


def test_only_own_disks_that_can_be_activated_keep_a_card_going() -> None:
    """R7.11, R16.3: an enemy's do not."""
    table = scripted_position("A Orc Boyz (10, 10) activated" + FAR)
    assert table.run_tasks(t.CommandCardTask(0, "press-on", 3, False)).open_questions == ()


def test_one_disk_of_the_reserve_that_has_room_keeps_a_card_going() -> None:
    """R7.11, R16.3: though another has none."""
    text = "zone A (6, 0) to (8, 6) for 1\nA Orc Boyz (20, 10) activated\nA reserve: {}" + FAR
    work = t.CommandCardTask(0, "press-on", 3, False)
    assert scripted_position(text.format("Steam Tank, Night Goblins")).run_tasks(work).open_questions
    assert scripted_position(text.format("Steam Tank")).run_tasks(work).open_questions == ()


@pytest.mark.parametrize("left", [1, 2])
def test_each_disk_may_pass_shoot_use_its_ability_or_move_while_an_activation_is_left(left: int) -> None:
    """R7.9 to R7.12"""
    text = "disk Statue: small, Emplace\n" + BOWS + "A Bows (10, 10)\nA High Mage (10, 14)\nA Statue (3, 3)\n"
    table = scripted_position(text + "A Orc Boyz (6, 30) activated\nB Sun Dragon (14, 12)").with_card_turn(0, left=left)
    dragon, names = table.number("Sun Dragon"), ("Bows", "High Mage", "Statue")
    bows, mage, statue = map(table.number, names)
    assert set(table.options().actions) == {
        a.EndCard(),
        *map(a.PassDisk, (bows, mage, statue)),
        a.Shoot(bows, mage, 0),
        a.Shoot(bows, dragon, 0),
        a.Focus(mage, dragon, 0),
    }
    assert [option.disk for option in table.options().parametric] == [bows, mage]


def test_while_an_activation_is_left_disks_are_explained_and_not_the_card() -> None:
    """R7.11"""
    table = scripted_position("A Orc Boyz (10, 10)\nA Big Boss (20, 10) activated" + FAR).with_card_turn(0, left=1)
    assert brief(explained(table)) == [(1, None, "disk_activated", "R7.11")]
    assert [explanation.card for explanation in explained(table)] == [None]


@pytest.mark.parametrize("disk", [9, -1])
def test_a_disk_that_does_not_exist_can_do_nothing(disk: int) -> None:
    """R7.9 to R7.12, R6.3, R16.3: whether it is activated, brought in, or uses the ability of the card."""
    table = scripted_position("zone A (6, 0) to (30, 6) for 5\nA reserve: Big Boss\n" + CASTER)
    table = table.with_card_turn(0, "fists-of-mork")
    actions: list[a.Action] = [
        a.PassDisk(disk),
        a.Shoot(disk, 2, 0),
        a.Reinforce(disk, 400000, 76200),
        a.UseAbility(disk, 2),
    ]
    for action in actions:
        assert table.expect_illegal(action).code == "unknown_disk"


def test_a_card_refuses_a_place_where_no_disk_of_the_reserve_may_come_in() -> None:
    """R7.11, R9.1: the card grants the activation, not the place."""
    table = scripted_position("zone A (6, 0) to (30, 6) for 5\nA reserve: Big Boss\n" + CASTER).with_card_turn(0)
    boss = table.number("Big Boss")
    assert table.expect_illegal(a.Reinforce(boss, 457200, 457200)).rule == "R9.1"
    assert table.answer(a.Reinforce(boss, 457200, 76200)).is_fielded("Big Boss")


def test_ending_a_card_gives_up_its_ability_as_well() -> None:
    """R7.12, R7.9, R7.10"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    assert table.question(a.ActivationQuestion).ability_available
    assert table.answer(a.EndCard()).open_questions == ()


# ---------------------------------------------------------------- the battle ability


def test_an_ability_that_targets_nobody_is_offered_to_each_disk_that_qualifies() -> None:
    """R7.9, R7.10: and used without a target."""
    text = STORM + "A Big Boss (10, 10)\nA Orc Boyz (30, 3)\nB Maiden Guard (13, 10)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0, "storm")
    uses = [action for action in table.options().actions if isinstance(action, a.UseAbility)]
    assert uses == [a.UseAbility(0), a.UseAbility(1)]
    table = table.answer(a.UseAbility(0))
    assert table.damage("Maiden Guard", "Sun Dragon") == (2, 0)
    (used,) = table.events_of_type(e.AbilityUsed)
    assert [reason.rule for reason in used.reasons] == ["R7.9"]


def test_an_ability_that_would_do_nothing_is_not_offered() -> None:
    """R7.9: Blood for the Blood God needs an engaged disk."""
    text = "card Blood: steady 2, battle fight_engagement\nA Big Boss (10, 10)\nA Orc Boyz (20, 3)\n"
    table = scripted_position(text + "B Maiden Guard (10.5, 10)" + FAR).with_card_turn(0, "blood")
    assert [action for action in table.options().actions if isinstance(action, a.UseAbility)] == [a.UseAbility(0)]
    refused = table.expect_illegal(a.UseAbility(1))
    assert (refused.code, refused.rule, refused.numbers) == ("bad_target", "R7.9", {"disk": 1})


def test_an_aimed_ability_names_the_sight_that_it_needed() -> None:
    """R7.9, R7.10, R11.1"""
    table = scripted_position(CASTER + "terrain Wall at (20, 20) (21, 20) (21, 21) (20, 21); Blocks Sight")
    table = table.with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 3)
    (used,) = table.events_of_type(e.AbilityUsed)
    assert [reason.rule for reason in used.reasons] == ["R7.9", "R11.2"]
    assert used.target == table.number("Sun Dragon")


@pytest.mark.parametrize(("before", "left"), [(0, 3), (1, 0)])
def test_with_the_option_an_ability_used_between_activations_ends_them_and_one_used_first_does_not(
    before: int, left: int
) -> None:
    """R7.10, R7.9, R-13"""
    table = scripted_position(CASTER)
    timing = replace(table.board.settings, battle_ability_timing="first_or_last")
    table = ScriptedPosition(replace(table.board, settings=timing))
    activations = table.board.card("fists-of-mork").activations
    table = table.with_card_turn(0, "fists-of-mork", left=activations)
    for name in ("Orc Boyz",)[:before]:
        table = table.answer(table.pass_action(name))
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 3)
    if left:
        assert table.question(a.ActivationQuestion).activations_left == activations
    else:
        assert table.open_questions == ()


def test_own_disks_that_cannot_use_the_ability_are_explained_and_no_enemy_is() -> None:
    """R7.9"""
    text = "A High Mage (10, 10)\nA Orc Boyz (6, 10)\nB Stone Fangz Shaman (30, 10)\nB Sun Dragon (30, 30)"
    table = scripted_position(text).with_card_turn(0, "fists-of-mork")
    entries = explained(table, "use_ability")
    assert {entry.disk for entry in entries} == {0, 1}
    assert [(entry.code, entry.rule, entry.text) for entry in entries if entry.disk == 1] == [
        ("bad_target", "R7.9", "disk 1 is no Caster")
    ]
    (far,) = [entry for entry in entries if entry.disk == 0]
    assert (far.code, far.rule, far.target) == ("out_of_range", "R7.9", 2)


# ---------------------------------------------------------------- within an activation


def test_a_disk_without_flips_can_act_and_not_move() -> None:
    """R16.3, R16.5, R8.4"""
    text = "disk Statue: small, Emplace\ndisk Slug: small, M0\nA Statue (10, 10)\nA Slug (20, 10)"
    table = scripted_position(text + FAR).with_card_turn(0)
    found = brief(explained(table, "move_disk"))
    assert found == [(0, None, "too_many_flips", "R16.5"), (1, None, "too_many_flips", "R8.4")]
    assert a.PassDisk(0) in table.options().actions


@each_row(
    ("keywords", "state", "pinned", "able"),
    [
        ("Stalwart, ", "", True, True),
        ("Stalwart, ", " activated", True, False),
        ("Stalwart, ", "", False, False),
        ("", "", True, False),
    ],
)
def test_a_pinned_disk_acts_where_it_is_only_if_stalwart_and_not_activated(
    keywords: str, state: str, pinned: bool, able: bool
) -> None:
    """R16.3"""
    text = f"disk Wall: small, M5 T9, {keywords}shot 2 dice strength 2 physical to medium\nA Wall (10, 10){state}\n"
    text += f"B Maiden Guard ({10.5 if pinned else 14}, 10)"
    board = scripted_position(text + FAR).board
    assert activation.can_act_pinned(board, 0) is able


def test_a_pinned_stalwart_disk_with_nothing_to_do_is_not_asked() -> None:
    """R16.3: nor is one in the reserve."""
    text = "disk Wall: small, M5 T9, Stalwart\ndisk Guard: small, M5 T9, Stalwart\nA Wall (10, 10)\nA reserve: Guard\n"
    board = scripted_position(text + "B Maiden Guard (10.5, 10)" + FAR).board
    assert [activation.can_act_pinned(board, disk) for disk in (0, 1)] == [False, False]


def test_the_explanation_is_for_the_attack_that_reaches_farthest() -> None:
    """R12.1: of three, the second."""
    text = (
        "disk Tank: small, M3 T9, shot 1 dice strength 2 physical to short, shot 1 dice strength 2 physical to long, "
    )
    text += "shot 1 dice strength 2 physical to medium\nA Tank (3, 3)\nB Sun Dragon (34, 34)\nB Maiden Guard (30, 30)"
    (entry,) = explained(scripted_position(text).with_card_turn(0), "shoot")
    assert (entry.code, entry.target, entry.numbers["shot"]) == ("out_of_range", 2, 1)


def test_after_its_last_flip_a_mobile_disk_learns_that_it_has_none_and_whom_it_cannot_reach() -> None:
    """R8.1, R8.2, R8.4"""
    text = CART + "A Cart (10, 10)\nB Maiden Guard (18, 10)\nB Ghost (18, 14)\nB Sun Dragon (34, 34)\n"
    table = scripted_position(text + "disk Ghost: small T5, Immune (ranged)").with_card_turn(0)
    table = table.answer(table.move_action("Cart", 180, end=False))
    assert table.question(a.ContinuationQuestion).allowed == ("shoot",)
    assert brief(explained(table, "move_disk")) == [(0, None, "too_many_flips", "R8.4")]
    assert brief(explained(table, "shoot")) == [(0, table.number("Ghost"), "bad_target", "R12.1")]
    assert brief(explained(table, "focus")) == [(0, table.number("Maiden Guard"), "out_of_range", "R8.3")]


def test_before_its_last_flip_a_mobile_disk_does_not_learn_that_it_has_none() -> None:
    """R8.4"""
    text = CART.replace("M1", "M3") + "A Cart (10, 10)\nB Maiden Guard (15, 10)" + FAR
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.move_action("Cart", 180, end=False))
    assert explained(table, "move_disk") == []


def test_a_mobile_disk_on_rough_ground_and_an_enemy_is_stopped_by_the_enemy() -> None:
    """R10.9, R8.5.5: the stronger reason is named."""
    text = "terrain Mud at (10, 10) (14, 10) (14, 14) (10, 14); Rough\n" + CART.replace("M1", "M3")
    ground = text + "A Cart (8.5, 12)\nB Bows (16, 12)\n" + BOWS
    table = scripted_position(ground).with_card_turn(0)
    table = table.answer(table.move_action("Cart", 0, end=False))
    assert table.expect_illegal(table.move_action("Cart", 0)).rule == "R10.9"
    table = scripted_position(ground.replace("(16, 12)", "(11, 12)")).with_card_turn(0)
    table = table.answer(table.move_action("Cart", 0, end=False))
    assert table.expect_illegal(table.move_action("Cart", 0)).rule == "R8.5.5"


SCOUTS = "phase setup\ndisk Runner: small, M3 T4, Scout\nA Runner (10, 3)\nA Runner (20, 3)\nA Orc Boyz (20.5, 3)" + FAR


def test_a_scout_move_is_an_activation_and_a_pinned_scout_has_none() -> None:
    """R8.9"""
    table = scripted_position(SCOUTS).run_tasks(t.ScoutTask(0, (0, 1)))
    refused = table.expect_illegal(table.move_action("Runner#2", 90))
    assert (refused.code, refused.rule) == ("disk_pinned", "R6.3")
    table = table.answer(table.move_action("Runner#1", 90))
    assert table.events_of_type(e.ActivationBegan) == [e.ActivationBegan(0, 0)]
    assert [event.activated for event in table.events_of_type(e.ActivationEnded)] == [False]


# ---------------------------------------------------------------- locking


def test_the_phase_is_over_when_nobody_has_a_card_and_not_while_one_player_has() -> None:
    """R7.1, R7.2, R-43"""
    table = scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)")
    assert command_cards.is_phase_over(table.board)
    assert not command_cards.is_phase_over(table.with_hand(1, "feint").board)
    idle = scripted_position("A Orc Boyz (10, 10) activated\nB Sun Dragon (30, 30) activated").with_hand(0, "feint")
    assert command_cards.is_phase_over(idle.board)


def test_a_discarded_card_cannot_be_chosen_until_it_returns() -> None:
    """R7.5, R7.16, R4.3"""
    table = both_lock()
    sides = (replace(table.board.sides[0], discards=("fists-of-mork",)), table.board.sides[1])
    table = ScriptedPosition(replace(table.board, sides=sides))
    refused = table.expect_illegal(lock_action("fists-of-mork"), seat=0)
    assert (refused.code, refused.rule, refused.place) == ("not_in_hand", "R4.3", "$.action.card")
    assert table.expect_illegal(lock_action("hold-fast"), seat=0).rule == "R7.3"


def test_each_lock_opens_a_nonce_and_the_reveal_begins_the_step_that_the_locks_named() -> None:
    """R7.5, R19.28"""
    table = both_lock().answer(a.LockCard("press-on", SALT, "aa" * 16), seat=0)
    (first,) = table.events_of_type(e.CardLocked)
    assert table.events_of_type(SeatNonceOpened) == [SeatNonceOpened(0, "aa" * 16)]
    table = table.answer(a.LockCard("hold-fast", SALT, "bb" * 16), seat=1)
    (second,) = table.events_of_type(e.CardLocked)
    assert table.events_of_type(SeatNonceOpened) == [SeatNonceOpened(1, "bb" * 16)]
    (began,) = table.events_of_type(StepBegan)
    (shown,) = table.events_of_type(e.CardsRevealed)
    assert first.step == second.step == began.step == shown.step == 2


def test_revealed_cards_are_played_with_their_activations_and_their_battle_ability() -> None:
    """R7.5, R7.11, R7.17"""
    table = both_lock().answer(lock_action("press-on"), seat=0).answer(lock_action("hold-fast"), seat=1)
    turns = [task for task in table.tasks if isinstance(task, t.CommandCardTask)]
    cards = {seat: table.board.card(name) for seat, name in ((0, "press-on"), (1, "hold-fast"))}
    assert {task.seat: (task.card, task.activations_left) for task in turns} == {
        seat: (card.id, card.activations) for seat, card in cards.items()
    }
    has_ability = {seat: any(ability.timing == "battle" for ability in card.abilities) for seat, card in cards.items()}
    assert {task.seat: task.ability_available for task in turns} == has_ability == {0: False, 1: True}
    assert isinstance(table.tasks[-1] if len(table.tasks) < 3 else table.tasks[2], t.DiscardCardsTask)


@pytest.mark.parametrize("salt", ["00" * 16, ""])
def test_a_salt_by_which_the_card_could_be_found_before_the_reveal_is_refused(salt: str) -> None:
    """R7.5, R19.28: the choice is hidden until all have chosen."""
    assert both_lock().expect_illegal(a.LockCard("feint", salt), seat=0).code in ("unsafe_salt", "bad_salt")
