"""A file whose position no rules can produce is refused by a real server, and nobody else notices it."""

import pytest

from tests.chaos import freeze_server
from tests.chaos.freeze_server import FreezeReport, main, run
from tests.e2e.servers import ServerProcess


async def test_forged_file_is_refused_at_its_import(database_url: str) -> None:
    async with ServerProcess("--database-url", database_url, "--port", "0", "--bot-workers", "0") as server:
        report = await run(server.url)
    assert report.outcome == "the import is refused: import_changed"
    assert report.silence_seconds > 0


@pytest.mark.parametrize(
    ("outcome", "silence", "code"),
    [
        ("the import is refused: import_changed", 0.01, 0),
        ("it is imported, branched and played", 0.01, 1),
        ("the import is refused: import_changed", 9.5, 1),
    ],
)
def test_program_fails_where_the_file_is_taken_or_the_server_is_silent(
    outcome: str, silence: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def answer(*_: object) -> FreezeReport:
        return FreezeReport(outcome, silence)

    monkeypatch.setattr(freeze_server, "run", answer)
    assert main(["ws://127.0.0.1:1/ws"]) == code
    assert capsys.readouterr().out == f"{outcome}; longest silence {silence:.2f} s\n"
