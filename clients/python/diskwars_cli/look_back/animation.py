"""The animated replay of a match: a WebP with a frame for each scene."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from msgspec import Struct

from diskwars_protocol.match.replay_scenes import MatchScenes, ReplayScene
from diskwars_text.scene_picture import PALETTE, SceneView, draw_scene, view_of

if TYPE_CHECKING:
    from PIL import Image

WIDTH = 480
"""Pixels of the picture from left to right."""
MAX_FRAMES = 240
MAX_BYTES = 1_000_000
"""Of a larger picture every second frame is left out."""
SCENE_MS, LOSS_MS, FIRST_MS, LAST_MS = 600, 1_200, 1_500, 4_000
FALLBACK_FONT = "DejaVu Sans"
COLOURS = 64
"""With one palette for the whole match, what does not move is the same to a pixel and takes no bytes. Lossy frames
took a fourth more, and left shreds of lines behind."""
SAMPLES = 3
"""Frames that the palette is made of."""
SWATCH = 24
"""Pixels of each colour that must be in the palette, however little of it there is."""


class _Frame(Struct, frozen=True):
    image: "Image.Image"
    shown_ms: int


def animate(course: MatchScenes) -> bytes:
    """Return the scenes of a match as an animated WebP. Raises ImportError where Pillow or resvg-py is missing."""
    frames = _make_frames(course)
    while True:
        made = _encode(frames)
        if len(made) <= MAX_BYTES or len(frames) == 1:
            return made
        frames = [*frames[:-1:2], frames[-1]]


def _make_frames(course: MatchScenes) -> list[_Frame]:
    from PIL import Image  # here, because a picture that does not move is drawn without it

    view, chosen = view_of(course, WIDTH), _choose(course.scenes, MAX_FRAMES)
    samples = [_draw(course, scene, view) for scene in _choose(chosen, SAMPLES)]
    sheet = Image.new("RGB", (WIDTH, len(samples) * samples[0].height + SWATCH))
    for place, sample in enumerate(samples):
        sheet.paste(sample, (0, place * sample.height))
    for place, colour in enumerate(PALETTE):
        left, top = place * SWATCH, sheet.height - SWATCH
        sheet.paste(colour, (left, top, left + SWATCH, top + SWATCH))
    palette = sheet.quantize(COLOURS)
    return [
        _Frame(
            _draw(course, scene, view).quantize(palette=palette, dither=Image.Dither.NONE),
            LAST_MS if place == len(chosen) - 1 else FIRST_MS if not place else LOSS_MS if scene.lost else SCENE_MS,
        )
        for place, scene in enumerate(chosen)
    ]


def _choose(course: Sequence[ReplayScene], limit: int) -> Sequence[ReplayScene]:
    """Return at most `limit` scenes, evenly spaced, the first and the last among them."""
    if len(course) <= limit:
        return course
    return [course[number * (len(course) - 1) // (limit - 1)] for number in range(limit)]


def _draw(course: MatchScenes, scene: ReplayScene, view: SceneView) -> "Image.Image":
    import resvg_py
    from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=draw_scene(course, scene, view), sans_serif_family=FALLBACK_FONT))
    with Image.open(BytesIO(png)) as drawn:
        return drawn.convert("RGB")


def _encode(frames: Sequence[_Frame]) -> bytes:
    written = BytesIO()
    frames[0].image.save(
        written,
        "WEBP",
        save_all=True,
        append_images=[frame.image for frame in frames[1:]],
        duration=[frame.shown_ms for frame in frames],
        loop=0,
        lossless=True,
        quality=50,
        method=2,
        minimize_size=True,
    )
    return written.getvalue()
