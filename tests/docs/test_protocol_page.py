"""The pages of the protocol agree with the code: examples are the story of `examples.py`, tables the structs.

Blocks marked "json <type>" and tables between "<!-- table <name> -->" and "<!-- end -->" are written by `./dev golden`.
"""

import asyncio
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import Struct

from diskwars_cli.own_server.server_bots import bot_program
from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages import REQUESTS, ClientMessage, ServerMessage
from diskwars_protocol.messages.closing import CLOSE_CODES
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars.actions import Action, Question
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from diskwars_protocol.schema import examples, schema
from diskwars_protocol.schema_types import MAX_COMMAND_ID_LENGTH
from diskwars_server.app import start_server
from diskwars_server.connections.frame_meter import COMMAS_PER_BRACKET, COMMAS_PER_UNIT, CONTROL_FRAME_UNITS
from diskwars_server.limits.address_quotas import FULL_BURSTS, MIN_BURST, QUERIES_PER_SECOND, QUERY_BURST
from diskwars_server.session.requests import RequestTable
from diskwars_server.session.session import MAX_QUERIES_AT_ONCE
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.code_sizes import ROOT
from tests.golden_files import assert_golden, format_json
from tests.protocol.schema.whole_schema import DEFINITIONS
from tests.server.connections.test_game_socket_waiting import SENT_AT_ONCE
from tests.server.in_memory_server import InMemoryServer

DOCS = ROOT / "docs"
PAGES = tuple(DOCS / f"protocol{part}.md" for part in ("", "-match", "-lobby", "-people", "-reference", "-client"))
"""In the order in which messages of the same type are shown."""
BLOCK = re.compile(r"```json (\w+)\n(.*?)```", re.DOTALL)
TABLE = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
STORY = [schema.message_tag(type(message)) for message in examples.CONVERSATION]
SIDES = {schema.message_tag(kind): (kind, side) for side in (ClientMessage, ServerMessage) for kind in get_args(side)}


def page(name: str = "protocol.md") -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def all_pages() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in PAGES)


def words_of(name: str) -> str:
    return " ".join(page(name).split())


TAGS = {
    name.rpartition(".")[2]: definition["properties"]["type"]["const"]
    for name, definition in DEFINITIONS.items()
    if "const" in definition.get("properties", {}).get("type", {})
}


def cells(text: str) -> str:
    """On one line, and what the code calls `DiskFlipped` by the name that it bears on the wire."""
    said = re.sub(r"`([A-Z]\w+)`", lambda found: f"`{TAGS.get(found[1], found[1])}`", text)
    return " ".join(said.replace("|", "\\|").split())


def table(head: str, rows: Iterable[tuple[str, ...]]) -> str:
    columns = head.count("|") + 1
    lines = [head, "|".join(["---"] * columns), *(" | ".join(cells(cell) for cell in row) for row in rows)]
    return "".join(f"| {line} |\n" if "---" not in line else f"|{line}|\n" for line in lines)


def words(shown: Iterable[Struct], head: str) -> str:
    rows = [
        (f"`{schema.message_tag(type(word))}`", f"`{encode_word(word)}`", schema.struct_description(type(word)))
        for word in shown
    ]
    return table(f"{head} | example | meaning", rows)


def encode_word(word: Struct) -> str:
    return json.dumps(json.loads(msgspec.json.encode(word)), ensure_ascii=False)


def events() -> str:
    rows = []
    for reference in DEFINITIONS["diskwars.Event"]["oneOf"]:
        name = reference["$ref"].rpartition("/")[2]
        _, *fields = DEFINITIONS[name]["properties"]
        meaning = DEFINITIONS[name].get("description", "")
        rows.append((f"`{TAGS[name.rpartition('.')[2]]}`", ", ".join(f"`{field}`" for field in fields), meaning))
    return table("event | fields | meaning", rows)


