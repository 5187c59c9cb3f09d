"""Command cards: chosen, ordered, used, and their abilities (R7)."""

import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import command_cards
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import card_commitment
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Side
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Strategy
from tests.code_sizes import ROOT
from tests.engine.rulesets.diskwars.positions import (
    CHAOS,
    CRITICAL,
    HIT,
    MISS,
    SALT,
    ScriptedMatchDice,
    ScriptedPosition,
    scripted_position,
)
from tests.rows import each_row

THREE = "\nB Sun Dragon (30, 30)\n"
PHASES = (t.ActivationPhaseTask(), t.MeleePhaseTask())


def lock_action(card: str) -> a.LockCard:
    return a.LockCard(card, SALT)


def chosen_order(table: ScriptedPosition) -> ScriptedPosition:
    """Return the activation phase, up to the choosing of cards."""
    return table.run_tasks(*PHASES)


# ---------------------------------------------------------------- choosing


def both_lock() -> ScriptedPosition:
    table = scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)")
    return chosen_order(table.with_hand(0, "press-on", "feint").with_hand(1, "hold-fast", "all-together"))


def test_every_player_who_can_is_asked_for_a_card_at_the_same_time() -> None:
    """R7.3, R19.11"""
    table = both_lock()
    assert table.open_questions == ((0, a.CommandCardQuestion()), (1, a.CommandCardQuestion()))
    table = table.answer(lock_action("feint"), seat=0)
    assert table.open_questions == ((1, a.CommandCardQuestion()),)


def test_cards_are_revealed_when_all_have_chosen_and_not_before() -> None:
    """R7.5"""
    table = both_lock().answer(lock_action("press-on"), seat=0)
    assert table.events_of_type(e.CardsRevealed) == []
    assert (table.board.sides[0].card_count, table.board.sides[0].has_locked) == (2, True)
    table = table.answer(lock_action("hold-fast"), seat=1)
    (shown,) = table.events_of_type(e.CardsRevealed)
    assert set(shown.cards) == {e.RevealedCard(0, "press-on", SALT), e.RevealedCard(1, "hold-fast", SALT)}
    assert [(side.revealed_card, side.card_count, side.has_locked) for side in table.board.sides] == [
        ("press-on", 1, False),
        ("hold-fast", 1, False),
    ]


def test_a_lock_is_bound_by_a_commitment_to_match_step_seat_card_and_salt() -> None:
    """R19.28"""
    table = both_lock().answer(lock_action("feint"), seat=0)
    (locked,) = table.events_of_type(e.CardLocked)
    assert locked.step == 2
    assert locked.commitment == card_commitment("table", 2, 0, "feint", bytes.fromhex(SALT))


def test_a_player_without_cards_sits_out_and_the_others_go_on() -> None:
    """R7.6, R-14"""
    table = scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)\nC Big Boss (20, 20)")
    table = chosen_order(table.with_hand(0, "press-on").with_hand(2, "feint"))
    assert [seat for seat, _ in table.open_questions] == [0, 2]
    table = table.answer(lock_action("press-on"), seat=0).answer(lock_action("feint"), seat=2)
    assert [card.seat for card in table.events_of_type(e.CardsRevealed)[0].cards] == [2, 0]


def test_the_last_card_of_a_hand_is_locked_by_its_player_too() -> None:
    """R19.25: the one answer that is never forced."""
    table = chosen_order(scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)").with_hand(0, "press-on"))
    assert table.open_questions == ((0, a.CommandCardQuestion()),)
    assert table.options().actions == (a.LockCard("press-on"),)


def test_a_player_must_play_a_card_also_when_all_his_disks_are_activated() -> None:
    """R7.4"""
    table = (
        scripted_position("A Orc Boyz (10, 10) activated\nB Sun Dragon (30, 30)")
        .with_hand(0, "press-on")
        .with_hand(1, "feint")
    )
    assert [seat for seat, _ in chosen_order(table).open_questions] == [0, 1]


