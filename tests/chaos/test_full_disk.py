"""A full disk refuses actions and loses none; once there is room the server is back without a hand."""

from pathlib import Path

import pytest

from tests.chaos.full_disk import MountRefused, run, small_disk


async def test_full_disk_loses_no_acknowledged_action(open_folder: Path) -> None:
    try:
        disk = small_disk(open_folder / "small-disk")
        folder = disk.__enter__()
    except MountRefused as why:
        pytest.skip(f"needs the right to mount a file system: {why}")
    try:
        report = await run(folder, 1)
    finally:
        disk.__exit__(None, None, None)
    assert len(report.pauses) == 1
    assert (report.lost, report.doubled) == (0, 0)
    assert report.acknowledged > 10
    assert report.log.count("database unavailable") == 1
