"""Every disk and card that is not offered has a refusal, and trying it meets exactly that refusal."""

from collections import Counter

import pytest
from msgspec.structs import replace

from diskwars_content.rule_register import load_register
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import rounds
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from tests.engine.played_match import PlayedMatch, player_of
from tests.engine.rulesets.diskwars.positions import SCATTER, ScriptedPosition, scripted_position
from tests.engine.rulesets.diskwars.rules.test_refusals import spoken_numbers
from tests.engine.rulesets.diskwars.test_invariants_full_matches import begin_full_match, play_step

FAR = "\nB Sun Dragon (30, 30)"


def unavailable_reason(table: ScriptedPosition, name: str, action: str = "") -> list[DiskwarsUnavailable]:
    """Return the refusals of a disk."""
    seat, ask = table.open_questions[0]
    number = table.number(name)
    entries = rounds.unavailable(table.board, seat, ask)
    return [entry for entry in entries if entry.disk == number and (not action or entry.action == action)]


def unavailable_rules(table: ScriptedPosition, name: str, action: str = "") -> list[str]:
    return [reason.rule for reason in unavailable_reason(table, name, action)]


# ---------------------------------------------------------------- activations


def test_an_activated_disk_and_a_pinned_one_are_kept_out_whole() -> None:
    """R7.11, R6.3"""
    text = "A Orc Boyz (10, 10)\nB Maiden Guard (10.5, 10)\nA Big Boss (20, 10) activated\nA Black Orcs (3, 3)"
    table = scripted_position(text + FAR).with_card_turn(0)
    (pinned,) = unavailable_reason(table, "Orc Boyz")
    assert (pinned.code, pinned.rule, pinned.action) == ("disk_pinned", "R6.3", None)
    assert pinned.text == "disk 0 is pinned by disk 1"
    assert pinned.numbers == {"disk": 0, "by": 1}
    (activated,) = unavailable_reason(table, "Big Boss")
    assert (activated.code, activated.rule, activated.action) == ("disk_activated", "R7.11", None)
    assert unavailable_reason(table, "Black Orcs") == []


def test_a_pinned_stalwart_disk_that_can_shoot_only_cannot_move() -> None:
    """R16.3"""
    text = "disk Wall: small, M5 T9, Stalwart, shot 2 dice strength 2 physical to medium\nA Wall (10, 10)\n"
    text += "B Maiden Guard (10.5, 10)" + FAR
    (entry,) = unavailable_reason(scripted_position(text).with_card_turn(0), "Wall", "move_disk")
    assert (entry.code, entry.rule) == ("disk_pinned", "R6.3")


def test_an_emplaced_disk_has_no_flips() -> None:
    """R16.5, R-48"""
    (entry,) = unavailable_reason(
        scripted_position("disk Statue: small, Emplace\nA Statue (10, 10)" + FAR).with_card_turn(0), "Statue"
    )
    assert (entry.action, entry.code, entry.rule) == ("move_disk", "too_many_flips", "R16.5")


def test_without_an_activation_left_the_card_says_so_and_no_disk() -> None:
    """R7.11"""
    table = scripted_position(
        "A Stone Fangz Shaman (10, 10)\nB Maiden Guard (13, 10)\nA Big Boss (20, 10)"
    ).with_card_turn(0, "fists-of-mork", left=0)
    seat, ask = table.open_questions[0]
    entries = rounds.unavailable(table.board, seat, ask)
    assert [(entry.card, entry.rule) for entry in entries if entry.card] == [("fists-of-mork", "R7.11")]
    assert {entry.action for entry in entries if entry.disk is not None} == {"use_ability"}


def test_shooter_without_an_enemy_in_range_gets_the_nearest_one() -> None:
    """R11.4"""
    table = scripted_position("A Arrer Boyz (3, 3)\nB Maiden Guard (30, 20)\nB Sun Dragon (34, 34)").with_card_turn(0)
    (entry,) = unavailable_reason(table, "Arrer Boyz", "shoot")
    assert (entry.code, entry.rule, table.name(entry.target)) == ("out_of_range", "R11.4", "Maiden Guard")
    assert entry.text == "disk 1 lies beyond medium range of disk 0"


