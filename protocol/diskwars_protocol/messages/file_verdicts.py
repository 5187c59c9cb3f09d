"""Messages from processes that verify or review match files to the server that started them.

It is no part of the wire protocol: server and process are always of the same version.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.messages.reviews import ReviewedMoment

MAX_VERDICT_BYTES = 64 * 1024
MAX_REVIEW_BYTES = 256 * 1024
MAX_VERDICT_TEXT = 1_000
"""Letters of the text of a verdict. A fault may quote what the file says, which may be as long as the file."""


VerdictCode: TypeAlias = Literal[
    "bad_import",
    "import_cut",
    "import_unfinished",
    "import_changed",
    "import_failed",
    "import_too_large",
    "import_newer_format",
    "import_other_rules",
    "unknown_ruleset",
    "missing_pack",
]
"""Codes of refusals that say what is wrong with a file."""


class VerifiedFile(Struct, frozen=True, gc=False, kw_only=True):
    """What lists show of the match in a file in which nothing is wrong."""

    match: str
    ruleset: str
    records: int
    head: str
    seat_count: int
    result: Result
    match_options: MatchOptions
    armies: tuple[str | None, ...]
    settings: dict[str, SettingValue]
    packs: tuple[str, ...]


class FileVerdict(Struct, frozen=True, gc=False, omit_defaults=True):
    """The file, or `code`: why it is refused.

    `line` is the line of the file at which the fault lies: 0 the header, n record n.
    """

    file: VerifiedFile | None = None
    code: VerdictCode | None = None
    text: str = ""
    line: int | None = None


class ReviewResult(Struct, frozen=True, gc=False, omit_defaults=True):
    """The moments of a review, or `fault`: the kind of error, never its own words, which may hold hidden cards."""

    moments: tuple[ReviewedMoment, ...] = ()
    play_outs: int = 0
    fault: str = ""
