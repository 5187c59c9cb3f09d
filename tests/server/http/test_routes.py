"""Plain HTTP on the port of the WebSocket: the page, the documents, match files, and bad requests."""

import asyncio
import contextlib
import gzip
import http.client
import json
import socket
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.records.match_file import read_file
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http.page_files import MAX_PAGE_FILES, PageError, StaticFile, load_page
from diskwars_server.limits.address_quotas import QUERY_BURST, REQUEST_BURST, AddressQuotas, QuotaLimits
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.store.match_index import Listing
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, ManualClock, begin_match, play_match

SCRIPT = b"console.log('a page');" * 100


class Answer:
    """The answer of a server to one request."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status, self.headers, self.body = response.status, response.headers, response.read()


def fetch(url: str, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
    address = urlsplit(url)
    asking = http.client.HTTPConnection(str(address.hostname), address.port, timeout=TEST_TIMEOUT_SECONDS)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with contextlib.closing(asking):
        asking.request(method, path, body, named)
        return Answer(asking.getresponse())


async def get(url: str, path: str, **options: Any) -> Answer:
    return await asyncio.to_thread(fetch, url, path, **options)


def write_page(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>A page</title>")
    (folder / "assets" / "main-1a2b.js").write_bytes(SCRIPT)
    (folder / "assets" / ".hidden.js").write_text("no")
    (folder / "notes.md").write_text("no")
    return folder


@pytest.fixture
def page(tmp_path: Path) -> dict[str, StaticFile]:
    return load_page(write_page(tmp_path / "page"))


async def is_well() -> HealthReport:
    return HealthReport("ok", "n1", "1.2.3", "ok", "0001")


@contextlib.asynccontextmanager
async def serving(node: InMemoryServer, page: dict[str, StaticFile], **options: Any) -> AsyncIterator[str]:
    async with Transport(node.session_context, is_well, ListenOptions(**options), page=page) as transport:
        yield transport.url


@pytest.fixture
async def url(node: InMemoryServer, page: dict[str, StaticFile]) -> AsyncIterator[str]:
    async with serving(node, page) as url:
        yield url


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize("path", ["/", "/index.html", "/m/c9dk2n5ytxgw", "/m/c9dk2n5ytxgw/771?as=all", "/open", "/new"])
async def test_every_route_of_the_page_is_its_document(url: str, path: str) -> None:
    answer = await get(url, path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"A page" in answer.body
    assert answer.headers["Cache-Control"] == "no-cache"


async def test_every_answer_forbids_foreign_code_and_guesses(url: str) -> None:
    for path in ("/", "/assets/main-1a2b.js", "/nothing", "/matches/nothing/file", "/schema.json"):
        headers = (await get(url, path)).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert "unsafe" not in policy
        assert (headers["X-Content-Type-Options"], headers["Referrer-Policy"]) == ("nosniff", "no-referrer")


async def test_hashed_file_is_kept_for_ever_and_compressed(url: str) -> None:
    answer = await get(url, "/assets/main-1a2b.js", Accept_Encoding="br, gzip;q=0.8")
    assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(answer.body) == SCRIPT
    assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0, br"])
async def test_file_is_sent_plain_to_those_who_take_no_gzip(url: str, accepted: str) -> None:
    answer = await get(url, "/assets/main-1a2b.js", Accept_Encoding=accepted)
    assert answer.body == SCRIPT


async def test_known_version_is_not_sent_again(url: str) -> None:
    etag = (await get(url, "/")).headers["ETag"]
    for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        answer = await get(url, "/", If_None_Match=known)
        assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", etag)
    assert (await get(url, "/", If_None_Match='"other"')).status == 200


async def test_head_has_the_headers_of_get_without_a_body(url: str) -> None:
    answer = await get(url, "/assets/main-1a2b.js", method="HEAD")
    assert (answer.status, answer.body, answer.headers["Content-Length"]) == (200, b"", str(len(SCRIPT)))


async def test_server_without_a_page_says_how_to_get_one(node: InMemoryServer) -> None:
    async with serving(node, {}) as url:
        answer = await get(url, "/")
    assert (answer.status, b"/ws" in answer.body, b"./dev serve" in answer.body) == (404, True, True)


def test_folder_that_is_no_page_is_named(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"no index\.html"):
        load_page(tmp_path)


def test_folder_with_too_many_files_is_no_page(tmp_path: Path) -> None:
    for number in range(MAX_PAGE_FILES + 1):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(PageError, match="more than a page has"):
        load_page(tmp_path)


# ---------------------------------------------------------------- documents and match files


@pytest.mark.parametrize(("path", "key"), [("/schema.json", "definitions"), ("/asyncapi.json", "channels")])
async def test_documents_of_the_protocol_are_served(url: str, path: str, key: str) -> None:
    answer = await get(url, path)
    assert key in json.loads(answer.body)
    assert (await get(url, path, If_None_Match=answer.headers["ETag"])).status == 304


async def test_running_match_is_downloaded_as_the_public_sees_it(node: InMemoryServer, url: str) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    answer = await get(url, f"/matches/{match}/file")
    assert (answer.status, answer.headers["Cache-Control"]) == (200, "no-store")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{match}.jsonl"'
    file, game = read_file(answer.body), await node.matches.find(match)
    assert (file.header.match, len(file.records)) == (match, game.head)
    assert file.sealed > 0
    assert not any(record.openings for record in file.records)


async def test_ended_match_is_downloaded_with_its_secrets(node: InMemoryServer, url: str) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    await play_match(first, second, match)
    assert (await node.state(match)).status == "ended"
    file = read_file((await get(url, f"/matches/{match}/file")).body)
    assert (file.sealed, file.unfinished_at) == (0, None)


async def test_match_that_others_may_not_watch_is_not_downloaded(node: InMemoryServer, url: str) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(watchers="none"))
    answer = await get(url, f"/matches/{match}/file")
    assert (answer.status, b"not_watchable" in answer.body) == (403, True)


@pytest.mark.parametrize("match", ["c9dk2n5ytxgw", "a" * 64])
async def test_file_of_an_unknown_match_is_not_found(url: str, match: str) -> None:
    assert (await get(url, f"/matches/{match}/file")).status == 404


# ---------------------------------------------------------------- bad requests


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "BREW"])
async def test_other_methods_are_refused(url: str, method: str) -> None:
    answer = await get(url, "/", method=method)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/assets/../../pyproject.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/%2e%2e/index.html",
        "//index.html",
        "/assets/.hidden.js",
        "/notes.md",
        "/assets/",
        "/m/UPPER",
        "/matches/a/../b/file",
        "/matches//file",
        f"/matches/{'a' * 65}/file",
    ],
)
async def test_nothing_outside_of_the_page_is_found(url: str, path: str) -> None:
    assert (await get(url, path)).status == 404


async def test_browser_is_shown_the_page_at_an_address_that_leads_nowhere(url: str) -> None:
    accept = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    for path in ("/nothing", "/m/UPPER"):
        answer = await get(url, path, **accept)
        assert (answer.status, b"A page" in answer.body) == (404, True)
    # Not for a file that is missing, nor for a program.
    assert b"A page" not in (await get(url, "/assets/gone-1a2b.js", **accept)).body
    assert b"A page" not in (await get(url, "/nothing", Accept="*/*")).body


RAW_REQUESTS = {
    "a post with a body": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1", 405),
    "a long method without a body": (b"PROPPATCH-AND-MORE / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "a get with a body": (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na=1", 400),
    "a get with a body in chunks": (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    "a body of no length": (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 200),
    "another version": (b"GET / HTTP/2.0\r\nHost: x\r\n\r\n", 400),
    "no request": (b"\r\n\r\n", 400),
    "a broken field": (b"GET / HTTP/1.1\r\nHost\r\n\r\n", 400),
    "a line that is too long": (b"GET / HTTP/1.1\r\nX: " + b"y" * 9_000 + b"\r\n\r\n", 431),
    "fields that are too long together": (b"GET / HTTP/1.1\r\n" + (b"X: " + b"y" * 4_000 + b"\r\n") * 5 + b"\r\n", 431),
    "fields without an end": (b"GET / HTTP/1.1\r\n" + (b"X: " + b"y" * 4_000 + b"\r\n") * 100, 431),
    "fields that just fit": (b"GET / HTTP/1.1\r\n" + (b"X: " + b"y" * 4_000 + b"\r\n") * 4 + b"\r\n", 200),
}


async def test_request_that_cannot_be_read_is_answered_with_the_reason(url: str) -> None:
    for name, (request, status) in RAW_REQUESTS.items():
        with raw_socket(url) as raw:
            raw.sendall(request)
            answer = await asyncio.to_thread(_read_rest, raw)
        assert answer.startswith(b"HTTP/1.1 %d " % status), name
        assert status != 405 or b"Allow: GET, HEAD\r\n" in answer, name


async def test_client_that_goes_away_within_its_request_gets_no_answer(url: str) -> None:
    with raw_socket(url) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost")
        raw.shutdown(socket.SHUT_WR)
        assert await asyncio.to_thread(_read_rest, raw) == b""


async def test_long_path_is_refused(url: str) -> None:
    assert (await get(url, "/" + "a" * 600)).status == 414


async def test_requests_of_one_address_are_limited(node: InMemoryServer, page: dict[str, StaticFile]) -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), ManualClock())
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    async with serving(node, page) as url:
        for _ in range(REQUEST_BURST - 1):
            assert quotas.admit_request("192.0.2.7") == 0
        assert (await get(url, "/", X_Forwarded_For="192.0.2.7")).status == 200
        answer = await get(url, "/", X_Forwarded_For="192.0.2.7")
        assert (answer.status, answer.headers["Retry-After"]) == (429, "1")
        assert (await get(url, "/", X_Forwarded_For="192.0.2.8")).status == 200


@pytest.mark.parametrize("kind", ["file", "board.svg?seq=9999999", "board.png"])
async def test_matches_that_have_to_be_read_for_a_request_are_limited_as_queries_are(
    node: InMemoryServer, page: dict[str, StaticFile], kind: str
) -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), ManualClock())
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    async with serving(node, page) as url:
        for _ in range(QUERY_BURST - 1):
            assert quotas.admit_query("192.0.2.7") == 0
        first, second = [await get(url, f"/matches/unknown/{kind}", X_Forwarded_For="192.0.2.7") for _ in range(2)]
        in_memory = await get(url, f"/matches/{match}/{kind}", X_Forwarded_For="192.0.2.7")
        other = await get(url, f"/matches/unknown/{kind}", X_Forwarded_For="192.0.2.8")
    assert (first.status, second.status, second.headers["Retry-After"]) == (404, 429, "1")
    assert in_memory.status != 429
    assert other.status == 404


async def test_link_to_a_match_and_documents_count_as_queries(
    node: InMemoryServer, page: dict[str, StaticFile]
) -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), ManualClock())
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    read: list[str] = []
    find_listing = node.matches.find_listing

    async def count_listing(match: MatchId) -> Listing | None:
        read.append(match)
        return await find_listing(match)

    node.matches.find_listing = count_listing  # type: ignore[method-assign]
    async with serving(node, page) as url:
        for _ in range(QUERY_BURST - 1):
            assert quotas.admit_query("192.0.2.7") == 0
        paths = ("/m/unknown", "/m/unknown", "/schema.json", f"/m/{match}")
        answers = [(await get(url, path, X_Forwarded_For="192.0.2.7")).status for path in paths]
    assert answers == [200, 200, 429, 200]
    assert read == ["unknown"]


async def test_downloads_use_up_the_history_of_an_address(node: InMemoryServer, page: dict[str, StaticFile]) -> None:
    quotas = AddressQuotas(QuotaLimits(history_bytes=1000, proxies=("127.0.0.1",)), node.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    async with serving(node, page) as url:
        answers = [await get(url, f"/matches/{match}/file", X_Forwarded_For="192.0.2.7") for _ in range(2)]
    assert [answer.status for answer in answers] == [200, 429]
    assert int(answers[1].headers["Retry-After"]) > 0


async def test_download_is_charged_when_its_file_is_made_also_without_a_reader(
    node: InMemoryServer, page: dict[str, StaticFile]
) -> None:
    quotas = AddressQuotas(QuotaLimits(history_bytes=1000, proxies=("127.0.0.1",)), node.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    match = await begin_match(await node.connect_and_greet(), await node.connect_and_greet())
    async with serving(node, page) as url:
        path = f"/matches/{match}/file"
        head = await get(url, path, method="HEAD", X_Forwarded_For="192.0.2.7")
        answer = await get(url, path, X_Forwarded_For="192.0.2.7")
        other = await get(url, path, X_Forwarded_For="192.0.2.8")
    assert (head.status, head.body) == (200, b"")
    assert (answer.status, other.status) == (429, 200)


# ---------------------------------------------------------------- slow clients


@contextlib.contextmanager
def raw_socket(url: str, receive_buffer: int = 0) -> Iterator[socket.socket]:
    address = urlsplit(url)
    with socket.socket() as raw:
        if receive_buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        raw.settimeout(TEST_TIMEOUT_SECONDS)
        raw.connect((str(address.hostname), address.port))
        yield raw


async def test_client_that_never_ends_its_request_is_cut_off(node: InMemoryServer, page: dict[str, StaticFile]) -> None:
    async with serving(node, page, request_timeout_seconds=0.2) as url:
        with raw_socket(url) as raw:
            raw.sendall(b"GET / HTTP/1.1\r\nHost:")
            assert await asyncio.to_thread(_read_rest, raw) == b""


def large_page() -> dict[str, StaticFile]:
    """Return a page with one file that no socket buffer holds."""
    return {"/large.txt": StaticFile(b"x" * 12_000_000, "text/plain", "e")}


async def test_slow_client_gets_the_whole_response(node: InMemoryServer) -> None:
    # The close timeout is for WebSockets: a response may take longer.
    async with serving(node, large_page(), close_timeout_seconds=0.1) as url:
        with raw_socket(url, 4096) as raw:
            raw.sendall(b"GET /large.txt HTTP/1.1\r\n\r\n")
            await asyncio.sleep(0.4)
            assert (await asyncio.to_thread(_read_rest, raw)).endswith(b"x" * 1000)


async def test_client_that_takes_nothing_is_cut_off(node: InMemoryServer) -> None:
    async with serving(node, large_page(), response_timeout_seconds=0.2, request_timeout_seconds=0.1) as url:
        with raw_socket(url, 4096) as raw:
            raw.sendall(b"GET /large.txt HTTP/1.1\r\n\r\n")
            await asyncio.sleep(0.6)
            assert len(await asyncio.to_thread(_read_rest, raw)) < 12_000_000


async def test_shutdown_does_not_wait_for_downloads(node: InMemoryServer) -> None:
    with contextlib.ExitStack() as stack:
        async with serving(node, large_page(), close_timeout_seconds=0.1) as url:
            raw = stack.enter_context(raw_socket(url, 4096))
            raw.sendall(b"GET /large.txt HTTP/1.1\r\n\r\n")
            await asyncio.sleep(0.1)
            stopped_at = time.monotonic()
        assert time.monotonic() - stopped_at < TEST_TIMEOUT_SECONDS


def _read_rest(raw: socket.socket) -> bytes:
    parts = []
    with contextlib.suppress(ConnectionResetError):
        while part := raw.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)
