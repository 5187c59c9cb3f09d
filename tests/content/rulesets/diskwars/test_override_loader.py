"""Tests of override files: what they change, what they leave alone, and their faults."""

import re
import tomllib
from pathlib import Path

import pytest

from diskwars_content.packs import PackError
from diskwars_content.rulesets.diskwars import (
    CORE_FOLDER,
    check_pack,
    core_pack,
    expansion_pack,
    load_packs,
    override_template,
)
from diskwars_content.rulesets.diskwars.override_loader import OverriddenPacks, format_toml_path
from diskwars_content.rulesets.diskwars.raw_tables import load_raw_tables
from diskwars_protocol.rulesets.diskwars.setup_cards import DeploymentFace, TerrainKeyword
from diskwars_protocol.rulesets.diskwars.stats import Amount, Keyword

OVERRIDE_HEAD = 'id = "my box"\nversion = "2"\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def load_override(file: Path, text: str, *packs: str) -> OverriddenPacks:
    file.write_text(OVERRIDE_HEAD + text)
    return load_packs(*packs, file)


def override_faults(file: Path, text: str) -> list[str]:
    """Check a file with this text; return its faults without the name of the file."""
    file.write_text(OVERRIDE_HEAD + text)
    return [line.removeprefix("mine.toml ") for line in check_pack(file)]


# ---------------------------------------------------------------- merging


def test_override_changes_only_the_figures_that_it_names(file: Path) -> None:
    catalogue = load_override(file, '[disks."Orc Boyz"]\nmovement = 2\nkeywords = ["Impact 2"]\n').catalogue
    before, now = core_pack().disks["orc-boyz"], catalogue.disks["orc-boyz"]
    assert (now.movement, now.keywords) == (2, (Keyword("impact", Amount(2)),))
    assert (now.strength, now.counter_strength, now.cost, now.race) == (
        before.strength,
        before.counter_strength,
        before.cost,
        before.race,
    )
    assert {name: disk for name, disk in catalogue.disks.items() if name != "orc-boyz"} == {
        name: disk for name, disk in core_pack().disks.items() if name != "orc-boyz"
    }


def test_overridden_figures_have_basis_own_and_others_keep_theirs(file: Path) -> None:
    entries = load_override(
        file, '[disks."Orc Boyz"]\nmovement = 2\n[cards."Fists of Mork"]\nactivations = 2\n'
    ).overridden
    disk, card = entries["disks"]["orc-boyz"], entries["cards"]["fists-of-mork"]
    base = load_raw_tables(CORE_FOLDER).entries["disks"]["orc-boyz"]["basis"]
    assert isinstance(base, dict)
    assert disk["basis"] == {**base, "movement": "own"}
    assert card["basis"] == {"strategy": "house", "activations": "own", "faction": "house"}


def test_every_kind_of_card_and_the_table_can_be_overridden(file: Path) -> None:
    found = load_override(
        file,
        """
[table.sizes]
medium = 60000
[table.field]
short = 70000
[table.battle_die]
faces = ["hit", "hit", "scatter", "chaos", "miss", "critical"]
[table.deployment]
common = 4
width = 90000
[cards."Press On"]
activations = 5
[scenarios."Forced March"]
objective = [{ type = "survive", points = 2 }]
[deployments.Rendezvous]
value = 2
[armies."Empire Patrol"]
hand = ["Press On", "Feint"]
""",
    ).catalogue
    assert (found.sizes["medium"], found.field.short, found.field.medium) == (60000, 70000, core_pack().field.medium)
    assert found.disks["karl-franz"].radius == 30000
    assert found.disks["orc-boyz"].radius == core_pack().disks["orc-boyz"].radius
    assert found.battle_die.count("hit") == 2
    rendezvous = found.deployments["rendezvous"]
    assert (rendezvous.width, rendezvous.faces) == (90000, (DeploymentFace(4), DeploymentFace(2, ("rendezvous",))))
    assert found.cards["press-on"].activations == 5
    assert found.scenarios["forced-march"].ability == core_pack().scenarios["forced-march"].ability
    assert found.armies["empire-patrol"].hand == ("press-on", "feint")
    assert found.armies["empire-patrol"].regiments == core_pack().armies["empire-patrol"].regiments


