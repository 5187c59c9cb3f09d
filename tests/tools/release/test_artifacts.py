"""A release is built from a commit with the tag of its version and from nothing else, with the same bytes each time."""

import io
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.code_sizes import ROOT
from tests.effort import is_whole
from tools.release import artifacts
from tools.release.artifacts import ReleaseError

SECONDS = 1_700_000_000
GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")


def git(repository: Path, *words: str) -> None:
    subprocess.run([*GIT, *words], cwd=repository, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    made = tmp_path / "repository"
    (made / "server" / "diskwars_server").mkdir(parents=True)
    (made / "server" / "diskwars_server" / "__init__.py").write_text("")
    (made / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (made / "Dockerfile").write_text("FROM x\nCOPY pyproject.toml ./\nCOPY --from=page a b\nCOPY server server\n")
    git(made, "init", "-q")
    git(made, "add", ".")
    git(made, "commit", "-q", "-m", "Begin")
    return made


def test_version_is_that_of_the_newest_tag_at_the_commit(repository: Path) -> None:
    with pytest.raises(ReleaseError, match=r"no tag of a version such as v1\.0\.0"):
        artifacts.find_version(repository, is_trial=False)
    assert artifacts.find_version(repository, is_trial=True) == "1.2.3"
    for tag in ("v1.9.0", "v1.10.0", "v1.10.0-rc1", "first"):
        git(repository, "tag", tag)
    assert artifacts.find_version(repository, is_trial=False) == "1.10.0"
    git(repository, "commit", "-q", "--allow-empty", "-m", "Go on")
    with pytest.raises(ReleaseError, match="no tag"):
        artifacts.find_version(repository, is_trial=False)


def test_changes_that_are_in_no_commit_are_refused(repository: Path) -> None:
    (repository / "forgotten.py").write_text("")
    with pytest.raises(ReleaseError, match=r"1 files are not committed, first forgotten\.py"):
        artifacts.find_commit(repository)


def test_version_is_written_into_every_file_that_names_it(tmp_path: Path) -> None:
    for name in artifacts.VERSIONED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    artifacts.write_version(tmp_path, "4.5.6")
    assert artifacts.read_version(tmp_path) == "4.5.6"
    for name in artifacts.VERSIONED:
        before, after = (ROOT / name).read_text().splitlines(), (tmp_path / name).read_text().splitlines()
        assert [line for line in after if line not in before and "4.5.6" in line], name
        assert sum(old != new for old, new in zip(before, after, strict=True)) == 1, name
    (tmp_path / "CITATION.cff").write_text("title: none\n")
    with pytest.raises(ReleaseError, match=r"CITATION\.cff names no version"):
        artifacts.write_version(tmp_path, "4.5.6")


def test_release_without_notes_or_with_loose_fragments_is_refused(tmp_path: Path) -> None:
    for folder in ("docs", "changelog.d"):
        (tmp_path / folder).mkdir()
    (tmp_path / "docs" / "changelog.md").write_text("# Changelog\n\n## 1.0.0 (2026-12-01)\n")
    artifacts.require_notes(tmp_path, "1.0.0")
    with pytest.raises(ReleaseError, match=r"no section 1\.1\.0: towncrier build --version 1\.1\.0"):
        artifacts.require_notes(tmp_path, "1.1.0")
    (tmp_path / "changelog.d" / "+clock.player.md").write_text("Clocks tick.\n")
    with pytest.raises(ReleaseError, match=r"1 fragments that no version has, first \+clock\.player\.md"):
        artifacts.require_notes(tmp_path, "1.0.0")


def test_notes_of_the_first_release_are_written() -> None:
    assert "\n## 1.0.0\n" in (ROOT / "docs" / "changelog.md").read_text("utf-8")
    assert artifacts.TAG.fullmatch("v1.0.0")


def test_exported_files_are_those_of_the_commit_and_name_it(repository: Path, tmp_path: Path) -> None:
    commit = artifacts.find_commit(repository)
    (repository / "later.py").write_text("")
    exported = tmp_path / "exported"
    exported.mkdir()
    artifacts.export(repository, commit, exported)
    assert (exported / artifacts.BUILD_FILE).read_text() == commit[:12] + "\n"
    assert sorted(path.name for path in exported.iterdir()) == ["Dockerfile", "pyproject.toml", "server"]


def test_image_context_has_what_the_dockerfile_copies_at_the_time_of_the_commit(repository: Path) -> None:
    packed = artifacts.pack_image_context(repository, SECONDS)
    assert packed == artifacts.pack_image_context(repository, SECONDS)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        entries = archive.getmembers()
    assert [entry.name for entry in entries] == ["Dockerfile", "pyproject.toml", "server/diskwars_server/__init__.py"]
    assert {(entry.mtime, entry.uid, entry.mode) for entry in entries} == {(SECONDS, 0, 0o644)}


def test_image_context_of_the_project_has_sources_only() -> None:
    names = {str(file.relative_to(ROOT)) for file in artifacts.image_files(ROOT)}
    assert {"Dockerfile", "hatch_build.py", "deploy/requirements-image.txt", "docs/rules-pit.md"} <= names
    assert "clients/web/package-lock.json" in names
    assert not [name for name in names if "node_modules" in name or name.endswith(".pyc")]


def test_two_builds_that_differ_are_no_release() -> None:
    artifacts.require_equal({"a": "1"}, {"a": "1"})
    with pytest.raises(ReleaseError, match="differ: a, b"):
        artifacts.require_equal({"a": "1", "c": "3"}, {"a": "2", "b": "2", "c": "3"})


def test_error_of_a_program_that_fails_has_the_end_of_its_output(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"sh -c .* failed:\nlast line"):
        artifacts.run("sh", "-c", "echo last line >&2; exit 3", cwd=tmp_path)


@pytest.mark.skipif(not is_whole(), reason="builds the package twice: with all tests only")
@pytest.mark.timeout(180)
def test_package_of_a_commit_has_the_same_bytes_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the page, which `./dev release` builds too."""
    monkeypatch.setenv("DISKWARS_PAGE", "off")
    digests = []
    for turn in ("first", "second"):
        sources, files = tmp_path / turn / "sources", tmp_path / turn / "files"
        sources.mkdir(parents=True)
        files.mkdir()
        artifacts.export(ROOT, "HEAD", sources)
        artifacts.build(sources, SECONDS, files)
        digests.append(artifacts.digests_of(files))
    version = artifacts.read_version(ROOT)
    assert list(digests[0]) == [
        f"diskwars-{version}-image-context.tar.gz",
        f"diskwars-{version}-py3-none-any.whl",
        f"diskwars-{version}.tar.gz",
    ]
    artifacts.require_equal(*digests)
