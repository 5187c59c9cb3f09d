"""The melee phase: partition, order, steps, targets (R15)."""

from collections.abc import Collection
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from diskwars_engine.rulesets.diskwars import engagements, scoring
from diskwars_engine.rulesets.diskwars import tasks as t
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.events import Engagement, Link
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position


def melee_events(table: ScriptedPosition) -> list[tuple[str, set[str]]]:
    """Return the speed steps in which somebody struck, with the blows as `who>whom strength`."""
    return [
        (step.speed, {f"{table.name(b.disk)}>{table.name(b.target)} {b.strength}" for b in step.blows})
        for step in table.events_of_type(e.BlowsStruck)
    ]


PinPair: TypeAlias = tuple[int, int]


def links_of(*pairs: PinPair) -> tuple[Link, ...]:
    return tuple(Link(*pair) for pair in pairs)


def split_engagements(*links: PinPair) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    return [(engagement.attackers, engagement.defenders) for engagement in engagements.partition(links)]


# ---------------------------------------------------------------- links and partition


def test_pins_among_friends_make_no_links() -> None:
    """R15.1.5: a disk in no link does not fight."""
    table = scripted_position("A Orc Boyz (10, 10)\nA Big Boss (10.5, 10)\nB Sun Dragon (30, 30)").start_melee()
    assert table.pins == {"Big Boss>Orc Boyz"}
    assert table.board.engagements == ()
    assert melee_events(table) == []


def test_links_are_published_when_the_phase_begins() -> None:
    """R15.1.1"""
    table = scripted_position("A Orc Boyz (10, 10)\nB Big Boss (10.5, 10)").start_melee()
    (frozen,) = table.events_of_type(e.EngagementsFrozen)
    assert [engagement.links for engagement in frozen.engagements] == [links_of((1, 0))]


def test_a_common_defender_and_a_common_attacker_join_engagements() -> None:
    """R15.1.2, R15.7"""
    assert split_engagements((1, 10), (2, 10)) == [((1, 2), (10,))]
    assert split_engagements((1, 10), (1, 11)) == [((1,), (10, 11))]
    assert split_engagements((1, 10), (2, 11)) == [((1,), (10,)), ((2,), (11,))]


def test_an_embattled_disk_is_in_two_engagements() -> None:
    """R15.6, R15.7"""
    assert split_engagements((1, 2), (2, 3)) == [((1,), (2,)), ((2,), (3,))]


def test_an_engagement_with_a_disk_in_both_parts_is_split_by_layers() -> None:
    """R15.1.4, R-16: with three players 1>2, 1>3 and 2>3 hang together; layer 0 has 1's links, layer 1 has 2's."""
    assert split_engagements((1, 2), (1, 3), (2, 3)) == [((1,), (2, 3)), ((2,), (3,))]


def test_the_depth_of_an_attacker_counts_enemies_of_other_engagements_too() -> None:
    """R15.1.4, R-16: 2 lies under 9, of another engagement, so it is in the same layer as 3, which lies under 1."""
    assert split_engagements((9, 2), (1, 3), (1, 4), (2, 4), (3, 4)) == [((1,), (3, 4)), ((2, 3), (4,)), ((9,), (2,))]


def test_a_defender_in_several_layers_strikes_back_once() -> None:
    """R15.1.4: in the first in which it has a living target."""
    text = "C Ox (10, 10)\nB Big Boss (11, 10.2)\nA Night Goblins (10.6, 8.9)\ndisk Ox: large S1 C1 T9 St1\n"
    table = scripted_position("pins contact\n" + text).start_melee()
    assert table.pins == {"Night Goblins>Ox", "Night Goblins>Big Boss", "Big Boss>Ox"}
    assert table.engagements == {"Night Goblins | Big Boss, Ox", "Big Boss | Ox"}
    table = table.answer(table.targets_action(Night_Goblins="Ox"))
    ox = [
        blow for step in table.events_of_type(e.BlowsStruck) for blow in step.blows if blow.disk == table.number("Ox")
    ]
    assert [table.name(blow.target) for blow in ox] == ["Night Goblins"]
    struck = [blow for step in table.events_of_type(e.BlowsStruck) for blow in step.blows]
    assert {table.name(blow.disk) for blow in struck} == {"Night Goblins", "Big Boss", "Ox"}


