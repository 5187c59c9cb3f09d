"""Tests of the faults of packs, and of what a pack's hash covers.

The folder `river` is a small valid pack. Each block of faults.txt changes one text in one of its files and lists the
complete output of the loader.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from diskwars_content.packs import PackError
from diskwars_content.rulesets.diskwars import CORE_FOLDER, check_pack, load_pack
from diskwars_content.rulesets.diskwars.entry_checks import EFFECTS_BY_TIMING
from diskwars_engine.rulesets.diskwars import effects
from diskwars_engine.rulesets.diskwars.catalogue import unspent_points
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentCard, DeploymentFace, Scenario, SlayUnits, Survive
from diskwars_protocol.rulesets.diskwars.stats import Ability, Amount, Empower, IncreaseMovement, Keyword, Shot

FOLDER = Path(__file__).parent
RIVER = Path(__file__).parents[2] / "river"
VALID_PACK = {path.name: path.read_text("utf-8") for path in RIVER.glob("*.toml")}
FAULT_BLOCKS = (FOLDER / "faults.txt").read_text("utf-8").strip().split("\n\n")
HEAD = re.compile(r"(\S+): (.*) -> (.*)")
EMPTY_PACK = "(nothing)"


def write_pack(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def write_changed_pack(file: str, old: str, new: str) -> dict[str, str]:
    """Return the valid pack with the first occurrence of a text in a file replaced."""
    assert old in VALID_PACK[file]
    return {**VALID_PACK, file: VALID_PACK[file].replace(old, new, 1)}


# ---------------------------------------------------------------- a valid pack


def test_valid_pack_loads_as_written() -> None:
    pack = load_pack(RIVER)
    assert (pack.pack.id, pack.pack.version, pack.pack_names) == ("test/river", "3", {"test/river": "The river"})
    assert list(pack.disks) == ["old-ferryman", "bargee", "barge"]
    hero, bargee = pack.disks["old-ferryman"], pack.disks["bargee"]
    assert (hero.race, hero.faction, hero.radius, hero.points, hero.command) == ("river", "order", 28575, 20, 1)
    assert hero.keywords == (Keyword("impact", Amount(3)), Keyword("swift", kind="strength"))
    assert bargee.shots == (Shot(2, Amount(d6=1), "physical", "long", "short"),)
    assert pack.cards["ebb"].abilities == (Ability("battle", Empower("medium"), "pole"),)
    assert pack.armies["crossing"].disks == ("old-ferryman", "bargee", "bargee", "barge")
    assert unspent_points(pack.armies["crossing"], pack.disks) == 1
    assert pack.copies == {"old-ferryman": 1, "bargee": 3, "barge": 1}


def test_scenarios_and_deployment_cards_load_as_written() -> None:
    pack = load_pack(RIVER)
    assert pack.scenarios == {
        "high-water": Scenario("high-water", "High Water", IncreaseMovement(1), (SlayUnits(4), Survive(1)))
    }
    faces = (DeploymentFace(3), DeploymentFace(2, ("scouting", "ambush")))
    assert pack.deployments == {"ford": DeploymentCard("ford", "Ford", 88900, faces)}


def test_cards_and_armies_are_optional(tmp_path: Path) -> None:
    files = {name: text for name, text in VALID_PACK.items() if name not in ("commands.toml", "armies.toml")}
    pack = load_pack(write_pack(tmp_path, files))
    assert (pack.cards, pack.armies) == ({}, {})


# ---------------------------------------------------------------- faults


@pytest.mark.parametrize("block", FAULT_BLOCKS, ids=[block.split("\n")[0] for block in FAULT_BLOCKS])
def test_fault_is_reported_with_its_place(block: str, tmp_path: Path) -> None:
    check_fault_block(block, tmp_path)


def check_fault_block(block: str, folder: Path) -> None:
    """Load the pack with the change of a block and compare the faults."""
    head, *expected = block.split("\n")
    change = HEAD.fullmatch(head)
    assert change is not None
    file, old, new = change.groups()
    old, new = old.replace("\\n", "\n"), "" if new == EMPTY_PACK else new.replace("\\n", "\n")
    assert check_pack(write_pack(folder, write_changed_pack(file, old, new))) == [
        line.removeprefix("  ") for line in expected
    ]


@pytest.mark.parametrize(
    ("rule", "complaint"),
    [
        ("R5.1", "is not even"),
        ("R7.9", "more than one battle ability"),
        ("R10.12", "meet where they should not|against the clock"),
        ("R20.3", "nothing about|no such figure"),
    ],
)
def test_content_that_breaks_a_rule_is_reported(rule: str, complaint: str, tmp_path: Path) -> None:
    blocks = [block for block in FAULT_BLOCKS if re.search(complaint, block)]
    assert blocks, rule
    for number, block in enumerate(blocks):
        folder = tmp_path / str(number)
        folder.mkdir()
        check_fault_block(block, folder)


def test_faults_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    files = {
        **write_changed_pack("river.toml", "toughness = 4", "toughness = 0"),
        "sea.toml": 'race = "river"\nfaction = "order"\n[[disk]]\nid = "whale"\nname = "Whale"\nmovement = "far"\n',
        "commands.toml": "[[card]",
        "table.toml": VALID_PACK["table.toml"].replace("44450", "44451"),
    }
    missing = ("kind", "size", "copies", "strength", "counter_strength", "toughness", "stamina", "basis")
    assert check_pack(write_pack(tmp_path, files)) == [
        "table.toml $.sizes.small: a diameter of 44451 is not even",
        "river.toml $.disk[1].toughness: 0 is not from 1 to 99",
        *(f'sea.toml $.disk[0]: "{name}" is missing' for name in missing),
        "sea.toml $.disk[0].movement: expected a whole number, found a text",
        "commands.toml line 1, column 7: expected ']]' at the end of an array declaration",
    ]


def test_loading_a_faulty_pack_raises_all_its_faults(tmp_path: Path) -> None:
    folder = write_pack(
        tmp_path, write_changed_pack("river.toml", "movement = 5\nstrength = 4", "movement = -5\nstrength = -4")
    )
    with pytest.raises(PackError) as caught:
        load_pack(folder)
    assert caught.value.faults == (
        "river.toml $.disk[1].movement: -5 is not from 0 to 99",
        "river.toml $.disk[1].strength: -4 is not from 0 to 99",
    )
    assert str(caught.value) == f"{folder}: 2 faults\n" + "\n".join(caught.value.faults)


def test_unreadable_files_are_reported_as_faults(tmp_path: Path) -> None:
    assert check_pack(tmp_path / "nowhere") == [f"{tmp_path / 'nowhere'}: cannot be read (No such file or directory)"]
    (tmp_path / "pack.toml").write_bytes(b'id = "\xff"')
    (tmp_path / "table.toml").mkdir()
    (tmp_path / "deep.toml").write_text("a = " + 5000 * "[")
    (tmp_path / "long.toml").write_text("a = " + 5000 * "7")
    assert check_pack(tmp_path) == [
        "pack.toml: not UTF-8 at byte 6",
        "table.toml: cannot be read (Is a directory)",
        "deep.toml: nested too deeply",
        "long.toml: holds a number of thousands of digits",
    ]


FAULT_LINES = [
    (name, line) for name, text in VALID_PACK.items() for line in text.splitlines() if re.match(r"\w+ = ", line)
]


@pytest.mark.parametrize("value", ["1979-05-27", "-1", "{}", "[[]]", "inf", '"\\u0000"'])
def test_wrong_value_in_any_line_is_reported_for_its_file(value: str, tmp_path: Path) -> None:
    for file, line in FAULT_LINES:
        wrong = f"{line.split(' = ')[0]} = {value}"
        faults = check_pack(write_pack(tmp_path, write_changed_pack(file, line, wrong)))
        assert any(fault.startswith(f"{file} $") for fault in faults), wrong


# ---------------------------------------------------------------- the hash


def hash_of(folder: Path) -> str:
    return load_pack(folder).pack.hash


def test_comments_spaces_and_order_do_not_change_the_hash(tmp_path: Path) -> None:
    text = "# a comment\n" + VALID_PACK["river.toml"].replace(" = ", "   =   ").replace(
        "\n[[disk]]", "\n\n\n[[disk]] # next"
    )
    head, *disks = VALID_PACK["river.toml"].split("[[disk]]")
    for number, other in enumerate([text, head + "".join("[[disk]]" + disk for disk in reversed(disks))]):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert hash_of(write_pack(folder, {**VALID_PACK, "river.toml": other})) == hash_of(RIVER)


def test_basis_and_file_of_a_figure_are_not_hashed(tmp_path: Path) -> None:
    files = write_changed_pack("river.toml", 'toughness = "implied"', 'toughness = "house"')
    files["waters.toml"] = files.pop("river.toml")
    assert hash_of(write_pack(tmp_path, files)) == hash_of(RIVER)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("river.toml", "toughness = 4", "toughness = 3"),
        ("river.toml", '"d6"', '"d6+1"'),
        ("river.toml", "copies = 3", "copies = 2"),
        ("table.toml", "short = 76200", "short = 76201"),
        ("table.toml", '"hit", "critical"', '"critical", "hit"'),
        ("commands.toml", "activations = 4", "activations = 3"),
        ("armies.toml", '"bargee", "bargee"', '"bargee"'),
    ],
)
def test_any_changed_figure_changes_the_hash(file: str, old: str, new: str, tmp_path: Path) -> None:
    assert hash_of(write_pack(tmp_path, write_changed_pack(file, old, new))) != hash_of(RIVER)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("river.toml", 'name = "Barge"', 'name = "Lighter"'),
        ("river.toml", 'name = "Barge"', 'name = "Barge"\nshort_name = "Bg."'),
        ("armies.toml", 'name = "Crossing"', 'name = "The Crossing"'),
        ("pack.toml", 'version = "3"', 'version = "3.1"'),
    ],
)
def test_corrected_name_does_not_change_the_hash(file: str, old: str, new: str, tmp_path: Path) -> None:
    changed = write_changed_pack(file, old, new)
    assert changed != VALID_PACK
    assert hash_of(write_pack(tmp_path, changed)) == hash_of(RIVER)


def test_every_built_in_pack_loads() -> None:
    packs = [path.parent for path in CORE_FOLDER.parent.rglob("pack.toml")]
    assert CORE_FOLDER in packs
    for pack in packs:
        assert check_pack(pack) == []
        assert load_pack(pack).pack.id == f"{pack.parent.name}/{pack.name}"


def test_card_that_strengthens_blows_is_refused(tmp_path: Path) -> None:
    """R7.8: the card is discarded before the melee phase."""
    fiercer = write_changed_pack(
        "commands.toml",
        'type = "empower", reach = "medium"',
        'type = "increase_melee_strength", strength = 1, counter_strength = 0',
    )
    assert any(
        fault.endswith("a command card is gone before the blows fall")
        for fault in check_pack(write_pack(tmp_path, fiercer))
    )


def test_passive_ability_with_a_target_is_refused(tmp_path: Path) -> None:
    """R19.15: there is no decision in which a player could choose the target."""
    assert not set(EFFECTS_BY_TIMING["passive"]) & set(get_args(effects.AimedEffect))
    aimed = write_changed_pack("commands.toml", 'timing = "battle"', 'timing = "passive"')
    faults = check_pack(write_pack(tmp_path, aimed))
    assert any(fault.endswith('"empower" does not go with timing = "passive"') for fault in faults)


def test_no_effect_gives_or_takes_a_keyword(tmp_path: Path) -> None:
    """R19.15: keywords are printed; a card that would give one is refused as unknown."""
    kinds = {kind for kinds in EFFECTS_BY_TIMING.values() for kind in kinds}
    fields = {field.name for kind in kinds for field in msgspec.structs.fields(kind)}
    assert fields
    assert not {name for name in fields if "keyword" in name}
    giving = write_changed_pack("commands.toml", 'type = "empower", ', 'type = "grant_keyword", keyword = "Flying", ')
    assert any("grant_keyword" in fault for fault in check_pack(write_pack(tmp_path, giving)))
