"""Whatever a file, a line or a request holds, it is taken or refused in words that somebody has foreseen."""

from tests.chaos.fuzz_inputs import count_steps, run
from tests.effort import count_of
from tests.rows import each_row

KINDS = (
    ("lines", 300, {"refused", "understood"}),
    ("files", 100, {"import_changed", "unknown_ruleset"}),
    ("heads", 600, {"taken", "HTTP/1.1 400 Bad Request", "HTTP/1.1 431 Request Header Fields Too Large"}),
)


@each_row(("kind", "count", "expected"), KINDS)
def test_damaged_inputs_are_taken_or_refused(kind: str, count: int, expected: set[str]) -> None:
    found, _ = run(kind, count, seed=1)
    assert expected <= set(found)
    assert sum(found.values()) == count


@each_row(("kind", "most"), [("lines", 20_000), ("files", 20_000), ("heads", 1_000)])
def test_damaged_input_takes_few_steps(kind: str, most: int) -> None:
    """Calls of Python, which no other program on the machine adds to; the program itself measures milliseconds."""
    assert max(count_steps(kind, number, seed=1) for number in range(count_of(200, 60))) < most


@each_row("number", [10276, 66634, 85857, 28709])
def test_line_of_hundreds_of_names_takes_few_steps(number: int) -> None:
    """Of 100,000 lines of seed 7 these took 2.7 million: each word made one more pattern, which was longer."""
    assert count_steps("lines", number, seed=7) < 20_000
