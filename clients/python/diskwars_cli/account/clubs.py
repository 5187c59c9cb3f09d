"""The `club` verb: clubs of a server as tables, and what one does in them."""

import shlex
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import msgspec

from diskwars_cli.account.account import AccountServer, run_as_account, run_with_account_or_guest
from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.output import print_line, print_table
from diskwars_client.client import Client
from diskwars_client.topics.accounts import player_text
from diskwars_client.topics.lobby import ListFilter
from diskwars_protocol.clubs.events import SeasonRow
from diskwars_protocol.clubs.options import ClubOptions, ClubRole
from diskwars_protocol.clubs.state import ClubMember, Season
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.clubs import ClubInvitation, ClubSummary, ClubView
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_text.listing_text import listing_text

MS_PER_DAY = 86_400_000
CODE_PREFIX = "club-"
Names = Mapping[str, str]
"""Names of players by id."""

LIST_HEADINGS = ("club", "name", "members", "entry", "season", "you")
MEMBER_HEADINGS = ("member", "role", "here", "since")
LADDER_HEADINGS = ("#", "member", "rating", "won", "drawn", "lost")
MATCH_HEADINGS = ("match", "status", "ruleset", "seats", "about")
SEASON_HEADINGS = ("season", "name", "from", "to", "first")
INVITATION_HEADINGS = ("invitation", "by", "until")


# ---------------------------------------------------------------- verbs


def run_list(server: AccountServer, *, mine: bool) -> int:
    async def act(client: Client) -> None:
        page = await client.clubs.list(mine=mine)
        if page.clubs:
            print_table(LIST_HEADINGS, map(_list_row, page.clubs))
        else:
            print_line("no clubs")

    return run_with_account_or_guest(server, act)


def run_show(server: AccountServer, club: str, *, follow: bool) -> int:
    async def act(client: Client) -> None:
        async for shown in client.clubs.follow(club):
            print_club(shown, await _names_of(client, _players_of(shown)))
            if not follow:
                return

    return run_with_account_or_guest(server, act)


def run_ladder(server: AccountServer, club: str, season: int | None) -> int:
    async def act(client: Client) -> None:
        rows = (await client.clubs.ladder(club, season)).rows
        names = await _names_of(client, [row.player for row in rows])
        print_table(LADDER_HEADINGS, (_ladder_row(place, row, names) for place, row in enumerate(rows, 1)))

    return run_with_account_or_guest(server, act)


def run_open(server: AccountServer, name: str, options: Mapping[str, Any]) -> int:
    async def act(client: Client) -> None:
        opened = await client.clubs.open(name, ClubOptions(**options))
        print_line(f"opened {opened.club}: {opened.name}")

    return run_as_account(server, act)


def run_edit(server: AccountServer, club: str, name: str | None, changes: Mapping[str, Any]) -> int:
    async def edit(client: Client, shown: ClubView) -> ClubView:
        options = msgspec.structs.replace(shown.options, **changes)
        return await client.clubs.edit(club, name or shown.name, options)

    return _run_act(server, club, edit, "changed")


def run_join(server: AccountServer, club_or_code: str) -> int:
    async def act(client: Client) -> None:
        # The page's link ends with the code.
        code = club_or_code.rstrip("/").rpartition("/")[2]
        is_code = code.startswith(CODE_PREFIX)
        joined = await (client.clubs.accept(code) if is_code else client.clubs.join(code))
        print_line(f"joined: {joined.name} ({joined.club}), {_count(joined)}")

    return run_as_account(server, act)


def run_leave(server: AccountServer, club: str) -> int:
    async def act(client: Client) -> None:
        # Not shown before: a private club is unknown afterwards.
        shown = await client.clubs.get(club)
        await client.clubs.leave(club)
        print_line(f"left: {shown.name}")

    return run_as_account(server, act)


def run_invite(server: AccountServer, club: str, days: int | None) -> int:
    async def act(client: Client) -> None:
        expires_ms = None if days is None else time.time_ns() // 1_000_000 + days * MS_PER_DAY
        invited = await client.clubs.invite(club, expires_ms)
        print_line(f"invitation {invited.invitation}; its code is shown once:")
        url = "" if server.url is None else f" --url {shlex.quote(server.url)}"
        print_line(f"  {program_name()} club join {invited.code}{url}")

    return run_as_account(server, act)


def run_revoke(server: AccountServer, club: str, invitation: str) -> int:
    async def revoke(client: Client, _: ClubView) -> ClubView:
        return await client.clubs.revoke(club, invitation)

    return _run_act(server, club, revoke, "revoked")


def run_role(server: AccountServer, club: str, name: str, role: ClubRole) -> int:
    async def give(client: Client, shown: ClubView) -> ClubView:
        return await client.clubs.give_role(club, await _find_member(client, shown, name), role)

    return _run_act(server, club, give, f"{name} is {role}")


def run_remove(server: AccountServer, club: str, name: str) -> int:
    async def remove(client: Client, shown: ClubView) -> ClubView:
        return await client.clubs.remove(club, await _find_member(client, shown, name))

    return _run_act(server, club, remove, "removed")


