"""A process that verifies one match file for a server: it comes in compressed by standard input, the verdict goes out.

It ends when its parent dies, and when it takes longer than it may.
"""

import contextlib
import re
import signal
import sys
import zlib
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from diskwars_bots.process_limits import limit_process, take_standard_output
from diskwars_cli.console.command import CommandError
from diskwars_cli.look_back.verify import load_rulesets
from diskwars_client.replays import UnknownRuleset
from diskwars_client.verification.verify import (
    IncompatibleRules,
    VerificationResult,
    find_ruleset,
    verify,
)
from diskwars_protocol.match.ruleset_settings import setting_values
from diskwars_protocol.match.state import is_revealed
from diskwars_protocol.messages.file_verdicts import MAX_VERDICT_TEXT, FileVerdict, VerifiedFile
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.match_file import NewerFormat, read_file, read_header
from diskwars_protocol.records.records import BadRecord, MatchHeader
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN

MAX_LINE_BYTES = 1024**2
"""Bytes of one line of a file that a server takes; the longest line of a match that was played has some 50 KB."""


def judge_file(raw: bytes, packs: Sequence[str] = ()) -> FileVerdict:
    """Return what is wrong with a match file, or what lists show of its match."""
    verdict = _find_long_line(raw) or _judge_lines(raw, packs)
    return replace(verdict, text=verdict.text[:MAX_VERDICT_TEXT])


def judge_upload(compressed: bytes, max_bytes: int, packs: Sequence[str] = ()) -> FileVerdict:
    """Return the verdict on a match file that was compressed with zlib, and has at most `max_bytes` unpacked."""
    decompressor = zlib.decompressobj()
    try:
        raw = decompressor.decompress(compressed, max_bytes + 1)
    except zlib.error:
        return FileVerdict(None, "bad_import", "the parts are no file that was compressed with zlib")
    if len(raw) > max_bytes:
        return FileVerdict(None, "import_too_large", f"a match file has at most {max_bytes} bytes")
    if not decompressor.eof or decompressor.unused_data:
        return FileVerdict(None, "bad_import", "the compressed file does not end where its parts do")
    return judge_file(raw, packs)


def _find_long_line(raw: bytes) -> FileVerdict | None:
    """Return the verdict on a file with a line that is too long for it to be read."""
    for line, content in enumerate(raw.split(b"\n")):
        if len(content) > MAX_LINE_BYTES:
            text = f"line {line} has {len(content)} bytes, and a line has at most {MAX_LINE_BYTES}"
            return FileVerdict(None, "import_too_large", text, line)
    return None


def _judge_lines(raw: bytes, packs: Sequence[str]) -> FileVerdict:
    try:
        header = read_header(raw)
        find_ruleset(header.ruleset)
        if not re.fullmatch(OPAQUE_ID_PATTERN, header.match):
            # The server makes subjects of the bus and addresses of it: with a space in it the bus would be lost.
            return FileVerdict(None, "import_changed", "no server gives a match an id like this one", 0)
        if encode_canonical(header) != raw.partition(b"\n")[0]:
            # The chain begins with fields that the server would not write when it gives the match out again.
            return FileVerdict(None, "import_newer_format", "the header has fields of a later version", 0)
        return _judge(raw, header, packs)
    except NewerFormat as fault:
        return FileVerdict(None, "import_newer_format", str(fault), 0)
    except UnknownRuleset as fault:
        return FileVerdict(None, "unknown_ruleset", str(fault), 0)
    except IncompatibleRules as fault:
        return FileVerdict(None, "import_other_rules", str(fault))
    except BadRecord as fault:
        return FileVerdict(None, "import_changed", str(fault), fault.seq)


def _judge(raw: bytes, header: MatchHeader, packs: Sequence[str]) -> FileVerdict:
    rulesets = load_rulesets(header.ruleset, tuple(packs))
    result = verify(raw, rulesets=rulesets)
    if not raw.endswith(b"\n"):
        return FileVerdict(None, "import_cut", f"record {result.records + 1} is cut", result.records + 1)
    if result.unfinished_at is not None:
        text = f"the match did not end: the last record is {result.records}"
        return FileVerdict(None, "import_unfinished", text, result.records)
    if result.missing_openings:
        text = f"{len(result.missing_openings)} values are sealed, the first in record {result.missing_openings[0][0]}"
        return FileVerdict(None, "import_unfinished", text, result.missing_openings[0][0])
    if result.has_unknown_figures:
        names = ", ".join(f"{pack.id} {pack.version}" for pack in result.packs)
        return FileVerdict(None, "missing_pack", f"the server does not have all packs of the match: {names}", 1)
    if not result.packs and any(ruleset.packs for ruleset in rulesets):
        # Its figures would be what the file says, and the server plays on from them where somebody branches.
        return FileVerdict(None, "missing_pack", "the match does not name the packs that it was played with", 1)
    if not result.is_redecided:
        return FileVerdict(None, "import_other_rules", line=_first_other_record(result))
    return _describe(raw, result)


def _first_other_record(result: VerificationResult) -> int:
    """Return the first record that could not be decided again."""
    others = [stretch.first for stretch in result.other_rules] + [seq for seq, _ in result.unknown_fields]
    return min(others)


def _describe(raw: bytes, result: VerificationResult) -> FileVerdict:
    vocabulary, _ = find_ruleset(read_header(raw).ruleset)
    bodies = [vocabulary.decode_body(body) for body in read_file(raw).bodies]
    state = vocabulary.fold_log(bodies)
    if state.result is None or not is_revealed(state):
        return FileVerdict(None, "import_unfinished", "the match ended before it began", result.records)
    file = VerifiedFile(
        match=state.match,
        ruleset=state.ruleset,
        records=result.records,
        head=result.head,
        seat_count=len(state.seats),
        result=replace(state.result, reasons=()),
        match_options=state.match_options,
        armies=vocabulary.history_facts.armies(state.board),
        settings=setting_values(state.settings),
        packs=tuple(pack.id for pack in state.packs),
    )
    return FileVerdict(file)


def main(arguments: Sequence[str]) -> None:
    """Judge the file on standard input.

    The arguments name packs; the last two are how many bytes it may have, and how many seconds it may take.
    """
    *packs, max_bytes, seconds = arguments
    limit_process()
    # Without a handler the signal ends the process, also while no parent is left.
    signal.setitimer(signal.ITIMER_REAL, int(seconds))
    with take_standard_output() as verdicts, contextlib.suppress(BrokenPipeError):
        try:
            verdict = judge_upload(sys.stdin.buffer.read(), int(max_bytes), packs)
        except (CommandError, MemoryError, RecursionError) as fault:
            verdict = FileVerdict(None, "import_changed", f"it cannot be verified, {type(fault).__name__}")
        except Exception as fault:  # our own fault, which is no lack of time
            verdict = FileVerdict(None, "import_failed", f"verifying the file failed, {type(fault).__name__}")
        verdicts.write(msgspec.json.encode(verdict))


if __name__ == "__main__":
    main(sys.argv[1:])
