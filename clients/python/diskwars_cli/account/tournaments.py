"""The `tournament` verb: tournaments of a server as tables, CSV or JSON, and what one does in them."""

import csv
import io
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from diskwars_cli.account.account import AccountServer, run_as_account, run_with_account_or_guest
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line, print_table
from diskwars_client.client import Client
from diskwars_client.topics.accounts import player_text
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import MAX_REQUESTED_PLAYERS
from diskwars_protocol.messages.tournaments import TournamentAct, TournamentView
from diskwars_protocol.tournaments.options import TournamentOptions
from diskwars_protocol.tournaments.standings import StandingsRow
from diskwars_protocol.tournaments.state import Tournament, TournamentBoard, TournamentRound

ExportFormat: TypeAlias = Literal["json", "csv"]
Names: TypeAlias = dict[int, str]
"""Names of entrants by number."""

LIST_HEADINGS = ("tournament", "name", "format", "ruleset", "entrants", "round", "status")
TABLE_HEADINGS = ("#", "entrant", "points", "won", "drawn", "lost", "Buchholz", "S.-B.", "±")
BOARD_HEADINGS = ("board", "seat A", "seat B", "result", "match")
CSV_HEADINGS = (
    *("rank", "entrant", "player", "points", "wins", "draws", "losses", "byes"),
    *("buchholz", "sonneborn_berger", "direct", "difference"),
)


# ---------------------------------------------------------------- verbs


def run_list(server: AccountServer, *, over: bool, mine: bool) -> int:
    async def act(client: Client) -> None:
        page = await client.tournaments.list(over=over, mine=mine)
        rows = [
            (
                shown.tournament,
                shown.name,
                shown.format.replace("_", " "),
                shown.ruleset,
                f"{shown.entrants}/{shown.entrant_limit}",
                f"{shown.rounds}/{shown.round_count}" if shown.round_count else str(shown.rounds),
                "paused" if shown.is_paused else shown.status,
            )
            for shown in page.tournaments
        ]
        if rows:
            print_table(LIST_HEADINGS, rows)
        else:
            print_line("no tournaments")

    return run_with_account_or_guest(server, act)


def run_show(server: AccountServer, tournament: str, *, follow: bool) -> int:
    async def act(client: Client) -> None:
        async for shown in client.tournaments.follow(tournament):
            print_view(shown, await _names_of(client, shown.tournament))
            if not follow:
                return

    return run_with_account_or_guest(server, act)


def run_report(server: AccountServer, tournament: str, text: str) -> int:
    async def act(client: Client) -> None:
        await client.tournaments.report(tournament, text)
        print_line("reported to the operators of the server")

    return run_with_account_or_guest(server, act)


def run_open(server: AccountServer, name: str, options: TournamentOptions) -> int:
    async def act(client: Client) -> None:
        opened = await client.tournaments.open(name, options)
        print_line(f"opened {opened.tournament.tournament}: {opened.tournament.name}")

    return run_as_account(server, act)


def run_act(server: AccountServer, tournament: str, act: TournamentAct, done: str) -> int:
    async def send(client: Client) -> None:
        shown = await client.tournaments.act(tournament, act)
        print_line(f"{done}: {shown.tournament.name}, {status_text(shown.tournament)}")

    return run_as_account(server, send)


def run_export(server: AccountServer, tournament: str, format: ExportFormat, output: str) -> int:
    async def act(client: Client) -> None:
        shown = await client.tournaments.get(tournament)
        names = await _names_of(client, shown.tournament)
        text = export_json(shown, names) if format == "json" else export_csv(shown, names)
        if output == "-":
            sys.stdout.write(text)
        else:
            try:
                Path(output).write_text(text, "utf-8", newline="")
            except OSError as fault:
                raise CommandError(f"{output} cannot be written: {fault.strerror}") from None

    return run_with_account_or_guest(server, act)


# ---------------------------------------------------------------- texts


def print_view(shown: TournamentView, names: Names) -> None:
    """Print a tournament: its table, and the boards of the round under way."""
    state = shown.tournament
    print_line(f"{state.name} ({state.tournament}): {status_text(state)}")
    if shown.standings:
        print_table(TABLE_HEADINGS, (_table_row(row, names) for row in shown.standings))
    for round_ in state.rounds[-1:]:
        print_line(f"round {round_.number}" + (f", bye: {_join(round_.byes, names)}" if round_.byes else ""))
        print_table(BOARD_HEADINGS, (_board_row(board, names, shown) for board in round_.boards))


