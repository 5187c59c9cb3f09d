"""Fuzzed frames through connection and session: nothing but a refusal or a close code may come of them.

`python -m tests.chaos.fuzz_frames 1000000 [SEED]` runs as many as are asked for and tells what came of them.
"""

import asyncio
import collections
import contextlib
import copy
import json
import logging
import random
import time
from collections.abc import Iterator
from typing import Any, get_args

from msgspec import Raw, Struct
from msgspec.structs import replace

from diskwars_protocol.connection.connection import encode
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.decisions import Act, GetOptions
from diskwars_protocol.messages.handshake import Hello, ResumeRequest
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Unwatch, Watch
from diskwars_protocol.schema.examples import find_example
from diskwars_protocol.schema.schema import make_json_schema
from diskwars_server.broadcast.outbox import OutboxClosed
from diskwars_server.lobby.imports import MatchImports
from diskwars_server.processes.file_verifier import FileVerifier, VerifierLimits
from diskwars_server.store.memory.database import MemoryDatabase
from tests.chaos.arguments import make_parser, positive
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

FRAMES_PER_CONNECTION = 50
FRAMES_PER_SERVER = 2_000
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 2**53 - 1, 2**53, -(2**53), 10**30, 1.5, "", "x", "\0", "\ud800", "é", "x" * 70, [], {}),
    *([[]], {"": 0}, {"7": 1}, {"#": "00"}, [1] * 1100, "act", "hello", {"type": "act"}),
)
CLIENT_MESSAGES: tuple[type[Struct], ...] = get_args(ClientMessage)
"""Every kind of message of a client."""


