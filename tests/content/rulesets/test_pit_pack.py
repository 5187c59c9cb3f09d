"""The pack of the pit: each entry is played in some scenario, and faults of scenarios are found and named."""

import shutil
from pathlib import Path

import pytest

from diskwars_content.packs import PackError
from diskwars_content.rulesets.pit import CORE_FOLDER, core_content, load_content
from diskwars_protocol.rulesets.pit.stats import ARMOUR_BONUS, SHIELD_BONUS


def test_everything_in_the_pack_is_played_in_a_scenario() -> None:
    """A-4, A-15: every fighter, weapon, shield and armour of the sources."""
    content = core_content()
    fielded = {id for scenario in content.scenarios.values() for band in scenario.bands for id in band}
    assert fielded == {profile.id for profile in content.profiles}
    assert {id for profile in content.profiles for id in profile.weapons} == {weapon.id for weapon in content.weapons}
    assert {profile.shield for profile in content.profiles} == {None, *SHIELD_BONUS}
    assert {profile.armour for profile in content.profiles} == {None, *ARMOUR_BONUS}


def test_scenarios_have_ground_or_a_task() -> None:
    """A-24, A-25: at least five, of every kind of task."""
    tasks = [scenario.task.kind for scenario in core_content().scenarios.values() if scenario.task is not None]
    assert len(tasks) >= 5
    assert {*tasks} == {"hold", "break_through", "rescue", "last_stand"}
    assert any(scenario.walls for scenario in core_content().scenarios.values())


BRAWLER = '"brawler", '
FAULTS = [
    ("walls = [{ x0 = 4, y0 = 2", "walls = [{ x0 = 0, y0 = 2", '"the-shrine" has a fighter in a wall, at 1, 3'),
    ("[[1, 5], [1, 3]", "[[13, 5], [1, 3]", '"the-shrine" has a fighter off the field, at 13, 5'),
    ("[[1, 5], [1, 3]", "[[1, 3], [1, 3]", '"the-shrine" has two fighters in one cell'),
    ("[[1, 5], [1, 3], ", "[[1, 5], ", '"the-shrine" has not as many places as fighters'),
    ('kind = "hold"', 'kind = "rescue"', '"the-shrine" has a task with a piece too many, or without one'),
    ('kind = "hold"', 'kind = "last_stand"', '"the-shrine" has a task with a zone too many, or without one'),
    ('kind = "hold"', 'kind = "hold", count = 7', '"the-shrine" has a task for more pieces than there are'),
    ('kind = "hold"', 'kind = "hold", side = 2', '"the-shrine" has a task, which needs two sides'),
    (
        'basis = { name = "house", bands = "house" }',
        'task = { kind = "last_stand" }',
        '"the-pit" has walls or a task, and no places',
    ),
    (
        '"bulwark", "brawler"]]',
        '"bulwark", "brawler", "maul", "maul", "maul"]]',
        '"the-pit" has a band of more than 7 fighters',
    ),
    (
        'bands = [["captain", "champion", ',
        f'bands = [[{18 * BRAWLER}"captain", "champion", ',
        '"the-shrine" has a band of more than 18 fighters',
    ),
]


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_fault_of_a_scenario_is_named(tmp_path: Path, old: str, new: str, fault: str) -> None:
    folder = shutil.copytree(CORE_FOLDER, tmp_path / "core")
    text = (folder / "scenarios.toml").read_text("utf-8")
    assert old in text
    (folder / "scenarios.toml").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(PackError) as refused:
        load_content(folder)
    assert any(found.startswith(f"scenarios.toml: {fault}") for found in refused.value.faults), refused.value.faults