def test_shooter_with_an_enemy_in_range_gets_the_immune_and_hidden_ones() -> None:
    """R12.1, R11.1: disks that are merely out of range are not listed then."""
    text = "A Arrer Boyz (3, 10)\nB Maiden Guard (8, 10)\nB Ghost (8, 14)\nB Sun Dragon (34, 34)\n"
    table = scripted_position(text + "disk Ghost: small T5, Immune (ranged)").with_card_turn(0)
    assert [(table.name(reason.target), reason.rule) for reason in unavailable_reason(table, "Arrer Boyz")] == [
        ("Ghost", "R12.1")
    ]


def test_magic_says_of_whom_it_does_not_reach() -> None:
    """R8.3"""
    (entry,) = unavailable_reason(
        scripted_position("A High Mage (3, 3)\nB Maiden Guard (20, 3)" + FAR).with_card_turn(0), "High Mage"
    )
    assert (entry.action, entry.code, entry.rule, entry.numbers["ability"]) == ("focus", "out_of_range", "R8.3", 0)
    assert {"disk", "target"} <= set(entry.numbers)


def test_an_ability_says_why_it_would_change_nothing() -> None:
    """R16.10, R16.6, R1.3"""
    text = "A Big Boss (10, 10)\nA Orc Boyz (13, 10)\nA Black Orcs (7, 10) activated" + FAR
    table = scripted_position(text).with_card_turn(0)
    found = {
        table.name(reason.target): (reason.text, reason.rule)
        for reason in unavailable_reason(table, "Big Boss", "focus")
    }
    assert found["Orc Boyz"] == ("disk 1 has no activation token", "R16.10")
    assert found["Black Orcs"] == ("disk 2 is not called Boyz", "R16.6")
    text = "disk Saint: small, focus empower short\nA Saint (10, 10)\nA Orc Boyz (13, 10) empowered" + FAR
    table = scripted_position(text).with_card_turn(0)
    assert [(table.name(reason.target), reason.rule) for reason in unavailable_reason(table, "Saint", "focus")] == [
        ("Orc Boyz", "R1.3")
    ]


def test_a_reserve_without_room_says_why() -> None:
    """R9.1, R-12"""
    text = "zone A (6, 0) to (30, 6) for 1\nzone B (6, 30) to (30, 36) for 5\nA Orc Boyz (10, 3)\nA reserve: Big Boss\n"
    table = scripted_position(text + "B Sun Dragon (30, 30)")
    limited = ScriptedPosition(replace(table.board, settings=replace(table.board.settings, reinforce_limit=True)))
    assert unavailable_rules(limited.with_card_turn(0), "Big Boss") == ["R-12"]
    assert unavailable_rules(table.with_card_turn(0), "Big Boss") == []
    narrow = scripted_position(
        text.replace("(6, 0) to (30, 6)", "(6, 0) to (7, 6)").replace("(10, 3)", "(10, 10)") + FAR
    )
    assert unavailable_rules(narrow.with_card_turn(0), "Big Boss") == ["R9.1"]


def test_a_battle_ability_says_whom_it_keeps_out_and_when_it_is_used() -> None:
    """R7.9"""
    text = "A Stone Fangz Shaman (10, 10)\nB Maiden Guard (13, 10)\nA Big Boss (20, 10)" + FAR
    table = scripted_position(text).with_card_turn(0, "fists-of-mork")
    (boss,) = unavailable_reason(table, "Big Boss", "use_ability")
    assert (boss.text, boss.rule) == ("disk 2 is no Caster", "R7.9")
    table = table.answer(table.ability_action("Stone Fangz Shaman", "Maiden Guard"), 4)
    seat, ask = table.open_questions[0]
    (used,) = [entry for entry in rounds.unavailable(table.board, seat, ask) if entry.card]
    assert (used.card, used.action, used.rule) == ("fists-of-mork", "use_ability", "R7.9")


# ---------------------------------------------------------------- within an activation


def test_reason_names_what_an_activation_has_used_up() -> None:
    """R8.1, R8.2, R8.4"""
    table = scripted_position("A Wolf Riders (10, 15)\nB Sun Dragon (14, 15)\nB Teclis (30, 3)").with_card_turn(0)
    table = table.answer(table.shoot_action("Wolf Riders", "Sun Dragon"), (5, 5))
    assert [(reason.action, reason.rule) for reason in unavailable_reason(table, "Wolf Riders")] == [("shoot", "R8.2")]
    table = table.answer(table.move_action("Wolf Riders", 180, end=False))
    assert unavailable_reason(table, "Wolf Riders", "move_disk") == []


