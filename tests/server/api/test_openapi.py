"""The OpenAPI document is complete, and a running server keeps it."""

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_server.api import writes
from diskwars_server.api.openapi import make_openapi
from diskwars_server.api.operations import API_PREFIX
from diskwars_server.api.problems import code_text
from diskwars_server.api.reference_page import make_reference_page
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.effort import count_of
from tests.server.api.served_api import get_api, make_api, serving_api
from tests.server.api.test_writes import player
from tests.server.http.test_board_pictures import Painter
from tests.server.in_memory_server import InMemoryServer
from tests.server.lobby.test_imports import PIT, imported, make_node

EXAMPLE_MATCH = "c9dk2n5ytxgw"
SECONDS = 200
# Bodies hold the actions of all rulesets: what covers each of their keywords takes a minute and a half.
# JSON Schema takes 5.0 for a whole number, and frames do not: records hold whole numbers in one spelling.
CONFIGURATION = """
[[operations]]
include-method = "POST"
checks.positive_data_acceptance.enabled = false
phases.coverage.enabled = false
"""


@pytest.fixture
async def memory_node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


@pytest.fixture
async def document(memory_node: InMemoryServer) -> dict[str, Any]:
    return make_openapi(make_api(memory_node).operations, "1.2.3")


def operations_of(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["operationId"]: row for path in document["paths"].values() for row in path.values()}


async def test_every_operation_has_a_summary_an_example_and_every_problem(document: dict[str, Any]) -> None:
    for id, operation in operations_of(document).items():
        assert operation["summary"], id
        assert operation["description"], id
        assert {"200", "400", "429", "500", "503"} <= set(operation["responses"]), id
        for parameter in operation["parameters"]:
            assert parameter["in"] != "path" or "example" in parameter, (id, parameter["name"])
        for status, response in operation["responses"].items():
            for content_type, media in response.get("content", {}).items():
                if content_type == "application/json" and id != "get_openapi":
                    assert media["example"], id
                for code, example in media.get("examples", {}).items():
                    assert (example["value"]["code"], example["value"]["status"]) == (code, int(status))
                    assert code_text(code), code


async def test_schemas_are_valid_and_examples_fit_them(document: dict[str, Any]) -> None:
    names = document["components"]["schemas"]
    for operation in operations_of(document).values():
        for media in (m for r in operation["responses"].values() for m in r.get("content", {}).values()):
            shown = [media["example"]] if "example" in media else []
            for value in (*shown, *(example["value"] for example in media.get("examples", {}).values())):
                schema = {**media["schema"], "components": {"schemas": names}}
                jsonschema.Draft202012Validator.check_schema(schema)
                jsonschema.Draft202012Validator(schema).validate(value)
        for parameter in operation["parameters"]:
            if "example" in parameter:
                jsonschema.Draft202012Validator(parameter["schema"]).validate(parameter["example"])


async def test_document_and_page_are_served_without_anything_foreign(memory_node: InMemoryServer) -> None:
    async with serving_api(memory_node) as url:
        document, page = await get_api(url, "/openapi.json"), await get_api(url, "")
        zipped = await get_api(url, "/openapi.json", Accept_Encoding="gzip")
    assert set(operations_of(document.json)) == {operation.id for operation in make_api(memory_node).operations}
    assert (zipped.headers["Content-Encoding"], len(zipped.body) < len(document.body) / 4) == ("gzip", True)
    assert all(f"id='{operation.id}'".encode() in page.body for operation in make_api(memory_node).operations)
    assert b"<script" not in page.body
    assert b"//" not in page.body.replace(b"http://localhost:8765", b"")
    assert "script" not in page.headers["Content-Security-Policy"]


async def test_page_escapes_what_it_shows(memory_node: InMemoryServer) -> None:
    page = make_reference_page(make_api(memory_node).operations, "<b>1</b>")
    assert b"&lt;b&gt;1" in page
    assert b"<b>" not in page


@pytest.mark.timeout(SECONDS + 40)
async def test_running_server_keeps_the_document(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = shutil.which("schemathesis", path=str(Path(sys.executable).parent))
    assert program, "it is among the packages for development"
    monkeypatch.setattr(writes, "FOLLOW_SECONDS", 0.05)
    async with PostgresDatabase(database_url) as database:
        node = make_node(database)
        client, made = await player(node, "Ann")
        found = await imported(client, PIT)
        assert isinstance(await client.request(OpenMatch(client.id(), "pit", 2)), Opened)
        pictures = BoardPictures(node.matches, Painter(tmp_path).command, node.clock)
        async with serving_api(node, pictures) as url:
            site = url.replace("ws://", "http://").removesuffix("/ws") + API_PREFIX
            document = (await get_api(url, "/openapi.json")).body.decode().replace(EXAMPLE_MATCH, found.match)
            (tmp_path / "openapi.json").write_text(document)
            (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
            command = [program, "run", "openapi.json", "--url", site, "--phases", "examples,coverage,fuzzing"]
            command += ["--max-examples", str(count_of(15, 10)), "--seed", "7", "--no-color"]
            # It writes no bodies of this type; tests/server/api/test_writes.py sends bad files.
            command += ["--exclude-path", "/imports"]
            command += ["--header", f"Authorization: Bearer {made.token}", "--request-timeout", "30"]
            running = await asyncio.create_subprocess_exec(
                *command, cwd=tmp_path, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
            )
            try:
                async with asyncio.timeout(SECONDS):
                    output, _ = await running.communicate()
            finally:
                if running.returncode is None:
                    running.kill()
                    await running.wait()
        await node.matches.close()
    assert running.returncode == 0, output.decode()[-6000:]
    assert json.loads(document)["paths"]
