"""Legal armies of the core set (R2), and the faults reported for illegal ones."""

from msgspec.structs import replace

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars.catalogue import Army, unspent_points
from diskwars_engine.rulesets.diskwars.setup.army_rules import ArmyFault, army_faults
from diskwars_protocol.rulesets.diskwars.actions import Regiment
from tests.rows import each_row

PATROL = core_pack().armies["empire-patrol"]
KNIGHTS, SWORDS, GUNS, TANK = "knights-panther", "marienburg-swordsmen", "reikland-crossbowmen", "steam-tank"
HAND = ("press-on", "hold-fast", "feint", "all-together", "double-time", "aimed-volley", "sudden-blow")


def army(*regiments: tuple[str, ...], hand: tuple[str, ...] | None = None) -> Army:
    """Build an army of regiments, heroes first. Without `hand` it gets as many cards as its heroes command."""
    lists = tuple(Regiment(hero, tuple(units)) for hero, *units in regiments)
    values = [core_pack().disks[each.hero].command for each in lists if each.hero in core_pack().disks]
    return Army("", "test", lists, HAND[: sum(values)] if hand is None else hand)


def name_of(disk: str) -> str:
    return core_pack().disks[disk].name


def fault_texts(judged: Army, count: int | None = None) -> list[str]:
    return [str(fault) for fault in army_faults(judged, core_pack().disks, core_pack().cards, count)]


def single_fault(judged: Army, count: int | None = None) -> ArmyFault:
    (fault,) = army_faults(judged, core_pack().disks, core_pack().cards, count)
    return fault


# ---------------------------------------------------------------- legal


@each_row(
    "units",
    [
        (),
        (SWORDS, KNIGHTS),
        (SWORDS, SWORDS, SWORDS, KNIGHTS, GUNS),
        (TANK, SWORDS, SWORDS, SWORDS),
    ],
)
def test_r2_4_a_regiment_within_all_limits_is_legal(units: tuple[str, ...]) -> None:
    assert fault_texts(army(("karl-franz", *units))) == []


def test_r2_3_races_of_one_faction_may_be_combined_each_under_its_own_hero() -> None:
    assert fault_texts(army(("karl-franz", SWORDS), ("teclis", "high-mage"))) == []
    assert fault_texts(army(("archaon", "flamers"), ("grom-the-paunch", "orc-boyz"))) == []


def test_r2_4_every_regiment_has_its_own_copies_and_its_own_elite_disk() -> None:
    three = (SWORDS, SWORDS, SWORDS)
    assert fault_texts(army(("karl-franz", TANK, *three), ("luthor-huss", "hellblaster-volley-gun", *three))) == []


def test_r2_2_unspent_points_of_all_heroes_are_added_up() -> None:
    assert unspent_points(army(("karl-franz", TANK, SWORDS), ("luthor-huss", GUNS)), core_pack().disks) == (33 - 18) + (
        31 - 7
    )


# ---------------------------------------------------------------- R2.1 regiments


def test_r2_1_an_army_has_one_to_three_regiments_unless_players_agree_on_a_number() -> None:
    assert single_fault(army()).rule == "R2.1"
    four = [("karl-franz",), ("luthor-huss",), ("teclis",), ("tyrion",)]
    assert "R2.1: 4 regiments, there have to be 1 to 3; leave out 1" in fault_texts(army(*four))
    assert [fault for fault in fault_texts(army(*four[:3], hand=HAND)) if "R2.1" in fault] == []


@each_row(("agreed", "remedy"), [(1, "leave out 1"), (2, None), (3, "add 1")])
def test_r2_1_an_army_has_the_agreed_number_of_regiments(agreed: int, remedy: str | None) -> None:
    faults = fault_texts(army(("karl-franz",), ("luthor-huss",)), agreed)
    assert faults == ([f"R2.1: 2 regiments, the players agreed on {agreed}; {remedy}"] if remedy else [])


