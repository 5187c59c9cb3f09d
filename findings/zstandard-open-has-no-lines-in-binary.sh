#!/usr/bin/env bash
# Whether `zstandard.open` takes the place of `gzip.open` for lines of bytes.
#
# expected: yes. It takes the modes of `open`, and the files of `gzip.open`, `bz2.open` and `lzma.open` have `writelines` and
# are read line by line in binary mode.
#
# seen: with zstandard 0.25.0: in text mode it does. In binary mode `writelines` exists and raises NotImplementedError,
# `for line in file` and `readline` raise io.UnsupportedOperation. An exporter that writes lists of lines works with
# `.jsonl.gz` and fails with `.jsonl.zst` at the first of them. What helps: `write(b"".join(lines))`, and
# `io.BufferedReader(file)` around what is read.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check zstandard==0.25.0
cat >"$folder/try.py" <<'PYTHON'
import bz2
import gzip
import io
import lzma
import os
import sys
import tempfile

import zstandard

LINES = [b"one\n", b"two\n"]


def attempt(action):
    """Return what an action returns, or the name of its exception."""
    try:
        return action()
    except Exception as error:
        return type(error).__name__


def write_lines(module, path):
    with module.open(path, "wb") as file:
        file.writelines(LINES)
    return "written"


def write_joined(module, path):
    with module.open(path, "wb") as file:
        file.write(b"".join(LINES))


def read_lines(module, path, wrap=lambda file: file):
    with module.open(path, "rb") as file:
        return list(wrap(file))


found = {}
with tempfile.TemporaryDirectory() as folder:
    for module in (gzip, bz2, lzma, zstandard):
        path = os.path.join(folder, module.__name__)
        written = attempt(lambda: write_lines(module, path))
        write_joined(module, path)
        found[module.__name__] = written, attempt(lambda: read_lines(module, path))
    buffered = read_lines(zstandard, path, io.BufferedReader)
    with zstandard.open(path, "rt") as file:
        in_text = list(file)
for name, answers in found.items():
    print(name, *answers)
print("zstandard through io.BufferedReader", buffered, "and in text mode", in_text)
is_as_found = (
    all(found[name] == ("written", LINES) for name in ("gzip", "bz2", "lzma"))
    and found["zstandard"] == ("NotImplementedError", "UnsupportedOperation")
    and buffered == LINES
    and in_text == ["one\n", "two\n"]
)
print("as found" if is_as_found else "CHANGED")
sys.exit(not is_as_found)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
