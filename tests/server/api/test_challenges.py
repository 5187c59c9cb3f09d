"""Challenges over HTTP: sent, listed, answered and taken back with tokens of their scopes."""

from collections.abc import AsyncIterator

import pytest

from tests.server.api.served_api import get_api, serving_api
from tests.server.api.test_writes import player, post
from tests.server.in_memory_server import InMemoryServer

WANTED = {"ruleset": "counting", "settings": {"rounds": 1}}


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving_api(node) as url:
        yield url


async def test_challenge_is_sent_listed_and_accepted(node: InMemoryServer, url: str) -> None:
    (ann, anns), (ben, bens) = await player(node, "Ann"), await player(node, "Ben")
    sent = await post(url, "/challenges", anns.token, id="c1", name="Ben", **WANTED)
    assert sent.status == 200, sent.body
    again = await post(url, "/challenges", anns.token, id="c1", name="Ben", **WANTED)
    challenge = sent.json["challenge"]["challenge"]
    assert again.json["challenge"] == sent.json["challenge"]
    listed = await get_api(url, "/challenges", Authorization=f"Bearer {bens.token}")
    assert [known["challenge"] for known in listed.json["challenges"]] == [challenge]
    accepted = await post(url, f"/challenges/{challenge}/accept", bens.token, id="a1")
    assert accepted.status == 200, accepted.body
    match = accepted.json["challenge"]["match"]
    state = await node.state(match)
    assert state.status == "open"
    assert {ann.player, ben.player} == {accepted.json["challenge"][name] for name in ("challenger", "challenged")}
    late = await post(url, f"/challenges/{challenge}/withdraw", anns.token, id="w1")
    assert late.code == "challenge_over"


async def test_challenge_is_declined_with_a_reason(node: InMemoryServer, url: str) -> None:
    (_, anns), (_, bens) = await player(node, "Ann"), await player(node, "Ben")
    sent = await post(url, "/challenges", anns.token, id="c1", name="Ben", **WANTED)
    path = f"/challenges/{sent.json['challenge']['challenge']}/decline"
    odd = await post(url, path, bens.token, id="d1", reason="because")
    assert odd.code == "wrong_shape"
    declined = await post(url, path, bens.token, id="d1", reason="later")
    assert (declined.json["challenge"]["status"], declined.json["challenge"]["reason"]) == ("declined", "later")


async def test_scopes_say_what_a_token_does(node: InMemoryServer, url: str) -> None:
    await player(node, "Ben")
    _, watching = await player(node, "Ann", "watch")
    _, opening = await player(node, "Cid", "open")
    assert (await post(url, "/challenges", watching.token, id="c1", name="Ben", **WANTED)).code == "missing_scope"
    listed = await get_api(url, "/challenges", Authorization=f"Bearer {opening.token}")
    assert listed.code == "missing_scope"
    assert (await get_api(url, "/challenges")).code == "bad_token"
    assert (await post(url, "/challenges/ch5kq2m7xw4n/accept", opening.token, id="a")).code == "unknown_challenge"
