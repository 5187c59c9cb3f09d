"""The statement that stores a batch has the parts that the batch needs, and no others."""

import re
from itertools import product

import pytest

from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.event_log import AppendRequest
from diskwars_server.store.notices import PlannedNotice
from diskwars_server.store.postgres.append_statement import LEAN_APPEND_SQL, build_append
from tests.server.stored_samples import make_listing, make_record

DEADLINE = Deadline("m", "1.0", 5)
NOTICE = PlannedNotice("bob", "m", "your_turn", 1, 5, 1, "1.0")


def append_with(
    *, listing: bool = False, secret: bool = False, deadline: bool = False, notice: bool = False
) -> AppendRequest:
    return AppendRequest(
        "m",
        0,
        make_record(1),
        secrets={"deal": b"1"} if secret else {},
        listing=make_listing("m", 5) if listing else None,
        deciding=None if listing else (0, 1),
        deadlines=(DEADLINE,) if deadline else (),
        notices=(NOTICE,) if notice else (),
    )


@pytest.mark.parametrize(("listing", "secret", "deadline", "notice"), list(product([False, True], repeat=4)))
def test_statement_has_the_parts_of_its_batch_and_a_parameter_for_each_argument(
    listing: bool, secret: bool, deadline: bool, notice: bool
) -> None:
    batch = [append_with(), append_with(listing=listing, secret=secret, deadline=deadline, notice=notice)]
    sql, arguments = build_append(batch)
    numbers = [int(number) for number in re.findall(r"\$(\d+)", sql)]
    assert numbers == list(range(1, len(arguments) + 1))
    assert ("into matches" in sql) == ("into secrets" in sql) == (listing or secret)
    assert ("into deadlines" in sql) == deadline
    assert ("into planned_notices" in sql) == notice
    assert (sql == LEAN_APPEND_SQL) == (not (listing or secret or deadline or notice))
