"""A client in Node plays whole matches on a real server, loses its connections, and knows in the end what we know."""

import asyncio
import json

import pytest

from diskwars_client.verification.verify import verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match import AnyRules, MatchRules
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.client.local_server import running_server
from tests.interop.node_program import PROGRAM, TIMEOUT_SECONDS, Json, node, same_states
from tests.node_packages import node_packages


async def play_in_node(seed: int, seats: int, setup: str) -> Json:
    """Let the Node program play a match on a real server and return what it knows at the end."""
    arguments = (node(), str(PROGRAM), "play", str(node_packages()))
    async with running_server(seed) as url:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            url,
            str(seed),
            str(seats),
            setup,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            out, complaints = await asyncio.wait_for(process.communicate(), TIMEOUT_SECONDS)
        finally:
            if process.returncode is None:
                process.kill()
    assert process.returncode == 0, complaints.decode()
    return json.loads(out)


@pytest.mark.parametrize(
    ("seed", "seats", "setup"), [(1, 2, "quick"), (2, 2, "full"), (3, 3, "quick"), (4, 3, "full"), (5, 4, "full")]
)
def test_node_clients_play_a_match_to_its_end(seed: int, seats: int, setup: str) -> None:
    played = asyncio.run(play_in_node(seed, seats, setup))
    raw = played["file"].encode()
    file, verdict = read_file(raw), verify(raw, played["hashes"][0], [Diskwars(core_pack())])
    assert verdict.is_redecided
    assert verdict.head_seq == verdict.records
    assert set(played["hashes"]) == {verdict.head}
    state = DISKWARS.fold_log([DISKWARS.decode_body(body) for body in file.bodies])
    assert same_states(played["state"], state)
    check_spectator(played["spectator"], state)
    assert sum(played["connections"]) > seats, "no connection was lost"
    assert not played["refusals"]
    assert played["files"] == 1, "the openings were not pushed to every seat"
    assert all(not step.missing for step in steps_of(raw)), "a nonce was lost"


def check_spectator(spectator: Json, state: DiskwarsMatch) -> None:
    """Check what somebody knows who began with a snapshot, and has then read the history by ranges."""
    assert spectator["isChained"]
    assert spectator["missed"] == 1, "the spectator has not resumed from a snapshot"
    assert spectator["ranges"] > 1
    assert same_states(spectator["folded"], spectator["snapshot"])
    rules: AnyRules = MatchRules(Diskwars(core_pack()))
    assert same_states(spectator["state"], rules.view(state, PUBLIC))


def steps_of(raw: bytes) -> list[StepBegan]:
    bodies = [DISKWARS.decode_body(body) for body in read_file(raw).bodies]
    return [event for body in bodies for event in body.events if isinstance(event, StepBegan)]
