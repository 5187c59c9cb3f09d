"""Three and four players, and a player who leaves (R18, R4.6 to R4.10)."""

import pytest

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import damage, rounds, scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_engine.rulesets.diskwars.activation import command_cards
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.stats import CommandCard, Strategy
from tests.engine.rulesets.diskwars.positions import (
    SALT,
    ScriptedFaces,
    ScriptedMatchDice,
    ScriptedPosition,
    scripted_position,
    with_tasks,
)
from tests.engine.rulesets.diskwars.setup_positions import (
    example_action,
    setup_with_deployment_cards,
    setup_with_order,
    setup_with_terrain,
    start_setup,
)
from tests.rows import each_row

THREE = """
order A B C
A Orc Boyz  (10, 10)
B Big Boss  (20, 10)
C Maiden Guard  (20, 20)
A hand: Press On
B hand: Feint
C hand: Hold Fast
B reserve: Arrer Boyz
"""


def resign_seat(table: ScriptedPosition, seat: Seat, *dice: ScriptedFaces) -> ScriptedPosition:
    """Return the seat leaves the game."""
    chance = ScriptedMatchDice(dice, table.step)
    outcome = rounds.resign(table.board, seat, chance)
    chance.finish()
    return table.after(outcome)


def cards(*strategies: Strategy) -> dict[Seat, CommandCard]:
    return {seat: CommandCard(f"c{seat}", f"C{seat}", strategy, 3) for seat, strategy in enumerate(strategies)}


def test_every_player_is_the_enemy_of_all_others_and_not_of_themselves() -> None:
    """R1.5, R6.5: of three disks on each other the upper two are of one player."""
    text = "order A B C\ndisk Wall: small T9\nC Wall (10, 10)\nB Wall (10.9, 10)\nA Wall (20, 10)\nA Wall (20.9, 10)"
    table = scripted_position(f"{text}\nA Wall (30, 10)\nC Wall (30.9, 10)").start_melee()
    assert table.engagements == {"Wall#2 | Wall#1", "Wall#6 | Wall#5"}


# ---------------------------------------------------------------- command cards


@each_row(
    ("strategies", "order"),
    [
        (("bold", "steady", "devious"), [2, 0, 1]),
        (("bold", "devious", "bold", "steady"), [1, 0, 2, 3]),
        (("steady", "slow", "bold", "steady"), [2, 0, 3, 1]),
        (("slow", "bold", "devious", "devious"), [2, 3, 1, 0]),
        (("slow", "bold", "steady", "devious"), [1, 2, 3, 0]),
        (("slow", "slow", "steady"), [2, 0, 1]),
    ],
)
def test_cards_are_resolved_against_the_first_players(strategies: tuple[Strategy, ...], order: list[int]) -> None:
    """R7.19, R7.20, R7.21, R18.4"""
    text = "order A B C D\nA Orc Boyz (3, 3)\nB Orc Boyz (9, 3)\nC Orc Boyz (15, 3)\nD Orc Boyz (21, 3)"
    assert command_cards.resolution_order(scripted_position(text).board, cards(*strategies)) == order


def test_when_the_first_player_is_out_the_next_one_is_first() -> None:
    """R-61: bold of B is first; devious goes before it, steady after."""
    text = "order A B C D\nout A\nB Orc Boyz (9, 3)\nC Orc Boyz (15, 3)\nD Orc Boyz (21, 3)"
    revealed = cards("slow", "bold", "steady", "devious")
    del revealed[0]
    assert command_cards.resolution_order(scripted_position(text).board, revealed) == [3, 1, 2]


def test_when_the_first_player_is_out_the_next_one_picks_engagements() -> None:
    """R-61, R15.2.4"""
    text = "order A B C\nout A\nB Orc Boyz (10, 10)\nC Orc Boyz (10.9, 10)\nB Orc Boyz (20, 10)\nC Orc Boyz (20.9, 10)"
    table = scripted_position(text).start_melee()
    assert table.open_questions[0][0] == 1


# ---------------------------------------------------------------- elimination


