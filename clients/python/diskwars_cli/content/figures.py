"""The option `--play` of the `rules` verb: lists the figures of the rules, and lets somebody play one."""

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.console import open_console
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import run_async
from diskwars_cli.plugs.figures import FigureSummary, PlayedFigure
from diskwars_cli.rulesets.registry import FIGURES
from diskwars_client.terminal.console import Console
from diskwars_client.terminal_pages import Pages

PROMPT = "figure> "


def run_figure(id: str | None, variant: str) -> int:
    """List the figures of every ruleset, or play one. Raises CommandError."""
    try:
        figures = {figure.id.lower(): (figure, each) for each in FIGURES.values() for figure in each.list_figures()}
    except OSError as fault:
        raise CommandError(f"the figures are not installed: {fault.strerror}") from None
    if id is None:
        print_line("\n".join(_summary_line(figure) for figure, _ in figures.values()))
        print_line(f"\n`{program_name()} rules F4 --play` plays one, `--variant core` with the disks of the core set")
        return 0
    if id.lower() not in figures:
        raise CommandError(f"there is no figure {id!r}; `{program_name()} rules --play` lists them")
    figure, of_ruleset = figures[id.lower()]
    if variant not in figure.variants:
        known = ", ".join(name for name in figure.variants if name) or "none but the printed one"
        raise CommandError(f"figure {figure.id} has no variant {variant!r}; it has {known}")
    run_async(_play(of_ruleset.open_figure(figure, variant), figure))
    return 0


def _summary_line(figure: FigureSummary) -> str:
    variants = ", ".join(name for name in figure.variants if name)
    return f"{figure.id:<24} {', '.join(figure.rules)}{variants and f' (variants: {variants})'}"


async def _play(browser: PlayedFigure, figure: FigureSummary) -> None:
    with open_console(bell=False) as console:
        print_line(f"Figure {figure.id}: {', '.join(figure.rules)}")
        await browse_figure(browser, console)


async def browse_figure(browser: PlayedFigure, console: Console) -> None:
    """Let somebody answer as in a match until they quit or their input ends."""
    pages = Pages(console.print_line, console.screen)
    pages.print_block("\n".join(browser.opening_lines(console.screen())))
    while True:
        console.show_prompt(PROMPT)
        line = await console.read_line()
        if line is None or line.strip() in ("quit", "q"):
            return
        pages.begin_page()
        if not line.strip() and pages.has_more:
            pages.print_more()
            continue
        pages.drop_waiting()  # what somebody has left unread is behind them
        pages.print_block("\n".join(browser.follow(line.strip(), console.screen())))
