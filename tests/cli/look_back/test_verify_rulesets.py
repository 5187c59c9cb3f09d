"""`diskwars verify` checks the files of any registered ruleset."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from diskwars_cli.plugs import match_setup
from diskwars_client.rulesets.registry import FILE_CHECKS
from diskwars_content.rulesets import registry as content
from diskwars_protocol.match.decisions import Pack, Result
from tests.cli.command_runner import CommandRunner
from tests.client.verification.counting_file_checks import register_counting
from tests.client.verification.test_verify_rulesets import counting_file, golden_bodies
from tests.golden.test_files import HEADS
from tests.golden.write_files import FOLDER, SUFFIX
from tests.server.counting_ruleset import CountingRules

GOLDEN = FOLDER / f"counting{SUFFIX}"


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    register_counting(monkeypatch)


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", ["counting", "counting-resigned"])
def test_golden_file_of_the_toy_ruleset_is_verified(diskwars: CommandRunner, name: str) -> None:
    result = diskwars("verify", str(FOLDER / f"{name}{SUFFIX}"), "--head", HEADS[name])
    assert result.code == 0
    assert result.lines[0].startswith("verified: ")
    assert result.lines[0].endswith(HEADS[name])
    assert "deciding every action again gave the same events" in result.lines[1]


@pytest.mark.usefixtures("counting")
def test_changed_byte_is_reported_with_its_record(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, lines = tmp_path / "match", GOLDEN.read_bytes().split(b"\n")
    lines[7] = lines[7].replace(b'"at_ms":0', b'"at_ms":1', 1)
    file.write_bytes(b"\n".join(lines))
    result = diskwars("verify", str(file))
    assert (result.code, ": record 7: " in result.out) == (1, True)


@pytest.mark.usefixtures("counting")
def test_forged_result_is_reported_with_its_record(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, bodies = tmp_path / "match", golden_bodies()
    result = bodies[-1].result
    assert result is not None
    bodies[-1] = replace(bodies[-1], result=replace(result, end_reason="elimination"))
    file.write_bytes(counting_file(bodies))
    done = diskwars("verify", str(file))
    assert done.code == 1
    assert done.out.startswith(
        f'{file}: record {len(bodies)}: by the rules $.result.end_reason is "points", not "elimination"'
    )


@pytest.mark.usefixtures("counting")
def test_records_that_other_rules_decided_are_named(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, bodies = tmp_path / "match", golden_bodies()
    opened = replace(bodies[0].events[0], rules_version=99)
    bodies[0] = replace(bodies[0], events=(opened,))
    bodies[-1] = replace(bodies[-1], result=Result("elimination"))
    file.write_bytes(counting_file(bodies))
    result = diskwars("verify", str(file))
    assert result.code == 3
    line = f"  records 1 to {len(bodies)}: decided by version 99 of the rules; this program has version 1"
    assert line in result.lines


@pytest.mark.usefixtures("counting")
def test_unknown_end_reason_is_wrong_unless_other_rules_may_know_it(diskwars: CommandRunner, tmp_path: Path) -> None:
    file, bodies = tmp_path / "match", golden_bodies()
    bodies[-1] = replace(bodies[-1], result=Result("forged"))
    file.write_bytes(counting_file(bodies))
    done = diskwars("verify", str(file))
    assert (done.code, f": record {len(bodies)}: not a record that is known here" in done.out) == (1, True)
    bodies[0] = replace(bodies[0], events=(replace(bodies[0].events[0], rules_version=99),))
    file.write_bytes(counting_file(bodies))
    assert "decided by version 99 of the rules, these are version 1" in diskwars.error_message("verify", str(file))


# ---------------------------------------------------------------- packs


class PackedCounting(CountingRules):
    """The toy ruleset with content: one pack, whose figures the name stands for."""

    def __init__(self, packs: Sequence[str]) -> None:
        self.packs = tuple(Pack(f"counting/{name}", "1", hashlib.sha256(name.encode()).hexdigest()) for name in packs)


@pytest.fixture
def packed_counting(counting: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy ruleset also where `--pack` looks for content."""
    monkeypatch.setitem(content.RULESETS, "counting", PackedCounting)
    match_setup.load_ruleset.cache_clear()


@pytest.fixture
def packed_file(tmp_path: Path) -> str:
    """A match of the toy ruleset that was opened with a pack."""
    file, bodies = tmp_path / "match", golden_bodies()
    opened = replace(bodies[0].events[0], packs=tuple(PackedCounting(["lucky"]).packs))
    bodies[0] = replace(bodies[0], events=(opened,))
    file.write_bytes(counting_file(bodies))
    return str(file)


@pytest.mark.usefixtures("packed_counting")
def test_pack_of_any_ruleset_is_compared_with_that_of_the_match(diskwars: CommandRunner, packed_file: str) -> None:
    result = diskwars("verify", packed_file, "--pack", "lucky")
    assert any(line.startswith("  played with counting/lucky 1, ") for line in result.lines)
    assert "no local pack" not in result.out


@pytest.mark.usefixtures("packed_counting")
def test_pack_of_any_ruleset_that_is_missing_is_named(diskwars: CommandRunner, packed_file: str) -> None:
    result = diskwars("verify", packed_file)
    assert "  there is no local pack counting/lucky 1; name one with --pack" in result.lines


def test_file_of_an_unknown_ruleset_cannot_be_verified(diskwars: CommandRunner) -> None:
    assert f"verify knows {', '.join(FILE_CHECKS)}, not counting" in diskwars.error_message("verify", str(GOLDEN))
