"""The lobby and the other pages around the table in a real Chromium: new matches, armies, history, rules, settings."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_bots.strength import STRENGTHS
from tests.browser.clicks import answer, lose_the_pit, open_question, resign
from tests.browser.web_page import PHONE, collect_faults, go_to, open_page, sideways_overflow, small_targets

PATHS = ("", "new", "watch", "armies", "history", "leaderboard", "rules", "settings", "learn", "open")
OVERLAPS = """
() => {
  const parts = [...document.querySelectorAll(".builder > *")];
  const inside = parts.filter((one) => one.scrollHeight > one.clientHeight + 2);
  const isOver = (one, before) => one.getBoundingClientRect().top < before.getBoundingClientRect().bottom - 1;
  const over = parts.slice(1).filter((one, k) => isOver(one, parts[k]));
  return [...inside, ...over].map(({ className }) => className);
}
"""
"""Parts of the army builder that hold more than is shown of them, or lie over the part before."""
PAYLOAD = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def create_match(page: Page, url: str, password: str = "", *, is_listed: bool = False) -> str:
    """Open a match with clock and agreements, and return the link of its invite."""
    await page.goto(f"{url}new")
    await page.get_by_role("dialog").get_by_role("button", name="Live", exact=True).first.click()
    if password:
        await page.get_by_label("Password").fill(password)
    if is_listed:
        await page.get_by_role("group", name="Invitation").get_by_role("button", name="Listed").click()
    await page.get_by_role("button", name="Create match and get the link").click()
    await expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    return await page.get_by_label("Link", exact=True).input_value()


async def test_new_match_is_pushed_to_others_and_its_invite_leads_to_the_table(browser: Browser, url: str) -> None:
    host = await open_page(browser)
    guest = await open_page(browser)
    faults = [collect_faults(host), collect_faults(guest)]
    await guest.goto(url)
    await expect(guest.get_by_text("Nobody is waiting for an opponent.")).to_be_visible()
    unlisted = await create_match(host, url)
    link = await create_match(host, url, is_listed=True)
    row = guest.get_by_role("region", name="Open matches").get_by_role("listitem")
    await expect(row).to_contain_text("15 min + 10 s")
    await expect(row.get_by_title("online")).to_have_count(0)  # strangers never see who is there
    await guest.goto(link)
    await guest.get_by_role("button", name="Take seat 2").click()
    # An invitation is for those who have its link.
    assert unlisted != link
    await expect(row).to_have_count(0)
    await host.get_by_role("button", name="I am ready").click()
    await guest.get_by_role("button", name="I am ready").click()
    await expect(host.locator(".q b")).not_to_contain_text("Ready")
    assert not any(faults)


async def test_locked_match_asks_for_its_password_and_an_invite_opens_it(browser: Browser, url: str) -> None:
    host = await open_page(browser)
    guest = await open_page(browser)
    friend = await open_page(browser)
    faults = [collect_faults(host), collect_faults(guest), collect_faults(friend)]
    link = await create_match(host, url, password="under the hill")
    await guest.goto(link.partition("?")[0])
    await guest.get_by_label("Password").fill("over the hill")
    await guest.get_by_role("button", name="Enter").click()
    await expect(guest.get_by_role("alert")).to_be_visible()
    await guest.get_by_label("Password").fill("under the hill")
    await guest.get_by_role("button", name="Enter").click()
    await expect(guest.get_by_role("button", name="Take seat 2")).to_be_visible()
    await friend.goto(link)
    await expect(friend.get_by_role("button", name="Take seat 2")).to_be_visible()
    assert not any(faults)


@pytest.mark.parametrize("viewport", [(390, 844), (844, 390), (1000, 700)])
async def test_parts_of_the_army_builder_lie_below_each_other_in_a_narrow_window(
    browser: Browser, shared_url: str, viewport: tuple[int, int]
) -> None:
    width, height = viewport
    page = await open_page(browser, **{**PHONE, "viewport": {"width": width, "height": height}})
    await page.goto(f"{shared_url}armies")
    await page.get_by_role("button", name="Change a copy").first.click()
    await expect(page.get_by_text("Nothing is wrong with this army.")).to_be_attached()
    assert await page.evaluate(OVERLAPS) == []
    assert not await sideways_overflow(page)
    assert not await small_targets(page)
    box = await page.get_by_role("searchbox").bounding_box()
    assert box is not None
    assert box["width"] >= 180


async def test_a_rematch_that_was_left_is_no_open_match(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await lose_the_pit(page, url)
    await page.get_by_role("button", name="Play again").click()
    await page.get_by_role("button", name="Leave the seat").click()
    await expect(page.get_by_role("button", name="Take seat")).to_be_visible()
    await page.goto(url)
    await expect(page.get_by_role("region", name="Ended")).to_contain_text("Mild bot")
    waiting = page.get_by_role("region", name="Open matches")
    assert "Mild bot" not in await waiting.inner_text()


async def test_faults_of_an_army_are_in_view_beside_it(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}armies")
    await page.get_by_role("button", name="Change a copy").first.click()
    await expect(page.get_by_text("Nothing is wrong with this army.")).to_be_in_viewport()
    assert not faults


async def test_army_is_built_checked_shared_and_used(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}armies")
    await page.get_by_role("button", name="Change a copy").first.click()
    await expect(page.get_by_text("Nothing is wrong with this army.")).to_be_visible()
    name = page.get_by_label("Name of the army")
    await name.fill(PAYLOAD)
    await name.press("Tab")
    add = page.get_by_role("region", name="Disks").get_by_role("button", name="Add ")
    for _ in range(4):
        await add.last.click()
    await expect(page.get_by_text("Problems:")).to_be_visible()
    await expect(page.get_by_role("button", name="Use this army")).to_be_disabled()
    for _ in range(4):
        await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_role("button", name="Use this army")).to_be_enabled()
    await page.get_by_role("button", name="As text").click()
    text = await page.get_by_label("One line for each regiment").input_value()
    assert "cards:" in text
    await page.get_by_label("One line for each regiment").fill("Nobody of that name: Boyz")
    await page.get_by_role("button", name="Take this text").click()
    await expect(page.get_by_role("alert")).to_contain_text("Nobody of that name")
    await page.get_by_label("One line for each regiment").fill(text)
    await page.get_by_role("button", name="Take this text").click()
    await page.get_by_role("button", name="Use this army").click()
    await expect(page.get_by_role("dialog").get_by_label("Your army")).to_contain_text("img src")
    await page.get_by_role("button", name="Bots").click()
    await page.get_by_role("button", name="Create match and play").click()
    await expect(page.locator(".act .q b")).not_to_contain_text("Ready")
    assert await page.evaluate("window.hurt") is None
    assert faults == []


async def test_ended_match_is_found_in_the_history_and_replayed(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await page.get_by_role("button", name="Play now").click()
    await resign(page)
    await expect(page.locator(".act .q b")).to_contain_text("wins")
    await page.goto(f"{url}history")
    await page.get_by_role("button", name="Mine").click()
    row = page.get_by_role("listitem").first
    await expect(row).to_contain_text("bot wins")
    await expect(page.get_by_text("1 match, 0 won")).to_be_visible()
    await page.get_by_label("Result").select_option(label="Won")
    await expect(page.get_by_text("No match found.")).to_be_visible()
    await page.get_by_label("Result").select_option(label="Not won")
    await row.get_by_role("button", name="Replay").click()
    await expect(page.get_by_role("slider")).to_have_value("1")
    assert faults == []


async def test_rules_are_searched_and_lead_to_each_other(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}rules/R2.4")
    rule = page.locator("#rule-R2\\.4")
    await expect(rule).to_be_in_viewport()
    await rule.get_by_role("link", name="R-36").click()
    await expect(page.locator("#rule-R-36")).to_be_in_viewport()
    await page.get_by_role("searchbox").fill("rout check")
    await expect(page.get_by_role("status")).to_contain_text("rules found")
    await expect(page.locator("#rule-A-7")).to_be_visible()
    assert faults == []


async def test_settings_last_and_the_page_speaks_german(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    await page.goto(f"{url}settings")
    await page.get_by_role("button", name="Deutsch").click()
    await page.get_by_role("button", name="Hell", exact=True).click()
    await page.get_by_role("button", name="Wenig").click()
    await page.reload()
    await expect(page.get_by_role("heading", name="Einstellungen")).to_be_visible()
    assert await page.evaluate("document.documentElement.dataset.theme") == "light"
    assert await page.evaluate("document.documentElement.dataset.motion") == "reduced"
    for path in PATHS:
        await go_to(page, f"{url}{path}")
        await expect(page.locator("main")).to_be_visible()
        text = await page.locator("main").inner_text()
        assert not re.search(r"\{\w+\}", text)
        assert not {"Play now", "Your matches", "New match"} & set(text.split("\n"))


async def test_expired_token_is_said(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    await page.evaluate("localStorage.setItem('diskwars.token', 'no-token-at-all')")
    await page.reload()
    await expect(page.get_by_text("You are another player now")).to_be_visible()
    await page.get_by_role("button", name="OK").click()
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    assert faults == []


async def test_guided_match_gives_a_hint_for_each_kind_of_question(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{url}learn")
    await page.get_by_role("button", name="Skip to the match").click()
    hint = page.get_by_role("complementary", name="Hint")
    # A match against a bot has begun already; dice decide whether the player chooses the first one.
    await expect(hint).to_be_visible()
    if "highest initiative" in await hint.inner_text():
        await hint.get_by_role("button", name="Understood").click()
        await expect(hint).to_have_count(0)
        await answer(page)
    for beginning in ("Your disks", "This is your zone"):
        await expect(hint).to_contain_text(beginning)
        await hint.get_by_role("button", name="Understood").click()
    await expect(hint).to_have_count(0)
    await answer(page)
    await expect(hint).to_be_visible()
    await hint.get_by_role("button", name="No more hints").click()
    await expect(hint).to_have_count(0)
    assert faults == []


async def test_lobby_says_how_a_bot_plays_and_what_it_has_won(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    tile = page.locator(".tile.play")
    await tile.get_by_label("Game").select_option("pit")
    await tile.get_by_label("Bot").select_option("mild")
    measured = STRENGTHS["pit"]["mild"]
    await expect(tile).to_contain_text("For a first match")
    await expect(tile).to_contain_text(f"Won {measured.percent} % of its matches against {measured.over.capitalize()}.")
    await tile.get_by_label("Bot").select_option("search")
    await expect(tile).to_contain_text("Plays its best answers on for half a second")
    measured = STRENGTHS["pit"]["search"]
    await expect(tile).to_contain_text(f"Won {measured.percent} % of its matches against {measured.over.capitalize()}.")
    assert faults == []


async def test_lobby_is_used_with_the_keyboard_alone(browser: Browser, url: str) -> None:
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(url)
    await expect(page.get_by_role("button", name="Play now")).to_be_enabled()
    for key, title in (("a", "Armies"), ("r", "Rules"), ("h", "History")):
        await page.keyboard.press("g")
        await page.keyboard.press(key)
        await expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        await expect(page.locator(".screen")).to_contain_text(title)  # said to those who do not see it
    await page.keyboard.press("g")
    await page.keyboard.press("l")
    button = page.get_by_role("button", name="Play now")
    await expect(button).to_be_enabled()
    for _ in range(30):
        if await button.evaluate("node => node === document.activeElement"):
            break
        await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    assert await open_question(page)
    assert faults == []