def test_r2_1_a_regiment_has_one_hero() -> None:
    fault = single_fault(army(("karl-franz", "luthor-huss")))
    assert fault.place == ("regiments", 0, "units", 0)
    assert str(fault) == (
        'R2.1: "Luthor Huss" is a second hero in the regiment of "Karl Franz"; '
        "begin a regiment with that hero, or leave it out"
    )
    fault = single_fault(army((SWORDS, GUNS)))
    assert fault.place == ("regiments", 0, "hero")
    assert (
        str(fault)
        == f'R2.1: "{name_of(SWORDS)}" is no hero; begin the regiment with one, such as "Karl Franz", "Luthor Huss"'
    )


def test_r2_1_unknown_names_are_reported_once_and_the_rest_is_still_checked() -> None:
    judged = army(("karl-franz", "Steam Tanks", "Steam Tanks", *(SWORDS,) * 4), hand=("Fient", "feint"))
    assert fault_texts(judged) == [
        'R2.1: no disk is called "Steam Tanks"; did you mean "Steam Tank"?',
        'R2.6: no command card is called "Fient"; did you mean "Feint"?',
        f'R2.4: 4 copies of "{name_of(SWORDS)}", at most 3 of a small disk in one regiment; leave out 1',
    ]


def test_r2_1_only_the_units_are_checked_in_a_regiment_with_an_unknown_hero() -> None:
    assert fault_texts(army(("Carl", KNIGHTS), hand=HAND))[1:] == [
        'R2.4: 0 small disks and 1 medium or large in the regiment of "Carl", which needs at least one small disk for '
        "each larger one; add 1 small or leave out 1 of the others"
    ]


# ---------------------------------------------------------------- R2.2 recruitment points


def test_r2_2_units_cost_no_more_than_the_points_of_their_own_hero() -> None:
    judged = army(("karl-franz", *(SWORDS,) * 3, GUNS, GUNS, "bright-wizard"), ("luthor-huss",))
    assert str(single_fault(judged)) == (
        'R2.2: the units of "Karl Franz" cost 36, the hero has 33 recruitment points; leave out 3 points of cost'
    )


def test_r2_2_a_regiment_may_cost_exactly_the_points_of_its_hero() -> None:
    judged = army(("karl-franz", *(SWORDS,) * 3, GUNS, GUNS, "bright-wizard"))
    cost = sum(cost_of(name) for name in judged.regiments[0].units)
    for points, rules in ((cost, []), (cost - 1, ["R2.2"])):
        disks = {**core_pack().disks, "karl-franz": replace(core_pack().disks["karl-franz"], points=points)}
        assert [fault.rule for fault in army_faults(judged, disks, core_pack().cards)] == rules


def cost_of(name: str) -> int:
    return core_pack().disks[name].cost


def test_r2_2_points_that_no_unit_costs_are_unspent() -> None:
    """R2.2: of the hero's points, those that the units cost are gone."""
    whole = core_pack().disks["luthor-huss"].points
    assert unspent_points(army(("luthor-huss",)), core_pack().disks) == whole
    assert unspent_points(army(("luthor-huss", GUNS)), core_pack().disks) == whole - cost_of(GUNS)


# ---------------------------------------------------------------- R2.3 factions and races


def test_r2_3_a_hero_recruits_only_its_own_race() -> None:
    fault = single_fault(army(("karl-franz", "high-mage")))
    assert str(fault) == (
        'R2.3: "High Mage" is of High Elves, "Karl Franz" recruits Empire; give it to a hero of High Elves'
    )
    assert str(single_fault(army(("karl-franz", "orc-boyz")))).endswith("leave it out")


def test_r2_1_r2_3_each_wrong_disk_is_reported_once_however_many_copies_there_are() -> None:
    """R2.1, R2.3: with what its own hero or nobody could do with it."""
    (fault,) = army_faults(army(("karl-franz", "high-mage", "high-mage")), core_pack().disks, core_pack().cards)
    assert (fault.rule, fault.place) == ("R2.3", ("regiments", 0, "units", 0))
    assert fault.remedy == "give it to a hero of High Elves"
    (second,) = army_faults(army(("karl-franz", "teclis", "tyrion", "teclis")), core_pack().disks, core_pack().cards)[
        :1
    ]
    assert (second.code, second.rule, second.place) == ("second_hero", "R2.1", ("regiments", 0, "units", 0))


