#!/usr/bin/env bash
# Which texts `msgspec.convert(..., strict=False)` takes for a whole number, a truth value or nothing.
#
# expected: the texts that a query of a web address would hold: digits, `true` and `false`. A field that may be None is
# None when the parameter is left out.
#
# seen: with msgspec 0.22.0: `1e3` is 1000 and `5.0` is 5, `1` and `TRUE` are True, and `null` is None for every optional
# field that is no text, so that `?status=null` is a filter that filters nothing. Signs, blanks and underscores are
# refused. What helps: a check of the spelling before the conversion.
#
# Exits with 0 if that is still so, with 1 if the behaviour has changed. Needs Python 3.11 or newer and the network.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check msgspec==0.22.0
cat >"$folder/try.py" <<'PYTHON'
import sys
from typing import Literal

import msgspec

FOUND = {
    ("1e3", int): 1000,
    ("5.0", int): 5,
    ("5_0", int): "refused",
    (" 5", int): "refused",
    ("+5", int): "refused",
    ("1", bool): True,
    ("TRUE", bool): True,
    ("yes", bool): "refused",
    ("null", Literal["open", "ended"] | None): None,
    ("null", str | None): "null",
}


def convert(text, kind):
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        return "refused"


seen = {(text, kind): convert(text, kind) for text, kind in FOUND}
for (text, kind), value in seen.items():
    print(f"{text!r:8} as {getattr(kind, '__name__', kind)}: {value!r}")
print("as found" if seen == FOUND else "CHANGED")
sys.exit(seen != FOUND)
PYTHON
"$folder/venv/bin/python" "$folder/try.py"
