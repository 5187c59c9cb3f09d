"""Tests of the narration: names instead of numbers, dice as they show, rule ids, and every event covered."""

import inspect
import re
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.identifiers import make_id
from diskwars_protocol.match.actions import ReadyQuestion, SeatQuestion, Stop
from diskwars_protocol.match.decisions import Decision, Reason, Result
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import RecordBody, SeatState
from diskwars_protocol.records.fairness import DiceKind, Draw
from diskwars_protocol.records.sealed import HIDDEN, Sealed
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import stats as f
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.effect_text import effect_text
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.rulesets.diskwars.setup_cards import Terrain, TerrainPiece
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_text.rulesets.diskwars.narration import narrate
from diskwars_text.rulesets.diskwars.phrases import direction_text, disk_names, question_text, seat_name
from diskwars_text.rulesets.diskwars.setup_text import OBJECTIVE_PART_TEXTS
from tests.client.match_files import greedy_records
from tests.rows import each_row

A, B = 0, 1
SHOOTER, TARGET, BYSTANDER = 3, 8, 9


def started() -> DiskwarsMatch:
    """Return the match when everybody has deployed."""
    bodies = greedy_records()
    last = next(n for n, body in enumerate(bodies) if any(isinstance(event, e.RoundBegan) for event in body.events))
    return DISKWARS.fold_log(bodies[: last + 1])


def record(*events: Event | Sealed, **fields: Any) -> DiskwarsBody:
    return RecordBody(at_ms=0, events=events, **fields)


def narrate_match(seed: int, bots: tuple[str, str], armies: tuple[str, str]) -> list[str]:
    match: DiskwarsMatch | None = None
    lines: list[str] = []
    for body in bot_match_records(seed, bots, [a.Loadout(name) for name in armies]):
        lines += narrate(match, body)
        match = DISKWARS.fold(match, body)
    return lines


def narrated(*events: Event) -> list[str]:
    return narrate(started(), record(*events))


def board() -> Board:
    board = started().board
    assert board is not None
    return board


def draw_of(kind: DiceKind, *faces: int) -> Draw:
    return Draw(1, 0, kind, 6, "test", faces)


def because(*rules: str) -> tuple[Reason, ...]:
    return tuple(Reason(rule) for rule in rules)


def faces(*symbols: f.Symbol) -> Draw:
    return draw_of("symbol_dice", *(board().battle_die.index(symbol) + 1 for symbol in symbols))


def shot(*symbols: f.Symbol) -> e.ShotFired:
    attack = e.RangedAttack(SHOOTER, TARGET, 0, 2, "physical", "long")
    return e.ShotFired(attack=attack, dice=faces(*symbols), needed=(), reasons=because("R12.2"))


def damage(disk: int, dealt: int, taken: int | None = None, kind: f.DamageType = "physical") -> e.DamageDealt:
    counted = dealt if taken is None else taken
    return e.DamageDealt(disk, dealt, counted, kind, counted, 4, because("R12.4"))


# ---------------------------------------------------------------- lines


@pytest.mark.parametrize(
    ("highest", "end"),
    [((1,), "Chaos Patrol 5 + 1 = 6"), ((0, 1), ": a tie for the highest; those players roll again")],
)
def test_a_roll_for_initiative_says_whether_it_settles_anything(highest: tuple[int, ...], end: str) -> None:
    rolls = (e.InitiativeRoll(A, 5, 1), e.InitiativeRoll(B, 5, 1))
    rolled = e.InitiativeRolled(rolls, draw_of("number_dice", 5, 5), highest, because())
    (line,) = narrated(rolled)
    assert line.startswith("Initiative: Empire Patrol 5 + 1 = 6, Chaos Patrol 5 + 1 = 6")
    assert line.endswith(end)


