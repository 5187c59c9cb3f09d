"""Packs of plain tables: the loader checks the ranges that readers of records leave to the schema."""

import shutil
from pathlib import Path

import msgspec
import pytest

from diskwars_content.packs import PackError
from diskwars_content.rulesets.pit import CORE_FOLDER, load_content
from diskwars_protocol.rulesets.pit.events import Check
from diskwars_protocol.rulesets.pit.stats import FighterProfile


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("fighters.toml", "movement = 6", "movement = 21", "fighter 1: movement: 21 is above 20"),
        ("fighters.toml", "melee = 12", "melee = 0", "fighter 1: melee: 0 is below 1"),
        ("fighters.toml", "defence = 17", "defence = 99", "fighter 1: defence: 99 is above 20"),
        ("fighters.toml", "attacks = 1", "attacks = 4", "fighter 1: attacks: 4 is above 3"),
        ("fighters.toml", '["great-sword"]', '["sword", "sword", "sword"]', "fighter 1: weapons: longer than 2"),
        ("weapons.toml", 'id = "sword"', 'id = "A sword"', "weapon 2: id: 'A sword' does not match"),
        ("weapons.toml", "slots = 2", "slots = 3", "weapon 5: slots: 3 is above 2"),
        ("deck.toml", "copies = 1", "copies = 0", "card 1: copies: 0 is below 1"),
        ("fighters.toml", "morale = 7", "moral = 7", "fighter 1: Object missing required field `morale`"),
        (
            "fighters.toml",
            "injury = 2",
            "injuries = 2",
            "fighter 5: injuries: there is no field",
        ),
        ("weapons.toml", "single = true", "alone = true", "weapon 3: alone: there is no field `alone` here"),
        ("fighters.toml", '"great-sword"', '"spoon"', '"captain" has an unknown weapon "spoon"'),
        ("deck.toml", 'id = "frenzy"', 'id = "toughness"', 'there are two card "toughness"'),
        ("deck.toml", 'copies = "found"', 'copy = "found"', 'card 1: basis: there is no "copy"'),
        ("scenarios.toml", '"captain"', '"capitain"', '"the-pit" has an unknown fighter "capitain"'),
        ("scenarios.toml", '"captain"', '"Captain"', "scenario 1: bands[0][0]: 'Captain' does not match"),
    ],
)
def test_figure_out_of_its_range_is_a_fault_of_the_pack(
    file: str, old: str, new: str, fault: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(CORE_FOLDER, tmp_path / "core")
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PackError) as refused:
        load_content(folder)
    assert any(line.startswith(f"{file}: {fault}") for line in refused.value.faults), refused.value.faults


def test_reader_of_records_accepts_figures_that_a_later_pack_may_have() -> None:
    profile = {
        "id": "giant",
        "name": "Giant",
        "rank": "hero",
        "movement": 30,
        "melee": 1,
        "agility": 1,
        "morale": 1,
        "attacks": 9,
        "wounds": 9,
        "weapons": ["club", "club", "club"],
    }
    assert msgspec.convert(profile, FighterProfile).attacks == 9
    check = {"faces": [21, 2, 3], "kept": 21, "needed": 30, "passed": False}
    assert msgspec.convert(check, Check).faces == (21, 2, 3)
