"""Every message is unchanged byte for byte, and the examples form one consistent conversation."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from msgspec import Struct

from diskwars_protocol.connection.client_connection import ClientConnection
from diskwars_protocol.connection.connection import ConnectionState, ServerConnection, encode
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.messages import ClientMessage, Request, ServerMessage
from diskwars_protocol.messages.closing import CLOSE_CODES, Closing
from diskwars_protocol.messages.decisions import Act, OptionsResponse
from diskwars_protocol.messages.handshake import Hello
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.rulesets.diskwars.actions import Action, Question
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.refusals import DISKWARS_REFUSAL_CODES
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_protocol.schema import examples, schema
from diskwars_protocol.schema.schema_roots import SchemaRoots
from tests.code_sizes import PACKAGES
from tests.golden_files import assert_golden, format_json
from tests.rows import each_row

SAMPLES = Path(__file__).parents[1] / "samples"
KINDS: tuple[type[Struct], ...] = (*get_args(ClientMessage), *get_args(ServerMessage))
SIDES = {
    **dict.fromkeys(get_args(ClientMessage), ClientMessage),
    **dict.fromkeys(get_args(ServerMessage), ServerMessage),
}

ALL_REFUSAL_CODES = {**REFUSAL_CODES, **DISKWARS_REFUSAL_CODES}


def one_line(text: str) -> bytes:
    """JSON without the spaces and line ends that are there for people; the order of the fields stays."""
    return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")).encode()


@each_row("kind", KINDS, ids=schema.message_tag)
def test_every_message_has_a_sample_that_reads_and_writes_the_same(kind: type[Struct]) -> None:
    file = SAMPLES / f"{schema.message_tag(kind)}.json"
    assert_golden(file, format_json(json.loads(encode(examples.find_example(kind)))) + "\n")
    sample = one_line(file.read_text(encoding="utf-8"))
    message = msgspec.json.decode(sample, type=SIDES[kind])
    assert type(message) is kind
    assert message == examples.find_example(kind)
    assert msgspec.json.encode(message) == sample


def test_there_is_no_sample_of_a_message_that_is_no_more() -> None:
    assert {file.name for file in SAMPLES.iterdir()} == {f"{schema.message_tag(kind)}.json" for kind in KINDS}


def test_no_two_messages_have_one_type_and_every_one_has_an_example() -> None:
    assert len({schema.message_tag(kind) for kind in KINDS}) == len(KINDS)
    assert [type(examples.find_example(kind)) for kind in KINDS] == list(KINDS)


# ---------------------------------------------------------------- the story, told by both ends


def received_messages(story: tuple[examples.AnyMessage, ...], client: ClientConnection) -> Iterator[VerifiedRecords]:
    """Play one socket's story between a client and a new server's end; every frame has to be the one expected."""
    server = ServerConnection()
    for message in story:
        if isinstance(message, Hello):
            frame = client.send_hello()
            assert frame == encode(message)
            assert server.receive(frame.decode()) == message
        elif isinstance(message, Request):
            assert server.receive(client.send(message).decode()) == message
        else:
            heard = client.receive(server.send(message).decode())
            assert isinstance(heard, VerifiedRecords | VerifiedRange) or heard == message
            if isinstance(heard, VerifiedRecords):
                yield heard


def test_the_story_is_a_conversation_that_both_ends_accept() -> None:
    client = ClientConnection("diskwars-terminal 0.1.0")
    bodies = [body for facts in received_messages(examples.FIRST_CONNECTION, client) for body in facts.bodies]
    assert client.unanswered == ()
    client.connection_lost()
    bodies += [body for facts in received_messages(examples.SECOND_CONNECTION, client) for body in facts.bodies]
    assert client.state is ConnectionState.CLOSED
    head = client.head(examples.MATCH)
    assert isinstance(head, Head)
    assert (head.seq, client.unanswered, client.watched) == (3, (), (examples.MATCH, examples.ENDED_MATCH))
    kinds = [[schema.message_tag(type(event)) for event in DISKWARS.decode_body(body).events] for body in bodies]
    assert kinds == [["match_opened"], ["seat_taken"], ["seat_taken"]]


def test_raw_json_in_the_examples_is_that_of_diskwars() -> None:
    for message in examples.CONVERSATION:
        if isinstance(message, Act):
            assert msgspec.json.decode(message.action, type=Action)
        if isinstance(message, OptionsResponse):
            assert msgspec.json.decode(message.options, type=DiskwarsOptions).parametric
        if isinstance(message, Refused):
            assert msgspec.json.decode(message.open_decisions, type=SchemaRoots().types["diskwars.OpenDecisions"])
            assert message.code in ALL_REFUSAL_CODES
        if isinstance(message, Closing):
            assert CLOSE_CODES[message.close_reason] == message.code


# ---------------------------------------------------------------- words of a match


@pytest.mark.parametrize(
    ("words", "shown"), [(Action, examples.ACTIONS), (Question, examples.QUESTIONS)], ids=["actions", "questions"]
)
def test_every_action_and_every_question_has_one_example_that_reads_and_writes_the_same(
    words: object, shown: tuple[Struct, ...]
) -> None:
    kinds = [getattr(kind, "__origin__", kind) for kind in get_args(words)]
    assert sorted(kind.__name__ for kind in kinds) == sorted(type(word).__name__ for word in shown)
    for word in shown:
        raw = msgspec.json.encode(word)
        assert msgspec.json.decode(raw, type=words) == word


# ---------------------------------------------------------------- codes


def refusal_codes_in(package: str) -> Iterator[tuple[str, str]]:
    """Yield every code written as the first argument of `Illegal(...)`, `Refusal(...)` or `Refused(...)`."""
    kinds = ("Illegal", "Refusal", "Refused")
    for file in sorted(PACKAGES[package].rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if node.args and ast.unparse(node.func).rpartition(".")[2] in kinds:
                argument = node.args[0]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, f"{file.name}:{node.lineno}"


@each_row("package", ["diskwars_protocol", "diskwars_engine", "diskwars_server"])
def test_every_refusal_in_the_code_has_a_documented_code(package: str) -> None:
    codes = list(refusal_codes_in(package))
    assert codes, "the search finds nothing at all"
    assert [(code, place) for code, place in codes if code not in ALL_REFUSAL_CODES] == []


def test_every_documented_code_is_one_that_somebody_says() -> None:
    packages = ("diskwars_protocol", "diskwars_engine", "diskwars_server")
    files = [
        file
        for package in packages
        for file in PACKAGES[package].rglob("*.py")
        if file.name not in ("closing.py", "refusals.py")
    ]
    source = "".join(file.read_text(encoding="utf-8") for file in files)
    assert [code for code in (*ALL_REFUSAL_CODES, *CLOSE_CODES) if f'"{code}"' not in source] == []


def test_codes_are_single_words_and_their_meanings_are_plain_sentences() -> None:
    for code, meaning in ALL_REFUSAL_CODES.items():
        assert code.replace("_", "").isalpha()
        assert code == code.lower()
        assert meaning[0].islower()
        assert not meaning.endswith(".")
    assert all(word.replace("_", "").isalpha() for word in CLOSE_CODES)
