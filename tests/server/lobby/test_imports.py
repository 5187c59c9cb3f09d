"""Match files are imported: verified, marked, the same file as the same match, and refused with a code and a line."""

import asyncio
import base64
import json
import sys
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.file_programs import verifier_command
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages import ClientMessage, ServerMessage
from diskwars_protocol.messages.files import (
    MAX_PART_BYTES,
    FinishImport,
    ImportPart,
    ImportPartReceived,
    ImportStarted,
    MatchImported,
    StartImport,
)
from diskwars_protocol.messages.lists import ListMatches, MatchList, SearchMatches
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.opening import CloseMatch, Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_protocol.records.match_file import read_file
from diskwars_server.app import load_rulesets
from diskwars_server.lobby.imports import DEFAULT_IMPORT_LIMITS, ImportLimits, MatchImports, read_records
from diskwars_server.processes.file_verifier import FileVerifier, VerifierLimits
from diskwars_server.store.database import Database
from diskwars_server.store.errors import WrongVersion
from diskwars_server.store.event_log import StoredImport
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.database import MemoryDatabase
from tests.client.match_files import greedy_records, match_file, seal_records, write_match_file
from tests.golden.write_files import FOLDER, SUFFIX, todays_file
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

VERIFIER = verifier_command()
RULESETS = load_rulesets()
LIMITS = VerifierLimits(seconds=40)
HOUR_MS = 3_600_000
HOME, ELSEWHERE = "203.0.113.1", "198.51.100.7"


def golden(name: str) -> bytes:
    return todays_file(name)


PIT = golden("pit-counted")


def make_node(
    database: Database,
    command: tuple[str, ...] = VERIFIER,
    verifying: VerifierLimits = LIMITS,
    importing: ImportLimits = DEFAULT_IMPORT_LIMITS,
) -> InMemoryServer:
    node = InMemoryServer(database, rulesets=RULESETS)
    verifier = FileVerifier(command, node.clock, verifying) if command else None
    imports = MatchImports(verifier, database.events, node.services.publish_listing, node.clock, node.clock, importing)
    node.replace_services(imports=imports)
    return node


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = make_node(database)
        yield server
        await server.matches.close()


async def upload(client: InMemoryClient, raw: bytes, *, compressed: bytes = b"") -> ServerMessage:
    """Send a file in parts and return the answer to the last request."""
    compressed = compressed or zlib.compress(raw)
    answer = await client.request(StartImport(client.id(), len(compressed)))
    if isinstance(answer, Refused):
        return answer
    for offset in range(0, len(compressed), MAX_PART_BYTES):
        data = base64.b64encode(compressed[offset : offset + MAX_PART_BYTES]).decode()
        answer = await client.request(ImportPart(client.id(), offset, data))
        assert isinstance(answer, ImportPartReceived), answer
    return await client.request(FinishImport(client.id()))


async def imported(client: InMemoryClient, raw: bytes) -> MatchImported:
    answer = await upload(client, raw)
    assert isinstance(answer, MatchImported), answer
    return answer


async def refused(client: InMemoryClient, raw: bytes) -> tuple[str, str | None]:
    answer = await upload(client, raw)
    assert isinstance(answer, Refused), answer
    return answer.code, answer.place


async def summaries(
    client: InMemoryClient, *, mine: bool = False, free_seat: bool = False
) -> dict[MatchId, MatchSummary]:
    answer = await client.request(ListMatches(client.id(), mine=mine, has_free_seat=free_seat))
    assert isinstance(answer, MatchList)
    return {found.match: found for found in answer.matches}


# ---------------------------------------------------------------- what an import is


@pytest.mark.parametrize("name", ["pit-agreements", "close-quarters-random", "regiments-secret", "diskwars"])
async def test_imported_match_is_given_out_as_its_file_was(node: InMemoryServer, name: str) -> None:
    # A match of Diskwars is played afresh: the pack of those that are kept may have been corrected since.
    raw, client = match_file() if name == "diskwars" else golden(name), await node.connect_and_greet()
    found = await imported(client, raw)
    assert (found.match, found.is_new) == (read_file(raw).header.match, True)
    game = await node.matches.find(found.match)
    assert await game.exports.export(client.player) == raw
    watching = await client.request(Watch(client.id(), found.match, reveal_secrets=True))
    assert isinstance(watching, Watching)
    assert (watching.head, watching.seat) == (found.records, None)


