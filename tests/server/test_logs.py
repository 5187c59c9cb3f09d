"""Log lines can be read by line and by field, and hold no secret."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from diskwars_server.logs import SECRET_FIELDS, configure_logging


@pytest.fixture(autouse=True)
def restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    yield
    root.setLevel(level)
    root.handlers[:] = handlers
    structlog.reset_defaults()


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.splitlines()[-1]


def test_line_holds_time_level_logger_message_and_fields(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info")
    logging.getLogger("diskwars_server.matches.game").error(
        "match retired", extra={"match": "abc", "seat": 0, "command": "c1"}
    )
    time, _, rest = last_line(capsys).partition(" ")
    assert time.endswith("Z")
    assert rest == "error diskwars_server.matches.game: match retired match=abc seat=0 command=c1"


def test_fields_bound_to_a_logger_are_in_each_of_its_lines(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info")
    log = structlog.stdlib.get_logger("x.game").bind(match="abc")
    log.info("append rejected", command="c1")
    assert last_line(capsys).endswith(" info x.game: append rejected match=abc command=c1")


@pytest.mark.parametrize("value", ["a b", "a=b", 'say "a"', "a\nerror forged", "\x1b[31m", "", "a\u2028b"])
def test_text_of_a_client_cannot_forge_a_field_or_line(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info")
    logging.getLogger("x").warning("refused", extra={"command": value})
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert ' warning x: refused command="' in lines[0]
    assert lines[0].isprintable()


def test_json_lines_hold_the_same_fields(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json")
    logging.getLogger("x").warning("refused", extra={"command": "a\nb"})
    line = json.loads(last_line(capsys))
    assert (line["level"], line["logger"], line["event"], line["command"]) == ("warning", "x", "refused", "a\nb")


@pytest.mark.parametrize("form", ["text", "json"])
def test_secret_fields_are_dropped(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json" if form == "json" else "text")
    logging.getLogger("x").warning("odd", extra=dict.fromkeys(SECRET_FIELDS, "0123456789abcdef"))
    assert "0123456789abcdef" not in last_line(capsys)


def test_traces_stay_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info")
    try:
        raise ValueError("wrong")
    except ValueError:
        logging.getLogger("x").exception("failed")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "ValueError: wrong" in lines[0]


def test_messages_below_the_level_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("error")
    logging.getLogger("x").warning("not said")
    assert capsys.readouterr().err == ""
