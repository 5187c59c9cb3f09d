"""What anybody may read over HTTP, and what nobody may."""

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
import zstandard

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.replay_scenes import MatchScenes
from diskwars_protocol.messages.lists import MatchList
from diskwars_protocol.records.match_file import read_file
from diskwars_server.http import board_pictures
from diskwars_server.http.board_pictures import BoardPictures
from diskwars_server.limits.address_quotas import QUERY_BURST, AddressQuotas, QuotaLimits
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.api.served_api import get_api, serving_api
from tests.server.clubs.club_clients import open_club
from tests.server.http.test_board_pictures import Painter
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, play_match
from tests.server.tournaments.tournament_clients import connect_member


@pytest.fixture
async def url(node: InMemoryServer) -> AsyncIterator[str]:
    async with serving_api(node) as url:
        yield url


async def players(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient]:
    return await node.connect_and_greet(), await node.connect_and_greet()


# ---------------------------------------------------------------- lists


async def test_list_is_that_of_a_socket_and_goes_on_page_by_page(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    opened = [await begin_match(first, second) for _ in range(3)]
    page = (await get_api(url, "/matches?status=running&limit=2")).json
    rest = (await get_api(url, f"/matches?status=running&limit=2&page={page['next_page']}")).json
    assert {shown["match"] for shown in page["matches"] + rest["matches"]} == set(opened)
    assert (len(page["matches"]), "next_page" in rest) == (2, False)
    msgspec.convert(page, MatchList)


async def test_lists_name_no_match_by_link(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    match = await begin_match(first, second, options=MatchOptions(visibility="link"))
    assert (await get_api(url, "/matches")).json["matches"] == []
    await play_match(first, second, match)
    assert (await get_api(url, "/history")).json["matches"] == []
    assert (await get_api(url, f"/matches?player={first.player}")).json["matches"] == []


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ("limit=0", "wrong_shape", "$.limit"),
        ("limit=101", "wrong_shape", "$.limit"),
        ("limit=1_0", "wrong_shape", "$.limit"),
        ("limit=5.0", "wrong_shape", "$.limit"),
        ("limit=1e1", "wrong_shape", "$.limit"),
        ("has_free_seat=1", "wrong_shape", "$.has_free_seat"),
        ("limit=5&limit=6", "wrong_shape", "$.limit"),
        ("lim=5", "wrong_shape", "$.lim"),
        ("mine=true", "wrong_shape", "$.mine"),
        ("status=null", "wrong_shape", "$.status"),
        ("status=lost", "wrong_shape", "$.status"),
        ("player=a%00", "wrong_shape", "$.player"),
        ("player=%ff", "wrong_shape", "$.player"),
        ("%ff=1", "wrong_shape", "$"),
        ("page=invented", "bad_page", "$.page"),
        ("page=99999999999999999999.x", "bad_page", "$.page"),
        ("page=" + "1" * 300, "wrong_shape", "$.page"),
        ("&".join(f"packs={n}" for n in range(65)), "wrong_shape", "$"),
        ("player=" + "a" * 5_000, "wrong_shape", "$"),
    ],
)
async def test_query_that_fits_nothing_is_a_problem_with_its_place(url: str, query: str, code: str, place: str) -> None:
    answer = await get_api(url, f"/matches?{query}")
    status = 404 if code == "bad_page" else 400
    assert (answer.status, answer.code, answer.json["place"]) == (status, code, place)


@pytest.mark.parametrize("page", ["1.abc", "1." + "0" * 32, "9999999999999999." + "f" * 32])
async def test_invented_page_of_a_search_leads_nowhere(url: str, page: str) -> None:
    answer = await get_api(url, f"/history?page={page}")
    assert answer.status in (200, 404)
    assert answer.status == 404 or answer.json["matches"] == []


# ---------------------------------------------------------------- one match


