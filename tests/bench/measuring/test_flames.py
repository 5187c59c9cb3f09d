"""Frames of a flame graph are as wide as their samples, and lie on those of their callers."""

from xml.etree import ElementTree

from bench.measuring.flames import FlameFrame, flame_graph, lay_out

STACKS = ((("main", "game.decide", "match.fold"), 3), (("main", "game.decide"), 1), (("main", "outbox.send"), 4))


def test_stacks_that_begin_alike_share_their_frames() -> None:
    frames = sorted(lay_out(STACKS), key=lambda frame: (frame.depth, frame.start))
    assert frames == [
        FlameFrame("main", 0, 0, 8),
        FlameFrame("game.decide", 1, 0, 4),
        FlameFrame("outbox.send", 1, 4, 4),
        FlameFrame("match.fold", 2, 1, 3),
    ]


def test_graph_names_each_function_with_its_share() -> None:
    drawn = flame_graph("A <server>", STACKS, ("game.",))
    ElementTree.fromstring(drawn)
    assert "<title>match.fold: 37.5 %</title>" in drawn
    assert "A &lt;server&gt;, 8 samples" in drawn
    assert drawn.count('class="o"') == 1
    ElementTree.fromstring(flame_graph("Nothing", ()))
