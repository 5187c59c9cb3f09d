"""The `verify` verb: checks a match file.

Exit codes: 0 verified, 3 unfinished or partly sealed, 1 invalid, 2 not to be judged here.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from diskwars_cli.command import EXIT_FAULTS, EXIT_INCOMPLETE, CommandError
from diskwars_cli.match_options import load_catalogue
from diskwars_client.verify import (
    RULES_VERSION,
    HeadNotFound,
    IncompatibleRules,
    UnknownRuleset,
    VerificationResult,
    verify,
)
from diskwars_content import combine_packs, core_pack, expansion_pack
from diskwars_engine.rulesets.diskwars.catalogue import Catalogue
from diskwars_protocol.match_file import NewerFormat
from diskwars_protocol.records import BadRecord
from diskwars_server.settings import ServerSettings


def run_verify(file: str, *, head: str | None, settings: ServerSettings) -> int:
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head.lower()):
        raise CommandError(f'--head takes a hash of 64 hex digits, not "{head}"')
    raw = sys.stdin.buffer.read() if file == "-" else _read_file(Path(file))
    known = [load_catalogue(settings.pack), core_pack(), combine_packs(core_pack(), expansion_pack())]
    try:
        verdict = verify(raw, (head or "").lower(), known)
    except (BadRecord, HeadNotFound) as wrong:
        print(wrong)
        return EXIT_FAULTS
    except (NewerFormat, UnknownRuleset, IncompatibleRules) as unknown:
        raise CommandError(f"{file}: {unknown}") from None
    print("\n".join(_result_lines(verdict, known)))
    return 0 if verdict.is_redecided else EXIT_INCOMPLETE


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise CommandError(f"{path} cannot be read: {fault.strerror}") from None


def _result_lines(verdict: VerificationResult, known: Sequence[Catalogue]) -> list[str]:
    if not verdict.head:
        return ["unfinished at 0: nothing is left of the match"]
    if verdict.unfinished_at is not None:
        first = f"unfinished at {verdict.unfinished_at}: head {verdict.head}, {verdict.sealed_values} fields sealed"
    elif not verdict.is_redecided:
        first = (
            f"verified in part: {verdict.records} records, head {verdict.head}, {verdict.sealed_values} fields sealed"
        )
    else:
        first = f"verified: {verdict.records} records, head {verdict.head}"
    lines = [first]
    if verdict.is_redecided:
        lines.append("  chain, cards, links and dice hold; every action decided again gives the same events")
    else:
        lines.append("  chain, links, and all cards and dice that can be checked yet hold; no action was decided again")
    lines += _pack_lines(verdict, known)
    if verdict.differs_at is not None:
        lines.append(
            f"  decided by rules {verdict.rules_version}, these are {RULES_VERSION}, "
            f"by which record {verdict.differs_at} differs"
        )
    if verdict.unproven_draws:
        lines.append(f"  {verdict.unproven_draws} draws wait for the link that the server publishes next")
    if verdict.is_repeatable:
        lines.append("  all secrets were made from a seed: the dice prove nothing")
    if verdict.head_seq is not None:
        later = verdict.records - verdict.head_seq
        rest = f"; nothing you know stands for the {later} after it" if later else ""
        lines.append(f"  the head you know is that of record {verdict.head_seq}{rest}")
    return lines


def _pack_lines(verdict: VerificationResult, catalogues: Sequence[Catalogue]) -> list[str]:
    """Return the packs of the match, and whether local packs could be compared with them."""
    here = {pack for catalogue in catalogues for pack in (catalogue.pack, *catalogue.other_packs)}
    lines = [f"  played with {pack.name} {pack.version}, {pack.hash}" for pack in verdict.packs]
    if not verdict.has_unknown_figures:
        return lines
    for pack in verdict.packs:
        other = next((one for one in here if one.name == pack.name), None)
        if pack in here:
            continue
        if other is None:
            lines.append(f"  no pack {pack.name} {pack.version} is known here; --pack names one")
        else:
            lines.append(f"  the pack {pack.name} that is known here is another: {other.version}, {other.hash}")
    return [*lines, "  the figures are the file's own: no local pack could be compared with them"]
