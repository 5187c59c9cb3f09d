"""The core pack contains what the sources state and stays within what they imply.

The facts are repeated here on purpose: an error in the pack is only missed if this table has the same error.
"""

import tomllib
from collections import Counter
from statistics import median
from typing import get_args

from diskwars_content.rulesets.diskwars import CORE_FOLDER, check_pack, core_pack
from diskwars_engine.rulesets.diskwars.catalogue import Army
from diskwars_engine.rulesets.diskwars.setup.army_rules import MAX_COPIES, army_faults
from diskwars_engine.rulesets.diskwars.zones import quick_zones
from diskwars_protocol.identifiers import make_id
from diskwars_protocol.rulesets.diskwars.effective_stats import selectors_of
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS as KEYWORDS_KNOWN
from diskwars_protocol.rulesets.diskwars.setup_cards import Objective
from diskwars_protocol.rulesets.diskwars.stats import (
    Amount,
    DealDamage,
    DealDamageNear,
    FightEngagement,
    IncreaseRange,
    Keyword,
    Profile,
    Rampage,
    ReduceToughness,
    ReinforceNear,
    RemoveActivationToken,
    RemoveEmpowerment,
    RollWound,
)
from tests.rows import each_row

# name, size, cost, elite, copies
UNITS = {
    "empire": """
        Steam Tank | large | 13 | elite | 1
        Hellblaster Volley Gun | large | 10 | elite | 1
        Hochland Pistoliers | medium | 9 | | 1
        Knights Panther | medium | 10 | | 1
        Bright Wizard | small | 7 | | 1
        Huntsmen | small | 8 | | 1
        Marienburg Swordsmen | small | 5 | | 3
        Reikland Crossbowmen | small | 7 | | 2
        Talabheim Greatswords | small | 8 | | 1
    """,
    "high-elves": """
        Bolt Thrower | large | 10 | elite | 1
        Sun Dragon | large | 15 | elite | 1
        Ellyrian Reavers | medium | 9 | | 1
        Sky Cutter | medium | 11 | elite | 1
        High Mage | small | 7 | | 1
        Maiden Guard | small | 9 | | 1
        Militia Archers | small | 6 | | 2
        Militia Spearmen | small | 6 | | 2
        Swordmasters of Hoeth | small | 9 | | 2
    """,
    "chaos": """
        Bloodthirster | large | 15 | elite | 1
        Hellcannon | large | 12 | elite | 1
        Bloodcrushers | medium | 10 | | 1
        Hellstriders | medium | 8 | | 1
        Flamers | small | 8 | | 3
        Kurgan Marauders | small | 5 | | 3
        Plaguebearers | small | 8 | | 1
        Sorcerer of Tzeentch | small | 7 | | 1
    """,
    "orcs-and-goblins": """
        Rock Lobber | large | 9 | elite | 1
        Boar Boyz | medium | 11 | | 1
        River Troll | medium | 12 | elite | 1
        Wolf Riders | medium | 8 | | 2
        Arrer Boyz | small | 6 | | 2
        Big Boss | small | 8 | | 1
        Black Orcs | small | 8 | | 1
        Night Goblins | small | 4 | | 3
        Orc Boyz | small | 6 | | 3
        Stone Fangz Shaman | small | 7 | | 1
    """,
}

HEROES = {
    "empire": {"karl-franz", "luthor-huss"},
    "high-elves": {"teclis", "tyrion"},
    "chaos": {"archaon", "kairos-fateweaver", "valkia-the-bloody"},
    "orcs-and-goblins": {"grimgor-ironhide", "azhag-the-slaughterer", "grom-the-paunch"},
}

FACTIONS = {"empire": "order", "high-elves": "order", "chaos": "destruction", "orcs-and-goblins": "destruction"}

