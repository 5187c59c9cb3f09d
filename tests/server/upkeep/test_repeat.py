"""Repeated work of a server goes on after every fault."""

import logging

import pytest

from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.upkeep.repeat import repeat

log = logging.getLogger("diskwars_server.tried")


class Stopped(BaseException):
    """Ends a loop that ends by nothing else."""


async def test_step_is_repeated_after_faults_which_are_logged_once_in_a_row(caplog: pytest.LogCaptureFixture) -> None:
    faults: list[Exception | None] = [None, *[ValueError("secret")] * 3, KeyError("secret")]
    faults += [StoreUnavailable("away"), None, KeyError("secret"), StoreUnavailable("away"), KeyError("secret")]
    left, pauses = list(faults), []

    async def step() -> None:
        if (fault := left.pop(0)) is not None:
            raise fault

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if not left:
            raise Stopped

    with pytest.raises(Stopped):
        await repeat(step, 7.5, log, "step not done", sleep)
    assert pauses == [7.5] * len(faults)
    lines = [record for record in caplog.records if record.name == log.name]
    assert [(record.getMessage(), vars(record)["why"]) for record in lines] == [
        ("step not done", "ValueError"),
        ("step not done", "KeyError"),
        ("step not done", "KeyError"),
    ]
    assert "secret" not in caplog.text
