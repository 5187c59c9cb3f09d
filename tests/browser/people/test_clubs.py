"""Clubs in the page: one is opened, a player comes in by its link, and both see what it is about to play."""

from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.web_page import (
    DESKTOP,
    PHONE,
    SMALL_TARGETS,
    TOUCH_PX,
    WAIT_MS,
    collect_faults,
    show,
    sideways_overflow,
)

pytestmark = [pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="session")]


async def open_page(browser: Browser, address: str, size: dict[str, Any]) -> Page:
    usual: dict[str, Any] = {**size, "reduced_motion": "reduce"}
    context = await browser.new_context(**usual)
    context.set_default_timeout(WAIT_MS)
    page = await context.new_page()
    await page.goto(address)
    return page


async def register(page: Page, name: str) -> None:
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Password").fill("correct horse battery")
    await page.get_by_role("button", name="Make an account").click()
    await page.get_by_role("button", name="I have kept them").click()


async def open_club(page: Page, name: str, *checks: str) -> None:
    """Open a club whose ladder is of the pit."""
    await page.get_by_role("link", name="Clubs").click()
    await page.get_by_role("button", name="New club").click()
    await page.get_by_role("textbox", name="Name").fill(name)
    await page.get_by_label("Game of the ladder").select_option("pit")
    for check in checks:
        await page.get_by_label(check).check()
    await page.get_by_label("House rules").fill("Watchers see a round later.")
    await page.get_by_role("button", name="Open the club").click()
    await expect(page.get_by_role("heading", name=name)).to_be_visible()


async def test_club_is_opened_entered_by_its_link_and_plays(browser: Browser, url: str) -> None:
    lea = await open_page(browser, f"{url}settings", DESKTOP)
    faults = collect_faults(lea)
    await register(lea, "Lea of Nuln")
    await open_club(lea, "Thursday Club", "Only members see it")
    club = lea.url
    await lea.get_by_role("button", name="Invite by link").click()
    link = await lea.get_by_label("The link is shown once").input_value()
    assert link.startswith(f"{url}clubs/join/club-")

    mia = await open_page(browser, f"{url}settings", PHONE)
    await register(mia, "Mia")
    await mia.goto(club)
    await expect(mia.get_by_text("there is no club of this id")).to_be_visible()
    await mia.goto(link)
    await expect(mia.get_by_role("heading", name="You are invited to Thursday Club")).to_be_visible()
    await mia.get_by_role("button", name="Join").click()
    await expect(mia.get_by_text("2 members")).to_be_visible()
    # The page of the leader shows who has come without being asked.
    await expect(lea.get_by_role("link", name="Mia").first).to_be_visible()

    await lea.get_by_role("button", name="Begin a season").click()
    await lea.get_by_label("Name of the season").fill("Autumn")
    await lea.get_by_role("button", name="Begin a season").click()
    await expect(lea.get_by_text("season “Autumn”")).to_be_visible()
    await lea.get_by_role("button", name="New tournament").click()
    await expect(lea.get_by_role("combobox", name="Club")).to_have_value(club.rsplit("/", 1)[1])
    # The form that is left and opened again is for no club.
    await lea.get_by_role("link", name="Clubs").click()
    await lea.get_by_role("link", name="Tournaments").click()
    await lea.get_by_role("button", name="New tournament").click()
    await expect(lea.get_by_role("combobox", name="Club")).to_have_value("")
    await lea.get_by_role("link", name="Clubs").click()
    await lea.get_by_role("link", name="Thursday Club").click()
    await lea.get_by_role("button", name="New tournament").click()
    await lea.get_by_role("textbox", name="Name").fill("Ladder evening")
    await lea.get_by_role("combobox", name="Game").select_option("pit")
    await expect(lea.get_by_role("combobox", name="Club")).to_have_value(club.rsplit("/", 1)[1])
    await lea.get_by_role("button", name="Open the tournament").click()
    await expect(lea.get_by_role("heading", name="Ladder evening")).to_be_visible()

    await mia.reload()
    await expect(mia.get_by_text("Ladder evening")).to_be_visible()
    await show(mia, "club-phone")
    assert await sideways_overflow(mia) == 0
    assert await mia.evaluate(SMALL_TARGETS, TOUCH_PX) == []
    await mia.goto(url)
    await expect(mia.get_by_role("heading", name="In your clubs")).to_be_visible()
    await show(mia, "club-phone-lobby")
    await mia.get_by_role("link", name="To Ladder evening").click()
    await mia.get_by_role("button", name="Enter").click()
    await expect(mia.get_by_text("You are in.")).to_be_visible()
    await lea.goto(club)
    await expect(lea.get_by_text("1 entered")).to_be_visible()
    await show(lea, "club")
    assert [fault for fault in faults if "404" not in fault] == []


