"""The changelog: fragments have a known kind, and towncrier joins them above the releases that are there."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.code_sizes import ROOT
from tests.optional_packages import import_or_skip

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
KINDS = [kind["directory"] for kind in SETTINGS["type"]]
FRAGMENT = re.compile(rf"(?:\d+|\+[a-z0-9-]+)\.(?:{'|'.join(KINDS)})(?:\.\d+)?\.md")
MAX_FRAGMENT_LETTERS = 500


def test_fragments_have_a_known_kind_and_are_short() -> None:
    folder = ROOT / SETTINGS["directory"]
    files = [file for file in folder.iterdir() if file.name not in SETTINGS["ignore"]]
    assert [file.name for file in files if not FRAGMENT.fullmatch(file.name)] == []
    assert [file.name for file in files if not 0 < len(file.read_text("utf-8").strip()) <= MAX_FRAGMENT_LETTERS] == []
    assert all(f"`{kind}`" in (folder / "README.md").read_text("utf-8") for kind in KINDS)


@pytest.mark.parametrize("version", ["1.1.0"])
def test_fragments_become_a_section_above_the_last_release(tmp_path: Path, version: str) -> None:
    import_or_skip("towncrier")
    for name in ("pyproject.toml", SETTINGS["filename"]):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "changelog.d").mkdir()
    for number, kind in enumerate(KINDS):
        (tmp_path / "changelog.d" / f"+thing-{number}.{kind}.md").write_text(f"Something for {kind}.\n")
    before = (tmp_path / SETTINGS["filename"]).read_text("utf-8")
    words = ("build", "--yes", "--version", version, "--date", "2027-01-02")
    subprocess.run([sys.executable, "-m", "towncrier", *words], cwd=tmp_path, check=True, capture_output=True)
    after = (tmp_path / SETTINGS["filename"]).read_text("utf-8")
    head, _, section = after.partition(SETTINGS["start_string"])
    assert section.lstrip().startswith(f"## {version} (2027-01-02)\n")
    assert [f"### {kind['name']}\n" in section for kind in SETTINGS["type"]] == [True] * len(KINDS)
    assert section.index("Something for fix.") < section.index("## 1.0.0")
    assert before == head + SETTINGS["start_string"] + section[section.index("\n## 1.0.0") :]
    assert list((tmp_path / "changelog.d").iterdir()) == []