async def test_summary_is_what_lists_show(node: InMemoryServer, url: str) -> None:
    match = await begin_match(*await players(node))
    listed = (await get_api(url, "/matches")).json["matches"][0]
    assert (await get_api(url, f"/matches/{match}")).json == listed


@pytest.mark.parametrize("path", ["", "/records", "/file", "/board.svg", "/scenes", "/replay.webp"])
async def test_unknown_match_is_not_found(node: InMemoryServer, painter: Painter, path: str) -> None:
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        answer = await get_api(url, f"/matches/c9dk2n5ytxgw{path}")
    assert (answer.status, answer.code) == (404, "unknown_match")


@pytest.fixture
def painter(tmp_path: Path) -> Painter:
    return Painter(tmp_path)


async def test_private_match_shows_nothing_to_those_who_guess_its_id(node: InMemoryServer, painter: Painter) -> None:
    options = MatchOptions(visibility="link", watchers="none")
    match = await begin_match(*await players(node), options=options)
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        for path in (
            "",
            "/records",
            "/file",
            "/board.svg",
            "/board.svg?seq=1",
            "/records?after=2",
            "/scenes",
            "/replay.webp",
        ):
            answer = await get_api(url, f"/matches/{match}{path}")
            assert (answer.status, answer.code) == (403, "not_watchable"), path


