"""Shell completion: install or print the script of a shell, and complete bots, armies and house rules."""

import os
from collections.abc import Callable
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class

from diskwars_cli.plugs.ruleset_options import chosen_ruleset, complete_names, complete_names_or_files

COMPLETE_VARIABLE = "_DISKWARS_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
DETECTED = "detected"
"""A placeholder for the shell named by $SHELL."""


def _run_script(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell:
        click.echo(_script(ctx.command, _shell(shell)))
        ctx.exit()


def _run_install(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell:
        click.echo(_install(ctx.command, _shell(shell)))
        ctx.exit()


def _shell_option(
    flag: str, run: Callable[[click.Context, click.Parameter, str | None], None], text: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return an option that takes a shell, or the one that $SHELL names, and ends the program."""
    return click.option(
        flag,
        type=click.Choice([*SHELLS, DETECTED]),
        is_flag=False,
        flag_value=DETECTED,
        metavar="[SHELL]",
        expose_value=False,
        is_eager=True,
        callback=run,
        help=text,
    )


install_option = _shell_option(
    "--install-completion", _run_install, "Install completion for your shell (bash, zsh or fish)"
)
show_option = _shell_option("--show-completion", _run_script, "Print the completion script")


def _shell(name: str) -> str:
    shell = Path(os.environ.get("SHELL", "")).name if name == DETECTED else name
    if shell not in SHELLS:
        raise click.UsageError(f"no completion for the shell {shell or 'unknown'!r}; name one: {', '.join(SHELLS)}")
    return shell


def _script(command: click.Command, shell: str) -> str:
    kind = get_completion_class(shell)
    assert kind is not None
    return kind(command, {}, "diskwars", COMPLETE_VARIABLE).source()


def _install(command: click.Command, shell: str) -> str:
    """Write the script where the shell finds it; return a message that says what is left to do."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    file, next_step = {
        "bash": (data / "bash-completion" / "completions" / "diskwars", "start a new shell"),
        "zsh": (
            home / ".zfunc" / "_diskwars",
            "add `fpath+=~/.zfunc; autoload -Uz compinit; compinit` to ~/.zshrc and start a new shell",
        ),
        "fish": (config / "fish" / "completions" / "diskwars.fish", "start a new shell"),
    }[shell]
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_script(command, shell) + "\n", "utf-8")
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
    return f"completion for {shell} is in {file}; {next_step}"


# ---------------------------------------------------------------- values


def complete_rulesets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from diskwars_protocol.rulesets.registry import RULESETS

    return complete_names(incomplete, RULESETS)


def complete_bots(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from diskwars_bots.installed_bots import installed_bots
    from diskwars_bots.rulesets.registry import find_bots

    ruleset = chosen_ruleset(ctx)
    return complete_names(incomplete, [*find_bots(ruleset).choosers, *installed_bots(ruleset)])


def complete_armies(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from diskwars_cli.rulesets.option_registry import find_options

    return complete_names_or_files(incomplete, find_options(chosen_ruleset(ctx)).army_names())


def complete_house_rules(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from diskwars_cli.plugs.setting_texts import option_texts
    from diskwars_cli.rulesets.option_registry import find_options
    from diskwars_protocol.rulesets.registry import RULESETS

    ruleset = chosen_ruleset(ctx)
    options = find_options(ruleset).free_settings(RULESETS[ruleset].settings) if ruleset in RULESETS else ()
    texts = (f"{option.id}={value}" for option in options for value in option_texts(option))
    return [CompletionItem(text) for text in texts if text.startswith(incomplete)]
