"""Bots that a node has met: those that are shown next are never those that are forgotten."""

import pytest

from diskwars_server.players import known_bots
from diskwars_server.players.known_bots import KnownBots
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.memory.database import MemoryDatabase

NAMES = ("archer", "boar", "crow", "dove")


async def test_bots_that_were_asked_for_longest_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_bots, "MAX_KNOWN", 3)
    async with MemoryDatabase() as database:
        for name in NAMES:
            account = StoredAccount(name, name, name, "hash", 1, is_bot=True)
            await database.accounts.register(account, StoredDevice(name, "d", name.encode(), 1, 1, "phone"))
        bots = KnownBots(database.accounts)
        await bots.look_up(["archer", "boar", "crow", "ann", None, "bot-steady"])
        await bots.look_up(["archer", "dove"])
        assert [name in bots for name in (*NAMES, "ann")] == [True, False, True, True, False]
