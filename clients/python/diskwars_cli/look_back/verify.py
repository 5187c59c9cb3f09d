"""The `verify` verb: checks a match file.

Exit codes: 0 verified, 1 invalid, 2 cannot be checked here, 3 unfinished or decided by other rules, 4 openings missing.
"""

import re
from collections.abc import Collection
from pathlib import Path

from diskwars_cli.console.command import EXIT_FAULTS, EXIT_INCOMPLETE, EXIT_SEALED, CommandError
from diskwars_cli.console.signals import read_input
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_client.replays import UnknownRuleset
from diskwars_client.verification.verify import (
    HeadNotFound,
    IncompatibleRules,
    VerificationResult,
    verify,
)
from diskwars_content.rulesets.registry import PACK_SETS, RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.records.canonical import format_path
from diskwars_protocol.records.match_file import NewerFormat, read_header, undo_text_conversion
from diskwars_protocol.records.records import BadRecord

MAX_LISTED_OPENINGS = 10


def run_verify(file: str, *, head: str | None, data: DataOptions) -> int:
    if head is not None and not re.fullmatch("[0-9a-f]{64}", head.lower()):
        raise CommandError(f'--head takes a hash of 64 hex digits, not "{head}"')
    raw = read_input() if file == "-" else _read_file(Path(file))
    rulesets = load_rulesets(_ruleset_of(raw), data.packs)
    try:
        result = verify(raw, (head or "").lower(), rulesets)
    except (BadRecord, HeadNotFound) as error:
        print(f"{file}: {error}")
        return EXIT_FAULTS
    except (NewerFormat, UnknownRuleset, IncompatibleRules) as error:
        raise CommandError(f"{file}: {error}") from None
    local_packs = {pack for ruleset in rulesets for pack in ruleset.packs}
    print("\n".join(_result_lines(result, local_packs)))
    return _exit_code(result)


def load_rulesets(name: str, packs: tuple[str, ...]) -> list[AnyRuleset]:
    """Load a ruleset with these packs, and with each set of packs that comes with it; none if it has no content here.

    Raises CommandError with every fault of a pack.
    """
    if name not in RULESETS:
        return []
    return [load_ruleset(name, chosen) for chosen in dict.fromkeys((packs, *PACK_SETS.get(name, ((),))))]


def _ruleset_of(raw: bytes) -> str:
    """Return the name of the ruleset in the header; empty where it cannot be read, which `verify` reports."""
    try:
        return read_header(raw).ruleset
    except (BadRecord, NewerFormat):
        return ""


def _exit_code(result: VerificationResult) -> int:
    if result.is_redecided:
        return 0
    is_ended = bool(result.head) and result.unfinished_at is None
    return EXIT_SEALED if is_ended and result.missing_openings else EXIT_INCOMPLETE


def _read_file(path: Path) -> bytes:
    try:
        return undo_text_conversion(path.read_bytes())
    except OSError as fault:
        raise CommandError(f"{path} cannot be read: {fault.strerror}") from None


def _result_lines(result: VerificationResult, local_packs: Collection[Pack]) -> list[str]:
    if not result.head:
        return ["unfinished at 0: the file holds no record"]
    if result.unfinished_at is not None:
        first = f"unfinished at {result.unfinished_at}: head {result.head}, {result.sealed_values} fields sealed"
    elif not result.is_redecided:
        first = f"verified in part: {result.records} records, head {result.head}, {result.sealed_values} fields sealed"
    else:
        first = f"verified: {result.records} records, head {result.head}"
    lines = [first]
    if result.is_redecided:
        lines.append("  chain, cards, links and dice are valid; deciding every action again gave the same events")
    elif result.unfinished_at is None and not result.missing_openings:
        lines.append("  chain, cards, links and dice are valid; the actions of these records were not decided again:")
    else:
        lines.append(
            "  chain, links, and all cards and dice that can be checked are valid; no action was decided again"
        )
    for stretch in result.other_rules:
        lines.append(
            f"  records {stretch.first} to {stretch.last}: decided by version {stretch.rules} of the rules; "
            f"this program has version {result.local_rules}"
        )
    if result.unknown_fields:
        (seq, place), count = result.unknown_fields[0], len(result.unknown_fields)
        which = "1 record has" if count == 1 else f"{count} records have"
        lines.append(
            f"  {which} fields that this program does not know, record {seq} as the first ({place}): not decided again"
        )
    if result.unfinished_at is None:
        lines += _missing_lines(result)
    lines += _pack_lines(result, local_packs)
    if result.unproven_draws:
        lines.append(f"  {result.unproven_draws} draws cannot be checked before the server publishes its next link")
    if result.branch_of is not None:
        moment = f"record {result.branch_of.seq} of match {result.branch_of.match}"
        lines.append(f"  it plays on from {moment}: the position is taken as it is recorded")
    if result.is_repeatable:
        lines.append("  all secrets were derived from a seed: the dice prove nothing")
    if result.head_seq is not None:
        later = result.records - result.head_seq
        rest = f"; it does not cover the {later} records after it" if later else ""
        lines.append(f"  --head is the hash of record {result.head_seq}{rest}")
    return lines


def _missing_lines(result: VerificationResult) -> list[str]:
    """Name the openings that a finished match lacks, record by record."""
    missing = [f"record {seq} {format_path(path)}" for seq, path in result.missing_openings[:MAX_LISTED_OPENINGS]]
    lines = [f"  the opening of {place} is missing" for place in missing]
    more = len(result.missing_openings) - len(missing)
    return [*lines, f"  and {more} more"] if more else lines


def _pack_lines(result: VerificationResult, local_packs: Collection[Pack]) -> list[str]:
    """Describe the packs of the match, and why local packs could not be compared with them."""
    lines = [f"  played with {pack.id} {pack.version}, {pack.hash}" for pack in result.packs]
    if not result.has_unknown_figures:
        return lines
    for pack in result.packs:
        other = next((local for local in local_packs if local.id == pack.id), None)
        if pack in local_packs:
            continue
        if other is None:
            lines.append(f"  there is no local pack {pack.id} {pack.version}; name one with --pack")
        else:
            lines.append(f"  the local pack {pack.id} differs: {other.version}, {other.hash}")
    return [*lines, "  the figures are those of the file: no local pack could be compared with them"]
