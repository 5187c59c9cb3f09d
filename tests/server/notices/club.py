"""A club: an in-memory server that sends notices to real receivers, and members with accounts who play slowly."""

import contextlib
import re
from collections.abc import AsyncIterator

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.accounts import Register, SignedIn
from diskwars_protocol.messages.notices import (
    AddNoticeChannel,
    EmailTarget,
    NoticePreferences,
    NoticeSettings,
    NoticeTarget,
    SetNotices,
)
from diskwars_server.notices.deliverer import NoticeDeliverer
from diskwars_server.notices.dispatcher import NoticeDispatcher
from diskwars_server.notices.parts import NoticeParts, make_notice_parts
from diskwars_server.settings import ServerSettings
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match
from tests.server.notices.receivers import HttpReceiver, MailBox, receive_http, receive_mail

THREE_DAYS = MatchOptions(clock=PerDecisionClock(3 * 86_400))
KEY = b"k" * 32
SECONDS = 1000


class Club(Struct):
    """A server and what its notices reach."""

    node: InMemoryServer
    mail: MailBox
    web: HttpReceiver
    parts: NoticeParts

    @property
    def dispatcher(self) -> NoticeDispatcher:
        assert self.parts.dispatcher is not None
        return self.parts.dispatcher

    @property
    def deliverer(self) -> NoticeDeliverer:
        assert self.parts.deliverer is not None
        return self.parts.deliverer

    async def pass_time(self, seconds: int) -> None:
        """Let time pass, and send what is due then."""
        self.node.clock.now += seconds * SECONDS
        await self.send_due()

    async def send_due(self) -> None:
        await self.dispatcher.step()
        await self.deliverer.step()

    async def join(self, name: str) -> InMemoryClient:
        """Return a connection of a new member."""
        member = await self.node.connect_and_greet()
        answer = await member.request(Register(member.id(), name, "correct horse", "laptop"))
        assert isinstance(answer, SignedIn), answer
        return member

    async def begin(self, first: InMemoryClient, second: InMemoryClient) -> MatchId:
        """Return a match with days for a decision, in which both have to decide."""
        return await begin_match(first, second, options=THREE_DAYS)


def go_away(*members: InMemoryClient) -> None:
    """Let connections end."""
    for member in members:
        member.session.close()


async def add(member: InMemoryClient, target: NoticeTarget) -> NoticeSettings:
    answer = await member.request(AddNoticeChannel(member.id(), target))
    assert isinstance(answer, NoticeSettings), answer
    return answer


async def prefer(member: InMemoryClient, preferences: NoticePreferences) -> NoticeSettings:
    answer = await member.request(SetNotices(member.id(), preferences))
    assert isinstance(answer, NoticeSettings), answer
    return answer


async def add_mail(club: Club, member: InMemoryClient, address: str) -> None:
    """Add an address, and confirm it with the link that was sent there."""
    await add(member, EmailTarget(address))
    await club.deliverer.step()
    token = find_token("confirm", club.mail.mails.pop().get_body(("plain",)).get_content())  # type: ignore[union-attr]
    linked = club.parts.service.read_link("confirm", token)
    assert linked is not None
    assert await club.parts.service.confirm(linked)


def find_token(kind: str, text: str) -> str:
    """Return the token of a link in a text."""
    found = re.search(rf"/notices/{kind}/(\S+)", text)
    assert found is not None, text
    return found[1]


@contextlib.asynccontextmanager
async def open_club(node: InMemoryServer) -> AsyncIterator[Club]:
    async with receive_mail() as mail, receive_http() as web:
        settings = ServerSettings(
            public_url="https://club.example.org",
            smtp_url=mail.url,
            mail_from="disks@club.example.org",
            notice_networks=("127.0.0.0/8",),
        )
        parts = await make_notice_parts(
            settings, node.database, node.matches, KEY, node.clock, node.clock, node.accounts.connected.is_online
        )
        node.replace_services(notices=parts.service)
        try:
            yield Club(node, mail, web, parts)
        finally:
            await parts.close()