def run_begin_season(server: AccountServer, club: str, name: str, days: int | None) -> int:
    async def begin(client: Client, _: ClubView) -> ClubView:
        ends_ms = None if days is None else time.time_ns() // 1_000_000 + days * MS_PER_DAY
        return await client.clubs.begin_season(club, name, ends_ms)

    return _run_act(server, club, begin, f"season {name} has begun")


def run_end_season(server: AccountServer, club: str) -> int:
    async def end(client: Client, _: ClubView) -> ClubView:
        return await client.clubs.end_season(club)

    return _run_act(server, club, end, "the season is over")


def run_close(server: AccountServer, club: str) -> int:
    async def close(client: Client, _: ClubView) -> ClubView:
        return await client.clubs.close(club)

    return _run_act(server, club, close, "closed")


def run_matches(server: AccountServer, club: str | None) -> int:
    async def act(client: Client) -> None:
        wanted = ListFilter(club=club, clubs=club is None)
        listed = [*await client.lobby.list("open", wanted), *await client.lobby.list("running", wanted)]
        names = await _names_of(client, [seat.player for match in listed for seat in match.seats if seat.player])
        if listed:
            print_table(MATCH_HEADINGS, (_match_row(match, names) for match in listed))
        else:
            print_line("no matches")

    return run_as_account(server, act)


def run_report(server: AccountServer, club: str, text: str) -> int:
    async def act(client: Client) -> None:
        await client.clubs.report(club, text)
        print_line("reported to the operators of the server")

    return run_with_account_or_guest(server, act)


def _run_act(
    server: AccountServer, club: str, act: Callable[[Client, ClubView], Awaitable[ClubView]], done: str
) -> int:
    async def send(client: Client) -> None:
        shown = await act(client, await client.clubs.get(club))
        print_line(f"{done}: {shown.name}, {_count(shown)}")

    return run_as_account(server, send)


# ---------------------------------------------------------------- texts


def print_club(shown: ClubView, names: Names) -> None:
    """Print a club: its members, seasons, house rules and invitations."""
    season = next((known for known in shown.seasons if known.ended_ms is None), None)
    parts = [_count(shown), shown.options.ruleset, *([f"season {season.name}"] if season else [])]
    closed = ", closed" if shown.status == "closed" else ""
    print_line(f"{shown.name} ({shown.club}): {', '.join(parts)}{closed}")
    if shown.options.house_rules is not None:
        print_line(f"house rules: {shown.options.house_rules}")
    if shown.members:
        print_table(MEMBER_HEADINGS, (_member_row(member, shown, names) for member in shown.members))
    if shown.seasons:
        print_table(SEASON_HEADINGS, (_season_row(known, names) for known in shown.seasons))
    if shown.invitations:
        print_table(INVITATION_HEADINGS, (_invitation_row(known, names) for known in shown.invitations))


def _list_row(shown: ClubSummary) -> tuple[object, ...]:
    return shown.club, shown.name, shown.members, shown.entry, shown.season or "-", shown.role or "-"


def _match_row(match: MatchSummary, names: Names) -> tuple[object, ...]:
    seats = (seat.bot or names.get(seat.player or "", seat.player or "free") for seat in match.seats)
    return match.match, match.status, match.ruleset, ", ".join(seats), listing_text(match)


def _member_row(member: ClubMember, shown: ClubView, names: Names) -> tuple[object, ...]:
    here = "yes" if member.player in shown.present else "-"
    return names.get(member.player, member.player), member.role, here, _day(member.joined_ms)


def _ladder_row(place: int, row: SeasonRow, names: Names) -> tuple[object, ...]:
    rating = "-" if row.rating is None else row.rating
    return place, names.get(row.player, row.player), rating, row.wins, row.draws, row.losses


def _season_row(season: Season, names: Names) -> tuple[object, ...]:
    first = season.standings[0].player if season.standings else ""
    end_ms = season.ends_ms if season.ended_ms is None else season.ended_ms
    return season.number, season.name, _day(season.began_ms), _day(end_ms), names.get(first, first) or "-"


def _invitation_row(known: ClubInvitation, names: Names) -> tuple[object, ...]:
    return known.invitation, names.get(known.by, known.by), _day(known.expires_ms)


def _count(shown: ClubView) -> str:
    count = len(shown.members)
    return "1 member" if count == 1 else f"{count} members"


def _day(at_ms: int | None) -> str:
    return "-" if at_ms is None else time.strftime("%Y-%m-%d", time.localtime(at_ms / 1000))


# ---------------------------------------------------------------- names


def _players_of(shown: ClubView) -> Iterable[PlayerId]:
    firsts = [season.standings[0].player for season in shown.seasons if season.standings]
    return [*(member.player for member in shown.members), *(known.by for known in shown.invitations), *firsts]


async def _names_of(client: Client, players: Iterable[PlayerId]) -> dict[str, str]:
    found = await client.accounts.players(*dict.fromkeys(players))
    return {summary.player: player_text(summary) for summary in found}


async def _find_member(client: Client, shown: ClubView, name: str) -> PlayerId:
    """Return the member of a name. Raises CommandError."""
    for summary in await client.accounts.players(*(member.player for member in shown.members)):
        if summary.name.casefold() == name.casefold():
            return summary.player
    raise CommandError(f"the club has no member of the name {name}")
