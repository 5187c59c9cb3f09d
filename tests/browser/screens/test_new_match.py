"""The sheet of a new match in a real Chromium: its packs, and what waits while the server cannot store anything."""

import base64

import msgspec
import pytest
from playwright.async_api import Browser, expect

from diskwars_client.client import connect
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings
from diskwars_server.http.page_files import StaticFile
from tests.browser.canned_server import CannedServer
from tests.browser.web_page import accessibility_findings, collect_faults, open_page, serving_page
from tests.client.test_client_packs import army_of_expansion

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]
CREATE = "Create match and get the link"
ARMY = "Ann's pistols"
ARE_INERT = "all => all.map((one) => one.closest('[inert]') !== null)"
"""Whether each is inert itself or in what is."""
BEGIN_OF_WORDS = """(one) => {
  const range = document.createRange();
  range.selectNode(one.firstChild);
  return [one.getBoundingClientRect().left, range.getBoundingClientRect().left];
}"""
IS_BEHIND = "document.activeElement !== document.body && document.activeElement.closest('[role=dialog]') === null"


async def test_match_is_opened_without_the_pack_that_is_left_out(
    browser: Browser, files: dict[str, StaticFile]
) -> None:
    async with serving_page(files, "expansion") as url:
        page, watched = await open_page(browser), CannedServer(answers={}, is_canned_player=False)
        del watched.answers["follow_matches"]
        await watched.attach(page)
        faults = collect_faults(page)
        await page.goto(f"{url}new")
        choice = page.get_by_role("group", name="Played with").get_by_label("Expansions")
        await expect(choice).to_be_checked()
        await choice.uncheck()
        await page.get_by_role("button", name=CREATE).click()
        await expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
        (opened,) = [message for message in watched.requests if message["type"] == "open_match"]
        assert opened["packs"] == []
        await page.goto(f"{url}new")
        await page.get_by_role("button", name=CREATE).click()
        await expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
        assert "packs" not in [message for message in watched.requests if message["type"] == "open_match"][-1]
        assert not faults
        await page.close()


async def test_packs_are_called_in_the_language_of_the_reader(browser: Browser, files: dict[str, StaticFile]) -> None:
    async with serving_page(files, "expansion") as url:
        page = await open_page(browser, locale="de")
        await page.goto(f"{url}new")
        await expect(page.get_by_role("group", name="Gespielt mit").get_by_label("Erweiterungen")).to_be_checked()
        await page.close()


async def test_army_of_a_pack_is_offered_and_legal_only_where_the_pack_is_played(
    browser: Browser, files: dict[str, StaticFile]
) -> None:
    async with serving_page(files, "expansion") as url:
        async with connect(f"{url.replace('http', 'ws', 1)}ws") as client:
            army = await army_of_expansion(client)
            without = (await client.open_match(DiskwarsSettings(setup="quick", regiments=1), packs=())).id
            with_all = (await client.open_match(DiskwarsSettings(setup="quick", regiments=1))).id
        shared = msgspec.json.encode({"name": ARMY, "regiments": army.regiments, "hand": army.hand})
        page = await open_page(browser)
        faults = collect_faults(page)
        await page.goto(f"{url}armies/link#{base64.urlsafe_b64encode(shared).decode()}")
        await expect(page.get_by_text("Nothing is wrong with this army.")).to_be_visible()
        disks = page.get_by_role("region", name="Disks").get_by_role("row")
        offered = await disks.count()
        await page.get_by_role("group", name="Played with").get_by_label("Expansions").uncheck()
        await expect(page.get_by_text("Problems:")).to_be_visible()
        assert await disks.count() < offered
        for match, options in ((with_all, [ARMY]), (without, [])):
            await page.goto(f"{url}m/{match}")
            await expect(page.get_by_label("Your army").get_by_role("option", name="Empire Patrol")).to_have_count(1)
            await expect(page.get_by_label("Your army").get_by_role("option", name=ARMY)).to_have_text(options)
            await expect(page.get_by_text("1 of your armies does not fit")).to_have_count(0 if options else 1)
        kept = await page.evaluate("JSON.parse(localStorage.getItem('diskwars.armies'))[0].id")
        await page.goto(f"{url}new?army={kept}")
        sheet = page.get_by_role("dialog")
        await expect(sheet.get_by_label("Your army")).to_have_value(kept)
        await sheet.get_by_label("Expansions").uncheck()
        await page.goto(f"{url}new?army={kept}&without=diskwars/expansion")  # as the builder asks
        await expect(sheet.get_by_label("Expansions")).not_to_be_checked()
        await expect(sheet.get_by_role("status").filter(has_text=ARMY)).to_be_visible()
        assert not faults
        await page.close()


async def test_sheet_of_a_new_match_keeps_the_focus_and_gives_it_back(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}new")
    sheet = page.get_by_role("dialog", name="New match")
    await expect(sheet).to_be_focused()
    await page.keyboard.press("Escape")
    opener = page.get_by_role("button", name="New match")
    await expect(opener).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(sheet).to_be_focused()
    assert await accessibility_findings(page) == []
    for key in ("Shift+Tab", *["Tab"] * 40):
        await page.keyboard.press(key)
        assert await page.evaluate(IS_BEHIND) is False
    assert await page.locator("header.top, main").evaluate_all(ARE_INERT) == [True, True]
    await sheet.get_by_role("button", name="Close").focus()
    await page.keyboard.press("Escape")
    await expect(sheet).to_have_count(0)
    await expect(opener).to_be_focused()
    assert await page.locator("header.top, main").evaluate_all(ARE_INERT) == [False, False]
    assert not faults


async def test_words_of_a_closed_part_begin_beside_its_chevron(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await page.goto(f"{url}new")
    parts = page.locator("summary", has_text="Rule options")
    await expect(parts).to_have_count(1)
    begin, words = await parts.evaluate(BEGIN_OF_WORDS)
    assert 10 < words - begin < 30, (begin, words)


async def test_server_without_packs_asks_for_none(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await page.goto(f"{url}new")
    await expect(page.get_by_role("button", name=CREATE)).to_be_enabled()
    assert await page.get_by_role("group", name="Played with").count() == 0


@pytest.mark.parametrize(
    ("locale", "button", "notice"),
    [
        ("en", CREATE, "What you decided waits, and is sent again by itself."),
        (
            "de",
            "Partie öffnen und Link holen",
            "Entscheidung wartet und wird von selbst noch einmal gesendet.",
        ),
    ],
    ids=["en", "de"],
)
async def test_page_says_that_what_was_decided_waits_while_the_server_cannot_store_it(
    browser: Browser, url: str, locale: str, button: str, notice: str
) -> None:
    page = await open_page(browser, locale=locale)
    away = {"type": "refused", "code": "unavailable", "text": "away", "retry_after_ms": 200}
    canned = CannedServer({"open_match": away}, is_canned_player=False)
    await canned.attach(page)
    await page.goto(f"{url}new")
    await page.get_by_role("button", name=button).click()
    await expect(page.get_by_role("status").filter(has_text=notice)).to_be_visible()
    del canned.answers["open_match"]  # the database is back
    await expect(page.get_by_role("img", name="QR")).to_be_visible()
    await expect(page.get_by_text(notice)).to_have_count(0)
    ids = {message["id"] for message in canned.requests if message["type"] == "open_match"}
    assert len(ids) == 1, "the same command every time"
