"""Names of players: what one may look like, which ones look alike, and the name of a guest.

Letters of any one script are allowed, digits, and single spaces, hyphens, dots, underscores and apostrophes between
them. The names of guests follow from their ids, so that they cost no row in the database.
"""

import hashlib
import re
import unicodedata
from functools import cache

from confusable_homoglyphs import categories, confusables

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.accounts import MAX_NAME_LENGTH, MIN_NAME_LENGTH
from diskwars_server.players.tokens import has_form_of_player_id
from diskwars_server.refusals import Refusal

DELETED_NAME = "deleted"
SEPARATORS = " -_.'’"
_JOINED_SCRIPTS = (
    frozenset({"HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"HAN", "HANGUL"}),
    frozenset({"HAN", "BOPOMOFO"}),
)
"""Scripts that are written together, by UTS 39, section 5.2. Any other name has letters of one script."""
_MAX_MARKS_IN_A_ROW = 2
_RESERVED = (
    *("admin", "administrator", "anonymous", "bot", "deleted", "diskwars", "everybody", "everyone", "guest", "house"),
    *("me", "moderator", "nobody", "null", "opener", "operator", "owner", "player", "public", "root", "seat", "server"),
    *("staff", "support", "system", "undefined", "you"),
)
_RESERVED_FIRST_WORDS = ("guest", "bot", "admin", "moderator", "operator")
# Those that confusables.txt of UTS 39 leaves apart once the case is folded: I of "Iron" looks like the l of "lron".
_ALIKE = {"i": "l", "1": "l", "|": "l", "0": "o"}
_ALIKE_PAIRS = {"rn": "m", "vv": "w", "cl": "d"}
_APOSTROPHES = dict.fromkeys(map(ord, "’‘‛′´`ʹʻʼʽʾʿˈˊˋ՚׳ꞌ＇"), "'")
"""Characters that look like an apostrophe between letters; some of them are letters, which a name may have."""


_IGNORABLE_RANGES = (
    *((0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)),
    *((0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF)),
)
"""Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt, of which Python has no table.

They are shown as nothing, so that a name with one of them passes for the name without it.
"""
_IGNORABLE = re.compile(f"[{''.join(f'{chr(first)}-{chr(last)}' for first, last in _IGNORABLE_RANGES)}]")
HIDDEN_MARK = "\N{REPLACEMENT CHARACTER}"
"""Shown in the place of each character that cannot be seen, in names of earlier builds. No name may contain it."""


class BadName(Exception):
    """A name that no player may have; the text says why."""


def check_name(typed: str) -> str:
    """Return a name as it is shown. Raises BadName."""
    name = unicodedata.normalize("NFKC", typed)
    # Before the normal form, too: it makes letters that can be seen of some that cannot.
    if hidden := _IGNORABLE.search(typed) or _IGNORABLE.search(name):
        raise BadName(f"U+{ord(hidden[0]):04X} cannot be seen in a name")
    if not MIN_NAME_LENGTH <= len(name) <= MAX_NAME_LENGTH:
        raise BadName(f"a name has {MIN_NAME_LENGTH} to {MAX_NAME_LENGTH} characters, this one has {len(name)}")
    _check_characters(name)
    _check_scripts(name)
    key = name_key(name)
    first_word = key.split(" ")[0]
    if has_form_of_player_id(name.casefold()):
        raise BadName("this name has the form of a player's id")
    if key in _reserved_keys(_RESERVED) or first_word in _reserved_keys(_RESERVED_FIRST_WORDS):
        raise BadName("this name is reserved")
    return name


def check_name_or_refuse(typed: str) -> tuple[str, str]:
    """Return a name as it is shown, and its key. Raises Refusal."""
    try:
        name = check_name(typed)
    except BadName as fault:
        raise Refusal("bad_name", str(fault), "$.name") from None
    return name, name_key(name)


def name_key(name: str) -> str:
    """Return what a name has in common with all that look like it. No two accounts have the same."""
    return _skeleton(_IGNORABLE.sub("", _IGNORABLE.sub("", unicodedata.normalize("NFKC", name)).casefold()))


def known_keys(typed: str) -> tuple[str, ...]:
    """Return the keys under which an account may be found by its name, the likeliest first.

    Earlier builds took names with characters that cannot be seen, and kept those in the key.
    """
    key = name_key(typed)
    if _IGNORABLE.search(typed):
        return _skeleton(typed), key
    # Earlier builds told apostrophes of different forms apart.
    earlier = _fold(unicodedata.normalize("NFKC", typed).casefold())
    return (key,) if earlier == key else (key, earlier)


def shown_name(name: str) -> str:
    """Return a stored name as it is shown: characters that cannot be seen are marked."""
    return _IGNORABLE.sub(HIDDEN_MARK, name)


def _skeleton(name: str) -> str:
    return _fold(unicodedata.normalize("NFKC", name.translate(_APOSTROPHES)).translate(_APOSTROPHES).casefold())


def _fold(name: str) -> str:
    folded = unicodedata.normalize("NFKC", name)
    key = "".join(_representative(character) for character in folded)
    for pair, single in _ALIKE_PAIRS.items():
        key = key.replace(pair, single)
    return key


def default_name(player: PlayerId) -> str:
    """Return the name of a guest: the last letters of the id, which everybody may know."""
    return f"Guest {player[-4:].upper()}"


def avatar_seed(player: PlayerId) -> int:
    """Return 32 bits that follow from the id, from which clients draw a picture."""
    return int.from_bytes(hashlib.sha256(b"diskwars avatar " + player.encode()).digest()[:4], "big")


def _check_characters(name: str) -> None:
    is_after_separator, marks = True, 0
    for character in name:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Mc") else 0
        if character in SEPARATORS:
            if is_after_separator:
                raise BadName("spaces and punctuation stand alone, between letters or digits")
        elif category[0] != "L" and not character.isdecimal() and not marks:
            raise BadName(f"a name has letters, digits, and the characters {SEPARATORS} between them")
        elif marks > (0 if is_after_separator else _MAX_MARKS_IN_A_ROW):
            raise BadName("a letter has at most two marks")
        is_after_separator = character in SEPARATORS
    if is_after_separator:
        raise BadName("a name ends with a letter or a digit")
    if not name[0].isalpha():
        raise BadName("a name begins with a letter")


def _check_scripts(name: str) -> None:
    scripts = frozenset(categories.unique_aliases(name)) - {"COMMON", "INHERITED"}
    if len(scripts) > 1 and not any(scripts <= joined for joined in _JOINED_SCRIPTS):
        raise BadName(f"the letters of a name are of one script, not of {' and '.join(sorted(scripts)).lower()}")


@cache
def _reserved_keys(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(name_key, words))


@cache
def _representative(character: str) -> str:
    """Return the one of all characters that look like this one which stands for them in keys."""
    # Those that fold to something else are left out: no key has them.
    alike = {character, *(other for other in _confusable_with(character) if other.casefold() == other)}
    # Capitals are alike that are not so when small: the Cyrillic letters of "ВЕТА" and the Latin ones of "BETA".
    alike |= {other.casefold() for other in _confusable_with(character.upper()) if other.upper() == other}
    lowest = min(_ALIKE.get(other, other) for other in alike)
    return _ALIKE.get(lowest, lowest)


def _confusable_with(character: str) -> list[str]:
    # The library wraps what is written from right to left in invisible marks.
    alike = (confusable["c"].strip("\u200e") for confusable in confusables.confusables_data.get(character, ()))
    return [text for text in alike if len(text) == 1 and text.isalnum()]
