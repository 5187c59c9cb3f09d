"""A player at a terminal reports another one: with a confirmation, and the moment that it is about."""

from typing import Any

import pytest
from msgspec.structs import replace

from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.plugs.terminal_ruleset import OrderError
from diskwars_client.terminal.reports import TerminalReports
from diskwars_protocol.match.bot_identity import bot_player
from diskwars_protocol.match.ids import PlayerId, Seat
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.reports import MAX_REPORT_TEXT_LENGTH
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from tests.client.terminal.test_terminal import match
from tests.rows import each_row

ME, ANN, BEN = PlayerId("guest-me"), PlayerId("guest-ann"), PlayerId("guest-ben")
MATCH = "hbx7mrq4wz2e"


def seated(*players: PlayerId) -> DiskwarsMatch:
    now = match()
    return replace(now, seats=tuple(replace(now.seats[0], player=player) for player in players))


class Server:
    """Takes reports; `fault` is what it answers instead."""

    def __init__(self) -> None:
        self.reports: list[tuple[Any, ...]] = []
        self.fault: ClientError | None = None

    async def report(self, *report: Any) -> None:
        if self.fault is not None:
            raise self.fault
        self.reports.append(report)


class Followed:
    """The handle of a match at record 41, in which this player sits in the first seat."""

    id, head, seat = MATCH, 41, 0

    def __init__(self, *players: PlayerId) -> None:
        self.match = seated(ME, *players)


def label(seat: Seat) -> str:
    return f"player {seat}"


def reports(*players: PlayerId) -> tuple[TerminalReports, Server]:
    server = Server()
    return TerminalReports(server, Followed(*players)), server  # type: ignore[arg-type]


async def test_report_is_sent_after_yes_with_the_moment_of_its_draft() -> None:
    terminal, server = reports(ANN)
    asked = await terminal.follow_order("report Insults me in the chat.", label)
    assert asked == (
        f"about player 1, up to {MATCH}/41, to the operators of the server and to nobody else:\n"
        "  Insults me in the chat.\n`yes` sends it, any other order drops it"
    )
    assert server.reports == []
    assert await terminal.follow_order("yes", label) == f"sent: the operators can look at {MATCH}/41"
    assert server.reports == [(MATCH, 41, ANN, "Insults me in the chat.")]
    assert await terminal.follow_order("yes", label) is None


async def test_any_other_order_drops_the_draft() -> None:
    terminal, server = reports(ANN)
    await terminal.follow_order("report Slow on purpose", label)
    assert await terminal.follow_order("move K N", label) is None
    assert await terminal.follow_order("yes", label) is None
    assert server.reports == []


async def test_seat_is_named_among_several_players() -> None:
    terminal, server = reports(ANN, BEN)
    with pytest.raises(OrderError, match="report whom\\? Type B or C before the text: `report B TEXT`"):
        await terminal.follow_order("report cheats", label)
    asked = await terminal.follow_order("report C cheats", label)
    assert asked is not None
    assert asked.startswith("about player 2, ")
    await terminal.follow_order("y", label)
    assert server.reports == [(MATCH, 41, BEN, "cheats")]


@each_row(
    ("player", "line", "said"),
    [
        (ANN, "report", "report what"),
        (ANN, "report B", "report what"),
        (ANN, f"report {'x' * (MAX_REPORT_TEXT_LENGTH + 1)}", f"at most {MAX_REPORT_TEXT_LENGTH} characters"),
        (bot_player("fair", 1), "report cheats", "a bot of the server plays seat B"),
        (PlayerId(""), "report cheats", "nobody sits on seat B"),
    ],
)
async def test_report_that_cannot_be_sent_is_explained(player: PlayerId, line: str, said: str) -> None:
    terminal, server = reports(player)
    with pytest.raises(OrderError, match=said):
        await terminal.follow_order(line, label)
    assert await terminal.follow_order("yes", label) is None
    assert server.reports == []


async def test_refusal_of_the_server_is_shown() -> None:
    terminal, server = reports(ANN)
    await terminal.follow_order("report again", label)
    server.fault = CommandRefused(Refused("too_many_reports", "too many reports today"))
    assert await terminal.follow_order("yes", label) == "not sent: too many reports today"
    await terminal.follow_order("report again", label)
    server.fault = ClientError("the connection is lost")
    assert await terminal.follow_order("yes", label) == "not sent: the connection is lost"