def test_r_54_overriding_the_outline_of_a_face_mirrors_the_other_face(file: Path) -> None:
    text = '[terrain."Warp Fissure"]\ncorners = [[-30000, -30000], [30000, -30000], [0, 30000]]\nkeywords = ["Rough"]\n'
    gully, fissure = load_override(file, text).catalogue.terrain["gully-warp-fissure"].faces
    assert fissure.corners == ((-30000, -30000), (30000, -30000), (0, 30000))
    assert gully.corners == ((0, 30000), (-30000, -30000), (30000, -30000))
    assert fissure.keywords == (TerrainKeyword("rough"),)
    assert gully.keywords == core_pack().terrain["gully-warp-fissure"].faces[0].keywords


def test_example_file_adds_a_complete_new_disk(file: Path) -> None:
    text = re.sub(r"^# (?=[a-z\[])", "", override_template.OVERRIDE_EXAMPLES, flags=re.MULTILINE)
    catalogue = load_override(file, text).catalogue
    assert catalogue.disks["snotlings"].race == "orcs-and-goblins"
    assert catalogue.copies["snotlings"] == 3


def test_second_file_is_merged_over_the_first_and_may_refer_to_the_expansion(file: Path, tmp_path: Path) -> None:
    file.write_text(OVERRIDE_HEAD + "[disks.Malekith]\nmovement = 1\n")
    second = tmp_path / "second.toml"
    second.write_text('id = "second"\nversion = "1"\n[disks.Malekith]\nstrength = 1\n')
    catalogue = load_packs(file, second, "expansion").catalogue
    assert (catalogue.disks["malekith"].movement, catalogue.disks["malekith"].strength) == (1, 1)
    assert [pack.id for pack in catalogue.other_packs] == ["diskwars/expansion", "my box", "second"]


def test_starter_armies_that_become_illegal_are_dropped_and_listed(file: Path) -> None:
    pack = load_override(file, '[disks."Karl Franz"]\npoints = 5\n')
    assert "Empire Patrol" in pack.dropped_armies
    dropped = {army.id for army in core_pack().armies.values() if army.name in pack.dropped_armies}
    assert set(pack.catalogue.armies) == set(core_pack().armies) - dropped
    assert all("karl-franz" in core_pack().armies[id].disks for id in dropped)


def test_hash_covers_figures_but_not_formatting_and_comments(file: Path) -> None:
    first = load_override(file, '[disks."Orc Boyz"]\nmovement = 2\n').catalogue.other_packs[-1]
    same = load_override(file, '# slower\n[disks]\n"Orc Boyz" = { movement = 2 }\n').catalogue.other_packs[-1]
    other = load_override(file, '[disks."Orc Boyz"]\nmovement = 3\n').catalogue.other_packs[-1]
    assert (first.id, first.version) == ("my box", "2")
    assert first.hash == same.hash != other.hash


# ---------------------------------------------------------------- faults

NEW = "a new one also needs copies, counter_strength, faction, kind, race, size, stamina, strength, toughness"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ('[disks."Orc Boyz"]\nmovement = -4', ['$.disks."Orc Boyz".movement: -4 is not from 0 to 99']),
        ('[disks."Orc Boyz"]\ntoughnes = 4', ['$.disks."Orc Boyz".toughnes: unknown field; did you mean "toughness"?']),
        ('[disks."Orc Boyz"]\npoints = 4', ['$.disks."Orc Boyz".points: a unit has none']),
        (
            '[disks."Orc Boys"]\nmovement = 4',
            [f'$.disks."Orc Boys": there is no disk of this name, and {NEW}; did you mean "Orc Boyz"?'],
        ),
        (
            "[disks.Malekith]\nmovement = 4",
            ["$.disks.Malekith: disk of diskwars/expansion, which is not played with: name that pack too"],
        ),
        (
            '[disks."Orc Boyz"]\nbasis = "own"',
            ['$.disks."Orc Boyz".basis: "basis" is not written here: all is your own'],
        ),
        (
            '[disks."Orc Boyz"]\nkeywords = ["Impct 2"]',
            ['$.disks."Orc Boyz".keywords[0]: unknown keyword "Impct"; did you mean "Impact"?'],
        ),
        ("[disks]\nGrom = 4", ["$.disks.Grom: expected a table, found 4"]),
        ("disks = 4", ["$.disks: expected a table, found a whole number"]),
        ("[diks]", ['$.diks: unknown field; did you mean "disks"?']),
        ("[table.sizes]\nsmall = 3", ["$.table.sizes.small: a diameter of 3 is not even"]),
        ("[table.size]\nsmall = 4", ['$.table.size: unknown field; did you mean "sizes"?']),
        ("[terrain.Guly]\nkeywords = []", ['$.terrain.Guly: there is no face of this name; did you mean "Gully"?']),
        (
            "[terrain.Gully]\ncorners = [[0, 0], [1, 1]]",
            ["$.terrain.Gully.corners: an outline has 3 to 24 corners, not 2"],
        ),
        (
            '[terrain.Gully]\nkeywords = ["Dangerous"]',
            ['$.terrain.Gully.keywords[0]: "Dangerous" is printed with one of (physical) (arcane)'],
        ),
        (
            '[cards."Press On"]\nfaction = "Chaos"',
            ['$.cards."Press On".faction: "Chaos" is none of order, destruction'],
        ),
        (
            '[cards."Hold Fast"]\nabilities = '
            '[{ timing = "battle", user = "Mason", effect = { type = "empower", reach = "long" } }]',
            ['$.cards.hold-fast.abilities[0].user: no disk is "Mason" by trait, race, kind or id'],
        ),
        ('[armies."Empire Patrol"]\nhand = ["Press On"]', None),
    ],
)
def test_fault_is_reported_with_its_place_in_the_override_file(file: Path, text: str, faults: list[str] | None) -> None:
    found = override_faults(file, text)
    if faults is None:
        assert found[0].startswith('$.armies."Empire Patrol".hand: R2.6')
    else:
        assert found == faults


