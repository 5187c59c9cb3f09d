"""Players on the page in a real Chromium: the leaderboard, profiles, names that lead there, pictures of boards."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.canned_server import ENDED, LEADERBOARD, LEADERBOARD_ENTRIES, OWN_PLAYER, STATISTICS, CannedServer
from tests.browser.clicks import resign
from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    answer_board_pictures,
    collect_faults,
    open_page,
    sideways_overflow,
)

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
PAYLOAD = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def open_canned(browser: Browser, address: str, server: CannedServer, **options: object) -> Page:
    page = await open_page(browser, **options)
    await answer_board_pictures(page, SVG)
    await server.attach(page)
    await page.goto(address)
    return page


async def test_leaderboard_leads_to_profiles_and_marks_the_own_row(browser: Browser, shared_url: str) -> None:
    page = await open_canned(browser, f"{shared_url}leaderboard", CannedServer())
    faults = collect_faults(page)
    rows = page.locator("tbody tr")
    await expect(rows).to_have_count(3)
    await expect(rows.nth(0)).to_contain_text("18.2")
    await expect(rows.nth(2)).to_contain_text("-0.3")
    await expect(page.locator("tr.own")).to_contain_text("Vera")
    await page.get_by_role("link", name="Ilse of the Hills").click()
    await expect(page).to_have_url(f"{shared_url}players/p-ilse")
    profile = page.get_by_role("region", name="Profile")
    await expect(profile).to_contain_text("Empire Patrol")
    await expect(profile).to_contain_text("58 %")
    await expect(profile).to_contain_text("19 won, 11 lost, 1 drawn")
    assert faults == []


async def test_later_page_of_the_leaderboard_adds_those_who_are_not_on_it(browser: Browser, shared_url: str) -> None:
    first = {**LEADERBOARD, "entries": LEADERBOARD_ENTRIES[:2], "next_page": "2"}
    server = CannedServer({"get_leaderboard": first})
    page = await open_canned(browser, f"{shared_url}leaderboard", server)
    faults = collect_faults(page)
    await expect(page.locator("tbody tr")).to_have_count(2)
    server.answers["get_leaderboard"] = {**LEADERBOARD, "entries": LEADERBOARD_ENTRIES[1:]}
    await page.get_by_role("button", name="Show more").click()
    await expect(page.locator("tbody tr")).to_have_count(3)
    await expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    assert faults == []


async def test_history_asks_for_no_picture_where_a_match_has_no_board(browser: Browser, shared_url: str) -> None:
    without = [
        {**ENDED[0], "match": "closed1", "result": {"type": "result", "end_reason": "closed"}},
        {**ENDED[0], "match": "locked1", "is_locked": True},
        {**ENDED[0], "match": "hidden1", "match_options": {"watchers": "none"}},
        {**ENDED[0], "match": "unknown1", "ruleset": "counting"},
    ]
    server = CannedServer({"search_matches": {"type": "match_list", "matches": [ENDED[0], *without]}})
    page = await open_page(browser)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url) if "board.svg" in request.url else None)
    await answer_board_pictures(page, SVG)
    await server.attach(page)
    await page.goto(f"{shared_url}history")
    await expect(page.get_by_role("listitem")).to_have_count(5)
    await expect(page.locator("main img")).to_have_count(1)
    assert fetched == [f"{shared_url}matches/{ENDED[0]['match']}/board.svg?seq={ENDED[0]['records']}"]


async def test_board_of_an_ended_match_is_drawn_by_the_server(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await resign(page)
    await expect(page.locator(".act .q b")).to_contain_text("wins")
    await page.goto(f"{url}history")
    picture = page.locator("main img")
    await expect(picture).to_have_count(1)
    await page.wait_for_function("() => document.querySelector('main img')?.naturalWidth > 0")
    await page.get_by_role("listitem").get_by_role("link").first.click()
    await expect(page.get_by_role("region", name="Profile")).to_contain_text("No rated matches yet.")
    await expect(page.get_by_role("region", name="Profile")).to_contain_text("this is you")
    assert faults == []


async def test_names_of_players_never_become_markup(browser: Browser, shared_url: str) -> None:
    entry = {**LEADERBOARD_ENTRIES[0], "player": OWN_PLAYER, "name": PAYLOAD}
    answers = {
        "get_leaderboard": {**LEADERBOARD, "entries": [entry]},
        "get_player_statistics": {**STATISTICS, "name": PAYLOAD},
    }
    page = await open_canned(browser, f"{shared_url}leaderboard", CannedServer(answers))
    await page.get_by_role("link", name=PAYLOAD).click()
    await expect(page.get_by_role("heading", name=PAYLOAD)).to_be_visible()
    assert await page.evaluate("window.hurt") is None


async def test_refused_profile_says_why(browser: Browser, shared_url: str) -> None:
    refused = {"type": "refused", "code": "unknown_player", "text": "there is no such player"}
    page = await open_canned(browser, f"{shared_url}players/nobody", CannedServer({"get_player_statistics": refused}))
    await expect(page.get_by_role("alert")).to_contain_text("there is no such player")
    assert await page.get_by_text("No rated matches yet.").count() == 0


async def test_rated_match_is_offered_to_those_with_an_account(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}new")
    await expect(page.get_by_role("button", name="Create match and get the link")).to_be_enabled()
    await expect(page.get_by_label("rated", exact=True)).to_have_count(0)
    await page.goto(f"{url}settings")
    await page.get_by_label("Name").fill("Ann of Nuln")
    await page.get_by_label("Password").fill("under the hill 42")
    await page.get_by_role("button", name="Make an account").click()
    await expect(page.get_by_text("You play as Ann of Nuln.")).to_be_visible()
    await page.goto(f"{url}new")
    await page.get_by_label("rated", exact=True).check()
    await expect(page.get_by_label("takebacks")).to_be_disabled()
    await page.get_by_role("button", name="Create match and get the link").click()
    # Servers of tests roll the same dice each time.
    await expect(page.get_by_role("alert")).to_contain_text("no match can be rated")
    assert faults == []


@pytest.mark.parametrize("path", ["leaderboard", "players/p-ilse", "history"])
async def test_screen_of_people_fits_a_phone_and_has_no_serious_finding(
    browser: Browser, shared_url: str, path: str
) -> None:
    phone = await open_canned(browser, f"{shared_url}{path}", CannedServer(), **PHONE)
    await expect(phone.get_by_text("Ilse of the Hills").first).to_be_visible()
    assert await sideways_overflow(phone) == 0
    page = await open_canned(browser, f"{shared_url}{path}", CannedServer())
    await expect(page.get_by_text("Ilse of the Hills").first).to_be_visible()
    for _ in range(2):
        assert await accessibility_findings(page) == []
        await page.get_by_role("button", name="Change between dark and light").click()