# Figures of single disks from worked examples and battle reports: figure, minimum, maximum.
EXPECTED_STATS = """
    Karl Franz            toughness 5 5
    Karl Franz            points 33 33
    Karl Franz            stamina 1 99
    Kairos Fateweaver     points 33 33
    Teclis                counter_strength 3 3
    Teclis                stamina 1 1
    Teclis                toughness 1 5
    Grimgor Ironhide      strength 6 6
    Grimgor Ironhide      counter_strength 4 4
    Steam Tank            stamina 1 99
    Marienburg Swordsmen  strength 4 4
    Marienburg Swordsmen  counter_strength 3 3
    Marienburg Swordsmen  toughness 4 4
    Marienburg Swordsmen  stamina 0 0
    High Mage             stamina 0 0
    High Mage             toughness 1 3
    High Mage             counter_strength 3 99
    Swordmasters of Hoeth toughness 1 6
    Swordmasters of Hoeth stamina 0 0
    Bloodthirster         counter_strength 5 5
    Bloodthirster         stamina 1 1
    Bloodthirster         toughness 1 6
    Plaguebearers         counter_strength 5 5
    Plaguebearers         toughness 3 6
    Plaguebearers         stamina 0 0
    River Troll           strength 5 5
    River Troll           stamina 1 1
    River Troll           toughness 4 6
    Wolf Riders           strength 3 3
    Wolf Riders           counter_strength 3 3
    Wolf Riders           stamina 0 0
    Wolf Riders           toughness 1 3
    Black Orcs            strength 6 6
    Stone Fangz Shaman    strength 2 2
    Stone Fangz Shaman    toughness 3 5
    Stone Fangz Shaman    stamina 0 0
"""

KEYWORDS = {
    "teclis": Keyword("immune", kind="arcane"),
    "archaon": Keyword("impact", Amount(2)),
    "grimgor-ironhide": Keyword("swift", kind="strength"),
    "militia-spearmen": Keyword("swift", kind="counter"),
    "swordmasters-of-hoeth": Keyword("swift", kind="strength"),
    "bloodcrushers": Keyword("impact", Amount(d6=1)),
    "plaguebearers": Keyword("slow", kind="both"),
    "azhag-the-slaughterer": Keyword("frenzy"),
}


NAMED_CARDS = ("blood-for-the-blood-god", "fists-of-mork", "nurgles-rot", "winds-of-morai-heg")


def rows(table: str) -> list[str]:
    return [line.strip() for line in table.strip().splitlines()]


def disk(name: str) -> Profile:
    return core_pack().disks[name]


def test_core_pack_has_no_faults() -> None:
    assert check_pack(CORE_FOLDER) == []


@each_row("race", UNITS)
def test_every_unit_has_the_size_cost_medal_and_copies_of_the_box(race: str) -> None:
    found = {
        f"{unit.name} | {unit.size} | {unit.cost} | {'elite' if unit.elite else ''} | {core_pack().copies[unit.id]}"
        for unit in core_pack().disks.values()
        if unit.race == race and unit.kind == "unit"
    }
    assert {line.replace("|  |", "| |") for line in found} == set(rows(UNITS[race]))


@each_row("race", HEROES)
def test_every_race_has_its_unique_heroes(race: str) -> None:
    heroes = [hero for hero in core_pack().disks.values() if hero.race == race and hero.kind == "hero"]
    assert {hero.id for hero in heroes} == HEROES[race]
    assert all(hero.unique and not hero.elite and core_pack().copies[hero.id] == 1 for hero in heroes)
    assert all(30 <= hero.points <= 35 and 2 <= hero.command <= 3 for hero in heroes)


def test_box_holds_46_different_disks_and_62_copies_in_two_factions() -> None:
    assert len(core_pack().disks) == 46
    assert sum(core_pack().copies.values()) == 62
    assert {profile.race: profile.faction for profile in core_pack().disks.values()} == FACTIONS


@each_row("row", rows(EXPECTED_STATS))
def test_figure_is_within_what_a_source_states_or_implies(row: str) -> None:
    *name, figure, least, most = row.split()
    value: int = getattr(disk(make_id(" ".join(name))), figure)
    assert int(least) <= value <= int(most)


@each_row("name", KEYWORDS)
def test_keyword_that_a_source_states_is_printed(name: str) -> None:
    assert KEYWORDS[name] in disk(name).keywords


def test_black_orcs_have_no_frenzy() -> None:
    assert Keyword("frenzy") not in disk("black-orcs").keywords


def test_core_set_uses_every_keyword_except_those_of_the_expansions() -> None:
    printed = {word.id for each in core_pack().disks.values() for word in each.keywords}
    assert set(KEYWORDS_KNOWN) - printed == {"guard", "stalwart", "poison", "emplace"}
    assert disk("wolf-riders").traits == ("cavalry", "missile")
    assert disk("wolf-riders").keywords == (Keyword("mobile"), Keyword("scout"))


def test_steam_tank_has_mobile_impact_3_and_three_attacks_one_of_strength_3() -> None:
    tank = disk("steam-tank")
    assert tank.keywords == (Keyword("mobile"), Keyword("impact", Amount(3)))
    assert len({(shot.beyond, shot.reach) for shot in tank.shots}) == 3
    assert [shot.strength for shot in tank.shots].count(Amount(3)) == 1


