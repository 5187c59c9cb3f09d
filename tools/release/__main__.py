"""`./dev release [--folder DIR] [--trial]`: build the files of a release from the tag at its commit, and try them.

Everything is built twice, from nothing but the files of the commit, and has the same bytes both times. Wheel and source
distribution are installed into environments of their own and play a match, before anything is written into the folder.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.release import artifacts, statements, trials
from tools.release.artifacts import ReleaseError

ROOT = Path(__file__).parents[2]


def make_release(repository: Path, folder: Path, *, is_trial: bool) -> None:
    """Fill a folder with the files of a release. Raises ReleaseError."""
    commit = artifacts.find_commit(repository)
    version = artifacts.find_version(repository, is_trial=is_trial)
    if folder.exists() and any(folder.iterdir()):
        raise ReleaseError(f"{folder} is not empty")
    seconds = artifacts.commit_seconds(repository, commit)
    with tempfile.TemporaryDirectory(prefix="diskwars-release-") as name:
        work = Path(name)
        work.chmod(0o755)  # for the account of PostgreSQL, where the trial runs as root
        built = [work / "first", work / "second"]
        for turn in built:
            say(f"building {version} of {commit[: artifacts.BUILD_DIGITS]}, {turn.name} time")
            (turn / "sources").mkdir(parents=True)
            (turn / "files").mkdir()
            artifacts.export(repository, commit, turn / "sources")
            artifacts.write_version(turn / "sources", version)
            if not is_trial:
                artifacts.require_notes(turn / "sources", version)
            artifacts.build_docs(turn / "sources")
            artifacts.build(turn / "sources", seconds, turn / "files")
            artifacts.pack_npm(turn / "sources" / "clients" / "web", turn / "files")
        files, sources = built[0] / "files", built[0] / "sources"
        artifacts.require_equal(*(artifacts.digests_of(turn / "files") for turn in built))
        for package in sorted([*files.glob("*.whl"), *files.glob(f"diskwars-{version}.tar.gz")]):
            say(f"trying {package.name}")
            called = trials.try_package(package, sources, work / f"trial of {package.name}", version)
            say(f"{called} has played a match")
        say("listing components")
        statements.list_components(sources, work / "components", seconds, files)
        statement = statements.state_provenance(artifacts.digests_of(files), version, commit, is_trial=is_trial)
        statements.write_provenance(files, statement)
        statements.write_checksums(files, artifacts.digests_of(files))
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(files.iterdir()):
            (folder / file.name).write_bytes(file.read_bytes())
            say(f"{file.stat().st_size:>10,}  {file.name}")


def say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev release", description=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("--folder", type=Path, default=ROOT / "dist", help="where the files go (dist)")
    parser.add_argument("--trial", action="store_true", help="build a commit without a tag, or without notes")
    options = parser.parse_args(arguments)
    try:
        make_release(ROOT, options.folder, is_trial=options.trial)
    except ReleaseError as fault:
        print(f"./dev release: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