def test_a_blast_without_effect_is_narrated_once() -> None:
    used = e.AbilityUsed(A, SHOOTER, because("R7.9"), TARGET, "fists-of-mork", dice=draw_of("number_dice", 2))
    assert narrated(used, damage(TARGET, 0, kind="arcane"), damage(BYSTANDER, 0, kind="arcane")) == [
        "  Marienburg Swordsmen#2 used Fists of Mork on Kurgan Marauders#1, rolled 2 -> 0 arcane damage (0 of 4)"
        "  [R7.9 R12.4]"
    ]
    harmed = narrated(used, damage(TARGET, 0, kind="arcane"), damage(BYSTANDER, 1, kind="arcane"))
    assert harmed[1:] == ["    Kurgan Marauders#2 took 1 arcane damage (1 of 4)  [R12.4]"]


def test_a_shot_is_one_line_with_dice_damage_and_rules() -> None:
    assert narrated(shot("hit", "miss", "critical"), damage(TARGET, 4)) == [
        "  Marienburg Swordsmen#2 shot Kurgan Marauders#1 at long range, strength 2: hit miss critical"
        " -> 4 damage (4 of 4)  [R12.2 R12.4]"
    ]


def test_a_shot_that_misses_says_so() -> None:
    assert narrated(shot("miss", "chaos"))[0].endswith("miss chaos -> no damage  [R12.2]")


def test_a_shot_whose_scatter_is_still_open_says_nothing_yet() -> None:
    assert narrated(shot("scatter"))[0].endswith("strength 2: scatter  [R12.2]")


def test_scatter_is_below_its_shot() -> None:
    fired = shot("hit", "scatter")
    scattered = e.ShotScattered(fired.attack, because("R12.3"), BYSTANDER, faces("critical"))
    lines = narrated(fired, scattered, damage(TARGET, 2), damage(BYSTANDER, 2))
    assert lines[1:] == [
        "    scattered against Kurgan Marauders#2: critical  [R12.3]",
        "    Kurgan Marauders#1 took 2 damage (2 of 4)  [R12.4]",
        "    Kurgan Marauders#2 took 2 damage (2 of 4)  [R12.4]",
    ]


def test_scatter_that_finds_nobody_says_so() -> None:
    fired = shot("scatter")
    lines = narrated(fired, e.ShotScattered(fired.attack, because("R12.3")))
    assert lines[1] == "    no disk was near enough for the scatter dice -> no damage  [R12.3]"


def test_damage_that_was_resisted_says_how_much_counted() -> None:
    line = narrated(shot("critical"), damage(TARGET, 4, 2, "arcane"))[0]
    assert " -> 4 arcane damage, 2 counted (2 of 4)" in line


def test_wound_and_removal_follow_the_damage() -> None:
    wounded = e.DiskWounded(TARGET, 1, because("R13.5"))
    assert narrated(shot("hit"), damage(TARGET, 2), wounded)[0].endswith(
        "(2 of 4), wound 1 (stamina 0)  [R12.2 R12.4 R13.5]"
    )
    gone = e.DisksRemoved((TARGET,), (), (), because("R13.5", "R13.7"))
    assert narrated(shot("hit"), damage(TARGET, 2), gone)[0].endswith("(2 of 4), destroyed  [R12.2 R12.4 R13.5 R13.7]")


def test_blows_at_one_disk_end_with_their_effect_and_others_follow_below() -> None:
    links = (e.Link(SHOOTER, TARGET),)
    frozen = e.EngagementsFrozen((e.Engagement((SHOOTER,), (TARGET,), links),), because("R15.1"))
    blows = (e.Blow(SHOOTER, TARGET, 4), e.Blow(TARGET, SHOOTER, 3))
    lines = narrated(
        frozen,
        e.EngagementBegan(0, because("R15.2")),
        e.BlowsStruck(0, "swift", blows[:1], because("R15.3.3")),
        damage(TARGET, 4),
        e.BlowsStruck(0, "normal", blows, because("R15.3.3")),
        damage(TARGET, 4),
        damage(SHOOTER, 3),
    )
    assert lines == [
        "  1 engagement  [R15.1]",
        "-- Marienburg Swordsmen#2 against Kurgan Marauders#1  [R15.2]",
        "  swift: Marienburg Swordsmen#2 struck Kurgan Marauders#1 for 4 -> 4 damage (4 of 4)  [R15.3.3 R12.4]",
        "  Marienburg Swordsmen#2 struck Kurgan Marauders#1 for 4; "
        "Kurgan Marauders#1 struck Marienburg Swordsmen#2 for 3  [R15.3.3]",
        "    Kurgan Marauders#1 took 4 damage (4 of 4)  [R12.4]",
        "    Marienburg Swordsmen#2 took 3 damage (3 of 4)  [R12.4]",
    ]