# ---------------------------------------------------------------- order

ROCKS = """
disk Rock: small S9 C0 T9
disk Egg: small S1 C1 T1
"""


def test_the_embattled_defend_before_they_attack() -> None:
    """R15.2.1, R15.2.2"""
    table = scripted_position(
        "disk Wall: small S1 C1 T9\nA Wall (10, 10)\nB Wall (10.9, 10)\nA Wall (11.8, 10)"
    ).start_melee()
    begun = [table.members(event.engagement) for event in table.events_of_type(e.EngagementBegan)]
    assert begun == ["Wall#3 | Wall#2", "Wall#2 | Wall#1"]


def test_an_engagement_that_is_left_without_a_living_pair_is_dropped() -> None:
    """R15.2.5, R-29: the attacker of the lower one dies in the upper one."""
    table = scripted_position(
        ROCKS + "A Egg (10, 10)\nB Egg (10.9, 10)\nA Rock (11.8, 10)\nB Rock (30, 30)"
    ).start_melee()
    ends = [(table.members(event.engagement), event.dropped) for event in table.events_of_type(e.EngagementEnded)]
    assert ends == [("Rock#1 | Egg#2", False), ("Egg#2 | Egg#1", True)]


def test_an_engagement_that_is_left_without_a_living_pair_is_not_offered() -> None:
    """R15.2.5, R15.2.4"""
    pairs = "A Egg (20, 20)\nB Rock (20.9, 20)\nA Egg (25, 25)\nB Rock (25.9, 25)"
    table = scripted_position(ROCKS + "A Egg (10, 10)\nB Egg (10.9, 10)\nA Rock (11.8, 10)\n" + pairs).start_melee()
    assert len(table.question(a.EngagementQuestion).engagements) == 3
    table = table.answer(table.engagement_action("Rock#1"))
    assert {table.members(n) for n in table.question(a.EngagementQuestion).engagements} == {
        "Rock#2 | Egg#3",
        "Rock#3 | Egg#4",
    }


def test_the_first_player_may_jump_between_engagements_that_are_not_linked() -> None:
    """R15.2.4, R19.21: the first player picks, and the last engagement is not asked for."""
    pairs = "A Rock (10, 10)\nB Rock (10.9, 10)\nA Rock (20, 10)\nB Rock (20.9, 10)\nA Rock (30, 10)\nB Rock (30.9, 10)"
    for order, seat in (("order A B\n", 0), ("order B A\n", 1)):
        table = scripted_position(order + ROCKS.replace("S9", "S1") + pairs).start_melee()
        assert table.open_questions == ((seat, a.EngagementQuestion((0, 1, 2))),)
        table = table.answer(a.ChooseEngagement(2))
        assert table.open_questions == ((seat, a.EngagementQuestion((0, 1))),)
        table = table.answer(a.ChooseEngagement(1))
        assert [event.engagement for event in table.events_of_type(e.EngagementBegan)] == [1, 0]


def test_when_the_first_player_is_out_the_next_picks() -> None:
    """R15.2.4, R18.5"""
    pairs = "B Rock (10, 10)\nC Rock (10.9, 10)\nB Rock (20, 10)\nC Rock (20.9, 10)"
    table = scripted_position("order A C B\nout A\n" + ROCKS + pairs).start_melee()
    assert [seat for seat, _ in table.open_questions] == [2]


