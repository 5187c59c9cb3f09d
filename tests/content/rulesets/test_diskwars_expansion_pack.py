"""The expansion pack contains what the sources state, and can be combined with the core set.

The facts are repeated here on purpose, as in test_core_pack.py.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_content.packs import PackError
from diskwars_content.rulesets.diskwars import EXPANSION_FOLDER, check_pack, combine_packs, core_pack, expansion_pack
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_engine.rulesets.diskwars.setup.army_rules import MAX_COPIES
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageAround, Keyword, ReinforceNear
from diskwars_text.rulesets.diskwars.parser import parse_position
from diskwars_text.rulesets.diskwars.stat_lines import format_card, format_disk
from tests.rows import each_row

# name, size, cost, elite, copies
UNITS = {
    "empire": "Warrior Priests | medium | 9 | | 2\nTalabecland Halberdiers | small | 5 | | 3",
    "high-elves": "Silver Helms | medium | 12 | | 2\nLothern Sea Guard | small | 5 | | 3",
    "chaos": "Screamers | medium | 7 | | 2\nDaemonettes | small | 6 | | 3",
    "orcs-and-goblins": "Doom Diver Catapult | medium | 5 | | 2\nGoblin Doom Diver | small | 4 | | 3",
    "dwarfs": """
        Flame Cannon | large | 9 | | 1
        Runic Cannon | large | 12 | elite | 1
        Ancestor Statue | medium | 7 | | 2
        Gyrocopter | medium | 12 | elite | 2
        Karak Azul Warriors | small | 6 | | 3
        Karak Hirn Miners | small | 7 | | 3
        Karaz-a-Karak Hammerers | small | 8 | | 3
        Karaz-a-Karak Thunderers | small | 8 | | 3
        Master Engineer | small | 8 | | 3
        Venerable Runesmith | small | 6 | | 3
    """,
    "lizardmen": "Salamander | medium | 9 | | 2\nSkink Skirmishers | small | 8 | | 3",
    "wood-elves": "Athel Loren Dryads | small | 7 | | 3\nWardancers | small | 9 | | 3",
    "vampire-counts": """
        Black Knights | medium | 11 | | 2
        Banshee | small | 7 | | 3
        Necromancers | small | 7 | | 3
        Zombie Dragon | large | 14 | elite | 1
        Grave Guard | small | 8 | | 3
        Vargheist | medium | 9 | | 2
        Black Coach | medium | 12 | elite | 2
        Skeleton | small | 4 | | 3
        Dire Wolves | small | 6 | | 3
    """,
    "dark-elves": "Black Ark Corsairs | small | 6 | | 3\nKarond Kar Harpies | small | 7 | | 3",
    "skaven": "Ratling Gun | medium | 9 | | 2\nGutter Runners | small | 7 | | 3",
}
POINTS = {"heinrich-kemmler": 34, "isabella-von-carstein": 33, "mannfred-von-carstein": 31}
HEROES = {*POINTS, "volkmar", "alarielle-the-radiant", "malekith"}
DESTRUCTION = {"chaos", "orcs-and-goblins", "vampire-counts", "dark-elves", "skaven"}


def test_expansion_pack_has_no_faults() -> None:
    assert check_pack(EXPANSION_FOLDER) == []


@each_row("race", UNITS)
def test_every_unit_has_the_size_cost_medal_and_copies_of_its_box(race: str) -> None:
    units = [unit for unit in expansion_pack().disks.values() if unit.race == race and unit.kind == "unit"]
    found = {
        f"{unit.name} | {unit.size} | {unit.cost} | "
        f"{'elite ' if unit.elite else ''}| {expansion_pack().copies[unit.id]}"
        for unit in units
    }
    assert found == {line.strip() for line in UNITS[race].strip().splitlines()}
    assert {unit.faction for unit in units} == {"destruction" if race in DESTRUCTION else "order"}


def test_heroes_have_the_recruitment_points_that_sources_state() -> None:
    heroes = {disk.id: disk for disk in expansion_pack().disks.values() if disk.kind == "hero"}
    assert set(heroes) == HEROES
    assert {name: heroes[name].points for name in POINTS} == POINTS
    assert all(hero.unique and hero.abilities for hero in heroes.values())


def test_single_disks_match_the_sources() -> None:
    disks = expansion_pack().disks
    assert Keyword("guard", Amount(1)) in disks["karaz-a-karak-hammerers"].keywords
    assert Keyword("mobile") in disks["black-ark-corsairs"].keywords
    assert disks["black-ark-corsairs"].shots
    assert Keyword("emplace") in disks["ancestor-statue"].keywords
    assert disks["flame-cannon"].shots[0].strength == Amount(6)
    assert [a.effect for a in disks["flame-cannon"].abilities] == [DamageAround(2, "physical", "short")]
    assert [a.effect for a in disks["heinrich-kemmler"].abilities] == [ReinforceNear("short", "skeleton", 3)]


def test_every_keyword_of_the_expansions_is_on_some_disk() -> None:
    printed = {word.id for disk in expansion_pack().disks.values() for word in disk.keywords}
    assert printed >= {"guard", "stalwart", "poison", "emplace", "flank", "flying", "strider", "scout"}


def test_box_holds_no_more_copies_than_a_regiment_may_have() -> None:
    assert all(expansion_pack().copies[each.id] <= MAX_COPIES[each.size] for each in expansion_pack().disks.values())


# ---------------------------------------------------------------- with the core set


def test_combined_catalogue_has_the_entries_of_both_packs_and_names_both() -> None:
    both = combine_packs(core_pack(), expansion_pack())
    assert len(both.disks) == len(core_pack().disks) + len(expansion_pack().disks)
    assert (both.pack, both.other_packs) == (core_pack().pack, (expansion_pack().pack,))
    assert both.armies.keys() >= core_pack().armies.keys()


def test_packs_that_contradict_each_other_are_refused_with_the_reasons() -> None:
    with pytest.raises(PackError) as refused:
        combine_packs(core_pack(), core_pack())
    (fault,) = refused.value.faults
    assert fault.startswith('110 ids are in diskwars/core too, "archaon" as the first: a copy cannot be played beside')
    one = replace(expansion_pack(), disks={"archaon": core_pack().disks["archaon"]})
    with pytest.raises(PackError, match='"archaon" is in diskwars/core too'):
        combine_packs(core_pack(), one)
    larger = replace(expansion_pack(), sizes={**expansion_pack().sizes, "small": 50000})
    with pytest.raises(PackError, match='the packs differ in "sizes"'):
        combine_packs(core_pack(), larger)


@pytest.mark.parametrize("pack", [core_pack(), expansion_pack()], ids=lambda pack: pack.pack.id)
def test_every_disk_and_card_survives_a_round_trip_through_text(pack: Catalogue) -> None:
    for profile in pack.disks.values():
        assert parse_position(format_disk(profile)).profiles == (profile,)
    for card in pack.cards.values():
        assert parse_position(format_card(card)).cards == (card,)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            'type = "empower", reach = "medium"',
            'type = "empower", reach = "medium", selector = "elf"',
            'no disk is "elf" by trait, race, kind or id',
        ),
        (
            'type = "empower", reach = "medium"',
            'type = "increase_movement", flips = 1',
            '"increase_movement" does not go with timing = "focus"',
        ),
        ('timing = "focus"', 'timing = "focus"\noptional = true', "only an engage ability has one"),
        ('type = "damage_around", amount = 2', 'type = "damage_around", amount = 0', "0 is not from 1 to 99"),
        ('timing = "passive"', 'timing = "engage"', '"damage_around" does not go with timing = "engage"'),
        ('"Guard 1"', '"Guard"', '"Guard" is printed with an amount'),
        ('"Guard 1"', '"Immune (magic)"', '"Immune" is printed with one of (physical)'),
        ('"Guard 1"', '"Resistant (magic)"', '"Resistant" is printed with one of (physical)'),
        ('"Guard 1"', '"Immune"', '"Immune" is printed with one of (physical)'),
        (
            'type = "damage_around", amount = 2, damage_type = "physical", reach = "short"',
            'type = "increase_toughness", toughness = 1',
            "a disk's effect says how far it reaches",
        ),
    ],
)
def test_invalid_effects_and_keywords_are_reported(old: str, new: str, fault: str, tmp_path: Path) -> None:
    for file in EXPANSION_FOLDER.glob("*.toml"):
        text = file.read_text("utf-8")
        if file.name == "dwarfs.toml":
            assert old in text
            text = text.replace(old, new, 1)
        (tmp_path / file.name).write_text(text, "utf-8")
    assert any(line.startswith("dwarfs.toml ") and fault in line for line in check_pack(tmp_path)), check_pack(tmp_path)


def test_packs_in_which_a_word_selects_different_things_are_not_combined() -> None:
    core = core_pack()
    other = replace(expansion_pack(), races=("goblin",), traits=("empire", "orc-boyz"))
    with pytest.raises(PackError) as refused:
        combine_packs(core, other)
    assert refused.value.faults == (
        '"empire" is a trait in one pack and a race in the other',
        '"goblin" is a trait in one pack and a race in the other',
        '"orc-boyz" is a disk of diskwars/core, and a trait or a race of diskwars/expansion',
    )
