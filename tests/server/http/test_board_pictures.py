"""Pictures of boards over HTTP, and what a link to a match tells programs that show links."""

import asyncio
import json
import struct
import subprocess
import sys
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw

from diskwars_cli.look_back.picture_process import PNG_SIZE, draw_file, draw_match
from diskwars_cli.plugs.file_programs import module_command
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, Watchers
from diskwars_protocol.match.replay_scenes import MatchScenes
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.connections.transport import ListenOptions, Transport
from diskwars_server.http import board_pictures
from diskwars_server.http.board_pictures import (
    FAILURE_MS,
    MAX_PICTURE_BYTES,
    PICTURES_PER_ADDRESS,
    REPLAY_UNITS,
    BoardPictures,
    NoBoard,
    PictureForm,
    ReplayForm,
)
from diskwars_server.http.link_previews import site_of
from diskwars_server.http.page_files import StaticFile
from diskwars_server.refusals import Refusal
from diskwars_server.store.memory.database import MemoryDatabase
from tests.golden.write_files import FOLDER, SUFFIX
from tests.server.http.test_routes import Answer, get, is_well
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, begin_match, play_match

HOME = "203.0.113.1"
REPLAY_FORMS: tuple[ReplayForm, ...] = ("webp", "json")
PAINTER = """
import json, sys
raw = sys.stdin.buffer.read()
with open(sys.argv[1], "a") as log:
    log.write(sys.argv[2] + " ")
form = sys.argv[3]
if form == "json":
    scene = dict(seq=int(sys.argv[2]), kind="setup", round=1, scores=[], placed=[])
    table = dict(ruleset="pit", rounds=1, width=1, height=1, grid=0, areas=[], pieces=[])
    print(end=json.dumps(table | dict(records=int(sys.argv[2]), scenes=[scene])))
    sys.exit()
print(end=f"<{form}>{len(raw.splitlines()) - 1} records</{form}>" if int(sys.argv[2]) > 2 else "")
"""
PAGE = {"/index.html": StaticFile.of(b"<!doctype html><title>A page</title>", "text/html; charset=utf-8", is_text=True)}


class Painter:
    """A program that draws how many records it was given, from record 3 on; `drawn` are those it was started for."""

    def __init__(self, folder: Path) -> None:
        self._log = folder / "drawn"
        (folder / "painter.py").write_text(PAINTER)
        self.command = (sys.executable, str(folder / "painter.py"), str(self._log))

    @property
    def drawn(self) -> list[str]:
        return self._log.read_text().split() if self._log.exists() else []


@pytest.fixture
def painter(tmp_path: Path) -> Painter:
    return Painter(tmp_path)


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


@pytest.fixture
async def url(node: InMemoryServer, painter: Painter) -> AsyncIterator[str]:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    options = ListenOptions()
    async with Transport(node.session_context, is_well, options, page=PAGE, pictures=pictures) as transport:
        yield transport.url


async def running_match(node: InMemoryServer, watchers: Watchers = "live") -> MatchId:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    return await begin_match(first, second, options=MatchOptions(watchers=watchers))


async def board(url: str, match: str, query: str = "", **headers: str) -> Answer:
    return await get(url, f"/matches/{match}/board.svg{query}", **headers)