def test_the_phase_ends_when_every_disk_is_activated_or_pinned_though_cards_are_left() -> None:
    """R7.1, R7.2: disks in reserve do not keep it going."""
    text = "zone A (6, 0) to (30, 6) for 1\nB Sun Dragon (10, 10)\nA Orc Boyz (11, 10) activated\nA reserve: Big Boss"
    table = chosen_order(scripted_position(text).with_hand(0, "press-on").with_hand(1, "feint"))
    assert table.board.phase == "melee"
    assert table.events_of_type(e.CardLocked) == []


def test_the_phase_ends_when_nobody_has_a_card_left() -> None:
    """R7.1"""
    assert chosen_order(scripted_position("A Orc Boyz (10, 10)\nB Sun Dragon (30, 30)")).board.phase == "melee"


def test_cards_are_chosen_again_until_the_phase_is_over() -> None:
    """R7.1, R7.16: the cards played lie open in the discards."""
    table = both_lock().answer(lock_action("press-on"), seat=0).answer(lock_action("hold-fast"), seat=1)
    table = table.answer(a.EndCard()).answer(a.EndCard())
    assert len(table.events_of_type(e.CardsDiscarded)) == 1
    assert [side.discards for side in table.board.sides] == [("press-on",), ("hold-fast",)]
    assert table.open_questions == ((0, a.CommandCardQuestion()), (1, a.CommandCardQuestion()))


def test_a_salt_of_zeros_is_refused() -> None:
    refused = both_lock().expect_illegal(a.LockCard("feint", "00" * 16), seat=0)
    assert (refused.code, refused.place) == ("unsafe_salt", "$.action.salt")


def test_salts_of_documented_examples_are_refused() -> None:
    pages = "".join(page.read_text() for page in (ROOT / "docs").glob("*.md"))
    salts = set(re.findall(r'"type": "lock_[^}]*"salt": "(\w+)"', pages))
    assert salts
    for salt in salts:
        assert both_lock().expect_illegal(a.LockCard("feint", salt), seat=0).code == "unsafe_salt"


def test_a_salt_that_was_published_with_an_earlier_card_is_refused_to_every_seat() -> None:
    table = both_lock().answer(a.LockCard("press-on", SALT), seat=0).answer(a.LockCard("hold-fast", "77" * 16), seat=1)
    table = table.answer(a.EndCard()).answer(a.EndCard())
    assert table.expect_illegal(a.LockCard("feint", SALT), seat=0).code == "unsafe_salt"
    assert table.expect_illegal(a.LockCard("feint", "77" * 16), seat=0).code == "unsafe_salt"
    assert table.answer(a.LockCard("feint", "78" * 16), seat=0).board.sides[0].has_locked


def test_the_salt_of_a_card_that_is_still_secret_is_compared_with_nobodys() -> None:
    """A refusal would tell one seat the salt of another."""
    table = both_lock().answer(a.LockCard("press-on", SALT), seat=0)
    assert table.answer(a.LockCard("hold-fast", SALT), seat=1).board.sides[1].revealed_card == "hold-fast"


def test_an_option_sent_as_it_stands_is_refused_for_want_of_a_salt() -> None:
    table = both_lock()
    (option, *_) = table.options(seat=0).actions
    refused = table.expect_illegal(option, seat=0)
    assert (refused.code, refused.numbers) == ("bad_salt", {"digits": 32, "given": 0})


def test_a_default_card_is_drawn_hidden_and_moves_no_public_die() -> None:
    """R19.11"""
    chance = ScriptedMatchDice([*range(16), 1], step=1)
    drawn = command_cards.default_card(both_lock().board, 0, chance)
    chance.finish()
    assert drawn == a.LockCard("feint", bytes(range(16)).hex())


# ---------------------------------------------------------------- order


def card_order(strategies: Sequence[Strategy | None], first: Seat = 0) -> list[Seat]:
    """Return the seats in the order in which their cards are resolved; the initiative order begins with `first`."""
    board = scripted_position("A Orc Boyz (10, 10)").board
    seats = range(len(strategies))
    board = replace(board, sides=tuple(map(Side, seats)), order=tuple((first + n) % len(strategies) for n in seats))
    cards = {seat: CommandCard("", "", strategy, 1) for seat, strategy in enumerate(strategies) if strategy is not None}
    return command_cards.resolution_order(board, cards)


