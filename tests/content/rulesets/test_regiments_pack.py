"""The pack of regiments has the figures of its source, and every fault in a pack is found and named."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import astuple

from diskwars_content.packs import PackError
from diskwars_content.rulesets.regiments import CORE_FOLDER, core_content, load_content

FIGURES = {
    "foot": (4, 4, 3, 3, 1, 3, 1, 7, 2),
    "horse": (8, 4, 4, 3, 1, 4, 1, 7, 3),
    "stout": (3, 5, 3, 4, 1, 2, 1, 9, 2),
    "bones": (4, 2, 3, 3, 1, 2, 1, 5, 1),
    "ghouls": (4, 2, 3, 4, 1, 3, 2, 5, 0),
    "wrapped": (3, 3, 4, 5, 4, 3, 2, 8, 1),
    "penitents": (4, 3, 3, 3, 1, 3, 1, 10, 0),
    "hulks": (6, 3, 4, 4, 3, 2, 2, 7, 1),
}
"""M, WS, S, T, W, I, A, Ld, AR."""


def test_units_have_the_figures_of_the_source() -> None:
    found = {profile.id: astuple(profile)[2:11] for profile in core_content().profiles}
    assert found == FIGURES
    assert [profile.id for profile in core_content().profiles if profile.size == "large"] == ["hulks"]
    assert [profile.id for profile in core_content().profiles if profile.weapon == "flail"] == ["penitents"]
    assert {weapon.id: weapon.strength for weapon in core_content().weapons} == {"hand": 0, "flail": 2}


def test_everything_in_the_pack_is_played_in_a_scenario() -> None:
    """C-3, C-7: large models and flails too."""
    content = core_content()
    scenarios = content.scenarios.values()
    assert {unit.profile for one in scenarios for army in one.armies for unit in army} == {*FIGURES}
    assert {profile.weapon for profile in content.profiles} == {weapon.id for weapon in content.weapons}
    tasks = [one.task.kind for one in scenarios if one.task is not None]
    assert len(tasks) >= 5
    assert {*tasks} == {"hold", "break_through", "rescue", "last_stand"}
    assert sum(bool(one.obstacles) for one in scenarios) >= 2


def test_hash_of_the_pack_covers_its_figures_and_not_their_basis(tmp_path: Path) -> None:
    folder = shutil.copytree(CORE_FOLDER, tmp_path / "core")
    units = (folder / "units.toml").read_text("utf-8")
    (folder / "units.toml").write_text(units.replace('armour = "found"', 'armour = "house"'), "utf-8")
    assert load_content(folder).pack == core_content().pack
    (folder / "units.toml").write_text(units.replace("leadership = 9", "leadership = 8"), "utf-8")
    assert load_content(folder).pack.hash != core_content().pack.hash


@pytest.mark.parametrize(
    ("file", "before", "after", "fault"),
    [
        ("units.toml", 'id = "horse"', 'id = "foot"', 'units.toml: there are two unit "foot"'),
        ("units.toml", "armour = 3", "armour = -1", "units.toml: unit 2: armour: -1 is below 0"),
        ("units.toml", "movement = 8", "move = 8", "units.toml: unit 2: Object missing required field `movement`"),
        ("units.toml", 'size = "house"', 'height = "house"', 'units.toml: unit 1: basis: there is no "height"'),
        ("weapons.toml", 'id = "hand"', 'id = "fist"', 'units.toml: "foot" has an unknown weapon "hand"'),
        ("scenarios.toml", '"ghouls"', '"ghosts"', 'scenarios.toml: "barrow-road" has an unknown unit "ghosts"'),
        (
            "scenarios.toml",
            "column = 5",
            "column = 18",
            'scenarios.toml: "field-trial" has a unit off the field, at 18, 3',
        ),
        (
            "scenarios.toml",
            "x0 = 7, y0 = 1",
            "x0 = 3, y0 = 1",
            'scenarios.toml: "the-farm" has a unit on an obstacle, at 3, 1',
        ),
        ("scenarios.toml", "row = 1", "row = 3", 'scenarios.toml: two units of "field-trial" begin in one cell'),
        (
            "scenarios.toml",
            "models = 20",
            "models = 0",
            "scenarios.toml: scenario 1: armies[0][0].models: 0 is below 1",
        ),
        (
            "scenarios.toml",
            "leader = 1",
            "lead = 1",
            "scenarios.toml: scenario 1: armies[0][0].lead: there is no field",
        ),
        ("pack.toml", "version", "edition", "pack.toml: Object contains unknown field `edition`"),
    ],
)
def test_fault_in_a_pack_is_named_with_its_place(
    tmp_path: Path, file: str, before: str, after: str, fault: str
) -> None:
    folder = shutil.copytree(CORE_FOLDER, tmp_path / "core")
    text = (folder / file).read_text("utf-8")
    assert before in text
    (folder / file).write_text(text.replace(before, after, 1), "utf-8")
    with pytest.raises(PackError) as refused:
        load_content(folder)
    assert any(found.startswith(fault) for found in refused.value.faults), refused.value.faults
