"""Matches as a notebook shows them: escaped, and without a board where there is none."""

from diskwars_client.notebook import board_svg, match_html


def test_match_without_records_has_no_board() -> None:
    assert board_svg(None) is None
    assert match_html("<b>", None) == "<p><b>&lt;b&gt;</b>: no record has arrived</p>"
