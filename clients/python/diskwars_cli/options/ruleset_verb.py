"""Verbs with options of the ruleset that `--ruleset` names."""

from collections.abc import Sequence

import click
from click.exceptions import BadOptionUsage, NoSuchOption

from diskwars_cli.plugs.ruleset_options import RULESET_KEY, chosen_ruleset
from diskwars_cli.plugs.setting_texts import option_texts
from diskwars_cli.rulesets.option_registry import OPTIONS, find_options
from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES

RULESET_FLAG = "--ruleset"
VALUES = "ruleset_values"
"""The argument with which the callback of a verb gets the options of the ruleset that were given, by name."""


class RulesetVerb(click.Command):
    """A verb that takes the options of the chosen ruleset besides its own, and shows them in its help."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().get_params(ctx), *self._ruleset_params(ctx)]

    def _ruleset_params(self, ctx: click.Context) -> tuple[click.Option, ...]:
        return find_options(chosen_ruleset(ctx)).by_verb.get(self.name or "", ())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        name = ctx.meta[RULESET_KEY] = _named_ruleset(args)
        if name not in VOCABULARIES and not ctx.resilient_parsing:
            # Imported for this rare case only: a ruleset may be known to the rules alone.
            from diskwars_cli.plugs.match_setup import check_ruleset

            check_ruleset(name)
        try:
            rest = super().parse_args(ctx, args)
        except NoSuchOption as unknown:
            owners = [other for other in OPTIONS if unknown.option_name in self._flags_of(other)]
            if not owners:
                raise
            text = f"{unknown.option_name} is an option of {' and '.join(owners)}, not of {name}"
            raise click.UsageError(text, ctx) from None
        except BadOptionUsage as misused:
            raise click.UsageError(f"{misused.message.rstrip('.')}{self._choices_text(ctx, misused)}", ctx) from None
        given = {str(option.name): ctx.params.pop(str(option.name), None) for option in self._ruleset_params(ctx)}
        ctx.params[VALUES] = {name: value for name, value in given.items() if value is not None}
        return rest

    def _choices_text(self, ctx: click.Context, misused: BadOptionUsage) -> str:
        """Return the names that an option takes that was given without one; empty if it takes something else."""
        options = (option for option in self.get_params(ctx) if misused.option_name in option.opts)
        named = [item.value for option in options for item in option.shell_complete(ctx, "") if item.type == "plain"]
        return f": {' or '.join(named)}" if named else ""

    def _flags_of(self, ruleset: str) -> set[str]:
        return {flag for option in find_options(ruleset).by_verb.get(self.name or "", ()) for flag in option.opts}

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        _write_options("Options", super().get_params(ctx), ctx, formatter)
        _write_options(f"Options of {chosen_ruleset(ctx)}", self._ruleset_params(ctx), ctx, formatter)


class MatchVerb(RulesetVerb):
    """A verb that opens matches; its help ends with the bots of the ruleset and the values of `--option`."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from diskwars_bots.rulesets.registry import find_bots
        from diskwars_bots.strength import describe_bot

        name = chosen_ruleset(ctx)
        bots = find_bots(name)
        with formatter.section(f"Bots of {name}, the default first"):
            names = [bots.default, *(bot for bot in bots.choosers if bot != bots.default)]
            formatter.write_dl([(bot, describe_bot(name, bot)) for bot in names])
        vocabulary = VOCABULARIES.get(name)
        if vocabulary and (options := find_options(name).free_settings(vocabulary.settings)):
            with formatter.section(f"Values of --option in {name}, the default first"):
                formatter.write_dl([(option.id, " or ".join(option_texts(option))) for option in options])


def _write_options(
    title: str, parameters: Sequence[click.Parameter], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    options = [parameter for parameter in parameters if isinstance(parameter, click.Option)]
    records = [record for option in options if (record := option.get_help_record(ctx))]
    if records:
        with formatter.section(title):
            formatter.write_dl(records)


def _named_ruleset(words: Sequence[str]) -> str:
    """Find the ruleset before the options are parsed, because it decides which options there are."""
    name = DEFAULT_RULESET
    for number, word in enumerate(words):
        if word == "--":
            break
        if word == RULESET_FLAG:
            name = words[number + 1] if number + 1 < len(words) else name
        elif word.startswith(f"{RULESET_FLAG}="):
            name = word.partition("=")[2]
    return name
