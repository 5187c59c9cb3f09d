"""The pictures in docs/rules.md show the positions that the tests of the figures play from.

`./dev golden tests/docs/test_pictures.py` draws them again, with `diskwars draw --position`.
"""

import os
from pathlib import Path

import pytest

from diskwars_cli.__main__ import main

ROOT = Path(__file__).parents[2]
POSITIONS = sorted((ROOT / "tests" / "engine" / "figures").glob("figure-*.txt"))
PICTURES = ROOT / "docs" / "figures"


def test_there_are_ten_figures() -> None:
    assert [path.stem for path in POSITIONS] == [f"figure-{number:02}" for number in range(1, 11)]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda path: path.stem)
def test_the_picture_of_a_figure_is_drawn_from_its_position(position: Path, tmp_path: Path) -> None:
    drawn, kept = tmp_path / "drawn.svg", PICTURES / f"{position.stem}.svg"
    assert main(["draw", "--position", str(position), "-o", str(drawn)]) == 0
    if os.environ.get("DISKWARS_GOLDEN"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(drawn.read_bytes())
    assert kept.read_bytes() == drawn.read_bytes()


def test_a_position_that_cannot_be_read_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slip = tmp_path / "slip.txt"
    slip.write_text("A Tyrion (1, )\n")
    assert main(["draw", "--position", str(slip)]) == 2
    assert f"{slip}: line 1" in capsys.readouterr().err


def test_draw_takes_a_match_or_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw"]) == 2
    assert "either a MATCH or --position FILE" in capsys.readouterr().err
