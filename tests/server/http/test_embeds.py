"""Boards for other sites: which documents may be framed, and what oEmbed says of them."""

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec import Raw

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, Watchers
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.http.embeds import EMBED_POLICY, HEIGHT, WIDTH, Embeds
from diskwars_server.http.page_files import StaticFile
from diskwars_server.limits.address_quotas import make_unlimited
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.http.test_board_pictures import Painter, tags
from tests.server.http.test_routes import Answer, get, is_well
from tests.server.in_memory_server import InMemoryServer, begin_match, play_match

SITE = "https://play.example.org"
HEADERS = {"Host": "play.example.org", "X_Forwarded_Proto": "https"}
HTML = "text/html; charset=utf-8"
PAGE: Mapping[str, StaticFile] = {
    "/index.html": StaticFile.of(b"<!doctype html><title>A page</title>", HTML, is_text=True),
    "/embed.html": StaticFile.of(b"<!doctype html><title>A board</title>", HTML, is_text=True),
    "/assets/embed-1.js": StaticFile.of(b"void 0", "text/javascript; charset=utf-8", is_text=True),
}


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


@pytest.fixture
async def url(node: InMemoryServer, tmp_path: Path) -> AsyncIterator[str]:
    pictures = BoardPictures(node.matches, Painter(tmp_path).command, node.clock)
    embeds = Embeds(node.matches, make_unlimited(), PAGE, has_pictures=True)
    options = ListenOptions()
    async with Transport(
        node.session_context, is_well, options, page=PAGE, pictures=pictures, routes=embeds.routes()
    ) as transport:
        yield transport.url


async def running_match(node: InMemoryServer, watchers: Watchers = "live") -> MatchId:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    return await begin_match(first, second, options=MatchOptions(watchers=watchers))


async def oembed(url: str, address: str, more: str = "") -> Answer:
    return await get(url, f"/oembed?url={quote(address, safe='')}{more}", **HEADERS)


# ---------------------------------------------------------------- the page


