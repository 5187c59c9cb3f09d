"""A process that draws a board for a server: a match file comes in by standard input, its picture goes out.

The picture is an SVG, or a PNG in the size in which programs that show links want it. Of a whole match it is an
animated WebP, or its course as JSON, for those who draw them themselves.

Nothing goes out where there is no board yet. It ends when its parent dies, and when it takes longer than it may.
"""

import contextlib
import signal
import sys
from collections.abc import Sequence
from xml.etree import ElementTree

import msgspec

from diskwars_bots.process_limits import limit_process, take_standard_output
from diskwars_cli.look_back.animation import animate
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.replays import replay_file
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.replay_scenes import list_scenes

PNG_SIZE = (1200, 630)
MARGIN = 15
"""Pixels around the board: some programs round the corners off."""
PAPER = "#ffffff"
"""The colour around a board."""
FALLBACK_FONT = "DejaVu Sans"
"""Used if none of the families that a picture names is installed. Without it too, the PNG has no words."""
SVG = "http://www.w3.org/2000/svg"


def draw_file(raw: bytes, seq: int) -> bytes:
    """Return the picture of the board after a record of a match file as the public sees it; empty without a board."""
    state = replay_file(raw, PUBLIC).state(seq)
    return b"" if state.board is None else find_pictures(state.ruleset).draw_board(state.board).encode()


def to_png(svg: bytes) -> bytes:
    """Return a picture as a PNG of PNG_SIZE with the whole board in its middle, and as large as fits."""
    import resvg_py  # here, because an SVG is drawn without it

    ElementTree.register_namespace("", SVG)
    board = ElementTree.fromstring(svg)  # our own drawing, so no entities of a stranger
    width, height = PNG_SIZE
    board.attrib |= {
        "x": str(MARGIN),
        "y": str(MARGIN),
        "width": str(width - 2 * MARGIN),
        "height": str(height - 2 * MARGIN),
    }
    canvas = ElementTree.Element(f"{{{SVG}}}svg", {"width": str(width), "height": str(height)})
    canvas.append(ElementTree.Element(f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "fill": PAPER}))
    canvas.append(board)
    written = ElementTree.tostring(canvas, encoding="unicode")
    return bytes(resvg_py.svg_to_bytes(svg_string=written, sans_serif_family=FALLBACK_FONT))


def draw_match(raw: bytes, form: str) -> bytes:
    """Return a match file as an animated WebP or as JSON, as the public sees it; empty without a board."""
    replay = replay_file(raw, PUBLIC)
    course = list_scenes(replay, find_pictures(replay.state(replay.last).ruleset).scenes)
    if course is None:
        return b""
    return animate(course) if form == "webp" else msgspec.json.encode(course)


def main(arguments: Sequence[str]) -> None:
    """Draw: the arguments are the last record, svg, png, webp or json, and how many seconds it may take."""
    seq, form, seconds = arguments
    limit_process()
    # Without a handler the signal ends the process, also while no parent is left.
    signal.setitimer(signal.ITIMER_REAL, int(seconds))
    with take_standard_output() as pictures, contextlib.suppress(BrokenPipeError):
        raw = sys.stdin.buffer.read()
        if form in ("webp", "json"):
            pictures.write(draw_match(raw, form))
            return
        drawn = draw_file(raw, int(seq))
        pictures.write(to_png(drawn) if drawn and form == "png" else drawn)


if __name__ == "__main__":
    main(sys.argv[1:])
