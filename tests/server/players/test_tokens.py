"""A token proves which guest somebody is, for ever, and no other token does."""

import pytest

from diskwars_protocol.match.ids import PlayerId
from diskwars_server.limits.rate_limits import MS_PER_DAY
from diskwars_server.players.tokens import TokenError, TokenIssuer, opaque_id
from tests.rows import each_row
from tests.server.in_memory_server import ManualClock

ANN = PlayerId("ann")


def test_a_token_names_its_guest_however_old_it_is() -> None:
    clock = ManualClock()
    tokens = TokenIssuer(b"key", clock)
    token = tokens.issue(ANN)
    clock.now += 10 * 365 * MS_PER_DAY
    assert tokens.verify(token) == ANN
    assert tokens.issue(ANN) != token


@each_row("place", [0, 5, -1])
@each_row("age", [0, 10**6])
def test_a_token_that_was_changed_is_none(place: int, age: int) -> None:
    clock = ManualClock()
    tokens = TokenIssuer(b"key", clock)
    token = list(tokens.issue(ANN))
    clock.now += age
    token[place] = "A" if token[place] != "A" else "B"
    with pytest.raises(TokenError) as fault:
        tokens.verify("".join(token))
    assert fault.value.close_reason == "token_bad"


@each_row("text", ["", ".", "..", "ann", "ann.1.2", "\ud800.a.b", "é"])
def test_text_that_was_never_a_token_gives_none(text: str) -> None:
    with pytest.raises(TokenError):
        TokenIssuer(b"key", ManualClock()).verify(text)


def test_another_key_reads_nothing() -> None:
    clock = ManualClock()
    with pytest.raises(TokenError):
        TokenIssuer(b"other", clock).verify(TokenIssuer(b"key", clock).issue(ANN))


def test_guests_are_never_the_same_and_their_ids_are_plain() -> None:
    tokens = TokenIssuer(b"key", ManualClock())
    guests = {tokens.make_guest() for _ in range(100)}
    assert len(guests) == 100
    assert all(guest.isalnum() and guest[0].isalpha() and len(guest) == 16 for guest in guests)


def test_a_command_opens_one_match_and_no_other_command_opens_it() -> None:
    tokens = TokenIssuer(b"key", ManualClock())
    match = tokens.derive_match_id(ANN, "open")
    assert match == TokenIssuer(b"key", ManualClock()).derive_match_id(ANN, "open")
    others = {tokens.derive_match_id(PlayerId("an"), "nopen"), tokens.derive_match_id(ANN, "open2")}
    others.add(TokenIssuer(b"other", ManualClock()).derive_match_id(ANN, "open"))
    assert match not in others
    assert len(others) == 3
    assert match.isalnum()
    assert len(match) == 12


def test_every_byte_makes_a_letter_or_digit_that_is_not_mistaken() -> None:
    found = {opaque_id(bytes([0, byte]))[1] for byte in range(256)}
    assert len(found) == 32
    assert not found & set("lo01")
    assert all(opaque_id(bytes([byte]))[0].isalpha() for byte in range(256))
