"""The page for hosts names tests that exist, and its services of systemd are some that systemd takes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from diskwars_server.connections import entry_queue
from diskwars_server.connections.listening import RECEIVE_BYTES
from diskwars_server.http import board_pictures
from diskwars_server.http import routes as http_service
from diskwars_server.limits import address_quotas
from diskwars_server.limits.entry_refusals import RESTARTING, SERVER_FULL, TOO_MANY_CONNECTIONS
from diskwars_server.settings import ServerSettings
from tests.code_sizes import ROOT

PAGE = ROOT / "docs" / "operating.md"
DEPLOY = ROOT / "deploy"
UNITS = ("diskwars.service", "diskwars@.service", "diskwars-nats.service")
PROGRAM = re.compile(r"(?<=^ExecStart=)/opt/diskwars/bin/\S+", re.MULTILINE)
VERIFY_SECONDS = 60
THREAT = re.compile(r"^\| (?P<attack>[^|]+) \| (?P<held_by>[^|]+) \| `(?P<test>[^|`]+)` \|$")


def threats() -> list[re.Match[str]]:
    section = PAGE.read_text("utf-8").partition("\n## Threats\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    rows_read = [THREAT.match(row) for row in rows]
    assert all(rows_read), [row for row, match in zip(rows, rows_read, strict=True) if match is None]
    return [match for match in rows_read if match is not None]


def test_every_threat_names_a_test_that_exists() -> None:
    listed = threats()
    assert len(listed) > 20
    for threat in listed:
        path, _, name = threat["test"].partition("::")
        file = ROOT / "tests" / path
        assert file.is_file(), threat["test"]
        assert not name or re.search(rf"^(async )?def {name}\(", file.read_text("utf-8"), re.MULTILINE), threat["test"]


def quotas() -> list[tuple[str, str, str]]:
    """Return the rows of the table of quotas: bound, default and setting."""
    section = PAGE.read_text("utf-8").partition("\n## Quotas\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")][1:]
    return [(bound.strip(), default.strip(), setting.strip(" `")) for bound, default, setting in rows]


def test_quotas_with_a_setting_have_its_default() -> None:
    settings, compared = ServerSettings(), set[str]()
    for bound, default, setting in quotas():
        if not setting or default == "five times as much":  # as the row above it
            continue
        number = "24" if default.startswith("a day") else default
        first = re.match(r"\d+", number)
        assert first, bound
        assert int(first[0]) == getattr(settings, setting.removeprefix("--").replace("-", "_")), bound
        compared.add(setting)
    assert len(compared) > 10


def test_quotas_without_a_setting_have_the_numbers_of_the_program() -> None:
    rows = [f"{bound.split()[0]} {default}" for bound, default, setting in quotas() if not setting]
    busy = 1 / entry_queue.BUSY_PAUSE_SECONDS
    for words in (
        f"connections as many as it may have, at least {address_quotas.HANDSHAKE_BURST};",
        f"connections {entry_queue.BUSY_BEGINNINGS.units} at once and {busy:.0f} a second, the addresses in turn; "
        f"{entry_queue.MAX_WAITING:,} wait, of one address {entry_queue.MAX_WAITING_OF_ADDRESS},",
        f"bytes {RECEIVE_BYTES // 1024} KiB",
        f"requests {address_quotas.QUERY_BURST} at once, {address_quotas.QUERIES_PER_SECOND} a second",
        f"pictures {board_pictures.PICTURES_PER_ADDRESS.units} a minute;",
    ):
        assert any(row.startswith(words) for row in rows), words


def test_connections_beyond_a_quota_are_refused_with_the_status_of_the_page() -> None:
    refusals = (SERVER_FULL, TOO_MANY_CONNECTIONS, RESTARTING)
    named = {int(found) for _, default, _ in quotas() for found in re.findall(r"HTTP (\d+)", default)}
    assert named == {refusal.make_response().status_code for refusal in refusals}


def test_page_that_asks_for_absolute_paths_is_said_not_to_work_below_one() -> None:
    """A page that works below a path needs another sentence here."""
    web = ROOT / "clients" / "web"
    is_absolute = "${location.host}/ws" in (web / "src" / "page" / "session.svelte.ts").read_text("utf-8")
    has_base = re.search(r"^\s*base:", (web / "vite.config.ts").read_text("utf-8"), re.MULTILINE) is not None
    assert is_absolute
    assert not has_base
    assert "it is not served below a path" in PAGE.read_text("utf-8")


def test_paths_of_matches_that_the_page_names_are_those_of_the_server() -> None:
    patterns = http_service._MATCH_PAGE, http_service._MATCH_FILE, http_service._BOARD_PICTURE
    paths = re.findall(r"`(/m\w*/MATCH[^`]*)`", PAGE.read_text("utf-8"))
    assert paths
    for path in paths:
        named = path.replace("MATCH", "c9dk2n5ytxgw").replace("SEQ", "40")
        assert any(pattern.fullmatch(named) for pattern in patterns), path


def test_services_run_the_programs_that_the_page_installs() -> None:
    units, page = {name: (DEPLOY / name).read_text("utf-8") for name in UNITS}, PAGE.read_text("utf-8")
    command = "\nExecStart=/opt/diskwars/bin/diskwars serve --config /etc/diskwars/server.toml"
    assert f"{command}\n" in units["diskwars.service"]
    assert f"{command} --port %i\n" in units["diskwars@.service"]
    assert "/opt/diskwars/bin/pip install --require-hashes --requirement deploy/requirements.txt\n" in page
    assert all(f"deploy/{name}" in page for name in UNITS)


def test_services_of_nodes_are_confined_like_the_single_one() -> None:
    """Privileges differ: nodes have a proxy in front, and no need of ports below 1024."""
    single, node = [(DEPLOY / name).read_text("utf-8").splitlines() for name in UNITS[:2]]
    bounds = {line for line in single if re.match("(No|Protect|Private|Restrict|System|Lock|Remove|UMask|Limit)", line)}
    assert len(bounds) > 15
    assert bounds <= set(node)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_finds_no_fault_in_the_services(tmp_path: Path) -> None:
    program = shutil.which("true")
    assert program is not None
    files = []
    for name in UNITS:
        unit = tmp_path / name.replace("@", "@8765")
        unit.write_text(PROGRAM.sub(program, (DEPLOY / name).read_text("utf-8")))
        files.append(str(unit))
    checked = subprocess.run(
        ["systemd-analyze", "verify", *files], capture_output=True, text=True, timeout=VERIFY_SECONDS
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_command_of_the_service_hands_on_no_passwords(tmp_path: Path) -> None:
    """Systemd shows the environment of a unit to every user of the machine."""
    runner = tmp_path / "systemd-run"
    runner.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    runner.chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", str(DEPLOY / "diskwars.sh"), "account", "login", "Ann"],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        env={
            "PATH": f"{tmp_path}:/usr/bin:/bin",
            "DISKWARS_ACCOUNT_PASSWORD": "secret",
            "DISKWARS_NEW_PASSWORD": "secret",
            "DISKWARS_OPERATOR": "Ann",
        },
    )
    words = done.stdout.splitlines()
    assert words[-4:] == ["/opt/diskwars/bin/diskwars", "account", "login", "Ann"]
    assert "--setenv=DISKWARS_OPERATOR" in words
    assert not [word for word in words if "PASSWORD" in word or "secret" in word]
