"""Version of the program, and the commit that a release was built from."""

from importlib import metadata, resources

BUILD_FILE = "build.txt"
"""Written by `./dev release` into what it packs. A clone has none."""


def program_version() -> str:
    """Return version and build, as in `1.0.0+1a2b3c4d5e6f`; 0 for a checkout that is not installed."""
    try:
        version = metadata.version("diskwars")
    except metadata.PackageNotFoundError:
        return "0"
    return f"{version}+{build}" if (build := read_build()) else version


def read_build() -> str:
    """Return the first digits of the commit that this program was built from, empty for a clone."""
    file = resources.files("diskwars_server") / BUILD_FILE
    return file.read_text("ascii").strip() if file.is_file() else ""
