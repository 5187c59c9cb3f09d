"""What is a pack told that has something wrong in it, and what is a pack's hash a hash of?

The folder `river` is a small sound pack. Each block of faults.txt changes one text in one of its files and lists what
the loader says then: the whole list, to the letter.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

from diskwars_content import CORE, PackError, check, load
from diskwars_content.entry_checks import FITTING
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.catalogue import unspent
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, DeploymentFace, Scenario, SlayUnits, Survive
from diskwars_protocol.rulesets.diskwars.stats import Ability, Amount, Empower, Faster, Keyword, Shot

HERE = Path(__file__).parent
SOUND = {path.name: path.read_text("utf-8") for path in (HERE / "river").glob("*.toml")}
BLOCKS = (HERE / "faults.txt").read_text("utf-8").strip().split("\n\n")
HEAD = re.compile(r"(\S+): (.*) -> (.*)")
NOTHING = "(nothing)"


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def changed(file: str, old: str, new: str) -> dict[str, str]:
    """The sound pack with the first occurrence of a text replaced."""
    assert old in SOUND[file]
    return {**SOUND, file: SOUND[file].replace(old, new, 1)}


# ---------------------------------------------------------------- a sound pack


def test_a_sound_pack_says_what_is_written_in_it() -> None:
    pack = load(HERE / "river")
    assert (pack.pack.name, pack.pack.version) == ("test/river", "3")
    assert list(pack.disks) == ["Old Ferryman", "Bargee", "Barge"]
    hero, bargee = pack.disks["Old Ferryman"], pack.disks["Bargee"]
    assert (hero.race, hero.faction, hero.radius, hero.points, hero.command) == ("River", "Order", 28575, 20, 1)
    assert hero.keywords == (Keyword("Impact", Amount(3)), Keyword("Swift", of="strength"))
    assert bargee.shots == (Shot(2, Amount(d6=1), "physical", "long", "short"),)
    assert pack.cards["Ebb"].abilities == (Ability("battle", Empower("medium"), "Pole"),)
    assert pack.armies["Crossing"].disks == ("Old Ferryman", "Bargee", "Bargee", "Barge")
    assert unspent(pack.armies["Crossing"], pack.disks) == 1
    assert pack.copies == {"Old Ferryman": 1, "Bargee": 3, "Barge": 1}


def test_scenarios_and_deployment_cards_say_what_is_written_of_them() -> None:
    pack = load(HERE / "river")
    assert pack.scenarios == {"High Water": Scenario("High Water", Faster(1), (SlayUnits(4), Survive(1)))}
    faces = (DeploymentFace(3), DeploymentFace(2, ("scouting", "ambush")))
    assert pack.deployments == {"Ford": DeploymentCard("Ford", 88900, faces)}


def test_a_pack_may_do_without_cards_and_armies(tmp_path: Path) -> None:
    files = {name: text for name, text in SOUND.items() if name not in ("commands.toml", "armies.toml")}
    pack = load(written(tmp_path, files))
    assert (pack.cards, pack.armies) == ({}, {})


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("block", BLOCKS, ids=[block.split("\n")[0] for block in BLOCKS])
def test_a_fault_is_told_with_its_place(block: str, tmp_path: Path) -> None:
    head, *expected = block.split("\n")
    change = HEAD.fullmatch(head)
    assert change is not None
    file, old, new = change.groups()
    old, new = old.replace("\\n", "\n"), "" if new == NOTHING else new.replace("\\n", "\n")
    assert check(written(tmp_path, changed(file, old, new))) == [line.removeprefix("  ") for line in expected]


def test_all_faults_of_all_files_come_at_once_and_hide_none(tmp_path: Path) -> None:
    files = {
        **changed("river.toml", "toughness = 4", "toughness = 0"),
        "sea.toml": 'race = "Sea"\nfaction = "Order"\n[[disk]]\nname = "Whale"\nmovement = "far"\n',
        "commands.toml": "[[card]",
        "table.toml": SOUND["table.toml"].replace("44450", "44451"),
    }
    missing = ("kind", "size", "copies", "strength", "counter", "toughness", "stamina", "basis")
    assert check(written(tmp_path, files)) == [
        "table.toml $.sizes.small: a diameter of 44451 is not even",
        "river.toml $.disk[1].toughness: 0 is not from 1 to 99",
        *(f'sea.toml $.disk[0]: "{name}" is missing' for name in missing),
        "sea.toml $.disk[0].movement: expected a whole number, found a text",
        "commands.toml line 1, column 7: expected ']]' at the end of an array declaration",
    ]


def test_loading_a_faulty_pack_raises_all_its_faults(tmp_path: Path) -> None:
    folder = written(tmp_path, changed("river.toml", "movement = 5\nstrength = 4", "movement = -5\nstrength = -4"))
    with pytest.raises(PackError) as caught:
        load(folder)
    assert caught.value.faults == (
        "river.toml $.disk[1].movement: -5 is not from 0 to 99",
        "river.toml $.disk[1].strength: -4 is not from 0 to 99",
    )
    assert str(caught.value) == f"{folder}: 2 faults\n" + "\n".join(caught.value.faults)


def test_what_cannot_be_read_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    assert check(tmp_path / "nowhere") == [f"{tmp_path / 'nowhere'}: cannot be read (No such file or directory)"]
    (tmp_path / "pack.toml").write_bytes(b'name = "\xff"')
    (tmp_path / "table.toml").mkdir()
    (tmp_path / "deep.toml").write_text("a = " + 5000 * "[")
    (tmp_path / "long.toml").write_text("a = " + 5000 * "7")
    assert check(tmp_path) == [
        "pack.toml: not UTF-8 at byte 8",
        "table.toml: cannot be read (Is a directory)",
        "deep.toml: nested too deeply",
        "long.toml: holds a number of thousands of digits",
    ]


LINES = [(name, line) for name, text in SOUND.items() for line in text.splitlines() if re.match(r"\w+ = ", line)]


@pytest.mark.parametrize("value", ["1979-05-27", "-1", "{}", "[[]]", "inf", '"\\u0000"'])
def test_a_wrong_value_in_any_line_is_a_fault_of_that_file(value: str, tmp_path: Path) -> None:
    for file, line in LINES:
        wrong = f"{line.split(' = ')[0]} = {value}"
        faults = check(written(tmp_path, changed(file, line, wrong)))
        assert any(fault.startswith(f"{file} $") for fault in faults), wrong


# ---------------------------------------------------------------- the hash


def hash_of(folder: Path) -> str:
    return load(folder).pack.hash


def test_comments_spaces_and_the_order_of_things_leave_the_hash_alone(tmp_path: Path) -> None:
    text = "# a comment\n" + SOUND["river.toml"].replace(" = ", "   =   ").replace(
        "\n[[disk]]", "\n\n\n[[disk]] # next"
    )
    head, *disks = SOUND["river.toml"].split("[[disk]]")
    for number, other in enumerate([text, head + "".join("[[disk]]" + disk for disk in reversed(disks))]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert hash_of(written(folder, {**SOUND, "river.toml": other})) == hash_of(HERE / "river")


def test_where_a_figure_comes_from_and_which_file_it_stands_in_are_not_hashed(tmp_path: Path) -> None:
    files = changed("river.toml", 'toughness = "implied"', 'toughness = "house"')
    files["waters.toml"] = files.pop("river.toml")
    assert hash_of(written(tmp_path, files)) == hash_of(HERE / "river")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("river.toml", "toughness = 4", "toughness = 3"),
        ("river.toml", '"d6"', '"d6+1"'),
        ("river.toml", "copies = 3", "copies = 2"),
        ("river.toml", 'race = "River"', 'race = "Rivers"'),
        ("table.toml", "short = 76200", "short = 76201"),
        ("table.toml", '"hit", "critical"', '"critical", "hit"'),
        ("commands.toml", "activations = 4", "activations = 3"),
        ("armies.toml", '"Bargee", "Bargee"', '"Bargee"'),
    ],
)
def test_any_changed_figure_changes_the_hash(file: str, old: str, new: str, tmp_path: Path) -> None:
    assert hash_of(written(tmp_path, changed(file, old, new))) != hash_of(HERE / "river")


def test_every_pack_in_the_box_loads() -> None:
    packs = [path.parent for path in CORE.parent.rglob("pack.toml")]
    assert CORE in packs
    for pack in packs:
        assert check(pack) == []
        assert load(pack).pack.name == f"{pack.parent.name}/{pack.name}"


def test_a_card_that_makes_blows_harder_is_refused(tmp_path: Path) -> None:
    """R7.8: it is discarded before the melee phase."""
    fiercer = changed(
        "commands.toml", 'type = "empower", reach = "medium"', 'type = "fiercer", strength = 1, counter = 0'
    )
    assert any(
        fault.endswith("a command card is gone before the blows fall") for fault in check(written(tmp_path, fiercer))
    )


def test_a_passive_ability_that_is_aimed_at_a_disk_is_refused(tmp_path: Path) -> None:
    """R19.15: nobody would be asked for the disk."""
    assert not set(FITTING["passive"]) & set(get_args(effects.Aimed))
    aimed = changed("commands.toml", 'when = "battle"', 'when = "passive"')
    faults = check(written(tmp_path, aimed))
    assert any(fault.endswith('"empower" does not go with when = "passive"') for fault in faults)
