"""The `diskwars` command: runs a verb, and answers what goes wrong with one sentence and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from diskwars_cli.command import EXIT_FAILED, CommandError, program_name
from diskwars_cli.signals import EXIT_INTERRUPTED, check_stop, handle_stop_signals

if TYPE_CHECKING:
    import click


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    try:
        with handle_stop_signals():
            code = run(words)
            sys.stdout.flush()
            check_stop()
            return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BaseExceptionGroup as group:
        return report(first_cause(group))
    except (CommandError, BrokenPipeError) as error:
        return report(error)


def run(words: list[str]) -> int:
    """Run a verb. Raises CommandError for whatever the user can fix."""
    # Imported here, where a signal during the import is already handled.
    from click import ClickException, UsageError
    from click.exceptions import Exit, NoArgsIsHelpError
    from click.shell_completion import shell_complete

    from diskwars_cli.commands import cli
    from diskwars_cli.completion import COMPLETE_VARIABLE
    from diskwars_cli.output import make_printable
    from diskwars_server.settings import SettingsError

    if instruction := os.environ.get(COMPLETE_VARIABLE):
        return shell_complete(cli, {}, "diskwars", COMPLETE_VARIABLE, instruction)
    make_printable(sys.stdout, sys.stderr)
    try:
        # Not `cli.main`, which puts its own words to stop signals and broken pipes.
        with cli.make_context(program_name(), words) as context:
            code = cli.invoke(context)
    except Exit as done:
        return done.exit_code
    except NoArgsIsHelpError as no_verb:
        print(no_verb.format_message())
        return EXIT_FAILED
    except UsageError as error:
        raise CommandError(_usage_text(error)) from None
    except (ClickException, SettingsError) as error:
        raise CommandError(str(error)) from None
    return code if isinstance(code, int) else 0


def _usage_text(error: "click.UsageError") -> str:
    text = " ".join(error.format_message().split()).rstrip(".")  # some list the choices on lines of their own
    text = text[:1].lower() + text[1:]
    if text.endswith("?") or error.ctx is None:  # click has found what was meant
        return text
    return f"{text}; see `{error.ctx.command_path} --help`"


def report(error: BaseException) -> int:
    """Print the error as one line on stderr. Raises what the user can do nothing about."""
    # A verb may have put into words that its output is read no more.
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        return redirect_stdout_to_devnull()
    if not isinstance(error, CommandError):
        raise error
    print(f"diskwars: {error}", file=sys.stderr)
    return EXIT_FAILED


def first_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error to report of those that ended the tasks of a group: a broken pipe before all others."""
    broken = group.subgroup(BrokenPipeError)
    error: BaseException = broken or group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def redirect_stdout_to_devnull() -> int:
    """Discard buffered output, which would fail when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