def is_legal_engagement(
    links: list[list[PinPair]], pinned: Collection[int] = (), done: Collection[int] = ()
) -> tuple[int, ...]:
    """Return what may be picked of engagements with these links; pinned are all defenders, unless stated otherwise."""
    every = []
    for number, own in enumerate(links):
        attackers, defenders = tuple(sorted({x for x, _ in own})), tuple(sorted({y for _, y in own}))
        every.append(Engagement(attackers, defenders, links_of(*own), resolved=number in done))
    covered = pinned or {below for own in links for _, below in own}
    return engagements.legal_engagements(every, lambda disk: True, covered)


CIRCLE: list[list[PinPair]] = [[(1, 2), (3, 2), (3, 4)], [(2, 5), (6, 5), (6, 1)]]
"""1>2 and 2>5, 6>1: each of the two has a defender that attacks in the other; 3 and 6 are pinned by nobody."""


def test_in_a_circle_both_may_be_picked_that_have_an_unpinned_attacker() -> None:
    """R15.2.3, R-17"""
    assert is_legal_engagement(CIRCLE) == (0, 1)


def test_in_a_circle_one_without_an_unpinned_attacker_waits() -> None:
    """R15.2.3: 6 lies under a disk whose own engagement with it is over, and is still pinned by it."""
    over: list[list[PinPair]] = [*CIRCLE, [(9, 6)]]
    assert is_legal_engagement(over) == (2,)
    assert is_legal_engagement(over, done={2}) == (0,)


def test_in_a_circle_without_any_unpinned_attacker_all_may_be_picked() -> None:
    """R15.2.3"""
    over: list[list[PinPair]] = [*CIRCLE, [(9, 6)], [(8, 3)]]
    assert is_legal_engagement(over, done={2, 3}) == (0, 1)


def test_in_a_circle_an_attacker_whose_pinner_is_dead_is_unpinned() -> None:
    """R15.2.3"""
    over: list[list[PinPair]] = [*CIRCLE, [(9, 6)]]
    assert is_legal_engagement(over, pinned={1, 2, 4, 5}, done={2}) == (0, 1)


def test_in_a_circle_a_dead_attacker_does_not_count_as_unpinned() -> None:
    """R15.2.3: 3 is dead, 6 is not, and nobody pins either."""
    every = [
        Engagement((1, 3), (2, 4), links_of((1, 2), (3, 2), (3, 4))),
        Engagement((2, 6), (1, 5), links_of((2, 5), (6, 5), (6, 1))),
    ]
    assert engagements.legal_engagements(every, lambda disk: disk != 3, {1, 2, 4, 5}) == (1,)


def test_a_circle_waits_while_its_scrum_has_a_free_engagement() -> None:
    """R15.2.3: and an engagement below the circle waits for it."""
    below: list[list[PinPair]] = [*CIRCLE, [(4, 7), (8, 7)]]
    assert is_legal_engagement(below) == (0, 1)
    above: list[list[PinPair]] = [*CIRCLE, [(9, 3)]]
    assert is_legal_engagement(above) == (2,)
    beside: list[list[PinPair]] = [*CIRCLE, [(4, 7), (8, 7)], [(9, 8)]]
    assert is_legal_engagement(beside) == (3,)


def test_a_dead_disk_links_no_engagements() -> None:
    """R15.2.1: some living disk."""
    every = [Engagement((1,), (2,), links_of((1, 2))), Engagement((2, 4), (3,), links_of((2, 3), (4, 3)))]
    assert engagements.legal_engagements(every, lambda disk: True, {2, 3}) == (0,)
    assert engagements.legal_engagements(every, lambda disk: disk != 2, {3}) == (0, 1)


# ---------------------------------------------------------------- steps


