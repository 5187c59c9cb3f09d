"""Clients of a server that was killed are all back by themselves once it listens again."""

from pathlib import Path

from tests.chaos.return_after_kill import MAX_BLOCKED_MS, MAX_RETURN_SECONDS, ReturnReport, breaches, run


async def test_all_clients_of_a_killed_server_watch_their_matches_again(open_folder: Path) -> None:
    report = await run(open_folder / "returns", 8, 1, away_seconds=0.1)
    assert [len(returns) for returns in report.returns] == [8]
    assert all(blocked > 0 for blocked in report.blocked_ms)


def test_program_names_every_promise_that_a_report_breaks() -> None:
    assert breaches(ReturnReport(((1.0, MAX_RETURN_SECONDS),), (MAX_BLOCKED_MS,))) == []
    broken = ReturnReport(((1.0, 3.2), (0.1, 0.2)), (1.0, 61.0))
    assert breaches(broken) == ["3.2 s until the last client was back", "the loop was blocked for 61 ms"]