def test_player_without_a_disk_on_the_field_is_out_and_the_rest_play_on() -> None:
    """R4.6, R4.10, R18.5: his cards and his reserve leave the game, and are nobody's trophies."""
    table = scripted_position(THREE + "A Huntsmen  (23, 10)\nB discards: Double Time").with_disk("Big Boss", damage=3)
    table = table.with_card_turn(0, "sudden-blow").answer(table.ability_action("Huntsmen", "Big Boss"))
    assert [event.seat for event in table.events_of_type(e.SeatEliminated)] == [1]
    side = table.board.sides[1]
    assert (side.eliminated, side.card_count, side.hand, side.discards) == (True, 0, (), ())
    assert {disk.place for disk in table.board.disks if disk.seat == 1} == {"casualty", "gone"}
    assert scoring.result(table.board) is None
    assert table.open_questions[0][0] == 0


def test_a_player_who_is_out_is_not_asked_for_a_card() -> None:
    """R18.5"""
    table = resign_seat(scripted_position(THREE).run_tasks(t.ActivationPhaseTask()), 1)
    assert [seat for seat, _ in table.open_questions] == [0, 2]


def test_the_last_one_left_wins() -> None:
    """R4.7"""
    table = resign_seat(resign_seat(scripted_position(THREE).run_tasks(t.ActivationPhaseTask()), 1), 0)
    result = scoring.result(table.board)
    assert result is not None
    assert (result.winners, result.end_reason) == ((2,), "elimination")
    assert table.open_questions == ()


def test_when_the_last_disks_of_all_go_at_once_nobody_wins() -> None:
    """R4.8: all three on one point of toughness each, in one blow of a step."""
    text = "order A B C\nA Steam Tank (10, 10)\nB Sun Dragon (11, 10)\nC Hellcannon (12, 10)"
    table = scripted_position(text).board
    dead = tuple(disk.id for disk in table.disks)
    resolution = Resolution(table, ScriptedMatchDice((), 1))
    damage.remove(resolution, dead, ())
    assert [event.seat for event in resolution.events if isinstance(event, e.SeatEliminated)] == [0, 1, 2]
    result = scoring.result(resolution.board)
    assert result is not None
    assert (result.winners, result.end_reason) == ((), "everybody_eliminated")


def test_a_card_of_somebody_who_is_out_is_not_played() -> None:
    """R4.10: nor does it begin."""
    table = scripted_position(THREE).with_card_turn(0)
    turns = (t.CommandCardTask(1, "feint", 3, False), t.CommandCardTask(2, "hold-fast", 3, True))
    table = ScriptedPosition(with_tasks(table.board, table.tasks[0], *turns, t.DiscardCardsTask()))
    table = resign_seat(table, 1).answer(a.EndCard(), seat=0)
    assert [event.seat for event in table.events_of_type(e.CardBegan)] == [2]


# ---------------------------------------------------------------- melee with three


def test_attackers_of_two_enemies_act_together_and_choose_in_initiative_order() -> None:
    """R15.1.4, R15.3.2, R-16, R18.4: C and A pin two disks of B; C is earlier in the order."""
    text = """
        order C B A
        B Orc Boyz  (10, 10)
        B Night Goblins  (12, 10)
        A Maiden Guard  (11, 10.6)
        C Huntsmen  (11, 9.0)
    """
    table = scripted_position(text).start_melee()
    choosers = []
    while isinstance(table.open_questions[0][1] if table.open_questions else None, a.MeleeTargetsQuestion):
        seat, ask = table.open_questions[0]
        assert isinstance(ask, a.MeleeTargetsQuestion)
        choosers.append((seat, ask.speed, ask.role))
        table = table.answer(table.options().actions[0])
        if len(choosers) > 8:
            break
    attacks = [seat for seat, _, role in choosers if role == "attacker"]
    assert attacks == sorted(attacks, key=lambda seat: (2, 1, 0).index(seat))
    assert attacks


@each_row(
    ("strategies", "rule"),
    [
        (("bold", "devious"), "R7.17"),
        (("slow", "bold"), "R7.17"),
        (("slow", "slow"), "R7.18"),
        (("bold", "steady", "devious"), "R7.19"),
        (("bold", "slow", "slow"), "R7.19"),
        (("slow", "bold", "devious"), "R7.20"),
        (("slow", "slow", "slow"), "R7.20"),
        (("slow", "bold", "steady", "devious"), "R7.21"),
    ],
)
def test_the_order_of_the_revealed_cards_is_explained_by_its_rule(strategies: tuple[Strategy, ...], rule: str) -> None:
    titles = {card.strategy: card.id for card in core_pack().cards.values()}
    seats = "ABCD"[: len(strategies)]
    disks = "".join(f"{seat} Orc Boyz ({10 + 5 * n}, 10)\n" for n, seat in enumerate(seats))
    table = scripted_position(f"order {' '.join(seats)}\n{disks}")
    for seat, strategy in enumerate(strategies):
        table = table.with_hand(seat, titles[strategy])
    table = table.run_tasks(t.ActivationPhaseTask())
    for seat, strategy in enumerate(strategies):
        table = table.answer(a.LockCard(titles[strategy], f"{seat + 1:032x}"), seat=seat)
    assert [[reason.rule for reason in event.reasons] for event in table.events_of_type(e.CardsRevealed)] == [[rule]]