async def test_leader_manages_members_seasons_and_the_end(browser: Browser, url: str) -> None:
    lea = await open_page(browser, f"{url}settings", DESKTOP)
    await register(lea, "Leonie")
    await open_club(lea, "Open Club", "Anybody with an account may join")
    mia = await open_page(browser, f"{url}settings", PHONE)
    await register(mia, "Miriam")
    guest = await open_page(browser, f"{url}clubs", PHONE)
    await expect(guest.get_by_text("needs an account")).to_be_visible()
    await guest.get_by_role("link", name="Open Club").click()
    await expect(guest.get_by_role("heading", name="Open Club")).to_be_visible()
    assert await guest.get_by_role("button", name="Join").count() == 0
    await guest.get_by_role("button", name="Report").click()
    await guest.get_by_label("What is wrong with its name or texts?").fill("Its name is an insult.")
    await show(guest, "club-report")
    assert await sideways_overflow(guest) == 0
    await guest.get_by_role("button", name="Send the report").click()
    await expect(guest.get_by_text("The report was sent.")).to_be_visible()
    await guest.get_by_role("button", name="OK").click()
    await expect(guest.get_by_role("button", name="Report")).to_be_focused()
    assert await lea.get_by_role("button", name="Report").count() == 0
    await mia.goto(lea.url)
    await mia.get_by_role("button", name="Join").click()
    await expect(mia.get_by_role("button", name="Leave the club")).to_be_visible()

    await lea.get_by_role("button", name="Manage").click()
    await lea.get_by_label("Role of Miriam").select_option("officer")
    await expect(mia.get_by_role("button", name="New tournament")).to_be_visible()
    await show(lea, "club-managed")
    # Both ask first. Without an answer of its own the browser says no.
    await lea.get_by_label("Role of Miriam").select_option("leader")
    await expect(lea.get_by_label("Role of Miriam")).to_have_value("officer")
    await lea.get_by_role("button", name="Remove Miriam").click()
    await expect(lea.get_by_label("Role of Miriam")).to_be_visible()
    await lea.get_by_role("button", name="Begin a season").click()
    await lea.get_by_label("Name of the season").fill("Autumn")
    await lea.get_by_role("button", name="Begin a season").click()
    await lea.get_by_role("button", name="End the season").click()
    await lea.get_by_role("button", name="Standings of Autumn").click()
    await expect(lea.locator("tbody tr")).to_have_count(4)
    await lea.get_by_role("button", name="Edit").click()
    await lea.get_by_role("textbox", name="Name", exact=True).fill("Friday Club")
    await lea.get_by_role("button", name="Save").click()
    await expect(mia.get_by_role("heading", name="Friday Club")).to_be_visible()
    lea.on("dialog", lambda dialog: dialog.accept())
    await lea.get_by_role("button", name="Remove Miriam").click()
    await expect(mia.get_by_text("1 member")).to_be_visible()
    # The row that goes moves what is under it: a click on a button that moves meets nothing.
    await expect(lea.get_by_label("Role of Miriam")).to_have_count(0)
    await lea.get_by_role("button", name="Close the club").click()
    await expect(lea.get_by_text("closed")).to_be_visible()


async def test_match_of_a_club_is_offered_to_its_members_alone(browser: Browser, url: str) -> None:
    lea = await open_page(browser, f"{url}settings", PHONE)
    await register(lea, "Leocadia")
    await open_club(lea, "Sunday Club", "Anybody with an account may join")
    club = lea.url
    mia = await open_page(browser, f"{url}settings", DESKTOP)
    faults = collect_faults(mia)
    await register(mia, "Mirella")
    await mia.goto(club)
    await mia.get_by_role("button", name="Join").click()
    stranger = await open_page(browser, club, DESKTOP)

    await lea.get_by_role("button", name="New game").click()
    sheet = lea.get_by_role("dialog", name="New match")
    await sheet.get_by_label("Game").select_option("pit")
    await expect(sheet.get_by_role("button", name="For my club")).to_have_attribute("aria-pressed", "true")
    await expect(sheet.get_by_role("combobox", name="Club")).to_have_value(club.rsplit("/", 1)[1])
    await sheet.get_by_role("combobox", name="Club").scroll_into_view_if_needed()
    await show(lea, "club-match-new-phone")
    assert await sideways_overflow(lea) == 0
    await sheet.get_by_role("button", name="Create match for the club").click()
    await lea.wait_for_url("**/m/*")
    await expect(lea.get_by_text("Members of the club find this match in their lobby.")).to_be_visible()
    assert await lea.get_by_role("img", name="QR code of the link").count() == 0
    await stranger.goto(lea.url)
    await expect(stranger.get_by_text("This match is for members of a club.")).to_be_visible()
    assert await stranger.get_by_label("Password").count() == 0
    await stranger.goto(club)

    await mia.goto(url)
    await expect(mia.get_by_role("heading", name="Games of your clubs")).to_be_visible()
    await show(mia, "club-match-lobby")
    await mia.goto(club)
    await expect(mia.get_by_role("heading", name="Games of the club")).to_be_visible()
    await show(mia, "club-match")
    await lea.goto(club)
    await show(lea, "club-match-phone")
    assert await sideways_overflow(lea) == 0
    await stranger.reload()
    await expect(stranger.get_by_role("heading", name="Sunday Club")).to_be_visible()
    assert await stranger.get_by_role("heading", name="Games of the club").count() == 0
    await mia.get_by_role("link", name="Take a seat: Leocadia").click()
    await mia.wait_for_url("**/m/*")
    assert faults == []
