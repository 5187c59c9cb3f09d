"""`./dev docs [--folder DIR]`: build the documentation site, and fail at any link that leads nowhere."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "clients" / "python" / "diskwars_cli" / "site"
BUILD_SECONDS = 300
NOT_SHOWN = ("sitemap.xml", "sitemap.xml.gz")
"""They name the time of the build, and addresses that nobody knows before a server shows the site."""


def build_site(folder: Path) -> None:
    """Build the site into a folder, which is replaced. Any warning of MkDocs is an error of `subprocess`."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SOURCE_DATE_EPOCH": "0", "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=BUILD_SECONDS)
    for name in NOT_SHOWN:
        (folder / name).unlink(missing_ok=True)
    for source_map in folder.rglob("*.map"):
        source_map.unlink()
    shutil.rmtree(folder / "simulation" / "__pycache__", ignore_errors=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="./dev docs", description=__doc__)
    parser.add_argument("--folder", type=Path, default=SITE, help="where the site goes; a server shows the usual place")
    folder = parser.parse_args(arguments).folder
    try:
        build_site(folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as fault:
        print(f"./dev docs: {fault}", file=sys.stderr)
        return 1
    files = [file for file in folder.rglob("*") if file.is_file()]
    print(f"{len(files)} files, {sum(file.stat().st_size for file in files):,} bytes: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
