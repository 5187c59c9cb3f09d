"""The page for hosts names tests that exist, and its service of systemd is one that systemd takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.code_sizes import ROOT

PAGE = ROOT / "docs" / "operating.md"
UNIT = ROOT / "deploy" / "diskwars.service"
PROGRAM = "/opt/diskwars/bin/diskwars"
VERIFY_SECONDS = 60
THREAT = re.compile(r"^\| (?P<attack>[^|]+) \| (?P<held_by>[^|]+) \| `(?P<test>[^|`]+)` \|$")


def threats() -> list[re.Match[str]]:
    section = PAGE.read_text("utf-8").partition("\n## Threats\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    found = [THREAT.match(row) for row in rows]
    assert all(found), [row for row, match in zip(rows, found, strict=True) if match is None]
    return [match for match in found if match is not None]


def test_every_threat_names_a_test_that_exists() -> None:
    found = threats()
    assert len(found) > 20
    for threat in found:
        path, _, name = threat["test"].partition("::")
        file = ROOT / "tests" / path
        assert file.is_file(), threat["test"]
        assert not name or re.search(rf"^(async )?def {name}\(", file.read_text("utf-8"), re.MULTILINE), threat["test"]


def test_service_runs_the_command_that_the_page_installs() -> None:
    unit, page = UNIT.read_text("utf-8"), PAGE.read_text("utf-8")
    assert f"\nExecStart={PROGRAM} serve --config /etc/diskwars/server.toml\n" in unit
    assert "/opt/diskwars/bin/pip install" in page
    assert "deploy/diskwars.service" in page


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_no_fault_in_the_service(tmp_path: Path) -> None:
    program = shutil.which("true")
    assert program is not None
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text("utf-8").replace(PROGRAM, program))
    checked = subprocess.run(
        ["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=VERIFY_SECONDS
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")
