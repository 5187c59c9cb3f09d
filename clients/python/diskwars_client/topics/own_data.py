"""The own data in one value: what the answers to a fixed list of requests say of an account."""

from typing import Any

import msgspec
from msgspec import Struct

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.messages.accounts import (
    DeviceList,
    FollowedPlayers,
    GetOwnData,
    ListDevices,
    ListFollowed,
    OwnChatMessage,
    OwnData,
)
from diskwars_protocol.messages.challenges import ChallengeList, ListChallenges
from diskwars_protocol.messages.chat import ListMutedPlayers, MutedPlayers
from diskwars_protocol.messages.clubs import ClubList, ListClubs
from diskwars_protocol.messages.lesson_progress import AddLessonProgress, LessonProgress
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.notices import GetNotices, NoticeSettings
from diskwars_protocol.messages.ratings import GetPlayerStatistics, GetRatingHistory, PlayerStatistics, RatingHistory
from diskwars_protocol.messages.tournaments import ListTournaments, TournamentList

MAX_PAGES = 10_000
"""Of one list: a server that never ends it is given up."""


async def collect_own_data(requester: Requester) -> dict[str, Any]:
    """Return everything that the server shows a player of their account, as values for JSON. Raises CommandRefused.

    A match is named, and not part of it: `files.export` saves each. Of the reports it has the last 200.
    """
    account, messages = await _read_account(requester)
    parts: tuple[tuple[str, Any, Any], ...] = (
        ("devices", ListDevices(new_command_id()), DeviceList),
        ("notices", GetNotices(new_command_id()), NoticeSettings),
        ("followed", ListFollowed(new_command_id()), FollowedPlayers),
        ("muted", ListMutedPlayers(new_command_id()), MutedPlayers),
        ("challenges", ListChallenges(new_command_id()), ChallengeList),
        ("lessons", AddLessonProgress(new_command_id()), LessonProgress),
    )
    data: dict[str, Any] = {"account": _without_id(account), "messages": _plain(messages)}
    for name, request, answer in parts:
        data[name] = _without_id(await requester.request(request, answer))
    data["clubs"] = await _read_pages(requester, "clubs", ListClubs(new_command_id(), mine=True), ClubList)
    tournaments = [ListTournaments(new_command_id(), over, mine=True) for over in (False, True)]
    data["tournaments"] = [
        shown
        for request in tournaments
        for shown in await _read_pages(requester, "tournaments", request, TournamentList)
    ]
    statistics = await requester.request(GetPlayerStatistics(new_command_id()), PlayerStatistics)
    data["statistics"] = _without_id(statistics)
    data["rating_history"] = {
        rating.ruleset: await _read_pages(
            requester, "changes", GetRatingHistory(new_command_id(), rating.ruleset), RatingHistory
        )
        for rating in statistics.ratings
    }
    data["matches"] = await _read_pages(requester, "matches", ListMatches(new_command_id(), mine=True), MatchList)
    return data


async def _read_account(requester: Requester) -> tuple[OwnData, list[OwnChatMessage]]:
    """Return the account without messages, and all messages."""
    first = await requester.request(GetOwnData(new_command_id()), OwnData)
    messages, page = [*first.messages], first
    while page.has_more:
        page = await requester.request(GetOwnData(new_command_id(), len(messages)), OwnData)
        messages += page.messages
    return msgspec.structs.replace(first, messages=(), has_more=False), messages


async def _read_pages(requester: Requester, name: str, request: Any, answer: Any) -> list[Any]:
    shown: list[Any] = []
    for _ in range(MAX_PAGES):
        page: Any = await requester.request(request, answer)
        shown += _plain(getattr(page, name))
        if page.next_page is None:
            break
        request = msgspec.structs.replace(request, id=new_command_id(), page=page.next_page)
    return shown


def _without_id(answer: Struct) -> dict[str, Any]:
    said: dict[str, Any] = _plain(answer)
    return {name: value for name, value in said.items() if name not in ("id", "type")}


def _plain(value: Any) -> Any:
    """Return what a value is in JSON; settings of a challenge are kept as the text that came."""
    return msgspec.json.decode(msgspec.json.encode(value))
