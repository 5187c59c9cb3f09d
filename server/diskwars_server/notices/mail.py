"""Notices by e-mail: one message a delivery, in plain text and HTML, with a way to end them in one click (RFC 8058)."""

import asyncio
import html
import ssl
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate
from urllib.parse import unquote, urlsplit

import aiosmtplib
from msgspec import Struct

from diskwars_protocol.messages.notices import EmailTarget
from diskwars_server.notices.outcomes import Failed, Outcome, Rejected, Sent
from diskwars_server.notices.texts import Message, stop_line
from diskwars_server.store.notices import Delivery, StoredChannel

TIMEOUT_SECONDS = 60.0
"""For everything about one mail: shorter than the lease of a delivery."""
COMMAND_SECONDS = 20.0
MAX_MAILS_AT_ONCE = 4
MAX_MAIL_HEADER_LENGTH = 998
"""Of a line (RFC 5322, section 2.1.1). The policy of the standard library encodes a link of over 78 characters, which
no mail program then reads as one."""
_POLICY = SMTP.clone(max_line_length=MAX_MAIL_HEADER_LENGTH)
_PERMANENT = range(500, 600)


class MailServer(Struct, frozen=True):
    """The server that takes our mail: host, port, how TLS begins, and the account there."""

    host: str
    port: int
    tls: bool
    starttls: bool
    user: str = ""
    password: str = ""


class MailSender:
    """Hands mail to one server."""

    def __init__(
        self,
        server: MailServer,
        sender: str,
        find_stop_link: Callable[[StoredChannel], str],
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`sender` is the address that mail comes from; `find_stop_link` returns the link that ends it."""
        self._server, self._sender, self._find_stop_link, self._tls = server, sender, find_stop_link, tls
        self._turns = asyncio.Semaphore(MAX_MAILS_AT_ONCE)

    async def send(self, channel: StoredChannel, delivery: Delivery, message: Message) -> Outcome:
        """Hand a message over once. A repeated attempt has the same `Message-ID`."""
        target, server = channel.target, self._server
        assert isinstance(target, EmailTarget)
        mail = self._compose(channel, target.address, delivery, message)
        try:
            # Another connection for each: servers close one that idles, and the library does not connect again. Its own
            # limit is one for each command.
            async with self._turns, asyncio.timeout(TIMEOUT_SECONDS):
                refused, _ = await aiosmtplib.send(
                    mail,
                    sender=self._sender,
                    recipients=[target.address],
                    hostname=server.host,
                    port=server.port,
                    use_tls=server.tls,
                    start_tls=server.starttls,
                    username=server.user or None,
                    password=server.password or None,
                    timeout=COMMAND_SECONDS,
                    tls_context=self._tls,
                )
        except aiosmtplib.SMTPRecipientsRefused as fault:
            return _outcome(max((each.code for each in fault.recipients), default=550))
        except aiosmtplib.SMTPResponseException as fault:
            # A refused log-in, sender or connection is the operator's fault, and no reason to give an address up.
            return Failed(f"SMTP {fault.code}")
        except TimeoutError:
            return Failed(f"no answer within {TIMEOUT_SECONDS:g} s")
        except (aiosmtplib.SMTPException, OSError, ValueError) as fault:
            return Failed(type(fault).__name__)
        return _outcome(next(iter(refused.values())).code) if refused else Sent()

    def _compose(self, channel: StoredChannel, address: str, delivery: Delivery, message: Message) -> EmailMessage:
        mail = EmailMessage(policy=_POLICY)
        mail["From"], mail["To"], mail["Subject"] = self._sender, address, message.title
        mail["Date"] = formatdate(delivery.created_ms / 1000, usegmt=True)
        mail["Message-ID"] = f"<{delivery.delivery}@{self._sender.rpartition('@')[2].rstrip('>')}>"
        mail["Auto-Submitted"] = "auto-generated"
        lines = [*message.lines, "", message.link]
        if channel.state != "unconfirmed":
            stop = self._find_stop_link(channel)
            mail["List-Unsubscribe"], mail["List-Unsubscribe-Post"] = f"<{stop}>", "List-Unsubscribe=One-Click"
            lines += ["", f"{stop_line(message.language)} {stop}"]
        mail.set_content("\n".join(lines) + "\n")
        mail.add_alternative(_as_html(message.title, lines), subtype="html")
        return mail


def _as_html(title: str, lines: list[str]) -> str:
    shown = [_linked(html.escape(line)) for line in lines if line]
    paragraphs = "".join(f"<p>{line}</p>\n" for line in shown)
    return f"<!doctype html>\n<html><body>\n<h1>{html.escape(title)}</h1>\n{paragraphs}</body></html>\n"


def _linked(line: str) -> str:
    before, mark, address = line.rpartition("https://") if "https://" in line else line.rpartition("http://")
    return f'{before}<a href="{mark}{address}">{mark}{address}</a>' if mark else line


def _outcome(code: int) -> Outcome:
    return Rejected(f"SMTP {code}") if code in _PERMANENT else Failed(f"SMTP {code}")


def parse_mail_server(url: str) -> MailServer:
    """Read `smtp://USER:PASSWORD@HOST:PORT` (STARTTLS), `smtps://…` (TLS) or `smtp+plain://…` (neither).

    Raises ValueError.
    """
    parts = urlsplit(url)
    ports = {"smtp": 587, "smtps": 465, "smtp+plain": 25}
    if parts.scheme not in ports or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise ValueError("expected smtp://USER:PASSWORD@HOST:PORT, or smtps:// where TLS comes first")
    return MailServer(
        parts.hostname,
        parts.port or ports[parts.scheme],
        tls=parts.scheme == "smtps",
        starttls=parts.scheme == "smtp",
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )
