"""`import` gives a match file to a server, and the program that verifies it says what is wrong with it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_cli.look_back.file_verifier import judge_file
from diskwars_cli.plugs.file_programs import file_programs
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.topics import files
from diskwars_protocol.records.match_file import BYTE_ORDER_MARK
from diskwars_protocol.rulesets.pit.actions import PitSettings
from diskwars_server.app import start_server
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from tests.cli.play.test_play import diskwars
from tests.client.match_files import match_file
from tests.golden import bot_matches
from tests.golden.write_files import FOLDER, SUFFIX, todays_file, write_match

NAME = "pit-counted"
OLD_FILE = FOLDER / f"{NAME}{SUFFIX}"
"""Decided by version 1 of the pit, with the pack of then."""
RAW = todays_file(NAME)


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with (
        MemoryDatabase() as database,
        start_server(ServerSettings(port=0), database, files=file_programs()) as transport,
    ):
        yield transport.url


async def test_file_is_imported_and_replayed(url: str, tmp_path: Path) -> None:
    file = tmp_path / "today.jsonl"
    file.write_bytes(RAW)
    code, lines, errors = await diskwars("import", str(file), "--url", url)
    assert (code, lines, errors) == (0, ["pit-6  63 records, imported"], "")
    code, lines, _ = await diskwars("import", str(file), "--url", url)
    assert (code, lines) == (0, ["pit-6  63 records, the server has it already"])
    _, lines, _ = await diskwars("matches", "--url", url)
    assert lines[1].endswith("seat A beat seat B, 5 to 4 (round limit); imported")
    code, lines, _ = await diskwars("replay", "pit-6", "--url", url)
    assert code == 0
    assert len(lines) > 20


async def test_file_that_a_program_for_texts_has_saved_is_imported(url: str, tmp_path: Path) -> None:
    saved = tmp_path / "saved.jsonl"
    saved.write_bytes(BYTE_ORDER_MARK + RAW.replace(b"\n", b"\r\n"))
    assert await diskwars("import", str(saved), "--url", url) == (0, ["pit-6  63 records, imported"], "")


async def test_file_of_the_first_version_of_the_pit_is_refused_for_its_pack(url: str) -> None:
    code, lines, errors = await diskwars("import", str(OLD_FILE), "--url", url)
    assert (code, lines) == (2, [])
    text = "the server does not have all packs of the match: pit/core 1"
    assert errors == f"diskwars: missing_pack: {text}\n"


async def test_file_that_was_changed_is_refused_with_the_record(url: str, tmp_path: Path) -> None:
    changed = tmp_path / "changed.json"
    changed.write_bytes(RAW.replace(b'"seq":3,', b'"seq":4,', 1))
    code, lines, _ = await diskwars("import", str(changed), "--url", url)
    assert code == 1
    assert lines == [f"{changed}: import_changed: record 3: in its place stands a record that calls itself 4"]
    code, _, errors = await diskwars("import", str(tmp_path / "none"), "--url", url)
    assert (code, errors) == (2, f"diskwars: {tmp_path}/none cannot be read: No such file or directory\n")


async def test_large_file_stays_within_the_limits_of_frames(url: str) -> None:
    raw = match_file()
    assert len(raw) > 100_000
    async with connect(url) as client:
        imported = await client.files.upload(raw)
        assert imported.is_new
        handle = await client.watch(imported.match)
        assert (await handle.wait_caught_up()).result is not None


async def test_upload_begins_again_where_it_was_lost(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with connect(url) as client:
        genuine, lost = client.files._upload_parts, list[bool]()

        async def lose_first(compressed: bytes) -> object:
            if not lost:
                lost.append(True)
                return await genuine(compressed[:-1])  # the server finds no file in it: `bad_import`
            return await genuine(compressed)

        monkeypatch.setattr(client.files, "_upload_parts", lose_first)
        assert (await client.files.upload(RAW)).is_new
        monkeypatch.setattr(files, "MAX_UPLOADS", 1)
        lost.clear()
        with pytest.raises(CommandRefused, match="bad_import"):
            await client.files.upload(RAW)


@pytest.mark.parametrize("match", ["a b", "a\r\nPUB b 0\r\n", "a.>", "", "x" * 65, "a\n"])
def test_match_with_an_id_that_no_server_gives_is_refused(match: str) -> None:
    """Ids of matches are parts of subjects on the bus, and of addresses."""
    played = bot_matches.play(bot_matches.opened("pit", PitSettings(), 6, match=match), 6)
    verdict = judge_file(write_match(played.rules, played.match.match, len(played.seats), played.records))
    assert (verdict.file, verdict.code, verdict.line) == (None, "import_changed", 0)


def test_match_with_a_pack_that_is_not_here_is_refused() -> None:
    raw = match_file()
    assert judge_file(raw).file is not None
    known = raw.partition(b'"packs":[')[2].partition(b'"hash":"')[2][:64]
    strange = raw.replace(known, b"0" * 64)
    assert judge_file(strange).code == "import_changed"