def flip_event(disk: int, *steps: tuple[int, int]) -> list[e.DiskFlipped]:
    now = board().disks[disk]
    found, x, y = [], now.x, now.y
    for dx, dy in steps:
        x, y = x + dx, y + dy
        found.append(e.DiskFlipped(disk, x, y, now.z + 20, (), ()))
    return found


def test_a_move_is_one_line_with_directions_and_distance() -> None:
    moved = flip_event(SHOOTER, (0, 44450), (0, 44450), (44450, 0))
    assert narrated(*moved) == ["  Marienburg Swordsmen#2 flipped 2 x N (0°), E (90°), 5.25 in"]


def test_a_landing_says_on_whom() -> None:
    (moved,) = flip_event(SHOOTER, (0, 44450))
    assert narrated(replace(moved, pins_gained=(e.Pin(SHOOTER, TARGET),)))[0].endswith(
        "1.75 in, onto Kurgan Marauders#1"
    )


def test_another_disk_that_comes_to_lie_on_one_has_a_sentence_of_its_own() -> None:
    """A disk between two others moves away, and the upper one now lies on the lower one."""
    (flip,) = flip_event(SHOOTER, (0, -44_450))
    assert narrated(replace(flip, pins_gained=(e.Pin(TARGET, BYSTANDER),))) == [
        "  Marienburg Swordsmen#2 flipped S (180°), 1.75 in",
        "    Kurgan Marauders#1 now lies on Kurgan Marauders#2",
    ]


def test_a_disk_that_came_off_another_says_so() -> None:
    (moved,) = flip_event(SHOOTER, (0, 44450))
    (back,) = flip_event(SHOOTER, (0, -44450))
    pinned = DISKWARS.fold(started(), record(replace(moved, pins_gained=(e.Pin(SHOOTER, TARGET),))))
    lines = narrate(pinned, record(replace(back, x=moved.x, y=moved.y - 44450, pins_lost=(e.Pin(SHOOTER, TARGET),))))
    assert lines == ["  Marienburg Swordsmen#2 flipped S (180°), 1.75 in, off Kurgan Marauders#1"]


def test_guard_rampage_healing_and_poison_are_narrated_with_names() -> None:
    name = disk_names(board())
    guard = e.GuardRolled(SHOOTER, 2, TARGET, because("R16.2"))
    assert narrated(guard, damage(TARGET, 2)) == [
        f"  {name[SHOOTER]}: Guard 2 on {name[TARGET]} -> 2 damage (2 of 4)  [R16.2 R12.4]",
    ]
    onto = e.Rampaged(SHOOTER, (TARGET,), True, because("R12.6"))
    nowhere = e.Rampaged(SHOOTER, (), False, because("R12.6"))
    assert narrated(onto, nowhere) == [
        f"  {name[SHOOTER]}: chaos, it has to flip onto {name[TARGET]}  [R12.6]",
        f"  {name[SHOOTER]}: chaos, it has no way to flip  [R12.6]",
    ]
    used = e.AbilityUsed(A, SHOOTER, because("R8.3"), BYSTANDER, ability=0)
    healed, cured = e.DiskHealed(BYSTANDER, 1, ()), e.DiskPoisoned(BYSTANDER, False, because("R-40"))
    assert narrated(used, healed, cured)[0].endswith(", healed to 1 damage, no longer poisoned  [R8.3 R-40]")


