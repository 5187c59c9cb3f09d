"""Notices survive kills of server, database and receiver: each comes, and never under two keys."""

from pathlib import Path

from tests.chaos.kill_notices import run


async def test_every_notice_arrives_under_one_key_however_often_everything_is_killed(open_folder: Path) -> None:
    report = await run(open_folder / "notices", 12, 2, lease_ms=1500)
    assert (report.notices, report.lost, report.doubled) == (12, 0, 0)
    assert report.requests == 12 + report.repeated