async def test_import_is_marked_and_only_the_importers_own(database: Database) -> None:
    node = make_node(database)
    importer, other = await node.connect_and_greet(), await node.connect_and_greet()
    found = await imported(importer, match_file())
    summary = (await summaries(other))[found.match]
    assert summary.imported
    assert summary.status == "ended"
    assert summary.records == found.records
    assert summary.created_ms == node.clock()
    assert not summary.match_options.rated
    assert all(seat.player is None for seat in summary.seats)
    assert summary.armies
    assert summary.result is not None
    assert summary.result.winners
    assert found.match in await summaries(importer, mine=True)
    assert found.match not in await summaries(other, mine=True)
    assert found.match not in await summaries(other, free_seat=True)
    answer = await other.request(SearchMatches(other.id(), army=summary.armies[0]))
    assert isinstance(answer, MatchList)
    assert [each.match for each in answer.matches] == [found.match]
    await node.matches.close()


def unwatched_match_file() -> bytes:
    """Return the file of a match that nobody but its players may watch."""
    first, *others = greedy_records()
    opened, *rest = first.events
    assert isinstance(opened, MatchOpened)
    options = replace(opened.match_options, watchers="none")
    events = replace(opened, match_options=options), *rest
    return write_match_file(seal_records([replace(first, events=events), *others]))


async def test_match_without_watchers_is_watched_by_its_importer_alone(database: Database) -> None:
    raw, node = unwatched_match_file(), make_node(database)
    importer, other = await node.connect_and_greet(), await node.connect_and_greet()
    found = await imported(importer, raw)
    await node.matches.close()
    node = make_node(database)  # it is the same after a restart
    importer, other = await node.connect_and_greet(importer.token), await node.connect_and_greet()
    watching = await importer.request(Watch(importer.id(), found.match, reveal_secrets=True))
    assert isinstance(watching, Watching)
    refused = await other.expect_refused(Watch(other.id(), found.match))
    assert refused.code == "not_watchable"
    await node.matches.close()


async def test_player_whom_a_file_names_has_no_match_of_it(node: InMemoryServer) -> None:
    players = {event["player"] for event in _events(PIT) if event["type"] == "seat_taken"}
    client = await node.connect_and_greet()
    await imported(client, PIT)
    for player in players:
        assert await node.database.matches.list_matches(viewer=player) != []
        answer = await client.request(SearchMatches(client.id(), player=PlayerId(player)))
        assert isinstance(answer, MatchList)
        assert answer.matches == ()


