"""Open questions and earlier choices when a player leaves the game (R-59).

test_three_and_four.py covers leaving during the setup, and its simpler forms.
"""

import random
from typing import Literal

import pytest

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import Command
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import DecisionId, PlayerId, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from tests.effort import count_of
from tests.engine.played_match import PlayedMatch, mixed_action, player_of
from tests.engine.rulesets.diskwars.positions import (
    CHAOS,
    HIT,
    MISS,
    SALT,
    SCATTER,
    ScriptedPosition,
    scripted_position,
)
from tests.engine.rulesets.diskwars.rules.test_multiplayer import resign_seat
from tests.rulesets.matches import played

# ---------------------------------------------------------------- a shot, and the flip it may bring


def scattering() -> ScriptedPosition:
    """A has shot at B's Big Boss, which is between a disk of B and one of C, equally near."""
    text = """
        order A B C
        A Bows  (5, 5)
        disk Bows: small, shot 3 dice strength 2 physical to long
        B Big Boss  (11, 5)
        B Orc Boyz  (12.9, 5)
        C Night Goblins  (9.1, 5)
        C Orc Boyz  (30, 30)
    """
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Bows", "Big Boss"), (HIT, HIT, SCATTER))
    assert table.question(a.ScatterQuestion).candidates == (table.number("Orc Boyz#1"), table.number("Night Goblins"))
    return table


def test_scatter_goes_to_the_nearest_disk_that_is_left_when_the_player_of_the_target_leaves() -> None:
    """R-59, R12.3: what hit the target hits nobody; with one disk left there is nothing to choose."""
    table = resign_seat(scattering(), 1, (HIT,))
    assert [(dealt.disk, dealt.dealt) for dealt in table.events_of_type(e.DamageDealt)] == [
        (table.number("Night Goblins"), 2)
    ]
    assert {disk.place for disk in table.board.disks if disk.seat == 1} == {"gone"}


def test_scatter_is_not_asked_for_when_all_but_one_of_the_nearest_leave() -> None:
    """R-59, R19.25: and the target is struck as it was."""
    table = resign_seat(scattering(), 2, (HIT,))
    assert [table.name(dealt.disk) for dealt in table.events_of_type(e.DamageDealt)] == ["Big Boss", "Orc Boyz#1"]


def test_hellcannon_chooses_again_when_the_disks_it_was_to_flip_to_leave() -> None:
    """R-59, R12.6, R-41"""
    text = """
        order A B C
        A Hellcannon  (18, 18)
        B Big Boss  (21.5, 18)
        B Big Boss  (14.5, 18)
        C Orc Boyz  (18, 30)
    """
    table = scripted_position(text).with_card_turn(0)
    table = table.answer(table.shoot_action("Hellcannon", "Orc Boyz"), 3, (CHAOS, MISS, MISS))
    assert table.question(a.RampageQuestion).targets == (1, 2)
    table = resign_seat(table, 1)
    assert [event.targets for event in table.events_of_type(e.Rampaged)] == [(table.number("Orc Boyz"),)]
    assert (table.disk("Hellcannon").x, table.disk("Hellcannon").y) == (18 * 25400, 21 * 25400)


# ---------------------------------------------------------------- melee


def test_player_whose_chosen_target_leaves_chooses_again() -> None:
    """R-59, R15.3.2: A has chosen B's disk, and B leaves while C is asked; of two targets one is left."""
    text = """
        order A B C
        disk Wall: small S1 C1 T9
        B Wall  (9.1, 10)
        C Wall  (10.9, 10)
        A Wall  (10, 10)
        A Wall  (11.8, 10)
        B Orc Boyz  (30, 30)
    """
    table = scripted_position(text).start_melee()
    assert [seat for seat, _ in table.open_questions] == [0]
    table = table.answer(a.ChooseTargets((a.MeleeTarget(table.number("Wall#3"), table.number("Wall#1")),)))
    assert [seat for seat, _ in table.open_questions] == [2]
    table = resign_seat(table, 1)
    table = table.answer(a.ChooseTargets((a.MeleeTarget(table.number("Wall#2"), table.number("Wall#3")),)))
    assert table.damage("Wall#2", "Wall#3", "Wall#4") == (2, 1, 0)
    assert table.disk("Wall#1").place == "gone"


