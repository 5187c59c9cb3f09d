"""The greedy bot plays sensibly: it leaves own disks free, takes the paths that are there and wastes no activation."""

import random
from collections import Counter

from msgspec.structs import replace

from diskwars_bots.rulesets.diskwars import moves, weights
from diskwars_bots.rulesets.diskwars.action_values import effect_value, hit_chances
from diskwars_bots.rulesets.diskwars.evaluation import (
    by_round,
    early_damage_value,
    exposure_cost,
    fight_value,
    value_of_landing,
    value_of_standing,
)
from diskwars_bots.rulesets.diskwars.greedy_bot import later_card_cost
from diskwars_bots.rulesets.diskwars.move_choice import best_move, best_moves, packed_places
from diskwars_bots.rulesets.diskwars.situation import SeenDisk, Situation, damage_worth, possible_objectives
from diskwars_cli.rulesets.diskwars.bot_matches import bot_match_records
from diskwars_cli.rulesets.diskwars.play_figures import PlayCounter
from diskwars_protocol import geometry
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars.stats import Empower, IncreaseMovement, ReduceToughness
from tests.bots.rulesets.diskwars.test_greedy_bot import choose
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position
from tests.rows import each_row

ONE_AGAINST_ONE = """\
A Rider (10, 10)
B Foe (20, 10)
disk Rider: small M4 S5 C3 T4, cost 8
disk Foe: small M4 S5 C3 T4, cost 8
"""
INCH = 25_400


def situation_of(table: ScriptedPosition, seat: int = 0) -> Situation:
    return Situation(table.board, seat)


# ---------------------------------------------------------------- paths


@each_row("gap", [0.6, 1.75, 2.4, 3.5, 5.1, 6.9])
def test_every_path_to_a_place_in_reach_consists_of_flips_and_ends_there(gap: float) -> None:
    """R5.2"""
    table = scripted_position(ONE_AGAINST_ONE)
    rider = situation_of(table).fighters[0]
    x, y, length = rider.x + int(gap * INCH), rider.y + INCH // 3, 2 * rider.radius
    paths = list(moves.paths_to(rider, x, y, 4, length))
    assert paths
    for path in paths:
        assert len(path) <= 4
        assert all(geometry.is_flip(dx, dy, length) for dx, dy in path)
        end = rider.x + sum(dx for dx, _ in path), rider.y + sum(dy for _, dy in path)
        assert max(abs(end[0] - x), abs(end[1] - y)) < 10


def test_no_path_leads_out_of_reach() -> None:
    rider = situation_of(scripted_position(ONE_AGAINST_ONE)).fighters[0]
    assert not list(moves.paths_to(rider, rider.x + 8 * INCH, rider.y, 4, 2 * rider.radius))


def test_path_over_an_enemy_does_not_work_and_one_round_it_does() -> None:
    """R8.5.5: a landing on an enemy ends the move."""
    text = f"{ONE_AGAINST_ONE}B Wall (13.5, 10)\ndisk Wall: small M4 S5 C3 T4, cost 8"
    situation = situation_of(scripted_position(text))
    rider, foe = situation.fighters[0], situation.fighters[1]
    length = 2 * rider.radius
    straight = (geometry.flip_toward(1, 0, length),) * 3
    assert moves.cost_of_path(situation, rider, straight) is None
    round_it = moves.paths_to(rider, foe.x - 4 * INCH, foe.y, 6, length)
    assert any(moves.cost_of_path(situation, rider, path) is not None for path in round_it)


def test_impact_on_an_own_disk_on_the_way_costs() -> None:
    """R-10"""
    text = ONE_AGAINST_ONE.replace("cost 8\ndisk Foe", "cost 8, Impact 3\ndisk Foe")
    free = situation_of(scripted_position(text))
    blocked = situation_of(scripted_position(f"{text}A Friend (11.75, 10)\ndisk Friend: small T4, cost 5"))
    path = (geometry.flip_toward(1, 0, 2 * free.fighters[0].radius),) * 2
    assert moves.cost_of_path(free, free.fighters[0], path) == 0
    assert (moves.cost_of_path(blocked, blocked.fighters[0], path) or 0) > 0


