"""Bots of installed packages are found by name, played, and named where they fail."""

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from diskwars_bots.bot_process import choose_for
from diskwars_bots.installed_bots import installed_bots, installed_file
from diskwars_bots.loader import BotError, load_chooser
from diskwars_cli.own_server.server_bots import bot_program
from diskwars_cli.plugs.bot_digest import bot_identity
from diskwars_protocol.messages.bot_tasks import BotTask
from tests.bots.test_loader import choose_once

PACKAGE = """\
from diskwars_bots.chooser import offered


def choose(match, decision, options, rng):
    return offered(options)[0]


def fail(match, decision, options, rng):
    raise KeyError("x")


def greedy(match, decision, options, rng):
    raise AssertionError("the one that comes with the program goes before it")


NOTHING = None
"""
ENTRY_POINTS = """\
[diskwars.bots]
diskwars.archer = foreign_bots:choose
diskwars.faulty = foreign_bots:fail
diskwars.greedy = foreign_bots:greedy
diskwars.nothing = foreign_bots:NOTHING
diskwars.gone = foreign_bots:gone
diskwars.lost = no_such_package:choose
pit.archer = foreign_bots:choose
archer = foreign_bots:choose
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with an installed package."""
    information = tmp_path / "foreign_bots-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-bots\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    (tmp_path / "foreign_bots.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "foreign_bots", raising=False)
    return tmp_path


def test_installed_bots_are_those_of_a_ruleset(site: Path) -> None:
    assert {"archer", "faulty", "greedy"} <= set(installed_bots("diskwars"))
    assert set(installed_bots("pit")) == {"archer"}
    assert installed_bots("regiments") == {}
    assert installed_file(installed_bots("pit")["archer"]) == site / "foreign_bots.py"
    assert installed_file(installed_bots("diskwars")["lost"]) is None


def test_installed_bot_chooses_and_one_of_the_program_goes_before_it(site: Path) -> None:
    assert choose_once(load_chooser("archer", "diskwars")).seat_nonce == "a"
    assert load_chooser("greedy", "diskwars").__module__.startswith("diskwars_bots")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("faulty", "foreign_bots.py:9: KeyError: 'x'"),
        ("nothing", "is no function"),
        ("gone", "AttributeError"),
        ("lost", "ModuleNotFoundError"),
        ("other", "there are .*archer"),
    ],
)
def test_installed_bot_that_fails_is_named(site: Path, name: str, text: str) -> None:
    with pytest.raises(BotError, match=text):
        choose_once(load_chooser(name, "diskwars"))


def test_results_of_an_earlier_version_of_an_installed_bot_are_noticed(site: Path) -> None:
    before = bot_identity("archer", "diskwars")
    (site / "foreign_bots.py").write_text(PACKAGE + "\n\nLUCK = 1\n")
    assert bot_identity("archer", "diskwars") != before
    assert bot_identity("greedy", "diskwars") != before


def test_server_seats_an_installed_bot_and_thinks_for_it(site: Path) -> None:
    program = bot_program()
    assert "archer" in program.bots["pit"]
    assert program.bots["pit"][0] == "greedy", "the usual one stays the first"
    nothing = Raw(b"{}")
    task = BotTask("pit", "archer", "1", 1, 1, nothing, nothing, nothing)
    assert choose_for(replace(task, bot="nobody")).fault.startswith("KeyError"), "there is none"
    assert not choose_for(task).fault.startswith("KeyError"), "it was found, and the decisions are none"


def test_installed_bot_plays_a_match_of_the_command(site: Path) -> None:
    command = [sys.executable, "-m", "diskwars_cli", "simulate", "--ruleset", "pit", "--bots", "archer,random"]
    played = subprocess.run(
        [*command, "--matches", "2", "--seed", "3"], capture_output=True, text=True, timeout=50, cwd=site, check=False
    )
    assert played.returncode == 0, played.stderr
    assert "matches 2" in played.stdout
