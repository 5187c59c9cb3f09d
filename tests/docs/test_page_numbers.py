"""Sentences of the pages that name a number have the number of the program.

The tables of settings and quotas have tests of their own (test_operating_page.py); a row here is a sentence.
"""

from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server import app as product
from diskwars_server.broadcast import outbox
from diskwars_server.connections import transport as transport_module
from diskwars_server.connections.acceptor import TLS_REST_SECONDS
from diskwars_server.http import board_pictures
from diskwars_server.limits import address_quotas, usage
from diskwars_server.lobby import imports
from diskwars_server.matches import inbox
from diskwars_server.processes.embedded_postgres import CHECKPOINT_SECONDS
from diskwars_server.processes.file_verifier import DEFAULT_VERIFIER_LIMITS, VERIFICATIONS_PER_HOUR
from diskwars_server.upkeep import old_matches, server_clock
from tests.code_sizes import ROOT
from tests.rows import each_row

NUMERALS = {2: "two", 4: "four", 5: "five", 6: "six", 8: "eight", 10: "ten"}
HOUR = 3600
LIMITS, VERIFIER = DEFAULT_CLIENT_LIMITS, DEFAULT_VERIFIER_LIMITS


def numeral(number: float) -> str:
    return NUMERALS[int(number)]


PROTOCOL = (
    f"A match queues up to {inbox.MAX_INBOX_ITEMS} commands; further ones are refused with `busy`.",
    f"Up to {outbox.MAX_OUTBOX_FRAMES} frames or {outbox.MAX_OUTBOX_BYTES // 2**20} MiB may wait to be sent to",
    f"An address may begin {numeral(address_quotas.FULL_BURSTS)} connections with {LIMITS.frame_burst} at the same",
    f"and a connection gets at least {address_quotas.MIN_BURST}.",
)
REFERENCE = (
    f"an address may send {address_quotas.REQUEST_BURST:,} requests at once and {address_quotas.REQUESTS_PER_SECOND} a",
)
OPERATING = (
    f"A connection may send {LIMITS.frames_per_second} frames a second, in bursts of up to {LIMITS.frame_burst};",
    f"each new connection from that address starts with {address_quotas.MIN_BURST} frames.",
    f"Of all connections of an address {address_quotas.FRAMES_PER_SECOND:,} frames a second are handled, as many as"
    f" {numeral(address_quotas.FRAMES_PER_SECOND / LIMITS.frames_per_second)} may send;",
    f"| connections with TLS that begin | {1 / TLS_REST_SECONDS:.0f} a second |",
    f"| {VERIFICATIONS_PER_HOUR * VERIFIER.seconds} s, {VERIFIER.seconds} s for one file |",
    f"{numeral(imports.MAX_UPLOADS).title()} may be uploaded or wait at the same time,"
    f" {numeral(imports.MAX_UPLOADS_PER_ADDRESS)} of them from one address",
    f"{numeral(usage.WRITERS_PER_ADDRESS)} times as much | `--guest-megabytes` |",
    f"within {numeral(usage.HISTORY_PERIOD_MS / 60_000)} minutes; a quarter on one connection",
    f"Answers of more than {usage.FREE_ANSWER_BYTES // 1024} KiB count as earlier records do",
    f"a record or a message of the chat {usage.RECORD_OVERHEAD_BYTES} bytes beside its text, a new match"
    f" {usage.OPENING_BYTES // 1024} KiB more.",
    f"each in a process of its own with {numeral(board_pictures.DRAWING_SECONDS)} seconds at most;"
    f" {board_pictures.MAX_KEPT_PICTURES} of them are kept.",
    f"spread over {transport_module.LAST_RETURN_MS / 1000:g} s.",
    f"given up after {numeral(product.STOP_DATABASE_SECONDS)} of them",
    f"may need up to {CHECKPOINT_SECONDS:.0f} seconds more to write what it holds in memory",
    f"every {numeral(server_clock.MEASURE_MS / 1000)} seconds, and when the clock of its own machine is set",
    f"every {numeral(old_matches.PASS_SECONDS / HOUR)} hours, {old_matches.BATCH_MATCHES} at a time with a pause of"
    f" {old_matches.BATCH_PAUSE_SECONDS:g} s;",
    f"A match may thus stay {numeral(old_matches.PASS_SECONDS / HOUR)} hours longer than its time.",
)


@each_row(
    ("page", "sentence"),
    [
        *(("protocol.md", sentence) for sentence in PROTOCOL),
        *(("protocol-reference.md", sentence) for sentence in REFERENCE),
        *(("operating.md", sentence) for sentence in OPERATING),
    ],
)
def test_sentence_of_a_page_has_the_number_of_the_program(page: str, sentence: str) -> None:
    text = " ".join((ROOT / "docs" / page).read_text("utf-8").split())
    assert sentence in text