def refusals(codes: Mapping[str, str]) -> str:
    return table("code | meaning", [(f"`{code}`", meaning) for code, meaning in codes.items()])


def requests() -> str:
    """Return what answers each request, and what it costs beside its frame, by the rows of the services."""
    handlers = {row.request: row for row in request_table().handlers.values()}
    listed = []
    for request, answer in REQUESTS.items():
        row = handlers.get(request)
        history = {"unused": "", "strict": "once", "lenient": "twice"}[row.history] if row else ""
        marks = ["yes" if mark else "" for mark in (row and row.counts_query, row and row.waits_turn)]
        names = [f"`{schema.message_tag(kind)}`" for kind in (request, answer)]
        listed.append((*names, marks[0], history, marks[1]))
    return table("request | answer | query | history | in turn", listed)


@cache
def request_table() -> RequestTable:
    return InMemoryServer(MemoryDatabase()).session_context.requests


def generated_tables() -> dict[str, str]:
    return {
        "requests": requests(),
        "refusals": refusals(REFUSAL_CODES),
        "diskwars_refusals": refusals(DISKWARS_REFUSAL_CODES),
        "questions": words(examples.QUESTIONS, "question"),
        "actions": words(examples.ACTIONS, "action"),
        "events": events(),
    }


def place_examples() -> list[tuple[Path, str, int]]:
    """Return the examples of the pages: the page, the type, and the place in the story, -1 outside of it."""
    places: dict[str, Iterator[int]] = {
        tag: iter([n for n, told in enumerate(STORY) if told == tag]) for tag in dict.fromkeys(STORY)
    }
    found = [(file, tag) for file in PAGES for tag, _ in BLOCK.findall(file.read_text(encoding="utf-8"))]
    return [(file, tag, next(places[tag]) if tag in places else -1) for file, tag in found]


def regenerate(file: Path, tables: Mapping[str, str]) -> str:
    """Return a page with every example and every generated table as they ought to be."""
    places = iter([place for page, _, place in place_examples() if page == file])

    def block(found: re.Match[str]) -> str:
        place = next(places)
        message = examples.find_example(SIDES[found[1]][0]) if place < 0 else examples.CONVERSATION[place]
        return f"```json {found[1]}\n{format_json(json.loads(encode(message)))}\n```"

    text = BLOCK.sub(block, file.read_text(encoding="utf-8"))
    return TABLE.sub(lambda found: f"<!-- table {found[1]} -->\n{tables[found[1]]}<!-- end -->", text)


def test_the_pages_show_the_story_and_the_words_as_they_are() -> None:
    tables = generated_tables()
    assert sorted(name for name, _ in TABLE.findall(all_pages())) == sorted(tables)
    for file in PAGES:
        assert_golden(file, regenerate(file, tables))


def test_every_example_is_decoded_by_its_struct() -> None:
    for tag, text in BLOCK.findall(all_pages()):
        kind, side = SIDES[tag]
        assert type(msgspec.json.decode(text, type=side)) is kind


def test_every_message_of_both_unions_has_an_example() -> None:
    shown = place_examples()
    assert sorted(place for _, _, place in shown if place >= 0) == list(range(len(STORY)))
    assert {tag for _, tag, _ in shown} == set(SIDES)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
