"""Playing over HTTP with a token: open, take seats, act, follow; and what a token does not let its bearer do."""

import asyncio
import contextlib
import json
import socket
import zlib
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.accounts import ApiScope, ApiTokenMade, MakeApiToken, Register, RevokeDevice, SignedIn
from diskwars_server.api import conversations, writes
from diskwars_server.api.operations import API_PREFIX
from diskwars_server.connections.request_head import MAX_FILE_BYTES, MAX_FILES_BYTES
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.api.served_api import ApiAnswer, get_api, serving_api
from tests.server.http.test_routes import raw_socket
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match
from tests.server.lobby.test_imports import PIT, make_node

PASSWORD = "the griffon flies at dawn"
HEAD = "00" * 16


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving_api(node) as url:
        yield url


async def player(node: InMemoryServer, name: str, *scopes: ApiScope) -> tuple[InMemoryClient, ApiTokenMade]:
    client = await node.connect_and_greet()
    assert isinstance(await client.request(Register(client.id(), name, PASSWORD)), SignedIn)
    made = await client.request(MakeApiToken(client.id(), scopes or ("open", "play", "watch")))
    assert isinstance(made, ApiTokenMade), made
    return client, made


async def post(url: str, path: str, token: str, **fields: Any) -> ApiAnswer:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return await get_api(url, path, method="POST", body=json.dumps(fields).encode(), **headers)


async def act(url: str, match: str, token: str, id: str, decision: str | None, action: Any) -> ApiAnswer:
    answered = {} if decision is None else {"decision": decision}
    return await post(url, f"/matches/{match}/acts", token, id=id, action=action, **answered)


async def first_lines(url: str, match: str, token: str, count: int, query: str = "") -> list[dict[str, Any]]:
    """Return the first messages of a stream, of which no more is read."""

    def read() -> list[dict[str, Any]]:
        head = f"GET {API_PREFIX}/matches/{match}/stream{query} HTTP/1.0\r\nAuthorization: Bearer {token}\r\n\r\n"
        with raw_socket(url) as reader, reader.makefile("rb") as lines:
            reader.sendall(head.encode())
            assert b" 200 " in lines.readline()
            while lines.readline().strip():
                pass
            return [json.loads(line) for line in (lines.readline() for _ in range(count))]

    return await asyncio.to_thread(read)


async def test_match_is_opened_and_played_to_its_end(node: InMemoryServer, url: str) -> None:
    _, first = await player(node, "Ann")
    _, second = await player(node, "Ben")
    opened = await post(url, "/matches", first.token, id="o1", ruleset="counting", seat_count=2, settings={"rounds": 1})
    assert (opened.status, opened.headers["Cache-Control"]) == (200, "no-store")
    assert "Access-Control-Allow-Origin" not in opened.headers
    match = opened.json["match"]
    again = await post(url, "/matches", first.token, id="o1", ruleset="counting", seat_count=2, settings={"rounds": 1})
    assert again.json == opened.json
    for seat, made in enumerate((first, second)):
        seated = {"type": "take_seat", "chain_head": HEAD, "loadout": {"name": "x", "lucky": 3}}
        answer = await act(url, match, made.token, f"s{seat}", await decision(node, match, seat), seated)
        assert (answer.status, answer.json["type"]) == (200, "accepted"), answer.body
    for seat, made in enumerate((first, second)):
        assert (
            await act(url, match, made.token, "r", await decision(node, match, seat), {"type": "ready"})
        ).status == 200
    watching, options = await first_lines(url, match, first.token, 2)
    assert (watching["type"], watching["seat"], options["type"]) == ("watching", 0, "options")
    for seat, made in enumerate((first, second)):
        chosen = {"type": "choose", "number": 3}
        answer = await act(url, match, made.token, "c", await decision(node, match, seat), chosen)
        assert answer.status == 200, answer.body
        repeated = await act(url, match, made.token, "c", f"{watching['head']}.{seat}", chosen)
        assert repeated.json == answer.json, "a command sent again is not done again"
    assert (await node.state(match)).status == "ended"


async def decision(node: InMemoryServer, match: MatchId, seat: int) -> str:
    return next(open_.id for open_ in (await node.state(match)).decisions if open_.seat == seat)


async def test_player_resigns_over_http(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())
    assert (await act(url, match, made.token, "x", None, {"type": "resign"})).status == 200
    assert (await node.state(match)).status == "ended"