# ---------------------------------------------------------------- leaving


def test_resigning_player_takes_disks_and_cards_out_of_the_game() -> None:
    """R-59: they count as destroyed for nobody."""
    table = resign_seat(scripted_position(THREE).run_tasks(t.ActivationPhaseTask()), 1)
    assert {disk.place for disk in table.board.disks if disk.seat == 1} == {"gone"}
    assert [event.disks for event in table.events_of_type(e.DisksWithdrawn)] == [(1, 3)]
    assert table.board.sides[1].card_count == 0


def test_disks_under_a_leavers_disk_are_pinned_by_those_above() -> None:
    """R-59, R13.7: pins are computed again, and engage abilities go off."""
    text = "order A B C\nA Tyrion (10, 10) z3\nB Orc Boyz (10, 10.5) z2\nC Sun Dragon (10, 10.5) z1\n"
    table = resign_seat(scripted_position(text), 1, 1)
    assert table.pins == {"Tyrion>Sun Dragon"}
    assert table.event_names()[-1] == "TriggerResolved"


def test_player_who_is_out_cannot_resign_again() -> None:
    """R18.5"""
    table = resign_seat(scripted_position(THREE).run_tasks(t.ActivationPhaseTask()), 1)
    with pytest.raises(Illegal) as refusal:
        rounds.resign(table.board, 1, ScriptedMatchDice((), 1))
    assert (refusal.value.code, refusal.value.rule) == ("not_legal", "R18.5")


def test_cards_are_revealed_when_the_only_one_still_choosing_leaves() -> None:
    """R-60"""
    table = scripted_position(THREE).run_tasks(t.ActivationPhaseTask())
    table = table.answer(a.LockCard("press-on", SALT), seat=0).answer(a.LockCard("hold-fast", SALT), seat=2)
    table = resign_seat(table, 1)
    assert [[shown.seat for shown in event.cards] for event in table.events_of_type(e.CardsRevealed)] == [[0, 2]]
    assert isinstance(table.open_questions[0][1], a.ActivationQuestion)


def test_locked_card_of_a_leaver_leaves_the_game() -> None:
    """R-59, R-60"""
    table = scripted_position(THREE).run_tasks(t.ActivationPhaseTask())
    table = table.answer(a.LockCard("feint", SALT), seat=1).answer(a.LockCard("hold-fast", SALT), seat=2)
    table = resign_seat(table, 1)
    assert [seat for seat, _ in table.open_questions] == [0]
    table = table.answer(a.LockCard("press-on", SALT))
    assert [[shown.seat for shown in event.cards] for event in table.events_of_type(e.CardsRevealed)] == [[0, 2]]


def test_the_disk_under_way_of_a_leaver_is_gone_and_the_next_card_is_played() -> None:
    """R-59"""
    table = scripted_position(THREE).with_card_turn(1, "feint", then=(t.RoundTask(6),))
    table = table.answer(table.move_action("Big Boss", 90, end=False))
    assert isinstance(table.open_questions[0][1], a.ContinuationQuestion)
    table = resign_seat(table, 1)
    assert table.board.active_disk is None
    assert table.board.phase == "over"


def test_shot_whose_player_leaves_before_choosing_the_scatter_target_has_no_effect() -> None:
    """R-59: and what follows goes on."""
    text = (
        "order A B C\nA Arrer Boyz (10, 10)\nB Sun Dragon (14, 10)\nB Maiden Guard (16.5, 11)\nC Black Orcs (16.5, 9)"
    )
    table = scripted_position(text).with_card_turn(0, then=(t.RoundTask(6),))
    table = table.answer(table.shoot_action("Arrer Boyz", "Sun Dragon"), (3, 3))
    assert isinstance(table.open_questions[0][1], a.ScatterQuestion)
    assert resign_seat(table, 0).board.phase == "over"