async def test_no_seat_of_an_imported_match_can_be_taken(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    match = (await imported(client, PIT)).match
    await client.request(Watch(client.id(), match))
    action = {"type": "take_seat", "chain_head": "11" * 16, "loadout": {}}
    answer = await client.expect_refused(client.act_message(match, None, action))
    assert answer.code == "match_ended"


async def test_same_file_is_the_same_match_for_everybody(database: Database) -> None:
    node = make_node(database)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    before = await imported(first, PIT)
    again = [await imported(first, PIT), await imported(second, PIT)]
    assert [(found.match, found.records, found.is_new) for found in again] == [
        (before.match, before.records, False),
        (before.match, before.records, False),
    ]
    assert before.match not in await summaries(second, mine=True)
    await node.matches.close()


async def test_match_that_was_played_here_stays_what_it_is(node: InMemoryServer) -> None:
    """Another match of the same id cannot take its place."""
    client = await node.connect_and_greet()
    records = read_records(zlib.compress(PIT), client.player)
    match = read_file(PIT).header.match
    await node.database.events.import_match(StoredImport(match, records[:-1], any_listing(node, client, match)))
    assert await refused(client, PIT) == ("import_conflict", "$[0].match")
    assert await node.database.events.heads([match]) == {match: len(records) - 1}


def any_listing(node: InMemoryServer, client: InMemoryClient, match: str) -> Listing:
    return Listing(match, "pit", "ended", (None, None), client.player, node.clock(), node.clock(), imported=True)


async def test_store_takes_a_whole_match_once(database: Database) -> None:
    node = make_node(database)
    client = await node.connect_and_greet()
    match, records = read_file(PIT).header.match, read_records(zlib.compress(PIT), client.player)
    stored = StoredImport(match, records, any_listing(node, client, match))
    await database.events.import_match(stored)
    assert await database.events.read(match) == records
    with pytest.raises(WrongVersion):
        await database.events.import_match(stored)
    assert await database.events.read(match) == records
    await node.matches.close()


# ---------------------------------------------------------------- files that are refused


def _events(raw: bytes) -> list[dict[str, str]]:
    return [event for body in read_file(raw).bodies for event in json.loads(body)["events"]]


def _lines(raw: bytes) -> list[bytes]:
    return raw.splitlines(keepends=True)


async def test_cut_changed_and_unfinished_files_are_refused_with_the_line(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    lines = _lines(PIT)
    changed = PIT.replace(b'"at_ms":0', b'"at_ms":1', 1)
    assert await refused(client, PIT[:-10]) == ("import_cut", f"$[{len(lines) - 1}]")
    assert await refused(client, b"".join(lines[:8])) == ("import_unfinished", "$[7]")
    assert await refused(client, changed) == ("import_changed", "$[1]")
    assert await refused(client, lines[0] + b"".join(lines[2:])) == ("import_changed", "$[1]")
    assert await refused(client, b"no match file at all\n") == ("import_changed", "$[0]")
    assert await refused(client, b"\xff\xfe") == ("import_changed", "$[0]")
    assert await refused(client, PIT + PIT) == ("import_changed", f"$[{len(lines)}]")
    assert await node.database.matches.list_matches() == []


async def test_match_that_was_closed_before_it_began_is_refused(node: InMemoryServer) -> None:
    elsewhere = InMemoryServer(MemoryDatabase(), rulesets=RULESETS)
    await elsewhere.database.open()
    opener, client = await elsewhere.connect_and_greet(), await node.connect_and_greet()
    opened = await opener.request(OpenMatch(opener.id(), "pit", 2))
    assert isinstance(opened, Opened)
    await opener.expect_accepted(CloseMatch(opener.id(), opened.match))
    raw = await (await elsewhere.matches.find(opened.match)).exports.export(opener.player)
    assert await refused(client, raw) == ("import_unfinished", "$[2]")
    await elsewhere.matches.close()


async def test_file_of_another_format_or_game_is_refused(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    newer = PIT.replace(b'"format":1', b'"format":2', 1)
    later_field = PIT.replace(b'"ruleset":"pit"}', b'"ruleset":"pit","later":1}', 1)
    other_game = PIT.replace(b'"ruleset":"pit"}', b'"ruleset":"chess"}', 1)
    assert await refused(client, newer) == ("import_newer_format", "$[0]")
    assert await refused(client, later_field) == ("import_newer_format", "$[0]")
    assert (await refused(client, other_game))[0] == "unknown_ruleset"


async def test_file_with_a_pack_that_is_not_here_is_refused(node: InMemoryServer) -> None:
    """Its match was played with the core pack as it was before a correction."""
    client = await node.connect_and_greet()
    assert await refused(client, golden("diskwars-points")) == ("missing_pack", "$[1]")


async def test_file_of_the_first_version_of_the_pit_is_refused_for_its_pack(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    assert await refused(client, (FOLDER / f"pit-counted{SUFFIX}").read_bytes()) == ("missing_pack", "$[1]")
    assert await summaries(client) == {}


async def test_file_that_other_rules_decided_is_refused(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    assert (await refused(client, golden("diskwars-upgrade")))[0] in ("import_other_rules", "missing_pack")


async def test_file_that_is_too_large_is_refused_before_and_after_it_was_unpacked() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, importing=ImportLimits(file_bytes=len(PIT)))
        client = await node.connect_and_greet()
        assert await refused(client, PIT + b" ") == ("import_too_large", None)
        declared = await client.expect_refused(StartImport(client.id(), len(PIT) + 1))
        assert (declared.code, declared.place) == ("import_too_large", "$.compressed_bytes")
        assert declared.numbers == {"bytes": len(PIT)}
        assert (await upload(client, b"", compressed=zlib.compress(bytes(50_000_000)))).code == "import_too_large"  # type: ignore[union-attr]
        assert (await imported(client, PIT)).is_new
        await node.matches.close()


async def test_server_without_a_verifier_takes_no_files() -> None:
    async with MemoryDatabase() as database:
        for node in (
            InMemoryServer(database),
            make_node(database, ()),
            make_node(database, importing=ImportLimits(file_bytes=0)),
        ):
            client = await node.connect_and_greet()
            assert await refused(client, PIT) == ("import_off", None)
            await node.matches.close()


# ---------------------------------------------------------------- uploads that go wrong


async def test_parts_have_to_fit_together(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()

    async def code(request: ClientMessage) -> tuple[str, str | None]:
        answer = await client.expect_refused(request)
        return answer.code, answer.place

    part = base64.b64encode(b"abc").decode()
    assert await code(ImportPart(client.id(), 0, part)) == ("bad_import", None)
    assert await code(FinishImport(client.id())) == ("bad_import", None)
    await client.request(StartImport(client.id(), 5))
    assert await code(ImportPart(client.id(), 1, part)) == ("bad_import", "$.offset")
    assert await code(ImportPart(client.id(), 0, "abc=d")) == ("bad_import", "$.data")
    assert await code(ImportPart(client.id(), 0, "abcde")) == ("bad_import", "$.data")
    await client.request(ImportPart(client.id(), 0, part))
    assert await code(ImportPart(client.id(), 3, part)) == ("bad_import", "$.data")
    assert await code(FinishImport(client.id())) == ("bad_import", None)
    await client.request(ImportPart(client.id(), 3, base64.b64encode(b"de").decode()))
    assert await code(FinishImport(client.id())) == ("bad_import", None)  # not compressed


async def test_rest_after_the_compressed_file_is_refused(node: InMemoryServer) -> None:
    client = await node.connect_and_greet()
    for compressed in (zlib.compress(PIT) + b"rest", zlib.compress(PIT)[:-4]):
        answer = await upload(client, b"", compressed=compressed)
        assert isinstance(answer, Refused)
        assert answer.code == "bad_import"


async def test_idle_upload_gives_up_its_place() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, importing=ImportLimits(uploads=1, idle_seconds=1))
        idle, busy = await node.connect_and_greet(), await node.connect_and_greet()
        await idle.request(StartImport(idle.id(), 100))
        full = await busy.expect_refused(StartImport(busy.id(), 100))
        assert full.code == "too_many_imports"
        assert full.retry_after_ms
        async with asyncio.timeout(40):
            while isinstance(await busy.request(StartImport(busy.id(), 100)), Refused):
                await asyncio.sleep(0.05)
        assert (await idle.expect_refused(FinishImport(idle.id()))).code == "bad_import"
        await node.matches.close()


async def test_uploads_of_one_address_leave_places_for_others() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, importing=ImportLimits(uploads=3, uploads_per_address=2))
        own = [await node.connect_and_greet(address=HOME) for _ in range(3)]
        for client in own[:2]:
            assert isinstance(await client.request(StartImport(client.id(), 100)), ImportStarted)
        full = await own[2].expect_refused(StartImport(own[2].id(), 100))
        assert (full.code, bool(full.retry_after_ms)) == ("too_many_imports", True)
        other = await node.connect_and_greet(address=ELSEWHERE)
        for client in (other, own[0]):  # a client with a place may begin again
            assert isinstance(await client.request(StartImport(client.id(), 100)), ImportStarted)
        await node.matches.close()


async def test_uploads_hold_few_of_the_largest_files() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, importing=ImportLimits(file_bytes=1000, largest_files=2))
        clients = [await node.connect_and_greet(address=f"192.0.2.{number}") for number in range(3)]
        for client in clients[:2]:
            assert isinstance(await client.request(StartImport(client.id(), 900)), ImportStarted)
        full = await clients[2].expect_refused(StartImport(clients[2].id(), 201))
        assert (full.code, bool(full.retry_after_ms)) == ("too_many_imports", True)
        # One that begins again frees what it had.
        for client, size in ((clients[2], 200), (clients[0], 100), (clients[2], 1000)):
            assert isinstance(await client.request(StartImport(client.id(), size)), ImportStarted)
        second = await node.connect_and_greet(address="192.0.2.0")
        assert (await second.expect_refused(StartImport(second.id(), 901))).code == "too_many_imports"
        await node.matches.close()


async def test_upload_that_never_ends_is_ended_and_a_closed_connection_has_none() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, importing=ImportLimits(uploads=1, upload_seconds=5))
        slow = await node.connect_and_greet()
        await slow.request(StartImport(slow.id(), 100))
        node.clock.now += 5_000
        answer = await slow.expect_refused(ImportPart(slow.id(), 0, "abcd"))
        assert answer.code == "bad_import"
        await slow.request(StartImport(slow.id(), 100))
        slow.session.close()
        other = await node.connect_and_greet()
        assert isinstance(await other.request(StartImport(other.id(), 100)), ImportStarted)
        await node.matches.close()


# ---------------------------------------------------------------- slow files


def slow_program(tmp_path: Path) -> tuple[str, ...]:
    program = tmp_path / "slow.py"
    program.write_text("import sys, time\nsys.stdin.buffer.read()\ntime.sleep(60)\n")
    return sys.executable, str(program)


async def test_slow_file_is_given_up_and_its_address_pays_for_the_time(tmp_path: Path) -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, slow_program(tmp_path), VerifierLimits(seconds=1))
        slow, neighbour = await node.connect_and_greet(address=HOME), await node.connect_and_greet(address=HOME)
        other = await node.connect_and_greet(address=ELSEWHERE)
        assert [await refused(slow, PIT) for _ in range(4)] == [("import_too_slow", None)] * 4
        limited = await upload(neighbour, PIT)
        assert isinstance(limited, Refused)
        assert limited.code == "too_many_imports"
        assert limited.retry_after_ms
        assert await refused(other, PIT) == ("import_too_slow", None)
        node.clock.now += HOUR_MS
        assert await refused(slow, PIT) == ("import_too_slow", None)
        await node.matches.close()