BOLD: Strategy = "bold"
STEADY: Strategy = "steady"
DEVIOUS: Strategy = "devious"
SLOW: Strategy = "slow"


@each_row(
    ("earlier", "later"),
    [(BOLD, STEADY), (STEADY, DEVIOUS), (DEVIOUS, BOLD), (BOLD, SLOW), (STEADY, SLOW), (DEVIOUS, SLOW)],
)
def test_of_two_players_one_strategy_goes_first_in_any_initiative_order(earlier: Strategy, later: Strategy) -> None:
    """R7.17, R7.18"""
    for first in (0, 1):
        assert card_order([earlier, later], first) == [0, 1]
        assert card_order([later, earlier], first) == [1, 0]


@each_row("strategy", [BOLD, STEADY, DEVIOUS, SLOW])
def test_of_equal_strategies_the_first_player_goes_first(strategy: Strategy) -> None:
    """R7.17, R7.18"""
    assert card_order([strategy, strategy], 0) == [0, 1]
    assert card_order([strategy, strategy], 1) == [1, 0]


@each_row(
    ("strategies", "order"),
    [
        ([BOLD, STEADY, DEVIOUS], [2, 0, 1]),
        ([STEADY, DEVIOUS, BOLD], [2, 0, 1]),
        ([DEVIOUS, BOLD, STEADY], [2, 0, 1]),
        ([BOLD, SLOW, DEVIOUS], [2, 0, 1]),
        ([BOLD, SLOW, STEADY], [0, 2, 1]),
        ([BOLD, BOLD, DEVIOUS, STEADY], [2, 0, 1, 3]),
        ([STEADY, SLOW, SLOW, STEADY], [0, 3, 1, 2]),
        ([DEVIOUS, BOLD, DEVIOUS, STEADY], [3, 0, 2, 1]),
        ([BOLD, DEVIOUS, DEVIOUS, DEVIOUS], [1, 2, 3, 0]),
    ],
)
def test_with_more_players_every_card_is_compared_with_the_first_players(
    strategies: list[Strategy], order: list[Seat]
) -> None:
    """R7.19: the first case is the rule book's own, devious, bold, steady."""
    assert card_order(strategies) == order


@each_row(
    ("strategies", "order"),
    [
        ([SLOW, BOLD, DEVIOUS, DEVIOUS], [2, 3, 1, 0]),
        ([SLOW, BOLD, STEADY, SLOW], [1, 2, 0, 3]),
        ([SLOW, STEADY, DEVIOUS, STEADY], [1, 3, 2, 0]),
        ([SLOW, STEADY, STEADY], [1, 2, 0]),
        ([SLOW, SLOW, SLOW], [0, 1, 2]),
        ([None, BOLD, DEVIOUS], [2, 1]),
        ([None, SLOW, DEVIOUS, STEADY], [3, 2, 1]),
    ],
)
def test_when_the_first_player_is_slow_or_has_no_card_the_others_go_by_their_strategies(
    strategies: list[Strategy | None], order: list[Seat]
) -> None:
    """R7.20: the first case is the rule book's own, devious, devious, bold, slow."""
    assert card_order(strategies) == order


@each_row("others", [[BOLD, STEADY, DEVIOUS], [DEVIOUS, STEADY, BOLD], [STEADY, BOLD, DEVIOUS]])
def test_three_strategies_without_the_first_players_go_in_initiative_order(others: list[Strategy]) -> None:
    """R7.21, R-15"""
    assert card_order([SLOW, *others]) == [1, 2, 3, 0]
    assert card_order([None, *others]) == [1, 2, 3]
    assert card_order([others[2], SLOW, *others[:2]], first=1) == [2, 3, 0, 1]