async def test_acts_over_http_are_announced_to_nobody_as_watching(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())
    game = await node.matches.find(match)
    watched = game.feed.is_watched_by(client.player)
    await act(url, match, made.token, "x", await decision(node, match, 0), {"type": "choose", "number": 2})
    assert game.feed.is_watched_by(client.player) == watched
    assert node.matches.count_watchers() == 0


async def test_refusals_of_the_rules_are_problems(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())
    wrong = await act(url, match, made.token, "a", await decision(node, match, 0), {"type": "choose", "number": 99})
    assert (wrong.status, bool(wrong.code)) == (409, True)
    other = await act(url, match, made.token, "b", await decision(node, match, 1), {"type": "choose", "number": 1})
    assert (other.status, other.code) == (409, "not_your_seat")
    stale = await act(url, match, made.token, "c", "1.0", {"type": "choose", "number": 1})
    assert (stale.status, stale.code) == (409, "stale_decision")


# ---------------------------------------------------------------- tokens


async def test_token_after_its_revocation_proves_nothing(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    fields = {"ruleset": "counting", "seat_count": 2}
    assert (await post(url, "/matches", made.token, id="1", **fields)).status == 200
    await client.request(RevokeDevice(client.id(), made.device))
    for _ in range(2):
        replayed = await post(url, "/matches", made.token, id="1", **fields)
        assert (replayed.status, replayed.code) == (401, "bad_token")
        assert made.token not in replayed.body.decode()
        assert replayed.headers["WWW-Authenticate"] == "Bearer"


async def test_stream_ends_with_its_token(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())

    def read(reader: socket.socket) -> bytes:
        received = b""
        while piece := reader.recv(65536):
            received += piece
        return received

    with raw_socket(url) as reader:
        head = f"GET {API_PREFIX}/matches/{match}/stream HTTP/1.0\r\nAuthorization: Bearer {made.token}\r\n\r\n"
        reader.sendall(head.encode())
        while not await asyncio.to_thread(reader.recv, 65536):
            pass
        await client.send_message(RevokeDevice(client.id(), made.device))
        async with asyncio.timeout(20):
            rest = await asyncio.to_thread(read, reader)
    assert b"token_revoked" in rest


@pytest.mark.parametrize("scope", ["open", "play", "watch"])
async def test_token_does_what_its_scope_says_and_nothing_else(node: InMemoryServer, url: str, scope: ApiScope) -> None:
    client, made = await player(node, "Ann", scope)
    match = await begin_match(client, await node.connect_and_greet(), options=MatchOptions(watchers="none"))
    opened = await post(url, "/matches", made.token, id="1", ruleset="counting", seat_count=2)
    acted = await act(url, match, made.token, "1", await decision(node, match, 0), {"type": "choose", "number": 1})
    followed = await get_api(
        url, f"/matches/{match}/stream?after=1", method="HEAD", Authorization=f"Bearer {made.token}"
    )
    statuses = {"open": opened.status, "play": acted.status, "watch": followed.status}
    assert statuses == {name: 200 if name == scope else 403 for name in statuses}
    assert scope in ("open",) or opened.code == "missing_scope"


@pytest.mark.parametrize(
    "header", ["", "Basic YTpi", "Bearer", "Bearer api_" + "A" * 43, "Bearer " + "x" * 3000, "api_x"]
)
async def test_what_is_no_token_proves_nothing(url: str, header: str) -> None:
    headers = {"Authorization": header} if header else {}
    answer = await get_api(url, "/matches", method="POST", body=b"{}", Content_Type="application/json", **headers)
    assert (answer.status, answer.code) == (401, "bad_token")


async def test_token_of_a_device_is_none_for_http(node: InMemoryServer, url: str) -> None:
    client = await node.connect_and_greet()
    signed_in = await client.request(Register(client.id(), "Ann", PASSWORD))
    assert isinstance(signed_in, SignedIn)
    for token in (signed_in.token, client.token):
        assert (await post(url, "/matches", token, id="1", ruleset="counting", seat_count=2)).status == 401


# ---------------------------------------------------------------- what one may see


async def test_stream_shows_a_player_their_own_secrets_and_the_public_none(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())
    await client.choose_number(match, 0, 5)
    own = await first_lines(url, match, made.token, 2, "?after=0")
    assert any("openings" in record for message in own for record in message.get("records", ()))
    stranger, _ = await player(node, "Eve")
    assert stranger.player != client.player

    def read_public() -> bytes:
        with raw_socket(url) as reader:
            reader.sendall(f"GET {API_PREFIX}/matches/{match}/stream?after=0 HTTP/1.0\r\n\r\n".encode())
            received = b""
            while received.count(b"\n{") < 2:
                received += reader.recv(65536)
            return received

    public = await asyncio.to_thread(read_public)
    assert b'"records"' in public
    assert b'"openings"' not in public


async def test_private_match_is_followed_by_its_players_only(node: InMemoryServer, url: str) -> None:
    client, made = await player(node, "Ann")
    _, other = await player(node, "Eve")
    match = await begin_match(client, await node.connect_and_greet(), options=MatchOptions(watchers="none"))
    assert (await first_lines(url, match, made.token, 1))[0]["seat"] == 0
    for headers in ({}, {"Authorization": f"Bearer {other.token}"}):
        answer = await get_api(url, f"/matches/{match}/stream", **headers)
        assert (answer.status, answer.code) == (403, "not_watchable")
    acted = await act(url, match, other.token, "1", await decision(node, match, 0), {"type": "choose", "number": 1})
    assert (acted.status, acted.code) == (403, "not_watchable")


async def test_stream_ends_after_its_time_and_goes_on_after_a_record(
    node: InMemoryServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writes, "FOLLOW_SECONDS", 0.3)
    client, made = await player(node, "Ann")
    match = await begin_match(client, await node.connect_and_greet())
    answer = await get_api(url, f"/matches/{match}/stream?after=3", Authorization=f"Bearer {made.token}")
    messages = [json.loads(line) for line in answer.body.splitlines() if line]
    records = [record["seq"] for message in messages for record in message.get("records", ())]
    assert (messages[0]["type"], records[0]) == ("watching", 4)
    assert records[-1] == (await node.matches.find(match)).head


async def test_followed_matches_are_bounded(node: InMemoryServer, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "HEARTBEAT_SECONDS", 0.1)
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    path = f"/matches/{match}/stream"
    with contextlib.ExitStack() as stack:
        for _ in range(writes.MAX_FOLLOWED):
            reader = stack.enter_context(raw_socket(url))
            reader.sendall(f"GET {API_PREFIX}{path} HTTP/1.0\r\n\r\n".encode())
            await asyncio.to_thread(reader.recv, 100)
        assert (await get_api(url, path)).code == "busy"
    async with asyncio.timeout(20):
        while (await get_api(url, path, method="HEAD")).status != 200:
            await asyncio.sleep(0.1)


# ---------------------------------------------------------------- match files


async def send_file(url: str, token: str, body: bytes, **headers: str) -> ApiAnswer:
    sent = {"Authorization": f"Bearer {token}", "Content_Type": "application/x-ndjson", **headers}
    return await get_api(url, "/imports", method="POST", body=body, **sent)


async def test_match_file_is_imported_as_it_is_or_compressed() -> None:
    async with MemoryDatabase() as database:
        node = make_node(database)
        _, made = await player(node, "Ann", "import", "play")
        async with serving_api(node) as url:
            first = await send_file(url, made.token, PIT)
            again = await send_file(url, made.token, zlib.compress(PIT), Content_Encoding="deflate")
            broken = await send_file(url, made.token, PIT[:-100])
            bomb = await send_file(url, made.token, zlib.compress(b"0" * 50_000_000), Content_Encoding="deflate")
            empty = await send_file(url, made.token, b"")
            garbage = await send_file(url, made.token, b"\x00" * 1000, Content_Encoding="deflate")
            opened = await post(url, "/matches", made.token, id="1", ruleset="pit", seat_count=2)
        await node.matches.close()
    assert (first.status, first.json["is_new"]) == (200, True), first.body
    assert (again.status, again.json["is_new"], again.json["match"]) == (200, False, first.json["match"])
    assert broken.code == "import_cut"
    assert (bomb.status, bomb.code) == (413, "import_too_large")
    assert 400 <= empty.status < 500
    assert 400 <= garbage.status < 500
    assert opened.code == "missing_scope"


async def test_files_that_are_too_large_or_too_many_at_once_are_refused(node: InMemoryServer, url: str) -> None:
    _, made = await player(node, "Ann", "import")
    head = f"POST {API_PREFIX}/imports HTTP/1.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
    with raw_socket(url) as raw:
        raw.sendall(f"{head}{MAX_FILE_BYTES + 1}\r\nAuthorization: Bearer {made.token}\r\n\r\n".encode())
        assert (await asyncio.to_thread(raw.recv, 100)).startswith(b"HTTP/1.1 413")
    with contextlib.ExitStack() as stack:
        # Strangers hold all that files may have, and send nothing of them.
        for _ in range(MAX_FILES_BYTES // MAX_FILE_BYTES):
            stack.enter_context(raw_socket(url)).sendall(f"{head}{MAX_FILE_BYTES}\r\n\r\n".encode())
        await asyncio.sleep(0.2)
        refused = await send_file(url, made.token, b"x" * 20_000)
        assert (refused.status, refused.code) == (413, "body_too_large")
    async with asyncio.timeout(20):
        while (answer := await send_file(url, made.token, b"x" * 20_000)).code == "body_too_large":
            await asyncio.sleep(0.05)
    assert answer.code == "import_off", "this server verifies nothing"


# ---------------------------------------------------------------- bodies


BAD_BODIES: dict[str, tuple[bytes, int, str]] = {
    "no JSON": (b"{", 400, "wrong_shape"),
    "no object": (b"[1]", 400, "wrong_shape"),
    "nothing": (b"", 400, "wrong_shape"),
    "no UTF-8": (b'{"id":"\xff"}', 400, "wrong_shape"),
    "a key twice": (b'{"id":"1","id":"2"}', 400, "wrong_shape"),
    "a type": (b'{"type":"act","id":"1","action":{}}', 400, "wrong_shape"),
    "what the path says": (b'{"match":"x","id":"1","action":{}}', 400, "wrong_shape"),
    "an unknown field": (b'{"id":"1","action":{},"more":1}', 400, "wrong_shape"),
    "a number for a text": (b'{"id":1,"action":{}}', 400, "wrong_shape"),
    "nothing for a value": (b'{"id":"1","action":{},"chain_head":null}', 400, "wrong_shape"),
    "too deep": (b'{"id":"1","action":' + b"[" * 500 + b"]" * 500 + b"}", 400, "wrong_shape"),
    "too many values": (b'{"id":"1","action":[' + b"1," * 7_000 + b"1]}", 400, "wrong_shape"),
    "as long as it may be": (b'{"id":"' + b"a" * (16_384 - 9) + b'"}', 400, "wrong_shape"),
    "too long": (b'{"id":"' + b"a" * 16_384 + b'"}', 413, "body_too_large"),
    "far too long": (b"a" * 3_000_000, 413, "body_too_large"),
}


async def test_bodies_that_are_none_are_problems(node: InMemoryServer, url: str) -> None:
    _, made = await player(node, "Ann")
    headers = {"Authorization": f"Bearer {made.token}", "Content-Type": "application/json"}
    for name, (body, status, code) in BAD_BODIES.items():
        try:
            answer = await get_api(url, "/matches/c9dk2n5ytxgw/acts", method="POST", body=body, **headers)
        except (BrokenPipeError, ConnectionResetError):
            assert name == "far too long"  # the client was still sending when the answer had come
            continue
        assert (answer.status, answer.code) == (status, code), name


async def test_body_of_another_type_or_of_no_length_is_refused(node: InMemoryServer, url: str) -> None:
    _, made = await player(node, "Ann")
    path, token = "/matches/c9dk2n5ytxgw/acts", f"Bearer {made.token}"
    form = await get_api(url, path, method="POST", body=b"a=1", Authorization=token, Content_Type="text/plain")
    assert (form.status, form.code) == (415, "bad_content_type")
    with raw_socket(url) as raw:
        head = f"POST {API_PREFIX}{path} HTTP/1.1\r\nAuthorization: {token}\r\nTransfer-Encoding: chunked\r\n\r\n"
        raw.sendall(head.encode() + b"2\r\n{}\r\n0\r\n\r\n")
        assert (await asyncio.to_thread(raw.recv, 100)).startswith(b"HTTP/1.1 413")


async def test_body_may_come_in_pieces(node: InMemoryServer, url: str) -> None:
    _, made = await player(node, "Ann")
    body = json.dumps({"id": "1", "ruleset": "counting", "seat_count": 2, "settings": {"rounds": 2}}).encode()
    head = (
        f"POST {API_PREFIX}/matches HTTP/1.1\r\nAuthorization: Bearer {made.token}\r\n"
        f"Content-Type: application/json; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    whole = head + body
    for size in (1, 7, len(head), len(head) + 3):
        with raw_socket(url) as raw:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for first in range(0, len(whole), size):
                raw.sendall(whole[first : first + size])
                await asyncio.sleep(0)
            answer = await asyncio.to_thread(raw.recv, 65536)
        assert b" 200 OK" in answer, size


async def test_request_with_a_body_has_no_query(node: InMemoryServer, url: str) -> None:
    _, made = await player(node, "Ann")
    assert (await post(url, "/matches?limit=5", made.token, id="1", ruleset="counting", seat_count=2)).status == 400
