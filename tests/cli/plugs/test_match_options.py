"""Every option of a match can be set on the command line, and a wrong value lists the valid ones."""

import pytest

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import MatchFlags
from diskwars_cli.plugs.match_setup import MatchSetup
from diskwars_cli.plugs.setting_texts import option_texts
from diskwars_cli.rulesets.diskwars.match_options import match_settings
from diskwars_cli.rulesets.diskwars.match_setup import DiskwarsSetup
from diskwars_cli.rulesets.diskwars.options import DISKWARS_OPTIONS
from diskwars_protocol.match.ruleset_settings import RulesetSetting
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings
from tests.cli.command_runner import CommandRunner
from tests.rows import each_row

HOUSE_RULES = DISKWARS_OPTIONS.free_settings(DiskwarsSettings)
OPTION_VALUES = [
    (field, word, {"yes": True, "no": False}.get(word, word)) for field in HOUSE_RULES for word in option_texts(field)
]


def option_choices(*given: str) -> DiskwarsSettings:
    return match_settings(MatchFlags(data=DataOptions(), house_rules=given), 1)


@pytest.mark.parametrize("ruleset", ["pit", "close_quarters", "regiments"])
def test_a_pack_is_refused_for_a_ruleset_that_is_played_with_its_own_content(ruleset: str) -> None:
    flags = MatchFlags(data=DataOptions(packs=("expansion",)))
    setup = MatchSetup(ruleset, DISKWARS_OPTIONS)
    with pytest.raises(CommandError, match=f"--pack: {ruleset} is played with its own content only"):
        setup.loadouts(flags)
    assert setup.loadouts(MatchFlags(data=DataOptions()))


@pytest.mark.parametrize(
    ("own", "bot_army", "expected"),
    [
        ("Empire Patrol", "", ["chaos-patrol", "greenskin-patrol", "high-elf-patrol"]),
        ("Chaos Patrol", "", ["empire-patrol", "greenskin-patrol", "high-elf-patrol"]),
        ("Nuln Host", "", ["everchosen-host", "badlands-host", "black-mountain-host"]),
        ("Badlands Host", "", ["everchosen-host", "black-mountain-host", "changer-host"]),
        ("Nuln Host", "Lothern Host", ["lothern-host"]),
    ],
)
def test_bots_get_different_armies_with_as_many_regiments_as_the_players(
    own: str, bot_army: str, expected: list[str]
) -> None:
    """R2.1: all armies of a match have equally many regiments."""
    flags = MatchFlags(data=DataOptions(), ruleset_values={"army": own, "bot_army": bot_army})
    _, bots = DiskwarsSetup("diskwars", DISKWARS_OPTIONS).loadouts(flags)
    assert [army.army for army in bots[:3]] == expected


@each_row(
    ("settings", "expected"),
    [
        (None, ("reikland-host", "everchosen-host")),
        (DiskwarsSettings(), ("reikland-host", "everchosen-host")),
        (DiskwarsSettings(regiments=1), ("empire-patrol", "chaos-patrol")),
    ],
)
def test_armies_that_nobody_names_have_as_many_regiments_as_the_match(
    settings: DiskwarsSettings | None, expected: tuple[str, str]
) -> None:
    """R2.1: two by default, as the settings say, and those of a match that is joined."""
    setup, flags = DiskwarsSetup("diskwars", DISKWARS_OPTIONS), MatchFlags(data=DataOptions())
    own, bots = setup.loadouts(flags, settings)
    assert (own.army, bots[0].army) == expected
    assert settings is not None or setup.settings(flags, own).regiments == DiskwarsSettings().regiments == 2


def test_options_not_given_have_their_defaults() -> None:
    assert option_choices() == DiskwarsSettings(regiments=1)


@pytest.mark.parametrize(
    ("field", "word", "value"), OPTION_VALUES, ids=[f"{field.id}={word}" for field, word, _ in OPTION_VALUES]
)
def test_every_value_of_every_option_can_be_given(field: RulesetSetting, word: str, value: object) -> None:
    assert getattr(option_choices(f"{field.id}={word}"), field.id) == value
    assert getattr(option_choices(f"{field.id.replace('_', '-')}={word}"), field.id) == value


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("pins=maybe", "expected pins strict or contact"),
        ("pins", "expected pins strict or contact"),
        ("impact-own=True", "expected impact_own yes or no"),
    ],
)
def test_wrong_value_lists_the_values_of_its_option(diskwars: CommandRunner, wrong: str, message: str) -> None:
    assert diskwars.error_message("simulate", "--option", wrong) == f"--option {wrong}: {message}"


@pytest.mark.parametrize("wrong", ["nails=strict", "setup=quick"])
def test_wrong_option_lists_all_options(diskwars: CommandRunner, wrong: str) -> None:
    message = diskwars.error_message("simulate", "--option", wrong)
    assert message.startswith(f"--option {wrong}: not set by --option, which sets pins strict or contact; ")
    assert all(f"{field.id} " in message for field in HOUSE_RULES)


def test_option_changes_the_match(diskwars: CommandRunner) -> None:
    """R-04, R-10: settings are in the first record, so a match with another option is another match."""
    plain = diskwars("simulate", "--seed", "3", "--setup", "quick").lines[0]
    assert diskwars("simulate", "--seed", "3", "--setup", "quick", "--option", "pins=strict").lines[0] == plain
    assert diskwars("simulate", "--seed", "3", "--setup", "quick", "--option", "pins=contact").lines[0] != plain


def test_option_that_does_not_exist_is_answered_with_the_nearest() -> None:
    with pytest.raises(CommandError, match=r'there is no option "pinz"; did you mean "pins"'):
        option_choices("pinz=contact")
