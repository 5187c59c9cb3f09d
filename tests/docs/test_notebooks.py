"""The notebooks of docs/examples run from their first cell to the last, and are stored without output."""

import os
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.optional_packages import import_or_skip

nbformat, nbclient = import_or_skip("nbformat"), import_or_skip("nbclient")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "examples").glob("*.ipynb"))
CELL_SECONDS = 120


def outputs(notebook: Any) -> list[str]:
    return [
        str(output.get("text") or output.get("data", {}).get("text/plain", ""))
        for cell in notebook.cells
        for output in cell.get("outputs", ())
    ]


@pytest.mark.timeout(240)  # a kernel begins, and some hundred matches are played
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.name)
def test_notebook_runs_and_shows_what_it_measures(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, sys.path)))
    notebook = nbformat.reads(file.read_text("utf-8"), 4)
    assert outputs(notebook) == [], "a notebook is stored without output"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the kernel's own libraries
        nbclient.NotebookClient(notebook, timeout=CELL_SECONDS, kernel_name="python3").execute()
    shown = "\n".join(outputs(notebook))
    assert "'greedy'" in shown
    assert "after:" in shown
