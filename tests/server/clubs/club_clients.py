"""Players with accounts on servers in memory, and what they do in clubs."""

from typing import Any

import msgspec
from msgspec import Raw

from diskwars_protocol.messages.accounts import DeleteAccount, ShowPresence
from diskwars_protocol.messages.clubs import (
    AcceptClubInvitation,
    ActInClub,
    ClubAct,
    ClubInvited,
    ClubList,
    ClubView,
    GetClub,
    InviteToClub,
    ListClubs,
    OpenClub,
)
from tests.server.in_memory_server import InMemoryClient
from tests.server.tournaments.tournament_clients import PASSWORD


def raw_options(**options: Any) -> Raw:
    return Raw(msgspec.json.encode({"ruleset": "counting", **options}))


def opening(client: InMemoryClient, id: str = "", name: str = "Thursday Club", **options: Any) -> OpenClub:
    return OpenClub(id or client.id(), name, raw_options(**options))


async def open_club(client: InMemoryClient, **options: Any) -> str:
    answer = await client.request(opening(client, **options))
    assert isinstance(answer, ClubView), answer
    return answer.club


async def act(client: InMemoryClient, club: str, act: ClubAct) -> ClubView:
    answer = await client.request(ActInClub(client.id(), club, act))
    assert isinstance(answer, ClubView), answer
    return answer


async def refusal(client: InMemoryClient, club: str, act: ClubAct) -> str:
    return (await client.expect_refused(ActInClub(client.id(), club, act))).code


async def view(client: InMemoryClient, club: str, *, follow: bool = False) -> ClubView:
    answer = await client.request(GetClub(client.id(), club, follow))
    assert isinstance(answer, ClubView), answer
    return answer


async def listed(client: InMemoryClient, **wanted: Any) -> list[str]:
    answer = await client.request(ListClubs(client.id(), **wanted))
    assert isinstance(answer, ClubList), answer
    return [club.name for club in answer.clubs]


async def invite(client: InMemoryClient, club: str, **wanted: Any) -> str:
    """Return the code of a new invitation."""
    answer = await client.request(InviteToClub(client.id(), club, **wanted))
    assert isinstance(answer, ClubInvited), answer
    return answer.code


async def accept(client: InMemoryClient, code: str) -> ClubView:
    answer = await client.request(AcceptClubInvitation(client.id(), code))
    assert isinstance(answer, ClubView), answer
    return answer


async def come_in(leader: InMemoryClient, club: str, *members: InMemoryClient) -> None:
    """Let players become members by one invitation."""
    code = await invite(leader, club)
    for member in members:
        await accept(member, code)


async def show_presence(client: InMemoryClient) -> None:
    await client.request(ShowPresence(client.id(), shown=True))


async def delete_account(client: InMemoryClient) -> None:
    await client.request(DeleteAccount(client.id(), PASSWORD))


def roles(shown: ClubView) -> dict[str, str]:
    return {member.player: member.role for member in shown.members}
