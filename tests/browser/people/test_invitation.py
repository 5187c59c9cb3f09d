"""Guests type a name, and an invited person reads on one page who invites them to what, and sits."""

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.clicks import bar
from tests.browser.web_page import (
    PHONE,
    accessibility_findings,
    collect_faults,
    open_page,
    show,
    sideways_overflow,
    small_targets,
)

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]


async def invite(host: Page, url: str, name: str, game: str = "Diskwars") -> str:
    """Open a match as a guest of this name, and return the link of its invite."""
    await host.goto(url)
    await host.get_by_label("Your name").fill(name)
    await host.get_by_role("button", name="Use this name").click()
    await expect(host.get_by_text("Others see it now.")).to_be_visible()
    await host.get_by_role("button", name="New match").click()
    sheet = host.get_by_role("dialog")
    await sheet.get_by_label("Game").select_option(label=game)
    await sheet.get_by_role("group", name="Clock").get_by_role("button", name="Live").click()
    await sheet.get_by_role("group", name="Watchers").get_by_role("button", name="A round later").click()
    await host.get_by_role("button", name="Create match and get the link").click()
    return await host.get_by_label("Link", exact=True).input_value()


@pytest.mark.parametrize("options", [{"viewport": {"width": 1440, "height": 900}}, PHONE], ids=["desktop", "phone"])
async def test_invited_person_reads_who_invites_them_to_what_and_sits(
    browser: Browser, url: str, options: dict[str, object]
) -> None:
    host, guest = await open_page(browser), await open_page(browser, **options)
    faults = [collect_faults(host), collect_faults(guest)]
    await guest.goto(await invite(host, url, "Ilse"))
    await expect(guest.get_by_role("heading", level=1)).to_have_text("Ilse invites you to Diskwars")
    facts = guest.get_by_role("main").get_by_role("list")
    for fact in ("Full, 2 regiments", "15 min + 10 s", "watched a round later"):
        await expect(facts).to_contain_text(fact)
    for theme in ("dark", "light"):
        await guest.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
        await show(guest, f"invitation-{'phone' if options is PHONE else 'desktop'}-{theme}")
        assert await accessibility_findings(guest) == []
    assert await sideways_overflow(guest) == 0
    if options is PHONE:
        assert await small_targets(guest) == []
    await guest.get_by_label("Your name").fill("Marek")
    await guest.get_by_label("Your army").select_option(index=1)
    await guest.get_by_role("button", name="Take seat 2").click()
    await expect(bar(guest)).to_have_attribute("data-question", "ready")
    await expect(host.get_by_text("Marek").first).to_be_visible()
    assert not any(faults)


async def test_name_of_an_account_is_refused_before_a_seat_is_taken(browser: Browser, url: str) -> None:
    host, guest, other = [await open_page(browser) for _ in range(3)]
    await other.goto(f"{url}settings")
    await other.get_by_label("Name").fill("Marek of Nuln")
    await other.get_by_label("Password").fill("under the hill 42")
    await other.get_by_role("button", name="Make an account").click()
    await expect(other.get_by_text("You play as Marek of Nuln.")).to_be_visible()
    await guest.goto(await invite(host, url, "Ilse", "The pit"))
    await guest.get_by_label("Your name").fill("Marek of Nuln")
    await guest.get_by_role("button", name="Take seat 2").click()
    await expect(guest.get_by_role("alert")).to_contain_text("name")
    await guest.get_by_label("Your name").fill("Marek")
    await guest.get_by_role("button", name="Take seat 2").click()
    await expect(bar(guest)).to_have_attribute("data-question", "ready")
    assert await guest.get_by_role("alert").count() == 0


async def test_table_is_shown_to_those_that_want_to_watch(browser: Browser, url: str) -> None:
    host, guest = await open_page(browser), await open_page(browser)
    await guest.goto(await invite(host, url, "Ilse"))
    await guest.get_by_role("button", name="Only watch").click()
    await expect(guest.get_by_role("tab", name="Log")).to_be_visible()
    await expect(bar(guest)).to_contain_text("Take seat 2")
    assert await bar(guest).get_attribute("data-question") != "ready"