def test_target_that_was_chosen_before_another_player_left_is_struck() -> None:
    """R-59, R15.3.2: A has chosen one of C's two disks, and is not asked again when B leaves."""
    text = """
        order A B C
        disk Wall: small S1 C1 T9
        B Wall  (9.1, 10)
        C Wall  (10.9, 10)
        C Wall  (10, 11.6)
        A Wall  (10, 10)
        A Wall  (11.8, 10)
        B Orc Boyz  (30, 30)
    """
    table = scripted_position(text).start_melee()
    assert table.pins == {"Wall#4>Wall#1", "Wall#4>Wall#2", "Wall#4>Wall#3", "Wall#5>Wall#2"}
    table = table.answer(a.ChooseTargets((a.MeleeTarget(table.number("Wall#4"), table.number("Wall#2")),)))
    table = resign_seat(table, 1)
    assert [seat for seat, _ in table.open_questions] == [2]
    table = table.answer(a.ChooseTargets((a.MeleeTarget(table.number("Wall#2"), table.number("Wall#4")),)))
    assert table.damage("Wall#2", "Wall#3", "Wall#4") == (2, 0, 2)


def test_the_engagement_that_is_fought_goes_on_when_a_leaver_makes_others_fall() -> None:
    """R-29, R-59: it is still the one that is fought, and both end once."""
    text = """
        order A B C
        disk Wall: small S1 C1 T9
        A Wall  (20, 10)
        C Wall  (20.9, 10)
        B Wall  (10, 10)
        A Wall  (9.1, 10)
        A Wall  (10.9, 10)
    """
    table = scripted_position(text).start_melee()
    table = table.answer(table.engagement_action("Wall#4", "Wall#5"))
    assert isinstance(table.open_questions[0][1], a.MeleeTargetsQuestion)
    fought = table.board.active_engagement
    table = resign_seat(table, 2)
    assert table.board.active_engagement == fought
    assert [(event.engagement == fought, event.dropped) for event in table.events_of_type(e.EngagementEnded)] == [
        (False, True)
    ]
    assert table.board.engagements[fought or 0].resolved is False


def test_what_an_empty_place_brings_about_counts_the_resignation_as_the_first_event_of_the_record() -> None:
    """R-59, R4.10, R6.6: B's disk was between Archaon and C's disk, which he pins now."""
    text = "order A B C\nC Big Boss (10, 10)\nB Wall (10, 10)\ndisk Wall: small\nA Archaon (10, 10)\nC Wall (30, 30)"
    table = resign_seat(scripted_position(text).with_card_turn(0), 1)
    assert table.pins == {"Archaon>Big Boss"}
    (withdrawn,) = [n for n, event in enumerate(table.events) if isinstance(event, e.DisksWithdrawn)]
    (triggered,) = table.events_of_type(e.TriggerResolved)
    assert triggered.cause == e.Cause("withdrawal", event=1 + withdrawn)


def called_to_fight() -> ScriptedPosition:
    """Marauders of A lie on a disk of B and under one of C, and the card asks which of the two they fight."""
    text = """
        order A B C
        disk Raiders: unit of Chaos (Destruction), small, S1 C1 T9
        disk Wall: small S1 C1 T9
        B Wall  (9.1, 10)
        A Raiders  (10, 10)
        C Wall  (10.9, 10)
        A Wall  (30, 30)
        B Wall  (20, 30)
        C Wall  (20.9, 30)
    """
    table = scripted_position(text).with_card_turn(0, "blood-for-the-blood-god")
    table = table.answer(table.ability_action("Raiders"))
    assert table.question(a.EngagementQuestion).engagements == (0, 1)
    return table


def test_a_card_that_calls_to_fight_is_not_resolved_without_its_player() -> None:
    """R-59, R15.5: B and C, who are engaged too, do not fight; nothing is left of the engagements."""
    table = resign_seat(called_to_fight(), 0)
    assert table.events_of_type(e.BlowsStruck) == []
    assert table.events_of_type(e.EngagementBegan) == []
    assert table.board.engagements == ()


@pytest.mark.parametrize(("leaver", "struck"), [(1, {"Raiders", "Wall#2"}), (2, {"Raiders", "Wall#1"})])
def test_a_disk_called_to_fight_fights_the_enemy_that_has_not_left(leaver: Seat, struck: set[str]) -> None:
    """R-59, R-29, R15.5: of two engagements one is left, so no question is asked."""
    table = resign_seat(called_to_fight(), leaver)
    assert {table.name(blow.target) for event in table.events_of_type(e.BlowsStruck) for blow in event.blows} == struck