def test_a_mobile_disk_that_has_landed_on_an_enemy_does_not_move_on() -> None:
    """R8.5.5"""
    table = scripted_position("A Wolf Riders (10, 15)\nB Sun Dragon (14, 15)\nB Teclis (12, 21)").with_card_turn(0)
    table = table.answer(table.move_action("Wolf Riders", 0, end=False))
    assert unavailable_rules(table, "Wolf Riders", "move_disk") == ["R8.5.5"]


# ---------------------------------------------------------------- cards, scouts, scatter


def test_discarded_card_returns_in_the_end_phase() -> None:
    """R4.3"""
    table = scripted_position("A Orc Boyz (10, 10)" + FAR).with_hand(0, "press-on").with_hand(1, "feint")
    sides = (replace(table.board.sides[0], discards=("fists-of-mork",)), table.board.sides[1])
    table = ScriptedPosition(replace(table.board, sides=sides)).run_tasks(t.ActivationPhaseTask())
    seat, ask = table.open_questions[0]
    (entry,) = rounds.unavailable(table.board, seat, ask)
    assert (entry.card, entry.code, entry.rule) == ("fists-of-mork", "not_in_hand", "R4.3")
    assert table.expect_illegal(a.LockCard("fists-of-mork", "5a" * 16), seat=0).code == entry.code


def test_disk_that_is_no_scout_or_is_pinned_makes_no_scout_move() -> None:
    """R8.9, R-58"""
    text = "disk Runner: small, M3 T4, Scout\nA Runner (10, 3)\nA Runner (20, 3)\nA Orc Boyz (20.5, 3)\n"
    table = scripted_position(text + "A Big Boss (5, 3)" + FAR).run_tasks(t.ScoutTask(0, (0, 1)))
    assert unavailable_rules(table, "Runner#2") == ["R-58"]
    assert unavailable_rules(table, "Big Boss") == ["R8.9"]
    assert unavailable_rules(table, "Runner#1") == []


def test_each_own_disk_without_a_scout_move_has_its_reason() -> None:
    """R8.9, R-58: it has moved, is no scout, is pinned, or has nowhere to land."""
    text = "disk Runner: small, M3 T4, Scout\ndisk Statue: small, Emplace, Scout\nA Runner (10, 3)\nA Runner (20, 3)\n"
    text += "A Runner (25, 3)\nA Statue (15, 3)\nA Orc Boyz (25.5, 3)\nB Big Boss (5, 3)" + FAR
    table = scripted_position(text).run_tasks(t.ScoutTask(0, (0, 2, 3)), t.ScoutTask(1, ()))
    assert table.question(a.ScoutQuestion).disks == (0,)
    found = {
        entry.disk: (entry.code, entry.rule, entry.text)
        for entry in rounds.unavailable(table.board, 0, a.ScoutQuestion((0,)))
    }
    assert found == {
        1: ("not_legal", "R8.9", "disk 1 has made its scout move"),
        2: ("disk_pinned", "R-58", "disk 2 is pinned"),
        3: ("illegal_flip", "R8.9", "disk 3 has no flip that a scout may make"),
        4: ("not_legal", "R8.9", "disk 4 has no scout move"),
    }
    refused = table.expect_illegal(table.move_action("Runner#2", 90))
    assert (refused.code, refused.rule) == found[1][:2]


def test_scatter_goes_to_the_nearest_and_never_to_the_shooter() -> None:
    """R12.3, R-21"""
    text = "A Arrer Boyz (14, 13)\nB Sun Dragon (14, 10)\nB Maiden Guard (16.5, 11)\nB Black Orcs (16.5, 9)"
    table = scripted_position(text + "\nA Orc Boyz (10, 10)").with_card_turn(0)
    table = table.answer(table.shoot_action("Arrer Boyz", "Sun Dragon"), (SCATTER, SCATTER))
    assert unavailable_rules(table, "Arrer Boyz") == ["R-21"]
    assert unavailable_rules(table, "Orc Boyz") == ["R12.3"]
    assert unavailable_rules(table, "Maiden Guard") == []


