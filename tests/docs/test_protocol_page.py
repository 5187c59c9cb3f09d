"""docs/protocol.md agrees with the code: its examples are the story of `examples.py`, its tables the structs.

Blocks marked "json <type>" and tables between "<!-- table <name> -->" and "<!-- end -->" are written by `./dev golden`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import get_args

import msgspec
import pytest
from msgspec import Struct

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.messages import REQUESTS, ClientMessage, ServerMessage
from diskwars_protocol.messages.closing import CLOSE_CODES
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars.actions import Action, Question
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from diskwars_protocol.schema import examples, schema
from diskwars_protocol.schema_types import MAX_COMMAND_ID_LENGTH
from diskwars_server.connections.frame_meter import COMMAS_PER_BRACKET, COMMAS_PER_UNIT, CONTROL_FRAME_UNITS
from diskwars_server.limits.address_quotas import FULL_BURSTS, MIN_BURST
from tests.code_sizes import ROOT
from tests.golden_files import assert_golden, format_json
from tests.protocol.schema.whole_schema import DEFINITIONS
from tests.server.connections.test_game_socket_waiting import SENT_AT_ONCE

PAGE = ROOT / "docs" / "protocol.md"
BLOCK = re.compile(r"```json (\w+)\n(.*?)```", re.DOTALL)
TABLE = re.compile(r"<!-- table (\w+) -->\n(.*?)<!-- end -->", re.DOTALL)
SIDES = {schema.message_tag(kind): (kind, side) for side in (ClientMessage, ServerMessage) for kind in get_args(side)}


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


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


def regenerate(text: str) -> str:
    """Return the page with every example and every generated table as they ought to be."""
    tables = {
        "refusals": refusals(REFUSAL_CODES),
        "diskwars_refusals": refusals(DISKWARS_REFUSAL_CODES),
        "questions": words(examples.QUESTIONS, "question"),
        "actions": words(examples.ACTIONS, "action"),
        "events": events(),
    }
    story = iter(examples.CONVERSATION)
    told = {schema.message_tag(type(message)) for message in examples.CONVERSATION}

    def block(found: re.Match[str]) -> str:
        message = next(story) if found[1] in told else examples.find_example(SIDES[found[1]][0])
        tag = schema.message_tag(type(message))
        return f"```json {tag}\n{format_json(json.loads(encode(message)))}\n```"

    text = BLOCK.sub(block, text)
    return TABLE.sub(lambda found: f"<!-- table {found[1]} -->\n{tables[found[1]]}<!-- end -->", text)


def test_the_page_shows_the_story_and_the_words_as_they_are() -> None:
    assert_golden(PAGE, regenerate(page()))


def test_every_example_is_decoded_by_its_struct() -> None:
    for tag, text in BLOCK.findall(page()):
        kind, side = SIDES[tag]
        assert type(msgspec.json.decode(text, type=side)) is kind


def test_every_message_of_both_unions_has_an_example() -> None:
    told = [schema.message_tag(type(message)) for message in examples.CONVERSATION]
    assert [tag for tag, _ in BLOCK.findall(page()) if tag in told] == told
    assert {tag for tag, _ in BLOCK.findall(page())} == set(SIDES)


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading."""
    section = re.split("^#+ ", page().split(f"# {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
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
    text = " ".join(page().split())
    full = DEFAULT_CLIENT_LIMITS.frame_burst
    words = {4: "four", 5: "five", 8: "eight", 10: "ten"}
    seconds = words[full // DEFAULT_CLIENT_LIMITS.frames_per_second]
    assert f"An address may begin {words[FULL_BURSTS]} connections with {full} at the same moment" in text
    assert f"{full} after {seconds} seconds, and a connection gets at least {MIN_BURST}." in text
    assert f"A ping or pong counts {words[CONTROL_FRAME_UNITS]} times." in text
    assert f"for each {COMMAS_PER_UNIT} commas" in text
    assert f"an opening bracket counts as {words[COMMAS_PER_BRACKET]}." in text


def test_the_first_table_says_what_answers_what() -> None:
    said = {who: what for who, what, _ in ([c.strip() for c in line.split("|")[2:]] for line in first_table())}
    for ask, answer in REQUESTS.items():
        ways = [answers for asks, answers in said.items() if f"`{schema.message_tag(ask)}`" in asks]
        assert len(ways) == 1
        assert f"`{schema.message_tag(answer)}`" in ways[0]


def first_table() -> list[str]:
    return [line for line in page().split("\n## ", 1)[0].splitlines() if line.startswith("| ")][1:]


def test_links_of_the_page_lead_somewhere() -> None:
    headings = {
        "#" + re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in page().splitlines()
        if line.startswith("#")
    }
    for target in re.findall(r"\]\(([^)]+)\)", page()):
        assert target in headings or (PAGE.parent / target.partition("#")[0]).is_file(), target
