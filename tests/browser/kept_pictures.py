"""Screenshots that are kept in the repository, and how one of today is compared with them.

A picture is kept at half its size as WebP, which Chromium itself writes and reads: what is compared went through the
same losses on both sides.
"""

import base64
import os
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Page

from tests.browser.web_page import open_page, settle

FOLDER = Path(__file__).parent / "pictures"
SCALE = 0.5
WEBP_QUALITY = 0.8
CHANNEL_TOLERANCE = 48
"""A pixel is another one when a colour of it differs by more, of 255: antialiasing of text stays below that mostly."""
SHARE_TOLERANCE = 0.002
"""The share of other pixels that passes: less than one button of the smaller kind."""
SHRINK = """
async ([shot, scale, quality]) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${shot}`)).blob());
  const canvas = new OffscreenCanvas(Math.round(image.width * scale), Math.round(image.height * scale));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
"""
COMPARE = """
async ([kept, taken, tolerance]) => {
  const read = async (picture) => {
    const image = await createImageBitmap(await (await fetch(`data:image/webp;base64,${picture}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(kept), await read(taken)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let other = 0;
  for (let k = 0; k < a.data.length; k += 4) {
    const far = [0, 1, 2].some((channel) => Math.abs(a.data[k + channel] - b.data[k + channel]) > tolerance);
    if (far) other += 1;
  }
  return other / (a.width * a.height);
}
"""


@dataclass(frozen=True)
class Difference:
    """The distance of a screenshot from the kept picture: the share of other pixels, and where today's was written."""

    share: float
    taken: Path


class PictureTool:
    """An empty page of a browser, in which pictures are made smaller and compared."""

    def __init__(self, page: Page) -> None:
        self._page = page

    @classmethod
    async def open(cls, browser: Browser) -> "PictureTool":
        return cls(await open_page(browser))

    async def shrink(self, shot: bytes, scale: float = SCALE, quality: float = WEBP_QUALITY) -> bytes:
        """Return a PNG as a smaller WebP."""
        text = base64.b64encode(shot).decode()
        return base64.b64decode(await self._page.evaluate(SHRINK, [text, scale, quality]))

    async def share_of_other_pixels(self, kept: bytes, taken: bytes) -> float:
        if kept == taken:
            return 0.0
        pair = [base64.b64encode(one).decode() for one in (kept, taken)]
        return float(await self._page.evaluate(COMPARE, [*pair, CHANNEL_TOLERANCE]))

    async def compare(self, name: str, shot: bytes, folder: Path) -> Difference:
        """Compare a screenshot with the kept picture of this name. With DISKWARS_GOLDEN, keep it where it differs."""
        taken = await self.shrink(shot)
        kept = FOLDER / f"{name}.webp"
        share = await self.share_of_other_pixels(kept.read_bytes(), taken) if kept.exists() else 1.0
        if os.environ.get("DISKWARS_GOLDEN") and share > 0:
            FOLDER.mkdir(exist_ok=True)
            kept.write_bytes(taken)
            share = 0.0
        path = folder / kept.name
        path.write_bytes(taken)
        return Difference(share, path)


async def take(page: Page) -> bytes:
    """Return a screenshot of what is shown once it is drawn, without a pointer over it or a caret in it."""
    await page.mouse.move(0, 0)
    await settle(page)
    return await page.screenshot(caret="hide", animations="disabled")
