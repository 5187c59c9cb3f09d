"""Tests of the army commands: legal armies are accepted, and every fault of others is listed."""

from pathlib import Path

import pytest

from diskwars_content import EXPANSION_FOLDER, core_pack
from diskwars_engine.rulesets.diskwars.loadout import with_display_names
from diskwars_text import army_text
from tests.cli.command_runner import CommandRunner
from tests.protocol.golden_files import assert_golden

FOLDER = Path(__file__).parent
BROKEN_ARMIES = FOLDER / "broken_armies.txt"
HOST_ARMY = core_pack().armies["reikland-host"]


def write_army_file(folder: Path, text: str) -> str:
    file = folder / "armies.txt"
    file.write_text(text, "utf-8")
    return str(file)


def test_twelve_illegal_armies_show_every_fault_with_its_rule(diskwars: CommandRunner) -> None:
    said = diskwars("army", "check", str(BROKEN_ARMIES))
    assert (said.code, said.err) == (1, "")
    assert said.lines[-1] == "13 armies, 12 with faults"
    assert all(f" {rule}: " in said.out for rule in ("R2.1", "R2.2", "R2.3", "R2.4", "R2.5", "R2.6"))
    assert_golden(FOLDER / "broken_armies.out", said.out)


def test_every_starter_army_is_legal_as_it_is_shown_in_lines_and_in_one(
    diskwars: CommandRunner, tmp_path: Path
) -> None:
    shown = [diskwars("army", "show", name, *more).out for name in core_pack().armies for more in ((), ("--line",))]
    said = diskwars("army", "check", write_army_file(tmp_path, "\n".join(shown)))
    assert (said.code, said.lines[-1]) == (0, "24 armies, none with faults")


def test_an_army_is_shown_as_the_text_that_it_is_read_from(diskwars: CommandRunner, tmp_path: Path) -> None:
    text = army_text.format_army(with_display_names(core_pack(), HOST_ARMY))
    assert diskwars("army", "show", "reikland").out == text
    assert diskwars("army", "show", write_army_file(tmp_path, text)).out == text
    assert diskwars("army", "show", "reikland", "--line").out.count("\n") == 1


def test_starter_armies_are_listed_small_ones_first(diskwars: CommandRunner) -> None:
    said = diskwars("army", "list")
    heading, *rows = said.lines
    column = heading.index("regiments")
    assert len(rows) == len(core_pack().armies)
    assert [row[column:].split()[0] for row in rows] == ["1"] * 4 + ["2"] * 8


def test_r2_1_the_number_of_regiments_may_be_asked_for(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, diskwars("army", "show", "reikland").out)
    assert diskwars("army", "check", file, "--regiments", "2").code == 0
    said = diskwars("army", "check", file, "--regiments", "3")
    assert said.lines[1] == "  2:1: R2.1: 2 regiments, the players agreed on 3; add 1"


def test_a_pack_brings_its_disks(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, "Volkmar: Talabecland Halberdiers x3\ncards: Press On, Feint")
    said = diskwars("army", "check", file)
    assert said.code == 1
    assert 'no disk is called "Volkmar"' in said.out
    said = diskwars("army", "check", file, "--pack", str(EXPANSION_FOLDER))
    assert (said.code, said.lines[0]) == (0, "army of line 1: legal, 1 regiment, 4 disks, 17 points unspent")


def test_unreadable_text_is_reported_with_its_place(diskwars: CommandRunner, tmp_path: Path) -> None:
    file = write_army_file(tmp_path, "Karl Franz")
    said = diskwars("army", "check", file)
    assert (said.code, said.lines) == (1, [f"{file}: no army can be read", '  1:11: expected ":"'])


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("check",), "say `army check FILE`"),
        (("list", "x"), "say `army check FILE`"),
        (("check", "/nowhere"), "/nowhere cannot be read: No such file or directory"),
        (("show", "nobody"), "there is no army 'nobody', and no such file"),
        (("check", str(BROKEN_ARMIES), "--pack", "/nowhere"), "/nowhere: 1 fault"),
        (("show", str(BROKEN_ARMIES)), f"{BROKEN_ARMIES}:53:22: expected"),
    ],
)
def test_a_wrong_order_is_a_complaint(diskwars: CommandRunner, words: tuple[str, ...], complaint: str) -> None:
    said = diskwars("army", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"diskwars: {complaint}")


def test_a_file_without_armies_is_a_complaint(diskwars: CommandRunner, tmp_path: Path) -> None:
    assert diskwars.error_message("army", "check", write_army_file(tmp_path, "# later")).endswith("no army here")


# ---------------------------------------------------------------- armies that are played


def test_armies_of_files_are_played_with(diskwars: CommandRunner, tmp_path: Path) -> None:
    own = write_army_file(tmp_path, diskwars("army", "show", "nuln").out.replace("Nuln Host", "Ours"))
    said = diskwars("simulate", "--armies", f"{own},badlands")
    assert said.code == 0
    assert said.lines[0].startswith("seed 1  Ours against Badlands Host")


def test_hosts_are_drawn_where_armies_of_two_regiments_are_wanted(diskwars: CommandRunner) -> None:
    said = diskwars("simulate", "--regiments", "2", "--matches", "2")
    assert said.code == 0
    assert all(line.count(" Host") >= 2 for line in said.lines[:2])


def test_an_army_that_is_not_legal_is_not_played_with(diskwars: CommandRunner, tmp_path: Path) -> None:
    own = write_army_file(tmp_path, "Karl Franz: Orc Boyz\ncards: Feint, Press On")
    complaint = diskwars.error_message("simulate", "--armies", own)
    assert complaint.startswith(f'{own}: R2.3: "Orc Boyz" is of Orcs and Goblins')
    assert complaint.endswith("(and 1 more)")
    complaint = diskwars.error_message("simulate", "--armies", "empire,reikland")
    assert complaint == "reikland: R2.1: 2 regiments, the players agreed on 1; leave out 1"
    complaint = diskwars.error_message("simulate", "--regiments", "3")
    assert complaint == "there is no starter army of 3 regiments; name files with --armies"
