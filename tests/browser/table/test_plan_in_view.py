"""On a phone, what is about to be committed is in view: where a disk comes to lie, and what it would lie on."""

import pytest
from playwright.async_api import Browser, expect

from tests.browser.clicks import ANSWER_MS, bar, ready_disks
from tests.browser.scripted_match import ScriptedServer, find_question
from tests.browser.web_page import PHONE, collect_faults, open_page, settle

pytestmark = [pytest.mark.timeout(600), pytest.mark.asyncio(loop_scope="session")]

PLANS = 200
PLAN = """
async ([plans, seed]) => {
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  // What follows of a key is in the document before the next task; to paint it would only take time.
  const drawn = () => new Promise((done) => setTimeout(done));
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, r: box.width / 2 };
  };
  const found = { flips: 0, out: [] };
  for (let plan = 0; plan < plans; plan += 1) {
    press("Escape");
    for (let skip = Math.floor(3 * random()); skip >= 0; skip -= 1) press("n");
    await drawn();
    for (let flip = 1 + Math.floor(6 * random()); flip > 0; flip -= 1) {
      for (let turn = Math.floor(36 * random()); turn > 0; turn -= 1) press("ArrowRight");
      press("a");
      await drawn();
      const stage = document.querySelector(".stage").getBoundingClientRect();
      const ghosts = [...document.querySelectorAll(".overlay circle.ghost")].map(middle);
      const acting = document.querySelector('.handle[aria-pressed="true"] .focusring');
      if (!ghosts.length || !acting) break;
      const last = ghosts.at(-1);
      const pinned = [...document.querySelectorAll(".disk .focusring")].filter((one) => one !== acting).map(middle)
        .filter(({ x, y, r }) => Math.hypot(x - last.x, y - last.y) < last.r + r / 1.08 - 2);
      found.flips += 1;
      const isIn = ({ x, y, r }) =>
        x - r / 1.08 >= stage.left - 1 && x + r / 1.08 <= stage.right + 1 &&
        y - r / 1.08 >= stage.top - 1 && y + r / 1.08 <= stage.bottom + 1;
      const corner = [...document.querySelectorAll(".stage .zoom")]
        .filter((one) => getComputedStyle(one).visibility === "visible")
        .map((one) => one.getBoundingClientRect());
      const isCovered = corner.some((box) =>
        Math.hypot(Math.max(0, box.left - last.x), Math.max(0, box.top - last.y)) < last.r - 1);
      if (![last, middle(acting), ...pinned].every(isIn) || isCovered) found.out.push([plan, last, isCovered]);
    }
  }
  return found;
}
"""


async def test_each_flip_of_random_plans_shows_its_landing_and_what_it_lies_on(
    browser: Browser, shared_url: str
) -> None:
    page = await open_page(browser, **{**PHONE, "reduced_motion": "reduce"})
    faults = collect_faults(page)
    await ScriptedServer(find_question("activation")).open(page, shared_url)
    await expect(bar(page)).to_have_attribute("data-question", "activation", timeout=ANSWER_MS)
    await expect(ready_disks(page).first).to_be_visible()
    await settle(page)
    found = await page.evaluate(PLAN, [PLANS, 7])
    assert found["flips"] >= 2 * PLANS
    assert found["out"] == []
    assert faults == []
