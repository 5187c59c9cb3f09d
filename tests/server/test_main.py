"""The server is composed as its settings say."""

import pytest

from diskwars_client.client import connect
from diskwars_server.app import load_rulesets, start_server
from diskwars_server.memory import MemoryDatabase
from diskwars_server.settings import ServerSettings


@pytest.mark.parametrize("seed", [None, 7])
async def test_a_match_from_a_seed_says_that_its_dice_prove_nothing(seed: int | None) -> None:
    async with (
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0, seed=seed), database) as transport,
        connect(transport.url) as client,
    ):
        match = await (await client.open_match()).wait_caught_up()
        assert match.repeatable is (seed is not None)
        assert match.ruleset in load_rulesets()
