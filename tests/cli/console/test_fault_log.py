"""The log of a server inside a verb: the user reads its first error once, and the rest is in a file."""

import logging
from pathlib import Path

import pytest

from diskwars_cli.console.fault_log import SERVER_LOGGER, install_fault_log
from diskwars_engine.rulesets.pit import turns
from tests.cli.command_runner import CommandRunner

REFUSED = "fault: internal error of the server"


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep logs of the tests apart."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def test_description_has_the_first_error_and_the_file_with_all_of_them() -> None:
    log = install_fault_log()
    errors = logging.getLogger(f"{SERVER_LOGGER}.game")
    for number in range(3):
        errors.error("match retired", extra={"match": f"m{number}", "why": "KeyError", "where": f"line {number}"})
    assert log.describe(REFUSED) == f"the server failed: match retired match=m0 why=KeyError; the log is {log.path}"
    text = Path(log.path).read_text("utf-8")
    assert text.count("match retired") == 3
    assert "line 2" in text


def test_without_an_error_the_fault_stays_as_it_is_and_there_is_no_file(tmp_path: Path) -> None:
    log = install_fault_log()
    logging.getLogger(SERVER_LOGGER).warning("slow")
    assert log.describe("no server at ws://x") == "no server at ws://x"
    assert not list(tmp_path.iterdir())


def test_demo_of_a_faulty_ruleset_tells_the_fault_once(
    diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(turns, "_take_next_slot", fail)
    result = diskwars("demo", "--ruleset", "pit", "--seed", "7", "--database-url", database_url)
    (line,) = result.err.splitlines()
    assert result.code == 2
    assert line.startswith("diskwars: the server failed: match retired after a fault match=")
    assert "why=ZeroDivisionError; the log is " in line
    assert "in fail" in Path(line.rpartition(" ")[2]).read_text("utf-8")
