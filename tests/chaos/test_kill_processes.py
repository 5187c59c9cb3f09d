"""No acknowledged action is lost or stored twice when processes are killed, and the server is back without a hand."""

from pathlib import Path

import pytest

from tests.chaos.kill_processes import MAX_PAUSE_SECONDS, RECOVERY_TIMEOUT_SECONDS, KillReport, breaches, run


@pytest.mark.parametrize("with_server", [False, True], ids=["database", "database and server"])
async def test_killed_processes_lose_no_acknowledged_action(open_folder: Path, with_server: bool) -> None:
    report = await run(open_folder / f"killed-{with_server}", 2, with_server=with_server)
    assert len(report.pauses) == 2
    # The machine may be busy, so the bound of `main` does not hold here.
    assert breaches(report, RECOVERY_TIMEOUT_SECONDS) == []
    assert report.acknowledged > 10


def test_program_names_every_promise_that_a_report_breaks() -> None:
    assert breaches(KillReport((1.0, MAX_PAUSE_SECONDS), 9, lost=0, doubled=0), MAX_PAUSE_SECONDS) == []
    broken = KillReport((MAX_PAUSE_SECONDS + 0.1, 1.0), 9, lost=1, doubled=2)
    assert breaches(broken, MAX_PAUSE_SECONDS) == ["lost 1", "stored twice 2", "10.1 s until the next action"]