def test_bot_moves_round_an_own_disk_that_impact_would_hit() -> None:
    text = (
        "A Rider (10, 10)\nA Friend (11.75, 10)\nB Foe (15, 10)\ndisk Rider: small M5 S6 C3 T4, Impact 3\n"
        "disk Friend: small M0 T4, cost 5\ndisk Foe: small S3 C2 T4, cost 9\n"
    )
    table = scripted_position(text).with_card_turn(0)
    action = choose(table)
    assert isinstance(action, a.MoveDisk)
    assert table.name(action.disk) == "Rider"
    after = table.answer(action)
    assert "Rider>Foe" in after.pins
    assert after.disk("Friend").damage == 0


# ---------------------------------------------------------------- places


def test_bot_finds_a_way_round_rough_ground_that_lies_before_all_the_best_places() -> None:
    """R10.9: the dozen best places may all lie behind it."""
    ground = "terrain Mere at (8, 5) (10.2, 5) (10.2, 19) (8, 19); Rough"
    text = f"A Ox (6.5, 12)\nB Foe (20, 12)\n{ground}\ndisk Ox: small M4 S5 C3 T4\ndisk Foe: small S3 C2 T4"
    table = scripted_position(text).with_card_turn(0)
    situation, (option, *_) = situation_of(table), table.options().parametric
    move = best_move(situation, option)
    assert move is not None
    assert move[0] > 0


# ---------------------------------------------------------------- objectives


def test_own_disk_is_worth_what_the_objectives_pay_that_the_enemy_may_have() -> None:
    """R3.3.2: neither the active card nor the own one can be the enemy's."""

    def worth_of_hero(active: str, own: str) -> int:
        cards = [
            s.Scenario("hunt", "Hunt", IncreaseMovement(1), (s.SlayHeroes(6),)),
            s.Scenario("march", "March", IncreaseMovement(1), (s.HoldZones(1),)),
            s.Scenario("stand", "Stand", IncreaseMovement(1), (s.HoldMiddle(1),)),
        ]
        board = scripted_position(ONE_AGAINST_ONE.replace("Rider: small", "Rider: hero, small")).board
        sides = (replace(board.sides[0], objective=own), board.sides[1])
        layout = replace(board.layout, scenarios=tuple(cards), active_scenario=active)
        return Situation(replace(board, sides=sides, layout=layout), 0).fighters[0].worth

    least = worth_of_hero("hunt", "march")
    assert worth_of_hero("march", "hunt") == least
    assert worth_of_hero("march", "stand") == least + 600


def test_enemy_whose_objective_may_pay_for_survivors_is_worth_more() -> None:
    """R17.3"""

    def worth_of_foe(points: int) -> int:
        cards = (
            s.Scenario("own", "Own", IncreaseMovement(1), (s.HoldMiddle(1),)),
            s.Scenario("other", "Other", IncreaseMovement(1), (s.Survive(points),)),
        )
        board = scripted_position(ONE_AGAINST_ONE).board
        sides = (replace(board.sides[0], objective="own"), board.sides[1])
        layout = replace(board.layout, scenarios=cards)
        return Situation(replace(board, sides=sides, layout=layout), 0).fighters[1].worth

    assert worth_of_foe(2) == worth_of_foe(0) + 200


def test_special_scenario_is_everybodys_objective() -> None:
    """R-74"""
    board = scripted_position(ONE_AGAINST_ONE).board
    cards = (
        s.Scenario("siege", "Siege", IncreaseMovement(1), (s.SlayUnits(2),)),
        s.Scenario("other", "Other", IncreaseMovement(1), (s.Survive(5),)),
    )
    layout = replace(board.layout, scenarios=cards, active_scenario="siege")
    sides = tuple(replace(side, objective="siege") for side in board.sides)
    assert possible_objectives(replace(board, sides=sides, layout=layout), 0) == [(s.SlayUnits(2),)]


