"""Requests to named addresses: pinned to what was resolved and checked, bounded, and never redirected."""

import asyncio
from collections.abc import Sequence

import pytest
from aiohttp import web

from diskwars_server.notices import outbound
from diskwars_server.notices.addresses import BadAddress, ReachableAddresses, parse_networks
from diskwars_server.notices.outbound import Answer, OutboundHttp, Resolve, SendFailed
from tests.server.notices.receivers import receive_http

LOOPBACK = ReachableAddresses(parse_networks(["127.0.0.1/32"]))


def resolving(*answers: Sequence[str]) -> Resolve:
    """Return a resolver that gives another answer each time, and the last one from then on."""
    left = list(answers)

    async def resolve(host: str, port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolve


async def test_message_arrives_and_its_answer_is_returned() -> None:
    async with receive_http() as receiver:
        http = OutboundHttp(LOOPBACK)
        assert await http.post(f"{receiver.url}/hook", b"{}", {"X-One": "1"}) == Answer(201)
        receiver.respond = lambda received: web.Response(status=429, headers={"Retry-After": "7"})
        assert await http.post(f"{receiver.url}/hook", b"{}", {}) == Answer(429, 7)
        await http.close()
    first = receiver.requests[0]
    assert (first.path, first.body, first.headers["X-One"]) == ("/hook", b"{}", "1")


@pytest.mark.parametrize("addresses", [["127.0.0.2"], ["10.0.0.1"], ["93.184.216.34", "169.254.169.254"], ["::1"]])
async def test_name_that_leads_to_a_private_address_is_refused(addresses: list[str]) -> None:
    http = OutboundHttp(ReachableAddresses(), resolving(addresses))
    with pytest.raises(BadAddress):
        await http.post("https://rebind.example.org/", b"", {})
    await http.close()


async def test_second_answer_of_a_name_is_never_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection goes to the address that was checked: a name that leads elsewhere a moment later gains nothing."""
    connected: list[str] = []

    async def start_connection(addr_infos: Sequence[tuple[object, ...]], **more: object) -> None:
        connected.extend(str(info[-1][0]) for info in addr_infos)  # type: ignore[index]
        raise OSError("not for real")

    monkeypatch.setattr("aiohappyeyeballs.start_connection", start_connection)
    http = OutboundHttp(ReachableAddresses(), resolving(["93.184.216.34"], ["127.0.0.1"]))
    with pytest.raises(SendFailed):
        await http.post("https://rebind.example.org/", b"", {})
    assert set(connected) == {"93.184.216.34"}
    with pytest.raises(BadAddress):
        await http.post("https://rebind.example.org/", b"", {})
    assert set(connected) == {"93.184.216.34"}
    await http.close()


@pytest.mark.parametrize("host", ["localhost"])
async def test_names_of_this_machine_are_resolved_and_refused(host: str) -> None:
    http = OutboundHttp(ReachableAddresses())
    with pytest.raises(BadAddress):
        await http.post(f"https://{host}/", b"", {})
    await http.close()


async def test_redirect_is_an_answer_and_not_followed() -> None:
    async with receive_http() as receiver:
        target = f"{receiver.url}/other"
        receiver.respond = lambda received: web.Response(status=302, headers={"Location": target})
        http = OutboundHttp(LOOPBACK)
        assert (await http.post(f"{receiver.url}/hook", b"", {})).status == 302
        await http.close()
        assert [request.path for request in receiver.requests] == ["/hook"]


async def test_receiver_that_is_silent_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "TIMEOUT_SECONDS", 0.05)
    writers: list[asyncio.StreamWriter] = []
    silent = await asyncio.start_server(lambda reader, writer: writers.append(writer), "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    http = OutboundHttp(LOOPBACK)
    with pytest.raises(SendFailed, match="no answer"):
        await http.post(f"http://127.0.0.1:{port}/", b"", {})
    await http.close()
    silent.close()
    for writer in writers:
        writer.close()


async def test_answer_without_an_end_is_read_only_to_its_bound() -> None:
    async with receive_http() as receiver:
        receiver.respond = lambda received: web.Response(body=b"x" * 10_000_000)
        http = OutboundHttp(LOOPBACK)
        assert (await http.post(receiver.url, b"", {})).status == 200
        await http.close()


async def test_nobody_listening_is_a_failure_that_may_pass() -> None:
    http = OutboundHttp(LOOPBACK)
    with pytest.raises(SendFailed):
        await http.post("http://127.0.0.1:9/", b"", {})
    await http.close()