def test_cards_are_resolved_in_the_order_in_which_they_are_shown() -> None:
    """R7.7"""
    table = both_lock().answer(lock_action("feint"), seat=0).answer(lock_action("hold-fast"), seat=1)
    assert [card.seat for card in table.events_of_type(e.CardsRevealed)[0].cards] == [1, 0]
    assert table.open_questions[0][0] == 1
    table = table.answer(a.EndCard())
    assert table.open_questions[0][0] == 0


# ---------------------------------------------------------------- activations


def test_a_card_gives_as_many_activations_as_its_value() -> None:
    """R7.11"""
    table = scripted_position("A Orc Boyz (10, 10)\nA Big Boss (14, 10)\nA Black Orcs (18, 10)" + THREE).with_card_turn(
        0, left=2
    )
    table = table.answer(table.pass_action("Orc Boyz"))
    assert table.question(a.ActivationQuestion).activations_left == 1
    table = table.answer(table.pass_action("Black Orcs"))
    assert table.open_questions == ()
    assert not table.disk("Big Boss").activated


def test_activations_that_are_not_used_are_lost() -> None:
    """R7.12"""
    table = scripted_position("A Orc Boyz (10, 10)\nA Big Boss (14, 10)" + THREE).with_card_turn(0)
    table = table.answer(a.EndCard())
    assert table.open_questions == ()
    assert table.event_names() == ["CardsDiscarded"]


def test_a_player_who_has_nothing_to_activate_is_not_asked() -> None:
    """R19.25"""
    assert (
        scripted_position("A Orc Boyz (10, 10) activated" + THREE)
        .with_card_turn(0)
        .run_tasks(t.CommandCardTask(0, "press-on", 3, False))
        .open_questions
        == ()
    )


# ---------------------------------------------------------------- passive abilities


def test_longer_shots_reach_one_band_further_while_the_card_lies_open() -> None:
    """R7.8: Winds of Morai-Heg; a medium shot reaches to long range."""
    text = "A Arrer Boyz (10, 10)\nB Sun Dragon (20, 10)"
    refusal = scripted_position(text).with_card_turn(0).expect_illegal(a.Shoot(0, 1))
    assert (refusal.code, refusal.rule) == ("out_of_range", "R11.4")
    assert refusal.numbers == {"disk": 0, "target": 1, "length": scripted_position(text).board.field.medium}
    table = scripted_position(text).with_card_turn(0, "winds-of-morai-heg")
    table = table.answer(a.Shoot(0, 1), (HIT, MISS))
    assert table.damage("Sun Dragon") == (2,)


def test_longer_shots_of_a_siege_engine_stay_at_siege_range() -> None:
    """R7.8, R5.5: there is no band beyond."""
    table = scripted_position("A Rock Lobber (10, 10)\nB Sun Dragon (30, 30)").with_card_turn(0, "winds-of-morai-heg")
    table = table.answer(a.Shoot(0, 1), 2, (HIT, HIT, CRITICAL))
    assert table.damage("Sun Dragon") == (2,)


def test_longer_shots_reach_from_long_to_siege_range() -> None:
    """R7.8, R5.5: where hits do nothing (R12.4.1)."""
    table = scripted_position("A Militia Archers (10, 10)\nB Sun Dragon (30, 30)").with_card_turn(
        0, "winds-of-morai-heg"
    )
    table = table.answer(a.Shoot(0, 1), (HIT, HIT))
    assert table.damage("Sun Dragon") == (0,)


def test_a_passive_ability_helps_its_own_player_only() -> None:
    """R7.8"""
    table = scripted_position("A Arrer Boyz (10, 10)\nB Arrer Boyz (20, 10)")
    table = table.with_card_turn(0, "winds-of-morai-heg").with_card_turn(1, "press-on")
    assert [action for action in table.options().actions if isinstance(action, a.Shoot)] == []


