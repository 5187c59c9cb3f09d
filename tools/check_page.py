"""Check that the page's types of the protocol are those of the structs, and that its lock file names no addresses.

`--write` renews the types.
"""

import json
import sys
from pathlib import Path

from diskwars_protocol.typescript import make_typescript

WEB = Path(__file__).resolve().parents[1] / "clients" / "web"
TYPES = WEB / "src" / "protocol" / "types.ts"


def find_faults() -> list[str]:
    faults = []
    if TYPES.read_text("utf-8") != make_typescript():
        faults.append(f"{TYPES.name} is not that of the structs: ./dev types --write")
    lock = json.loads((WEB / "package-lock.json").read_text("utf-8"))
    addressed = [name for name, package in lock["packages"].items() if "resolved" in package]
    if addressed:
        faults.append(f"package-lock.json says where {addressed[0]} was downloaded: install with the .npmrc beside it")
    return faults


def main(words: list[str]) -> int:
    if words == ["--write"]:
        TYPES.write_text(make_typescript(), "utf-8")
        return 0
    faults = find_faults()
    for fault in faults:
        print(f"clients/web: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