async def test_picture_shows_the_last_record_or_the_named_one(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    head = (await node.matches.find(match)).head
    last, third = await board(url, match), await board(url, match, "?seq=3")
    assert (last.status, last.body) == (200, f"<svg>{head} records</svg>".encode())
    assert (third.status, third.body) == (200, b"<svg>3 records</svg>")
    assert last.headers["Content-Type"] == third.headers["Content-Type"] == "image/svg+xml"
    assert last.headers["Cache-Control"] == "no-cache"
    assert third.headers["Cache-Control"] == "public, max-age=86400"
    assert last.headers["Content-Security-Policy"].endswith("sandbox")
    again = await board(url, match, "?seq=3", If_None_Match=third.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


async def test_picture_for_links_is_a_png_of_its_own(url: str, node: InMemoryServer, painter: Painter) -> None:
    match = await running_match(node)
    drawn = await board(url, match, "?seq=3")
    png = await get(url, f"/matches/{match}/board.png?seq=3")
    assert (png.status, png.body, drawn.body) == (200, b"<png>3 records</png>", b"<svg>3 records</svg>")
    assert png.headers["Content-Type"] == "image/png"
    assert png.headers["Cache-Control"] == "public, max-age=86400"
    assert (await get(url, f"/matches/{match}/board.png?seq=3")).body == png.body
    assert painter.drawn == ["3", "3"], "each form is drawn once"
    assert (await get(url, f"/matches/{match}/board.gif")).status == 404


async def test_picture_is_drawn_once(url: str, node: InMemoryServer, painter: Painter) -> None:
    match = await running_match(node)
    answers = await asyncio.gather(*[board(url, match, "?seq=3") for _ in range(4)])
    assert [answer.status for answer in answers] == [200] * 4
    assert painter.drawn == ["3"]


async def test_what_has_no_picture_is_named(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    assert (await board(url, match, "?seq=1")).body == b"there is no board at record 1\n"
    beyond = await board(url, match, "?seq=9999")
    assert (beyond.status, beyond.body[:30]) == (404, f"match {match} has records".encode()[:30])
    assert (await board(url, match, "?seq=0")).status == 404
    for query in ("?seq=x", "?seq=-1", "?seq=3&seq=4", "?at=3", "?seq=99999999"):
        assert (await board(url, match, query)).status == 400, query
    assert (await board(url, "nothing-here")).status == 404


async def test_match_that_nobody_may_watch_has_no_picture_and_a_link_shows_none(
    url: str, node: InMemoryServer, painter: Painter
) -> None:
    match = await running_match(node, watchers="after_end")
    hidden = await board(url, match, "?seq=3")
    assert (hidden.status, hidden.body.partition(b":")[0]) == (403, b"not_watchable")
    assert "og:image" not in tags((await get(url, f"/m/{match}")).body)
    opener = await node.connect_and_greet()
    opened = await opener.request(OpenMatch(opener.id(), "counting", 2, Raw(b"{}"), password="the griffon flies"))
    assert isinstance(opened, Opened)
    assert (await board(url, opened.match)).status == 403
    assert (await get(url, f"/m/{opened.match}")).body == PAGE["/index.html"].body
    assert painter.drawn == []


async def test_match_that_opens_to_watchers_at_its_end_has_pictures_then(
    node: InMemoryServer, painter: Painter
) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(watchers="after_end"))
    with pytest.raises(Refusal, match="not_watchable"):
        await pictures.find(match, 3, HOME)
    await play_match(first, second, match)
    assert (await pictures.find(match, 3, HOME)).body == b"<svg>3 records</svg>"


async def test_drawing_is_limited_for_an_address_and_kept_pictures_are_free(
    node: InMemoryServer, painter: Painter
) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    matches = [await begin_match(first, second) for _ in range(PICTURES_PER_ADDRESS.units // 4 + 1)]
    forms: tuple[PictureForm, ...] = ("svg", "png")
    wanted = [(match, seq, form) for match in matches for seq in (3, 4) for form in forms]
    for match, seq, form in wanted[: PICTURES_PER_ADDRESS.units]:
        await pictures.find(match, seq, HOME, form)
    match, seq, form = wanted[PICTURES_PER_ADDRESS.units]
    with pytest.raises(Refusal, match="busy") as refused:
        await pictures.find(match, seq, HOME, form)
    assert refused.value.retry_after_ms
    await pictures.find(matches[0], 3, HOME)
    await pictures.find(match, seq, "198.51.100.7", form)


async def test_replay_is_drawn_once_for_each_record_and_kept(node: InMemoryServer, painter: Painter) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    head = (await node.matches.find(match)).head
    drawn = await asyncio.gather(*[pictures.find_replay(match, HOME, "webp") for _ in range(4)])
    assert drawn == [(drawn[0][0], False)] * 4
    assert drawn[0][0].body == f"<webp>{head} records</webp>".encode()
    assert painter.drawn == [str(head)]
    await play_match(first, second, match)
    later, is_final = await pictures.find_replay(match, HOME, "webp")
    assert (later == drawn[0][0], is_final) == (False, True)


async def test_replay_counts_as_several_pictures(node: InMemoryServer, painter: Painter) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    matches = [await begin_match(first, second) for _ in range(PICTURES_PER_ADDRESS.units // REPLAY_UNITS + 1)]
    for match in matches[:-1]:
        await pictures.find_replay(match, HOME, "webp")
    with pytest.raises(Refusal, match="busy") as refused:
        await pictures.find_replay(matches[-1], HOME, "webp")
    assert refused.value.retry_after_ms
    await pictures.find_replay(matches[0], HOME, "webp")
    await pictures.find_replay(matches[-1], "198.51.100.7", "webp")


async def test_board_does_not_wait_for_a_replay(node: InMemoryServer, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import sys, time\nsys.stdin.read()\ntime.sleep(60 * (sys.argv[2] == 'webp'))\nprint('drawn')\n"
    )
    pictures = BoardPictures(node.matches, (sys.executable, str(tmp_path / "slow.py")), node.clock)
    match = await running_match(node)
    slow = asyncio.create_task(pictures.find_replay(match, HOME, "webp"))
    assert (await pictures.find(match, 3, HOME)).body == b"drawn\n"
    assert not slow.done()
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow


async def test_scenes_of_an_embed_do_not_wait_for_a_replay(node: InMemoryServer, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import sys, time\nsys.stdin.read()\ntime.sleep(60 * (sys.argv[2] == 'webp'))\nprint('drawn')\n"
    )
    pictures = BoardPictures(node.matches, (sys.executable, str(tmp_path / "slow.py")), node.clock)
    match = await running_match(node)
    slow = asyncio.create_task(pictures.find_replay(match, HOME, "webp"))
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
        scenes, _ = await pictures.find_replay(match, HOME, "json")
    assert (scenes.body, slow.done()) == (b"drawn\n", False)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow


async def test_record_without_a_board_is_not_drawn_again_for_some_minutes(
    node: InMemoryServer, painter: Painter
) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    match = await running_match(node)
    for address in (HOME, "198.51.100.7"):
        with pytest.raises(NoBoard, match="no board at record 1"):
            await pictures.find(match, 1, address)
    assert painter.drawn == ["1"]
    await pictures.find(match, 3, HOME)
    node.clock.now += FAILURE_MS
    with pytest.raises(NoBoard):
        await pictures.find(match, 1, HOME)
    assert painter.drawn == ["1", "3", "1"]


async def test_match_that_takes_too_long_is_not_drawn_again_for_some_minutes(
    node: InMemoryServer, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    (tmp_path / "slow.py").write_text(f"import time\nopen({str(log)!r}, 'a').write('.')\ntime.sleep(60)\n")
    command = (sys.executable, str(tmp_path / "slow.py"))
    pictures = BoardPictures(node.matches, command, node.clock, replay_seconds=1)
    match = await running_match(node)
    for passed_ms, runs in ((0, "."), (FAILURE_MS - 1, "."), (1, "..")):
        node.clock.now += passed_ms
        with pytest.raises(Refusal, match="cannot be drawn") as refused:
            await pictures.find_replay(match, HOME, "webp")
        assert (log.read_text(), (refused.value.retry_after_ms or 0) > 0) == (runs, True)


async def test_number_of_kept_failures_is_bounded(
    node: InMemoryServer, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_pictures, "MAX_KEPT_FAILURES", 1)
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    match = await running_match(node)
    for seq in (1, 2, 2, 1):
        with pytest.raises(NoBoard):
            await pictures.find(match, seq, HOME)
    assert painter.drawn == ["1", "2", "1"]


async def test_replay_takes_no_longer_than_it_may(node: InMemoryServer, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)\n")
    command = (sys.executable, str(tmp_path / "slow.py"))
    pictures = BoardPictures(node.matches, command, node.clock, replay_seconds=1)
    match = await running_match(node)
    with pytest.raises(Refusal, match="cannot be drawn"):
        await pictures.find_replay(match, HOME, "webp")


@pytest.mark.parametrize("watchers", ["none", "after_end"])
async def test_replay_of_a_match_that_nobody_may_watch_is_refused(
    node: InMemoryServer, painter: Painter, watchers: Watchers
) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    match = await running_match(node, watchers=watchers)
    for form in REPLAY_FORMS:
        with pytest.raises(Refusal, match="not_watchable"):
            await pictures.find_replay(match, HOME, form)
    assert painter.drawn == []


async def test_replay_shows_those_who_watch_later_no_newer_record(node: InMemoryServer, painter: Painter) -> None:
    pictures = BoardPictures(node.matches, painter.command, node.clock)
    match = await running_match(node, watchers="round_later")
    game = await node.matches.find(match)
    shown = game.rights.last_shown(ANONYMOUS)
    assert shown < game.head
    drawn, _ = await pictures.find_replay(match, HOME, "json")
    assert json.loads(drawn.body)["records"] == shown


async def test_program_that_fails_is_refused(node: InMemoryServer, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(60)\n")
    match = await running_match(node)
    for command in (("/nowhere/at/all",), (sys.executable, str(tmp_path / "slow.py"))):
        pictures = BoardPictures(node.matches, command, node.clock, seconds=1)
        for _ in range(2):
            with pytest.raises(Refusal, match="cannot be drawn"):
                await pictures.find(match, 3, HOME)


def test_real_program_draws_what_the_public_sees() -> None:
    raw = (FOLDER / f"diskwars-points{SUFFIX}").read_bytes()
    assert draw_file(raw, 1) == b""
    assert draw_file(raw, 30).startswith(b"<svg")


@pytest.mark.parametrize("name", ["diskwars-points", "pit-lag", "close-quarters-lag", "regiments-lag"])
def test_real_program_makes_a_png_in_the_size_of_link_previews(name: str) -> None:
    raw = (FOLDER / f"{name}{SUFFIX}").read_bytes()
    last = len(raw.splitlines()) - 1
    command = [*module_command("diskwars_cli.look_back.picture_process"), str(last), "png", "50"]
    png = subprocess.run(command, input=raw, capture_output=True, check=True, timeout=60).stdout
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", png[16:24]) == PNG_SIZE
    assert 5_000 < len(png) < MAX_PICTURE_BYTES, "an empty canvas is smaller"


def test_real_program_draws_a_whole_match() -> None:
    raw = (FOLDER / f"regiments-last-side{SUFFIX}").read_bytes()
    command = module_command("diskwars_cli.look_back.picture_process")
    drawn = {
        form: subprocess.run([*command, "1", form, "50"], input=raw, capture_output=True, check=True, timeout=60).stdout
        for form in REPLAY_FORMS
    }
    course = msgspec.json.decode(drawn["json"], type=MatchScenes)
    assert (course.ruleset, course.records, len(course.scenes) > 10) == ("regiments", len(raw.splitlines()) - 1, True)
    assert (drawn["webp"][:4], drawn["webp"][8:12], drawn["webp"].count(b"ANMF") > 5) == (b"RIFF", b"WEBP", True)
    assert draw_match((FOLDER / f"diskwars-closed{SUFFIX}").read_bytes(), "webp") == b""


# ---------------------------------------------------------------- links


def tags(page: bytes) -> dict[str, str]:
    found: dict[str, str] = {}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            named = dict(attrs)
            if tag == "meta" and named.get("property"):
                found[str(named["property"])] = str(named["content"])

    Reader().feed(page.decode())
    return found


async def test_link_to_a_match_or_a_moment_shows_title_and_picture(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    page = await get(url, f"/m/{match}/3", Host="play.example.org", X_Forwarded_Proto="https")
    assert tags(page.body) == {
        "og:type": "website",
        "og:site_name": "Diskwars",
        "og:title": "Counting: a moment of a match",
        "og:description": "2 players, under way.",
        "og:url": f"https://play.example.org/m/{match}/3",
        "og:image": f"https://play.example.org/matches/{match}/board.png?seq=3",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "The board",
    }
    assert page.headers["Content-Security-Policy"] == (await get(url, "/")).headers["Content-Security-Policy"]
    assert page.headers["Cache-Control"] == "no-cache"
    whole = await get(url, f"/m/{match}", Host="play.example.org")
    assert tags(whole.body)["og:image"] == f"http://play.example.org/matches/{match}/board.png"
    again = await get(url, f"/m/{match}", Host="play.example.org", If_None_Match=whole.headers["ETag"])
    assert again.status == 304


async def test_page_of_an_unknown_match_or_a_strange_host_has_no_tags(url: str, node: InMemoryServer) -> None:
    match = await running_match(node)
    assert (await get(url, "/m/nothing-here")).body == PAGE["/index.html"].body
    for host in ('x"><script>alert(1)</script>', "a b", "example.org/path", "user@example.org"):
        assert (await get(url, f"/m/{match}", Host=host)).body == PAGE["/index.html"].body, host


def test_hosts_are_names_or_addresses_with_a_port() -> None:
    assert site_of("[2001:db8::1]:8765", False) == "http://[2001:db8::1]:8765"
    assert site_of("play.example.org:443", True) == "https://play.example.org:443"
    assert site_of("", False) is None
    assert site_of('a"b', False) is None
