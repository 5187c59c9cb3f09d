"""The catalogue and the check of a loadout of any ruleset: the toy ruleset answers both."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from msgspec import Raw

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.catalogues import ArmyChecked, CatalogueResponse, CheckArmy, GetCatalogue
from diskwars_server.matches import catalogues
from diskwars_server.matches.catalogues import CatalogueCache, CatalogueTooLarge
from diskwars_server.refusals import Refusal
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.counting_ruleset import CountingRules
from tests.server.in_memory_server import InMemoryServer


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        yield node
        await node.matches.close()


async def test_catalogue_of_the_toy_ruleset_is_sent_and_then_unchanged(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    first = await guest.request(GetCatalogue(guest.id(), "counting"))
    assert isinstance(first, CatalogueResponse)
    assert msgspec.json.decode(first.content) == {"packs": [], "settings": [{"id": "rounds", "default": 2}]}
    again = await guest.request(GetCatalogue(guest.id(), "counting", first.hash))
    assert isinstance(again, CatalogueResponse)
    assert (again.hash, again.unchanged, bytes(again.content)) == (first.hash, True, b"")
    other = await guest.request(GetCatalogue(guest.id(), "counting", "0" * 64))
    assert isinstance(other, CatalogueResponse)
    assert (other.unchanged, other.content) == (False, first.content)


async def test_loadout_of_the_toy_ruleset_is_checked(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    sound = await guest.request(CheckArmy(guest.id(), "counting", Raw(b'{"name":"me","lucky":3}')))
    assert isinstance(sound, ArmyChecked)
    assert (sound.faults, bytes(sound.loadout)) == ((), b'{"name":"me","lucky":3}')
    faulty = await guest.request(CheckArmy(guest.id(), "counting", Raw(b'{"name":"me","lucky":9}')))
    assert isinstance(faulty, ArmyChecked)
    (fault,) = faulty.faults
    assert (fault.code, fault.rule, fault.place, fault.remedy) == ("too_lucky", "N2", "$.lucky", "less")
    assert fault.numbers == {"found": 9, "most": 7}


async def test_checked_loadout_is_sent_only_without_faults(node: InMemoryServer) -> None:
    faulty = node.rules.check_army(CheckArmy("1", "counting", Raw(b'{"name":"me","lucky":9}')))
    assert "loadout" not in msgspec.json.decode(encode(faulty))
    sound = node.rules.check_army(CheckArmy("2", "counting", Raw(b'{"name":"me","lucky":3}')))
    assert msgspec.json.decode(encode(sound))["loadout"] == {"name": "me", "lucky": 3}


async def test_unchanged_catalogue_is_sent_without_content(node: InMemoryServer) -> None:
    known = node.rules.catalogue(GetCatalogue("1", "counting"))
    unchanged = node.rules.catalogue(GetCatalogue("2", "counting", known.hash))
    assert "content" not in msgspec.json.decode(encode(unchanged))


def test_refusal_lists_open_decisions_only_where_there_are_any() -> None:
    refusal = Refusal("not_your_turn")
    assert "open_decisions" not in msgspec.json.decode(encode(refusal.to_message("1", MatchId("m"))))
    listed = refusal.to_message("1", MatchId("m"), b'[{"id":"1.0"}]')
    assert msgspec.json.decode(encode(listed))["open_decisions"] == [{"id": "1.0"}]


async def test_loadout_of_a_wrong_shape_is_refused_with_its_place(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(CheckArmy(guest.id(), "counting", Raw(b'{"name":7}')))
    assert (refused.code, refused.place) == ("bad_action", "$.loadout.name")


def test_catalogue_larger_than_the_bound_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogues, "MAX_CATALOGUE_BYTES", 10)
    with pytest.raises(CatalogueTooLarge):
        CatalogueCache().get(CountingRules())
