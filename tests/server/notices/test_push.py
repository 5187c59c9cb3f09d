"""Web Push as a browser gets it: the test decrypts what a push service was sent, with the browser's own keys."""

import base64
import json
import os

import http_ece
import pytest
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from diskwars_protocol.messages.notices import GetNotices, NoticeSettings, PushTarget
from diskwars_server.notices.push import MAX_PAYLOAD_BYTES, PushKeys, encrypt
from tests.server.in_memory_server import InMemoryClient
from tests.server.notices.club import Club, add, go_away


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of one subscription."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    def target(self, endpoint: str) -> PushTarget:
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return PushTarget(endpoint, base64url(point), base64url(self._auth))

    def decrypt(self, body: bytes) -> bytes:
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._auth, version="aes128gcm")
        assert isinstance(text, bytes)
        return text


async def subscribed(club: Club, browser: Browser) -> InMemoryClient:
    member = await club.join("Ann of Nuln")
    await add(member, browser.target(f"{club.web.url}/push/1"))
    return member


async def test_browser_reads_whose_turn_it_is_and_the_link(club: Club) -> None:
    browser = Browser()
    ann, ben = await subscribed(club, browser), await club.join("Ben of Ulm")
    match = await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(30)
    (request,) = club.web.requests
    shown = json.loads(browser.decrypt(request.body))
    assert shown["title"] == "Your turn against Ben of Ulm"
    assert shown["link"] == f"https://club.example.org/m/{match}"
    assert len(request.body) <= 4096
    assert request.headers["Content-Encoding"] == "aes128gcm"
    assert int(request.headers["TTL"]) == 2 * 86_400
    assert request.headers["Topic"] == shown["id"]
    assert 0 < len(request.headers["Topic"]) <= 32


async def test_push_service_can_verify_who_sends(club: Club) -> None:
    ann = await subscribed(club, Browser())
    settings = await ann.request(GetNotices("g1"))
    assert isinstance(settings, NoticeSettings)
    assert settings.push_key is not None
    ben = await club.join("Ben of Ulm")
    await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(30)
    fields = dict(part.strip().split("=", 1) for part in club.web.requests[0].headers["Authorization"][6:].split(","))
    assert fields["k"] == settings.push_key
    signed, _, signature = fields["t"].rpartition(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(fields["k"]))
    raw = from_base64url(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    claims = json.loads(from_base64url(signed.split(".")[1]))
    assert claims["aud"] == club.web.url
    assert claims["sub"] == "mailto:disks@club.example.org"
    assert 0 < int(claims["exp"]) - club.node.clock.now // 1000 <= 86_400


@pytest.mark.parametrize("status", [404, 410])
async def test_subscription_that_has_ended_is_forgotten(club: Club, status: int) -> None:
    ann, ben = await subscribed(club, Browser()), await club.join("Ben of Ulm")
    club.web.respond = lambda received: web.Response(status=status)
    await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(30)
    assert await club.node.database.notices.find_channels([ann.player]) == {}


async def test_point_that_is_on_no_curve_removes_the_channel(club: Club) -> None:
    ann, ben = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    point = base64url(b"\x04" + b"\x01" * 64)
    await add(ann, PushTarget(f"{club.web.url}/push/1", point, base64url(b"a" * 16)))
    await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(30)
    assert club.web.requests == []
    assert await club.node.database.notices.find_channels([ann.player]) == {}


def test_server_keeps_its_key_and_another_has_another() -> None:
    assert PushKeys(b"a" * 32).public == PushKeys(b"a" * 32).public != PushKeys(b"b" * 32).public
    assert len(from_base64url(PushKeys(bytes(32)).public)) == 65
    assert PushKeys(b"\xff" * 32).public


def test_claims_of_one_service_do_not_reach_another() -> None:
    keys = PushKeys(b"a" * 32)
    first, second = (
        keys.sign(endpoint, "mailto:a@b.example", 0)["Authorization"]
        for endpoint in ("https://one.example/x", "https://two.example:8443/y")
    )
    audiences = [json.loads(from_base64url(header.split(".")[1]))["aud"] for header in (first, second)]
    assert audiences == ["https://one.example", "https://two.example:8443"]


def test_longest_payload_fits_what_every_service_takes() -> None:
    browser = Browser()
    assert len(encrypt(browser.target("https://push.example/x"), b"x" * MAX_PAYLOAD_BYTES)) <= 4096
