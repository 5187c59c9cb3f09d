"""Plots hold every point, the bound and the named moments, within their own size."""

import re
from xml.etree import ElementTree

from bench.measuring.plots import WIDTH, Panel, nice_step, plot


def test_plot_has_a_line_for_each_panel_and_a_name_for_each_moment() -> None:
    panels = (Panel("memory, MiB", [(-1.0, 100.0), (0.0, 250.0), (2.0, 240.0)], 1331), Panel("p99 <ms>", [(1.0, 4.0)]))
    drawn = plot("A crowd", "minutes", panels, [(1.5, "cut")])
    ElementTree.fromstring(drawn)
    lines = re.findall(r'class="l" d="M([^"]+)"', drawn)
    assert [line.count("L") for line in lines] == [2, 0]
    assert drawn.count('class="b"') == 1
    assert all(0 <= float(point.split()[0]) <= WIDTH for line in lines for point in line.split("L"))
    assert all(text in drawn for text in (">cut</text>", ">p99 &lt;ms&gt;</text>", ">minutes</text>"))


def test_plot_without_points_is_a_plot() -> None:
    ElementTree.fromstring(plot("Nothing", "minutes", (Panel("memory", []),)))
    assert [nice_step(span) for span in (0.9, 4, 17, 1331)] == [0.5, 1, 5, 500]
