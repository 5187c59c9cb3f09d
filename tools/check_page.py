"""Check what the page is given: types of the structs, rules of the register, and a lock file that names no addresses.

`--write` renews types and rules.
"""

import json
import sys
from pathlib import Path

from diskwars_content.rule_register import PAGES, parse_register, read_page
from diskwars_protocol.typescript import make_typescript

WEB = Path(__file__).resolve().parents[1] / "clients" / "web"
TYPES = WEB / "src" / "protocol" / "types.ts"
RULES = WEB / "src" / "rules" / "register.json"
GAMES = ("diskwars", "pit", "close_quarters", "regiments")
"""The rulesets of the pages of the register, in their order."""


def make_rules() -> str:
    """Return the register as the page reads it: sections with their game, and entries with id, text and origins."""
    found = []
    for game, name in zip(GAMES, PAGES, strict=True):
        for section in parse_register(read_page(name)).sections:
            rules = [{"id": rule.id, "text": rule.text, "origins": list(rule.origins)} for rule in section.rules]
            if rules:
                found.append({"game": game, "title": section.title, "rules": rules})
    return json.dumps(found, ensure_ascii=False, indent=0) + "\n"


def find_faults() -> list[str]:
    faults = []
    if not RULES.is_file() or RULES.read_text("utf-8") != make_rules():
        faults.append(f"{RULES.name} is not that of docs/rules*.md: ./dev types --write")
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
        RULES.write_text(make_rules(), "utf-8")
        return 0
    faults = find_faults()
    for fault in faults:
        print(f"clients/web: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