# ---------------------------------------------------------------- command cards


def test_all_choose_a_card_once_one_has_even_if_a_leaver_removes_every_disk_that_could_act() -> None:
    """R7.2, R7.4: whether the phase is over is tested before the choosing, not in its middle."""
    text = """
        order A B C
        A Orc Boyz  (10, 10) activated
        B Big Boss  (20, 10) activated
        C Maiden Guard  (20, 20)
        A hand: Press On
        B hand: Feint
        C hand: Hold Fast
    """
    table = scripted_position(text).run_tasks(t.ActivationPhaseTask())
    table = table.answer(a.LockCard("press-on", SALT), seat=0)
    table = resign_seat(table, 2)
    assert table.open_questions == ((1, a.CommandCardQuestion()),)
    table = table.answer(a.LockCard("feint", SALT))
    assert [len(event.cards) for event in table.events_of_type(e.CardsRevealed)] == [2]


# ---------------------------------------------------------------- at any question

HOSTS = tuple(name for name, army in core_pack().armies.items() if len(army.regiments) == 2)
COMMON = a.ActivationQuestion | a.CommandCardQuestion | a.ContinuationQuestion
"""Questions that come so often that leaving at one in some of them is enough."""
SAMPLE_RATE = 25
LISTED_EVENTS = 3
"""Number of listed answers that are tried."""


def check_resignation(playing: PlayedMatch, seat: Seat) -> None:
    """The match without the seat is in order and goes on, whatever those who are asked then answer."""
    left = continue_match(playing, playing.state, player_of(seat), None, Resign())
    assert left.decisions or left.status == "ended"
    for decision in left.decisions:
        default = playing.rules.default(left, decision, playing.secrets)
        listed = playing.rules.options(left, decision).actions
        for action in (default, *(event for event in listed[:LISTED_EVENTS] if not isinstance(event, a.LockCard))):
            continue_match(playing, left, player_of(decision.seat), decision.id, action)


def continue_match(
    playing: PlayedMatch, state: DiskwarsMatch, who: PlayerId, decision: DecisionId | None, action: a.Action
) -> DiskwarsMatch:
    """Return a state after one command more, which is in order."""
    command: Command[a.Action] = Command(who, decision, action, 0)
    state = playing.rules.decide(state, len(playing.bodies), command, playing.secrets).match
    assert state.board is not None
    assert playing.rules.ruleset.check(state.board) == []
    return state


@pytest.mark.parametrize("setup", ["quick", "full"])
@pytest.mark.parametrize("seed", range(count_of(4, 2)))
def test_at_any_question_any_player_may_leave_and_the_others_play_on(
    seed: int, setup: Literal["quick", "full"]
) -> None:
    """R-59"""
    chance = random.Random(seed)
    options = a.DiskwarsSettings(setup=setup, regiments=2, rampage_flips="per_chaos")
    playing = PlayedMatch(seed, chance.choices(HOSTS, k=chance.choice((3, 4))), options).begin()
    while playing.state.status != "ended":
        decision = playing.chance.choice(playing.state.decisions)
        if not isinstance(decision.question, COMMON) or chance.randrange(SAMPLE_RATE) == 0:
            for side in playing.board.sides:
                if not side.eliminated:
                    check_resignation(playing, side.seat)
        playing.answer(decision, mixed_action(playing, decision))


def test_play_that_goes_on_without_the_seat_may_end_for_another_reason() -> None:
    """R4.13: the last seats but one resign in the states before the end; where points decide, the result says so."""
    found: set[tuple[str, int]] = set()
    for seed in (1, 2, 3):
        match = played("diskwars", 4, seed)
        for number, state in list(enumerate(match.states))[-40:]:
            if state.board is None or state.status == "ended":
                continue
            for side in state.board.sides:
                if side.eliminated:
                    continue
                local = match.at(number)
                result = local.commit(local.decide(local.seats[side.seat].player, None, Resign())).result
                if result is not None:
                    assert local.match.board is not None
                    left = sum(not other.eliminated for other in local.match.board.sides)
                    found.add((result.end_reason, min(left, 2)))
    assert ("victory_points", 2) in found
    assert ("resignation", 2) not in found
