"""Links prove themselves: those of another kind, another server, or cut ones are nothing, and a confirmation ends."""

import pytest

from diskwars_protocol.messages.notices import EmailTarget
from diskwars_server.notices.links import CONFIRM_SECONDS, LinkedChannel, NoticeLinks
from diskwars_server.store.notices import StoredChannel
from tests.server.in_memory_server import ManualClock

CHANNEL = StoredChannel("ann", "c1", EmailTarget("ann@example.org"), "working", 1)


def links(clock: ManualClock, key: bytes = b"k" * 32) -> NoticeLinks:
    return NoticeLinks(key, clock, "https://club.example.org/")


def test_link_is_read_back() -> None:
    own = links(ManualClock())
    link = own.make("stop", CHANNEL)
    assert link.startswith("https://club.example.org/notices/stop/")
    assert own.read("stop", link.rpartition("/")[2]) == LinkedChannel("ann", "c1")
    assert own.to_match("abc") == "https://club.example.org/m/abc"


def test_link_of_another_kind_or_server_is_nothing() -> None:
    own = links(ManualClock())
    token = own.token("confirm", CHANNEL)
    assert own.read("stop", token) is None
    assert links(ManualClock(), b"j" * 32).read("confirm", token) is None


@pytest.mark.parametrize("kind", ["confirm", "stop"])
def test_every_changed_letter_spoils_a_link(kind: str) -> None:
    own = links(ManualClock())
    token = own.token(kind, CHANNEL)  # type: ignore[arg-type]
    for place in range(len(token) - 1):  # of the last letter two bits are not read
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        assert own.read(kind, changed) is None, place  # type: ignore[arg-type]
    assert own.read(kind, token[:-1]) is None  # type: ignore[arg-type]
    assert own.read(kind, "") is None  # type: ignore[arg-type]


def test_confirmation_ends_and_the_way_out_does_not() -> None:
    clock = ManualClock()
    own = links(clock)
    confirm, stop = own.token("confirm", CHANNEL), own.token("stop", CHANNEL)
    clock.now += CONFIRM_SECONDS * 1000
    assert own.read("confirm", confirm) is not None
    clock.now += 1000
    assert own.read("confirm", confirm) is None
    clock.now += 999 * CONFIRM_SECONDS * 1000
    assert own.read("stop", stop) is not None