# ---------------------------------------------------------------- packing


def test_disks_packed_along_the_sides_of_a_zone_leave_room_for_the_next() -> None:
    radius, bounds = 22_225, (0, 0, 88_900, 152_400)
    laid: list[tuple[int, int, int]] = []
    for _ in range(6):  # a zone takes two small disks beside each other, and three behind each other
        free = [
            (x, y, radius)
            for x, y in packed_places(bounds, radius, laid)
            if not any(geometry.disks_overlap(x, y, radius, *other) for other in laid)
        ]
        laid.append(free[0])
    assert len(set(laid)) == 6


def test_hero_is_dearer_to_cover_than_any_other_disk() -> None:
    def cost(profile: str) -> int:
        text = f"{ONE_AGAINST_ONE}A Lord (13, 10)\ndisk Lord: {profile}small M3 T5"
        situation = situation_of(scripted_position(text))
        rider, lord = situation.fighters[0], situation.fighters[2]
        beside = value_of_landing(situation, rider, lord.x, lord.y - 2 * lord.radius)
        return beside - value_of_landing(situation, rider, lord.x, lord.y)

    assert cost("hero, ") > cost("") > 0


def test_standing_in_reach_of_an_enemy_that_has_not_acted_costs_more_than_of_one_that_has() -> None:
    table = scripted_position(f"round 2 of 5\n{ONE_AGAINST_ONE}")
    ready, done = situation_of(table), situation_of(table.with_disk("Foe", activated=True))
    rider, near, far = ready.fighters[0], (15 * INCH, 10 * INCH), (2 * INCH, 10 * INCH)
    assert exposure_cost(ready, rider, *near, []) > exposure_cost(done, rider, *near, []) > 0
    assert exposure_cost(ready, rider, *far, []) == 0


def test_standing_in_reach_of_an_enemy_costs_less_beside_disks_that_strike_back() -> None:
    """Armies that only fear each other would wait outside each other's reach."""

    def cost(x: int, has_friend_acted: bool = False, counter: int = 3) -> int:
        text = ONE_AGAINST_ONE.replace("Rider: small M4 S5 C3", f"Rider: small M4 S5 C{counter}")
        friend = f"A Friend ({x}, 14)\ndisk Friend: small M4 S5 C3 T4, cost 8"
        table = scripted_position(f"round 2 of 5\n{text}{friend}").with_disk("Friend", activated=has_friend_acted)
        situation = situation_of(table)
        return exposure_cost(situation, situation.fighters[0], 15 * INCH, 10 * INCH, [])

    alone = cost(1)
    assert cost(18) < alone
    assert cost(18, has_friend_acted=True) == alone
    assert cost(1, counter=4) < alone


def test_waiting_out_of_reach_is_worth_less_the_fewer_rounds_are_left() -> None:
    """R4.5: armies that keep out of each other's reach until the end score nothing."""

    def gain_of_closing_in(number: int) -> int:
        situation = situation_of(scripted_position(f"round {number} of 5\n{ONE_AGAINST_ONE}"))
        rider = situation.fighters[0]
        return value_of_landing(situation, rider, 15 * INCH, 10 * INCH) - value_of_standing(situation, rider)

    assert gain_of_closing_in(2) < gain_of_closing_in(3) < gain_of_closing_in(4)
    assert by_round(situation_of(scripted_position("round 7 of 9\n" + ONE_AGAINST_ONE)), weights.ADVANCE) == 10


def test_several_moves_of_a_disk_end_apart_and_the_best_comes_first() -> None:
    table = scripted_position(ONE_AGAINST_ONE).with_card_turn(0)
    situation, (option, *_) = situation_of(table), table.options().parametric
    several = best_moves(situation, option, 3)
    assert several[0] == best_move(situation, option)
    assert [value for value, _ in several] == sorted((value for value, _ in several), reverse=True)
    ends = [(sum(dx for dx, _ in move.path), sum(dy for _, dy in move.path)) for _, move in several]
    assert len(ends) == 3
    for number, end in enumerate(ends):
        for other in ends[:number]:
            assert (end[0] - other[0]) ** 2 + (end[1] - other[1]) ** 2 >= situation.fighters[0].radius ** 2


