"""Streams of match files: written, compressed, read back match by match, and interrupted."""

from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import zstandard

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs import record_streams
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.record_streams import check_stream_file, read_stream, seal_match_file, writing_stream
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_client.verification.verify import verify
from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout

MATCHES = [b'{"type":"diskwars-match","match":"one"}\n{"seq":1}\n', b'{"type":"diskwars-match","match":"two"}\n']


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.zst"])
def test_matches_are_read_as_they_were_written(tmp_path: Path, name: str) -> None:
    file = str(tmp_path / name)
    with writing_stream("--records", file) as stream:
        for match in MATCHES:
            stream.write(match)
    assert list(read_stream("--check", file)) == MATCHES


def test_stream_that_was_interrupted_can_be_read(tmp_path: Path) -> None:
    file = str(tmp_path / "all.jsonl.zst")

    def write() -> None:
        with writing_stream("--records", file) as stream:
            stream.write(MATCHES[0])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert list(read_stream("--check", file)) == MATCHES[:1]


def test_every_reader_of_zstandard_gets_the_whole_stream(tmp_path: Path) -> None:
    """Several of them stop at the end of the first frame, so there is one: see findings/."""
    file = tmp_path / "all.jsonl.zst"
    with writing_stream("--records", str(file)) as stream:
        for match in MATCHES:
            stream.write(match)
    raw, decompressor = file.read_bytes(), zstandard.ZstdDecompressor()
    assert decompressor.decompressobj().decompress(raw) == b"".join(MATCHES)
    assert b"".join(decompressor.read_to_iter(raw)) == b"".join(MATCHES)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_match_played_in_memory_is_verified_from_its_file(ruleset: str) -> None:
    rules = load_ruleset(ruleset, ())
    vocabulary, is_diskwars = rules.vocabulary, ruleset == "diskwars"
    loadouts = [Loadout("empire-patrol"), Loadout("chaos-patrol")] if is_diskwars else [vocabulary.loadout()] * 2
    settings = DiskwarsSettings(setup="quick", regiments=1) if is_diskwars else vocabulary.settings()
    local = seeded_match(rules, 1, loadouts, settings)
    raw = seal_match_file(rules, MatchId("seed-1"), 2, 1, list(play_bots(local, 1, ["random", "random"])))
    result = verify(raw, "", [rules])
    assert result.is_redecided
    assert result.unfinished_at is None
    assert result.missing_openings == ()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("all.csv", "--records: all.csv ends neither in .jsonl nor in .jsonl.zst"),
        ("/nowhere/all.jsonl", "--records: /nowhere/all.jsonl cannot be written: No such file or directory"),
    ],
)
def test_file_that_cannot_be_a_stream_is_refused(name: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        check_stream_file("--records", name)


def test_compressed_stream_without_its_library_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(record_streams, "find_spec", find_nothing)
    check_stream_file("--records", "all.jsonl")
    with pytest.raises(CommandError, match=r"needs the package zstandard \(extra data\)"):
        check_stream_file("--records", "all.jsonl.zst")


def test_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"--check: .* cannot be read: No such file"):
        list(read_stream("--check", str(tmp_path / "none.jsonl")))
    (tmp_path / "plain.jsonl.zst").write_bytes(MATCHES[0])
    with pytest.raises(CommandError, match=r"--check: .* cannot be decompressed"):
        list(read_stream("--check", str(tmp_path / "plain.jsonl.zst")))