def status_text(state: Tournament) -> str:
    """Return where a tournament stands."""
    entered = sum(entrant.status == "entered" for entrant in state.entrants)
    match state.status:
        case "open":
            begins = ""
            if state.options.starts_ms is not None:
                at = time.localtime(state.options.starts_ms / 1000)
                begins = f", begins {time.strftime('%Y-%m-%d %H:%M', at)}"
            return f"open, {entered} of {state.options.entrant_limit} entrants{begins}"
        case "running":
            count = f" of {state.round_count}" if state.round_count and not state.finalists else ""
            return f"round {len(state.rounds)}{count}" + (", paused" if state.paused_ms is not None else "")
        case "ended":
            return "ended"
        case "cancelled":
            return "cancelled" + (f": {state.note}" if state.note else "")


def points_text(half_points: int) -> str:
    """Return points, of which there are halves: 3, 3½."""
    whole, half = divmod(half_points, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def result_text(board: TournamentBoard) -> str:
    """Return the result of a board, with the scores of the game."""
    result = board.result
    if result is None:
        return "-"
    points = ":".join(map(points_text, result.half_points))
    scores = f" ({':'.join(map(str, result.scores))})" if result.scores else ""
    return points + scores + ("" if result.decided_by == "match" else f" {result.decided_by.replace('_', ' ')}")


def _table_row(row: StandingsRow, names: Names) -> tuple[object, ...]:
    quarters = row.sonneborn_berger_quarters
    return (
        row.rank,
        names.get(row.entrant, f"#{row.entrant}"),
        points_text(row.half_points),
        row.wins,
        row.draws,
        row.losses,
        points_text(row.buchholz_halves),
        f"{quarters / 4:g}",
        f"{row.points_difference:+d}",
    )


def _board_row(board: TournamentBoard, names: Names, shown: TournamentView) -> tuple[object, ...]:
    first, second = (names.get(number, f"#{number}") for number in board.entrants)
    result = "playing" if board.match in shown.begun else result_text(board)
    return board.number, first, second, result, board.match


def _join(numbers: Iterable[int], names: Names) -> str:
    return ", ".join(names.get(number, f"#{number}") for number in numbers)


# ---------------------------------------------------------------- exports


def export_json(shown: TournamentView, names: Names) -> str:
    """Return everything of a tournament as JSON, with the names that its entrants have now."""
    whole = {
        "tournament": shown.tournament,
        "standings": shown.standings,
        "bracket": shown.bracket,
        "names": {str(number): name for number, name in names.items()},
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def export_csv(shown: TournamentView, names: Names) -> str:
    """Return the table as CSV, with a column for each round: colour of seat, opponent and points."""
    text = io.StringIO()
    rounds = shown.tournament.rounds
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CSV_HEADINGS, *(f"round_{round_.number}" for round_ in rounds)])
    ranks = {row.entrant: row.rank for row in shown.standings}
    for row in shown.standings:
        writer.writerow(
            [
                row.rank,
                _plain_cell(names.get(row.entrant, "")),
                shown.tournament.entrant(row.entrant).player or "",
                f"{row.half_points / 2:g}",
                row.wins,
                row.draws,
                row.losses,
                row.byes,
                f"{row.buchholz_halves / 2:g}",
                f"{row.sonneborn_berger_quarters / 4:g}",
                f"{row.direct_half_points / 2:g}",
                row.points_difference,
                *(_round_cell(round_, row.entrant, ranks) for round_ in rounds),
            ]
        )
    return text.getvalue()


def _plain_cell(name: str) -> str:
    """Return a name as a cell that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


def _round_cell(round_: TournamentRound, entrant: int, ranks: dict[int, int]) -> str:
    """Return what an entrant did in a round: `A5 1` is seat A against the fifth, a win."""
    if entrant in round_.byes:
        return "bye"
    cells = []
    for board in round_.boards:
        if entrant in board.entrants:
            seat = board.entrants.index(entrant)
            points = "" if board.result is None else f" {board.result.half_points[seat] / 2:g}"
            cells.append(f"{'AB'[seat]}{ranks.get(board.entrants[1 - seat], '?')}{points}")
    return "; ".join(cells)


# ---------------------------------------------------------------- names


async def _names_of(client: Client, state: Tournament) -> Names:
    """Return the names of the entrants as they are now; bots are numbered where several have one name."""
    players = [entrant.player for entrant in state.entrants if entrant.player is not None]
    found: dict[PlayerId, str] = {}
    for first in range(0, len(players), MAX_REQUESTED_PLAYERS):
        for summary in await client.accounts.players(*players[first : first + MAX_REQUESTED_PLAYERS]):
            found[summary.player] = player_text(summary)
    names: Names = {}
    for entrant in state.entrants:
        if entrant.player is not None:
            names[entrant.number] = found.get(entrant.player, entrant.player)
        else:
            names[entrant.number] = f"{entrant.bot} bot #{entrant.number}"
    return names
