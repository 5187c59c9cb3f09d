"""Check what the page is given: types of the structs, rules in every language, and a lock file that names no addresses.

`--write` renews types and rules. Texts of the rules in other languages are written by hand. Each carries the digest of
the English one that it was made from, so that a change of docs/rules*.md is noticed here.
"""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from diskwars_content.rule_register import (
    EXAMPLE_ID_PATTERN,
    PAGES,
    RULE_ID_PATTERN,
    parse_register,
    read_page,
)
from diskwars_protocol.schema.typescript import make_typescript

WEB = Path(__file__).resolve().parents[1] / "clients" / "web"
TYPES = WEB / "src" / "protocol" / "types.ts"
RULES = WEB / "src" / "rules" / "register.json"
MESSAGES = WEB / "src" / "messages"
"""A folder for each language of the page, with its texts of the rules in `rules`; the register itself is English."""
GAMES = ("diskwars", "pit", "close_quarters", "regiments")
"""The rulesets of the pages of the register, in their order."""
DIGEST_LENGTH = 8
NUMBER_PATTERN = re.compile(r"\d+(?:[.,]\d+)*")


def rule_folders() -> list[Path]:
    """Return the folders with the rules in each language but English, that of the register."""
    languages = (folder for folder in sorted(MESSAGES.iterdir()) if folder.is_dir() and folder.name != "en")
    return [folder / "rules" for folder in languages]


def make_rules() -> str:
    """Return the register as the page reads it: sections with their game, and entries with id, text and origins."""
    sections = []
    for game, name in zip(GAMES, PAGES, strict=True):
        for section in parse_register(read_page(name)).sections:
            rules = [{"id": rule.id, "text": rule.text, "origins": list(rule.origins)} for rule in section.rules]
            if rules:
                sections.append({"game": game, "title": section.title, "rules": rules})
    return json.dumps(sections, ensure_ascii=False, indent=0) + "\n"


def digest_text(english: str) -> str:
    """Return the first digits of the SHA-256 of an English text, as a translation of it carries them in `of`."""
    return hashlib.sha256(english.encode()).hexdigest()[:DIGEST_LENGTH]


def find_translation_faults(sections: Iterable[Mapping[str, Any]], folder: Path) -> list[str]:
    """Return a line for each fault of the files in a folder: one for each game of the sections of register.json."""
    sections = list(sections)
    games = list(dict.fromkeys(section["game"] for section in sections))
    files = {file.stem: file for file in sorted(folder.glob("*.json"))}
    faults = [f"{file.name} is of no game of the register" for game, file in files.items() if game not in games]
    for game in games:
        of_game = [section for section in sections if section["game"] == game]
        faults_of_file = _compare(of_game, files[game]) if game in files else ["no such file"]
        faults += [f"{game}.json: {fault}" for fault in faults_of_file]
    return faults


def _compare(sections: list[Mapping[str, Any]], file: Path) -> list[str]:
    translation = json.loads(file.read_text("utf-8"))
    if not isinstance(translation, dict) or sorted(translation) != ["rules", "titles"]:
        return ["not an object of rules and titles"]
    titles = {section["title"]: section["title"] for section in sections}
    rules = {rule["id"]: rule["text"] for section in sections for rule in section["rules"]}
    return compare_texts(titles, translation["titles"]) + compare_texts(rules, translation["rules"])


def compare_texts(english: Mapping[str, str], translated: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return a line for each text that is missing, stale, unknown, malformed, or that names other rules or numbers."""
    faults = [f"{key} is unknown" for key in translated if key not in english]
    for key, text in english.items():
        entry = translated.get(key)
        if entry is None:
            faults.append(f"{key} is missing: of {digest_text(text)}")
        elif sorted(entry) != ["of", "text"] or not entry["text"].strip():
            faults.append(f"{key} has no text, or other keys than of and text")
        elif entry["of"] != digest_text(text):
            faults.append(f"{key} is stale: its English text has changed, now of {digest_text(text)}")
        else:
            faults += [f"{key} {difference}" for difference in _differences(text, entry["text"])]
    return faults


def _differences(english: str, translated: str) -> list[str]:
    """Compare what is the same in both languages: ids of rules and examples, and numbers but for their decimal sign."""
    ids, other_ids = _ids(english), _ids(translated)
    numbers, other_numbers = _numbers(english, "."), _numbers(translated, ",")
    return [f"has other ids: {_list(ids, other_ids)}"] * (ids != other_ids) + [
        f"has other numbers: {_list(numbers, other_numbers)}"
    ] * (ids == other_ids and numbers != other_numbers)


def _ids(text: str) -> Counter[str]:
    return Counter(RULE_ID_PATTERN.findall(text) + EXAMPLE_ID_PATTERN.findall(text))


def _numbers(text: str, decimal_sign: str) -> Counter[str]:
    thousands = "," if decimal_sign == "." else "."
    return Counter(
        number.replace(thousands, "").replace(decimal_sign, ".")
        for number in NUMBER_PATTERN.findall(RULE_ID_PATTERN.sub(" ", text))
    )


def _list(english: Counter[str], translated: Counter[str]) -> str:
    missing, added = sorted((english - translated).elements()), sorted((translated - english).elements())
    return "; ".join([f"without {', '.join(missing)}"] * bool(missing) + [f"with {', '.join(added)}"] * bool(added))


def find_faults() -> list[str]:
    faults = []
    if not RULES.is_file() or RULES.read_text("utf-8") != make_rules():
        faults.append(f"{RULES.name} is not that of docs/rules*.md: ./dev types --write")
    for folder in rule_folders():
        faults += [f"{folder.parent.name}/{line}" for line in find_translation_faults(json.loads(make_rules()), folder)]
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
