"""The interface as a whole: paths, methods, other origins, faults, and readers that are slow."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator

import msgspec
import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from diskwars_server.api.operations import API_PREFIX
from diskwars_server.api.reads import MAX_STREAMS, MAX_WAITING_QUERIES
from diskwars_server.limits.address_quotas import REQUEST_BURST, AddressQuotas, QuotaLimits
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.match_index import Listing
from tests.server.api.served_api import get_api, make_api, serving_api
from tests.server.http.test_routes import raw_socket
from tests.server.in_memory_server import InMemoryServer, begin_match


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving_api(node) as url:
        yield url


@pytest.mark.parametrize("path", ["/nothing", "/matches/", "/matches/a/b/c", "/../v1/matches", "/matches/a%2Fb/c"])
async def test_what_is_not_there_is_not_found(url: str, path: str) -> None:
    answer = await get_api(url, path)
    assert (answer.status, answer.code) == (404, "unknown_path")


async def test_other_methods_are_refused_with_those_that_a_path_takes(url: str) -> None:
    for method in ("PUT", "BREW"):
        for path, allowed in (("/server", "GET, HEAD, OPTIONS"), ("/matches", "GET, POST, HEAD, OPTIONS")):
            answer = await get_api(url, path, method=method)
            assert (answer.status, answer.code, answer.headers["Allow"]) == (405, "bad_method", allowed)


async def test_head_has_the_headers_of_get_without_a_body(node: InMemoryServer, url: str) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    for path in ("/server", f"/matches/{match}/file"):
        got, head = await get_api(url, path), await get_api(url, path, method="HEAD")
        assert (head.status, head.body) == (200, b"")
        for name in ("Content-Type", "Content-Length", "ETag", "Cache-Control", "Transfer-Encoding"):
            assert head.headers[name] == got.headers[name], name


async def test_pages_of_other_origins_may_read(url: str) -> None:
    for path in ("/server", "/nothing", "/matches/none/file"):
        headers = (await get_api(url, path, Origin="https://example.org")).headers
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert "Retry-After" in headers["Access-Control-Expose-Headers"]
    preflight = await get_api(url, "/matches", method="OPTIONS", Origin="https://example.org")
    assert (preflight.status, preflight.headers["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
    assert "Authorization" not in preflight.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in preflight.headers


async def test_known_version_is_not_sent_again(url: str) -> None:
    etag = (await get_api(url, "/server")).headers["ETag"]
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        answer = await get_api(url, "/server", If_None_Match=known)
        assert (answer.status, answer.body) == (304, b"")
    assert (await get_api(url, "/server", If_None_Match='W/"other"')).status == 200


async def test_requests_of_an_address_are_limited_with_those_for_the_page(node: InMemoryServer) -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), node.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    async with serving_api(node) as url:
        for _ in range(REQUEST_BURST - 1):
            assert quotas.admit_request("192.0.2.7") == 0
        answers = [await get_api(url, "/server", X_Forwarded_For="192.0.2.7") for _ in range(2)]
    assert (answers[0].status, answers[1].code, answers[1].headers["Retry-After"]) == (200, "busy", "1")


async def test_database_that_fails_is_a_problem_that_ends(node: InMemoryServer, url: str) -> None:
    async def fail(matches: object) -> list[Listing]:
        raise StoreUnavailable

    node.matches.find_listings = fail  # type: ignore[method-assign]
    answer = await get_api(url, "/matches/c9dk2n5ytxgw")
    assert (answer.status, answer.code) == (503, "unavailable")


async def test_huge_query_is_refused_before_it_is_read(url: str) -> None:
    assert (await get_api(url, "/matches?player=" + "a" * 20_000)).status == 431
    assert (await get_api(url, "/matches?player=" + "a" * 7_000)).code == "wrong_shape"


async def test_queries_that_wait_are_bounded(node: InMemoryServer) -> None:
    released = asyncio.Event()

    async def wait(*arguments: object) -> list[Listing]:
        await released.wait()
        return []

    node.database.matches.list_matches = wait  # type: ignore[method-assign,assignment]
    api, request = make_api(node), Request(f"{API_PREFIX}/matches", Headers())
    async with asyncio.TaskGroup() as tasks, asyncio.timeout(20):
        asking = [tasks.create_task(api.respond(request, "")) for _ in range(MAX_WAITING_QUERIES + 1)]
        done, _ = await asyncio.wait(asking, return_when=asyncio.FIRST_COMPLETED)
        released.set()
    assert [(task.result().status_code, task.result().headers["Retry-After"]) for task in done] == [(429, "1")]
    assert [task.result().status_code for task in asking].count(200) == MAX_WAITING_QUERIES


async def test_reader_that_takes_nothing_is_cut_off_and_holds_no_stream(node: InMemoryServer) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    game = await node.matches.find(match)
    iterate_lines = game.exports.iterate_lines

    async def repeat(*arguments: object, **options: object) -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 100_000

    game.exports.iterate_lines = repeat  # type: ignore[method-assign,assignment]
    asked = f"GET {API_PREFIX}/matches/{match}/records HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    async with serving_api(node, stall_seconds=2) as url, asyncio.timeout(30):
        with contextlib.ExitStack() as stack:
            readers = [stack.enter_context(raw_socket(url, receive_buffer=4096)) for _ in range(MAX_STREAMS)]
            for reader in readers:
                reader.sendall(asked)
            while (await get_api(url, f"/matches/{match}/file", method="HEAD")).status != 429:
                await asyncio.sleep(0.01)
            game.exports.iterate_lines = iterate_lines  # type: ignore[method-assign]
            while (answer := await get_api(url, f"/matches/{match}/file")).status != 200:
                assert answer.code == "busy"
                await asyncio.sleep(0.05)
            assert not (await asyncio.to_thread(_read_all, readers[0])).endswith(b"0\r\n\r\n")


def _read_all(reader: socket.socket) -> bytes:
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := reader.recv(65536):
            received += piece
    return received


async def test_stream_that_breaks_off_has_no_end(node: InMemoryServer) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    game = await node.matches.find(match)

    async def break_off(*arguments: object, **options: object) -> AsyncIterator[bytes]:
        yield b'{"seq":1}\n'
        raise RuntimeError

    game.exports.iterate_lines = break_off  # type: ignore[method-assign,assignment]
    async with serving_api(node) as url:
        with raw_socket(url) as reader:
            reader.sendall(f"GET {API_PREFIX}/matches/{match}/records HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            received = await asyncio.to_thread(_read_all, reader)
    assert b'{"seq":1}' in received
    assert not received.endswith(b"0\r\n\r\n")


async def test_old_client_gets_a_stream_without_chunks(node: InMemoryServer, url: str) -> None:
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    with raw_socket(url) as reader:
        reader.sendall(f"GET {API_PREFIX}/matches/{match}/file HTTP/1.0\r\n\r\n".encode())
        head, _, body = (await asyncio.to_thread(_read_all, reader)).partition(b"\r\n\r\n")
    assert b"chunked" not in head
    assert body == await (await node.matches.find(match)).exports.export("")  # type: ignore[arg-type]
