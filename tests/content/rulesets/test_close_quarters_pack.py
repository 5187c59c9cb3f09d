"""The pack of close quarters: its figures, the basis of each, and faults that are found and named."""

import shutil
import tomllib
from pathlib import Path

import pytest

from diskwars_content.packs import PackError
from diskwars_content.rulesets.close_quarters import CORE_FOLDER, core_content, load_content
from tests.rows import each_row

FIGURES = {
    "raiders": (6, 12, 3, 2, 1, 2, 4, 3, 4, 3),
    "guards": (5, 16, 3, 4, 1, 3, 3, 4, 3, 3),
    "brute": (6, 12, 2, 3, 2, 1, 5, 1, 4, 4),
    "mob": (6, 8, 2, 0, 0, 2, 3, 2, 2, 3),
    "sappers": (5, 10, 3, 3, 1, 2, 4, 3, 3, 3),
}
"""Mv, Aw, Ev, Ar, To, Ld, Nv, BS, WS, Str."""


@each_row("profile", core_content().profiles, ids=lambda profile: profile.id)
def test_units_have_the_figures_of_their_cards(profile: object) -> None:
    names = ["movement_inches", "awareness_inches", "evasion", "armour", "toughness", "leadership", "nerve"]
    names += ["ballistic_skill", "weapon_skill", "strength"]
    assert tuple(getattr(profile, name) for name in names) == FIGURES[getattr(profile, "id", "")]


def test_weapons_have_the_figures_of_their_cards() -> None:
    content = core_content()
    ranged = {
        weapon.id: (weapon.rate_of_fire, weapon.strength, weapon.armour_piercing) for weapon in content.ranged_weapons
    }
    assert ranged == {"pistol": (1, 3, 2), "carbine": (2, 4, 3)}
    assert [weapon.id for weapon in content.ranged_weapons if weapon.one_handed] == ["pistol"]
    melee = {
        weapon.id: (weapon.attacks, weapon.weapon_skill, weapon.strength, weapon.armour_piercing)
        for weapon in content.melee_weapons
    }
    assert melee == {
        "blade": (1, 0, 0, 2),
        "chief-blade": (2, 1, 2, 4),
        "bayonet": (1, 0, 0, 1),
        "sergeant-sword": (2, 1, 1, 3),
        "club": (3, 0, 0, 2),
        "spike": (2, 0, 1, 4),
        "maul": (1, -1, 3, 4),
    }


def test_everything_in_the_pack_is_played_in_a_scenario() -> None:
    """B-2, B-10, B-12: units without armour and toughness, and a choice of weapons, too."""
    content = core_content()
    scenarios = content.scenarios.values()
    assert {squad.profile for one in scenarios for squad in (*one.squads, *one.opposing)} == {*FIGURES}
    carried = {id for profile in content.profiles for id in (*profile.weapons, *profile.leader_weapons)}
    assert carried == {weapon.id for weapon in content.melee_weapons}
    assert {profile.ranged_weapon for profile in content.profiles} == {None, "pistol", "carbine"}
    tasks = [one.task.kind for one in scenarios if one.task is not None]
    assert len(tasks) >= 5
    assert {*tasks} == {"hold", "break_through", "rescue", "last_stand"}
    assert sum(bool(one.high_ground) for one in scenarios) >= 3


@each_row("name", ["units.toml", "weapons.toml", "scenarios.toml"])
def test_every_figure_has_a_basis(name: str) -> None:
    for tables in tomllib.loads((CORE_FOLDER / name).read_text("utf-8")).values():
        for table in tables:
            assert set(table["basis"]) - {"name"} == set(table) - {"id", "name", "basis"}, table["id"]


def faults(tmp_path: Path, name: str, old: str, new: str) -> tuple[str, ...]:
    """Return what is wrong with the pack after one change."""
    folder = tmp_path / "core"
    shutil.copytree(CORE_FOLDER, folder)
    text = (folder / name).read_text("utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(PackError) as refused:
        load_content(folder)
    return refused.value.faults


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "units.toml",
            'weapons = ["blade"]',
            'weapons = ["spoon"]',
            'units.toml: "raiders" has an unknown melee weapon "spoon"',
        ),
        (
            "units.toml",
            'ranged_weapon = "pistol"',
            'ranged_weapon = "bow"',
            'units.toml: "raiders" has an unknown ranged weapon "bow"',
        ),
        (
            "units.toml",
            "movement_inches = 6",
            "movement_inches = 0",
            "units.toml: unit 1: movement_inches: 0 is below 1",
        ),
        (
            "units.toml",
            "nerve = 4",
            "nerve = 4\nnerf = 4",
            'units.toml: unit 1: nerf: there is no field `nerf` here; did you mean "nerve"?',
        ),
        ("units.toml", 'id = "guards"', 'id = "raiders"', 'units.toml: there are two unit "raiders"'),
        (
            "weapons.toml",
            '"house"',
            '"guess"',
            "weapons.toml: ranged_weapon 1: Invalid enum value 'guess' - at `$[...]`",
        ),
        (
            "scenarios.toml",
            'profile = "raiders"',
            'profile = "orcs"',
            'scenarios.toml: "boarding-action" has an unknown unit "orcs"',
        ),
        (
            "scenarios.toml",
            "[-120, 240]",
            "[-700, 240]",
            'scenarios.toml: "boarding-action" has a model off the table, at -100, 740',
        ),
        (
            "scenarios.toml",
            "[-120, 240]",
            "[-120, 200]",
            'scenarios.toml: "boarding-action" has two models whose bases overlap, at 480, 700',
        ),
        (
            "scenarios.toml",
            "x1 = 1200",
            "x1 = 1300",
            'scenarios.toml: "boarding-action" has a barricade that is another one when the table is turned by 180°',
        ),
        (
            "scenarios.toml",
            "barricade = { x0 = 1200, y0 = 400, x1 = 1200, y1 = 1200 }",
            "barricade = { x0 = 600, y0 = 480, x1 = 1800, y1 = 1120 }",
            'scenarios.toml: "boarding-action" has a model on its barricade, at 600, 500',
        ),
    ],
)
def test_fault_is_found_and_named(tmp_path: Path, name: str, old: str, new: str, fault: str) -> None:
    assert fault in faults(tmp_path, name, old, new)


def test_figures_change_the_hash_and_their_basis_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "core"
    shutil.copytree(CORE_FOLDER, folder)
    units = (folder / "units.toml").read_text("utf-8")
    (folder / "units.toml").write_text(units.replace('movement_inches = "house"', 'movement_inches = "found"'), "utf-8")
    assert load_content(folder).pack == core_content().pack
    (folder / "units.toml").write_text(units.replace("movement_inches = 6", "movement_inches = 7", 1), "utf-8")
    assert load_content(folder).pack.hash != core_content().pack.hash
