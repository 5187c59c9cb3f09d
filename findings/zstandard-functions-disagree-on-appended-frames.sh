#!/usr/bin/env bash
# What the functions of zstandard return of a file to which a second frame was appended, as `zstd -c >>` and JSON lines
# written in parts make it.
#
# expected: one answer: all of it, as the program `zstd` gives; or, by the documented default
# `read_across_frames=False`, the first frame everywhere.
#
# seen: with zstandard 0.25.0: two groups. `decompress`, `decompressobj` and `read_to_iter` return the first frame and
# raise nothing. `copy_stream`, `zstandard.open` and `stream_reader(...).read()` return both, the last of them though
# `read_across_frames` is False; its `read(100)` stops at the frame, and goes on when it is called again. What helps: read
# with `zstandard.open`, and count or hash what comes out.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check zstandard==0.25.0
cat >"$folder/try.py" <<'PYTHON'
import io
import sys

import zstandard

FIRST, BOTH = b"one\n", b"one\ntwo\n"
compressor, decompressor = zstandard.ZstdCompressor(), zstandard.ZstdDecompressor()
data = compressor.compress(b"one\n") + compressor.compress(b"two\n")
copied = io.BytesIO()
decompressor.copy_stream(io.BytesIO(data), copied)
reader = decompressor.stream_reader(io.BytesIO(data), read_across_frames=False)
found = {
    "decompress": decompressor.decompress(data),
    "decompressobj": decompressor.decompressobj().decompress(data),
    "read_to_iter": b"".join(decompressor.read_to_iter(io.BytesIO(data))),
    "copy_stream": copied.getvalue(),
    "open": zstandard.open(io.BytesIO(data), "rb").read(),
    "stream_reader.read()": decompressor.stream_reader(io.BytesIO(data), read_across_frames=False).read(),
    "stream_reader.read(100)": reader.read(100),
}
for name, value in found.items():
    print(f"{name}: {value!r}")
firsts = {name for name, value in found.items() if value == FIRST}
wholes = {name for name, value in found.items() if value == BOTH}
is_as_found = (
    firsts == {"decompress", "decompressobj", "read_to_iter", "stream_reader.read(100)"}
    and wholes == {"copy_stream", "open", "stream_reader.read()"}
    and reader.read(100) == b"two\n"
)
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