def test_swift_normal_and_slow_blows_fall_one_after_another() -> None:
    """R15.3, R14.1: strengths and counters each have their own speed."""
    ox = "disk Ox: small S1 C1 T20, Slow (counter)\nA Ox (10, 10)\n"
    table = scripted_position(ox + "B Swordmasters of Hoeth (11, 11)\nB Black Orcs (9, 9)").start_melee()
    assert melee_events(table) == [("swift", {"Swordmasters of Hoeth>Ox 5"}), ("normal", {"Black Orcs>Ox 6"})]
    table = table.answer(table.targets_action(Ox="Black Orcs"))
    assert melee_events(table) == [("slow", {"Ox>Black Orcs 1"})]


def test_a_disk_killed_in_an_earlier_step_deals_nothing() -> None:
    """R15.3.4"""
    table = scripted_position(
        "B Orc Boyz (10, 10)\nB Sun Dragon (30, 30)\nA Swordmasters of Hoeth (11, 10)"
    ).start_melee()
    assert melee_events(table) == [("swift", {"Swordmasters of Hoeth>Orc Boyz 5"})]
    assert table.damage("Swordmasters of Hoeth") == (0,)


def test_blows_of_one_step_fall_at_once() -> None:
    """R15.3.3: both die."""
    table = scripted_position(
        "disk Egg: small S4 C4 T3\nA Egg (10, 10)\nB Egg (10.9, 10)\nA Big Boss (20, 20)\nB Big Boss (30, 30)"
    )
    table = table.start_melee()
    assert [gone.disks for gone in table.events_of_type(e.DisksRemoved)] == [(0, 1)]


def test_blows_on_one_disk_add_up_to_one_instance_which_is_physical_and_resisted_once() -> None:
    """R15.3.3, R13.3.1: 3 and 4 are 7, halved 4, not 2 and 2."""
    text = "disk Ox: large S1 C1 T9, Resistant (physical)\ndisk Imp: small S3 C1 T4\ndisk Elf: small S4 C1 T4\n"
    table = scripted_position(text + "A Ox (10, 10)\nB Imp (11.5, 11)\nB Elf (8.5, 11)").start_melee()
    table = table.answer(table.targets_action(Ox="Imp"))
    assert [(hit.dealt, hit.taken) for hit in table.events_of_type(e.DamageDealt) if hit.disk == 0] == [(7, 4)]


def test_strength_zero_deals_nothing_but_has_acted() -> None:
    """R15.3.7"""
    table = scripted_position("disk Wall: small S0 C0 T9\nA Wall (10, 10)\nB Wall (10.9, 10)").start_melee()
    assert melee_events(table) == [("normal", {"Wall#1>Wall#2 0", "Wall#2>Wall#1 0"})]
    assert table.damage("Wall#1", "Wall#2") == (0, 0)
    assert table.board.engagements[0].strikers == (0, 1)


def test_figures_are_read_when_they_are_used() -> None:
    """R15.3.6, R1.3: an empowered disk strikes and strikes back with one more."""
    text = "disk Ox: small S3 C2 T9\nA Ox (10, 10){}\nB Ox (10.9, 10){}"
    assert melee_events(scripted_position(text.format("", "")).start_melee()) == [
        ("normal", {"Ox#2>Ox#1 3", "Ox#1>Ox#2 2"})
    ]
    assert melee_events(scripted_position(text.format(" empowered", " empowered")).start_melee()) == [
        ("normal", {"Ox#2>Ox#1 4", "Ox#1>Ox#2 3"})
    ]


def test_a_link_whose_pin_has_ended_does_not_count() -> None:
    """R15.4.2: the frozen link is there, the pin is not."""
    text = "phase melee\nA Orc Boyz (10, 10)\nB Big Boss (20, 10)\nengagement: Big Boss>Orc Boyz; fighting"
    work = (t.MeleeStepTask(0, "normal"), t.CloseEngagementTask(0))
    assert melee_events(scripted_position(text).run_tasks(*work)) == []
    assert melee_events(scripted_position(text.replace("(20, 10)", "(10.9, 10)")).run_tasks(*work)) == [
        ("normal", {"Big Boss>Orc Boyz 5", "Orc Boyz>Big Boss 3"})
    ]


