"""Figures of the rules in a real Chromium: found from a rule, played by clicks, by keys and by typed orders."""

import re
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.browser.clicks import bar, primary
from tests.browser.web_page import PHONE, accessibility_findings, collect_faults, open_page, settle, sideways_overflow

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

MAX_ENGAGEMENTS = 12
WOUNDED = "Karl Franz, of Player A, 1 wound, pinned by Bloodcrushers"


async def open_figure(browser: Browser, url: str, id: str, **options: Any) -> tuple[Page, list[str]]:
    """Open a figure; the list grows with every error of the page."""
    page = await open_page(browser, **options)
    faults = collect_faults(page)
    await page.goto(f"{url}figures/{id}")
    await expect(bar(page)).to_be_visible()
    await settle(page)
    return page, faults


def disk(page: Page, number: int) -> Locator:
    return page.locator(f"#disk-{number}")


def happened(page: Page) -> Locator:
    return page.locator("aside .lines li")


async def click_at(page: Page, number: int) -> None:
    """Point at a disk and click there, as somebody does who aims at it."""
    box = await disk(page, number).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.move(x + 3, y + 3, steps=4)
    await page.mouse.click(x, y)


async def test_figure_is_found_from_its_rule_and_played_by_clicks(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}rules/R13.4")
    await page.locator("#rule-R13\\.4").get_by_role("link", name="Figure 1", exact=True).click()
    await expect(page.get_by_role("heading", name="Surplus damage is lost")).to_be_visible()
    await settle(page)
    await click_at(page, 0)
    await expect(page.get_by_role("region", name="If you commit")).to_contain_text("Pins Karl Franz")
    await primary(page).click()
    # The rest of the Impact is lost: one wound, and no damage is left.
    await expect(disk(page, 0)).to_have_attribute("aria-label", WOUNDED)
    await expect(page.locator(".over", has_text="The figure ends here")).to_be_visible()
    await expect(happened(page).filter(has_text="Impact 6 of Bloodcrushers")).to_have_count(1)
    # Other dice, and the same outcome.
    await page.get_by_role("button", name="1", exact=True).click()
    await expect(happened(page).filter(has_text="Impact 1 of Bloodcrushers")).to_have_count(1)
    await expect(disk(page, 0)).to_have_attribute("aria-label", WOUNDED)
    await page.get_by_role("button", name="Take back").click()
    await expect(happened(page)).to_have_count(0)
    # Its rules lead back.
    await page.locator("aside section").get_by_role("link", name="R13.4", exact=True).click()
    await expect(page.locator("#rule-R13\\.4")).to_be_in_viewport()
    assert not faults


def forecast_of(page: Page) -> Locator:
    return page.get_by_role("region", name="If you commit")


async def test_planned_way_names_all_ground_on_it_and_the_phone_shows_the_worst_line(
    browser: Browser, shared_url: str
) -> None:
    page, faults = await open_figure(browser, shared_url, "terrain", **PHONE)
    await click_at(page, 0)
    # The way to the Ogre leads over the gully into the mere.
    await click_at(page, 4)
    forecast = forecast_of(page)
    await expect(forecast).to_contain_text("Gully is dangerous: d6 physical damage at flips 1, 2, and 3.")
    await expect(forecast).to_contain_text("Mere is rough: the move ends here.")
    await expect(bar(page).locator(".fates.bad")).to_contain_text("Gully is dangerous")
    # Archaon is wounded where he lands: that is more than the pins, which come first.
    page, more_faults = await open_figure(browser, shared_url, "F4", **PHONE)
    await click_at(page, 0)
    await click_at(page, 1)
    await expect(bar(page).locator(".fates .side.bad")).to_have_text("Archaon wounded")
    await expect(forecast_of(page)).to_contain_text("Sky Cutter deals 4 of 5 to Archaon and wounds it.")
    assert not faults + more_faults


async def test_figure_is_played_by_keys(browser: Browser, shared_url: str) -> None:
    page, faults = await open_figure(browser, shared_url, "F1")
    await page.keyboard.press("a")
    await page.keyboard.press("Enter")
    await expect(disk(page, 0)).to_have_attribute("aria-label", WOUNDED)
    await page.get_by_role("button", name="Without stamina").focus()
    await page.keyboard.press("Enter")
    await expect(disk(page, 0)).to_have_attribute("aria-label", re.compile("4"))
    await page.keyboard.press("Tab")
    await page.evaluate("document.activeElement.blur()")
    await page.keyboard.press("a")
    await page.keyboard.press("Enter")
    await expect(disk(page, 0)).to_have_count(0)
    assert not faults