def test_an_activation_without_an_action_is_a_pass() -> None:
    lines = narrated(e.ActivationBegan(A, SHOOTER), e.ActivationEnded(SHOOTER, True))
    assert lines == ["  Marienburg Swordsmen#2 passed"]


def test_a_card_that_serves_nobody_says_so() -> None:
    lines = narrated(e.CardBegan(A, "press-on"), e.CardBegan(B, "hold-fast"), e.ActivationBegan(B, TARGET))
    assert lines == [
        "",
        "-- Empire Patrol plays Press On (bold, 3 activations)",
        "  no disk can act",
        "",
        "-- Chaos Patrol plays Hold Fast (steady, 3 activations)",
    ]


def test_narration_leaves_out_a_hidden_card_and_names_an_own_one() -> None:
    assert narrated(e.CardLocked(A, 2, "", HIDDEN, HIDDEN)) == ["", "Empire Patrol locked a card"]
    assert narrated(e.CardLocked(A, 2, "", "press-on", "")) == ["", "Empire Patrol locked Press On"]


def test_an_event_that_may_not_be_seen_is_passed_over() -> None:
    assert narrate(started(), record(HIDDEN, e.SeatEliminated(B, because("R4.6")))) == [
        "Chaos Patrol is out of the game  [R4.6]"
    ]


def test_match_that_the_house_closed_is_narrated() -> None:
    lines = narrate(started(), record(actor="house", result=Result("closed")))
    assert lines[0] == "The house closed the match, which had not begun"


def test_match_that_an_operator_stopped_had_begun() -> None:
    lines = narrate(started(), record(actor="house", action=Stop(), result=Result("stopped")))
    assert lines[0] == "The server stopped the match"


def test_substitute_does_not_run_out_of_time() -> None:
    match = replace(started(), match_options=MatchOptions(clock=PerDecisionClock(60)))
    away = replace(match, seats=(replace(match.seats[A], substitute=True), *match.seats[1:]))
    body = record(actor="house", seat=A)
    assert narrate(match, body)[0] == "Empire Patrol ran out of time: the house answers"
    assert narrate(away, body)[0] == "The house answers for Empire Patrol"


def test_seat_that_the_house_leaves_for_is_narrated_with_the_days_it_was_waited_for() -> None:
    match = replace(started(), match_options=MatchOptions(abandoned_after_days=3))
    line = "Empire Patrol has not answered for 3 days: the house leaves the match"
    assert narrate(match, record(actor="house", seat=A))[0] == line


def test_takeback_is_narrated() -> None:
    assert narrate(started(), record(taken_back_to=12)) == ["The match was taken back to record 12"]


def test_a_seat_that_gave_nothing_to_the_dice_is_named_unless_it_is_out_of_the_game() -> None:
    step = StepBegan(4, "00" * 32, ("00" * 16,) * 2, missing=(B,))
    assert narrated(step) == ["Chaos Patrol contributed nothing to the dice of step 4"]
    out = e.SeatEliminated(B, because("R4.6"))
    assert narrated(out, step) == ["Chaos Patrol is out of the game  [R4.6]"]


def test_points_are_narrated_with_what_they_are_for() -> None:
    paid = Reason("R4.12", {"seat": B, "survive": 3, "slay_units": 5, "hold_zones": 0})
    assert narrated(e.Scored((0, 8), (paid,))) == [
        "Victory points: Empire Patrol 0, Chaos Patrol 8  [R4.12]",
        "  Chaos Patrol: 3 for disks on the field, 5 for destroyed enemy units",
    ]


def test_every_part_of_an_objective_has_a_text_for_its_points() -> None:
    assert {kind.__struct_config__.tag for kind in get_args(s.Objective)} == {*OBJECTIVE_PART_TEXTS}


def test_end_without_points_tells_how_many_disks_are_left() -> None:
    lost = e.DisksRemoved((TARGET,), (), (), because("R13.7"))
    lines = narrate(started(), record(lost, result=Result("elimination", (A,), (), because("R4.7"))))
    assert lines[-3:] == [
        "Disks left: Empire Patrol 6 of 6, Chaos Patrol 5 of 6",
        "",
        "Empire Patrol won: elimination  [R4.7]",
    ]