def test_all_faults_are_reported_at_once_and_raised_on_loading(file: Path) -> None:
    text = '[disks."Orc Boyz"]\nmovement = -4\n[cards."Press On"]\nactivations = 40\n[terrain.Guly]\n'
    faults = override_faults(file, text)
    assert len(faults) == 3
    with pytest.raises(PackError) as caught:
        load_packs(file)
    assert len(caught.value.faults) == 3


def test_override_file_may_not_have_the_id_of_a_pack(file: Path) -> None:
    file.write_text('id = "diskwars/core"\nversion = "1"\n')
    assert check_pack(file) == ['mine.toml $.id: "diskwars/core" is the id of another pack']


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ('traits = ["empire"]', '$.traits[0]: "empire" is a race too'),
        ('races = ["goblin"]', '$.races[0]: "goblin" is a trait too'),
        ('races = ["dwarfs"]\ntraits = ["slayer", "dwarfs"]', '$.traits[1]: "dwarfs" is a race too'),
        ('traits = ["orc-boyz"]', '$.traits[0]: "orc-boyz" is the id of a disk too'),
        ('traits = ["unit"]', '$.traits[0]: "unit" is a kind of disk too'),
    ],
)
def test_word_that_would_select_two_things_is_refused(words: str, fault: str, file: Path) -> None:
    file.write_text(f'id = "mine"\nversion = "1"\n{words}\n')
    assert check_pack(file) == [f"mine.toml {fault}: effects could not tell them apart"]


# ---------------------------------------------------------------- templates


def test_example_file_overrides_nothing_while_it_is_commented_out(file: Path) -> None:
    file.write_text(override_template.write_example_override("mine"))
    assert check_pack(file) == []
    assert load_packs(file).written_keys == {}


def test_full_file_lists_every_house_figure_with_its_value(file: Path) -> None:
    text = override_template.write_full_override("mine", load_raw_tables(CORE_FOLDER))
    head, body = text.split('version = "1"\n')
    file.write_text(head + 'version = "1"\n' + re.sub(r"^# ", "", body, flags=re.MULTILINE))
    pack = load_packs(file)
    for name in ("field", "sizes", "disks", "cards", "scenarios", "deployments", "terrain", "armies"):
        assert getattr(pack.catalogue, name) == getattr(core_pack(), name)
    assert "movement" in pack.written_keys["disks", "orc-boyz"]
    assert "cost" not in pack.written_keys["disks", "orc-boyz"]  # stated by a source


def test_places_are_written_like_toml_table_headers() -> None:
    place = format_toml_path(("disks", "Orc Boyz", "shots", 0, "beyond"))
    assert place == '$.disks."Orc Boyz".shots[0].beyond'
    assert tomllib.loads(f"[{format_toml_path(('disks', 'Orc Boyz')).removeprefix('$.')}]") == {
        "disks": {"Orc Boyz": {}}
    }


def test_expansion_is_loaded_by_its_name() -> None:
    assert load_packs("expansion").catalogue.other_packs == (expansion_pack().pack,)
