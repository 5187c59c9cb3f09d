"""The text form of amounts and keywords in packs: `d6-2`, `Impact 3`, `Swift (strength)`."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import TypeVar

from diskwars_protocol.identifiers import id_title
from diskwars_protocol.rulesets.diskwars.keyword_forms import KEYWORDS
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainKeyword
from diskwars_protocol.rulesets.diskwars.stats import Amount, Keyword
from diskwars_protocol.rulesets.diskwars.terrain import TERRAIN_KEYWORDS

_AMOUNT = re.compile(r"([1-9]?)d6(?:([+-])([1-9][0-9]?))?", re.ASCII)
_KEYWORD = re.compile(r"([A-Za-z]+)(?: ([0-9d+-]+))?(?: \(([a-z]+)\))?")
MAX_AMOUNT = 99

KindT = TypeVar("KindT", bound=str)


class KeywordSyntaxError(Exception):
    """A text that is not an amount or keyword; the message says why."""


def parse_amount(printed: object) -> Amount:
    """Parse an amount: `3`, `"d6"`, `"2d6+1"`, `"d6-2"`.

    Raises KeywordSyntaxError, also for an amount that can never be above 0.
    """
    if isinstance(printed, int) and not isinstance(printed, bool):
        if not 1 <= printed <= MAX_AMOUNT:
            raise KeywordSyntaxError(f"{printed} is not from 1 to {MAX_AMOUNT}")
        return Amount(printed)
    words = _AMOUNT.fullmatch(printed) if isinstance(printed, str) else None
    if words is None:
        raise KeywordSyntaxError(f'{quote(printed)} is no amount; write 3, "d6" or "2d6-1"')
    dice, flat = int(words[1] or 1), int((words[2] or "") + (words[3] or "0"))
    if flat + 6 * dice < 1:
        raise KeywordSyntaxError(f'"{words[0]}" is never above 0')
    return Amount(flat, dice)


def parse_keyword(printed: str) -> Keyword:
    """Parse a keyword of a disk: `"Mobile"`, `"Impact d6"`, `"Swift (strength)"`. Raises KeywordSyntaxError."""
    words = _KEYWORD.fullmatch(printed)
    if words is None:
        raise KeywordSyntaxError(f'{quote(printed)} is no keyword; write "Mobile", "Impact 3" or "Swift (strength)"')
    name, amount, kind = words.groups()
    ids = {id_title(id): id for id in KEYWORDS}
    if name not in ids:
        raise KeywordSyntaxError(f'unknown keyword "{name}"{did_you_mean(name, ids)}')
    shape = KEYWORDS[ids[name]]
    if shape.has_amount != (amount is not None):
        raise KeywordSyntaxError(f'"{name}" is printed {"with" if shape.has_amount else "without"} an amount')
    printed_kind = _find_kind(name, kind or "", shape.kinds)
    return Keyword(ids[name], _parse_keyword_amount(amount) if amount else None, printed_kind)


def parse_terrain_keyword(printed: str) -> TerrainKeyword:
    """Parse a keyword of terrain: `"High Ground"`, `"Dangerous (arcane)"`. Raises KeywordSyntaxError."""
    name, _, kind = printed.removesuffix(")").partition(" (") if printed.endswith(")") else (printed, "", "")
    ids = {id_title(id): id for id in TERRAIN_KEYWORDS}
    if name not in ids:
        raise KeywordSyntaxError(f"unknown keyword of terrain {quote(name)}{did_you_mean(name, ids)}")
    return TerrainKeyword(ids[name], _find_kind(name, kind, TERRAIN_KEYWORDS[ids[name]].damage_types))


def _find_kind(name: str, kind: str, kinds: tuple[KindT, ...]) -> KindT | None:
    """Return what is printed in brackets after a keyword, None for nothing. Raises KeywordSyntaxError."""
    if kinds and kind not in kinds:
        raise KeywordSyntaxError(f'"{name}" is printed with one of {" ".join(f"({word})" for word in kinds)}')
    if kind and not kinds:
        raise KeywordSyntaxError(f'"{name}" is printed without "({kind})"')
    return next((known for known in kinds if known == kind), None)


def _parse_keyword_amount(printed: str) -> Amount:
    return parse_amount(int(printed) if re.fullmatch(r"[0-9]{1,9}", printed) else printed)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean "Impact"?`, or an empty string if no known word is close."""
    near = get_close_matches(word, list(known), n=1)
    return f'; did you mean "{near[0]}"?' if near else ""


def quote(value: object) -> str:
    """Format a value for an error message: strings in quotes, control characters escaped, cut to 60 characters."""
    shown = repr(value)[1:-1] if isinstance(value, str) else str(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return f'"{shown}"' if isinstance(value, str) else shown
