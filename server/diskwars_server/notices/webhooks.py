"""Notices posted to an address that the player has named, in the form that the service behind it reads.

`json` is ours. `discord`: https://discord.com/developers/docs/resources/webhook, `slack`:
https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, `ntfy`: https://docs.ntfy.sh/publish/.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import msgspec

from diskwars_protocol.messages.notices import WebhookFormat, WebhookTarget
from diskwars_server.notices.addresses import BadAddress
from diskwars_server.notices.outbound import Answer, OutboundHttp, SendFailed
from diskwars_server.notices.outcomes import Failed, Outcome, Rejected, Sent
from diskwars_server.notices.texts import Message
from diskwars_server.store.notices import Delivery, StoredChannel

MAX_DISCORD_LENGTH = 2_000
MAX_NTFY_LENGTH = 4_096
"""Longer ones become a file that has to be opened."""
Post: TypeAlias = tuple[bytes, Mapping[str, str]]
"""A body and its header fields."""


class WebhookSender:
    """Posts to webhooks."""

    def __init__(self, http: OutboundHttp) -> None:
        self._http = http

    async def send(self, channel: StoredChannel, delivery: Delivery, message: Message) -> Outcome:
        """Post a message once. A repeated attempt has the same `Idempotency-Key`."""
        target = channel.target
        assert isinstance(target, WebhookTarget)
        body, headers = _FORMATS[target.format](delivery, message)
        try:
            answer = await self._http.post(target.url, body, {**headers, "Idempotency-Key": delivery.delivery})
        except BadAddress as fault:
            return Rejected(str(fault))
        except SendFailed as fault:
            return Failed(str(fault))
        return outcome_of(answer)


def outcome_of(answer: Answer) -> Outcome:
    """Return what an answer over HTTP says of the message. A redirect is none that was taken."""
    if 200 <= answer.status < 300:
        return Sent()
    if answer.status in (408, 425, 429) or answer.status >= 500:
        return Failed(f"HTTP {answer.status}", answer.retry_after_seconds)
    return Rejected(f"HTTP {answer.status}", is_gone=answer.status == 410)


def _text(message: Message) -> str:
    return "\n".join((message.title, *message.lines, message.link))


def _short_text(message: Message, length: int) -> str:
    """Return a text of at most this many bytes: lines go, and of one that is too long its end."""
    lines = list(message.lines)
    while lines and len("\n".join((message.title, *lines, message.link)).encode()) > length:
        lines.pop()
    rest = length - len(message.link.encode()) - 1 - sum(len(line.encode()) + 1 for line in lines)
    title = message.title.encode()[: max(0, rest)].decode(errors="ignore")
    return "\n".join((title, *lines, message.link))


def _json(delivery: Delivery, message: Message) -> Post:
    value = {
        "id": delivery.delivery,
        "title": message.title,
        "lines": message.lines,
        "link": message.link,
        "notices": [{"kind": text.kind, "match": text.match, "seat": text.seat} for text in delivery.texts],
    }
    return msgspec.json.encode(value), {"Content-Type": "application/json"}


def _discord(delivery: Delivery, message: Message) -> Post:
    # Names of players are theirs to choose: none of them may call everybody in a channel.
    value = {"content": _short_text(message, MAX_DISCORD_LENGTH), "allowed_mentions": {"parse": []}}
    return msgspec.json.encode(value), {"Content-Type": "application/json"}


def _slack(delivery: Delivery, message: Message) -> Post:
    text = _text(message).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return msgspec.json.encode({"text": text}), {"Content-Type": "application/json"}


def _ntfy(delivery: Delivery, message: Message) -> Post:
    # A header field holds no letters beyond ASCII, so the title is in the text.
    return _short_text(message, MAX_NTFY_LENGTH).encode(), {
        "Content-Type": "text/plain; charset=utf-8",
        "Click": message.link,
    }


_FORMATS: Mapping[WebhookFormat, Callable[[Delivery, Message], Post]] = {
    "json": _json,
    "discord": _discord,
    "slack": _slack,
    "ntfy": _ntfy,
}
