"""What notices say, in both languages, and that nothing but lists of matches is in them."""

from typing import get_args

import pytest

from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.messages.notices import NoticeKind, NoticeLanguage, NoticePreferences
from diskwars_server.notices import texts
from diskwars_server.notices.texts import MatchNames, make_confirmation, make_message
from diskwars_server.store.notices import NoticeText

HOME = "https://club.example.org/"
NAMES = {"m": MatchNames("diskwars", ("Ben of Ulm", "Cid", "Dan"), HOME + "m/m")}
LANGUAGES: tuple[NoticeLanguage, ...] = get_args(NoticeLanguage)
KINDS: tuple[NoticeKind, ...] = get_args(NoticeKind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_words_in_every_language(language: NoticeLanguage) -> None:
    shown = {
        kind: make_message([NoticeText(kind, "m", 0)], NAMES, HOME, NoticePreferences(language=language)).title
        for kind in KINDS
    }
    assert len({*shown.values()}) == len(KINDS)
    # Nobody sits at a match of a tournament when its players are notified.
    assert {kind for kind, title in shown.items() if "Ben of Ulm, Cid" not in title} == {"pairing"}


def test_languages_have_the_same_words_and_all_rulesets() -> None:
    first, *others = (texts._LINES[language] for language in LANGUAGES)
    assert all(first.keys() == other.keys() for other in others)
    assert all(texts._RULESETS[language].keys() == RULESETS.keys() for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_challenge_says_until_when_it_may_be_accepted(language: NoticeLanguage) -> None:
    text = NoticeText("challenge", "m", 0, deadline_ms=1_796_000_000_000)
    lines = make_message([text], NAMES, HOME, NoticePreferences(language=language)).lines
    assert lines[1] == texts._LINES[language]["open_until"].format(until="2026-11-30 00:53 UTC")


def test_time_is_that_of_the_reader() -> None:
    text = NoticeText("day_left", "m", 0, deadline_ms=1_796_000_000_000)
    berlin = NoticePreferences(time_zone="Europe/Berlin")
    assert "2026-11-30 01:53 Europe/Berlin" in make_message([text], NAMES, HOME, berlin).lines[1]
    assert "2026-11-30 00:53 UTC" in make_message([text], NAMES, HOME, NoticePreferences()).lines[1]


def test_match_that_is_gone_is_left_out() -> None:
    message = make_message(
        [NoticeText("your_turn", "m", 0), NoticeText("your_turn", "gone", 0)], NAMES, HOME, NoticePreferences()
    )
    assert message.title == "Your turn against Ben of Ulm, Cid and Dan"
    assert message.link == HOME + "m/m"


def test_match_against_nobody_has_words() -> None:
    names = {"m": MatchNames("pit", (), HOME + "m/m")}
    assert "nobody" in make_message([NoticeText("match_ended", "m", 0)], names, HOME, NoticePreferences()).title


def test_confirmation_names_who_asked() -> None:
    message = make_confirmation("Ann of Nuln", HOME + "notices/confirm/x", "de")
    assert "Ann of Nuln" in message.lines[0]
    assert message.link.endswith("confirm/x")
