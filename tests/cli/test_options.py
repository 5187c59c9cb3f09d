"""Every option of a match can be set on the command line, and a wrong word is answered with the right ones."""

import pytest
from msgspec.structs import FieldInfo

from diskwars_cli.match_options import HOUSE_RULES, MatchFlags, house_rule_values, match_settings
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings
from diskwars_server.settings import ServerSettings
from tests.cli.command_runner import CommandRunner

OPTION_VALUES = [
    (field, word, {"yes": True, "no": False}.get(word, word))
    for field in HOUSE_RULES
    for word in house_rule_values(field)
]


def option_choices(*given: str) -> DiskwarsSettings:
    return match_settings(MatchFlags(settings=ServerSettings(), house_rules=given), 1)


def test_what_is_not_said_is_as_usual() -> None:
    assert option_choices() == DiskwarsSettings()


@pytest.mark.parametrize(
    ("field", "word", "value"), OPTION_VALUES, ids=[f"{one.name}={word}" for one, word, _ in OPTION_VALUES]
)
def test_every_value_of_every_option_can_be_said(field: FieldInfo, word: str, value: object) -> None:
    assert getattr(option_choices(f"{field.name}={word}"), field.name) == value
    assert getattr(option_choices(f"{field.name.replace('_', '-')}={word}"), field.name) == value


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("pins=maybe", "expected pins strict or contact"),
        ("pins", "expected pins strict or contact"),
        ("impact-own=True", "expected impact_own yes or no"),
    ],
)
def test_a_wrong_value_is_answered_with_those_of_its_option(diskwars: CommandRunner, wrong: str, said: str) -> None:
    assert diskwars.error_message("simulate", "--option", wrong) == f"--option {wrong}: {said}"


@pytest.mark.parametrize("wrong", ["nails=strict", "setup=quick"])
def test_a_wrong_option_is_answered_with_all_of_them(diskwars: CommandRunner, wrong: str) -> None:
    said = diskwars.error_message("simulate", "--option", wrong)
    assert said.startswith(f"--option {wrong}: expected pins strict or contact; ")
    assert all(f"{field.name} " in said for field in HOUSE_RULES)


def test_an_option_is_one_of_the_match(diskwars: CommandRunner) -> None:
    """R-04, R-10: the settings are in the first record, so another option is another match."""
    plain = diskwars("simulate", "--seed", "3", "--setup", "quick").lines[0]
    assert diskwars("simulate", "--seed", "3", "--setup", "quick", "--option", "pins=strict").lines[0] == plain
    assert diskwars("simulate", "--seed", "3", "--setup", "quick", "--option", "pins=contact").lines[0] != plain