def test_ranged_attacks_match_the_sources() -> None:
    assert [shot.reach for shot in disk("militia-archers").shots] == ["long"]
    assert [shot.reach for shot in disk("wolf-riders").shots] == ["medium"]
    assert [shot.damage_type for shot in disk("flamers").shots] == ["arcane"]
    assert disk("hellcannon").shots


def test_abilities_match_the_sources() -> None:
    assert [(a.timing, a.effect) for a in disk("archaon").abilities] == [
        ("engage", DealDamageNear(Amount(1), "untyped", "short")),
    ]
    assert [(a.timing, a.effect) for a in disk("tyrion").abilities] == [("engage", RollWound(5))]
    assert [(a.timing, a.effect) for a in disk("big-boss").abilities] == [
        ("focus", RemoveActivationToken("boyz", "medium"))
    ]
    assert [(a.timing, a.effect) for a in disk("hellcannon").abilities] == [("passive", Rampage())]
    assert [(a.timing, a.effect) for a in disk("plaguebearers").abilities] == [("passive", RemoveEmpowerment("short"))]
    assert [type(a.effect) for a in disk("kairos-fateweaver").abilities] == [ReinforceNear]


@each_row("name", sorted(set().union(*HEROES.values())))
def test_every_hero_has_abilities_that_no_other_disk_has(name: str) -> None:
    own = [ability.effect for ability in disk(name).abilities]
    assert own
    assert all(own != [a.effect for a in each.abilities] for each in core_pack().disks.values() if each.id != name)


def test_disks_with_magic_are_casters() -> None:
    casters = {each.id for each in core_pack().disks.values() if "caster" in each.traits}
    assert casters == {each.id for each in core_pack().disks.values() for word in each.keywords if word.id == "magic"}
    assert {"teclis", "high-mage", "bright-wizard", "sorcerer-of-tzeentch", "stone-fangz-shaman"} < casters


def test_more_expensive_disks_are_stronger() -> None:
    bands = [range(4, 6), range(6, 8), range(8, 10), range(10, 13), range(13, 16)]
    units = [unit for unit in core_pack().disks.values() if unit.kind == "unit"]
    worths = [[estimated_cost(unit) for unit in units if unit.cost in band] for band in bands]
    means = [sum(worth) / len(worth) for worth in worths]
    assert means == sorted(means)


def estimated_cost(unit: Profile) -> float:
    """Estimate a disk's value from its blows, resilience, best ranged attack and keywords."""
    shots = [shot.dice * (shot.strength.flat + 3.5 * shot.strength.d6) / 3 for shot in unit.shots]
    words = sum(1 + word.amount.flat + 3.5 * word.amount.d6 if word.amount else 1 for word in unit.keywords)
    return (
        unit.strength + unit.counter_strength + unit.toughness * (unit.stamina + 1) + 2 * max(shots, default=0) + words
    )


# ---------------------------------------------------------------- cards and table


def test_fists_of_mork_matches_the_card_that_a_player_quotes() -> None:
    card = core_pack().cards["fists-of-mork"]
    (ability,) = card.abilities
    assert (card.activations, card.faction, ability.timing, ability.user) == (3, "destruction", "battle", "caster")
    assert ability.effect == DealDamage(Amount(-2, 1), "arcane", "medium", "short")


def test_the_four_cards_that_sources_name_have_their_effects() -> None:
    effects = {name: [a.effect for a in core_pack().cards[name].abilities] for name in NAMED_CARDS}
    assert effects == {
        "blood-for-the-blood-god": [FightEngagement()],
        "fists-of-mork": [DealDamage(Amount(-2, 1), "arcane", "medium", "short")],
        "nurgles-rot": [ReduceToughness(1, "medium")],
        "winds-of-morai-heg": [IncreaseRange(1)],
    }
    assert [a.user for a in core_pack().cards["blood-for-the-blood-god"].abilities] == ["chaos"]


def test_every_strategy_has_neutral_cards_and_cards_of_each_faction() -> None:
    cards = core_pack().cards.values()
    assert len(cards) >= 24
    for faction in (None, "order", "destruction"):
        strategies = {card.strategy for card in cards if card.faction == faction}
        assert strategies == {"bold", "steady", "devious", "slow"}, faction
    assert all(2 <= card.activations <= 5 and len(card.abilities) <= 1 for card in cards)
    least = min(card.activations for card in cards if card.strategy == "slow")
    assert all(card.activations <= least for card in cards if card.strategy != "slow")


