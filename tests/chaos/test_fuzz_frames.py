"""Whatever a client sends, the server refuses or closes, and makes no mistake of its own."""

import json
import random
from collections import Counter
from itertools import islice

import pytest

from diskwars_protocol.match.ids import MatchId
from tests.chaos.fuzz_frames import CLIENT_MESSAGES, fuzzed_frames, run


@pytest.mark.parametrize("seed", range(2))
async def test_fuzzed_frames_are_refused_or_close_the_connection(seed: int) -> None:
    answers = await run(4_000, seed)
    assert answers["frames"] >= 4_000
    assert {"refused: wrong_shape", "closed: bad_frame", "closed: hello_expected", "closed: too_big"} <= set(answers)


def test_every_kind_of_message_is_among_the_frames() -> None:
    """Counted by their tags, as far as the damage has left them readable; on average each comes a hundred times."""
    tags: Counter[str] = Counter()
    for frame in islice(fuzzed_frames(random.Random(1), MatchId("m")), 13_000):
        try:
            message = json.loads(frame)
        except ValueError:
            continue
        if isinstance(message, dict) and isinstance(message.get("type"), str):
            tags[message["type"]] += 1
    kinds = {kind.__struct_config__.tag for kind in CLIENT_MESSAGES}
    assert len(kinds) > 40
    assert {kind: tags[str(kind)] for kind in kinds if tags[str(kind)] < 30} == {}
