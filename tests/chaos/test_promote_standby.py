"""No acknowledged action is lost when a standby takes over, and the page's commands are those that were tried."""

import re
import shlex
from pathlib import Path

import pytest

from tests.chaos.promote_standby import RECOVERY_TIMEOUT_SECONDS, PromotionReport, Trouble, breaches, run
from tests.chaos.standby_cluster import NODES, PAGE_SETTINGS, QUICK_SETTINGS, StandbyCluster, is_installed
from tests.code_sizes import ROOT

CREATE = re.compile(r"^pg_autoctl create .*$", re.MULTILINE)


@pytest.fixture
def installed() -> None:
    if not is_installed():
        pytest.skip("needs pg_autoctl (Debian: postgresql-15-auto-failover, pg-auto-failover-cli)")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("trouble", ["supervisor", "standby"])
async def test_broken_node_loses_no_acknowledged_action(open_folder: Path, trouble: Trouble, installed: None) -> None:
    report = await run(open_folder / f"standby-{trouble}", 1, trouble, settings=QUICK_SETTINGS)
    # The machine may be busy, so the bound of `main` does not hold here.
    assert breaches(report, RECOVERY_TIMEOUT_SECONDS) == []
    assert report.promotions == (trouble == "supervisor")
    assert report.acknowledged > 10


def test_commands_of_the_page_are_those_of_the_trial(open_folder: Path) -> None:
    cluster = StandbyCluster(open_folder / "commands")
    text = (ROOT / "docs" / "operating.md").read_text("utf-8").partition("\n## A standby\n")[2].partition("\n## ")[0]
    shown = [shlex.split(line)[1:] for line in CREATE.findall(text)]
    tried = [cluster.create_monitor(), *map(cluster.create_node, NODES)]
    assert [[*map(as_shape, words)] for words in shown] == [[*map(as_shape, words)] for words in tried]


def test_settings_of_the_page_are_those_of_the_trial() -> None:
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")
    assert dict(re.findall(r"alter system set pgautofailover\.(\w+) = '(\w+)'", page)) == PAGE_SETTINGS


def as_shape(word: str) -> str:
    """Return a word without the names of machines, folders and ports."""
    word = re.sub(r"^(~|/).*", "FOLDER", word)
    word = re.sub(r"@[a-z]+:\d+/", "@HOST/", word)
    return "NAME" if re.fullmatch(r"\d+|\*|localhost|monitor|db[12]|node[12]", word) else word


def test_program_names_every_promise_that_a_report_breaks() -> None:
    assert breaches(PromotionReport((1.0, 9.0), 2, 9, lost=0, doubled=0), 10) == []
    broken = PromotionReport((10.1, 1.0), 0, 9, lost=1, doubled=2)
    assert breaches(broken, 10) == ["lost 1", "stored twice 2", "10.1 s until the next action"]
