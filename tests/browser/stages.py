"""The rectangle of the stage and of the primary button, read at each question that a page shows."""

from typing import Any

from playwright.async_api import Page

Rectangle = tuple[float, float, float, float]

WATCH = """
() => {
  const seen = { stages: new Set(), primaries: new Set(), questions: new Set() };
  const box = (one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map((value) => Math.round(10 * value) / 10).join(" ");
  };
  const read = () => {
    const [stage, act] = [document.querySelector(".center > .table"), document.querySelector(".act")];
    if (!stage || !act) return;
    seen.stages.add(box(stage));
    seen.questions.add(act.dataset.status === "ended" ? "ended" : act.dataset.question || "waiting");
    const primary = act.querySelector(".primary");
    if (primary) seen.primaries.add(box(primary));
  };
  const resized = new ResizeObserver(read);
  let watched = null;
  const attributeFilter = ["data-decision", "data-question", "data-status", "aria-busy"];
  new MutationObserver(() => {
    const stage = document.querySelector(".center > .table");
    if (stage && stage !== watched) resized.observe((watched = stage));
    read();
  }).observe(document, { subtree: true, attributes: true, attributeFilter });
  window.stagesSeen = seen;
}
"""
READ = """
() => {
  const all = (name) => [...window.stagesSeen[name]];
  return { stages: all("stages"), primaries: all("primaries"), questions: all("questions") };
}
"""
RECTANGLES = """
() => [".center > .table", ".act .primary, .replay .big"].map((name) => {
  const one = document.querySelector(name);
  if (!one) return null;
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].map((value) => Math.round(10 * value) / 10);
})
"""


async def watch_stages(page: Page) -> None:
    """Note each rectangle from the next page that is opened on."""
    await page.add_init_script(f"({WATCH})()")


async def stages_seen(page: Page) -> dict[str, list[str]]:
    """Return what was noted: the rectangles of the stage and of the primary button, and at which questions."""
    seen: dict[str, list[str]] = await page.evaluate(READ)
    return seen


async def rectangles(page: Page) -> tuple[Rectangle, Rectangle | None]:
    """Return where the stage is now, and the primary button if there is one."""
    found: list[Any] = await page.evaluate(RECTANGLES)
    stage, primary = found
    return tuple(stage), None if primary is None else tuple(primary)
