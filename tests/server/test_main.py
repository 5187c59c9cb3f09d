"""The server is composed as its settings say, and its log can be read line by line."""

import logging

import pytest

from diskwars_client.client import connect
from diskwars_server.__main__ import KeyValueFormatter, load_rulesets, start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store import MemoryStore


def log_line(message: str, **extra: object) -> str:
    made = {"name": "diskwars_server.game", "levelname": "ERROR", "msg": message, "created": 0.5, "msecs": 500.0}
    return KeyValueFormatter().format(logging.makeLogRecord({**made, **extra}))


def test_a_line_of_the_log_says_when_where_what_and_about_what() -> None:
    found = log_line("match retired", match="abc", seat=0)
    assert found == "1970-01-01T00:00:00.500Z error diskwars_server.game: match retired match=abc seat=0"


@pytest.mark.parametrize("value", ["a b", "a=b", 'say "a"', "a\nerror forged", "\x1b[31m", "", "a\u2028b"])
def test_whatever_a_client_calls_itself_stays_within_its_place(value: str) -> None:
    found = log_line("refused", command=value)
    assert found.startswith('1970-01-01T00:00:00.500Z error diskwars_server.game: refused command="')
    assert found.isprintable()


@pytest.mark.parametrize("seed", [None, 7])
async def test_a_match_from_a_seed_says_that_its_dice_prove_nothing(seed: int | None) -> None:
    async with (
        MemoryStore() as store,
        start_server(ServerSettings(port=0, seed=seed), store) as transport,
        connect(transport.url) as client,
    ):
        match = await (await client.open_match()).wait_caught_up()
        assert match.repeatable is (seed is not None)
        assert match.ruleset in load_rulesets()
