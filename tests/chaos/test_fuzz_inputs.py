"""Whatever a file, a line or a request holds, it is taken or refused in words that somebody has foreseen."""

from tests.chaos.fuzz_inputs import run
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
