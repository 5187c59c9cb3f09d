"""Whatever a client sends, the server refuses or closes, and makes no mistake of its own."""

import pytest

from tests.chaos.fuzz_frames import run


@pytest.mark.parametrize("seed", range(2))
async def test_fuzzed_frames_are_refused_or_close_the_connection(seed: int) -> None:
    found = await run(4_000, seed)
    assert found["frames"] >= 4_000
    assert {"refused: wrong_shape", "closed: bad_frame", "closed: hello_expected", "closed: too_big"} <= set(found)
