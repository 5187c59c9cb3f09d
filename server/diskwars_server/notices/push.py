"""Notices to browsers with the page closed: Web Push (RFC 8030), encrypted (RFC 8291) and signed (RFC 8292)."""

import asyncio
import base64
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from pywebpush import WebPusher, WebPushException

from diskwars_protocol.messages.notices import PushTarget
from diskwars_server.notices.addresses import BadAddress
from diskwars_server.notices.outbound import OutboundHttp, SendFailed
from diskwars_server.notices.outcomes import Failed, Outcome, Rejected
from diskwars_server.notices.texts import Message
from diskwars_server.notices.webhooks import outcome_of
from diskwars_server.store.notices import Delivery, StoredChannel

TTL_SECONDS = 2 * 86_400
"""For which a push service keeps what a browser that is off has not got. Without it a service drops it at once."""
TOKEN_SECONDS = 12 * 3_600
"""For which a signature is good; services refuse more than 24 hours."""
MAX_PAYLOAD_BYTES = 3_993
"""With the padding and the header of the encryption a body stays within the 4,096 bytes that every service takes."""
MAX_TOPIC_LENGTH = 32
_ORDER_OF_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class PushKeys:
    """The key pair of a server, which follows from 32 secret bytes."""

    def __init__(self, secret: bytes) -> None:
        number = int.from_bytes(secret, "big") % (_ORDER_OF_P256 - 1) + 1
        private = ec.derive_private_key(number, ec.SECP256R1())
        self._vapid = Vapid02(private_key=private)
        point = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        """The public key as a browser takes it: 65 bytes in base64url."""

    def sign(self, endpoint: str, subject: str, now_ms: int) -> dict[str, str]:
        """Return the header fields that say who sends to the service of an endpoint."""
        parts = urlsplit(endpoint)
        # A dict of its own each time: the library writes into it.
        claims: dict[str, str | int] = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "sub": subject,
            "exp": now_ms // 1000 + TOKEN_SECONDS,
        }
        return dict(self._vapid.sign(claims))


class PushSender:
    """Sends to browsers."""

    def __init__(self, http: OutboundHttp, keys: PushKeys, subject: str, clock: Callable[[], int]) -> None:
        """`subject` is whom a service may write to: a `mailto:` address, or an https address without a path."""
        self._http, self._keys, self._subject, self._clock = http, keys, subject, clock

    def _find_ttl(self, delivery: Delivery) -> int:
        """Return the seconds for which a service keeps a notice: no longer than until what it warns of."""
        ends = [text.deadline_ms for text in delivery.texts if text.deadline_ms is not None]
        left = [max(1, (end - self._clock()) // 1000) for end in ends]
        return min([TTL_SECONDS, *left])

    async def send(self, channel: StoredChannel, delivery: Delivery, message: Message) -> Outcome:
        """Send a message once. A repeated attempt has the same topic, so that a browser that is off shows it once."""
        target = channel.target
        assert isinstance(target, PushTarget)
        try:
            # In a thread: an agreement of keys takes the loop more than a millisecond.
            body = await asyncio.to_thread(encrypt, target, _payload(delivery, message))
            headers = {
                **self._keys.sign(target.endpoint, self._subject, self._clock()),
                "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream",
                "TTL": str(self._find_ttl(delivery)),
                "Urgency": "normal",
                "Topic": delivery.delivery[:MAX_TOPIC_LENGTH],
            }
            answer = await self._http.post(target.endpoint, body, headers)
        except BadAddress as fault:
            return Rejected(str(fault))
        except SendFailed as fault:
            return Failed(str(fault))
        except (WebPushException, ValueError):  # keys that are no point of the curve
            return Rejected("the keys of the browser are not valid", is_gone=True)
        if answer.status == 404:  # the subscription has ended (RFC 8030, section 7.3)
            return Rejected("HTTP 404", is_gone=True)
        return outcome_of(answer)


def encrypt(target: PushTarget, payload: bytes) -> bytes:
    """Return what only the browser can read. Raises ValueError and WebPushException for keys that are none."""
    keys = {"p256dh": target.p256dh, "auth": target.auth}
    encoded = WebPusher({"endpoint": target.endpoint, "keys": keys}).encode(payload, content_encoding="aes128gcm")
    body: bytes = encoded["body"]
    return body


def _payload(delivery: Delivery, message: Message) -> bytes:
    """Return what the page's service worker reads; lines that are too long go."""
    lines = list(message.lines)
    while True:
        value = {"id": delivery.delivery, "title": message.title, "body": "\n".join(lines), "link": message.link}
        payload = msgspec.json.encode(value)
        if len(payload) <= MAX_PAYLOAD_BYTES or not lines:
            return payload
        lines.pop()
