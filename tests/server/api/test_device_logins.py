"""Logins of programs without a browser (RFC 8628), from the codes to the token, and what is refused on the way."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from diskwars_protocol.messages.accounts import (
    AnswerDeviceLogin,
    DeviceList,
    DeviceLoginView,
    GetDeviceLogin,
    ListDevices,
)
from diskwars_server.api.answers import Body
from diskwars_server.api.device_logins import GRANT_TYPE, DeviceLoginOperations, StartDeviceLogin
from diskwars_server.api.operations import Call
from diskwars_server.players.device_logins import CODES_PER_ADDRESS, LIFETIME_MS, TRIES_PER_PLAYER
from diskwars_server.players.tokens import TokenIssuer
from tests.server.api.served_api import ApiAnswer, get_api, serving_api
from tests.server.api.test_writes import PASSWORD, player, post
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving_api(node) as url:
        yield url


async def send(url: str, path: str, **fields: Any) -> ApiAnswer:
    return await get_api(url, path, method="POST", body=json.dumps(fields).encode(), **JSON)


async def start(url: str, scope: str = "play watch") -> Any:
    answer = await send(url, "/device/code", client_id="my bot", scope=scope)
    assert answer.status == 200, answer.body
    return answer.json


async def poll(url: str, node: InMemoryServer, device_code: str, wait_ms: int = 10_000) -> ApiAnswer:
    node.clock.now += wait_ms
    return await send(url, "/device/token", grant_type=GRANT_TYPE, device_code=device_code)


async def view(client: InMemoryClient, code: str, approved: bool | None = None) -> DeviceLoginView:
    asked = (
        GetDeviceLogin(client.id(), code)
        if approved is None
        else AnswerDeviceLogin(client.id(), code, approved, PASSWORD if approved else None)
    )
    answer = await client.request(asked)
    assert isinstance(answer, DeviceLoginView), answer
    return answer


async def test_program_gets_a_token_once_its_player_has_agreed(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    assert codes["verification_uri_complete"].endswith(f"/settings?code={codes['user_code']}")
    waiting = await poll(url, node, codes["device_code"])
    assert (waiting.status, waiting.json["error"]) == (400, "authorization_pending")
    typed = codes["user_code"].lower().replace("-", " ")
    shown = await view(ann, typed)
    assert (shown.status, shown.name, shown.scopes) == ("waiting", "my bot", ("play", "watch"))
    assert (await view(ann, typed, approved=True)).status == "approved"
    assert (await view(ann, typed, approved=True)).status == "approved", "sent again, it is the same answer"
    fetched = await poll(url, node, codes["device_code"])
    assert (fetched.status, fetched.json["token_type"], fetched.json["scope"]) == (200, "Bearer", "play watch")
    assert (await get_api(url, "/challenges", Authorization=f"Bearer {fetched.json['access_token']}")).status == 200
    again = await poll(url, node, codes["device_code"])
    assert again.json == fetched.json, "an answer that was lost is given again"
    devices = await ann.request(ListDevices(ann.id()))
    assert isinstance(devices, DeviceList)
    assert ("my bot", ("play", "watch")) in [(device.name, device.scopes) for device in devices.devices]


async def test_page_is_named_as_the_program_reaches_it(node: InMemoryServer, url: str) -> None:
    plain, proxied, twice = [
        (await get_api(url, "/device/code", method="POST", body=b'{"client_id":"bot"}', **JSON, **headers)).json
        for headers in ({}, {"X-Forwarded-Proto": "https"}, {"X-Forwarded-Proto": "https, http"})
    ]
    assert plain["verification_uri"].startswith("http://")
    assert proxied["verification_uri"] == plain["verification_uri"].replace("http://", "https://")
    assert twice["verification_uri"] == plain["verification_uri"], "what proxies disagree about is not believed"


async def test_server_with_a_certificate_names_its_page_with_https(node: InMemoryServer) -> None:
    logins = DeviceLoginOperations(node.session_context.requests.services.device_logins, "", is_secure=True)
    row = next(row for row in logins.operations() if row.path == "/device/code")
    client = await node.connect_and_greet()
    call = Call(client.session.user, Request("/device/code", Headers(Host="disks.example.org:8765")))
    answer = await row.answer(call, StartDeviceLogin("bot"))
    assert isinstance(answer, Body)
    assert json.loads(answer.content)["verification_uri"] == "https://disks.example.org:8765/settings"


async def test_login_without_scopes_is_a_device_of_the_account(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url, "")
    await view(ann, codes["user_code"], approved=True)
    token = (await poll(url, node, codes["device_code"])).json["access_token"]
    again = await node.connect_and_greet(token=token)
    assert again.player == ann.player


async def test_program_that_may_do_all_is_let_in_with_the_password_only(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    code = (await start(url, ""))["user_code"]
    for password in (None, "none of them"):
        refused = await ann.expect_refused(AnswerDeviceLogin(ann.id(), code, True, password))
        assert (refused.code, refused.place) == ("wrong_password", "$.password")
    assert (await view(ann, code)).status == "waiting"
    assert (await view(ann, code, approved=True)).status == "approved"
    other = (await start(url, ""))["user_code"]
    answer = await ann.request(AnswerDeviceLogin(ann.id(), other, False))
    assert isinstance(answer, DeviceLoginView)
    assert answer.status == "denied", "a refusal needs none"


async def test_polls_at_once_make_one_device_and_get_its_token(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=True)
    answers = await asyncio.gather(*(poll(url, node, codes["device_code"]) for _ in range(2)))
    answers.append(await poll(url, node, codes["device_code"]))
    assert answers[-1].status == 200, "also after another request had it"
    assert len({answer.json["access_token"] for answer in answers if answer.status == 200}) == 1
    devices = await node.database.accounts.list_devices(ann.player)
    assert [device.name for device in devices].count("my bot") == 1
    late = await poll(url, node, codes["device_code"], LIFETIME_MS)
    assert late.json["error"] == "expired_token", "no longer than a code lives"


async def test_token_of_a_device_that_was_logged_out_is_not_given_again(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=True)
    assert (await poll(url, node, codes["device_code"])).status == 200
    made = next(device for device in await node.database.accounts.list_devices(ann.player) if device.scopes)
    await node.database.accounts.remove_device(ann.player, made.device)
    assert (await poll(url, node, codes["device_code"])).json["error"] == "expired_token"


async def test_change_of_the_password_ends_what_was_approved_before(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url, "")
    await view(ann, codes["user_code"], approved=True)
    account = await node.database.accounts.find_player(ann.player)
    assert account is not None
    assert await node.database.accounts.change_password(ann.player, account.password_hash, "new")
    assert (await poll(url, node, codes["device_code"])).json["error"] == "expired_token"


@pytest.mark.parametrize("condition", ["*", "etag"])
async def test_condition_takes_no_token_away(node: InMemoryServer, url: str, condition: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=True)
    node.clock.now += 10_000
    body = json.dumps({"grant_type": GRANT_TYPE, "device_code": codes["device_code"]}).encode()
    fetched = await get_api(url, "/device/token", method="POST", body=body, If_None_Match=condition, **JSON)
    assert (fetched.status, "access_token" in fetched.json) == (200, True)


@pytest.mark.parametrize("path", ["/device/code", "/device/token"])
async def test_codes_and_tokens_are_kept_nowhere_and_read_by_no_other_page(
    node: InMemoryServer, url: str, path: str
) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    answer = await send(url, "/device/code", client_id="bot")
    if path == "/device/token":
        await view(ann, answer.json["user_code"], approved=True)
        answer = await poll(url, node, answer.json["device_code"])
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.headers["ETag"] is None
    assert answer.headers["Access-Control-Allow-Origin"] is None


async def test_problems_of_codes_and_tokens_are_read_by_no_other_page(url: str) -> None:
    refused = [
        await send(url, "/device/code", client_id="bot", scope="all"),
        await send(url, "/device/token", grant_type=GRANT_TYPE, device_code="none"),
        await send(url, "/device/token", wrong=1),
        await get_api(url, "/device/code"),
        await get_api(url, "/device/token", method="OPTIONS"),
    ]
    assert [answer.status for answer in refused[:4]] == [400, 400, 400, 405]
    assert [answer.headers["Access-Control-Allow-Origin"] for answer in refused] == [None] * 5
    assert (await get_api(url, "/nothing")).headers["Access-Control-Allow-Origin"] == "*"


async def test_codes_of_many_addresses_keep_nobody_out(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("diskwars_server.players.device_logins.MAX_WAITING_LOGINS", 100)
    ann, _ = await player(node, "Ann of Nuln")
    logins = node.session_context.requests.services.device_logins

    async def ask_from_many(count: int) -> None:
        for number in range(count):
            node.clock.now += 1
            await logins.start(f"10.0.{count}.{number // CODES_PER_ADDRESS.units}", "stranger", ["play"])

    await ask_from_many(120)
    code = (await logins.start("192.0.2.1", "my bot", ["play"])).user_code
    await ask_from_many(60)
    assert (await view(ann, code, approved=True)).status == "approved"


async def test_polls_count_as_queries_and_other_codes_reach_no_store(
    node: InMemoryServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = list[str]()

    def count_query(address: str) -> int:
        counted.append(address)
        return 0

    monkeypatch.setattr(node.session_context.quotas, "admit_query", count_query)
    polled = list[bytes]()

    async def count_poll(device_hash: bytes, now_ms: int) -> None:
        polled.append(device_hash)

    monkeypatch.setattr(node.database.device_logins, "poll", count_poll)
    assert (await poll(url, node, "not a code")).json["error"] == "expired_token"
    assert (len(counted), polled) == (1, [])
    assert (await poll(url, node, "k" * 43)).json["error"] == "expired_token"
    assert (len(counted), len(polled)) == (2, 1)


async def test_refused_program_gets_that_answer_once(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=False)
    assert (await poll(url, node, codes["device_code"])).json["error"] == "access_denied"
    assert (await poll(url, node, codes["device_code"])).json["error"] == "expired_token"


async def test_program_that_polls_too_often_is_slowed_down(node: InMemoryServer, url: str) -> None:
    codes = await start(url)
    await poll(url, node, codes["device_code"])
    early = await poll(url, node, codes["device_code"], wait_ms=1_000)
    assert (early.json["error"], early.json["retry_after_ms"]) == ("slow_down", 10_000)
    later = await poll(url, node, codes["device_code"], wait_ms=10_000)
    assert later.json["error"] == "authorization_pending"


async def test_code_expires(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    assert (await poll(url, node, codes["device_code"], LIFETIME_MS)).json["error"] == "expired_token"
    refused = await ann.expect_refused(GetDeviceLogin(ann.id(), codes["user_code"]))
    assert refused.code == "unknown_user_code"


async def test_guesses_of_codes_are_limited(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    refusals = [
        (await ann.expect_refused(GetDeviceLogin(ann.id(), "BCDF-GHJK"))).code
        for _ in range(TRIES_PER_PLAYER.units + 1)
    ]
    assert refusals == ["unknown_user_code"] * TRIES_PER_PLAYER.units + ["too_many_attempts"]
    refused = await ann.expect_refused(AnswerDeviceLogin(ann.id(), codes["user_code"], True))
    assert refused.code == "too_many_attempts", "also the right one waits"


async def test_guest_cannot_answer(node: InMemoryServer, url: str) -> None:
    guest = await node.connect_and_greet()
    codes = await start(url)
    refused = await guest.expect_refused(AnswerDeviceLogin("a", codes["user_code"], True))
    assert refused.code == "not_registered"


async def test_codes_of_an_address_are_limited(node: InMemoryServer, url: str) -> None:
    statuses = [(await send(url, "/device/code", client_id="bot")).status for _ in range(CODES_PER_ADDRESS.units + 1)]
    assert statuses == [200] * CODES_PER_ADDRESS.units + [429]


async def test_unknown_scope_is_refused_with_its_place(url: str) -> None:
    refused = await send(url, "/device/code", client_id="bot", scope="play everything")
    assert (refused.code, refused.json["place"]) == ("unknown_scope", "$.scope")


async def test_neither_code_nor_token_is_stored(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=True)
    kept = repr(vars(node.database.device_logins))
    assert codes["device_code"] not in kept
    assert codes["user_code"].replace("-", "") not in kept


async def test_reader_of_the_table_cannot_guess_the_short_code(node: InMemoryServer, url: str) -> None:
    codes = await start(url)
    letters = codes["user_code"].replace("-", "")
    other, own = TokenIssuer(b"o" * 32, node.clock), node.tokens
    logins, now = node.database.device_logins, node.clock.now
    for without_key in (hashlib.sha256(letters.encode()).digest(), other.hash_user_code(letters)):
        assert await logins.find(without_key, now) is None
    assert await logins.find(own.hash_user_code(letters), now) is not None


async def test_account_that_is_gone_gives_no_token(node: InMemoryServer, url: str) -> None:
    ann, _ = await player(node, "Ann of Nuln")
    codes = await start(url)
    await view(ann, codes["user_code"], approved=True)
    account = await node.database.accounts.find_player(ann.player)
    assert account is not None
    await node.database.accounts.delete(ann.player, account.password_hash)
    assert (await poll(url, node, codes["device_code"])).json["error"] == "expired_token"
    assert (await post(url, "/matches", "api_x", id="1")).code == "bad_token"
