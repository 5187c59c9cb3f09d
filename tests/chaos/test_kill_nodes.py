"""No acknowledged action is lost, stored twice or out of order, whatever of a cluster breaks."""

from pathlib import Path

import pytest

from tests.chaos.kill_nodes import Trouble, count_reordered, main, run
from tests.chaos.kill_processes import AcknowledgedAction

CUTTING = ("node", "restart")
"""Troubles in which clients lose their connection."""


@pytest.mark.parametrize(
    "troubles", [("node", "database"), ("nats", "partition"), ("restart",), ("broker",)], ids=" and ".join
)
async def test_broken_cluster_loses_no_acknowledged_action(open_folder: Path, troubles: tuple[Trouble, ...]) -> None:
    report = await run(open_folder / "-".join(troubles), 1, troubles, nodes=2)
    assert [len(pauses) for pauses in report.pauses.values()] == [1] * len(troubles)
    # Others may have some too: a connection that is lost by one trouble is back within the next one.
    assert all(report.silences[trouble] for trouble in troubles if trouble in CUTTING)
    assert (report.lost, report.doubled, report.reordered) == (0, 0, 0)
    assert report.acknowledged > 10


def test_actions_out_of_order_are_counted() -> None:
    actions = [AcknowledgedAction("m", seq, "", seat) for seq, seat in ((1, 0), (5, 1), (3, 0), (2, 0), (6, 1))]
    assert count_reordered(actions) == 1


def test_cluster_of_brokers_goes_without_the_troubles_of_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), "1", "broker", "nats"])
    assert "broker goes without nats and partition" in capsys.readouterr().err
