"""Players find each other: quick matches, another match after the end, branches; and they report each other."""

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.canned_server import START_MS, CannedServer
from tests.browser.clicks import bar, play_until
from tests.browser.scripted_match import ScriptedServer, find_end, find_question
from tests.browser.web_page import WAIT_MS, accessibility_findings, collect_faults, open_page

SEEKING = {"type": "seeking", "until_ms": START_MS + 600_000, "renew_ms": 200}
ANONYMOUS = {"type": "refused", "code": "nobody_found", "text": "nobody was found in 10 minutes"}
FIND = "Find an opponent"
AGAIN = "Play again with seats swapped"

pytestmark = [pytest.mark.timeout(120), pytest.mark.asyncio(loop_scope="session")]


async def seek_from_lobby(page: Page, url: str) -> None:
    await page.goto(url)
    await page.get_by_role("button", name=FIND).click()


def again(page: Page) -> Locator:
    return page.get_by_role("region", name="Play again")


# ---------------------------------------------------------------- quick matches


async def test_two_who_seek_the_same_match_meet_at_its_table(browser: Browser, url: str) -> None:
    one, other = await open_page(browser), await open_page(browser)
    faults = [collect_faults(one), collect_faults(other)]
    await seek_from_lobby(one, url)
    await expect(one.get_by_text("The search goes on while you look around.")).to_be_visible()
    # The search goes on elsewhere.
    await one.get_by_role("link", name="Armies").click()
    await expect(one.get_by_role("region", name="Quick match")).to_contain_text("Looking for an opponent")
    await seek_from_lobby(other, url)
    for page in (one, other):
        await page.get_by_role("button", name="I am ready").click(timeout=WAIT_MS)
    await expect(bar(one)).to_have_attribute("data-status", "running")
    assert one.url == other.url
    assert not any(faults)


async def test_search_is_renewed_under_its_id_until_it_is_stopped(browser: Browser, shared_url: str) -> None:
    server = CannedServer({"seek_match": SEEKING, "stop_seeking": {"type": "seeking"}})
    page = await open_page(browser)
    await server.attach(page)
    await seek_from_lobby(page, shared_url)
    tile = page.locator(".quickmatch")
    await expect(tile.get_by_role("status")).to_have_text("Looking for an opponent")
    await expect(tile).to_contain_text("15 min + 10 s")
    assert await accessibility_findings(page) == []
    server.answers["seek_match"] = ANONYMOUS
    await expect(tile.get_by_role("alert")).to_contain_text("Nobody wanted the same match")
    server.answers["seek_match"] = SEEKING
    await tile.get_by_role("button", name=FIND).click()
    await tile.get_by_role("button", name="Stop looking").click()
    await expect(tile.get_by_role("button", name=FIND)).to_be_visible()
    seeks = [request["id"] for request in server.requests if request["type"] == "seek_match"]
    assert len(seeks) > len(set(seeks)) == 2
    assert server.requests[-1]["type"] == "stop_seeking"


# ---------------------------------------------------------------- another match


async def open_end(browser: Browser, url: str) -> tuple[Page, ScriptedServer]:
    agreed = {"type": "rematch", "agreed": [0], "seat": 1}
    declined = {"type": "rematch", "agreed": [], "seat": 1, "declined": [0]}
    server = ScriptedServer(find_end(), {"offer_rematch": agreed, "decline_rematch": declined})
    page = await open_page(browser)
    await server.open(page, url)
    await expect(again(page)).to_be_visible()
    return page, server


async def test_offer_of_the_opponent_is_shown_and_declined(browser: Browser, shared_url: str) -> None:
    page, server = await open_end(browser, shared_url)
    own = server.decision.seat
    server.push({"type": "rematch_changed", "agreed": [1 - own], "seat": 1})
    await expect(again(page)).to_contain_text("wants to play again")
    await expect(again(page).get_by_role("button", name=AGAIN)).to_be_visible()
    assert await accessibility_findings(page) == []
    # A low window, where how the match ended takes all of the height.
    await page.set_viewport_size({"width": 960, "height": 522})
    await page.locator(".result .actions").evaluate("one => { one.style.paddingTop = '400px'; }")
    await expect(page.get_by_role("region", name="Result").locator(".again")).to_be_in_viewport(ratio=1)
    await again(page).get_by_role("button", name="No, thank you").click()
    await expect(again(page)).to_have_count(0)
    assert [request["type"] for request in server.requests] == ["decline_rematch"]


async def test_opponent_who_declines_ends_the_wait(browser: Browser, shared_url: str) -> None:
    page, server = await open_end(browser, shared_url)
    own = server.decision.seat
    server.replies["offer_rematch"] = {"type": "rematch", "agreed": [own], "seat": 1}
    await again(page).get_by_role("button", name=AGAIN).click()
    await expect(again(page)).to_contain_text("Waiting for")
    server.push({"type": "rematch_changed", "agreed": [own], "seat": 1, "declined": [1 - own]})
    await expect(again(page)).to_contain_text("does not want to play again")
    assert await again(page).get_by_role("button", name=AGAIN).count() == 0


# ---------------------------------------------------------------- reports


async def test_report_names_the_player_the_moment_and_the_reason(browser: Browser, shared_url: str) -> None:
    server = ScriptedServer(find_question("deployment_card"), {"report_player": {"type": "player_reported"}})
    page = await open_page(browser)
    faults = collect_faults(page)
    await server.open(page, shared_url)
    await page.get_by_role("button", name="Report ").first.click()
    sheet = page.get_by_role("region", name="Report ")
    await expect(sheet.get_by_role("button", name="Send the report")).to_be_disabled()
    await sheet.get_by_label("What has happened?").fill("Insults me\nsince round 2. ")
    head = len(server.playing.bodies)
    await expect(sheet.get_by_role("link")).to_have_attribute("href", f"/m/{server.match}/{head}")
    assert await accessibility_findings(page) == []
    await sheet.get_by_role("button", name="Send the report").click()
    await expect(sheet).to_contain_text("The report was sent.")
    [report] = server.requests
    assert report["text"] == "Insults me since round 2."
    assert report["seq"] == head
    others = [seat for seat in server.playing.seats if seat != server.decision.seat]
    assert report["player"] == server.playing.state.seats[others[0]].player
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    assert faults == []


# ---------------------------------------------------------------- branches


async def test_branch_plays_on_from_a_moment_against_a_bot(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await play_until(page, "command_card")
    parent = page.url
    await page.get_by_role("button", name="Replay", exact=True).click()
    await page.locator("body").press("b")
    sheet = page.get_by_role("region", name="Play on from record")
    await expect(sheet).to_contain_text("drawn at random")
    await expect(sheet).to_be_focused()
    await expect(sheet.get_by_role("button", name="Me", exact=True).first).to_have_attribute("aria-pressed", "true")
    assert await accessibility_findings(page) == []
    await sheet.get_by_role("button", name="Play on", exact=True).click()
    origin = page.get_by_role("link", name="Branch at ")
    await expect(bar(page)).to_have_attribute("data-question", "command_card", timeout=WAIT_MS)
    await expect(page.get_by_role("list", name="Log")).to_contain_text("Play goes on")
    assert page.url != parent
    assert (await origin.get_attribute("href") or "").startswith(parent.removeprefix(url.removesuffix("/")))
    # Before its beginning, there is nothing to play on from.
    await page.goto(f"{parent}/2")
    await page.get_by_role("button", name="Play on from here").click()
    await expect(sheet).to_contain_text("had not begun at this moment")
    assert faults == []
