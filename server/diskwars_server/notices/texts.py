"""What a notice says, in the language of its reader: names, ruleset and time, which every list of matches shows."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from msgspec import Struct

from diskwars_protocol.messages.notices import NoticeKind, NoticeLanguage, NoticePreferences
from diskwars_server.notices.conduct import find_zone
from diskwars_server.store.notices import NoticeText

_RULESETS: Mapping[NoticeLanguage, Mapping[str, str]] = {
    "en": {"pit": "the pit", "close_quarters": "close quarters", "regiments": "regiments", "diskwars": "Diskwars"},
    "de": {"pit": "Die Grube", "close_quarters": "Nahkampf", "regiments": "Regimenter", "diskwars": "Diskwars"},
    "pl": {"pit": "Arena", "close_quarters": "Walka z bliska", "regiments": "Regimenty", "diskwars": "Diskwars"},
}
_TITLES: Mapping[NoticeLanguage, Mapping[NoticeKind, str]] = {
    "en": {
        "your_turn": "Your turn against {others}",
        "day_left": "One day left against {others}",
        "hour_left": "One hour left against {others}",
        "match_began": "Your match against {others} has begun",
        "match_ended": "Your match against {others} is over",
        "pairing": "Your next match of a tournament is open",
        "challenge": "{others} challenges you",
    },
    "de": {
        "your_turn": "Du bist am Zug gegen {others}",
        "day_left": "Noch ein Tag gegen {others}",
        "hour_left": "Noch eine Stunde gegen {others}",
        "match_began": "Deine Partie gegen {others} hat begonnen",
        "match_ended": "Deine Partie gegen {others} ist zu Ende",
        "pairing": "Deine nächste Partie eines Turniers ist offen",
        "challenge": "{others} fordert dich heraus",
    },
    # Names stay as they are, without an ending: each comes after a colon.
    "pl": {
        "your_turn": "Twoja kolej, przeciwnik: {others}",
        "day_left": "Został jeden dzień, przeciwnik: {others}",
        "hour_left": "Została jedna godzina, przeciwnik: {others}",
        "match_began": "Twoja partia się zaczęła, przeciwnik: {others}",
        "match_ended": "Twoja partia się skończyła, przeciwnik: {others}",
        "pairing": "Twoja następna partia turnieju jest otwarta",
        "challenge": "Wyzwanie od gracza: {others}",
    },
}
_LINES: Mapping[NoticeLanguage, Mapping[str, str]] = {
    "en": {
        "game": "Game: {ruleset}.",
        "until": "If you have not answered by {until}, the server decides for you.",
        "open_until": "You may accept until {until}.",
        "several": "News of {count} matches",
        "test_title": "This is how a notice looks",
        "test": "Notices reach you here. This one says nothing else.",
        "confirm_title": "Confirm this address",
        "confirm": "{name} wants notices about matches sent to this address. To confirm it, open the link.",
        "confirm_ignore": "If this was not you, do nothing: no notices come here.",
        "stop": "To stop mail to this address:",
        "nobody": "nobody",
    },
    "de": {
        "game": "Spiel: {ruleset}.",
        "until": "Wenn du bis {until} nicht antwortest, entscheidet der Server für dich.",
        "open_until": "Du kannst bis {until} annehmen.",
        "several": "Neues aus {count} Partien",
        "test_title": "So sieht eine Benachrichtigung aus",
        "test": "Benachrichtigungen erreichen dich hier. Diese sagt sonst nichts.",
        "confirm_title": "Bestätige diese Adresse",
        "confirm": "{name} möchte Benachrichtigungen über Partien an diese Adresse. Zum Bestätigen öffne den Link.",
        "confirm_ignore": "Wenn du davon nichts weißt, tu nichts: Hierher kommen keine Benachrichtigungen.",
        "stop": "Keine Post mehr an diese Adresse:",
        "nobody": "niemanden",
    },
    "pl": {
        "game": "Gra: {ruleset}.",
        "until": "Jeśli nie odpowiesz do {until}, serwer zdecyduje za ciebie.",
        "open_until": "Możesz przyjąć do {until}.",
        "several": "Nowości z twoich partii: {count}",
        "test_title": "Tak wygląda powiadomienie",
        "test": "Powiadomienia docierają do ciebie tutaj. To nie mówi nic więcej.",
        "confirm_title": "Potwierdź ten adres",
        "confirm": "{name} chce wysyłać na ten adres powiadomienia o partiach. Otwórz link, żeby to potwierdzić.",
        "confirm_ignore": "Jeśli nic o tym nie wiesz, nic nie rób: żadne powiadomienia tu nie przyjdą.",
        "stop": "Żeby nie dostawać poczty na ten adres:",
        "nobody": "nikt",
    },
}
_AND: Mapping[NoticeLanguage, str] = {"en": " and ", "de": " und ", "pl": " i "}


class MatchNames(Struct, frozen=True):
    """What a text says of one match: its ruleset, the names of the other players, and the link to it."""

    ruleset: str
    others: tuple[str, ...]
    link: str


class Message(Struct, frozen=True):
    """A notice as it is sent: `link` opens what it is about."""

    title: str
    lines: tuple[str, ...]
    link: str
    language: NoticeLanguage


def make_message(
    texts: Sequence[NoticeText], names: Mapping[str, MatchNames], home: str, preferences: NoticePreferences
) -> Message:
    """Return what is sent for notices of one player. `names` are by match, `home` is the address of the page.

    Of several notices each has a line; a match that is gone has none.
    """
    language = preferences.language
    known = [(text, names[text.match]) for text in texts if text.match in names]
    if not texts:
        return Message(_LINES[language]["test_title"], (_LINES[language]["test"],), home, language)
    if len({text.match for text, _ in known}) == 1:
        text, match = known[-1]
        return Message(_title(text, match, language), tuple(_lines(text, match, preferences)), match.link, language)
    lines = [f"{_title(text, match, language)}: {match.link}" for text, match in known]
    title = _LINES[language]["several"].format(count=len({text.match for text, _ in known}))
    return Message(title, tuple(lines), home, language)


def make_confirmation(name: str, link: str, language: NoticeLanguage) -> Message:
    """Return the message with the link that confirms an address, for the account of this name."""
    words = _LINES[language]
    lines = words["confirm"].format(name=name), words["confirm_ignore"]
    return Message(words["confirm_title"], lines, link, language)


def stop_line(language: NoticeLanguage) -> str:
    """Return the words before the link that ends mail to an address."""
    return _LINES[language]["stop"]


def _title(text: NoticeText, match: MatchNames, language: NoticeLanguage) -> str:
    others = match.others or (_LINES[language]["nobody"],)
    listed = others[0] if len(others) == 1 else ", ".join(others[:-1]) + _AND[language] + others[-1]
    return _TITLES[language][text.kind].format(others=listed)


def _lines(text: NoticeText, match: MatchNames, preferences: NoticePreferences) -> list[str]:
    words, language = _LINES[preferences.language], preferences.language
    lines = [words["game"].format(ruleset=_RULESETS[language].get(match.ruleset, match.ruleset))]
    if text.deadline_ms is not None and text.kind != "match_ended":
        until = datetime.fromtimestamp(text.deadline_ms / 1000, find_zone(preferences.time_zone))
        line = words["open_until" if text.kind == "challenge" else "until"]
        lines.append(line.format(until=f"{until:%Y-%m-%d %H:%M} {preferences.time_zone}"))
    return lines
