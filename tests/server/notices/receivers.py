"""Real receivers of notices: a mail server, and a server over HTTP that remembers what it was sent."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiohttp import web
from aiosmtpd.smtp import SMTP, Envelope
from msgspec import Struct


class MailBox:
    """A mail server on a free port of loopback. `refusal` answers the next recipients, if it is set."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refusal = self.sender_refusal = ""
        self.port = 0
        self.arrived = asyncio.Event()

    async def handle_MAIL(self, server: Any, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        envelope.mail_from = address
        return self.sender_refusal or "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Envelope, address: str, options: Any) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        self.mails.append(mail)
        self.arrived.set()
        return "250 OK"

    @property
    def url(self) -> str:
        return f"smtp+plain://127.0.0.1:{self.port}"


@contextlib.asynccontextmanager
async def receive_mail() -> AsyncIterator[MailBox]:
    box = MailBox()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(box, hostname="mail.test", loop=loop), "127.0.0.1", 0)
    box.port = server.sockets[0].getsockname()[1]
    try:
        yield box
    finally:
        server.close()


class Received(Struct):
    """One request."""

    path: str
    headers: dict[str, str]
    body: bytes


class HttpReceiver:
    """A server over HTTP on a free port of loopback. `respond` makes its answers."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.respond: Callable[[Received], web.Response] = lambda received: web.Response(status=201)
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _handle(self, request: web.Request) -> web.Response:
        received = Received(request.path, dict(request.headers), await request.read())
        self.requests.append(received)
        return self.respond(received)


@contextlib.asynccontextmanager
async def receive_http() -> AsyncIterator[HttpReceiver]:
    receiver = HttpReceiver()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", receiver._handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.port = runner.addresses[0][1]
    try:
        yield receiver
    finally:
        await runner.cleanup()