def test_a_melee_that_ends_the_match_ends_it_at_once() -> None:
    """R4.9: no end phase follows, not even the end of the engagement."""
    table = scripted_position(ROCKS + "A Egg (10, 10)\nB Rock (10.9, 10)").start_melee(
        then=(t.EndPhaseTask(), t.RoundTask(2))
    )
    result = scoring.result(table.board)
    assert result is not None
    assert (result.winners, result.end_reason) == ((1,), "elimination")
    assert table.event_names()[-2:] == ["DisksRemoved", "SeatEliminated"]
    assert table.tasks == ()


# ---------------------------------------------------------------- targets

BOARD = "disk Ox: large S1 C1 T20\ndisk Imp: small S1 C1 T20\n"


def test_attackers_choose_before_defenders_and_each_in_initiative_order() -> None:
    """R15.3.2, R-18, R19.23: three players, the order is C, A, B."""
    text = "order C A B\nB Ox (10, 10)\nB Ox (13.2, 10)\nA Imp (11.6, 11.2)\nC Imp (11.6, 8.8)\n"
    table = scripted_position(BOARD + text).start_melee()
    choosers = []
    for _ in range(3):
        ask = table.question(a.MeleeTargetsQuestion)
        choosers.append((table.open_questions[0][0], ask.role, len(ask.choices)))
        table = table.answer(table.options().actions[0])
    assert choosers == [(2, "attacker", 1), (0, "attacker", 1), (1, "defender", 2)]
    assert len(table.events_of_type(e.BlowsStruck)) == 1


def test_a_disk_with_one_target_has_no_choice_and_is_not_asked_for() -> None:
    """R15.3.2, R19.25"""
    table = scripted_position("A Orc Boyz (10, 10)\nB Big Boss (10.5, 10)").start_melee()
    assert table.open_questions == ()
    assert melee_events(table) == [("normal", {"Big Boss>Orc Boyz 5", "Orc Boyz>Big Boss 3"})]


def test_the_answer_names_one_target_for_every_disk_asked_for() -> None:
    """R15.3.2, R19.23"""
    table = scripted_position(
        BOARD + "A Ox (10, 10)\nA Ox (13.2, 10)\nB Imp (11.6, 11.2)\nB Imp (11.6, 8.8)"
    ).start_melee()
    ask = table.question(a.MeleeTargetsQuestion)
    assert (table.open_questions[0][0], ask.role) == (1, "attacker")
    assert {(table.name(choice.disk), *map(table.name, choice.targets)) for choice in ask.choices} == {
        ("Imp#1", "Ox#1", "Ox#2"),
        ("Imp#2", "Ox#1", "Ox#2"),
    }
    wrong: tuple[tuple[PinPair, ...], ...] = (
        ((2, 0),),
        ((2, 0), (2, 1)),
        ((2, 0), (2, 1), (3, 0)),
        ((2, 0), (3, 0), (0, 2)),
        ((2, 0), (3, 3)),
        ((2, 0), (3, 99)),
    )
    for targets in wrong:
        refusal = table.expect_illegal(a.ChooseTargets(tuple(a.MeleeTarget(*pair) for pair in targets)))
        assert (refusal.code, refusal.rule, refusal.place) == ("not_legal", "R15.3.2", "$.action.targets")
    assert len(table.options().actions) == 4


@pytest.mark.parametrize("printed", ["", ", Frenzy"])
def test_frenzy_strikes_every_enemy_in_full(printed: str) -> None:
    """R14.4"""
    text = f"disk Wolf: large S4 C1 T9{printed}\nB Imp (10, 10)\nB Imp (13, 10)\nA Wolf (11.5, 10)"
    table = scripted_position(BOARD.replace("T20", "T9 St1") + text).start_melee()
    if not printed:
        table = table.answer(table.targets_action(Wolf="Imp#1"))
    assert table.damage("Imp#1", "Imp#2") == ((4, 4) if printed else (4, 0))