async def test_other_requests_go_on_while_a_file_is_verified(tmp_path: Path) -> None:
    async with MemoryDatabase() as database:
        node = make_node(database, slow_program(tmp_path))
        client = await node.connect_and_greet()
        compressed = zlib.compress(PIT[:2000])
        await client.request(StartImport(client.id(), len(compressed)))
        await client.request(ImportPart(client.id(), 0, base64.b64encode(compressed).decode()))
        await client.send_message(FinishImport("finish"))
        assert await summaries(client) == {}
        again = await client.expect_refused(StartImport(client.id(), 10))
        assert again.code == "too_many_imports"
        client.session.close()
        await node.matches.close()


async def test_verdict_of_a_program_that_fails_is_a_refusal(tmp_path: Path) -> None:
    program = tmp_path / "broken.py"
    program.write_text("print('no verdict')\n")
    async with MemoryDatabase() as database:
        for command in ((sys.executable, str(program)), ("/nowhere/at/all",)):
            node = make_node(database, command)
            client = await node.connect_and_greet()
            assert await refused(client, PIT) == ("import_failed", None)
            await node.matches.close()


def test_records_of_a_file_are_those_that_were_stored() -> None:
    file = read_file(PIT)
    records = read_records(zlib.compress(PIT), "importer")  # type: ignore[arg-type]
    assert [record.body for record in records] == [bytes(wire.body) for wire in file.records]
    assert {record.rules_version for record in records} == {load_ruleset("pit", ()).rules_version}
    assert records[-1].hash.hex() == file.head
    assert all(record.actor == "importer" for record in records)
