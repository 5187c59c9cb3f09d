"""What one act takes, counted: it cannot creep up unnoticed.

A count of more than 3 % above its figure fails. A commit that raises a figure gives the reason; one that saves calls
lowers it. Times cannot replace this: a change of a tenth is lost in the noise.
"""

import sys

import pytest

from bench.programs.calls import ActCounts, count_null_acts, count_recorded_acts

TOLERANCE = 1.03
NULL_ACTS = 60
NULL = ActCounts(NULL_ACTS, calls=322, encodings=7, hashes=3, loop_passes=2)
DISKWARS = ActCounts(59, calls=914, encodings=11.5, hashes=5.2, loop_passes=2)

counted_here = pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11),
    reason="calls are counted on CPython 3.11: others call other functions",
)


def exceeded(counts: ActCounts, figures: ActCounts) -> dict[str, float]:
    """Return what takes more than its figure allows."""
    names = ("calls", "encodings", "hashes", "loop_passes")
    return {name: getattr(counts, name) for name in names if getattr(counts, name) > TOLERANCE * getattr(figures, name)}


@counted_here
def test_null_act_takes_no_more_than_its_figures() -> None:
    counts = count_null_acts(NULL_ACTS)
    assert counts.acts == NULL_ACTS
    assert exceeded(counts, NULL) == {}
    assert counts.functions["diskwars_server.session.session", "Session.receive"] == 1


@counted_here
def test_act_of_a_recorded_match_takes_no_more_than_its_figures() -> None:
    counts = count_recorded_acts(None)
    assert counts.acts == DISKWARS.acts
    assert exceeded(counts, DISKWARS) == {}


def test_each_count_above_its_figure_is_named() -> None:
    assert exceeded(ActCounts(60, 345, 7, 4, 2), NULL) == {"calls": 345, "hashes": 4}
