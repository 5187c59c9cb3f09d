"""No acknowledged action is lost or stored twice when processes are killed, and the server is back without a hand."""

from pathlib import Path

import pytest

from tests.chaos.kill_processes import run


@pytest.mark.parametrize("with_server", [False, True], ids=["database", "database and server"])
async def test_killed_processes_lose_no_acknowledged_action(open_folder: Path, with_server: bool) -> None:
    report = await run(open_folder / f"killed-{with_server}", 2, with_server=with_server)
    assert len(report.pauses) == 2
    assert (report.lost, report.doubled) == (0, 0)
    assert report.acknowledged > 10