def _edge_values(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield values on both sides of the bounds that the schema of a field states."""
    for inner in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _edge_values(inner)
    for name, step in (("minimum", -1), ("maximum", 1)):
        if name in schema:
            yield from (schema[name], schema[name] + step)
    for name, step in (("minLength", -1), ("maxLength", 1)):
        if name in schema:
            yield from ("x" * schema[name], "x" * max(0, schema[name] + step))
    if "maxItems" in schema:
        each = schema.get("items", {})
        item: Any
        for item in (next(_edge_values(each), "x") if isinstance(each, dict) else "x", {}):
            yield from ([item] * schema["maxItems"], [item] * (schema["maxItems"] + 1))
    if "pattern" in schema:
        yield from ("a-1", "a-1\n", "0" * 32, "0" * 64, "0" * 65, "1.0", "1.4")


def _edges_by_field() -> dict[str, list[Any]]:
    """Return the edge values of each field by its name, in whichever message or part of one it is."""
    values_by_name: dict[str, list[Any]] = {}
    for component in make_json_schema()["definitions"].values():
        for name, schema in component.get("properties", {}).items():
            values = values_by_name.setdefault(name, [])
            values += [value for value in _edge_values(schema) if value not in values]
    return {name: values for name, values in values_by_name.items() if values}


EDGES = _edges_by_field()
VERIFIER = ("sh", "-c", 'cat > /dev/null; echo \'{"code":"import_changed","text":"refused"}\'')
"""Refuses every file that is imported: what verifies files is a process of its own, and is not what is fuzzed."""
ODD_TEXTS = ("1E400", "-0", "NaN", "9" * 400, "9" * 5000, '"\\ud800"', '"\\u0000"', "[" * 13 + "]" * 13, "", " ", "1e5")


def fuzzed_frames(chance: random.Random, match: MatchId) -> Iterator[str | bytes]:
    """Yield frames without end: real messages, some of them damaged as JSON values, as texts or as bytes."""
    while True:
        message = json.loads(encode(_message(chance, match)))
        damage = chance.randrange(10)
        if damage >= 5:
            for _ in range(chance.randrange(1, 3)):
                _damage_value(chance, message)
        text = json.dumps(message, ensure_ascii=chance.random() < 0.5)
        if damage >= 8:
            text = _damage_text(chance, text)
        yield text.encode("utf-8", "surrogatepass") if chance.random() < 0.01 else text


def _message(chance: random.Random, match: MatchId) -> ClientMessage:
    """Return half of the times a message about the match, otherwise the sample of any kind, often about the match."""
    if chance.random() < 0.5:
        return _about_match(chance, match)
    sample: Any = find_example(chance.choice(CLIENT_MESSAGES))
    fields = {name: getattr(sample, name) for name in sample.__struct_fields__}
    changed: dict[str, Any] = {"id": str(chance.randrange(5))} if "id" in fields else {}
    if "match" in fields and chance.random() < 0.8:
        changed["match"] = match
    if "ruleset" in fields and chance.random() < 0.5:
        changed["ruleset"] = "counting"
    message: ClientMessage = replace(sample, **changed)
    return message


def _about_match(chance: random.Random, match: MatchId) -> ClientMessage:
    id, decision = str(chance.randrange(5)), DecisionId(f"{chance.randrange(20)}.{chance.randrange(2)}")
    action = chance.choice(
        (b'{"type":"ready"}', b'{"type":"resign","a":1}', b'{"type":"choose","number":3}', b"{}", b"[]")
    )
    return chance.choice(
        (
            Hello((1,), resume=(ResumeRequest(match, 1),)),
            OpenMatch(id, "counting", 2),
            Watch(id, match, chance.randrange(4)),
            Unwatch(id, match),
            Act(id, match, Raw(action), decision),
            GetOptions(id, match, decision),
            ListMatches(id),
        )
    )


def _damage_value(chance: random.Random, value: Any) -> None:
    """Replace, remove or add something somewhere in an object."""
    while isinstance(inner := chance.choice([*value.values(), None] if value else [None]), dict) and inner:
        value = inner
    name = chance.choice([*value, "new", "7", "type"])
    if chance.random() < 0.2:
        value.pop(name, None)
    else:
        edges = EDGES.get(name, ODD_VALUES) if chance.random() < 0.5 else ODD_VALUES
        value[name] = copy.deepcopy(chance.choice(edges))


def _damage_text(chance: random.Random, text: str) -> str:
    at, until = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    match chance.randrange(4):
        case 0:
            return text[:at] + text[until:]
        case 1:
            return text[:at] + chance.choice(ODD_TEXTS) + text[at:]
        case 2:  # a key that stands twice, with something that is hidden by what follows
            return '{"a":' + chance.choice(ODD_TEXTS) + ',"a":1,' + text[1:]
        case _:
            return text[:at] + chr(chance.randrange(0x110000)) + text[at + 1 :]


class _FaultLog(logging.Handler):
    """Collects what the server did not foresee."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.faults.append(f"{record.getMessage()} {vars(record).get('why', '')} {vars(record).get('where', '')}")


async def run(count: int, seed: int) -> collections.Counter[str]:
    """Send at least `count` frames. Return how often each refusal and close code came; raise for a server fault."""
    chance, found, log = random.Random(seed), collections.Counter[str](), _FaultLog()
    logging.getLogger("diskwars_server").addHandler(log)
    try:
        while found["frames"] < count:
            async with MemoryDatabase() as database:  # a new one now and then, so that its matches stay few
                server = _server_with_imports(database)
                players = await server.connect_and_greet(), await server.connect_and_greet()
                frames = fuzzed_frames(chance, await begin_match(*players))
                enough = min(count, found["frames"] + FRAMES_PER_SERVER)
                while found["frames"] < enough:
                    await _send_all(server, frames, found, chance.random() < 0.9)
                    if log.faults:
                        raise AssertionError(log.faults[0])
                await server.lobby_feed.close()
                await server.matches.close()
    finally:
        logging.getLogger("diskwars_server").removeHandler(log)
    return found


def _server_with_imports(database: MemoryDatabase) -> InMemoryServer:
    server = InMemoryServer(database, live=2_000)
    verifier = FileVerifier(VERIFIER, server.clock, VerifierLimits(seconds=30))
    imports = MatchImports(verifier, database.events, server.services.publish_listing, server.clock, server.clock)
    server.replace_services(imports=imports)
    return server


async def _send_all(
    server: InMemoryServer, frames: Iterator[str | bytes], answers: collections.Counter[str], is_greeted: bool
) -> None:
    client = await server.connect_and_greet() if is_greeted else server.connect()
    for _ in range(FRAMES_PER_CONNECTION):
        if client.outbox.is_closed:
            break
        answers["frames"] += 1
        with contextlib.suppress(OutboxClosed):
            await client.send_frame(next(frames))
    await _count_answers(client, answers)


async def _count_answers(client: InMemoryClient, answers: collections.Counter[str]) -> None:
    if not client.outbox.is_closed:
        await client.outbox.wait_idle()
        client.outbox.close("going_away", "enough")
    while (message := await client.next_message()) is not None:
        match message:
            case Refused():
                answers[f"refused: {message.code}"] += 1
            case Closing():
                answers[f"closed: {message.close_reason}"] += 1
            case _:
                answers["other messages"] += 1
    client.session.close()


def main(words: list[str] | None = None) -> None:
    parser = make_parser("tests.chaos.fuzz_frames", __doc__)
    parser.add_argument("count", type=positive, metavar="FRAMES")
    parser.add_argument("seed", type=int, nargs="?", default=1, metavar="SEED")
    options = parser.parse_args(words)
    began = time.monotonic()
    answers = asyncio.run(run(options.count, options.seed))
    print(f"{answers.pop('frames'):,} frames in {time.monotonic() - began:.0f} s, no fault of the server")
    for what, times in answers.most_common():
        print(f"{times:10,}  {what}")


if __name__ == "__main__":
    main()
