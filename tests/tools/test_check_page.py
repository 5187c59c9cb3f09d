"""The check of what the page is given finds every fault of the texts of the rules in another language."""

import json
from pathlib import Path
from typing import Any, get_args

from diskwars_protocol.messages.notices import NoticeLanguage
from tests.rows import each_row
from tools.check_page import MESSAGES, RULES, compare_texts, digest_text, find_translation_faults, rule_folders

ENGLISH = "A landing within 1.75 in of it ends the move (R8.5, F1)."
GERMAN = "Eine Landung in 1,75 Zoll davon beendet die Bewegung (R8.5, F1)."
SECTIONS = [{"game": "pit", "title": "Moves", "rules": [{"id": "R8.4", "text": ENGLISH, "origins": ["summary"]}]}]


def translate(english: str, german: str) -> dict[str, str]:
    return {"of": digest_text(english), "text": german}


def write_file(folder: Path, name: str = "pit", **changes: Any) -> None:
    titles = {"Moves": translate("Moves", "Bewegungen")}
    rules = {"R8.4": translate(ENGLISH, GERMAN)}
    file = {"titles": titles, "rules": rules} | changes
    (folder / f"{name}.json").write_text(json.dumps(file), "utf-8")


def test_complete_file_has_no_fault(tmp_path: Path) -> None:
    write_file(tmp_path)
    assert find_translation_faults(SECTIONS, tmp_path) == []


def test_every_game_of_the_register_needs_its_file(tmp_path: Path) -> None:
    write_file(tmp_path)
    faults = find_translation_faults([*SECTIONS, SECTIONS[0] | {"game": "regiments"}], tmp_path)
    assert faults == ["regiments.json: no such file"]


def test_missing_texts_are_named_with_the_digest_that_they_need(tmp_path: Path) -> None:
    write_file(tmp_path, titles={}, rules={})
    assert find_translation_faults(SECTIONS, tmp_path) == [
        f"pit.json: Moves is missing: of {digest_text('Moves')}",
        f"pit.json: R8.4 is missing: of {digest_text(ENGLISH)}",
    ]


def test_file_of_an_unknown_game_and_malformed_file_are_faults(tmp_path: Path) -> None:
    write_file(tmp_path, "chess")
    (tmp_path / "pit.json").write_text("[]", "utf-8")
    assert find_translation_faults(SECTIONS, tmp_path) == [
        "chess.json is of no game of the register",
        "pit.json: not an object of rules and titles",
    ]


@each_row(
    ("entries", "fault"),
    [
        (
            {"R8.4": {"of": "00000000", "text": GERMAN}},
            f"R8.4 is stale: its English text has changed, now of {digest_text(ENGLISH)}",
        ),
        ({"R8.4": translate(ENGLISH, " ")}, "R8.4 has no text, or other keys than of and text"),
        ({"R8.4": translate(ENGLISH, GERMAN) | {"note": ""}}, "R8.4 has no text, or other keys than of and text"),
        ({"R8.4": translate(ENGLISH, GERMAN), "R8.9": translate("", "Weg")}, "R8.9 is unknown"),
        ({"R8.4": translate(ENGLISH, GERMAN.replace("R8.5", "R8.6"))}, "R8.4 has other ids: without R8.5; with R8.6"),
        ({"R8.4": translate(ENGLISH, GERMAN.replace(", F1", ""))}, "R8.4 has other ids: without F1"),
        (
            {"R8.4": translate(ENGLISH, GERMAN.replace("1,75", "1,57"))},
            "R8.4 has other numbers: without 1.75; with 1.57",
        ),
    ],
)
def test_each_fault_of_a_text_is_named(entries: dict[str, dict[str, str]], fault: str) -> None:
    assert compare_texts({"R8.4": ENGLISH}, entries) == [fault]


def test_thousands_are_grouped_as_each_language_does() -> None:
    english = "It is 44,450 micrometres, 1.5 in."
    assert compare_texts({"R5.1": english}, {"R5.1": translate(english, "Es sind 44.450 Mikrometer, 1,5 Zoll.")}) == []


def test_texts_of_this_version_are_those_of_its_register() -> None:
    folders = rule_folders()
    assert {"de", "pl"} <= {folder.parent.name for folder in folders}
    for folder in folders:
        assert find_translation_faults(json.loads(RULES.read_text("utf-8")), folder) == []


def test_notices_speak_the_languages_of_the_page() -> None:
    assert set(get_args(NoticeLanguage)) == {folder.name for folder in MESSAGES.iterdir() if folder.is_dir()}
