"""The catalogue and the check of an army, over real sockets."""

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest

from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.match.ruleset_settings import RulesetSetting
from diskwars_protocol.messages.catalogues import ArmyChecked
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout, Regiment
from diskwars_protocol.rulesets.diskwars.catalogue import DiskwarsCatalogue
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.client.patrols import PATROLS


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url:
        yield url


async def test_catalogue_lists_everything_of_the_packs(url: str) -> None:
    async with connect(url) as client:
        catalogue = (await client.catalogues.get()).decode(DiskwarsCatalogue)
    pack = core_pack()
    assert [disk.profile for disk in catalogue.disks] == [pack.disks[id] for id in sorted(pack.disks)]
    assert {card.card.id for card in catalogue.cards} == set(pack.cards)
    assert {army.id: army.hand for army in catalogue.armies} == {id: army.hand for id, army in pack.armies.items()}
    scenarios = {listed.scenario.id: listed.special for listed in catalogue.scenarios}
    assert scenarios == {**dict.fromkeys(pack.scenarios, False), "strongholds": True}
    assert {listed.card.id for listed in catalogue.deployments} == set(pack.deployments)
    assert {listed.card.id for listed in catalogue.terrain} == set(pack.terrain)
    assert [(word.id, word.name) for word in catalogue.races] == [
        ("chaos", "Chaos"),
        ("empire", "Empire"),
        ("high-elves", "High Elves"),
        ("orcs-and-goblins", "Orcs and Goblins"),
    ]
    assert {disk.pack for disk in catalogue.disks} == {pack.pack.id}
    assert catalogue.packs == (pack.pack,)


async def test_catalogue_has_texts_of_effects_in_our_own_words(url: str) -> None:
    async with connect(url) as client:
        catalogue = (await client.catalogues.get()).decode(DiskwarsCatalogue)
    texts = {disk.profile.id: disk.texts for disk in catalogue.disks}
    assert texts["archaon"] == ("engage: 1 untyped damage to each enemy within short range",)
    fists = next(card for card in catalogue.cards if card.card.id == "fists-of-mork")
    assert fists.texts == (
        "battle: d6-2 arcane damage to an enemy within medium range and to each disk within short range of it "
        "(by Caster)",
    )
    march = next(listed for listed in catalogue.scenarios if listed.scenario.id == "forced-march")
    assert march.text == "moves get 1 extra flip"
    assert march.objective_texts[1] == "2 points for each friendly disk in an enemy zone"


async def test_catalogue_options_are_those_of_the_settings(url: str) -> None:
    async with connect(url) as client:
        options = {option.id: option for option in (await client.catalogues.get()).decode(DiskwarsCatalogue).settings}
    assert list(options) == [field.name for field in msgspec.structs.fields(DiskwarsSettings)]
    assert options["regiments"] == RulesetSetting(
        "regiments", 2, least=1, most=3, text="how many regiments each army has", rule="R2.1"
    )
    assert options["pins"].values == ("strict", "contact")
    assert (options["impact_own"].default, options["impact_own"].values) == (True, (False, True))
    assert all(option.text and option.rule for option in options.values())


async def test_catalogue_is_sent_once_and_then_unchanged(url: str) -> None:
    async with connect(url) as client:
        first = await client.catalogues.get()
        second = await client.catalogues.get()
        assert second is first
        assert len(first.content) < 200_000


async def test_every_fault_of_an_army_has_a_place_and_a_remedy(url: str) -> None:
    loadout = Loadout(regiments=(Regiment("karl-franz", ("steam-tank", "steam-tank")),), hand=("feint",))
    async with connect(url) as client:
        checked = await client.catalogues.check_army(loadout, PATROLS)
    faults = {fault.code: fault for fault in checked.faults}
    assert set(faults) == {
        "too_few_small_disks",
        "too_many_copies",
        "too_many_elites",
        "wrong_number_of_cards",
    }
    copies = faults["too_many_copies"]
    assert (copies.rule, copies.place, copies.remedy) == ("R2.4", "$.regiments[0].units[1]", "leave out 1")
    assert copies.numbers == {"found": 2, "most": 1}
    assert faults["wrong_number_of_cards"].place == "$.hand"
    assert bytes(checked.loadout) == b""


async def test_sound_army_is_answered_with_the_complete_loadout(url: str) -> None:
    async with connect(url) as client:
        checked = await client.catalogues.check_army(Loadout("empire-patrol"), PATROLS)
        army = core_pack().armies["empire-patrol"]
        assert checked.faults == ()
        complete = msgspec.json.decode(checked.loadout, type=Loadout)
        assert complete == Loadout(army.id, army.regiments, army.hand)
        other = await client.catalogues.check_army(Loadout("empire-patrol"))
        assert [fault.code for fault in other.faults] == ["wrong_number_of_regiments"]


async def test_unknown_army_is_a_fault_with_a_suggestion(url: str) -> None:
    async with connect(url) as client:
        checked: ArmyChecked = await client.catalogues.check_army(Loadout("empire-patroll"))
    (fault,) = checked.faults
    assert (fault.code, fault.place) == ("unknown_army", "$.army")
    assert fault.text.endswith('did you mean "empire-patrol"?')


async def test_name_in_place_of_an_id_is_refused_with_its_place(url: str) -> None:
    async with connect(url) as client:
        with pytest.raises(CommandRefused) as refused:
            await client.catalogues.check_army(Loadout(regiments=(Regiment("Karl Franz"),)))
        assert (refused.value.code, refused.value.place) == ("bad_action", "$.loadout.regiments[0].hero")


async def test_unknown_setting_and_unknown_ruleset_are_refused_with_a_suggestion(url: str) -> None:
    class Misspelled(msgspec.Struct):
        regimens: int = 1

    async with connect(url) as client:
        for request in (client.open_match(Misspelled()), client.catalogues.check_army(Loadout(), Misspelled())):
            with pytest.raises(CommandRefused) as refused:
                await request
            assert (refused.value.code, refused.value.place) == ("bad_settings", "$.settings.regimens")
            assert 'did you mean "regiments"?' in str(refused.value)
        with pytest.raises(CommandRefused) as unknown:
            await client.catalogues.get("diskwarz")
        assert unknown.value.code == "unknown_ruleset"
