"""Places for long answers: one address takes a few, and all together no more than there are."""

import pytest

from diskwars_server.api.stream_places import StreamPlaces
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.refusals import Refusal


def code_of(places: StreamPlaces, address: str) -> str:
    try:
        places.take(address)
    except Refusal as refusal:
        return refusal.code
    return ""


def test_one_address_leaves_places_to_others() -> None:
    places = StreamPlaces(4, 2, "too many")
    assert [code_of(places, "a") for _ in range(3)] == ["", "", "busy"]
    assert [code_of(places, address) for address in ("b", "c", "d")] == ["", "", "busy"]
    places.leave("a")
    assert places.taken == 3
    assert [code_of(places, address) for address in ("d", "a")] == ["", "busy"]


def test_unknown_addresses_count_in_all_only() -> None:
    places = StreamPlaces(3, 1, "too many")
    assert [code_of(places, UNKNOWN) for _ in range(4)] == ["", "", "", "busy"]


def test_refusal_says_when_to_come_again() -> None:
    places = StreamPlaces(0, 0, "too many streams are being sent")
    with pytest.raises(Refusal, match="too many streams are being sent") as refused:
        places.take("a")
    assert refused.value.retry_after_ms
