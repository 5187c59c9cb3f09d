"""A verb takes and shows the options of the ruleset that `--ruleset` names, and no others."""

import click
import pytest

from diskwars_cli.commands.command_line import cli
from diskwars_cli.options.ruleset_verb import RulesetVerb
from diskwars_cli.rulesets.option_registry import OPTIONS
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.rulesets.registry import RULESETS
from tests.cli.command_runner import CommandRunner

RULESET_VERBS = sorted(name for name, verb in cli.commands.items() if isinstance(verb, RulesetVerb))
MATCH_VERBS = ("demo", "play", "simulate")
OWN_OPTIONS = [
    (ruleset, verb, option)
    for ruleset, options in OPTIONS.items()
    for verb, own in options.by_verb.items()
    for option in own
]


@pytest.mark.parametrize(
    ("ruleset", "verb", "option"),
    OWN_OPTIONS,
    ids=[f"{ruleset}-{verb}-{option.name}" for ruleset, verb, option in OWN_OPTIONS],
)
def test_option_of_a_ruleset_has_help_is_unset_by_default_and_hides_no_other(
    ruleset: str, verb: str, option: click.Option
) -> None:
    assert verb in RULESET_VERBS
    assert option.help
    assert click.Command("alone", params=[option]).make_context("alone", []).params == {option.name: None}
    assert option.name not in {parameter.name for parameter in cli.commands[verb].params}


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("verb", MATCH_VERBS)
def test_help_shows_the_options_of_the_chosen_ruleset_only(diskwars: CommandRunner, ruleset: str, verb: str) -> None:
    help_text = diskwars(verb, "--ruleset", ruleset, "--help").out
    for owner, options in OPTIONS.items():
        for option in options.by_verb.get(verb, ()):
            assert (f"  {option.opts[0]} " in help_text) == (owner == ruleset)
    derived = OPTIONS[ruleset].derived_settings if ruleset in OPTIONS else ()
    for setting in ruleset_settings(RULESETS[ruleset].settings):
        assert (f"\n  {setting.id} " in help_text) == (setting.id not in derived)


def test_help_of_diskwars_is_that_of_no_ruleset(diskwars: CommandRunner) -> None:
    assert diskwars("demo", "--ruleset=diskwars", "--help") == diskwars("demo", "--help")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("simulate", "--setup", "quick"), "--setup is an option of diskwars, not of pit; see"),
        (("demo", "--armies", "empire"), "--armies is an option of diskwars, not of pit; see"),
        (("play", "--army=empire"), "--army is an option of diskwars, not of pit; see"),
        (("simulate", "--sede", "1"), "no such option '--sede'. Did you mean '--seed'?"),
        (
            ("simulate", "--option", "pins=contact"),
            "--option pins=contact: not set by --option, which sets scenario the-pit or grave-pit",
        ),
    ],
    ids=str,
)
def test_option_of_another_ruleset_is_refused(diskwars: CommandRunner, words: tuple[str, ...], message: str) -> None:
    assert diskwars.error_message(*words, "--ruleset", "pit").startswith(message)


@pytest.mark.parametrize("verb", MATCH_VERBS)
@pytest.mark.parametrize("more", [(), ("--setup", "quick"), ("--help",)], ids=str)
def test_unknown_ruleset_is_reported_before_anything_else(
    diskwars: CommandRunner, verb: str, more: tuple[str, ...]
) -> None:
    message = diskwars.error_message(verb, *more, "--ruleset", "pti")
    assert message == "--ruleset: there is no ruleset 'pti'; did you mean \"pit\"?"


def test_last_ruleset_on_the_command_line_counts(diskwars: CommandRunner) -> None:
    words = ("simulate", "--ruleset", "diskwars", "--ruleset", "pit")
    assert diskwars(*words).out == diskwars("simulate", "--ruleset", "pit").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("play", "--bot"),
            "option '--bot' requires an argument: random or mild or greedy or search or fair or hard; "
            "see `diskwars play --help`",
        ),
        (
            ("demo", "--ruleset"),
            "option '--ruleset' requires an argument: diskwars or pit or close_quarters or regiments",
        ),
        (("play", "--url"), "option '--url' requires an argument; see `diskwars play --help`"),
    ],
)
def test_option_without_its_argument_names_the_choices(
    diskwars: CommandRunner, words: tuple[str, ...], message: str
) -> None:
    assert diskwars.error_message(*words).startswith(message)


def test_help_of_the_option_names_every_ruleset(diskwars: CommandRunner) -> None:
    flat = " ".join(diskwars("play", "--help").out.split())
    assert "Ruleset to play: diskwars, pit, close_quarters or regiments" in flat
