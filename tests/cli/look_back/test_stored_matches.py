"""Stored matches can be listed, read, drawn and exported without revealing secrets."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_client.verification.verify import verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_protocol.rulesets.diskwars.events import CardsRevealed, DamageDealt, MatchStarted
from tests.cli.command_runner import CommandResult, CommandRunner
from tests.cli.conftest import ENDED_MATCH, UNFINISHED_MATCH, unfinished_records
from tests.client.match_files import (
    find_event,
    greedy_records,
    match_file,
    replace_event,
    seal_records,
    write_match_file,
)
from tests.interop.forgeries import Forgery


class ArchiveRunner:
    """The command, run on a database with an ended and an unfinished match."""

    def __init__(self, diskwars: CommandRunner, url: str) -> None:
        self._diskwars, self._store = diskwars, ("--database-url", url)

    def __call__(self, *words: str) -> CommandResult:
        return self._diskwars(*words, *self._store)

    def error_message(self, *words: str) -> str:
        return self._diskwars.error_message(*words, *self._store)


@pytest.fixture
def archive(diskwars: CommandRunner, archive_url: str) -> ArchiveRunner:
    return ArchiveRunner(diskwars, archive_url)


def test_matches_are_listed_by_status(archive: ArchiveRunner) -> None:
    heading, *rows = archive("matches").lines
    assert heading.split() == ["match", "opened", "ruleset", "players", "and", "result"]
    assert {row.split()[0] for row in rows} == {ENDED_MATCH, UNFINISHED_MATCH}
    _, *running = archive("matches", "--status", "running").lines
    assert [row.split()[0] for row in running] == [UNFINISHED_MATCH]


def test_list_that_is_cut_off_says_so(archive: ArchiveRunner) -> None:
    cut = archive("matches", "--limit", "1")
    assert len(cut.lines) == 2
    assert cut.err == "older matches are not shown: --limit 10 shows more\n"
    assert archive("matches", "--limit", "2").err == ""


def test_ended_match_is_narrated_with_its_secrets(archive: ArchiveRunner) -> None:
    lines = archive("replay", ENDED_MATCH).lines
    assert lines[0] == "Match seed-1 of diskwars for 2 players"
    assert any("locked All Together" in line for line in lines)
    assert " won: " in lines[-1]


def test_unfinished_match_is_narrated_as_the_public_may_see_it(archive: ArchiveRunner) -> None:
    lines = archive("replay", UNFINISHED_MATCH).lines
    assert any(line.endswith("locked a card") for line in lines)
    assert not any("locked" in line and "locked a card" not in line for line in lines)
    assert "  Empire Patrol holds 2 command cards" in lines


def test_table_after_a_record_is_printed_with_the_open_question(archive: ArchiveRunner) -> None:
    seq, _ = find_event(CardsRevealed)
    table = archive("replay", ENDED_MATCH, "--at", str(seq)).out
    assert table.startswith("round 1 of 5, activation phase")
    assert "Archaon" in table
    assert archive("replay", ENDED_MATCH, "--at", "5").out.splitlines()[-1] == "Empire Patrol chooses who plays first"


def test_stats_prints_the_time_to_rebuild(archive: ArchiveRunner) -> None:
    line = archive("replay", ENDED_MATCH, "--stats").out
    assert line.startswith(f"rebuilt {len(greedy_records())} records in ")


def test_missing_record_is_an_error(archive: ArchiveRunner) -> None:
    count = len(greedy_records())
    for at in ("0", str(count + 1)):
        assert (
            archive.error_message("replay", ENDED_MATCH, "--at", at) == f"match {ENDED_MATCH} has records 1 to {count}"
        )
    assert archive.error_message("draw", ENDED_MATCH, "--at", "3") == "there is no table yet at record 3"


def test_unknown_match_is_an_error(archive: ArchiveRunner) -> None:
    for verb in ("replay", "draw", "export"):
        assert archive.error_message(verb, "nothing") == "no match nothing is stored"


def test_table_is_drawn_as_svg(archive: ArchiveRunner, tmp_path: Path) -> None:
    file = tmp_path / "table.svg"
    assert archive("draw", ENDED_MATCH, "--at", "40", "-o", str(file)).code == 0
    assert ElementTree.parse(file).getroot().tag.endswith("svg")


def test_ended_match_is_exported_with_its_secrets(archive: ArchiveRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    result = archive("export", ENDED_MATCH, "-o", str(file))
    assert file.read_bytes() == match_file()
    assert result.out == f"{verify(match_file()).records} records, head {verify(match_file()).head}\n"


def test_unfinished_match_is_exported_with_its_secrets_sealed(archive: ArchiveRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    archive("export", UNFINISHED_MATCH, "-o", str(file))
    verification = verify(file.read_bytes())
    assert verification.unfinished_at == len(unfinished_records())
    assert verification.sealed_values > 0
    assert b"all-together" not in file.read_bytes().split(b"cards_revealed")[0].split(b"hand_taken")[1]


def test_unwritable_file_is_an_error(archive: ArchiveRunner) -> None:
    message = archive.error_message("export", ENDED_MATCH, "-o", "/nowhere/match")
    assert message == "/nowhere/match cannot be written: No such file or directory"


# ---------------------------------------------------------------- verify


def test_valid_file_is_verified(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    file.write_bytes(match_file())
    result = diskwars("verify", str(file))
    assert result.code == 0
    assert result.lines[0] == f"verified: {verify(match_file()).records} records, head {verify(match_file()).head}"
    assert "deciding every action again gave the same events" in result.lines[1]
    known = diskwars("verify", str(file), "--head", verify(match_file()).head.upper())
    assert known.lines[-1] == f"  --head is the hash of record {verify(match_file()).records}"


def test_invalid_file_is_reported_with_the_record(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    lines = match_file().split(b"\n")
    lines[37] = lines[37].replace(b'"salt":"', b'"salt":"0', 1)
    file.write_bytes(b"\n".join(lines))
    result = diskwars("verify", str(file))
    assert result.code == 1
    assert ": record 37: " in result.out


def test_truncated_file_is_unfinished(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    file.write_bytes(match_file()[:5000])
    result = diskwars("verify", str(file))
    assert result.code == 3
    assert result.out.startswith("unfinished at ")


def test_head_of_another_chain_is_invalid(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    file.write_bytes(match_file())
    result = diskwars("verify", str(file), "--head", "0" * 64)
    assert result.code == 1
    assert result.out.startswith(f"{file}: no record has the hash 0000")


@pytest.mark.parametrize("head", ["", "abc", "0" * 63, "g" * 64])
def test_head_that_is_no_hash_is_an_error(diskwars: CommandRunner, tmp_path: Path, head: str) -> None:
    file = tmp_path / "match"
    file.write_bytes(match_file())
    assert diskwars.error_message("verify", str(file), "--head", head).startswith(
        "--head takes a hash of 64 hex digits"
    )


def test_head_from_the_middle_does_not_cover_later_records(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, records = tmp_path / "match", seal_records(greedy_records())
    file.write_bytes(match_file())
    result = diskwars("verify", str(file), "--head", records[29].hash.hex())
    assert result.code == 0
    assert result.lines[-1].endswith(f"record 30; it does not cover the {len(records) - 30} records after it")


def test_file_cut_in_its_first_line_is_unfinished_at_0(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    for kept in (0, 30):
        file.write_bytes(match_file()[:kept])
        result = diskwars("verify", str(file))
        assert (result.code, result.lines) == (3, ["unfinished at 0: the file holds no record"])


def file_with_changed_record(seq: int, **fields: object) -> bytes:
    return write_match_file(seal_records(replace_event(greedy_records(), seq, **fields)))


def test_figures_that_differ_from_the_pack_are_invalid(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, (seq, event) = tmp_path / "match", find_event(MatchStarted)
    assert isinstance(event, MatchStarted)
    file.write_bytes(
        file_with_changed_record(seq, profiles=(replace(event.profiles[0], toughness=99), *event.profiles[1:]))
    )
    result = diskwars("verify", str(file))
    assert result.code == 1
    assert result.out.startswith(f"{file}: record {seq}: match_started: by the pack it names $.profiles[0].toughness")


def test_match_with_other_packs_is_verified_by_the_figures_in_the_file(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    known, other = core_pack().pack, replace(core_pack().pack, hash="0" * 64)
    strange = replace(other, id="my box")
    for packs, expected in (
        ((other,), f"  the local pack {known.id} differs: {known.version}, {known.hash}"),
        ((known, strange), "  there is no local pack my box 1; name one with --pack"),
    ):
        file.write_bytes(write_match_file(seal_records(replace_event(greedy_records(), 1, packs=packs))))
        result = diskwars("verify", str(file))
        assert result.code == 0
        assert f"  played with {packs[-1].id} 1, {packs[-1].hash}" in result.lines
        assert expected in result.lines
        assert any("the figures are those of the file" in line for line in result.lines)


def test_match_of_other_rules_is_verified_in_part(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, (seq, event) = tmp_path / "match", find_event(DamageDealt)
    assert isinstance(event, DamageDealt)
    bodies = replace_event(replace_event(greedy_records(), 1, rules_version=99), seq, toughness=event.toughness + 1)
    file.write_bytes(write_match_file(seal_records(bodies)))
    result = diskwars("verify", str(file))
    assert result.code == 3
    assert result.out.startswith("verified in part: ")
    text = f"  records 1 to {len(bodies)}: decided by version 99 of the rules; this program has version 1"
    assert text in result.lines


def test_match_with_fields_of_a_later_version_is_verified_in_part(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, forgery = tmp_path / "match", Forgery(match_file())
    _, opened = forgery.find("match_opened")
    opened["match_options"]["later_field"] = True
    file.write_bytes(forgery.written(is_rechained=True))
    result = diskwars("verify", str(file))
    assert result.code == 3
    assert result.out.startswith("verified in part: ")
    text = "  1 record has fields that this program does not know, record 1 as the first "
    assert text + "($.events[0].match_options.later_field): not decided again" in result.lines


def test_newer_format_is_an_error(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = tmp_path / "match"
    file.write_bytes(match_file().replace(b'"format":1', b'"format":9', 1))
    assert "format 9 is newer" in diskwars.error_message("verify", str(file))