@pytest.mark.parametrize(("left", "unused"), [(2, "the rest of Press On"), (0, "the battle ability of Press On")])
def test_end_of_a_card_says_what_is_left_of_it(left: int, unused: str) -> None:
    revealed = e.CardsRevealed(1, (e.RevealedCard(A, "press-on", ""),), because("R7.3"))
    asked = Decision(DecisionId("9.0"), A, a.ActivationQuestion("press-on", left, True))
    match = replace(DISKWARS.fold_event(started(), revealed), decisions=(asked,))
    assert narrate(match, record(seat=A, action=a.EndCard())) == [f"  Empire Patrol left {unused} unused"]


# ---------------------------------------------------------------- whole matches


@each_row("seed", range(1, 9))
def test_no_number_of_a_disk_seat_or_type_shows_in_a_whole_match(seed: int) -> None:
    armies = [("empire-patrol", "chaos-patrol"), ("high-elf-patrol", "greenskin-patrol")][seed % 2]
    lines = after_opening(narrate_match(seed, ("random", "greedy"), armies))
    text = "\n".join(lines)
    assert not re.search(r"\b(disk|seat|profile) \d|[a-z]_[a-z]|None|Draw\(|\('", text)
    assert all(line == line.rstrip() for line in lines)
    assert text.count("== Round ") in range(1, 6)
    assert re.search(r"won: |Nobody won: ", lines[-1])


def after_opening(lines: list[str]) -> list[str]:
    """Return a narration without the table of options, which has the ids that `--option` takes."""
    return lines[next(number for number, line in enumerate(lines) if "took seat" in line) :]


def test_a_match_of_one_army_against_itself_tells_the_sides_apart() -> None:
    lines = narrate_match(3, ("greedy", "greedy"), ("chaos-patrol", "chaos-patrol"))
    text = "\n".join(lines)
    assert "Chaos Patrol A" in text
    assert "Archaon#2 (B)" in text


def test_most_lines_name_the_rule_that_made_them_so() -> None:
    narrated = narrate_match(4, ("greedy", "greedy"), ("empire-patrol", "chaos-patrol"))
    lines = [line for line in after_opening(narrated) if "damage" in line]
    assert lines
    assert all(re.search(r"  \[R[-.\d]+( R[-.\d]+)*\]$", line) for line in lines)


def test_the_beginning_of_a_match_reads_like_this() -> None:
    """
    Match seed-1 of diskwars for 2 players
      pins                   strict        which disks of a stack pin which (R-04)
      setup                  quick         quick leaves out scenarios, deployment cards and terrain (R3)
      regiments              1             how many regiments each army has (R2.1)
      packs                  diskwars/core 1 (HASH)
      dice                   from a seed: anyone who knows the seed can predict every roll
    Empire Patrol took seat A
    Chaos Patrol took seat B
    Empire Patrol: ready
    Chaos Patrol: ready
    5 rounds, strict pins
    """
    lines = narrate_match(1, ("greedy", "greedy"), ("empire-patrol", "chaos-patrol"))
    told = inspect.cleandoc(test_the_beginning_of_a_match_reads_like_this.__doc__ or "")
    settings = len(fields(a.DiskwarsSettings))
    assert [*lines[:4], *lines[settings + 1 : settings + 8]] == told.replace(
        "HASH", core_pack().pack.hash[:12]
    ).splitlines()