def test_double_time_gives_one_more_flip() -> None:
    """R7.8"""
    table = scripted_position("A Big Boss (10, 10)" + THREE)
    assert table.with_card_turn(0).expect_illegal(table.move_action("Big Boss", *[0] * 6)).code == "too_many_flips"
    table = table.with_card_turn(0, "double-time")
    assert len(table.answer(table.move_action("Big Boss", *[0] * 6)).events_of_type(e.DiskFlipped)) == 6
    assert table.expect_illegal(table.move_action("Big Boss", *[0] * 7)).numbers == {"flips": 7, "flips_left": 6}


def test_aimed_volley_gives_one_more_strength_to_shots() -> None:
    """R7.8: and none to magic."""
    table = scripted_position("A Arrer Boyz (10, 10)\nA High Mage (10, 14)\nB Sun Dragon (14, 12)").with_card_turn(
        0, "aimed-volley"
    )
    assert table.answer(table.shoot_action("Arrer Boyz", "Sun Dragon"), (HIT, HIT)).damage("Sun Dragon") == (6,)
    assert table.answer(table.focus_action("High Mage", "Sun Dragon")).damage("Sun Dragon") == (3,)


def test_a_passive_ability_ends_when_the_card_is_discarded() -> None:
    """R7.8"""
    table = scripted_position("A Big Boss (10, 10)" + THREE).with_card_turn(
        0, "double-time", then=(t.CommandCardTask(0, "press-on", 1, False),)
    )
    table = table.answer(a.EndCard())
    assert table.expect_illegal(table.move_action("Big Boss", *[0] * 6)).code == "too_many_flips"


# ---------------------------------------------------------------- battle abilities

CASTER = "A Stone Fangz Shaman (10, 10)\nA Orc Boyz (6, 10)\nB Sun Dragon (14, 10)\nB Black Orcs (17, 10)\n"


def test_a_battle_ability_costs_no_activation_and_gives_its_user_no_token() -> None:
    """R7.9"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 4)
    assert table.damage("Sun Dragon") == (2,)
    assert table.question(a.ActivationQuestion) == a.ActivationQuestion("fists-of-mork", 3, False)
    assert not table.disk("Stone Fangz Shaman").activated


@each_row("before", [0, 1, 2])
def test_a_battle_ability_may_come_before_between_and_after_the_activations(before: int) -> None:
    """R7.10, R-13"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork", left=2)
    for name in ("Orc Boyz", "Stone Fangz Shaman")[:before]:
        table = table.answer(table.pass_action(name))
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 6)
    assert table.damage("Sun Dragon") == (4,)


