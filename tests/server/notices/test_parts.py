"""What a server offers by its settings, and what it says where the libraries for it are missing."""

import sys

import pytest

from diskwars_server.notices.parts import NoticeParts, make_notice_parts
from diskwars_server.settings import SettingsError, load_settings
from tests.server.in_memory_server import InMemoryServer


async def make(node: InMemoryServer, **given: str) -> NoticeParts:
    return await make_notice_parts(
        load_settings(given, {}), node.database, node.matches, b"k" * 32, node.clock, node.clock, lambda _: False
    )


@pytest.mark.parametrize(
    ("settings", "offered"),
    [
        ({}, ()),
        ({"public_url": "https://club.example.org"}, ("push", "webhook")),
        (
            {"public_url": "http://localhost:8765", "smtp_url": "smtp://h.example", "mail_from": "a@b.example"},
            ("email", "push", "webhook"),
        ),
    ],
)
async def test_settings_say_what_is_offered(
    node: InMemoryServer, settings: dict[str, str], offered: tuple[str, ...]
) -> None:
    parts = await make(node, **settings)
    assert parts.service._offered == offered
    assert bool(parts.routes) == bool(offered)
    loops = list(parts.loops())
    assert [name for name, _ in loops] == (["notices", "deliveries", "dead deliveries"] if offered else [])
    for _, loop in loops:
        loop.close()
    await parts.close()


async def test_missing_library_is_said_in_words(node: InMemoryServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "diskwars_server.notices.mail", raising=False)
    monkeypatch.setitem(sys.modules, "aiosmtplib", None)
    with pytest.raises(SettingsError, match=r"notices need aiosmtplib, .*extra `notices`"):
        await make(node, public_url="https://club.example.org")
    await make(node)
