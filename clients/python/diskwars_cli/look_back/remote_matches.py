"""The verbs for matches of a server elsewhere: list them with the account of this machine, draw them as a guest.

A guest sees what the public sees; of a match that has ended, everything. Settings of the own store are not looked at.
"""

import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.output import print_line, print_table
from diskwars_cli.look_back.match_rows import HEADINGS, match_row, players_of
from diskwars_cli.look_back.stored_matches import write_output
from diskwars_cli.options.match_filters import MatchFilters
from diskwars_cli.play.play import run_client
from diskwars_cli.play.remembered.account_memory import default_account_memory
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.rulesets.registry import find_pictures
from diskwars_client.client import Client, connect
from diskwars_client.match_handle import MatchHandle
from diskwars_client.replays import replay_handle
from diskwars_client.topics.accounts import player_text
from diskwars_client.topics.lobby import NO_FILTER, ListFilter
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.replay import ReplayError
from diskwars_protocol.match.state import MatchStatus, is_revealed
from diskwars_protocol.messages.lists import MAX_LISTED_MATCHES
from diskwars_protocol.messages.match_summary import MatchSummary

MAX_NAMED_PLAYERS = 500
"""Players whose names one listing asks for, 100 to a request: servers limit how often one may ask."""
MAX_LISTED = 10_000
"""Matches that one listing may fetch, so that a server cannot keep a client busy without end."""


def run_matches_remotely(
    url: str,
    *,
    status: MatchStatus | None,
    limit: int,
    free_seat: bool,
    follow: bool,
    mine: bool,
    filters: MatchFilters,
    data: DataOptions,
) -> int:
    token = default_account_memory().token(url)
    if mine and not token:
        raise CommandError(f"--mine needs an account there: {program_name()} account login NAME --url {url}")
    is_list = free_seat or mine or filters.is_list
    if follow or is_list:
        wanted = ListFilter(mine=mine, has_free_seat=free_seat, **filters.lobby_list()._asdict())
    else:
        filters.require_status(status)
        wanted = NO_FILTER
    if follow:
        return run_client(_follow(url, token, status, wanted, limit))

    async def listed() -> int:
        shown: list[MatchSummary] = []
        has_more = False
        async with connect(url, token=token) as client:
            is_listed = is_list or filters.is_empty
            summaries = client.lobby.iterate(status, wanted) if is_listed else client.lobby.search(filters.search())
            async for summary in summaries:
                if len(shown) == min(limit, MAX_LISTED):
                    has_more = True
                    break
                shown.append(summary)
            names = await _find_names(client, shown, {})
        if shown:
            print_table(HEADINGS, [match_row(summary, names) for summary in shown])
        else:
            print("no matches")
        if has_more:
            print(f"older matches are not shown: --limit {10 * limit} shows more", file=sys.stderr)
        return 0

    return run_client(listed())


async def _follow(url: str, token: str, status: MatchStatus | None, wanted: ListFilter, limit: int) -> int:
    """Print the list, oldest first, then a line for each match that has changed or has left the list."""
    shown: dict[MatchId, MatchSummary] = {}
    names: dict[str, str] = {}
    async with (
        connect(url, token=token) as client,
        aclosing(client.lobby.follow(status, wanted, limit=min(limit, MAX_LISTED_MATCHES))) as lists,
    ):
        async for matches in lists:
            known, shown = shown, {summary.match: summary for summary in matches}
            names = await _find_names(client, matches, names)
            for summary in reversed(matches):
                if known.get(summary.match) != summary:
                    print_line("  ".join(match_row(summary, names)))
            for match in known.keys() - shown.keys():
                print_line(f"{match}  no longer in this list")
    return 0


async def _find_names(client: Client, matches: Sequence[MatchSummary], known: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the people in these matches; of a very long list only those of the first."""
    people = players_of(matches)[:MAX_NAMED_PLAYERS]
    new = await client.accounts.players(*(PlayerId(player) for player in people if player not in known))
    names = dict(known)
    names.update((player.player, player_text(player)) for player in new)
    return {player: names[player] for player in people if player in names}


def run_draw_remotely(
    url: str,
    *,
    match: str | None,
    position: str | None,
    ruleset: str,
    seq: int | None,
    output: str,
    data: DataOptions,
) -> int:
    if match is None or position is not None:
        raise CommandError("with --url draw takes a MATCH, and no --position")

    async def drawn() -> int:
        async with opened_match(url, match) as handle:
            shown = len(handle.records) if seq is None else seq
            try:
                board = replay_handle(handle).state(shown).board
            except ReplayError as fault:
                raise CommandError(str(fault)) from None
            if board is None:
                raise CommandError(f"there is no table yet at record {shown}")
            write_output(output, [find_pictures(handle.match.ruleset).draw_board(board).encode()])
        return 0

    return run_client(drawn())


def run_export_remotely(url: str, *, match: str, output: str, data: DataOptions) -> int:
    """Write the match file of a match on a server, as a guest may see it."""

    async def exported() -> int:
        async with opened_match(url, match) as handle:
            write_output(output, [handle.file()])
            if output != "-":
                print(f"{len(handle.records)} records, head {handle.stream.hash}")
        return 0

    return run_client(exported())


@asynccontextmanager
async def opened_match(url: str, match: str) -> AsyncIterator[MatchHandle]:
    """Provide a match with its whole history, and with its secrets once it is over. Raises ClientError."""
    async with connect(url) as client:
        handle = await client.watch(match)
        if is_revealed(await handle.wait_caught_up()):
            await handle.leave()
            handle = await client.watch(match, reveal_secrets=True)
            await handle.wait_caught_up()
        yield handle
