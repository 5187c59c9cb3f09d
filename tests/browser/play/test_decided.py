"""The page about what decided a match: from the result to three moments, and from a moment to a match of one's own."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from tests.browser.scripted_match import ScriptedServer, find_end, find_played_end
from tests.browser.web_page import (
    DESKTOP,
    PHONE,
    accessibility_findings,
    collect_faults,
    open_page,
    settle,
    show,
    sideways_overflow,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.parametrize("window", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("theme", ["dark", "light"])
async def test_result_leads_to_the_moments_that_decided_it(
    browser: Browser, shared_url: str, window: dict[str, Any], theme: str
) -> None:
    page = await open_page(browser, **{**window, "color_scheme": theme})
    faults = collect_faults(page)
    await ScriptedServer(find_played_end()).open(page, shared_url)
    await page.get_by_role("region", name="Result").get_by_role("link", name="What decided it").click()
    await expect(page).to_have_url(re.compile("/decided$"))
    await expect(page.get_by_role("heading", level=1)).to_contain_text("decided it")
    cards = page.locator(".moments > li")
    assert 1 <= await cards.count() <= 3
    for card in await cards.all():
        await expect(card.get_by_role("img")).to_be_visible()
        await expect(card.get_by_role("button", name="Play on from here")).to_be_visible()
        assert len(await card.locator("p").inner_text()) > 20
    await expect(page.get_by_text("Chances are an estimate")).to_be_visible()
    await settle(page)
    await show(page, f"decided-{len(window)}-{theme}")
    assert await sideways_overflow(page) == 0
    assert await accessibility_findings(page) == []
    assert faults == []


async def test_a_moment_is_played_on_and_seen_in_the_replay(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await ScriptedServer(find_played_end()).open(page, shared_url)
    await page.get_by_role("region", name="Result").get_by_role("link", name="What decided it").click()
    card = page.locator(".moments > li").first
    seq = int((await card.locator("h2 a").get_attribute("href") or "").rpartition("/")[2])
    await card.get_by_role("button", name="Play on from here").click()
    await expect(page.get_by_role("region", name=f"Play on from record {seq - 1}")).to_be_visible()
    await card.get_by_role("link", name="See it in the replay").click()
    await expect(page.get_by_role("slider")).to_be_visible()
    assert await page.get_by_role("slider").input_value() == str(seq)


async def test_a_resignation_is_no_moment_that_decided_it(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    await ScriptedServer(find_end()).open(page, shared_url)
    await page.get_by_role("region", name="Result").get_by_role("link", name="What decided it").click()
    await expect(page.get_by_role("heading", name="No loss decided it")).to_be_visible()
    assert await page.locator(".moments > li").count() == 0
