"""The links of mail over HTTP: looking changes nothing, the button and a mail program's own button do."""

import contextlib
import http.client
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from websockets.http11 import Request

from diskwars_protocol.messages.notices import EmailTarget
from diskwars_server.connections.request_head import MAX_BODY_BYTES, RequestHeadProtocol
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.limits.address_quotas import QUERY_BURST, AddressQuotas, QuotaLimits
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.notices import StoredChannel
from tests.server.faulty_database import FaultyDatabase
from tests.server.http.test_routes import Answer, get, is_well
from tests.server.in_memory_server import InMemoryClient
from tests.server.notices.club import Club, add, find_token


@contextlib.asynccontextmanager
async def serving(club: Club) -> AsyncIterator[str]:
    options = ListenOptions()
    async with Transport(club.node.session_context, is_well, options, routes=club.parts.routes) as transport:
        yield transport.url


async def unconfirmed(club: Club) -> tuple[InMemoryClient, str]:
    """Return a member with an address, and the token that was sent there."""
    ann = await club.join("Ann of Nuln")
    await add(ann, EmailTarget("ann@example.org"))
    await club.deliverer.step()
    return ann, find_token("confirm", str(club.mail.mails.pop()))


async def channel(club: Club, member: InMemoryClient) -> StoredChannel | None:
    return next(iter((await club.node.database.notices.find_channels([member.player])).get(member.player, ())), None)


async def test_address_is_confirmed_by_the_button_and_not_by_looking(club: Club) -> None:
    ann, token = await unconfirmed(club)
    async with serving(club) as url:
        shown = await get(url, f"/notices/confirm/{token}")
        assert (shown.status, b'<form method="post">' in shown.body) == (200, True)
        stored = await channel(club, ann)
        assert stored is not None
        assert stored.state == "unconfirmed"
        for _ in range(2):
            done = await get(url, f"/notices/confirm/{token}", method="POST", body=b"")
            assert (done.status, b"<form" in done.body) == (200, False)
    stored = await channel(club, ann)
    assert stored is not None
    assert stored.state == "working"


async def test_mail_program_ends_mail_in_one_click(club: Club) -> None:
    ann, token = await unconfirmed(club)
    stored = await channel(club, ann)
    assert stored is not None
    stop = club.parts.service._links.token("stop", stored)
    async with serving(club) as url:
        body = b"List-Unsubscribe=One-Click"
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        assert (await get(url, f"/notices/stop/{stop}", method="POST", body=body, **form)).status == 200
        assert await channel(club, ann) is None
        assert (await get(url, f"/notices/stop/{stop}", method="POST", body=body, **form)).status == 200
        assert (await get(url, f"/notices/confirm/{token}", method="POST", body=body)).status == 404


async def test_bad_link_says_so_in_the_readers_language(club: Club) -> None:
    async with serving(club) as url:
        answer = await get(url, "/notices/confirm/abc", Accept_Language="de-AT,de;q=0.9")
        assert answer.status == 404
        assert "abgeschnitten" in answer.body.decode()


async def test_only_links_take_a_body_and_only_a_short_one(club: Club) -> None:
    _, token = await unconfirmed(club)
    async with serving(club) as url:
        link = f"/notices/confirm/{token}"
        assert (await get(url, link, method="POST", body=b"x" * MAX_BODY_BYTES)).status == 200
        assert (await get(url, link, method="POST", body=b"x" * (MAX_BODY_BYTES + 1))).status == 405
        assert (await get(url, "/notices/other", method="POST", body=b"x")).status == 405
        assert (await get(url, "/", method="POST", body=b"x")).status == 405
        assert (await get(url, link, method="PUT")).status == 405


def post_in_pieces(url: str, path: str, pieces: list[bytes]) -> Answer:
    """Post a request whose bytes arrive one after another."""
    address = urlsplit(url)
    sending = http.client.HTTPConnection(str(address.hostname), address.port, timeout=10)
    with contextlib.closing(sending):
        sending.connect()
        head = f"POST {path} HTTP/1.1\r\nHost: x\r\ncontent-length: {sum(map(len, pieces))}\r\n\r\n".encode()
        for piece in (*(head[place : place + 7] for place in range(0, len(head), 7)), *pieces):
            sending.sock.sendall(piece)
        response = http.client.HTTPResponse(sending.sock)
        response.begin()
        return Answer(response)


async def test_request_in_pieces_is_read_to_its_end(club: Club) -> None:
    import asyncio

    ann, token = await unconfirmed(club)
    async with serving(club) as url:
        pieces = [b"List-", b"Unsubscribe", b"=One-Click"]
        answer = await asyncio.to_thread(post_in_pieces, url, f"/notices/confirm/{token}", pieces)
        assert answer.status == 200
    stored = await channel(club, ann)
    assert stored is not None
    assert stored.state == "working"


async def test_database_that_is_away_is_said_and_nothing_is_lost(club: Club) -> None:
    _, token = await unconfirmed(club)

    async def fail(*arguments: object) -> None:
        raise StoreUnavailable("told to")

    assert isinstance(club.node.database, FaultyDatabase)
    club.parts.service.confirm = fail  # type: ignore[method-assign, assignment]
    async with serving(club) as url:
        assert (await get(url, f"/notices/confirm/{token}", method="POST", body=b"")).status == 503


@pytest.mark.parametrize("cut", [1, 3, 5, 9, 13])
def test_request_that_only_begins_like_a_post_keeps_its_bytes(cut: int) -> None:
    head = b"POST /nothing HTTP/1.1\r\nHost: x\r\n\r\n"
    whole, pieces = RequestHeadProtocol(), RequestHeadProtocol()
    whole.receive_data(head)
    pieces.receive_data(head[:cut])
    pieces.receive_data(head[cut:])
    for protocol in (whole, pieces):
        (request,) = protocol.events_received()
        assert isinstance(request, Request)
        assert (request.path, request.method) == ("/nothing", "POST")


def test_two_lengths_are_left_to_the_library() -> None:
    protocol = RequestHeadProtocol()
    head = b"POST /notices/stop/x HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 0\r\n\r\nabc"
    protocol.receive_data(head)
    assert protocol.events_received() == []


async def test_many_people_of_one_mail_provider_end_mail(club: Club) -> None:
    _, token = await unconfirmed(club)
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), club.node.clock)
    club.node.session_context = replace(club.node.session_context, quotas=quotas)
    path = f"/notices/confirm/{token}"
    async with serving(club) as url:
        answers = [
            await get(url, path, method="POST", body=b"x", X_Forwarded_For="192.0.2.7") for _ in range(QUERY_BURST + 1)
        ]
    assert {answer.status for answer in answers} == {200}
