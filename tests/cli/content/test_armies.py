"""Tests of the army commands: legal armies are accepted, and every fault of others is listed."""

from pathlib import Path

import pytest

from diskwars_content.rulesets.diskwars import EXPANSION_FOLDER, core_pack
from diskwars_engine.rulesets.diskwars.setup.loadout import with_display_names
from diskwars_text.rulesets.diskwars import army_text
from tests.cli.command_runner import CommandRunner
from tests.golden_files import assert_golden

FOLDER = Path(__file__).parent
BROKEN_ARMIES = FOLDER / "broken_armies.txt"
HOST_ARMY = core_pack().armies["reikland-host"]


def write_army_file(folder: Path, text: str) -> str:
    file = folder / "armies.txt"
    file.write_text(text, "utf-8")
    return str(file)


def test_check_lists_every_fault_of_illegal_armies_with_its_rule(diskwars: CommandRunner) -> None:
    result = diskwars("army", "check", str(BROKEN_ARMIES))
    assert (result.code, result.err) == (1, "")
    assert result.lines[-1] == "13 armies, 12 with faults"
    assert all(f" {rule}: " in result.out for rule in ("R2.1", "R2.2", "R2.3", "R2.4", "R2.5", "R2.6"))
    assert_golden(FOLDER / "broken_armies.out", result.out)


def test_every_starter_army_is_legal_in_both_text_forms(diskwars: CommandRunner, tmp_path: Path) -> None:
    shown = [diskwars("army", "show", name, *more).out for name in core_pack().armies for more in ((), ("--line",))]
    result = diskwars("army", "check", write_army_file(tmp_path, "\n".join(shown)))
    assert (result.code, result.lines[-1]) == (0, "24 armies, none with faults")


def test_show_prints_the_text_that_check_accepts(diskwars: CommandRunner, tmp_path: Path) -> None:
    text = army_text.format_army(with_display_names(core_pack(), HOST_ARMY), HOST_ARMY.name)
    assert diskwars("army", "show", "reikland").out == text
    assert diskwars("army", "show", write_army_file(tmp_path, text)).out == text
    assert diskwars("army", "show", "reikland", "--line").out.count("\n") == 1


def test_list_prints_small_starter_armies_first(diskwars: CommandRunner) -> None:
    result = diskwars("army", "list")
    heading, *rows = result.lines
    column = heading.index("regiments")
    assert len(rows) == len(core_pack().armies)
    assert [row[column:].split()[0] for row in rows] == ["1"] * 4 + ["2"] * 8


def test_r2_1_check_can_require_a_number_of_regiments(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, diskwars("army", "show", "reikland").out)
    assert diskwars("army", "check", file, "--regiments", "2").code == 0
    result = diskwars("army", "check", file, "--regiments", "3")
    assert result.lines[1] == "  2:1: R2.1: 2 regiments, the players agreed on 3; add 1"


def test_pack_option_adds_the_disks_of_the_pack(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, "Volkmar: Talabecland Halberdiers x3\ncards: Press On, Feint")
    result = diskwars("army", "check", file)
    assert result.code == 1
    assert 'no disk is called "Volkmar"' in result.out
    result = diskwars("army", "check", file, "--pack", str(EXPANSION_FOLDER))
    assert (result.code, result.lines[0]) == (0, "army of line 1: legal, 1 regiment, 4 disks, 17 points unspent")


def test_unreadable_text_is_reported_with_its_place(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, "Karl Franz")
    result = diskwars("army", "check", file)
    assert (result.code, result.lines) == (1, [f"{file}: no army can be read", '  1:11: expected ":"'])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("check",), "expected `army check FILE`"),
        (("list", "x"), "expected `army check FILE`"),
        (("check", "/nowhere"), "/nowhere cannot be read: No such file or directory"),
        (("show", "nobody"), "there is no army 'nobody', and no such file"),
        (("check", str(BROKEN_ARMIES), "--pack", "/nowhere"), "/nowhere: 1 fault"),
        (("show", str(BROKEN_ARMIES)), f"{BROKEN_ARMIES}:53:22: expected"),
    ],
)
def test_wrong_arguments_are_an_error(diskwars: CommandRunner, words: tuple[str, ...], message: str) -> None:
    result = diskwars("army", *words)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"diskwars: {message}")


def test_file_without_armies_is_an_error(diskwars: CommandRunner, tmp_path: Path) -> None:
    assert diskwars.error_message("army", "check", write_army_file(tmp_path, "# later")).endswith("no army here")


# ---------------------------------------------------------------- simulate


def test_simulate_plays_armies_from_files(diskwars: CommandRunner, tmp_path: Path) -> None:
    own = write_army_file(tmp_path, diskwars("army", "show", "nuln").out.replace("Nuln Host", "Ours"))
    result = diskwars("simulate", "--armies", f"{own},badlands")
    assert result.code == 0
    assert result.lines[0].startswith("seed 1  army of Karl Franz against Badlands Host")


def test_simulate_draws_hosts_for_two_regiments(diskwars: CommandRunner) -> None:
    result = diskwars("simulate", "--regiments", "2", "--matches", "2")
    assert result.code == 0
    assert all(line.count(" Host") >= 2 for line in result.lines[:2])


def test_simulate_refuses_an_illegal_army(diskwars: CommandRunner, tmp_path: Path) -> None:
    own = write_army_file(tmp_path, "Karl Franz: Orc Boyz\ncards: Feint")
    message = diskwars.error_message("simulate", "--armies", own)
    assert message.startswith(f'{own}: R2.3: "Orc Boyz" is of Orcs and Goblins')
    assert message.endswith("(and 1 more)")
    message = diskwars.error_message("simulate", "--armies", "empire,reikland")
    assert message == "reikland: R2.1: 2 regiments, the players agreed on 1; leave out 1"
    message = diskwars.error_message("simulate", "--regiments", "3")
    assert message == "there is no starter army of 3 regiments; name files with --armies"
