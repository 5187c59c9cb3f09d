"""Wheel, source distribution, image context and npm package of a commit, the same bytes each time."""

import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

BUILD_DIGITS = 12
TAG = re.compile(r"v(\d+\.\d+\.\d+)")
VERSIONED = {
    "pyproject.toml": re.compile(r'^(version = ")[^"]+(")', re.MULTILINE),
    "CITATION.cff": re.compile(r"^(version: ).+()", re.MULTILINE),
    "clients/typescript/package.json": re.compile(r'^(  "version": ")[^"]+(")', re.MULTILINE),
    "clients/web/package.json": re.compile(r'^(  "version": ")[^"]+(")', re.MULTILINE),
}
"""The files of the sources that name the version, and where."""
BUILD_FILE = Path("server/diskwars_server/build.txt")
EXECUTABLE, READABLE = 0o755, 0o644


class ReleaseError(Exception):
    """Why there is no release. The text is for the one who called for it."""


def run(*command: str | Path, cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program to its end and return what it prints. Raises ReleaseError with the end of its output."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise ReleaseError(f"{' '.join(str(word) for word in command)} failed:\n{said}")
    return done.stdout


def read_version(sources: Path) -> str:
    """Return the version that the project says it has."""
    version: str = tomllib.loads((sources / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return version


def find_version(repository: Path, *, is_trial: bool) -> str:
    """Return the version of the newest tag at the commit, such as 1.0.0 of v1.0.0. Raises ReleaseError without one.

    A trial builds a commit without a tag under the version of the checkout.
    """
    tags = run("git", "tag", "--points-at", "HEAD", cwd=repository).split()
    versions = [found[1] for tag in tags if (found := TAG.fullmatch(tag))]
    if versions:
        return max(versions, key=lambda version: [int(part) for part in version.split(".")])
    if not is_trial:
        raise ReleaseError("the commit has no tag of a version such as v1.0.0; --trial needs none")
    return read_version(repository)


def write_version(sources: Path, version: str) -> None:
    """Write the version of a release into exported files. Raises ReleaseError where a file has no place for it."""
    for name, pattern in VERSIONED.items():
        text, count = pattern.subn(rf"\g<1>{version}\g<2>", (sources / name).read_text("utf-8"), count=1)
        if not count:
            raise ReleaseError(f"{name} names no version")
        (sources / name).write_text(text, "utf-8")


def require_notes(sources: Path, version: str) -> None:
    """Raise ReleaseError where the changelog does not have the version, or fragments are left that it lacks."""
    if f"\n## {version}" not in (sources / "docs" / "changelog.md").read_text("utf-8"):
        raise ReleaseError(f"docs/changelog.md has no section {version}: towncrier build --version {version}")
    if left := sorted(file.name for file in (sources / "changelog.d").glob("*.md") if file.name != "README.md"):
        raise ReleaseError(f"changelog.d has {len(left)} fragments that no version has, first {left[0]}")


def find_commit(repository: Path) -> str:
    """Return the commit to build. Raises ReleaseError for changes that are in none."""
    if changed := run("git", "status", "--porcelain", cwd=repository).splitlines():
        raise ReleaseError(f"{len(changed)} files are not committed, first {changed[0][3:]}")
    return run("git", "rev-parse", "HEAD", cwd=repository).strip()


def commit_seconds(repository: Path, commit: str) -> int:
    """Return the time of a commit, in seconds since 1970: that of every file in a release."""
    return int(run("git", "show", "--no-patch", "--format=%ct", commit, cwd=repository))


def export(repository: Path, commit: str, folder: Path) -> None:
    """Write the files of a commit into an empty folder, and which commit they are of."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", commit], cwd=repository, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "--extract", "--directory", folder], input=packed.stdout, check=True)
    (folder / BUILD_FILE).write_text(commit[:BUILD_DIGITS] + "\n", "ascii")


def build(sources: Path, seconds: int, folder: Path) -> None:
    """Build wheel, source distribution and image context from exported files. Raises ReleaseError."""
    environment = {"SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"}
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=sources, environment=environment)
    name = f"diskwars-{read_version(sources)}-image-context.tar.gz"
    (folder / name).write_bytes(pack_image_context(sources, seconds))


def pack_npm(web: Path, folder: Path) -> Path:
    """Build the npm package of the TypeScript SDK and return its file in `folder`. Raises ReleaseError.

    `web` are the sources of the page, with their packages: the build of the page leaves them there.
    """
    with tempfile.TemporaryDirectory(prefix="diskwars-npm-") as package:
        run("node", web / "sdk" / "build.js", package, cwd=web)
        listed = run("npm", "pack", "--json", "--pack-destination", folder.absolute(), cwd=Path(package))
    name: str = json.loads(listed)[0]["filename"]
    return folder / name


def build_docs(sources: Path) -> None:
    """Build the documentation site of exported files, which the wheel contains. Raises ReleaseError."""
    run(sys.executable, "-m", "tools.docs_site.build", cwd=sources)


def pack_image_context(sources: Path, seconds: int) -> bytes:
    """Return the folder that an image is built from, as a compressed archive."""
    unpacked = io.BytesIO()
    with tarfile.open(fileobj=unpacked, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for file in sorted(set(image_files(sources))):
            entry = tarfile.TarInfo(str(file.relative_to(sources)))
            entry.size, entry.mtime = file.stat().st_size, seconds
            entry.mode = EXECUTABLE if os.access(file, os.X_OK) else READABLE
            with file.open("rb") as content:
                archive.addfile(entry, content)
    return gzip.compress(unpacked.getvalue(), mtime=seconds)


def image_files(sources: Path) -> Iterator[Path]:
    """Return the Dockerfile, and every file that it copies from its folder."""
    dockerfile = sources / "Dockerfile"
    yield dockerfile
    for copied in re.findall(r"^COPY (?!--from)(.+) \S+$", dockerfile.read_text("utf-8"), re.MULTILINE):
        for pattern in copied.split():
            for found in sources.glob(pattern):
                yield from (file for file in (found.rglob("*") if found.is_dir() else [found]) if is_packed(file))


def is_packed(file: Path) -> bool:
    """Return whether a file is one of the sources, and was not made by a build."""
    made = {"node_modules", "__pycache__", "page"}
    return file.is_file() and not made & set(file.parts)


def digests_of(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder, by name."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(folder.iterdir())}


def require_equal(first: Mapping[str, str], second: Mapping[str, str]) -> None:
    """Raise ReleaseError where two builds of one commit differ."""
    differing = sorted(name for name in {*first, *second} if first.get(name) != second.get(name))
    if differing:
        raise ReleaseError(f"two builds of one commit differ: {', '.join(differing)}")
