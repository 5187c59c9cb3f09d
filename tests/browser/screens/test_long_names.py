"""The widest names that a player may take end in dots and run under nothing; their titles are the whole names."""

import json

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from tests.browser.canned_server import (
    ARMY_RESULTS,
    ENDED,
    LEADERBOARD,
    LEADERBOARD_ENTRIES,
    MATCHES,
    STATISTICS,
    CannedServer,
    player_summary,
)
from tests.browser.clicks import bar
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import (
    PHONE,
    answer_board_pictures,
    go_to,
    open_page,
    settle,
    sideways_overflow,
    text_under_controls,
)

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
NAME_LENGTH = 24
WIDE_NAME = "W" * NAME_LENGTH
WIDEST_NAME = "\ufdfd" * NAME_LENGTH
"""One letter of it is as wide as a whole word."""
LABEL_LENGTH = 4_000
NARROW = {**PHONE, "viewport": {"width": 390, "height": 844}}

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


def renamed(name: str) -> dict[str, dict[str, object]]:
    """Return the answers of a server on which everybody has this name."""
    players = sorted({seat["player"] for one in (*MATCHES, *ENDED) for seat in one["seats"] if seat.get("player")})
    known = [{**player_summary(player), "name": name} for player in players if not player.startswith("bot-")]
    return {
        "get_players": {"type": "player_list", "players": known},
        "get_leaderboard": {**LEADERBOARD, "entries": [{**entry, "name": name} for entry in LEADERBOARD_ENTRIES]},
        "get_player_statistics": {**STATISTICS, "name": name},
    }


class RenamingServer(CannedServer):
    """A canned server that answers with a name also where players are asked for by their ids."""

    def _answer_to(self, message: dict[str, object]) -> dict[str, object] | None:
        return self.answers.get(str(message["type"]))


@pytest.mark.parametrize("name", [WIDE_NAME, WIDEST_NAME])
@pytest.mark.parametrize("options", [{}, NARROW], ids=["wide", "phone"])
async def test_wide_names_run_under_nothing(
    browser: Browser, shared_url: str, name: str, options: dict[str, object]
) -> None:
    page = await open_page(browser, **options)
    await answer_board_pictures(page, SVG)
    await RenamingServer(renamed(name)).attach(page)
    for path in ("", "history", "leaderboard", "players/p-ilse"):
        await go_to(page, f"{shared_url}{path}")
        await expect(page.get_by_text(name).first).to_be_attached()
        await settle(page)
        assert await text_under_controls(page) == [], path
        assert await sideways_overflow(page) == 0, path


@pytest.mark.parametrize("options", [{}, NARROW], ids=["wide", "phone"])
async def test_label_of_thousands_of_letters_runs_under_nothing(
    browser: Browser, shared_url: str, options: dict[str, object]
) -> None:
    """Armies have ids that packs and imported files choose."""
    label = "W" * LABEL_LENGTH
    page = await open_page(browser, **options)
    await answer_board_pictures(page, SVG)
    ended = [{**match, "armies": [label, label]} for match in ENDED]
    armies = [{**ARMY_RESULTS, "army": label}]
    answers = {
        "search_matches": {"type": "match_list", "matches": ended},
        "list_matches": {"type": "match_list", "matches": [*MATCHES, *ended]},
        "get_player_statistics": {**STATISTICS, "name": WIDEST_NAME, "armies": armies},
    }
    await RenamingServer({**renamed(WIDEST_NAME), **answers}).attach(page)
    for path, shown in (("history", True), ("", False), ("players/p-ilse", True)):
        await go_to(page, f"{shared_url}{path}")
        await expect(page.get_by_text(WIDEST_NAME).first).to_be_attached()
        if shown:
            await expect(page.get_by_text(label[:200]).first).to_be_attached()
        await settle(page)
        assert await text_under_controls(page) == [], path
        assert await sideways_overflow(page) == 0, path


@pytest.mark.parametrize("options", [{}, NARROW], ids=["wide", "phone"])
async def test_wide_names_at_a_table_are_cut_with_the_whole_as_title(
    browser: Browser, shared_url: str, options: dict[str, object]
) -> None:
    page = await open_page(browser, **options)
    server = ScriptedServer(find_question("activation"))
    await server.open(page, shared_url)
    await rename_all(page, WIDEST_NAME, server, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation")
    await expect(page.locator(f'[title^="{WIDEST_NAME}"]').first).to_be_attached()
    await settle(page)
    assert await text_under_controls(page) == []
    assert await sideways_overflow(page) == 0


async def rename_all(page: Page, name: str, server: ScriptedServer, url: str) -> None:
    """Let a scripted server name all players so, and load the page again."""

    def serve(route: WebSocketRoute) -> None:
        server._routes.append(route)

        def receive(raw: str | bytes) -> None:
            message = json.loads(raw)
            if message["type"] != "get_players":
                return server._receive(route, message)
            found = [{"player": one, "name": name, "kind": "guest", "avatar_seed": 1} for one in message["players"]]
            route.send(json.dumps({"type": "player_list", "id": message["id"], "players": found}))

        route.on_message(receive)

    await page.route_web_socket("**/ws", serve)
    await page.goto(f"{url}m/{server.match}")