@each_row(
    ("ask", "text"),
    [
        (SeatQuestion(), "Empire Patrol is free"),
        (ReadyQuestion(), "Empire Patrol: ready?"),
        (a.FirstPlayerQuestion(), "Empire Patrol chooses who plays first"),
        (
            a.DeploymentQuestion((a.ZoneLimit(0, 3), a.ZoneLimit(1, 2)), 5),
            "Empire Patrol deploys 5 disks wholly inside x 6 to 30, y 0 to 6 or x 6 to 30, y 30 to 36 (inches)",
        ),
        (a.InitiativeOrderQuestion(), "Empire Patrol says in which order all play"),
        (a.ScenarioQuestion(), "Empire Patrol chooses which of two scenarios is active"),
        (
            a.DeploymentCardQuestion(("Camp",), (a.EdgeSpan(0, 889000),)),
            "Empire Patrol takes a deployment card and lays it along the own edge: 0 to 35 inches are free",
        ),
        (
            a.TerrainQuestion(("Forest", "Cave")),
            "Empire Patrol takes a piece of terrain and places it, "
            "more than short range (3 in) from others and from all edges",
        ),
        (a.ScoutQuestion((3,)), "Empire Patrol may scout with Marienburg Swordsmen#2"),
        (
            a.EngageAbilityQuestion(a.Trigger(3, 8, 0), (2, 3), optional=True),
            "Empire Patrol says whether and how the ability of Marienburg Swordsmen#2 goes off: "
            "Marienburg Swordsmen#1, Marienburg Swordsmen#2",
        ),
        (
            a.ReinforcementQuestion(3, "short", (4,)),
            "Empire Patrol chooses which disk Marienburg Swordsmen#2 brings in within short range",
        ),
        (
            a.RampageQuestion(3, (2,), must_overlap=False),
            "Empire Patrol says how Marienburg Swordsmen#2 flips toward Marienburg Swordsmen#1",
        ),
        (a.CommandCardQuestion(), "Empire Patrol locks a command card"),
        (a.ActivationQuestion("feint", 1, False), "Empire Patrol plays Feint: 1 activation left"),
        (
            a.ActivationQuestion("hold-fast", 2, True),
            "Empire Patrol plays Hold Fast: 2 activations left, and its battle ability "
            "(empowers a friendly disk within medium range)",
        ),
        (
            a.ContinuationQuestion(3, 2, ("move", "shoot")),
            "Empire Patrol goes on with Marienburg Swordsmen#2: may move or shoot, 2 flips",
        ),
        (
            a.ScatterQuestion(3, (8, 9)),
            "Empire Patrol says which disk the scatter dice of Marienburg Swordsmen#2 go against",
        ),
        (
            a.TriggerOrderQuestion((a.Trigger(8, 3, 0), a.Trigger(9, 3, 0))),
            "Empire Patrol says in which order 2 abilities go off",
        ),
        (a.EngagementQuestion((0, 2)), "Empire Patrol chooses the next engagement"),
        (
            a.MeleeTargetsQuestion(0, "swift", "attacker", (a.StrikerChoice(3, (8, 9)),)),
            "Empire Patrol chooses whom to strike (swift attacker): Marienburg Swordsmen#2",
        ),
    ],
)
def test_a_question_reads_as_a_sentence(ask: a.Question, text: str) -> None:
    assert question_text(started(), Decision(DecisionId("1.0"), A, ask)) == text


