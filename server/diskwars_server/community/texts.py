"""Texts that people write: what a message may look like, so that it cannot pass for anything but one line of text."""

import unicodedata

from diskwars_server.refusals import Refusal

_REFUSED_CATEGORIES = ("Cc", "Cn", "Co", "Cs", "Zl", "Zp")
"""Control characters, unassigned, private and half characters, separators of lines and paragraphs."""
_JOINERS = "\u200c\u200d"
"""Invisible, but scripts such as Persian and Hindi are wrong without them, and emoji fall apart."""
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that look like nothing."""
_MAX_MARKS_IN_A_ROW = 4


class BadText(Exception):
    """A text that may not be sent; the message says why."""


def check_text(typed: str, max_length: int) -> str:
    """Return a text as it is stored and shown. Raises BadText."""
    text = unicodedata.normalize("NFC", typed).strip()
    if not text:
        raise BadText("there is nothing to read in this text")
    if len(text) > max_length:
        raise BadText(f"a text has at most {max_length} characters, this one has {len(text)}")
    marks, has_letter = 0, False
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        has_letter |= category[0] in "LNPS"
        # Of all invisible format characters only joiners are allowed: the others reorder or hide what is read.
        is_hidden = character in _BLANKS or (category == "Cf" and character not in _JOINERS)
        if category in _REFUSED_CATEGORIES or is_hidden:
            raise BadText(f"U+{ord(character):04X} may not be in a text")
        if marks > _MAX_MARKS_IN_A_ROW:
            raise BadText(f"a letter has at most {_MAX_MARKS_IN_A_ROW} marks")
    if not has_letter:
        raise BadText("there is nothing to read in this text")
    return text


def check_text_or_refuse(typed: str, max_length: int, code: str, place: str) -> str:
    """Return a text as it is stored and shown. Raises Refusal with a code and a place of a request."""
    try:
        return check_text(typed, max_length)
    except BadText as fault:
        raise Refusal(code, str(fault), place) from None