def test_r2_3_an_army_is_all_order_or_all_destruction() -> None:
    """R2.3: the first hero says which, and is named."""
    fault = single_fault(army(("karl-franz", SWORDS), ("archaon", "flamers")))
    assert fault.problem.endswith('"Karl Franz" and so the army of Order')
    assert (fault.rule, fault.place, fault.remedy) == ("R2.3", ("regiments", 1, "hero"), "take a hero of Order")


def test_r2_3_any_hero_of_its_faction_may_recruit_a_disk_without_race() -> None:
    free = {**core_pack().disks, "bright-wizard": replace(core_pack().disks["bright-wizard"], race=None)}
    assert army_faults(army(("tyrion", "bright-wizard")), free, core_pack().cards) == ()
    (fault,) = army_faults(army(("archaon", "bright-wizard")), free, core_pack().cards)
    assert str(fault) == 'R2.3: "Bright Wizard" is of Order, the army of Destruction; leave it out'


# ---------------------------------------------------------------- R2.4 sizes, copies, elite disks


def test_r2_4_a_regiment_needs_as_many_small_disks_as_others() -> None:
    assert str(single_fault(army(("karl-franz", KNIGHTS, "hochland-pistoliers", SWORDS)))) == (
        'R2.4: 1 small disk and 2 medium or large in the regiment of "Karl Franz", which needs at least '
        "one small disk for each larger one; add 1 small or leave out 1 of the others"
    )
    assert fault_texts(army(("azhag-the-slaughterer", "wolf-riders", "orc-boyz"))) == []  # the hero is not counted


@each_row(("name", "size", "most"), [(SWORDS, "small", 3), (KNIGHTS, "medium", 2), (TANK, "large", 1)])
def test_r2_4_copies_are_limited_by_size(name: str, size: str, most: int) -> None:
    cheap = {
        **core_pack().disks,
        name: replace(core_pack().disks[name], cost=1, elite=False),
        GUNS: core_pack().disks[GUNS],
    }
    smalls = () if size == "small" else (GUNS, GUNS, "huntsmen")
    assert army_faults(army(("karl-franz", *(name,) * most, *smalls)), cheap, core_pack().cards) == ()
    (fault,) = army_faults(army(("karl-franz", *(name,) * (most + 1), *smalls)), cheap, core_pack().cards)
    assert str(fault) == (
        f'R2.4: {most + 1} copies of "{name_of(name)}", at most {most} of a {size} disk in one regiment; leave out 1'
    )
    assert fault.place == ("regiments", 0, "units", most)


def test_r2_4_at_most_one_disk_of_a_regiment_is_elite() -> None:
    judged = army(("karl-franz", TANK, "hellblaster-volley-gun", SWORDS, SWORDS))
    assert str(single_fault(judged)) == (
        'R2.4: 2 elite disks in the regiment of "Karl Franz" ("Steam Tank", "Hellblaster Volley Gun"), at most 1; '
        "leave out 1"
    )


# ---------------------------------------------------------------- R2.5 unique disks


def test_r2_5_a_unique_disk_may_be_in_an_army_once() -> None:
    fault = single_fault(army(("karl-franz", SWORDS), ("karl-franz", GUNS)))
    assert str(fault) == 'R2.5: 2 copies of "Karl Franz", which is unique, in one army; leave out 1'
    assert (fault.place, fault.numbers) == (("regiments", 1, "hero"), {"found": 2, "most": 1})
    unique = {**core_pack().disks, SWORDS: replace(core_pack().disks[SWORDS], unique=True)}
    (fault,) = army_faults(army(("karl-franz", SWORDS), ("luthor-huss", SWORDS)), unique, core_pack().cards)
    assert fault.place == ("regiments", 1, "units", 0)


def test_r2_5_an_army_needs_a_unique_hero() -> None:
    common = {name: replace(disk, unique=False) for name, disk in core_pack().disks.items()}
    (fault,) = army_faults(army(("karl-franz",), ("luthor-huss",)), common, core_pack().cards)
    assert str(fault) == (
        'R2.5: neither "Karl Franz" nor "Luthor Huss" is a unique hero; let a unique hero lead a regiment'
    )
    (fault,) = army_faults(army(("karl-franz",)), common, core_pack().cards)
    assert fault.problem == '"Karl Franz" is no unique hero'
    assert fault.place == ("regiments", 0, "hero")
    mixed = {**common, "luthor-huss": core_pack().disks["luthor-huss"]}
    assert army_faults(army(("karl-franz",), ("luthor-huss",)), mixed, core_pack().cards) == ()


