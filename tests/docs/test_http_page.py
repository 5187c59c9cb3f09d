"""The page of the HTTP interface: its bot plays a match, and its tables are complete."""

import asyncio
import re
import sys
from pathlib import Path

from diskwars_server.api.problems import HTTP_CODES
from diskwars_server.app import load_rulesets
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.api.served_api import make_api, serving_api
from tests.server.api.test_writes import player, post
from tests.server.in_memory_server import InMemoryServer

PAGE = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
MAX_LINES = 60


async def test_bot_of_the_page_plays_a_match_to_its_end(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert program.count("\n") < MAX_LINES
    (tmp_path / "http_bot.py").write_text(program)
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets=load_rulesets())
        (_, first), (_, second) = await player(node, "Ann"), await player(node, "Ben")
        async with serving_api(node) as url:
            opened = await post(url, "/matches", first.token, id="1", ruleset="pit", seat_count=2)
            site = url.replace("ws://", "http://").removesuffix("/ws")
            bots = [
                await asyncio.create_subprocess_exec(
                    *(sys.executable, "http_bot.py", site, made.token, opened.json["match"]),
                    cwd=tmp_path,
                    stdout=asyncio.subprocess.PIPE,
                )
                for made in (first, second)
            ]
            async with asyncio.timeout(50):
                printed = [(await bot.communicate())[0].decode() for bot in bots]
        assert (await node.state(opened.json["match"])).status == "ended"
        await node.matches.close()
    assert printed[0] == printed[1]
    assert "winners: [" in printed[0]


async def test_every_path_and_every_code_of_its_own_is_on_the_page() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        paths = {operation.path.partition("{")[0].rstrip("/") for operation in make_api(node).operations}
        await node.matches.close()
    assert [path for path in sorted(paths) if f"`{path}" not in PAGE and path] == []
    assert [code for code in HTTP_CODES if f"| `{code}` |" not in PAGE] == []
