"""The summary sentences agree with their tables."""

from bench.load.load import LoadMeasurement
from bench.load.load_runs import OURS, REFERENCE
from bench.load.spectators import FanoutMeasurement as Watched
from bench.load.spectators import FanoutTimes
from bench.programs import decide, fanout, idle, match, rebuild


def loop(rate: int, p50: float = 4.0, p99: float = 9.0) -> LoadMeasurement:
    return LoadMeasurement(rate, 1.0, p50, p99, 0.1, 0.1, 0.1, 1024)


def watched(last: float, kib: int = 0) -> Watched:
    return Watched(FanoutTimes((last,), 0.1), FanoutTimes((2 * last,), 0.1), 2, 2, 1.0, 1000, 1000 + kib)


def test_summary_covers_two_hundred_matches() -> None:
    measured = {(2, 50): [loop(500)], (2, 200): [loop(1100), loop(1300), loop(1200)], (4, 200): [loop(700)]}
    table = match._rates_table(measured, {}, "18", [])
    assert table.summary == ("Diskwars: 1,200 durable actions a second with 200 matches of 2.",)
    assert match._rates_table({(2, 50): [loop(500)]}, {}, "18", []).summary == ()


def test_summary_covers_the_largest_crowd() -> None:
    measured = {
        (size, kind): [watched(size / 10 + late) for late in (0, 2, 1)]
        for size in (100, 5000)
        for kind in (fanout.FLOOR, fanout.OURS)
    }
    table = fanout._result_table(measured, (100, 5000), [])
    assert table.summary == ("All of 5,000 watchers of a match have an append after 501 ms.",)
    assert [bound.measured for bound in table.bounds] == [1]
    assert fanout._result_table({}, (), [fanout.TOO_FEW_FILES_TEXT]).summary == ()


def test_summary_gives_the_delay_to_the_other_player() -> None:
    measured = {OURS: [loop(199, 14.5, 46.4)], REFERENCE: [loop(199, 6.9, 16.3)]}
    (sentence,) = match._latency_table(200, measured).summary
    assert sentence.startswith("With an action a second in each of 200 matches of Diskwars, ")
    assert sentence.endswith(" the other player has it after 14.5 ms (median), 46.4 ms (p99).")


def test_summary_gives_the_time_to_restore_a_match() -> None:
    assert rebuild._first_access_table(106, 405, [0.008, 0.02, 0.0085]).summary == (
        "A finished match of 106 records is open again after 8.50 ms.",
    )
    costs = [(0.001, 0.001, 0.001), (0.01, 0.001, 0.001), (0.05, 0.001, 0.001)]
    assert rebuild._rates_table([(100, 268), (1000, 3407), (10_000, 34_652)], costs).summary == (
        "A match of 400 records or more is restored from PostgreSQL at 100,000 records a second.",
    )


def test_summary_gives_the_cost_of_an_ordinary_activation() -> None:
    names = [("MoveDisk", "a"), ("PassDisk", "b"), ("ChooseCards", "c")]
    each = [(0, 200_000, 0, 0, 0), (0, 100_000, 0, 0, 0), (0, 9_000_000, 0, 0, 0)]
    assert decide._kinds_table(names, each).summary == ("The rules take 150 µs for an ordinary activation.",)


def test_summary_gives_the_memory_of_a_connection() -> None:
    measured = {idle.FLOOR: [watched(1, 10)], idle.OURS: [watched(1, 180), watched(1, 190), watched(1, 370)]}
    assert idle._result_table(10, measured).summary == ("A connection that nobody uses weighs 19.0 KiB.",)
