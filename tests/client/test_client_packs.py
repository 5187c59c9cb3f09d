"""The opener of a match chooses its content packs; armies are made from these alone."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, InvalidRequest
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.catalogue import DiskwarsCatalogue
from diskwars_server.app import load_rulesets, load_variants, start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.database import Database
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.local_server import TEST_TIMEOUT_SECONDS
from tests.client.patrols import PATROLS

CORE, EXPANSION = "diskwars/core", "diskwars/expansion"
QUICK = a.DiskwarsSettings(setup="quick", regiments=1)


@contextlib.asynccontextmanager
async def server(database: Database, *packs: str) -> AsyncIterator[str]:
    settings = ServerSettings(port=0, bot_workers=0, seed=7, pack=packs)
    async with start_server(settings, database) as transport:
        yield transport.url


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), MemoryDatabase() as opened:
        yield opened


def packs_of(handle: MatchHandle) -> list[str]:
    return [pack.id for pack in handle.match.packs]


CORE_ARMY = a.Loadout(army="empire-patrol")


async def army_of_expansion(client: Client) -> a.Loadout:
    """Return a legal army with a disk of the expansion: a starter army in which one unit is another."""
    content = (await client.catalogues.get("diskwars")).decode(DiskwarsCatalogue)
    ruleset = load_rulesets("expansion")["diskwars"]
    others = [disk.profile.id for disk in content.disks if disk.pack == EXPANSION]
    for army in content.armies:
        first, *rest = army.regiments
        for place, other in itertools.product(range(len(first.units)), others):
            units = (*first.units[:place], other, *first.units[place + 1 :])
            wanted = a.Loadout(regiments=(replace(first, units=units), *rest), hand=army.hand)
            if not rest and ruleset.check_loadout(QUICK, wanted).loadout is not None:
                return wanted
    raise AssertionError("no starter army has room for a disk of the expansion")


async def test_match_is_played_with_the_packs_that_its_opener_chooses(database: Database) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        opened = {
            None: [CORE, EXPANSION],
            (EXPANSION,): [CORE, EXPANSION],
            (EXPANSION, EXPANSION): [CORE, EXPANSION],
            (): [CORE],
        }
        handles = {packs: await client.open_match(QUICK, packs=packs) for packs in opened}
        assert {packs: packs_of(handle) for packs, handle in handles.items()} == opened
        shown = {summary.match: summary.packs for summary in await client.lobby.list()}
        assert shown[handles[()].id] == ()
        assert shown[handles[None].id] == (EXPANSION,)


async def test_server_says_which_packs_may_be_left_out(database: Database) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        assert {ruleset.id: ruleset.packs for ruleset in client.rulesets} == {
            "diskwars": (EXPANSION,),
            "pit": (),
            "close_quarters": (),
            "regiments": (),
        }
    async with MemoryDatabase() as other, server(other) as url, connect(url) as client:
        assert {ruleset.packs for ruleset in client.rulesets} == {()}


@pytest.mark.parametrize(
    ("ruleset", "packs", "place", "text"),
    [
        ("diskwars", ("diskwars/expansoin",), "$.packs[0]", 'did you mean "diskwars/expansion"?'),
        ("diskwars", (EXPANSION, "expansion"), "$.packs[1]", "no content pack"),
        ("diskwars", (CORE,), "$.packs[0]", "no content pack"),
        ("pit", (EXPANSION,), "$.packs[0]", "of pit here"),
    ],
)
async def test_pack_that_the_server_does_not_have_is_refused(
    database: Database, ruleset: str, packs: tuple[str, ...], place: str, text: str
) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        with pytest.raises(CommandRefused) as refused:
            await client.open_match(ruleset=ruleset, packs=packs)
        assert (refused.value.code, refused.value.place, text in refused.value.text) == ("unknown_pack", place, True)
        assert await client.lobby.list() == ()


async def test_too_many_packs_or_too_long_an_id_are_not_sent(database: Database) -> None:
    async with server(database) as url, connect(url) as client:
        for packs in ((EXPANSION,) * 17, ("x" * 65,), ("",)):
            with pytest.raises(InvalidRequest, match=r"\$\.packs"):
                await client.open_match(PATROLS, packs=packs)


async def test_army_of_a_pack_that_is_left_out_is_refused_also_after_a_restart(database: Database) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        army = await army_of_expansion(client)
        without = await client.open_match(QUICK, packs=())
        with_all = await client.open_match(QUICK)
        with pytest.raises(CommandRefused) as refused:
            await without.take_seat(army, 0)
        assert refused.value.code == "illegal_army"
        await with_all.take_seat(army, 0)
    async with server(database, "expansion") as url, connect(url) as client:
        found = await client.watch(without.id)
        with pytest.raises(CommandRefused) as refused:
            await found.take_seat(army, 0)
        assert refused.value.code == "illegal_army"
        await found.take_seat(CORE_ARMY, 0)


async def test_army_is_checked_for_a_match_without_some_packs(database: Database) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        army = await army_of_expansion(client)
        for packs, codes in ((None, set()), ((EXPANSION,), set()), ((), {"unknown_disk_type"})):
            checked = await client.catalogues.check_army(army, QUICK, packs=packs)
            assert {fault.code for fault in checked.faults} == codes


async def test_catalogue_of_a_match_without_some_packs_lists_what_is_left(database: Database) -> None:
    async with server(database, "expansion") as url, connect(url) as client:
        full, without = await client.catalogues.get(), await client.catalogues.get(packs=())
        found = without.decode(DiskwarsCatalogue)
        assert [pack.id for pack in found.packs] == [CORE]
        assert {disk.pack for disk in found.disks} == {CORE}
        assert await client.catalogues.get(packs=()) is without
        assert await client.catalogues.get(packs=(EXPANSION,)) == full
        match = await client.open_match(QUICK, packs=())
        assert found.packs == match.match.packs


async def test_packs_that_the_server_does_not_have_are_refused_without_a_match_too(database: Database) -> None:
    async with server(database) as url, connect(url) as client:
        for request in (
            client.catalogues.get(packs=(EXPANSION,)),
            client.catalogues.check_army(CORE_ARMY, packs=(EXPANSION,)),
        ):
            with pytest.raises(CommandRefused) as refused:
                await request
            assert (refused.value.code, refused.value.place) == ("unknown_pack", "$.packs[0]")
        with pytest.raises(CommandRefused) as unknown:
            await client.catalogues.check_army(CORE_ARMY, ruleset="diskwarz", packs=())
        assert unknown.value.code == "unknown_ruleset"


async def test_match_from_before_a_pack_was_added_is_still_joined(database: Database) -> None:
    async with server(database) as url, connect(url) as client:
        opened = await client.open_match(QUICK, match_options=MatchOptions())
    async with server(database, "expansion") as url, connect(url) as client:
        found = await client.watch(opened.id)
        await found.take_seat(CORE_ARMY, 0)
        assert packs_of(found) == [CORE]


def test_choices_are_loaded_for_the_packs_of_a_server() -> None:
    full = load_rulesets("expansion")
    variants = load_variants(full, ("expansion",))
    assert {name: [[pack.id for pack in one.packs] for one in fewer] for name, fewer in variants.items()} == {
        "diskwars": [[CORE]]
    }
    assert load_variants(load_rulesets(), ()) == {}