def test_an_engagement_outside_the_legal_ones_is_refused() -> None:
    """R15.2"""
    pairs = "A Rock (10, 10)\nB Rock (10.9, 10)\nA Rock (20, 10)\nB Rock (20.9, 10)\nA Egg (21.8, 10)"
    table = scripted_position(ROCKS + pairs).start_melee()
    assert len(table.board.engagements) == 3
    for number in (table.engagement("Rock#4"), 3, -1):
        refusal = table.expect_illegal(a.ChooseEngagement(number))
        assert (refusal.code, refusal.rule, refusal.place) == ("not_legal", "R15.2", "$.action.engagement")


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 2, st.integers(0, 1)), min_size=8, max_size=14))
def test_with_two_players_all_attackers_of_an_engagement_are_of_one_side_and_all_defenders_of_the_other(
    disks: list[tuple[int, int, int]],
) -> None:
    """R15.1.3: so no disk is both in it, and nothing is split; of heaps of disks, each below those before it."""
    pins = geometry.find_pins([(n, 10 * x, 10 * y, 90, -n) for n, (x, y, _) in enumerate(disks)])
    seats = [seat for _, _, seat in disks]
    links = [pin for pin in pins if seats[pin[0]] != seats[pin[1]]]
    engagements_found = engagements.partition(links)
    for engagement in engagements_found:
        assert (
            len({seats[disk] for disk in engagement.attackers})
            == len({seats[disk] for disk in engagement.defenders})
            == 1
        )
        assert not set(engagement.attackers) & set(engagement.defenders)
    assert {
        frozenset((link.attacker, link.defender) for link in engagement.links) for engagement in engagements_found
    } == {connected_links(link, links) for link in links}


def connected_links(link: PinPair, links: Collection[PinPair]) -> frozenset[PinPair]:
    """Return all that are reached from a link by a common attacker or a common defender."""
    reached, before = {link}, set[PinPair]()
    while reached != before:
        before = set(reached)
        reached |= {link for link in links if any(link[0] == top or link[1] == bottom for top, bottom in before)}
    return frozenset(reached)


def test_disk_without_a_living_enemy_or_that_has_struck_does_not_act() -> None:
    """R15.3.1: the swift one kills their only enemy, so the other has nobody; and the swift one strikes once."""
    disks = "disk Quick: small S1 C1 T9, Swift (strength)\ndisk Plain: small S1 C1 T9\n"
    around = "A Quick (9.1, 10)\nA Plain (10.9, 10)\nB Idle (30, 30)\ndisk Idle: small"
    killed = scripted_position(disks + "disk Egg: small S1 C1 T1\nB Egg (10, 10)\n" + around).start_melee()
    assert melee_events(killed) == [("swift", {"Quick>Egg 1"})]
    table = scripted_position(disks + "disk Wall: small S1 C1 T9\nB Wall (10, 10)\n" + around).start_melee()
    table = table.answer(table.targets_action(Wall="Quick"))
    assert table.damage("Wall", "Quick", "Plain") == (2, 1, 0)
    assert melee_events(table) == [("normal", {"Plain>Wall 1", "Wall>Quick 1"})]


def test_disk_that_has_dealt_damage_in_this_engagement_acts_no_more_in_it() -> None:
    """R15.3.1: the step is there, and the one who struck is left out."""
    table = scripted_position("disk Plain: small S1 C1 T9\nB Plain (10, 10)\nA Plain (10.9, 10)")
    for struck, damage in (((), (1, 1)), ((1,), (0, 1)), ((0,), (1, 0)), ((0, 1), (0, 0))):
        engaged = (Engagement((1,), (0,), links_of((1, 0)), struck),)
        board = replace(table.board, phase="melee", engagements=engaged)
        after = ScriptedPosition(board).run_tasks(t.MeleeStepTask(0, "normal"))
        assert after.damage("Plain#1", "Plain#2") == damage
