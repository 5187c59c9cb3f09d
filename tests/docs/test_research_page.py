"""docs/research.md: every block of Python runs, and the tables of arrays are those of the environments."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from diskwars_bots.loader import load_chooser
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_rl.environment_match import EnvironmentMatch
from diskwars_rl.policy import LinearPolicy
from diskwars_rl.rulesets.registry import RESEARCH
from diskwars_rl.single_agent import match_view
from tests.golden_files import assert_golden

ROOT = Path(__file__).parents[2]
FILE = ROOT / "docs" / "research.md"
PAGE = FILE.read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
AXES = re.compile(r"(<!-- axes -->\n)(.*?)<!-- end -->", re.DOTALL)


TRAINED = "# trained.py"


@pytest.mark.parametrize(
    "block",
    [block for block in BLOCKS if not block.startswith(TRAINED)],
    ids=lambda block: str(block).splitlines()[0].strip("# "),
)
def test_block_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    page: dict[str, Any] = {"__name__": "page"}
    exec(compile(block, "research.md", "exec"), page)
    assert re.search(r"seat_[01] ends with (1|-1|0)\.0|reward (1|-1|0)\.0", capsys.readouterr().out)


def test_trained_policy_is_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = [block for block in BLOCKS if block.startswith(TRAINED)]
    monkeypatch.chdir(tmp_path)
    LinearPolicy("pit").save(Path("pit.json"))
    Path("trained.py").write_text(block, "utf-8")
    chooser = load_chooser("trained.py:choose", "pit")
    match = EnvironmentMatch("pit")
    match.reset(1)
    seat, question = next(iter(match.questions.items()))
    decision = Decision(DecisionId("1.0"), seat, question)
    assert chooser(match_view(match, seat), decision, match.options(seat), random.Random(1)) in [
        deed.action for deed in match.deeds(seat)
    ]


def axes_table() -> str:
    """Return a section for each ruleset: its arrays with their rows and columns, and the kinds of its deeds."""
    lines = []
    for ruleset, research in RESEARCH.items():
        lines += [f"### {ruleset}", "", "| array | shape | columns |", "|---|---|---|"]
        for axes in EnvironmentMatch(ruleset).axes:
            shape = " × ".join(map(str, axes.shape))
            lines.append(f"| `{axes.name}` | {shape} | {', '.join(axes.columns)} |")
        kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(research.table.kinds))
        lines += ["", f"Kinds of deeds: {kinds}.", ""]
    return "\n".join(lines)


def test_tables_of_arrays_are_those_of_the_environments() -> None:
    (found,) = AXES.finditer(PAGE)
    assert_golden(FILE, f"{PAGE[: found.start(2)]}{axes_table()}{PAGE[found.end(2) :]}")