def test_every_race_has_cards_that_only_its_own_faction_can_use() -> None:
    for race, faction in FACTIONS.items():
        pairs = [(card, ability) for card in core_pack().cards.values() for ability in card.abilities]
        own = [card for card, ability in pairs if race in (ability.user, getattr(ability.effect, "selector", None))]
        assert own, race
        assert {card.faction for card in own} == {faction}


def test_field_sizes_and_ruler_match_the_rulings() -> None:
    """R3.1, R5.1, R12.9, R-01, R-02, R-03"""
    catalogue = core_pack()
    inch = 25400
    assert (catalogue.field.width, catalogue.field.height) == (36 * inch, 36 * inch)
    assert (catalogue.field.short, catalogue.field.medium, catalogue.field.long) == (3 * inch, 6 * inch, 12 * inch)
    assert catalogue.sizes == {"small": 175 * inch // 100, "medium": 225 * inch // 100, "large": 3 * inch}
    assert all(2 * each.radius == catalogue.sizes[each.size] for each in catalogue.disks.values())
    assert sorted(catalogue.battle_die) == ["chaos", "critical", "hit", "miss", "miss", "scatter"]


# ---------------------------------------------------------------- starter armies


PATROLS = [army for army in core_pack().armies.values() if len(army.regiments) == 1]
HOSTS = [army for army in core_pack().armies.values() if len(army.regiments) == 2]


def races(armies: list[Army]) -> dict[str | None, int]:
    """Count the armies that begin with a hero of each race."""
    return Counter(disk(army.disks[0]).race for army in armies)


def test_every_race_has_one_patrol_and_two_hosts_legal_and_within_one_box() -> None:
    assert races(PATROLS) == dict.fromkeys(FACTIONS, 1)
    assert races(HOSTS) == dict.fromkeys(FACTIONS, 2)
    assert len(PATROLS) + len(HOSTS) == len(core_pack().armies)
    for army in core_pack().armies.values():
        assert army_faults(army, core_pack().disks, core_pack().cards) == ()
        assert all(army.disks.count(name) <= core_pack().copies[name] for name in army.disks)


@each_row("army", core_pack().armies.values(), ids=lambda army: army.name)
def test_starter_army_has_melee_ranged_and_magic_disks_and_a_reserve(army: Army) -> None:
    disks = [disk(name) for name in army.disks]
    zone = quick_zones(core_pack().field, 2, len(army.regiments))[0].value
    assert zone < len(disks) <= zone + 3
    assert any(each.shots for each in disks)
    assert any(word.id == "magic" for each in disks for word in each.keywords)
    # the Spearmen of the High Elf Patrol have the strength of the FAQ's scrum, 3, and toughness 6
    assert any(not each.shots and each.kind == "unit" and each.strength + each.toughness >= 8 for each in disks)


@each_row("army", core_pack().armies.values(), ids=lambda army: army.name)
def test_starter_army_can_use_all_its_cards_and_activate_all_its_disks(army: Army) -> None:
    disks, hand = [disk(name) for name in army.disks], [core_pack().cards[name] for name in army.hand]
    words = {word for each in disks for word in selectors_of(each)}
    for card in hand:
        assert all(
            ability.user in (None, *words) and getattr(ability.effect, "selector", None) in (None, *words)
            for ability in card.abilities
        )
    assert len({card.strategy for card in hand}) >= min(3, len(hand) - 1)
    assert sum(card.activations for card in hand) >= len(disks)


def test_box_holds_no_more_copies_than_a_regiment_may_have() -> None:
    assert all(core_pack().copies[each.id] <= MAX_COPIES[each.size] for each in core_pack().disks.values())


# ---------------------------------------------------------------- the house set (R20.1)


def test_each_strategy_has_command_cards_for_all_for_order_and_for_destruction() -> None:
    pairs = {(card.strategy, card.faction) for card in core_pack().cards.values()}
    assert len(core_pack().cards) >= 24
    assert pairs == {
        (strategy, faction)
        for strategy in ("bold", "steady", "devious", "slow")
        for faction in (None, "order", "destruction")
    }


@each_row("race", ["empire", "high-elves", "chaos", "orcs-and-goblins"])
def test_each_race_has_command_cards_of_its_own(race: str) -> None:
    """A card belongs to a race if its user or target is selected by the race or by a trait that only the race has."""
    words = {
        word: {each.race for each in core_pack().disks.values() if word in selectors_of(each)} for word in all_words()
    }
    own = [
        card.id
        for card in core_pack().cards.values()
        for ability in card.abilities
        if {race} in (words.get(ability.user or ""), words.get(getattr(ability.effect, "selector", None) or ""))
    ]
    assert own


def all_words() -> set[str]:
    return {word for each in core_pack().disks.values() for word in selectors_of(each)}


def test_five_terrain_pieces_have_ten_faces_with_different_outlines() -> None:
    """R10.1"""
    faces = [face for card in core_pack().terrain.values() for face in card.faces]
    outlines = {face.corners for face in faces}
    assert (len(core_pack().terrain), len({face.name for face in faces}), len(outlines)) == (5, 10, 10)
    assert all(len(face.corners) >= 3 and face.keywords for face in faces)


# ---------------------------------------------------------------- scenarios and deployment cards


def test_scenarios_and_deployment_cards_suffice_for_every_full_setup() -> None:
    """R20.1: four players with three regiments each need twelve deployment cards."""
    assert len(core_pack().scenarios) >= 8
    assert len(core_pack().deployments) >= 12


def test_deployment_cards_described_by_sources_exist() -> None:
    """R3.4, R-23"""
    cards = core_pack().deployments
    assert {card.width for card in cards.values()} == {88900}  # 3.5 inches
    own = {name: card.faces[1] for name, card in cards.items()}
    assert (own["rendezvous"].value, own["rendezvous"].abilities) == (1, ("rendezvous",))
    assert (own["scout"].value, own["scout"].abilities) == (2, ("scouting",))
    assert own["ambush"].abilities == ("ambush",)
    assert any(face.value == 5 for face in own.values())
    assert {card.faces[0].value for card in cards.values()} == {3}
    assert {card.faces[0].abilities for card in cards.values()} == {()}


def test_own_sides_of_deployment_cards_all_differ() -> None:
    own = [card.faces[1] for card in core_pack().deployments.values()]
    assert len({(face.value, frozenset(face.abilities)) for face in own}) == len(own)


def test_three_deployment_cards_fit_within_long_range_of_a_corner() -> None:
    """R-02, R18.2.1"""
    widths = {card.width for card in core_pack().deployments.values()}
    assert 3 * max(widths) <= core_pack().field.long


def test_every_objective_part_is_on_some_card() -> None:
    """R17.3"""
    parts = {type(part) for card in core_pack().scenarios.values() for part in card.objective}
    assert parts == set(get_args(Objective))


# ---------------------------------------------------------------- house figures and texts


def test_every_figure_has_a_basis_and_house_figures_are_near_the_usual_ones() -> None:
    """R20.3: the median house figure is within 1 of what players call usual.

    Usual are strength 5, counter 4, toughness 5 and stamina 1 for heroes, 4, 3, 4 and 0 for units, and movement 5, 4, 3
    by size.
    """
    ours: dict[tuple[str, str], list[int]] = {}
    for file in CORE_FOLDER.glob("*.toml"):
        for spec in tomllib.loads(file.read_text("utf-8")).get("disk", []):
            basis = spec["basis"]
            for name in USUAL_STATS["hero"]:
                figure_basis = basis if isinstance(basis, str) else basis.get(name, "")
                assert (figure_basis in ("stated", "implied", "house")) == (name in spec), f"{spec['name']}: {name}"
                if figure_basis == "house":
                    ours.setdefault((spec["kind"], name), []).append(spec[name])
            if (basis if isinstance(basis, str) else basis["movement"]) == "house":
                ours.setdefault((spec["size"], "movement"), []).append(spec["movement"])
    for (kind, name), figures in ours.items():
        assert abs(median(figures) - USUAL_STATS[kind][name]) <= 1, f"{name} of {kind}"


USUAL_STATS = {
    "hero": {"strength": 5, "counter_strength": 4, "toughness": 5, "stamina": 1},
    "unit": {"strength": 4, "counter_strength": 3, "toughness": 4, "stamina": 0},
    **{size: {"movement": flips} for size, flips in (("small", 5), ("medium", 4), ("large", 3))},
}


def test_texts_that_no_source_has_are_marked_as_house() -> None:
    """R-31, R20.1: every scenario, and every card except those that sources describe."""
    cards = tomllib.loads((CORE_FOLDER / "commands.toml").read_text("utf-8"))["card"]
    described = {"fists-of-mork", "nurgles-rot", "winds-of-morai-heg", "blood-for-the-blood-god"}
    stated = {card["id"] for card in cards if "stated" in str(card["basis"]) or "implied" in str(card["basis"])}
    assert stated <= described <= {card["id"] for card in cards}
    scenarios = tomllib.loads((CORE_FOLDER / "scenarios.toml").read_text("utf-8"))["scenario"]
    assert {scenario["basis"] for scenario in scenarios} == {"house"}
