"""The parts of a server that send notices, put together from its settings.

The libraries that send are an extra of the package, and are imported only where notices are sent.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from urllib.parse import urlsplit

from msgspec import Struct

from diskwars_protocol.messages.notices import ChannelKind
from diskwars_server.http.routes import Route
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.services import Clock
from diskwars_server.monitoring.tracing import Tracing
from diskwars_server.notices.addresses import ReachableAddresses, parse_networks
from diskwars_server.notices.deliverer import NoticeDeliverer
from diskwars_server.notices.dispatcher import IsOnline, NoticeDispatcher
from diskwars_server.notices.links import NoticeLinks
from diskwars_server.notices.notice_requests import NoticeService, make_silent_notices
from diskwars_server.notices.outcomes import SendMessage
from diskwars_server.notices.pages import NoticePages
from diskwars_server.settings import ServerSettings, SettingsError
from diskwars_server.store.database import Database


class NoticeParts(Struct, frozen=True):
    """What sends notices: the service of requests, what works beside the connections, and the routes of links."""

    service: NoticeService
    routes: Sequence[Route] = ()
    dispatcher: NoticeDispatcher | None = None
    deliverer: NoticeDeliverer | None = None
    end: Callable[[], Awaitable[None]] | None = None

    def loops(self) -> Iterator[tuple[str, Coroutine[None, None, None]]]:
        """Return what runs beside the connections, by name."""
        if self.dispatcher is not None:
            yield "notices", self.dispatcher.run()
        if self.deliverer is not None:
            yield "deliveries", self.deliverer.run()
            yield "dead deliveries", self.deliverer.run_removals()

    async def close(self) -> None:
        if self.end is not None:
            await self.end()


class _Senders(Struct, frozen=True):
    by_kind: dict[ChannelKind, SendMessage]
    push_key: str
    close: Callable[[], Awaitable[None]]


async def make_notice_parts(
    settings: ServerSettings,
    database: Database,
    matches: MatchRepository,
    key: bytes,
    clock: Clock,
    monotonic: Clock,
    is_online: IsOnline,
    tracing: Tracing | None = None,
) -> NoticeParts:
    """Return the parts of a server that players reach at `public_url`. `key` is its signing key.

    `is_online` returns whether a player is connected to any node.

    Without that setting it has the service alone, which offers nothing. Raises SettingsError where the libraries are
    missing, and StoreUnavailable.
    """
    if not settings.public_url:
        return NoticeParts(make_silent_notices(database, key, clock))
    links = NoticeLinks(key, clock, settings.public_url)
    reachable = ReachableAddresses(parse_networks(settings.notice_networks))
    try:
        senders = _make_senders(settings, reachable, links, await database.vault.push_key(), clock)
    except ModuleNotFoundError as missing:
        text = f"public_url: notices need {missing.name}, which comes with the extra `notices` of this package"
        raise SettingsError(text) from None
    service = NoticeService(
        database.notices,
        links,
        reachable,
        clock,
        monotonic,
        offered=senders.by_kind.keys(),
        push_key=senders.push_key,
    )
    return NoticeParts(
        service,
        NoticePages(service).routes(),
        NoticeDispatcher(matches, database.notices, database.events, database.challenges, is_online, clock),
        NoticeDeliverer(
            database.notices,
            matches,
            database.accounts,
            database.challenges,
            senders.by_kind,
            links,
            clock,
            monotonic,
            tracing,
        ),
        senders.close,
    )


def _make_senders(
    settings: ServerSettings, reachable: ReachableAddresses, links: NoticeLinks, push_secret: bytes, clock: Clock
) -> _Senders:
    """Return what sends by each kind of channel. Raises ModuleNotFoundError."""
    from diskwars_server.notices.mail import MailSender, parse_mail_server
    from diskwars_server.notices.outbound import OutboundHttp
    from diskwars_server.notices.push import PushKeys, PushSender
    from diskwars_server.notices.webhooks import WebhookSender

    http, keys = OutboundHttp(reachable), PushKeys(push_secret)
    by_kind: dict[ChannelKind, SendMessage] = {
        "push": PushSender(http, keys, _push_subject(settings), clock).send,
        "webhook": WebhookSender(http).send,
    }
    if settings.smtp_url:
        server = parse_mail_server(settings.smtp_url)
        by_kind["email"] = MailSender(server, settings.mail_from, lambda channel: links.make("stop", channel)).send
    return _Senders(by_kind, keys.public, http.close)


def _push_subject(settings: ServerSettings) -> str:
    """Return whom a push service may write to: an https address only without path and port (py-vapid refuses it)."""
    if settings.mail_from:
        return f"mailto:{settings.mail_from}"
    return f"https://{urlsplit(settings.public_url).hostname}"