# ---------------------------------------------------------------- leaving during setup


def test_if_the_winner_of_the_roll_leaves_another_says_the_order() -> None:
    """R-59"""
    table = resign_seat(start_setup([(0, 1, 2), (6, 1, 2)], 3), 0)
    assert table.open_questions == ((1, a.InitiativeOrderQuestion()),)


def test_if_another_player_leaves_the_winner_of_the_roll_says_the_order_all_the_same() -> None:
    """R-59"""
    table = resign_seat(start_setup([(0, 1, 2), (6, 1, 2)], 3), 2)
    assert table.open_questions == ((0, a.InitiativeOrderQuestion()),)


def test_if_the_last_player_leaves_before_choosing_the_next_last_draws_two_cards() -> None:
    """R-59: the two that the leaver saw are in the deck again."""
    table = resign_seat(setup_with_order(3), 2, 3, 3)
    assert table.open_questions == ((1, a.ScenarioQuestion()),)
    assert table.board.sides[1].drawn_scenarios == ("s3", "s4")


@each_row("leaver", [0, 1, 2])
def test_the_others_go_on_taking_deployment_cards_and_terrain(leaver: int) -> None:
    """R-59: cards that would have been his are taken by nobody."""
    table = resign_seat(setup_with_deployment_cards(3), leaver)
    choosers = []
    while isinstance(table.open_questions[0][1], a.DeploymentCardQuestion):
        choosers.append(table.open_questions[0][0])
        last = len(choosers) == 2
        table = table.answer(table.options().actions[0], *([tuple(range(5))] if last else []))
    assert choosers == [seat for seat in (2, 1, 0) if seat != leaver]
    work = table.tasks[0]
    assert isinstance(work, t.TerrainCardsTask)
    assert leaver not in work.seats
    assert len(work.seats) == 4


def test_a_match_of_two_ends_when_one_leaves_the_set_up() -> None:
    """R4.7"""
    table = resign_seat(setup_with_terrain(), 0)
    result = scoring.result(table.board)
    assert result is not None
    assert (result.winners, table.open_questions) == ((1,), ())


def test_zones_of_a_leaver_stay_where_they_are() -> None:
    """R-59: objectives may still ask for them."""
    table = setup_with_deployment_cards(3).answer(example_action(setup_with_deployment_cards(3)))
    assert resign_seat(table, 2).board.zones == table.board.zones


def fighting_pairs() -> ScriptedPosition:
    """A is asked which of three engagements is next: his own two with B, or that of C and B."""
    pairs = "A Wall (10, 10)\nB Wall (10.9, 10)\nC Wall (20, 10)\nB Wall (20.9, 10)\nA Wall (30, 10)\nB Wall (30.9, 10)"
    return scripted_position("order A B C\ndisk Wall: small S1 C1 T9\n" + pairs).start_melee()


def test_an_engagement_whose_one_side_has_left_the_game_is_dropped_and_not_offered() -> None:
    """R-29, R15.2.5, R-59"""
    table = fighting_pairs()
    assert len(table.question(a.EngagementQuestion).engagements) == 3
    empty = next(n for n in range(3) if "Wall#3" in table.members(n))
    after = resign_seat(table, 2)
    assert [(event.engagement, event.dropped) for event in after.events_of_type(e.EngagementEnded)] == [(empty, True)]
    assert after.question(a.EngagementQuestion).engagements == tuple(n for n in range(3) if n != empty)


def test_an_engagement_under_way_from_which_a_player_leaves_ends_once() -> None:
    """R-29, R-59: C is asked for his targets, and goes."""
    text = "C Wall (10, 10)\nA Wall (9.1, 10)\nA Wall (10.9, 10)\nB Wall (30, 30)\nA Wall (30.9, 30)"
    table = scripted_position("order C A B\ndisk Wall: small S1 C1 T9\n" + text).start_melee()
    table = (
        table.answer(table.engagement_action("Wall#2", "Wall#3"))
        if isinstance(table.open_questions[0][1], a.EngagementQuestion)
        else table
    )
    assert isinstance(table.open_questions[0][1], a.MeleeTargetsQuestion)
    after = resign_seat(table, 2)
    ends = [event.engagement for event in after.events_of_type(e.EngagementEnded)]
    assert [number for number in ends if number == table.board.active_engagement] == [table.board.active_engagement]
    assert all(engagement.resolved for engagement in after.board.engagements)
