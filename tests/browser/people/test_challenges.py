"""Challenges in the page: sent from a sheet, seen wherever the other player is, accepted, declined and taken back."""

import re

import pytest
from playwright.async_api import Browser, Page, expect

from diskwars_client.client import connect
from tests.browser.people.test_tournaments import open_page, register
from tests.browser.web_page import DESKTOP, PHONE, SMALL_TARGETS, TOUCH_PX, collect_faults, show

pytestmark = [pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="session")]


async def challenge(page: Page, url: str, name: str) -> None:
    await page.goto(f"{url}new?challenge={name}")
    sheet = page.get_by_role("dialog", name=f"Challenge {name}")
    await sheet.get_by_label("Game").select_option("pit")
    await show(page, "challenge-sheet")
    await sheet.get_by_role("button", name="Send the challenge").click()
    await expect(page.get_by_text("you asked")).to_be_visible()


async def test_accepted_challenge_leads_both_to_the_table(browser: Browser, url: str) -> None:
    ann, ben = [await open_page(browser, f"{url}settings", size) for size in (DESKTOP, PHONE)]
    faults = collect_faults(ann)
    await register(ann, "Anneke")
    await register(ben, "Ben")
    await challenge(ann, url, "Ben")
    await show(ann, "challenge-sent")

    notice = ben.get_by_role("region", name="Challenges")
    await expect(notice.get_by_text("Anneke challenges you")).to_be_visible()
    await show(ben, "challenge-notice")
    assert await ben.evaluate("document.documentElement.scrollWidth") <= 390
    assert await ben.evaluate(SMALL_TARGETS, TOUCH_PX) == []
    await notice.get_by_role("button", name="Accept").click()
    await expect(ben).to_have_url(re.compile("/m/"))
    await expect(ann).to_have_url(ben.url)
    assert faults == []


async def test_challenge_is_declined_in_the_lobby_with_a_reason_and_another_is_taken_back(
    browser: Browser, url: str
) -> None:
    ann, ben = [await open_page(browser, f"{url}settings", size) for size in (PHONE, DESKTOP)]
    await register(ann, "Anneke")
    await register(ben, "Ben")
    await ben.goto(url)
    await challenge(ann, url, "Ben")
    cards = ben.get_by_role("region", name="Challenges")
    await expect(cards.get_by_text("1 waits for you")).to_be_visible()
    await show(ben, "challenge-received")
    await cards.get_by_role("button", name="Decline").click()
    await cards.get_by_label("Why not?").select_option("Rather faster")
    await expect(ann.get_by_text("declined: Rather faster")).to_be_visible()
    await show(ann, "challenge-declined")
    assert await ann.evaluate("document.documentElement.scrollWidth") <= 390
    await ann.get_by_role("button", name="OK").click()
    await expect(ann.get_by_text("declined")).to_have_count(0)

    await challenge(ann, url, "Ben")
    await ann.get_by_role("button", name="Take back").click()
    await expect(ann.get_by_text("you asked")).to_have_count(0)
    await expect(cards).to_have_count(0)


async def test_player_who_takes_no_challenges_is_named_in_the_sheet(browser: Browser, url: str) -> None:
    ann, ben = [await open_page(browser, f"{url}settings", DESKTOP) for _ in range(2)]
    await register(ann, "Anneke")
    await register(ben, "Ben")
    await ben.get_by_label("Take challenges").uncheck()
    await ann.goto(f"{url}new?challenge=Ben")
    await ann.get_by_role("dialog").get_by_label("Game").select_option("pit")
    await ann.get_by_role("button", name="Send the challenge").click()
    await expect(ann.get_by_text("This player takes no challenges")).to_be_visible()


async def test_profile_and_sheet_lead_from_one_to_the_other(browser: Browser, url: str) -> None:
    ann, ben = [await open_page(browser, f"{url}settings", DESKTOP) for _ in range(2)]
    await register(ann, "Anneke")
    await register(ben, "Ben of Ulm")
    await ben.get_by_role("button", name="My profile").click()
    await expect(ben.get_by_role("heading", name="Ben of Ulm")).to_be_visible()
    assert await ben.get_by_role("button", name="Challenge").count() == 0, "nobody challenges themselves"
    await ann.goto(ben.url)
    await show(ann, "challenge-profile")
    await ann.get_by_role("button", name="Challenge Ben of Ulm").click()
    await expect(ann.get_by_role("dialog", name="Challenge Ben of Ulm")).to_be_visible()


async def test_followed_player_is_challenged_from_the_list_and_seen_if_they_allow_it(
    browser: Browser, url: str
) -> None:
    ann, ben = [await open_page(browser, f"{url}settings", size) for size in (PHONE, DESKTOP)]
    await register(ann, "Anneke")
    await register(ben, "Ben")
    await ben.get_by_role("button", name="My profile").click()
    await ann.goto(ben.url)
    await ann.get_by_role("button", name="Follow").click()
    await expect(ann.get_by_role("button", name="Followed")).to_be_visible()
    await ben.goto(f"{url}settings")
    await ben.get_by_label("Show when I am here").check()
    await ann.goto(url)
    friends = ann.get_by_role("region", name="Friends")
    await expect(friends.get_by_text("here")).to_be_visible()
    await friends.scroll_into_view_if_needed()
    await show(ann, "friends")
    await friends.get_by_role("button", name="Challenge Ben").click()
    await expect(ann.get_by_role("dialog", name="Challenge Ben")).to_be_visible()


async def test_bot_that_somebody_keeps_online_is_found_in_the_sheet_of_a_new_match(browser: Browser, url: str) -> None:
    ann = await open_page(browser, f"{url}settings", DESKTOP)
    faults = collect_faults(ann)
    await register(ann, "Anneke")
    async with connect(f"{url.replace('http', 'ws', 1)}ws") as bot:
        await bot.accounts.register("Archer of Nuln", "the griffon flies")
        await bot.accounts.mark_as_bot()
        await ann.goto(f"{url}new")
        sheet = ann.get_by_role("dialog", name="New match")
        await sheet.get_by_label("Game").select_option("pit")
        await sheet.get_by_role("button", name="Bots of people online").click()
        await expect(sheet.get_by_role("combobox", name="Bot", exact=True)).to_have_value("Archer of Nuln")
        await show(ann, "challenge-bot")
        await sheet.get_by_role("button", name="Send the challenge").click()
        await expect(ann.get_by_text("Archer of Nuln (bot)").first).to_be_visible()
        await ann.goto(f"{url}players/{bot.player}")
        await expect(ann.get_by_role("heading", name="Archer of Nuln (bot)")).to_be_visible()
        await expect(ann.get_by_text("Bot that somebody keeps online")).to_be_visible()
        assert await ann.get_by_text("Bot of this server").count() == 0
        await show(ann, "profile-of-a-bot")
        assert [open.status for open in (await bot.challenges.list()).challenges] == ["open"]
    assert faults == []
