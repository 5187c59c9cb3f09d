"""The version that the program says, with the commit of a release."""

from importlib import metadata, resources
from pathlib import Path

import pytest

from diskwars_server.build import program_version


def test_clone_says_its_version_and_a_release_its_commit_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = metadata.version("diskwars")
    assert program_version() == version
    monkeypatch.setattr(resources, "files", lambda package: tmp_path)
    (tmp_path / "build.txt").write_text("1a2b3c4d5e6f\n")
    assert program_version() == f"{version}+1a2b3c4d5e6f"


def test_checkout_that_is_not_installed_has_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", find_nothing)
    assert program_version() == "0"
