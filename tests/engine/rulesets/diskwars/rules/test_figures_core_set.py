"""The worked examples F1 to F10 and FAQ1 laid with the disks of the core set: what the sources state comes out.

The figures of `test_figures.py` have profiles of their own, so that a house figure cannot change them. Here their
profiles are left out and the core set's are used, so that no house figure contradicts a number of the article or the
FAQ. Numbers that the sources do not state, such as who has how much toughness left, are not compared.
"""

import pytest

from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.rulesets.diskwars.core_figures import core_name, core_position
from tests.engine.rulesets.diskwars.positions import CRITICAL, FIGURES_FOLDER, HIT, MISS, figure_position

FIGURES = sorted(path.stem for path in FIGURES_FOLDER.glob("*.txt"))


@pytest.mark.parametrize("figure", FIGURES)
def test_disks_of_the_core_set_lie_as_in_the_figure(figure: str) -> None:
    """F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, FAQ1: the same pins, so no size is another."""
    drawn = {tuple(core_name(name) for name in pin.split(">")) for pin in figure_position(figure).pins}
    assert {tuple(pin.split(">")) for pin in core_position(figure).pins} == drawn


def test_figure_1_with_the_core_set() -> None:
    """F1: 4 and 6 are one wound of Karl Franz, and no damage is left."""
    table = core_position("figure-01").with_card_turn(1)
    table = table.answer(table.move_action("Bloodcrushers", 180), 6)
    karl = table.disk("Karl Franz")
    assert (karl.place, karl.damage, karl.wounds) == ("battlefield", 0, 1)


def test_figure_2_with_the_core_set() -> None:
    """F2: two hits of the Steam Tank are one wound of the troll; the 3 of its Impact do not make a second one."""
    table = core_position("figure-02").with_card_turn(0)
    table = table.answer(table.shoot_action("Steam Tank", "River Troll"), (HIT, HIT, MISS))
    assert table.damage("River Troll") == (0,)
    table = table.answer(table.move_action("Steam Tank", 0, 0))
    troll = table.disk("River Troll")
    assert (troll.place, troll.wounds, troll.damage) == ("battlefield", 1, 3)


def test_figure_3_with_the_core_set() -> None:
    """F3: a critical of the Flamers does no damage to Teclis, but marks him."""
    table = core_position("figure-03").with_card_turn(1)
    dice = table.options()
    assert dice is not None
    table = table.answer(table.shoot_action("Flamers", "Teclis"), (CRITICAL, MISS))
    assert table.damage("Teclis") == (0,)
    assert table.disk("Teclis").activated


def test_figure_4_with_the_core_set() -> None:
    """F4: nobody falls while Archaon lands on two (4, 4 and 2) and the Sun Dragon on him (5, 5, 3 and 1)."""
    enemies = ("Militia Spearmen", "Sky Cutter", "Maiden Guard", "Sun Dragon")
    table = core_position("figure-04").with_card_turn(0)
    table = table.answer(table.move_action("Archaon", 90))
    assert table.damage(*enemies) == (4, 4, 2, 0)
    table = table.with_card_turn(1)
    table = table.answer(table.move_action("Sun Dragon", 180, 180))
    assert table.damage(*enemies) == (5, 5, 3, 1)
    assert all(table.is_fielded(name) for name in enemies)


def test_figure_5_with_the_core_set() -> None:
    """F5: all that hangs together is one engagement."""
    (engagement,) = core_position("figure-05").start_melee().board.engagements
    assert (len(engagement.attackers), len(engagement.defenders)) == (3, 3)


def test_figure_6_with_the_core_set() -> None:
    """F6: the same four engagements, of which Luthor's and Valkia's come first."""
    table = core_position("figure-06").start_melee()
    assert len(table.engagements) == 4
    first = {table.members(number) for number in table.question(a.EngagementQuestion).engagements}
    assert first == {"Luthor Huss | Wolf Riders", "Valkia the Bloody | Grom the Paunch"}


