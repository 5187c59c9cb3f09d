"""Which armies are legal (R2), asked of the disks of the core set?"""

import pytest
from msgspec.structs import replace

from diskwars_content import core
from diskwars_engine.diskwars.roster import Army, army_faults, unspent

LEGAL = core().armies["Empire Patrol"]
KNIGHTS, SWORDS, GUNS = "Knights Panther", "Marienburg Swordsmen", "Reikland Crossbowmen"


def regiment(*disks: str, hand: tuple[str, ...] = LEGAL.hand) -> Army:
    faction = core().disks[disks[0]].faction
    return Army("test", faction, disks, hand, unspent(disks, core().disks))


def faults(army: Army) -> tuple[str, ...]:
    return army_faults(army, core().disks, core().cards)


@pytest.mark.parametrize(
    "units",
    [
        (),
        (SWORDS, KNIGHTS),
        (SWORDS, SWORDS, SWORDS, KNIGHTS, GUNS),
        ("Steam Tank", SWORDS, SWORDS, SWORDS),
    ],
)
def test_a_regiment_within_all_limits_is_legal(units: tuple[str, ...]) -> None:
    assert faults(regiment("Karl Franz", *units)) == ()


ILLEGAL = {
    "R2.1 one hero": (
        ("Karl Franz", "Luthor Huss"),
        ("Luthor Huss is a second hero",),
    ),
    "R2.2 no more than the hero's points": (
        ("Karl Franz", SWORDS, SWORDS, SWORDS, GUNS, GUNS, "Bright Wizard"),
        ("its units cost 36, Karl Franz recruits for 33",),
    ),
    "R2.3 the hero's race": (
        ("Karl Franz", "High Mage"),
        ("High Mage is of High Elves, Karl Franz recruits Empire",),
    ),
    "R2.3 one faction": (
        ("Karl Franz", "Orc Boyz"),
        ("Orc Boyz is of Destruction, the army of Order",),
    ),
    "R2.4 enough small disks": (
        ("Karl Franz", KNIGHTS, "Hochland Pistoliers", SWORDS),
        ("1 small disks are fewer than 2 medium and large ones",),
    ),
    "R2.4 three small ones at most": (
        ("Karl Franz", SWORDS, SWORDS, SWORDS, SWORDS),
        (f"4 copies of {SWORDS}, at most 3 of a small disk",),
    ),
    "R2.4 two medium ones at most": (
        ("Karl Franz", KNIGHTS, KNIGHTS, KNIGHTS, SWORDS, SWORDS, SWORDS),
        (
            "its units cost 45, Karl Franz recruits for 33",
            f"3 copies of {KNIGHTS}, at most 2 of a medium disk",
        ),
    ),
    "R2.4 one large and one elite at most": (
        ("Karl Franz", "Steam Tank", "Steam Tank", SWORDS, SWORDS),
        (
            "its units cost 36, Karl Franz recruits for 33",
            "2 copies of Steam Tank, at most 1 of a large disk",
            "2 elite disks, at most 1",
        ),
    ),
    "a hero comes first": (
        (SWORDS, "Karl Franz"),
        ("the first disk has to be a hero",),
    ),
}


@pytest.mark.parametrize(("disks", "expected"), ILLEGAL.values(), ids=ILLEGAL)
def test_a_regiment_beyond_a_limit_is_told_which(disks: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert faults(regiment(*disks)) == expected


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        (("Press On", "Feint"), ("2 command cards, Karl Franz has a command value of 3",)),
        (("Press On", "Feint", "Feint"), ("2 times the command card Feint, at most once",)),
        (("Press On", "Feint", "Fists of Mork"), ("the command card Fists of Mork is for Destruction only",)),
        (("Press On", "Feint", "Winds of Morai-Heg"), ()),
        (("Press On", "Feint", "Fient"), ('no command card is called "Fient"',)),
    ],
)
def test_the_command_hand_is_the_hero_s(hand: tuple[str, ...], expected: tuple[str, ...]) -> None:  # R2.6
    assert faults(regiment("Karl Franz", hand=hand)) == expected


def test_an_army_needs_a_hero_who_is_unique() -> None:  # R2.5
    common = {**core().disks, "Karl Franz": replace(core().disks["Karl Franz"], unique=False)}
    assert army_faults(LEGAL, common, core().cards) == ("Karl Franz is not a unique hero",)


def test_a_unique_unit_is_there_once() -> None:  # R2.5
    unique = {**core().disks, SWORDS: replace(core().disks[SWORDS], unique=True)}
    assert army_faults(LEGAL, unique, core().cards) == (f"2 copies of {SWORDS}, at most 1 of a unique disk",)


def test_a_disk_of_no_race_may_be_recruited_by_anybody_of_its_faction() -> None:  # R2.3
    free = {**core().disks, "Bright Wizard": replace(core().disks["Bright Wizard"], race="")}
    assert army_faults(LEGAL, free, core().cards) == ()


def test_what_is_called_unspent_has_to_be_so_and_disks_have_to_exist() -> None:
    assert faults(replace(LEGAL, unspent=5)) == ("5 points are called unspent, 0 are",)
    assert faults(replace(LEGAL, disks=(*LEGAL.disks, "Nobody"))) == ('no disk is called "Nobody"',)
    assert faults(replace(LEGAL, faction="Destruction"))[0] == "Karl Franz is of Order, the army of Destruction"
    assert faults(replace(LEGAL, disks=())) == ("the first disk has to be a hero",)
