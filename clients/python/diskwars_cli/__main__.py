"""The `diskwars` command: runs a verb, and reports failures with one sentence and an exit code."""

import gc
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from diskwars_cli.console.command import EXIT_FAILED, CommandError, program_name
from diskwars_cli.console.signals import EXIT_INTERRUPTED, check_stop, handle_stop_signals

OBJECTS_BEFORE_SEARCH = 50_000
"""New objects before Python looks for garbage. Those of imported modules all stay: to look through
them after each 700 took a fifteenth of the time of a short verb."""
RANGE_FAULT = re.compile(r"(\S+) is not in the range (?:x>=)?([\d.]+)(?:<=x<=([\d.]+))?")
"""The text of click for a number that is out of range."""

if TYPE_CHECKING:
    import click


def main(arguments: Sequence[str] | None = None) -> int:
    is_own_process = arguments is None
    if is_own_process:
        gc.set_threshold(OBJECTS_BEFORE_SEARCH)
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    try:
        with handle_stop_signals(ends_process=is_own_process):
            code = run(words)
            sys.stdout.flush()
            check_stop()
            return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except RuntimeError as error:
        # Python 3.11 wraps what a signal raises while a class is being made, as modules do that a verb still imports.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return EXIT_INTERRUPTED
        raise
    except BaseExceptionGroup as group:
        return report(first_cause(group))
    except (CommandError, BrokenPipeError) as error:
        return report(error)


def run(words: list[str]) -> int:
    """Run a verb and return its exit code. Raises CommandError for anything the user can fix."""
    # Imported here, where a signal during the import is already handled.
    from click import ClickException, UsageError
    from click.exceptions import Exit, NoArgsIsHelpError
    from click.shell_completion import shell_complete

    from diskwars_cli.commands.command_line import cli
    from diskwars_cli.completion import COMPLETE_VARIABLE
    from diskwars_cli.console.output import make_printable
    from diskwars_server.settings import SettingsError

    if instruction := os.environ.get(COMPLETE_VARIABLE):
        return shell_complete(cli, {}, "diskwars", COMPLETE_VARIABLE, instruction)
    make_printable(sys.stdout, sys.stderr)
    check_stop()  # a signal that came during the imports has only been recorded
    try:
        # Not `cli.main`, which has its own messages for stop signals and broken pipes.
        with cli.make_context(program_name(), words) as context:
            code = cli.invoke(context)
    except Exit as done:
        return done.exit_code
    except NoArgsIsHelpError as missing_verb:
        print(missing_verb.format_message())
        return EXIT_FAILED
    except UsageError as error:
        raise CommandError(_usage_text(error)) from None
    except (ClickException, SettingsError) as error:
        raise CommandError(str(error)) from None
    return code if isinstance(code, int) else 0


def _usage_text(error: "click.UsageError") -> str:
    text = " ".join(error.format_message().split()).rstrip(".")  # some messages list the choices on separate lines
    text = RANGE_FAULT.sub(_range_text, text[:1].lower() + text[1:])
    if choice := re.search(r"'([^']*)' is not one of ('.*')$", text):
        near = get_close_matches(choice[1], re.findall(r"'([^']*)'", choice[2]), 1)
        text += f"; did you mean '{near[0]}'?" if near else ""
    if text.endswith("?") or error.ctx is None:  # click has added a suggestion
        return text
    return f"{text}; see `{error.ctx.command_path} --help`"


def _range_text(fault: "re.Match[str]") -> str:
    """Say which numbers an option takes: `2 to 4`, `1 or more`."""
    number, least, most = fault.groups()
    return f"{number} is not {least} to {most}" if most else f"{number} is not {least} or more"


def report(error: BaseException) -> int:
    """Print the error as one line on stderr and return the exit code. Raises errors that the user cannot fix."""
    # A verb may have turned a broken pipe into an error of its own.
    if isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
        return redirect_stdout_to_devnull()
    if not isinstance(error, CommandError):
        raise error
    from diskwars_cli.console.output import fit_to  # late, like all that imports click

    print(fit_to(sys.stderr, f"diskwars: {error}"), file=sys.stderr)
    return EXIT_FAILED


def first_cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error of a task group to report: a broken pipe if there is one, otherwise the first."""
    broken_pipes = group.subgroup(BrokenPipeError)
    error: BaseException = broken_pipes or group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def redirect_stdout_to_devnull() -> int:
    """Discard buffered output; writing it to a broken pipe would fail when the interpreter exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