def test_figure_7_with_the_core_set() -> None:
    """F7: Azhag chooses as a defender, lives, and as an attacker strikes both for 6 unasked."""
    table = core_position("figure-07").start_melee()
    table = table.answer(table.targets_action(Azhag_the_Slaughterer="Kurgan Marauders"))
    assert table.is_fielded("Azhag the Slaughterer")
    ask = table.question(a.MeleeTargetsQuestion)
    assert [table.name(choice.disk) for choice in ask.choices] == ["Black Orcs"]
    table = table.answer(table.targets_action(Black_Orcs="Archaon"))
    table = table.answer(table.targets_action(Archaon="Black Orcs", Bloodcrushers="Black Orcs"))
    blows = [blow for step in table.events_of_type(e.BlowsStruck) for blow in step.blows]
    azhag = table.number("Azhag the Slaughterer")
    assert {table.name(blow.target): blow.strength for blow in blows if blow.disk == azhag} == {
        "Archaon": 6,
        "Bloodcrushers": 6,
    }
    assert table.disk("Archaon").wounds == 1


def test_figure_8_with_the_core_set() -> None:
    """F8: 6, the first wound; then 5 on Grimgor, and 6 of the Black Orcs, the second wound."""
    table = core_position("figure-08").start_melee()
    assert (table.disk("Bloodthirster").wounds, table.disk("Bloodthirster").damage) == (1, 0)
    table = table.answer(table.targets_action(Bloodthirster="Grimgor Ironhide"))
    dealt = [(table.name(hit.disk), hit.dealt) for hit in table.events_of_type(e.DamageDealt)]
    assert sorted(dealt) == [("Bloodthirster", 6), ("Grimgor Ironhide", 5)]
    assert not table.is_fielded("Bloodthirster")
    assert table.is_fielded("Grimgor Ironhide")


def test_figure_9_with_the_core_set() -> None:
    """F9: 2 on the Plaguebearers, 5 kill the Shaman, Grimgor's 4 make 6; he kills the Swordmasters and takes 3."""
    table = core_position("figure-09").start_melee()
    tokens = [(table.name(hit.disk), hit.dealt, hit.tokens) for hit in table.events_of_type(e.DamageDealt)]
    assert tokens == [("Plaguebearers", 2, 2), ("Stone Fangz Shaman", 5, 5), ("Plaguebearers", 4, 6)]
    assert not table.is_fielded("Stone Fangz Shaman")
    assert not table.is_fielded("Plaguebearers")
    table = table.answer(table.targets_action(Grimgor_Ironhide="Swordmasters of Hoeth"))
    assert not table.is_fielded("Swordmasters of Hoeth")
    assert table.damage("Grimgor Ironhide") == (3,)
    assert [step.speed for step in table.events_of_type(e.BlowsStruck)] == ["swift"]


def test_figure_10_with_the_core_set() -> None:
    """F10: the Swordsmen die and Tyrion takes 3; his new pin wounds the tank, which still strikes the Reavers."""
    table = core_position("figure-10").start_melee()
    table = table.answer(table.engagement_action("Tyrion"), 6)
    assert [table.name(disk) for gone in table.events_of_type(e.DisksRemoved) for disk in gone.disks] == [
        "Marienburg Swordsmen",
        "Ellyrian Reavers",
    ]
    assert table.damage("Tyrion", "Steam Tank") == (3, 3)
    assert table.disk("Steam Tank").wounds == 1


def test_faq_scrum_with_the_core_set() -> None:
    """FAQ1: 3 of the Spearmen; then Riders and High Mage fall, and Teclis and the troll take a wound each."""
    table = core_position("faq-scrum").start_melee()
    assert table.damage("River Troll") == (3,)
    table = table.answer(table.targets_action(Wolf_Riders="High Mage"))
    table = table.answer(table.targets_action(Teclis="River Troll"))
    dealt = {table.name(hit.disk): hit.dealt for hit in table.events_of_type(e.DamageDealt)}
    assert dealt == {"High Mage": 3, "Teclis": 5, "River Troll": 3, "Wolf Riders": 3}
    assert [table.is_fielded(name) for name in ("Wolf Riders", "High Mage")] == [False, False]
    for name in ("Teclis", "River Troll"):
        assert (table.disk(name).place, table.disk(name).wounds) == ("battlefield", 1)