def test_fighter_of_an_unchanged_disk_is_seen_again_but_not_of_a_changed_one() -> None:
    table, seen = scripted_position(ONE_AGAINST_ONE), dict[int, SeenDisk]()
    first = Situation(table.board, 0, seen=seen)
    hurt = Situation(table.with_disk("Foe", damage=2).board, 0, seen=seen)
    assert hurt.fighters[0] is first.fighters[0]
    assert hurt.fighters[1].left == first.fighters[1].left - 2


def test_held_place_counts_most_in_the_last_round() -> None:
    """R17.3, R4.12: an unknown objective pays for disks in enemy zones, at the end only."""
    gains = []
    for number in (1, 5):
        table = scripted_position(f"round {number} of 5\n{ONE_AGAINST_ONE}zone B (14, 0) to (18, 6) for 3")
        situation = situation_of(table)
        rider = situation.fighters[0]
        gains.append(value_of_landing(situation, rider, 16 * INCH, 3 * INCH) - value_of_standing(situation, rider))
    assert gains[1] > gains[0]


# ---------------------------------------------------------------- damage


def test_damage_that_wounds_is_worth_a_life_and_less_damage_a_share() -> None:
    foe = situation_of(scripted_position(ONE_AGAINST_ONE)).fighters[1]
    assert damage_worth(foe, 0) == 0
    assert 0 < damage_worth(foe, foe.left - 1) < damage_worth(foe, foe.left) == damage_worth(foe, 99) == foe.worth


def test_blow_of_a_disk_that_falls_before_it_strikes_is_worth_nothing() -> None:
    """R15.3.4: a swift counter strength that kills comes before the blow."""

    def value_of_fight(counter: int) -> int:
        text = ONE_AGAINST_ONE.replace("Foe: small M4 S5 C3 T4", f"Foe: small M4 S5 C{counter} T4, Swift (counter)")
        situation = situation_of(scripted_position(text).with_disk("Foe", activated=True))
        return fight_value(situation, situation.fighters[0], [situation.fighters[1]])

    situation = situation_of(scripted_position(ONE_AGAINST_ONE))
    rider, foe = situation.fighters[0], situation.fighters[1]
    assert value_of_fight(3) > 0
    assert value_of_fight(4) == -damage_worth(rider, foe.strength)


def test_shot_at_an_enemy_that_falls_anyway_is_worth_what_it_does_not_strike_back() -> None:
    text = ONE_AGAINST_ONE.replace("A Rider (10, 10)", "A Rider (20.5, 10)")
    situation = situation_of(scripted_position(f"{text}\npins: Rider>Foe"))
    rider, foe = situation.fighters[0], situation.fighters[1]
    assert (
        early_damage_value(situation, foe, foe.left) == damage_worth(rider, foe.counter) < damage_worth(foe, foe.left)
    )


@each_row(
    ("x", "has_foe_acted", "can_meet"), [(14, False, True), (14, True, True), (30, False, False), (19, True, False)]
)
def test_empowering_helps_only_a_disk_that_may_fight_in_this_round(x: int, has_foe_acted: bool, can_meet: bool) -> None:
    """R4.2: the token is gone at the end of the round. The foe moves farther than the rider."""
    text = ONE_AGAINST_ONE.replace("B Foe (20, 10)", f"B Foe ({x}, 10)")
    text = text.replace("Foe: small M4 S5 C3 T4", "Foe: small M6 S5 C3 T6")
    situation = situation_of(scripted_position(text).with_disk("Foe", activated=has_foe_acted))
    assert (effect_value(situation, 0, Empower("long"), 0) > 0) == can_meet
    assert (effect_value(situation, 0, ReduceToughness(1, "long"), 1) > 0) == can_meet


