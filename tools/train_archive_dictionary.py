"""Train the dictionary of archived matches from simulated ones, and measure what it saves on others.

.venv/bin/python -m tools.train_archive_dictionary OUT.dict STREAM.jsonl …, each written by `./dev simulate --records`.
Every second match trains, the others are measured. A dictionary that was released never changes: files need it.
"""

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import zstandard
from msgspec import structs

from diskwars_cli.plugs.record_streams import read_stream
from diskwars_protocol.records.records import Record
from diskwars_server.store.archive.archived_match import ARCHIVE_FORMAT, COMPRESSION_LEVEL

DICTIONARY_BYTES = 32 << 10
"""Twice as many save a fiftieth more and take half as long again."""


def records_of(file: bytes) -> list[Record]:
    """Return the records of a match file as a database stores them; salts and hashes are random there as well."""
    records = []
    for line in file.splitlines()[1:]:
        row = json.loads(line)
        body = json.dumps(row["body"], separators=(",", ":"), ensure_ascii=False).encode()
        openings = row.get("openings")
        secret = None if openings is None else json.dumps(openings, separators=(",", ":")).encode()
        salt, digest = bytes.fromhex(row["salt"]), bytes.fromhex(row.get("hash") or row["salt"] * 2)
        command = f"{row['seq']:08x}-b1f0-4c1e-9d2a-{row['salt'][:12]}"
        records.append(Record(row["seq"], row["body"]["at_ms"], "bot", command, 2, body, secret, salt, digest))
    return records


def pack(records: Sequence[Record]) -> bytes:
    """Return what is compressed of a match."""
    return msgspec.msgpack.encode((ARCHIVE_FORMAT, "abcdefghijkl", [structs.astuple(record) for record in records]))


def main(out: Path, streams: Sequence[str]) -> None:
    """Write the dictionary, and print bytes of a match without and with it, by stream."""
    matches = {stream: [records_of(file) for file in read_stream("STREAM", stream)] for stream in streams}
    samples: list[bytes | bytearray | memoryview[int]] = [
        record.body for some in matches.values() for match in some[::2] for record in match
    ]
    dictionary = zstandard.train_dictionary(DICTIONARY_BYTES, samples, level=COMPRESSION_LEVEL)
    out.write_bytes(dictionary.as_bytes())
    for stream, some in matches.items():
        packed = [pack(match) for match in some[1::2]]
        plain = [zstandard.ZstdCompressor(level=COMPRESSION_LEVEL).compress(body) for body in packed]
        began = time.process_time()
        trained = [zstandard.ZstdCompressor(level=COMPRESSION_LEVEL, dict_data=dictionary).compress(x) for x in packed]
        milliseconds = (time.process_time() - began) * 1000 / len(packed)
        sizes = [sum(map(len, bodies)) / len(packed) / 1000 for bodies in (packed, plain, trained)]
        print(
            f"{Path(stream).stem}: {len(packed)} matches, kB of one: {sizes[0]:.1f} packed, {sizes[1]:.1f} compressed, "
            f"{sizes[2]:.1f} with the dictionary; {milliseconds:.1f} ms of CPU"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
