"""Does a token prove who somebody is, for as long as it should and no longer?"""

import pytest

from diskwars_protocol.match import PlayerId
from diskwars_server.tokens import TokenError, TokenExpired, Tokens, opaque_id
from tests.server.connections import Clock

ANN = PlayerId("ann")


def test_a_token_gives_back_its_player_until_it_expires() -> None:
    clock = Clock()
    tokens = Tokens(b"key", 60, clock)
    token = tokens.token(ANN)
    clock.now += 60_000
    assert tokens.player(token) == ANN
    clock.now += 1_000
    with pytest.raises(TokenExpired):
        tokens.player(token)


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_token_that_was_changed_is_none(place: int) -> None:
    tokens = Tokens(b"key", 60, Clock())
    token = list(tokens.token(ANN))
    token[place] = "A" if token[place] != "A" else "B"
    with pytest.raises(TokenError) as fault:
        tokens.player("".join(token))
    assert fault.value.word == "token_bad"


@pytest.mark.parametrize("text", ["", ".", "..", "ann", "ann.1.2", "\ud800.a.b", "é"])
def test_what_was_never_a_token_is_none(text: str) -> None:
    with pytest.raises(TokenError):
        Tokens(b"key", 60, Clock()).player(text)


def test_another_key_reads_nothing() -> None:
    clock = Clock()
    with pytest.raises(TokenError):
        Tokens(b"other", 60, clock).player(Tokens(b"key", 60, clock).token(ANN))


def test_guests_are_never_the_same_and_their_ids_are_plain() -> None:
    tokens = Tokens(b"key", 60, Clock())
    guests = {tokens.guest() for _ in range(100)}
    assert len(guests) == 100
    assert all(guest.isalnum() and guest[0].isalpha() and len(guest) == 16 for guest in guests)


def test_a_command_opens_one_match_and_no_other_command_opens_it() -> None:
    tokens = Tokens(b"key", 60, Clock())
    match = tokens.match_of(ANN, "open")
    assert match == Tokens(b"key", 1, Clock()).match_of(ANN, "open")
    others = {tokens.match_of(PlayerId("an"), "nopen"), tokens.match_of(ANN, "open2")}
    others.add(Tokens(b"other", 60, Clock()).match_of(ANN, "open"))
    assert match not in others
    assert len(others) == 3
    assert match.isalnum()
    assert len(match) == 12


def test_every_byte_makes_a_letter_or_digit_that_is_not_mistaken() -> None:
    found = {opaque_id(bytes([0, byte]))[1] for byte in range(256)}
    assert len(found) == 32
    assert not found & set("lo01")
    assert all(opaque_id(bytes([byte]))[0].isalpha() for byte in range(256))