async def test_landing_that_the_figure_does_not_show_is_answered_with_what_it_shows(
    browser: Browser, shared_url: str
) -> None:
    page, faults = await open_figure(browser, shared_url, "F1")
    for _ in range(9):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("a")
    await page.keyboard.press("Enter")
    await expect(page.locator(".missed")).to_contain_text("Bloodcrushers: 1 flip, pins Karl Franz")
    await expect(page.locator('[data-live="wanted"]')).to_contain_text("has no answer to that")
    await expect(happened(page)).to_have_count(0)
    assert not faults


async def test_scrum_is_fought_engagement_by_engagement(browser: Browser, shared_url: str) -> None:
    page, faults = await open_figure(browser, shared_url, "F6")
    await expect(page.locator(".melee li")).to_have_count(4)
    for _ in range(MAX_ENGAGEMENTS):
        if await bar(page).count() == 0:
            break
        before = await bar(page).get_attribute("data-decision") or ""
        await page.keyboard.press("Enter")
        await expect(page.locator(f'.act[data-decision="{before}"]')).to_have_count(0)
    await expect(page.locator(".over", has_text="The figure ends here")).to_be_visible()
    fought = page.locator(".melee li .done")
    await expect(fought).to_have_count(4)
    assert not faults


async def test_set_piece_is_played_by_typed_orders_and_by_the_list(browser: Browser, shared_url: str) -> None:
    page, faults = await open_figure(browser, shared_url, "steam-tank")
    await page.keyboard.press("/")
    await page.keyboard.type("shoot Steam Tank at River Troll")
    await page.keyboard.press("Enter")
    await expect(happened(page).filter(has_text="Shot by Steam Tank at River Troll")).to_have_count(1)
    await page.locator("aside .answers button").first.click()
    await expect(disk(page, 0)).to_have_attribute("aria-label", "Steam Tank, yours, activated, pins Orc Boyz")
    assert not faults


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_figures_have_no_serious_finding(browser: Browser, shared_url: str, scheme: str) -> None:
    page, faults = await open_figure(browser, shared_url, "F6", color_scheme=scheme)
    assert await accessibility_findings(page) == []
    await primary(page).click()
    assert await accessibility_findings(page) == []
    await page.goto(f"{shared_url}figures/F2")
    await page.get_by_role("button", name="Steam Tank shoots River Troll").click()
    await expect(page.get_by_role("heading", name="Other dice")).to_be_visible()
    assert await accessibility_findings(page) == []
    assert not faults


async def test_figures_fit_a_phone_and_are_german_there(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser, **{**PHONE, "locale": "de-DE"})
    await page.goto(f"{shared_url}rules")
    await page.get_by_role("link", name="Überzähliger Schaden verfällt").click()
    await expect(page.get_by_role("heading", name="Überzähliger Schaden verfällt")).to_be_visible()
    await settle(page)
    assert await sideways_overflow(page) == 0
    await page.get_by_role("button", name="Bloodcrushers: 1-mal wenden").click()
    await expect(page.locator(".over", has_text="Hier endet das Bild")).to_be_visible()
    await expect(page.get_by_text("verwundet").first).to_be_visible()
    assert await sideways_overflow(page) == 0
    assert await accessibility_findings(page) == []


async def test_unknown_figure_is_named(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}figures/F99")
    await expect(page.get_by_role("alert")).to_contain_text("no figure of that name")
    assert not faults


async def test_what_is_fought_before_the_first_question_of_figure_9_is_watched(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}figures/F9")
    begin = page.get_by_role("button", name="Begin the melee")
    await expect(begin).to_be_visible()
    await expect(happened(page)).to_have_count(0)
    await expect(page.locator(".disk")).to_have_count(5)
    await begin.click()
    await expect(bar(page)).to_have_attribute("data-question", "melee_targets")
    told = happened(page).filter(has_text="destroyed")
    await expect(told).to_have_count(2)
    await expect(told.first).to_contain_text("Shaman")
    fought = page.locator(".melee li")
    await expect(fought.nth(1)).to_contain_text("Plaguebearers destroyed")
    await page.get_by_role("button", name="Take back").click()
    await expect(begin).to_be_visible()
    await expect(page.locator(".disk")).to_have_count(5)
    assert not faults
