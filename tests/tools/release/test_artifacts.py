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


def test_commit_without_the_tag_of_its_version_is_built_as_a_trial_only(repository: Path) -> None:
    version = artifacts.read_version(repository)
    with pytest.raises(ReleaseError, match=r"no tag v1\.2\.3"):
        artifacts.find_commit(repository, version, is_trial=False)
    git(repository, "tag", "v1.2.2")
    with pytest.raises(ReleaseError, match=r"no tag v1\.2\.3"):
        artifacts.find_commit(repository, version, is_trial=False)
    trial = artifacts.find_commit(repository, version, is_trial=True)
    git(repository, "tag", "v1.2.3")
    assert artifacts.find_commit(repository, version, is_trial=False) == trial


def test_changes_that_are_in_no_commit_are_refused_in_a_trial_too(repository: Path) -> None:
    (repository / "forgotten.py").write_text("")
    with pytest.raises(ReleaseError, match=r"1 files are not committed, first forgotten\.py"):
        artifacts.find_commit(repository, "1.2.3", is_trial=True)


def test_exported_files_are_those_of_the_commit_and_name_it(repository: Path, tmp_path: Path) -> None:
    commit = artifacts.find_commit(repository, "1.2.3", is_trial=True)
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