def test_a_battle_ability_is_used_once() -> None:
    """R7.9"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 4)
    refusal = table.expect_illegal(table.ability_action("Stone Fangz Shaman", "Sun Dragon"))
    assert (refusal.code, refusal.rule) == ("no_such_ability", "R7.9")


@pytest.mark.parametrize(
    "shaman",
    ["A Stone Fangz Shaman (10, 10) activated", "A Stone Fangz Shaman (10, 10)\nB Orc Boyz (10.5, 10)"],
    ids=["activated", "pinned"],
)
def test_the_user_may_be_activated_already_or_pinned(shaman: str) -> None:
    """R7.9, R6.3"""
    table = scripted_position(shaman + "\nB Sun Dragon (15, 10)").with_card_turn(0, "fists-of-mork", left=0)
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 3)
    assert table.damage("Sun Dragon") == (1,)


def test_the_user_has_to_be_what_the_card_names() -> None:
    """R7.9: a Caster; without one in reach of an enemy the ability is not even offered."""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    refusal = table.expect_illegal(table.ability_action("Orc Boyz", "Sun Dragon"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R7.9")
    table = scripted_position(CASTER.replace("Stone Fangz Shaman", "Big Boss")).with_card_turn(0, "fists-of-mork")
    assert not table.question(a.ActivationQuestion).ability_available


def test_fists_of_mork_strike_each_other_disk_near_the_target_own_ones_too() -> None:
    """R7.9, R11.1: d6 less 2, arcane, to the target and to each disk within short range of it."""
    text = CASTER + "A Big Boss (14, 13)\nB Orc Boyz (14, 25)"
    table = scripted_position(text).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 5)
    struck = {table.name(hit.disk): (hit.dealt, hit.damage_type) for hit in table.events_of_type(e.DamageDealt)}
    assert struck == dict.fromkeys(("Sun Dragon", "Black Orcs", "Big Boss", "Stone Fangz Shaman"), (3, "arcane"))


def test_fists_of_mork_are_aimed_at_an_enemy() -> None:
    """R16.10: own disks they strike only beside one."""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    refusal = table.expect_illegal(table.ability_action("Stone Fangz Shaman", "Orc Boyz"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R7.9")


def test_fists_of_mork_never_heal() -> None:
    """R7.9: a 1 is no damage, not minus one."""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 1)
    assert {hit.dealt for hit in table.events_of_type(e.DamageDealt)} == {0}


def test_hold_fast_empowers_an_own_disk_that_is_not_yet() -> None:
    """R1.3, R7.14"""
    table = scripted_position("A Tyrion (10, 10)\nA Maiden Guard (13, 10) empowered" + THREE).with_card_turn(
        0, "hold-fast"
    )
    refusal = table.expect_illegal(table.ability_action("Tyrion", "Maiden Guard"))
    assert (refusal.code, refusal.rule) == ("bad_target", "R1.3")
    assert table.answer(table.ability_action("Tyrion", "Tyrion")).disk("Tyrion").empowered


@pytest.mark.parametrize(("target", "code"), [("Sun Dragon", "bad_target"), ("Maiden Guard", "out_of_range")])
def test_hold_fast_empowers_no_enemy_and_nobody_beyond_medium_range(target: str, code: str) -> None:
    """R7.9: a friendly disk within medium range."""
    table = scripted_position("A Tyrion (10, 10)\nA Maiden Guard (17.8, 10)\nB Sun Dragon (13, 10)").with_card_turn(
        0, "hold-fast"
    )
    refusal = table.expect_illegal(table.ability_action("Tyrion", target))
    assert (refusal.code, refusal.rule) == (code, "R7.9")


def test_ability_event_names_user_target_card_and_dice() -> None:
    """R7.9, R7.15"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 4)
    (used,) = table.events_of_type(e.AbilityUsed)
    assert (used.seat, used.disk, used.target, used.card) == (0, 0, 2, "fists-of-mork")
    assert used.amount == 2
    assert used.unstable_dice is None
    assert used.dice is not None
    assert (used.dice.kind, used.dice.size, used.dice.results) == ("number_dice", 6, (4,))
    table = scripted_position(WILD + "A Big Boss (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0, "wild")
    (used,) = table.answer(table.ability_action("Big Boss", "Sun Dragon"), (MISS,)).events_of_type(e.AbilityUsed)
    assert used.dice is None
    assert used.unstable_dice is not None
    assert (used.unstable_dice.kind, used.unstable_dice.size, used.unstable_dice.results) == ("symbol_dice", 6, (MISS,))
    assert used.backfiring == (CHAOS,)


def test_two_throws_of_an_ability_are_drawn_in_the_order_of_the_fields_of_its_event() -> None:
    """R7.9, R7.15"""
    text = WILD.replace(" 3 ", " d6 ") + "A Big Boss (10, 10)\nB Sun Dragon (14, 10)"
    table = scripted_position(text).with_card_turn(0, "wild")
    (used,) = table.answer(table.ability_action("Big Boss", "Sun Dragon"), 4, (MISS,)).events_of_type(e.AbilityUsed)
    assert used.dice is not None
    assert used.unstable_dice is not None
    assert (used.dice.index, used.unstable_dice.index) == (0, 1)


def test_a_card_with_a_passive_ability_only_has_no_battle_ability() -> None:
    """R7.8, R7.9"""
    table = chosen_order(scripted_position("A Big Boss (10, 10)\nB Sun Dragon (30, 30)").with_hand(0, "double-time"))
    table = table.answer(lock_action("double-time"))
    assert table.expect_illegal(table.ability_action("Big Boss")).code == "no_such_ability"


def test_a_player_who_kills_himself_is_not_asked_any_more_though_his_card_has_activations_left() -> None:
    """R4.6, R18.5: of three; his reserve does not help him."""
    text = "zone A (6, 0) to (30, 6) for 1\nA Night Goblins (10, 10)\nA reserve: Orc Boyz\n"
    table = scripted_position(WILD + text + "B Sun Dragon (14, 10)\nC Big Boss (30, 30)").with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Night Goblins", "Sun Dragon"), (CHAOS,))
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [0]
    assert table.open_questions == ()


def test_the_big_boss_takes_the_token_off_boyz_only() -> None:
    """R16.6"""
    text = "A Big Boss (10, 10)\nA Orc Boyz (13, 10) activated\nA Black Orcs (7, 10) activated\nA Arrer Boyz (10, 13)"
    table = scripted_position(text + THREE).with_card_turn(0)
    assert {table.name(action.target or 0) for action in table.options().actions if isinstance(action, a.Focus)} == {
        "Orc Boyz"
    }
    table = table.answer(table.focus_action("Big Boss", "Orc Boyz"))
    assert not table.disk("Orc Boyz").activated
    table = table.answer(table.move_action("Orc Boyz", 90))
    assert table.disk("Orc Boyz").activated


def test_a_card_that_is_not_unstable_rolls_nothing_for_its_user() -> None:
    """R7.15"""
    table = scripted_position(
        WILD.replace(" unstable", "") + "A Big Boss (10, 10)\nB Sun Dragon (18, 10)"
    ).with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Big Boss", "Sun Dragon"))
    assert table.damage("Sun Dragon", "Big Boss") == (3, 0)


def test_with_no_activation_left_only_the_ability_and_the_end_are_offered() -> None:
    """R7.10, R7.11"""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork", left=0)
    assert table.options().parametric == ()
    assert {type(action) for action in table.options().actions} == {a.EndCard, a.UseAbility}


WILD = "card Wild: steady 2, battle deal_damage 3 arcane long unstable\n"


@each_row(("face", "own"), [(CHAOS, 3), (MISS, 0), (HIT, 0)])
def test_an_unstable_card_hits_its_user_too_on_chaos(face: int, own: int) -> None:
    """R7.15"""
    table = scripted_position(WILD + "A Big Boss (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Big Boss", "Sun Dragon"), (face,))
    assert table.damage("Sun Dragon", "Big Boss") == (3, own)