def test_a_page_tells_its_part_of_the_story_in_order(file: Path) -> None:
    places = [place for page, _, place in place_examples() if page == file and place >= 0]
    assert places == sorted(places)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading."""
    section = re.split("^#+ ", all_pages().split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]


@pytest.mark.parametrize(("heading", "union"), [("Actions", Action), ("Questions", Question)])
def test_every_word_of_a_ruleset_has_an_example_that_is_read(heading: str, union: object) -> None:
    shown = [row[1].strip("`").replace("\\|", "|") for row in rows(heading)]
    read = {type(msgspec.json.decode(text, type=union)) for text in shown}
    assert read == {getattr(kind, "__origin__", kind) for kind in get_args(union)}


def test_the_table_of_refusals_is_that_of_the_code() -> None:
    assert {row[0].strip("`"): row[1] for row in rows("Refusals")} == REFUSAL_CODES
    assert {row[0].strip("`"): row[1] for row in rows("Refusals of Diskwars")} == DISKWARS_REFUSAL_CODES


def test_the_table_of_close_codes_is_that_of_the_code() -> None:
    assert {row[1].strip("`"): int(row[0]) for row in rows("Closing")} == CLOSE_CODES


def test_the_table_of_limits_is_that_of_the_code() -> None:
    limits = msgspec.to_builtins(DEFAULT_CLIENT_LIMITS)
    assert {row[0].strip("`"): int(row[1]) for row in rows("Limits")} == limits
    assert (
        f"holds at most {DEFAULT_CLIENT_LIMITS.frame_bytes // 1024} KiB "
        f"and nests at most {DEFAULT_CLIENT_LIMITS.json_depth} deep" in page()
    )
    assert f"At most {DEFAULT_CLIENT_LIMITS.commands_in_flight} commands" in page()
    assert f"Of {SENT_AT_ONCE} commands sent at once" in page()
    assert f"1 to {MAX_COMMAND_ID_LENGTH} characters" in page()


def test_the_page_says_how_many_frames_an_address_may_send_and_what_a_frame_costs() -> None:
    text = words_of("protocol.md")
    full = DEFAULT_CLIENT_LIMITS.frame_burst
    words = {4: "four", 5: "five", 8: "eight", 10: "ten"}
    seconds = words[full // DEFAULT_CLIENT_LIMITS.frames_per_second]
    assert f"An address may begin {words[FULL_BURSTS]} connections with {full} at the same moment" in text
    assert f"{full} after {seconds} seconds, and a connection gets at least {MIN_BURST}." in text
    assert f"A ping or pong counts {words[CONTROL_FRAME_UNITS]} times." in text
    assert f"for each {COMMAS_PER_UNIT} commas" in text
    assert f"an opening bracket counts as {words[COMMAS_PER_BRACKET]}." in text


def test_the_reference_has_the_quotas_of_queries() -> None:
    text = words_of("protocol-reference.md")
    assert f"{QUERY_BURST} at once, {QUERIES_PER_SECOND} a second" in text
    assert f"{('no', 'one', 'two')[MAX_QUERIES_AT_ONCE]} of these requests of a node are worked on at once" in text
    names = {schema.message_tag(kind) for kind in get_args(ServerMessage)} - {"welcome"}
    unasked = names - {schema.message_tag(answer) for answer in REQUESTS.values()} - {"refused"}
    assert unasked <= {name for row in rows("Messages without a request") for name in re.findall(r"`(\w+)`", row[0])}


def test_links_of_the_pages_lead_somewhere() -> None:
    headings = {
        (file.name, re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-"))
        for file in PAGES
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.startswith("#")
    }
    for file in PAGES:
        for target in re.findall(r"\]\(([^)]+)\)", file.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            name = name or file.name
            assert (DOCS / name).is_file(), target
            assert not anchor or DOCS / name not in PAGES or (name, anchor) in headings, target


def test_core_of_the_protocol_is_short() -> None:
    assert len(page().split()) <= 6_000


async def test_client_of_the_page_plays_a_match_to_its_end(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", page(), re.DOTALL)
    assert program.count("\n") <= 60
    (tmp_path / "first_client.py").write_text(program)
    settings = ServerSettings(port=0, bot_workers=1)
    async with MemoryDatabase() as database, start_server(settings, database, bots=bot_program()) as transport:
        client = await asyncio.create_subprocess_exec(
            *(sys.executable, "first_client.py", transport.url), cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(50):
            printed = (await client.communicate())[0].decode()
    assert client.returncode == 0
    assert "'winners': [" in printed
