"""Build hook of the wheel: it contains the page, or is built without one on purpose."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
PAGE = ROOT / "clients" / "python" / "diskwars_cli" / "page"
SOURCES = ROOT / "clients" / "web"
HINT = "DISKWARS_PAGE=off builds a package without the page, DISKWARS_PAGE=built takes it as it is"


class PageBuildHook(BuildHookInterface[Any]):
    """Builds the page before it is packed, where it is missing or older than its sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        choice = os.environ.get("DISKWARS_PAGE", "build")
        # An editable package is a clone, in which `serve` builds the page.
        if version == "editable" or choice == "off":
            return
        if choice == "build" and (SOURCES / "package.json").exists() and not is_built_by_hand():
            build_page()
        if not (PAGE / "index.html").exists():
            sys.exit(f"the package would have no page: there is none in {PAGE}; {HINT}")


def is_built_by_hand() -> bool:
    """Whether there is a page without the stamp of its sources, as `npm run build` makes it."""
    return (PAGE / "index.html").exists() and not (PAGE / ".built-from").exists()


def build_page() -> None:
    sys.path[:0] = [str(ROOT / part) for part in ("protocol", "server", "clients/python")]
    from diskwars_cli.own_server.page_build import BuildError, build_if_stale

    try:
        # The environment of a build is not ours: nothing is installed into it.
        build_if_stale(SOURCES, PAGE, lambda line: print(line, file=sys.stderr, flush=True), may_install_node=False)
    except BuildError as fault:
        sys.exit(f"the page is not built: {fault}; {HINT}")
