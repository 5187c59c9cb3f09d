"""The worked examples of the rules with the disks of the core set: the page tells the numbers of article and FAQ."""

import asyncio

import pytest
from playwright.async_api import Browser, Route, expect

from tests.browser.clicks import bar
from tests.browser.web_page import collect_faults, open_page, settle, show

pytestmark = [pytest.mark.timeout(240), pytest.mark.asyncio(loop_scope="session")]

CORE_FIGURES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "F1": (("Bloodcrushers: 1 flip",), ("Impact 6 of Bloodcrushers", "Karl Franz: 6 damage", "Karl Franz: wounded")),
    "F2": (
        ("Steam Tank shoots", "Steam Tank: 2 flips"),
        ("hit, hit, miss", "River Troll: 6 damage", "River Troll: wounded", "River Troll: 3 damage, 3 of 6"),
    ),
    "F3": (("Flamers shoots Teclis",), ("critical, miss", "Teclis: 0 damage")),
    "F4": (
        ("Archaon: 1 flip", "Sun Dragon: 2 flips"),
        (
            *("Militia Spearmen: 1 damage, 4 of 6", "Sky Cutter: 1 damage, 4 of 6", "Maiden Guard: 1 damage, 2 of 6"),
            *("Militia Spearmen: 1 damage, 5 of 6", "Sky Cutter: 1 damage, 5 of 6", "Maiden Guard: 1 damage, 3 of 6"),
            "Sun Dragon: 1 damage, 1 of 7",
        ),
    ),
    "F5": (
        (
            "Maiden Guard strikes Orc Boyz",
            "Black Orcs strikes Maiden Guard",
            "Swordmasters of Hoeth strikes Black Orcs",
        ),
        ("Militia Spearmen on Orc Boyz", "Black Orcs on Maiden Guard", "Night Goblins on Swordmasters of Hoeth"),
    ),
    "F6": (("Luthor Huss and Wolf Riders",), ("Luthor Huss on Wolf Riders", "Valkia the Bloody on Grom the Paunch")),
    "F7": (
        (
            "strikes Kurgan Marauders",
            "strikes Archaon",
            "Bloodcrushers strikes Black Orcs and Archaon strikes Black Orcs",
        ),
        ("Azhag the Slaughterer on Bloodcrushers for 6; Azhag the Slaughterer on Archaon for 6", "Archaon: wounded"),
    ),
    "F8": (
        ("Bloodthirster strikes Grimgor Ironhide",),
        (
            "Black Orcs on Bloodthirster for 6; Bloodthirster on Grimgor Ironhide for 5",
            *("Grimgor Ironhide: 5 damage, 5 of 7", "Bloodthirster destroyed"),
        ),
    ),
    "F9": (
        ("Grimgor Ironhide strikes Swordmasters of Hoeth",),
        ("Blows, Swift", "Grimgor Ironhide: 3 damage, 3 of 7", "Swordmasters of Hoeth destroyed"),
    ),
    "F10": (
        ("Tyrion and Marienburg Swordsmen",),
        (
            *("Tyrion: 3 damage, 3 of 5", "Marienburg Swordsmen destroyed", "Steam Tank: wounded"),
            *("Steam Tank: 3 damage, 3 of 6", "Ellyrian Reavers destroyed"),
        ),
    ),
    "FAQ1": (
        ("Wolf Riders strikes High Mage", "Teclis strikes River Troll"),
        (
            "River Troll on Teclis for 5; Wolf Riders on High Mage for 3; Teclis on River Troll for 3",
            *("Teclis: wounded", "River Troll: wounded", "High Mage and Wolf Riders destroyed"),
        ),
    ),
}
"""Answers of a reader, and what the page tells after them, in this order."""
WATCHED_FIRST = {"F8", "F9", "FAQ1"}
"""Figures in which something is fought before anybody is asked."""


@pytest.mark.parametrize("id", CORE_FIGURES)
async def test_figure_with_core_disks_has_the_numbers_of_the_article(
    browser: Browser, shared_url: str, id: str
) -> None:
    """F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, FAQ1."""
    answers, told = CORE_FIGURES[id]
    page = await open_page(browser)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}figures/{id}")
    await page.get_by_role("button", name="Disks of the core set").click()
    if id in WATCHED_FIRST:
        await page.get_by_role("button", name="Begin the melee").click()
    await expect(bar(page)).to_be_visible()
    await settle(page)
    for answer in answers:
        await page.locator("aside .answers button", has_text=answer).first.click()
    await expect(page.locator("aside .lines").last).to_contain_text(told[-1])
    text, at = "\n".join(await page.locator("aside .lines").all_inner_texts()), 0
    for line in told:
        assert line in text[at:], f"{line}\n\n{text}"
        at = text.index(line, at) + len(line)
    await settle(page)
    await show(page, f"figure-{id}-core")
    assert not faults


async def test_variant_that_is_chosen_while_a_figure_loads_is_shown(browser: Browser, shared_url: str) -> None:
    page = await open_page(browser)
    is_chosen = asyncio.Event()

    async def load_late(route: Route) -> None:
        await is_chosen.wait()
        await route.continue_()

    await page.route("**/assets/F4-*.js", load_late)
    faults = collect_faults(page)
    await page.goto(f"{shared_url}figures/F4")
    core = page.get_by_role("button", name="Disks of the core set")
    await core.click()
    is_chosen.set()
    await expect(core).to_have_attribute("aria-pressed", "true")
    await expect(bar(page)).to_be_visible()
    assert not faults
