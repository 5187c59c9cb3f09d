"""Players with accounts on servers in memory, and what they do in tournaments of the counting ruleset."""

from typing import Any

import msgspec
from msgspec import Raw

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import Register, SignedIn
from diskwars_protocol.messages.tournaments import (
    ActInTournament,
    EnterAct,
    GetTournament,
    ListTournaments,
    OpenTournament,
    StartAct,
    TournamentAct,
    TournamentList,
    TournamentView,
)
from diskwars_protocol.tournaments.state import TournamentBoard
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

PASSWORD = "the griffon flies at dawn"


async def connect_member(node: InMemoryServer, name: str) -> InMemoryClient:
    """Return a client whose player has an account."""
    client = await node.connect_and_greet()
    answer = await client.request(Register(client.id(), name, PASSWORD, "laptop"))
    assert isinstance(answer, SignedIn), answer
    client.token, client.player = answer.token, answer.player
    return client


async def connect_members(node: InMemoryServer, *names: str) -> list[InMemoryClient]:
    return [await connect_member(node, name) for name in names]


def opening(client: InMemoryClient, id: str = "", name: str = "Autumn Swiss", **options: Any) -> OpenTournament:
    template = options.pop("template", {"ruleset": "counting", "settings": {"rounds": 1}})
    wanted = {"format": "swiss", "template": template, "seeding": "entry", **options}
    return OpenTournament(id or client.id(), name, Raw(msgspec.json.encode(wanted)))


async def open_tournament(client: InMemoryClient, **options: Any) -> str:
    answer = await client.request(opening(client, **options))
    assert isinstance(answer, TournamentView), answer
    return answer.tournament.tournament


def act_message(client: InMemoryClient, tournament: str, act: TournamentAct, id: str = "") -> ActInTournament:
    return ActInTournament(id or client.id(), tournament, act)


async def act(client: InMemoryClient, tournament: str, act: TournamentAct) -> TournamentView:
    answer = await client.request(act_message(client, tournament, act))
    assert isinstance(answer, TournamentView), answer
    return answer


async def refusal(client: InMemoryClient, tournament: str, act: TournamentAct) -> str:
    return (await client.expect_refused(act_message(client, tournament, act))).code


async def view(client: InMemoryClient, tournament: str, *, follow: bool = False) -> TournamentView:
    answer = await client.request(GetTournament(client.id(), tournament, follow))
    assert isinstance(answer, TournamentView), answer
    return answer


async def listed(client: InMemoryClient, **wanted: Any) -> TournamentList:
    answer = await client.request(ListTournaments(client.id(), **wanted))
    assert isinstance(answer, TournamentList), answer
    return answer


async def begin(organiser: InMemoryClient, entrants: list[InMemoryClient], **options: Any) -> str:
    """Return a tournament that has started with these entrants, in this order."""
    tournament = await open_tournament(organiser, **options)
    for entrant in entrants:
        await act(entrant, tournament, EnterAct())
    await act(organiser, tournament, StartAct())
    return tournament


async def run(node: InMemoryServer, seconds: float = 0) -> None:
    """Let time pass, and let the node work on what is due."""
    node.clock.now += int(seconds * 1000)
    await node.tournaments.runner.step()


def boards_of(shown: TournamentView) -> list[TournamentBoard]:
    """Return the boards of the last round."""
    return list(shown.tournament.rounds[-1].boards)


def client_of(clients: list[InMemoryClient], player: PlayerId | None) -> InMemoryClient:
    return next(client for client in clients if client.player == player)


async def sit_down(board: TournamentBoard, clients: list[InMemoryClient], shown: TournamentView, *seats: int) -> None:
    """Let the players of a board take their seats and get ready."""
    for seat in seats:
        client = client_of(clients, shown.tournament.entrant(board.entrants[seat]).player)
        await client.watch(board.match)
        await client.take_seat(board.match, seat)
    for seat in seats:
        client = client_of(clients, shown.tournament.entrant(board.entrants[seat]).player)
        await client.be_ready(board.match, seat)


async def play(
    board: TournamentBoard, clients: list[InMemoryClient], shown: TournamentView, numbers: tuple[int, int]
) -> None:
    """Play a match of one round to its end."""
    await sit_down(board, clients, shown, 0, 1)
    for seat, number in enumerate(numbers):
        client = client_of(clients, shown.tournament.entrant(board.entrants[seat]).player)
        await client.choose_number(board.match, seat, number)