@each_row(
    ("does", "text"),
    [
        (f.DealDamage(f.Amount(-2, 1), "arcane", "medium"), "d6-2 arcane damage to an enemy within medium range"),
        (
            f.DealDamage(f.Amount(3), "true", "short", "short"),
            "3 true damage to an enemy within short range and to each disk within short range of it",
        ),
        (f.DealDamageNear(f.Amount(d6=2), "untyped", "short"), "2d6 untyped damage to each enemy within short range"),
        (f.RollWound(5), "a wound on 5 or more"),
        (f.Empower("medium"), "empowers a friendly disk within medium range"),
        (f.ReduceToughness(1, "medium"), "toughness -1 for an enemy within medium range"),
        (f.RemoveActivationToken("Orc", "short"), "takes the activation token off Orc within short range"),
        (f.IncreaseRange(2), "ranged attacks reach 2 bands further"),
        (f.IncreaseMovement(1), "moves get 1 extra flip"),
        (f.IncreaseShotStrength(1), "ranged attacks have 1 more strength"),
        (f.Empower("short", "Orc"), "empowers a friendly disk (Orc) within short range"),
        (f.Heal(f.Amount(d6=1), "medium"), "takes d6 damage off a friendly disk within medium range"),
        (f.AddActivationToken("short"), "an activation token for an enemy within short range"),
        (f.ReinforceNear("short", "Skeleton", 3), "brings in up to 3 disks (Skeleton) within short range"),
        (f.FightEngagement(), "fights one of its engagements at once"),
        (f.IncreaseMovement(1, "Cavalry"), "moves get 1 extra flip (Cavalry)"),
        (f.IncreaseToughness(1, reach="short"), "toughness +1 for other friendly disks within short range"),
        (f.IncreaseMeleeStrength(1, 1), "strength +1 and counter strength +1"),
        (
            f.IncreaseMeleeStrength(0, 1, "Orc", "medium"),
            "counter strength +1 for other friendly disks within medium range (Orc)",
        ),
        (f.RemoveEmpowerment("short"), "empowered disks that land within short range lose their empowerment"),
        (f.Rampage(), "flips toward the nearest disk when its ranged attack shows chaos"),
        (
            f.DamageAround(2, "physical", "short"),
            "2 physical damage also to each disk within short range of what it shoots",
        ),
    ],
)
def test_effect_is_described_in_words(does: f.Effect, text: str) -> None:
    assert effect_text(does) == text


@each_row(("angle", "word"), [(0, "N (0°)"), (22, "N (22°)"), (23, "NE (23°)"), (337, "NW (337°)"), (338, "N (338°)")])
def test_directions_have_the_name_of_the_nearest_wind(angle: int, word: str) -> None:
    assert direction_text(angle) == word


def test_an_empty_seat_is_called_by_its_letter() -> None:
    match: DiskwarsMatch = replace(started(), seats=(SeatState(),), board=None)
    assert seat_name(match, 0) == "seat A"


# ---------------------------------------------------------------- the ground


def on_terrain(*names: str) -> DiskwarsMatch:
    """Return the match when everybody has deployed, with pieces of these names on the field."""
    match = started()
    corners = ((0, 0), (25400, 0), (25400, 25400))
    pieces = tuple(TerrainPiece(Terrain(make_id(name), name, corners), corners) for name in names)
    return replace(match, board=replace(board(), terrain=pieces))


def test_entering_terrain_is_narrated_with_its_effect() -> None:
    disk = board().disks[SHOOTER]
    because = (Reason("R10.5", {"amount": 4}),)
    lines = narrate(
        on_terrain("Gully", "Bog"),
        record(
            e.DiskFlipped(SHOOTER, disk.x, disk.y + 44450, 99, (), (), (0, 1)),
            e.DangerRolled(SHOOTER, 0, 4, "physical", draw_of("number_dice", 4), because),
            e.DamageDealt(SHOOTER, 4, 4, "physical", 4, 9, because),
            e.MoveStopped(SHOOTER, 1, (Reason("R10.9"),)),
        ),
    )
    name = disk_names(board())[SHOOTER]
    assert lines[0].endswith(", into Gully, Bog")
    assert lines[1] == f"  {name} landed on Gully, rolled 4 -> 4 damage (4 of 9)  [R10.5]"
    assert lines[2] == f"  Bog ended the move of {name}  [R10.9]"


def test_pieces_with_the_same_name_are_distinguished() -> None:
    lines = narrate(on_terrain("Bog", "Bog"), record(e.MoveStopped(SHOOTER, 1, (Reason("R10.9"),))))
    assert lines[0].startswith("  Bog #2 ended the move of ")


def test_question_without_a_phrase_is_named_by_its_type() -> None:
    class NewQuestion(Struct, frozen=True, tag="banner_bearer"):
        disk: int

    decision: Decision[Any] = Decision(DecisionId("1.0"), A, NewQuestion(1))
    assert question_text(started(), decision).endswith(" has to answer: banner bearer")
