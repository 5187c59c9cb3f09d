"""`./dev docs [--folder DIR] [--versions DIR]`: build the documentation site, and fail at any link that leads nowhere.

The package has the pages of its own version. With `--versions` a folder for a web server gets one site for each version
that was built into it, and the pages a list of them, in the format of mike, which Material reads.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "clients" / "python" / "diskwars_cli" / "site"
BUILD_SECONDS = 300
VERSIONS_VARIABLE = "DISKWARS_DOCS_VERSIONS"
VERSIONS = "versions.json"
LATEST = "latest"
NOT_SHOWN = ("sitemap.xml", "sitemap.xml.gz")
"""They name the time of the build, and addresses that nobody knows before a server shows the site."""


def build_site(folder: Path, *, has_versions: bool = False) -> None:
    """Build the site into a folder, which is replaced. Any warning of MkDocs is an error of `subprocess`.

    With `has_versions` its pages look for a list of versions beside the folder; without one that would be an error in
    the console of a browser.
    """
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", "PYTHONPATH": str(ROOT)}
    environment[VERSIONS_VARIABLE] = "yes" if has_versions else ""
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=BUILD_SECONDS)
    for name in NOT_SHOWN:
        (folder / name).unlink(missing_ok=True)
    for source_map in folder.rglob("*.map"):
        source_map.unlink()
    shutil.rmtree(folder / "simulation" / "__pycache__", ignore_errors=True)


def read_version() -> str:
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return version


def add_version(folder: Path, version: str) -> Path:
    """Build the site of a version into a folder beside those that are there, and return where it is."""
    built = folder / version
    build_site(built, has_versions=True)
    list_versions(folder)
    return built


def list_versions(folder: Path) -> None:
    """Write the list of the versions in a folder, the newest first, and a first page that leads to the newest."""
    found = sorted((site.parent.name for site in folder.glob("*/index.html")), key=numbers, reverse=True)
    rows = [{"version": name, "title": name, "aliases": [LATEST] if name == found[0] else []} for name in found]
    (folder / VERSIONS).write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    target = f"{found[0]}/index.html"
    (folder / "index.html").write_text(
        f'<!doctype html>\n<meta charset="utf-8">\n<title>Diskwars</title>\n'
        f'<meta http-equiv="refresh" content="0; url={target}">\n<a href="{target}">{found[0]}</a>\n',
        "utf-8",
    )


def numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".") if part.isdigit()]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev docs", description=__doc__)
    parser.add_argument("--folder", type=Path, default=SITE, help="where the site goes; a server shows the usual place")
    parser.add_argument("--versions", type=Path, help="a folder with a site for each version")
    options = parser.parse_args(arguments)
    folder = options.folder
    try:
        if options.versions:
            folder = add_version(options.versions, read_version())
        else:
            build_site(folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as fault:
        print(f"./dev docs: {fault}", file=sys.stderr)
        return 1
    files = [file for file in folder.rglob("*") if file.is_file()]
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files):,} bytes: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