def test_less_toughness_counts_where_a_blow_wounds_only_then() -> None:
    """R7.9: Nurgle's Rot is not wasted on a disk to which a point of toughness makes no difference."""

    def value(toughness: int) -> int:
        text = ONE_AGAINST_ONE.replace("B Foe (20, 10)", "B Foe (14, 10)").replace(
            "Foe: small M4 S5 C3 T4", "Foe: small M1 S5 C3 T9"
        )
        text = text.replace("C3 T9", f"C3 T{toughness}")
        return effect_value(situation_of(scripted_position(text)), 0, ReduceToughness(1, "long"), 1)

    assert value(5) < 0
    assert value(6) > 0
    assert value(7) < 0


# ---------------------------------------------------------------- cards


@each_row(
    ("card", "hand", "is_ready", "waits"),
    [
        ("double-time", ("press-on",), True, True),
        ("press-on", ("double-time",), True, False),
        ("double-time", (), True, False),
        ("double-time", ("press-on",), False, False),
    ],
)
def test_longer_moves_are_not_spent_on_reinforcements_that_another_card_can_bring(
    card: str, hand: tuple[str, ...], is_ready: bool, waits: bool
) -> None:
    table = scripted_position(ONE_AGAINST_ONE).with_disk("Rider", activated=not is_ready)
    situation = situation_of(table.with_hand(0, *hand).with_card_turn(0, card))
    assert later_card_cost(situation) == (weights.LATER_CARD if waits else 0)


def test_chances_of_hits_add_up() -> None:
    assert hit_chances(1, 2) == (666, 333)
    assert 995 <= sum(hit_chances(4, 2)) <= 1000


# ---------------------------------------------------------------- whole matches


PATROL_PAIRS = (("chaos-patrol", "empire-patrol"), ("greenskin-patrol", "high-elf-patrol"))


def test_matches_of_greedy_bots_waste_and_cover_little() -> None:
    """The bounds are those of the reports on hundreds of matches; these eight are the same on every machine."""
    counts: Counter[str] = Counter()
    for pair in PATROL_PAIRS:
        for seed in range(1, 5):
            counter = PlayCounter()
            armies = [a.Loadout(army) for army in pair]
            for body in bot_match_records(
                seed, ["greedy", "greedy"], armies, a.DiskwarsSettings(setup="full", regiments=1)
            ):
                for event in body.events:
                    counter.add_event(event)
            assert body.result is not None
            counts.update(counter.finished_counts(body.result))
    assert 100 * counts["reinforcements_on_own"] <= 10 * counts["reinforcements"]
    assert 100 * counts["heroes_covered"] <= 8 * counts["heroes_at_melee"]
    assert 100 * counts["activations"] >= 70 * counts["printed_activations"]
    assert 100 * counts["unflipped_disks"] <= 8 * counts["fielded_disks"]
    assert 100 * counts["impact_hits_on_own"] <= 10 * counts["impact_hits"]
    assert counts["impact_hits"] >= 10
    assert counts["late_matches"] == 0
    assert counts["engagements"] >= 4 * counts["matches"]


def test_greedy_bot_wins_most_matches_against_the_random_one() -> None:
    armies = [a.Loadout("greenskin-patrol"), a.Loadout("high-elf-patrol")]
    won = 0
    for seed in range(1, 4):
        for greedy_seat in (0, 1):
            bots = ["random", "random"]
            bots[greedy_seat] = "greedy"
            *_, last = bot_match_records(seed, bots, armies)
            assert last.result is not None
            won += last.result.winners == (greedy_seat,)
    assert won >= 5


def test_weights_are_whole_numbers_so_that_every_machine_chooses_alike() -> None:
    named = {name: value for name, value in vars(weights).items() if name.isupper()}
    assert named
    for value in named.values():
        assert all(isinstance(number, int) for number in _flat(value))
    assert random.Random(1).randrange(10) == 2


def _flat(value: object) -> list[object]:
    return [part for item in value for part in _flat(item)] if isinstance(value, tuple) else [value]