# ---------------------------------------------------------------- R2.6 the command hand


VALUES = 'the command values together are 4 ("Karl Franz" 2 and "Luthor Huss" 2)'


@each_row(
    ("hand", "faults"),
    [
        (HAND[:4], []),
        (HAND[:3], [f"R2.6: 3 command cards, {VALUES}; add 1"]),
        (HAND[:5], [f"R2.6: 5 command cards, {VALUES}; leave out 1"]),
        ((*HAND[:3], "feint"), ['R2.6: 2 cards "Feint", at most 1; leave out 1']),
        ((*HAND[:3], "fists-of-mork"), ['R2.6: "Fists of Mork" asks for a hero of Destruction; take another card']),
        ((*HAND[:3], "winds-of-morai-heg"), []),
    ],
)  # fmt: skip
def test_r2_6_hand_matches_the_command_values_and_the_faction(hand: tuple[str, ...], faults: list[str]) -> None:
    """R2.6, R-37"""
    assert fault_texts(army(("karl-franz",), ("luthor-huss",), hand=hand)) == faults


def test_a_repeated_card_is_reported_with_its_number() -> None:
    """R2.6, R-37"""
    (fault,) = army_faults(
        army(("karl-franz",), ("luthor-huss",), hand=(*HAND[:3], "feint")), core_pack().disks, core_pack().cards
    )
    assert (fault.code, fault.rule, fault.numbers) == ("card_repeated", "R2.6", {"found": 2, "most": 1})


def test_all_violations_are_reported_at_once_in_list_order() -> None:
    judged = army(
        ("karl-franz", TANK, "hellblaster-volley-gun", KNIGHTS, "high-mage", *(SWORDS,) * 4),
        ("grom-the-paunch", "orc-boyz"),
        hand=("fists-of-mork", "feint", "feint"),
    )
    rules = [fault.rule for fault in army_faults(judged, core_pack().disks, core_pack().cards, 1)]
    assert rules == ["R2.1", "R2.3", "R2.2", "R2.4", "R2.4", "R2.3", "R2.6", "R2.6"]


# ---------------------------------------------------------------- no further limits


RACES = {"empire": "karl-franz", "high-elves": "teclis", "chaos": "archaon", "orcs-and-goblins": "grom-the-paunch"}


@each_row(("one_race", "other"), [(x, y) for x in RACES for y in RACES if x < y])
def test_empire_may_ally_only_with_high_elves_and_chaos_only_with_orcs(one_race: str, other: str) -> None:
    """R2.7, R2.3: one hero of each race, from the core set."""
    judged = army((RACES[one_race],), (RACES[other],))
    allied = {one_race, other} in ({"empire", "high-elves"}, {"chaos", "orcs-and-goblins"})
    assert ([fault.rule for fault in army_faults(judged, core_pack().disks, core_pack().cards)] == []) == allied


def test_armies_may_use_more_copies_than_one_box_holds() -> None:
    """R-36: six Swordsmen in two regiments, although one box holds fewer."""
    three = (SWORDS,) * 3
    assert core_pack().copies[SWORDS] < 6
    assert fault_texts(army(("karl-franz", *three), ("luthor-huss", *three))) == []


def test_a_card_needs_a_hero_of_its_faction_not_of_the_race_in_its_text() -> None:
    """R-37: a card for disks of Chaos is legal in a hand of Orcs under any hero."""
    chaos = next(
        card.id for card in core_pack().cards.values() if any(ability.user == "chaos" for ability in card.abilities)
    )
    assert core_pack().cards[chaos].faction == "destruction"
    for heroes in (("grom-the-paunch", "grimgor-ironhide"), ("grimgor-ironhide", "grom-the-paunch")):
        size = sum(core_pack().disks[hero].command for hero in heroes)
        hand = (chaos, *(name for name in HAND if not core_pack().cards[name].faction))[:size]
        assert len(hand) == size
        assert fault_texts(army(*((hero,) for hero in heroes), hand=hand)) == []