def test_an_unstable_card_may_kill_its_user_and_end_the_match() -> None:
    """R7.15, R4.6"""
    table = scripted_position(WILD + "A Night Goblins (10, 10)\nB Sun Dragon (14, 10)").with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Night Goblins", "Sun Dragon"), (CHAOS,))
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [0]
    assert table.open_questions == ()


def test_harm_near_strikes_each_enemy_within_reach_and_targets_nobody() -> None:
    """R11.1: also one that cannot be shot at."""
    text = "card Storm: steady 2, battle deal_damage_near 2 untyped short\ndisk Ghost: small T5, Immune (ranged)\n"
    text += "A Big Boss (10, 10)\nA Orc Boyz (12, 12)\nB Ghost (13, 10)\nB Sun Dragon (20, 20)"
    table = scripted_position(text).with_card_turn(0, "storm")
    table = table.answer(table.ability_action("Big Boss"))
    assert table.damage("Ghost", "Sun Dragon", "Orc Boyz") == (2, 0, 0)


def test_the_user_of_an_unstable_card_whom_the_effect_hits_anyway_is_hit_once() -> None:
    """R-72: by the same dice as the others; of a blast the user is in the middle."""
    blast = "card Wild: steady 2, battle deal_damage d6 arcane short short unstable\n"
    table = scripted_position(
        blast + "A Big Boss (10, 10)\nB Sun Dragon (12, 10)\ndisk Big Boss: small T9"
    ).with_card_turn(0, "wild")
    table = table.answer(table.ability_action("Big Boss", "Sun Dragon"), 3, (CHAOS,))
    assert table.damage("Sun Dragon", "Big Boss") == (3, 3)
