"""The `challenge` verb: ask another player for a match, and answer those who ask."""

import shlex
import time
from collections.abc import Sequence

from diskwars_cli.account.account import AccountServer, run_as_account
from diskwars_cli.console.command import program_name
from diskwars_cli.console.output import print_line, print_table
from diskwars_client.client import Client
from diskwars_client.topics.accounts import player_text
from diskwars_protocol.match.ids import PlayerId, seat_letter
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.accounts import MAX_REQUESTED_PLAYERS
from diskwars_protocol.messages.challenges import Challenge, DeclineReason

HEADINGS = ("challenge", "from", "to", "ruleset", "seat of the challenger", "until", "status")


def run_send(
    server: AccountServer,
    name: str,
    *,
    ruleset: str,
    settings: dict[str, object],
    match_options: MatchOptions,
    seat: int | None,
    wait: bool,
) -> int:
    async def act(client: Client) -> None:
        sent = await client.challenges.send(name, ruleset, settings, match_options, seat=seat)
        print_line(f"challenge {sent.challenge} to {name}, open until {_time_text(sent.expires_ms)}")
        if wait:
            answered = await client.challenges.wait_for_answer(sent.challenge)
            print_line("its time is over" if answered is None else status_text(answered))
            if answered is not None:
                _print_how_to_play(server, answered)

    return run_as_account(server, act)


def run_list(server: AccountServer) -> int:
    async def act(client: Client) -> None:
        listed = await client.challenges.list()
        if not listed.allowed:
            print_line("you take no challenges; `challenge allow` changes that")
        if not listed.challenges:
            print_line("no challenges")
            return
        names = await _names_of(client, listed.challenges)
        print_table(HEADINGS, (_row(shown, names) for shown in listed.challenges))

    return run_as_account(server, act)


def run_accept(server: AccountServer, challenge: str) -> int:
    async def act(client: Client) -> None:
        accepted = await client.challenges.accept(challenge)
        print_line(f"accepted, match {accepted.match}")
        _print_how_to_play(server, accepted)

    return run_as_account(server, act)


def run_decline(server: AccountServer, challenge: str, reason: DeclineReason) -> int:
    async def act(client: Client) -> None:
        print_line(status_text(await client.challenges.decline(challenge, reason)))

    return run_as_account(server, act)


def run_withdraw(server: AccountServer, challenge: str) -> int:
    async def act(client: Client) -> None:
        print_line(status_text(await client.challenges.withdraw(challenge)))

    return run_as_account(server, act)


def run_allow(server: AccountServer, *, allowed: bool) -> int:
    async def act(client: Client) -> None:
        answer = await client.challenges.allow(allowed)
        print_line("you take challenges" if answer.allowed else "you take no challenges")

    return run_as_account(server, act)


def status_text(challenge: Challenge) -> str:
    """Return what became of a challenge, with the reason of a refusal."""
    given = challenge.reason if challenge.reason != "unspecified" else None
    return challenge.status + (f": {given.replace('_', ' ')}" if given else "")


def _row(shown: Challenge, names: dict[PlayerId, str]) -> tuple[object, ...]:
    return (
        shown.challenge,
        names.get(shown.challenger, shown.challenger),
        names.get(shown.challenged, shown.challenged),
        shown.ruleset,
        "by lot" if shown.seat is None else seat_letter(shown.seat),
        _time_text(shown.expires_ms),
        f"match {shown.match}" if shown.match else status_text(shown),
    )


def _print_how_to_play(server: AccountServer, accepted: Challenge) -> None:
    if accepted.match is not None:
        where = f" --url {shlex.quote(server.url)}" if server.url else ""
        print_line(f"{program_name()} play --match {accepted.match}{where}")


def _time_text(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at_ms / 1000))


async def _names_of(client: Client, challenges: Sequence[Challenge]) -> dict[PlayerId, str]:
    players = list(dict.fromkeys(player for shown in challenges for player in (shown.challenger, shown.challenged)))
    names: dict[PlayerId, str] = {}
    for first in range(0, len(players), MAX_REQUESTED_PLAYERS):
        for summary in await client.accounts.players(*players[first : first + MAX_REQUESTED_PLAYERS]):
            names[summary.player] = player_text(summary)
    return names