async def test_no_record_of_a_match_under_way_shows_what_is_hidden(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    match = await begin_match(first, second)
    await first.choose_number(match, 0, 5)
    head = (await node.matches.find(match)).head
    for after in range(head):
        answer = await get_api(url, f"/matches/{match}/records?after={after}&limit=1")
        (line,) = answer.body.splitlines()
        record = msgspec.json.decode(line)
        assert (record["seq"], "openings" in record) == (after + 1, False)
    file = read_file((await get_api(url, f"/matches/{match}/file")).body)
    assert (len(file.records), file.sealed > 0) == (head, True)


async def test_records_are_the_lines_of_the_file(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    match = await begin_match(first, second)
    await play_match(first, second, match)
    file = (await get_api(url, f"/matches/{match}/file")).body
    assert (await get_api(url, f"/matches/{match}/records")).body.splitlines() == file.splitlines()[1:]
    assert (await get_api(url, f"/matches/{match}/records?after=2&limit=3")).body.splitlines() == file.splitlines()[3:6]
    assert read_file(file).sealed == 0


async def test_record_beyond_the_last_is_refused(node: InMemoryServer, url: str) -> None:
    match = await begin_match(*await players(node))
    answer = await get_api(url, f"/matches/{match}/records?after=9999")
    assert (answer.status, answer.code, answer.json["place"]) == (404, "bad_resume", "$.after")
    assert (await get_api(url, f"/matches/{match}/records?after=-1")).status == 400


async def test_those_who_watch_a_round_later_read_a_round_later(node: InMemoryServer, painter: Painter) -> None:
    match = await begin_match(*await players(node), options=MatchOptions(watchers="round_later"))
    game = await node.matches.find(match)
    shown = game.rights.last_shown("")  # type: ignore[arg-type]
    assert shown < game.head
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        lines = (await get_api(url, f"/matches/{match}/records")).body.splitlines()
        later = await get_api(url, f"/matches/{match}/board.svg?seq={game.head}")
    assert [msgspec.json.decode(line)["seq"] for line in lines] == list(range(1, shown + 1))
    assert (later.status, later.code) == (404, "no_board")


async def test_ended_match_is_kept_and_compressed(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    match = await begin_match(first, second)
    running = await get_api(url, f"/matches/{match}/file", Accept_Encoding="gzip")
    assert (running.headers["Cache-Control"], running.headers["ETag"]) == ("no-store", None)
    assert "Content-Encoding" not in running.headers
    await play_match(first, second, match)
    plain = await get_api(url, f"/matches/{match}/file")
    zipped = await get_api(url, f"/matches/{match}/file", Accept_Encoding="gzip;q=0.5")
    small = await get_api(url, f"/matches/{match}/file", Accept_Encoding="gzip, zstd")
    assert gzip.decompress(zipped.body) == plain.body
    assert zstandard.ZstdDecompressor().decompressobj().decompress(small.body) == plain.body
    assert (zipped.headers["Content-Encoding"], small.headers["Content-Encoding"]) == ("gzip", "zstd")
    assert "immutable" in plain.headers["Cache-Control"]
    assert plain.headers["ETag"] == small.headers["ETag"]
    again = await get_api(url, f"/matches/{match}/file", If_None_Match=plain.headers["ETag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("form", ["svg", "png"])
async def test_board_is_drawn_at_any_record(node: InMemoryServer, painter: Painter, form: str) -> None:
    match = await begin_match(*await players(node))
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        drawn = await get_api(url, f"/matches/{match}/board.{form}?seq=3")
        last = await get_api(url, f"/matches/{match}/board.{form}")
        early = await get_api(url, f"/matches/{match}/board.{form}?seq=1")
        other = await get_api(url, f"/matches/{match}/board.bmp")
    assert drawn.body == f"<{form}>3 records</{form}>".encode()
    assert ("immutable" in drawn.headers["Cache-Control"], last.headers["Cache-Control"]) == (True, "no-cache")
    assert (early.status, early.code) == (404, "no_board")
    assert (other.status, other.code) == (400, "wrong_shape")


async def test_match_is_drawn_as_a_whole_and_kept_once_it_has_ended(node: InMemoryServer, painter: Painter) -> None:
    first, second = await players(node)
    match = await begin_match(first, second)
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        running = [await get_api(url, f"/matches/{match}/{path}") for path in ("scenes", "replay.webp")]
        await play_match(first, second, match)
        ended = [await get_api(url, f"/matches/{match}/{path}") for path in ("scenes", "replay.webp")]
        again = await get_api(url, f"/matches/{match}/replay.webp", If_None_Match=ended[1].headers["ETag"])
    assert [answer.headers["Content-Type"] for answer in ended] == ["application/json", "image/webp"]
    assert [answer.headers["Cache-Control"] for answer in running] == ["no-cache"] * 2
    assert all("immutable" in answer.headers["Cache-Control"] for answer in ended)
    assert all(answer.headers["Access-Control-Allow-Origin"] == "*" for answer in ended)
    head = (await node.matches.find(match)).head
    assert msgspec.json.decode(ended[0].body, type=MatchScenes).records == head
    assert (again.status, again.body) == (304, b"")


async def test_animated_picture_that_has_to_wait_says_how_long(
    node: InMemoryServer, painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_pictures, "MAX_WAITING", 0)
    match = await begin_match(*await players(node))
    async with serving_api(node, BoardPictures(node.matches, painter.command, node.clock)) as url:
        answer = await get_api(url, f"/matches/{match}/replay.webp")
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (429, "busy", "2")


async def test_names_of_players_are_read_by_their_ids(node: InMemoryServer, url: str) -> None:
    first, second = await players(node)
    found = (await get_api(url, f"/names?players={first.player}&players={second.player}")).json["players"]
    assert [player["player"] for player in found] == [first.player, second.player]
    assert all(player["name"] for player in found)
    assert (await get_api(url, "/names")).code == "wrong_shape"


async def test_server_without_a_painter_says_so(node: InMemoryServer, url: str) -> None:
    match = await begin_match(*await players(node))
    for path in ("board.svg", "scenes", "replay.webp"):
        assert (await get_api(url, f"/matches/{match}/{path}")).code == "no_pictures"


# ---------------------------------------------------------------- players and the rest


async def test_players_are_found_by_id_and_by_name() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        guest = await node.connect_and_greet()
        async with serving_api(node) as url:
            found = (await get_api(url, f"/players/{guest.player}")).json
            missing = await get_api(url, "/players?name=Nobody")
            nameless = await get_api(url, "/players")
        await node.matches.close()
    assert (found["player"], found["kind"]) == (guest.player, "guest")
    assert (missing.status, missing.code) == (404, "unknown_player")
    assert (nameless.status, nameless.json["place"]) == (400, "$.name")


async def test_ratings_and_tournaments_are_those_of_a_socket(url: str) -> None:
    assert (await get_api(url, "/leaderboards/counting")).json["type"] == "leaderboard"
    assert (await get_api(url, "/armies/counting")).json["type"] == "army_statistics"
    assert (await get_api(url, "/tournaments")).json["tournaments"] == []
    assert (await get_api(url, "/leaderboards/chess")).code == "unknown_ruleset"
    assert (await get_api(url, "/tournaments/unknown")).code == "unknown_tournament"


async def test_public_clubs_are_those_of_a_socket_and_private_ones_are_unknown() -> None:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database)
        lea = await connect_member(node, "Lea")
        public, private = await open_club(lea), await open_club(lea, visibility="private")
        async with serving_api(node) as url:
            listed = (await get_api(url, "/clubs")).json
            found = (await get_api(url, f"/clubs/{public}")).json
            ladder = (await get_api(url, f"/clubs/{public}/ladder")).json
            no_season = await get_api(url, f"/clubs/{public}/ladder?season=9")
            hidden = [await get_api(url, f"/clubs/{private}{end}") for end in ("", "/ladder")]
        await node.matches.close()
    assert [club["club"] for club in listed["clubs"]] == [public]
    assert [member["player"] for member in found["members"]] == [lea.player]
    assert ladder["rows"] == [{"player": lea.player}]
    assert (no_season.status, no_season.code) == (404, "no_season")
    assert [(answer.status, answer.code) for answer in hidden] == [(404, "unknown_club")] * 2


async def test_server_packs_and_rules_are_found(url: str) -> None:
    server = (await get_api(url, "/server")).json
    assert (server["version"], server["rulesets"][0]["id"]) == ("1.2.3", "counting")
    assert (await get_api(url, "/health")).json["status"] == "ok"
    rule = (await get_api(url, "/rules/R6.3")).json
    assert (rule["id"], bool(rule["text"])) == ("R6.3", True)
    assert (await get_api(url, "/rules/Q-999")).code == "unknown_rule"
    assert (await get_api(url, "/rules/x")).status == 400
    assert (await get_api(url, "/rulesets/counting/catalogue")).json["type"] == "catalogue"
    assert (await get_api(url, "/rulesets/counting/packs/none")).code == "unknown_pack"


# ---------------------------------------------------------------- quotas


async def test_queries_of_an_address_are_limited_with_those_of_its_sockets(node: InMemoryServer) -> None:
    quotas = AddressQuotas(QuotaLimits(proxies=("127.0.0.1",)), node.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    async with serving_api(node) as url:
        for _ in range(QUERY_BURST - 1):
            assert quotas.admit_query("192.0.2.7") == 0
        answers = [await get_api(url, "/matches", X_Forwarded_For="192.0.2.7") for _ in range(2)]
        other = await get_api(url, "/matches", X_Forwarded_For="192.0.2.8")
    assert [answer.status for answer in answers] == [200, 429]
    assert (answers[1].code, other.status) == ("busy", 200)


async def test_streams_use_up_the_history_of_an_address(node: InMemoryServer) -> None:
    quotas = AddressQuotas(QuotaLimits(history_bytes=1000, proxies=("127.0.0.1",)), node.clock)
    node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    match = await begin_match(*await players(node))
    async with serving_api(node) as url:
        paths = (f"/matches/{match}/file", f"/matches/{match}/records")
        first, second = [await get_api(url, path, X_Forwarded_For="192.0.2.7") for path in paths]
    assert (first.status, second.code) == (200, "too_much_history")
