"""A whole match of Diskwars with full set-up, answered by clicks against a bot in a real Chromium."""

from collections import Counter

import pytest
from playwright.async_api import Browser, expect

from tests.browser.clicks import MAX_ANSWERS, answer
from tests.browser.stages import stages_seen, watch_stages
from tests.browser.web_page import collect_faults, open_page

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]


async def test_whole_match_with_full_setup_is_played_by_clicks(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await watch_stages(page)
    await page.goto(url)
    await page.get_by_role("button", name="Full", exact=True).click()
    await page.get_by_role("button", name="Play now").click()
    answered: Counter[str] = Counter()
    for _ in range(MAX_ANSWERS):
        question = await answer(page)
        if not question:
            break
        answered[question] += 1
        if answered.total() == 1:
            await expect(page.get_by_role("button", name="Take back my last answer")).to_be_visible()
    await expect(page.locator('.act[data-status="ended"]')).to_have_count(1)
    assert {"deployment_card", "terrain", "deployment", "command_card", "move", "shot"} <= set(answered)
    seen = await stages_seen(page)
    assert {"deployment", "command_card", "activation", "waiting", "ended"} <= set(seen["questions"])
    assert len(seen["stages"]) == len(seen["primaries"]) == 1, seen
    assert faults == []
