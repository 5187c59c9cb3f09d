"""Tests of the language check that `./dev lint` runs."""

import pytest

from tests.rows import each_row
from tools.check_language import Phrase, Rules, check, checked_files, is_below, load_rules, main

RULES = load_rules()


def messages(name: str, text: str) -> list[str]:
    return [f"{finding.line}: {finding.message}" for finding in check(name, text, RULES)]


@each_row("phrase", RULES.phrases, ids=lambda phrase: phrase.bad)
def test_phrase_is_found_in_its_bad_sample_and_in_no_good_one(phrase: Phrase) -> None:
    assert phrase.pattern.search(phrase.bad)
    assert [good for good in phrase.good if phrase.pattern.search(good)] == []


@each_row("phrase", RULES.phrases, ids=lambda phrase: phrase.bad)
def test_good_samples_break_no_other_phrase_either(phrase: Phrase) -> None:
    breaches = [(good, other.bad) for good in phrase.good for other in RULES.phrases if other.pattern.search(good)]
    assert breaches == []


def test_docstrings_comments_messages_and_test_names_are_checked() -> None:
    source = '''"""Docstring of a module.

Whoever reads it.
"""

# It is made
# anew.
CODE = "anew"


def test_whoever_asks_is_answered() -> None:
    raise ValueError(f"{CODE} is made anew")
'''
    assert [message.split(": ")[0] for message in messages("a.py", source)] == ["3", "7", "11", "12"]


def test_identifiers_and_inline_code_are_not_checked() -> None:
    assert messages("a.py", 'def anew() -> None:\n    """Call `anew` again."""\n    anew()\n') == []
    assert messages("a.md", "Call `anew` again, see [the page](anew.md).\n\n```\nanew\n```\n") == []


def test_module_docstring_that_asks_is_found() -> None:
    assert messages("a.py", '"""What is this?  A module."""\n')[0].startswith("1: module docstring is a question")
    assert messages("a.py", '"""Answer to a question. Is it?"""\n') == []


def test_heading_that_asks_is_found() -> None:
    assert messages("a.md", "# Is it well?\n")[0].startswith("1: heading is a question")
    assert messages("a.md", "```\n# a comment?\n```\n") == []


def test_long_paragraph_is_found_and_long_table_is_not() -> None:
    line = "word " * 20 + "\n"
    assert messages("a.md", "# Page\n\n" + line * 6)[0].startswith("3: paragraph of 6 lines")
    assert messages("a.md", line * 5 + "\n" + line * 5) == []
    assert messages("a.md", "- " + line * 4 + "- " + line * 4) == []
    assert messages("a.md", "| " + line.strip() * 10 + " |\n") == []
    assert messages("docs/rules.md", line * 6) == []


def test_comments_of_toml_are_checked() -> None:
    assert messages("a.toml", 'name = "anew"\n# made anew\n')[0].startswith("2: ")


def test_path_is_below_a_folder_or_itself() -> None:
    assert is_below("docs/a.md", ["docs"])
    assert is_below("docs/a.md", ["docs/a.md"])
    assert not is_below("documents/a.md", ["docs"])


def test_unclean_folders_exist() -> None:
    names = checked_files()
    assert [folder for folder in RULES.unclean if not any(is_below(name, [folder]) for name in names)] == []


def test_check_prints_each_finding_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools/check_language.py"]) == 0
    assert capsys.readouterr().out == ""


def test_rules_without_phrases_find_nothing() -> None:
    assert check("a.py", "# made anew\n", Rules([], [], [])) == []
