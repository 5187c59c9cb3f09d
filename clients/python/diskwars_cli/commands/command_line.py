"""The command `diskwars`: its verbs in the sections of the help.

Only click and the settings are imported here and in the modules of the sections, so that help and shell completion
respond at once. The code of a verb is imported when it runs.
"""

import click

from diskwars_cli import completion
from diskwars_cli.commands import look_back, look_inside, play, run_a_server
from diskwars_server.build import program_version

SECTIONS: dict[str, tuple[click.Command, ...]] = {
    "Play": play.VERBS,
    "Look back": look_back.VERBS,
    "Look inside": look_inside.VERBS,
    "Run a server": run_a_server.VERBS,
}
"""The verbs in the order in which help lists them."""


class VerbGroup(click.Group):
    """A command group whose help lists the verbs in sections."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for title, verbs in SECTIONS.items():
            with formatter.section(title):
                rows = [((verb.name or "").ljust(width), verb.get_short_help_str(100)) for verb in verbs]
                formatter.write_dl(rows)


CONTEXT = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}


def _show_version(context: click.Context, is_wanted: bool) -> None:
    if is_wanted and not context.resilient_parsing:
        click.echo(f"diskwars {program_version()}")
        context.exit()


@click.group(
    cls=VerbGroup,
    commands=[verb for verbs in SECTIONS.values() for verb in verbs],
    context_settings=CONTEXT,
    epilog="`VERB --help` lists the options of a verb.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, option, value: _show_version(context, value),
    help="Show the version and exit.",
)
@completion.install_option
@completion.show_option
def cli() -> None:
    """Play, watch, store and verify matches of Warhammer: Diskwars."""