async def test_every_site_may_frame_the_embed_and_nothing_else(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    paths = ("/", f"/m/{match}", f"/m/{match}/3", "/settings", "/embed.html", "/assets/embed-1.js", "/oembed", "/embed")
    for path in (*paths, f"/matches/{match}/file", f"/matches/{match}/board.svg?seq=3", "/schema.json", "/nothing"):
        answer = await get(url, path)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"], path
    for path in (f"/embed/{match}", f"/embed/{match}/3", f"/embed/{match}/3?theme=light", "/embed/nothing-here"):
        answer = await get(url, path)
        assert (answer.status, answer.headers["Content-Type"]) == (200, HTML), path
        assert answer.headers["Content-Security-Policy"] == EMBED_POLICY
        assert "Set-Cookie" not in answer.headers


async def test_policy_of_the_embed_differs_in_who_may_frame_it_alone(url: str) -> None:
    strict = (await get(url, "/")).headers["Content-Security-Policy"].split("; ")
    framed = EMBED_POLICY.split("; ")
    assert set(strict) ^ set(framed) == {"frame-ancestors 'none'", "frame-ancestors *"}


async def test_link_to_an_embed_shows_title_and_picture(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    shown = tags((await get(url, f"/embed/{match}/3", **HEADERS)).body)
    assert shown["og:url"] == f"{SITE}/m/{match}/3"
    assert shown["og:image"] == f"{SITE}/matches/{match}/board.png?seq=3"
    assert tags((await get(url, "/embed/nothing-here", **HEADERS)).body) == {}


@pytest.mark.parametrize("watchers", ["none", "after_end"])
async def test_embed_of_a_match_that_nobody_may_watch_says_nothing_of_it(
    url: str, node: InMemoryServer, watchers: Watchers
) -> None:
    match = await running_match(node, watchers)
    assert (await get(url, f"/embed/{match}", **HEADERS)).body == PAGE["/embed.html"].body


async def test_server_without_page_or_pictures_has_no_embeds(node: InMemoryServer) -> None:
    assert Embeds(node.matches, make_unlimited(), {}, has_pictures=True).routes() == ()
    assert Embeds(node.matches, make_unlimited(), PAGE, has_pictures=False).routes() == ()


# ---------------------------------------------------------------- oEmbed


async def test_page_of_a_match_names_its_oembed(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    address = quote(f"{SITE}/m/{match}/3", safe="")
    link = f'<link rel="alternate" type="application/json+oembed" href="{SITE}/oembed?format=json&amp;url={address}"'
    assert link.encode() in (await get(url, f"/m/{match}/3", **HEADERS)).body
    hidden = await running_match(node, "after_end")
    assert b"oembed" not in (await get(url, f"/m/{hidden}", **HEADERS)).body


async def test_oembed_gives_the_frame_of_a_match(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    answer = await oembed(url, f"{SITE}/m/{match}/3")
    found = json.loads(answer.body)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert (found["version"], found["type"], found["title"]) == ("1.0", "rich", "Counting: a moment of a match")
    assert (found["width"], found["height"]) == (WIDTH, HEIGHT)
    assert found["html"] == (
        f'<iframe src="{SITE}/embed/{match}/3" width="640" height="420" '
        'title="Counting: a moment of a match" style="border:0" loading="lazy"></iframe>'
    )
    assert found["cache_age"] == 60
    whole = json.loads((await oembed(url, f"{SITE}/embed/{match}", "&maxwidth=400&maxheight=300")).body)
    assert (whole["width"], whole["height"]) == (400, 300)
    assert f'src="{SITE}/embed/{match}"' in whole["html"]
    large = json.loads((await oembed(url, f"{SITE}/m/{match}", "&maxwidth=4000&maxheight=4000")).body)
    assert (large["width"], large["height"]) == (WIDTH, HEIGHT)


@pytest.mark.parametrize(
    ("address", "more", "status"),
    [
        ("/m/nothing-here", "", 404),
        ("/settings", "", 404),
        ("/m/MATCH/3/4", "", 404),
        ("https://elsewhere.example/m/MATCH", "", 404),
        ("//play.example.org@evil.example/m/MATCH", "", 404),
        ("https://[play.example.org/m/MATCH", "", 404),
        ("javascript://play.example.org/m/MATCH", "", 404),
        ("/m/MATCH", "&format=xml", 501),
        ("/m/MATCH", "&maxwidth=10", 400),
        ("/m/MATCH", "&maxwidth=-1", 400),
        ("/m/MATCH", "&maxheight=²", 400),
        ("/m/MATCH", "&maxwidth=999999999999", 400),
    ],
)
async def test_oembed_refuses_as_its_rules_say(
    url: str, node: InMemoryServer, address: str, more: str, status: int
) -> None:
    match = await running_match(node)
    named = address.replace("MATCH", match)
    wanted = named if "://" in named else f"https:{named}" if named.startswith("//") else f"{SITE}{named}"
    assert (await oembed(url, wanted, quote(more, safe="&="))).status == status


async def test_oembed_needs_an_address(url: str) -> None:
    for path in ("/oembed", "/oembed?", "/oembed?url", "/oembed?maxwidth=400", f"/oembed?url={'a' * 3000}"):
        assert (await get(url, path, **HEADERS)).status == 400, path
    many = "&".join(f"a{number}=1" for number in range(40))
    assert (await get(url, f"/oembed?{many}", **HEADERS)).status == 400


async def test_oembed_of_a_match_that_not_all_may_watch_is_unauthorized(url: str, node: InMemoryServer) -> None:
    hidden = await running_match(node, "none")
    assert (await oembed(url, f"{SITE}/m/{hidden}")).status == 401
    opener = await node.connect_and_greet()
    opened = await opener.request(OpenMatch(opener.id(), "counting", 2, Raw(b"{}"), password="the griffon flies"))
    assert isinstance(opened, Opened)
    answer = await oembed(url, f"{SITE}/m/{opened.match}")
    assert (answer.status, b"iframe" in answer.body) == (401, False)


async def test_match_that_opens_to_all_at_its_end_is_embedded_then(url: str, node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(watchers="after_end"))
    assert (await oembed(url, f"{SITE}/m/{match}")).status == 401
    await play_match(first, second, match)
    answer = await oembed(url, f"{SITE}/m/{match}")
    assert (answer.status, json.loads(answer.body)["cache_age"]) == (200, 86_400)