# ---------------------------------------------------------------- melee


def test_an_engagement_that_others_precede_is_named_with_them() -> None:
    """R15.2.1"""
    text = "A Orc Boyz (10, 10)\nB Maiden Guard (10.9, 10)\nA Black Orcs (11.8, 10)\nA Orc Boyz (20, 10)\n"
    table = scripted_position(text + "B Tyrion (21, 10)").start_melee()
    _, ask = table.open_questions[0]
    entries = [entry for entry in rounds.unavailable(table.board, 0, ask) if entry.action == "choose_engagement"]
    legal = table.question(a.EngagementQuestion).engagements
    assert {entry.numbers["engagement"] for entry in entries} == set(range(len(table.board.engagements))) - set(legal)
    assert [entry.rule for entry in entries] == ["R15.2.1"]
    assert entries[0].numbers["after"] in legal
    assert table.expect_illegal(a.ChooseEngagement(entries[0].numbers["engagement"])).code == entries[0].code


# ---------------------------------------------------------------- random matches


def attempt(board: Board, ask: a.BoardQuestion, one: DiskwarsUnavailable) -> a.Action | None:
    """Return what a player would send who does not believe it; None where that cannot be made up."""
    target = one.target
    if isinstance(ask, a.CommandCardQuestion):
        return a.LockCard(one.card or "", "5a" * 16)
    if one.disk is None or not isinstance(ask, a.ActivationQuestion | a.ContinuationQuestion | a.ScoutQuestion):
        return None
    match one.action:
        case None:
            return a.PassDisk(one.disk)
        case "shoot":
            return a.Shoot(one.disk, 0 if target is None else target, one.numbers.get("shot", 0))
        case "focus":
            return a.Focus(one.disk, target, one.numbers.get("ability", 0)) if target is not None else None
        case "use_ability":
            return a.UseAbility(one.disk, target) if target is not None else None
        case "move_disk":
            now, length = board.disks[one.disk], 2 * board.profile(one.disk).radius
            toward = (board.field.width // 2 - now.x, board.field.height // 2 - now.y + 1)
            return a.MoveDisk(one.disk, (geometry.flip_toward(*toward, length),))
        case _:
            return None


def checked_reasons(playing: PlayedMatch, decision: Decision[a.Question]) -> Counter[str]:
    """Each rule is one that a player can look up; an unavailable option is not offered and is refused."""
    ask, options = decision.question, playing.rules.options_with_unavailable(playing.state, decision)
    if not isinstance(ask, a.BoardQuestion):
        assert options.unavailable == ()
        return Counter()
    tried: Counter[str] = Counter()
    for entry in options.unavailable:
        assert entry.code in {*REFUSAL_CODES, *DISKWARS_REFUSAL_CODES}
        assert entry.rule in load_register().rules
        assert entry.disk is not None or entry.card or "engagement" in entry.numbers
        assert spoken_numbers(entry.text) <= {entry.disk, entry.target, *entry.numbers.values()}, entry
        if entry.disk is not None and not entry.action:
            offered = [*options.actions, *(plan.example for plan in options.parametric)]
            named = {getattr(action, "disk", -1) for action in offered if not isinstance(action, a.UseAbility)}
            assert entry.disk not in named
        action = attempt(playing.board, ask, entry)
        if action is not None:
            with pytest.raises(Illegal) as refused:
                playing.decide(player_of(decision.seat), decision.id, action)
            assert (refused.value.code, refused.value.rule) == (entry.code, entry.rule), (entry, action)
            tried[f"{entry.action or type(ask).__name__} {entry.code}"] += 1
    return tried


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_trying_an_unavailable_option_meets_the_stated_refusal(seats: int) -> None:
    tried: Counter[str] = Counter()
    for seed in range(40, 42):
        playing = begin_full_match(seed, seats)
        while playing.state.status != "ended":
            for decision in playing.state.decisions:
                tried += checked_reasons(playing, decision)
            play_step(playing)
    assert {"ActivationQuestion disk_activated", "ActivationQuestion disk_pinned", "shoot out_of_range"} <= set(tried)
    assert {"CommandCardQuestion not_in_hand", "focus out_of_range"} <= set(tried)
